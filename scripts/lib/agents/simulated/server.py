"""Simulated agents over HTTP, for any OpenAI client: ``make serve-simulated``.

Serves every simulated model of models.yaml that has a profile by its name at ``/v1/chat/completions`` (also
streamed, as one chunk) and ``/v1/models``. For loopback only: it checks no key.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from aiohttp import web

from scripts.lib.agents.calls import Reply
from scripts.lib.agents.models import Model, load_models
from scripts.lib.agents.simulated.agent import answer_messages
from scripts.lib.errors import UserError


def make_app(models: dict[str, Model]) -> web.Application:
    """The web application that serves the simulated ones among the models."""
    served = {name: model for name, model in models.items() if model.profile}
    app = web.Application(client_max_size=16 * 2**20)

    async def list_models(_: web.Request) -> web.Response:
        entries = [{"id": name, "object": "model", "owned_by": "simulated"} for name in served]
        return web.json_response({"object": "list", "data": entries})

    async def complete(request: web.Request) -> web.StreamResponse:
        try:
            body = await request.json()
            messages = [{"role": str(m["role"]), "content": _text(m["content"])} for m in body["messages"]]
        except (ValueError, KeyError, TypeError, AttributeError):
            return _error(400, "the body must be JSON with model and messages")
        name = str(body.get("model"))
        profile = served[name].profile if name in served else None
        if profile is None:
            return _error(404, f"no simulated model of that name; served: {', '.join(served)}")
        reply = answer_messages(profile, messages)
        if body.get("stream"):
            return await _stream(request, name, reply)
        return web.json_response(_completion(name, reply))

    app.router.add_get("/v1/models", list_models)
    app.router.add_post("/v1/chat/completions", complete)
    return app


def _text(content: Any) -> str:
    """A message's content as text; clients may send a list of text parts."""
    if isinstance(content, list):
        content = "".join(part.get("text") or "" for part in content)
    return (content or "").encode("utf-8", "replace").decode()  # a lone surrogate becomes "?"


def _error(status: int, message: str) -> web.Response:
    return web.json_response({"error": {"message": message, "type": "invalid_request_error"}}, status=status)


def _completion(model: str, reply: Reply) -> dict[str, Any]:
    usage = {"prompt_tokens": reply.prompt_tokens or 0, "completion_tokens": reply.completion_tokens or 0}
    return {
        "id": "chatcmpl-simulated",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "system_fingerprint": reply.fingerprint,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": reply.text},
                "finish_reason": reply.finish_reason,
            }
        ],
        "usage": usage | {"total_tokens": sum(usage.values())},
    }


async def _stream(request: web.Request, model: str, reply: Reply) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    head = {"id": "chatcmpl-simulated", "object": "chat.completion.chunk", "created": int(time.time())}
    deltas = [({"role": "assistant", "content": reply.text}, None), ({}, reply.finish_reason)]
    for delta, reason in deltas:
        chunk = {**head, "model": model, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}
        await response.write(f"data: {json.dumps(chunk)}\n\n".encode())
    await response.write(b"data: [DONE]\n\n")
    return response


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--port", type=int, default=8641)
    parser.add_argument("--models-file", type=Path, default=Path("config/models.yaml"))
    arguments = parser.parse_args()
    try:
        models = load_models(arguments.models_file)
        names = ", ".join(name for name, model in models.items() if model.profile)
        print(f"simulated agents at http://127.0.0.1:{arguments.port}/v1 (models: {names})", flush=True)
        web.run_app(make_app(models), host="127.0.0.1", port=arguments.port, print=None)
    except UserError as error:
        sys.exit(str(error))
    except OSError as error:
        sys.exit(f"cannot listen on port {arguments.port}: {error.strerror}; choose another with PORT=...")


if __name__ == "__main__":
    main()
