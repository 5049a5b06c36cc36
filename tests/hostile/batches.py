"""The Batch API: files, batches, and what can become of a batch."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.hostile.faults import Answer, Body, Kind, Wire, as_error, as_json, fault
from tests.hostile.options import Options
from tests.hostile.plan import Plan, body_hash, content_hash
from tests.hostile.record import Entry, Record

CHATS = "/v1/chat/completions"
_DONE = ("completed", "failed", "expired", "cancelled")
_STATES = ("in_progress", "finalizing", *_DONE, "cancelling")

Line = dict[str, Any]


@dataclass
class Batch:
    """A batch: ``shown`` is what a client sees of it, the rest how it will end."""

    shown: Body
    lines: list[Line] = field(default_factory=list)
    undone: list[Line] = field(default_factory=list)
    lost: list[Line] = field(default_factory=list)
    end: str = "completed"
    errors: list[Body] = field(default_factory=list)

    def become(self, status: str) -> None:
        """Enter a state, at its time."""
        self.shown["status"] = status
        self.shown[f"{status}_at"] = int(time.time())


@fault(Kind.BATCH)
def batch_expired(batch: Batch) -> None:
    """Time is up when half of the lines are done; one line is done."""
    done = (len(batch.lines) + 1) // 2
    batch.lines, batch.undone, batch.end = batch.lines[:done], batch.lines[done:], "expired"


@fault(Kind.BATCH)
def batch_token_limit(batch: Batch) -> None:
    """Refused after it was taken: too much stands in the queue."""
    message = (
        "Enqueued token limit reached for this model. Limit: 90,000 enqueued tokens. "
        "Please try again once some in_progress batches have been completed."
    )
    batch.errors.append(_batch_error("token_limit_exceeded", message))


@fault(Kind.BATCH)
def batch_lost_lines(batch: Batch) -> None:
    """A line stands neither in the output nor among the errors."""
    if len(batch.lines) > 1:
        batch.lost = [batch.lines.pop()]


class Batches:
    """All files and batches. ``answer_line`` answers a chat's body and notes its fault in the entry."""

    def __init__(
        self, options: Options, plan: Plan, record: Record, answer_line: Callable[[Body, Entry], Answer]
    ) -> None:
        self.options, self.plan, self.record, self.answer_line = options, plan, record, answer_line
        self.files: dict[str, tuple[Body, bytes]] = {}
        self.batches: dict[str, Batch] = {}
        self.running: set[asyncio.Task[None]] = set()

    # -- files ---------------------------------------------------------------------------------

    def add_file(self, content: bytes, name: str, purpose: str) -> Answer:
        """Keep an uploaded file."""
        if purpose != "batch":
            return as_error(400, f"'{purpose}' is not one of ['batch'] - 'purpose'", param="purpose")
        return as_json(self._keep(content, name, purpose))

    def _keep(self, content: bytes, name: str, purpose: str) -> Body:
        about = {
            "id": f"file-{len(self.files):06d}",
            "object": "file",
            "bytes": len(content),
            "created_at": int(time.time()),
            "filename": name,
            "purpose": purpose,
            "status": "processed",
        }
        self.files[about["id"]] = about, content
        return about

    def show_file(self, name: str) -> Answer:
        """What is known of a file."""
        return as_json(self.files[name][0]) if name in self.files else _no("File", name)

    def read_file(self, name: str) -> Answer:
        """A file's content."""
        if name not in self.files:
            return _no("File", name)
        return Answer(self.files[name][1], headers={"Content-Type": "application/octet-stream"})

    # -- batches -------------------------------------------------------------------------------

    def create(self, asked: Body) -> Answer:
        """Take a batch and let it run."""
        name = asked.get("input_file_id")
        if name not in self.files:
            return as_error(400, f"Cannot find file {name}, or it is not yours.", param="file_id")
        if asked.get("endpoint") != CHATS or asked.get("completion_window") != "24h":
            return as_error(400, f"endpoint must be {CHATS} and completion_window 24h", param="endpoint")
        shown = {
            "id": f"batch_{len(self.batches):06d}",
            "object": "batch",
            "endpoint": CHATS,
            "errors": None,
            "input_file_id": name,
            "completion_window": "24h",
            "status": "validating",
            "output_file_id": None,
            "error_file_id": None,
            "created_at": int(time.time()),
            "expires_at": int(time.time()) + 86400,
            **{f"{state}_at": None for state in _STATES},
            "request_counts": {"total": 0, "completed": 0, "failed": 0},
            "metadata": asked.get("metadata"),
        }
        batch = self.batches[shown["id"]] = Batch(shown)
        task = asyncio.get_running_loop().create_task(self._run(batch))
        self.running.add(task)
        task.add_done_callback(self.running.discard)
        return as_json(shown)

    def show(self, name: str) -> Answer:
        """A batch as it is now."""
        return as_json(self.batches[name].shown) if name in self.batches else _no("Batch", name)

    def page(self, limit: int, after: str | None) -> Answer:
        """A page of all batches, the newest first; ``after``: the last one of the page before."""
        names = list(reversed(self.batches))
        rest = names[names.index(after) + 1 :] if after in names else names
        page = rest[:limit]
        ends = {"first_id": page[0] if page else None, "last_id": page[-1] if page else None}
        data = [self.batches[name].shown for name in page]
        return as_json({"object": "list", "data": data, **ends, "has_more": len(rest) > len(page)})

    def cancel(self, name: str) -> Answer:
        """Stop a batch; what is done stays."""
        if name not in self.batches:
            return _no("Batch", name)
        batch = self.batches[name]
        if batch.shown["status"] in _DONE:
            return as_error(409, f"Cannot cancel a batch with status '{batch.shown['status']}'.")
        batch.end = "cancelled"
        batch.become("cancelling")
        return as_json(batch.shown)

    async def _run(self, batch: Batch) -> None:
        """From validating to the end; the answers are paid for once they stand in a file."""
        content = self.files[batch.shown["input_file_id"]][1]
        await asyncio.sleep(self.options.batch_seconds / 10)
        batch.lines, batch.errors = read_lines(content, self.options.batch_lines)
        met = self.plan.batch_fault(content_hash(content))
        if met and not batch.errors and batch.end == "completed":
            met.make(batch)
        if batch.errors:
            batch.shown["errors"] = {"object": "list", "data": batch.errors}
            batch.become("failed")
            return
        total = len(batch.lines) + len(batch.undone) + len(batch.lost)
        batch.shown["request_counts"]["total"] = total
        if batch.end != "cancelled":
            batch.become("in_progress")
        answered, failed = await self._answer_all(batch)
        if batch.end != "cancelled":
            batch.become("finalizing")
            await asyncio.sleep(self.options.batch_seconds / 10)
        self._finish(batch, answered, failed)

    async def _answer_all(self, batch: Batch) -> tuple[list[Line], list[Line]]:
        """The lines of the output and of the error file."""
        answered: list[Line] = []
        failed: list[Line] = []
        for place, line in enumerate(batch.lines):
            await asyncio.sleep(self.options.batch_seconds / len(batch.lines))
            if batch.end == "cancelled":
                batch.undone += batch.lines[place:]
                break
            written = self._answer_one(line)
            good = written["response"] is not None and written["response"]["status_code"] in (0, 200)
            (answered if good else failed).append(written)
            batch.shown["request_counts"]["completed" if good else "failed"] += 1
        code = f"batch_{batch.end}"
        message = "This request could not be executed before the batch ended."
        error = {"code": code, "message": message}
        for line in batch.undone:
            about = {"id": f"batch_req_{body_hash(line['body'])}", "custom_id": line["custom_id"]}
            failed.append({**about, "response": None, "error": error})
            batch.shown["request_counts"]["failed"] += 1
        return answered, failed

    def _answer_one(self, line: Line) -> Line:
        body = line["body"]
        with self.record.watch("batch", body_hash(body), str(body["model"])) as entry:
            answer = self.answer_line(body, entry)
            entry.delivered = answer.status == 200 and answer.wire == Wire.WHOLE
        about = {"id": f"batch_req_{entry.body}", "custom_id": line["custom_id"]}
        if answer.wire != Wire.WHOLE:
            error = {"code": "request_timeout", "message": "The call to the model timed out."}
            return {**about, "response": None, "error": error}
        response = {"status_code": answer.status, "request_id": entry.body, "body": _parsed(answer)}
        if response["body"] is None:  # as it has been seen: counted as completed, with nothing in it
            response = {"status_code": 0, "request_id": "", "body": ""}
        return {**about, "response": response, "error": None}

    def _finish(self, batch: Batch, answered: list[Line], failed: list[Line]) -> None:
        """Write the files, in any order as the real ones, and enter the last state."""
        for kind, lines in (("output", answered), ("error", failed)):
            if lines:
                random.Random(self.options.seed).shuffle(lines)
                text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
                content = text.encode("utf-8", "replace")
                name = f"{batch.shown['id']}_{kind}.jsonl"
                batch.shown[f"{kind}_file_id"] = self._keep(content, name, "batch_output")["id"]
        batch.become(batch.end)


def read_lines(content: bytes, most: int) -> tuple[list[Line], list[Body]]:
    """The lines of a batch's input, and what is wrong with them as a batch's errors."""
    lines: list[Line] = []
    errors: list[Body] = []
    used: set[str] = set()
    for number, text in enumerate(content.decode("utf-8", "replace").removesuffix("\n").split("\n"), 1):
        try:
            line = json.loads(text)
            problem = _problem(line, lines[0] if lines else line, used)
            lines.append(line)
            used.add(line["custom_id"])
        except (ValueError, KeyError, TypeError) as error:
            problem = "invalid_json_line", f"This line is not a request: {error}"
        if problem:
            errors.append(_batch_error(*problem, number))
    if len(lines) > most:
        message = f"The input file has {len(lines)} requests; the most is {most}."
        errors.append(_batch_error("too_many_tasks", message))
    return lines, errors


def _problem(line: Line, first: Line, used: set[str]) -> tuple[str, str] | None:
    """The code and message of what is wrong with a line, among those before it."""
    if (line["method"], line["url"]) != ("POST", CHATS):
        return "mismatched_endpoint", f"The endpoint must be POST {CHATS}."
    if line["custom_id"] in used:
        return "duplicate_custom_id", f"The custom_id {line['custom_id']} is already used."
    if line["body"]["model"] != first["body"]["model"]:
        return "mismatched_model", "Each batch must contain requests for a single model."
    return None


def _batch_error(code: str, message: str, line: int | None = None) -> Body:
    return {"code": code, "message": message, "line": line, "param": None}


def _parsed(answer: Answer) -> Any:
    try:
        return json.loads(answer.body.decode())
    except UnicodeDecodeError:
        return json.loads(answer.body.decode("latin-1"))
    except ValueError:
        return None


def _no(what: str, name: str) -> Answer:
    return as_error(404, f"No such {what} object: {name}", param="id")
