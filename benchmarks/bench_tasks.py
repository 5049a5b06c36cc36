"""Speed of the tasks on one core: ``make bench``. Prints one line a task and the sums, in CPU seconds."""

from __future__ import annotations

import time

from tasks import TASKS, get_task
from tasks.contract import VIEWS, Task
from tasks.making import Instance, make_instance

INSTANCES = 50  # drawn, certified and written out, at size paper
GRADED = 100_000  # answers over all tasks: a third right, a third of other instances, a third junk


def bench_making(task: Task) -> tuple[float, list[Instance]]:
    """CPU seconds to draw, certify and write out the instances."""
    start = time.process_time()
    made = [make_instance(task, "paper", 0, index) for index in range(INSTANCES)]
    for instance in made:
        for view in VIEWS:
            task.view(instance.draft, view)
    return time.process_time() - start, made


def bench_grading(task: Task, made: list[Instance], count: int) -> float:
    """CPU seconds to grade ``count`` answers, in all accepted conventions each."""
    written = [task.write_answer(instance.answer, instance.draft.frames["a"]) for instance in made]
    junk = ["junk", [[0, 0]] * 9, {"a": 1}, None]
    start = time.process_time()
    for number in range(count):
        instance = made[number % len(made)]
        value = (written[number % len(made)], written[number % 7], junk[number % 4])[number % 3]
        task.score(instance.draft.union, instance.answer, value, instance.draft.frames)
    return time.process_time() - start


def main() -> None:
    """Print the table."""
    making = grading = 0.0
    count = GRADED // len(TASKS)
    print(f"{'task':18}{INSTANCES:>5} instances{count:>9} grades")
    for name in TASKS:
        seconds, made = bench_making(get_task(name))
        graded = bench_grading(get_task(name), made, count)
        print(f"{name:18}{seconds:>13.2f} s{graded:>13.2f} s", flush=True)
        making, grading = making + seconds, grading + graded
    print(f"{'all':18}{making:>13.2f} s{grading:>13.2f} s")


if __name__ == "__main__":
    main()
