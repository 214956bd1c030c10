"""Ask a real model about the talks of ``benchmarks.judged``, and keep what it answered.

    .venv/bin/python -m benchmarks.judged_by FILE.jsonl --base-url http://127.0.0.1:8080/v1
        --model NAME [--key K] [--minutes 60]

The talks are those of ``tests/sets/judges``; the answers of their author are replaced by what this
model answers, asked as in the program: after the rules, with one retry. Every row is written as it
is answered, in one order that mixes the kinds, and a run that was broken off goes on where it
stopped. ``benchmarks.judged FILE.jsonl`` then tells what is known in the end.
"""

import argparse
import asyncio
import json
import random
import time
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

from benchmarks.judge import served_model
from benchmarks.judged import OPEN, Case, ruled
from memory.judgement.draft import Judgement
from memory.learning import monitor
from memory.ports import LanguageModel, Replied


async def answer_about(case: Case, model: LanguageModel) -> tuple[str, int]:
    """Return what the model's answer about a talk comes to, and how often it was asked."""
    state, turn = ruled(case)
    asked = monitor.turn_question(turn, state)
    if monitor.is_settled_by_rule(asked):
        return "", 0
    first = await model.complete(asked.prompt)
    if not isinstance(first, Replied):
        return "", 1
    judged = monitor.judge(asked, first.text, state, turn.at, model=model.name)
    if not (isinstance(judged, Judgement) and judged.wrong):
        return first.text, 1
    second = await model.complete(replace(asked.prompt, wrong=judged.wrong))
    if not isinstance(second, Replied):
        return first.text, 2
    again = monitor.judge(asked, second.text, state, turn.at, model=model.name)
    # As in the program: told what was wrong it may say less, and what it meant first counts then.
    better = isinstance(again, Judgement) and again.learnt
    return (second if better else first).text, 2


async def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", default="model")
    parser.add_argument("--key", default="none")
    parser.add_argument("--minutes", type=float, default=60)
    options = parser.parse_args()
    cases = [json.loads(line) for line in OPEN.read_text("utf-8").splitlines()]
    random.Random(0).shuffle(cases)
    known = options.file.read_text("utf-8").splitlines() if options.file.is_file() else []
    done = {json.loads(line)["id"] for line in known}
    until = time.monotonic() + 60 * options.minutes
    async with AsyncExitStack() as opening:
        model = served_model(options, opening)
        for case in (each for each in cases if each["id"] not in done):
            if time.monotonic() > until:
                break
            begun = time.monotonic()
            answer, calls = await answer_about(case, model)
            row = case | {"answer": answer, "calls": calls}
            with options.file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
            print(f"{case['id']}: {calls} calls, {time.monotonic() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
