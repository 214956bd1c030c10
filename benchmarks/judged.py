"""What answers of real judges leave in memory: a talk, what is known, what a model wrote of it.

    .venv/bin/python -m benchmarks.judged [FILE ...] [--misses]

The set (tests/sets/judges) was written by somebody who had not read the program: lines as people
type them, and what hosted and small models answer to them, in their own words, with what they make
up. The rules judge each talk first, as in the running program, then the model's answer is read. Of
what is to be known the table counts what stands in what is kept then, of what the model made up
the rows in which it stands there, and of what is over the rows in which it is known to be.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from memory.changes import Put, Turn, Used, Window
from memory.learning import monitor
from memory.model import Memory
from memory.offline import OFFLINE_NAME
from memory.offline.judgements import turn_operations
from memory.state import MemoryState
from tests.builders import a_memory, a_message
from tests.fakes.clock import NOON
from tests.fakes.judging import Verdict, a_state, answered
from tests.fakes.life import says

Case = dict[str, Any]

OPEN: Final = Path(__file__).resolve().parents[1] / "tests" / "sets" / "judges" / "judged.jsonl"


def situation(case: Case) -> tuple[MemoryState, Turn]:
    """Return what is known, with the lines before in the window, and the turn to judge."""
    partner = "主人" if case["lang"] == "zh" else "Ann"
    lines = [
        a_message(
            f"l{number}",
            line["text"],
            at=NOON - timedelta(minutes=len(case["lines"]) - number),
            speaker="小祥" if line["who"] == "her" else partner,
            role="assistant" if line["who"] == "her" else "user",
        )
        for number, line in enumerate(case["lines"])
    ]
    answered_to = max((n for n, line in enumerate(lines) if line.role == "assistant"), default=-1)
    before, said = lines[: answered_to + 1], lines[answered_to + 1 :]
    known = [_known(number, text, partner) for number, text in enumerate(case["known"], start=1)]
    state = a_state(*known, language=case["lang"], partner=partner)
    state, _ = state.apply([Put(Window(conversation="c", lines=tuple(before)))])
    reply = a_message("r", "嗯" if case["lang"] == "zh" else "I see", at=NOON, role="assistant")
    # Recalled first, so that m1 is the first of what is known.
    used = tuple(Used(memory_id=memory.id, score=1.0) for memory in known)
    turn = Turn(id="t1", conversation="c", at=said[0].at, said=tuple(said), reply=reply, used=used)
    return state, turn


def _known(number: int, text: str, partner: str) -> Memory:
    memory = a_memory(number, text)
    return replace(memory, origin=replace(memory.origin, speaker=partner, quote=text))


@dataclass(frozen=True, slots=True)
class Kept:
    """What is living in the end that was not known before, by the rules and by the model."""

    state: MemoryState
    by_rule: tuple[str, ...]
    by_model: tuple[str, ...]

    def holds(self, wanted: Sequence[str]) -> bool:
        """Whether any of these ways of saying a thing stands in what is kept."""
        return any(says(text, each) for text in self.texts for each in wanted)

    @property
    def texts(self) -> tuple[str, ...]:
        """Return all that is kept."""
        return (*self.by_rule, *self.by_model)


def ruled(case: Case) -> tuple[MemoryState, Turn]:
    """Return what is known once the rules have judged a talk, and the turn a model is asked of."""
    state, turn = situation(case)
    waiting, _ = state.apply([Put(turn)])
    by_rule = turn_operations(monitor.turn_question(turn, waiting).prompt)
    return _learnt(waiting, turn, by_rule, OFFLINE_NAME), turn


def kept_of(case: Case) -> Kept:
    """Return what a talk and the model's answer about it leave in memory."""
    before, _ = situation(case)
    rules, turn = ruled(case)
    after = _learnt(rules, turn, case["answer"], "judge")
    new = [m for m in after.memories.values() if m.is_living_fact and m.id not in before.memories]
    return Kept(
        after,
        tuple(memory.words.text for memory in new if memory.id in rules.memories),
        tuple(memory.words.text for memory in new if memory.id not in rules.memories),
    )


def _learnt(state: MemoryState, turn: Turn, answer: str, model: str) -> MemoryState:
    verdict = answered(state, turn, answer, model=model)
    # What cannot be read leaves nothing, as in the program.
    return verdict.state if isinstance(verdict, Verdict) else state


@dataclass
class Count:
    """What came of the rows of one kind, with the ids of those that went wrong."""

    rows: int = 0
    things: int = 0
    held: int = 0
    short: list[str] = field(default_factory=list)
    made_up: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    changes: int = 0
    clutter: list[str] = field(default_factory=list)

    def note(self, case: Case) -> None:
        """Count one row."""
        kept = kept_of(case)
        held = sum(kept.holds(each) for each in case["true"])
        self.rows += 1
        self.things += len(case["true"])
        self.held += held
        if held < len(case["true"]):
            self.short.append(case["id"])
        if any(kept.holds([each]) for each in case["never"]):
            self.made_up.append(case["id"])
        if case["kind"] == "changed":
            self.changes += 1
            if kept.state.memories[1].is_living_fact:
                self.stale.append(case["id"])
        if case["kind"] == "nothing" and kept.texts:
            self.clutter.append(case["id"])

    def row(self, kind: str) -> str:
        """Return the line of the table."""
        held = f"{self.held} of {self.things}" if self.things else ""
        stale = f"{len(self.stale)} of {self.changes}" if self.changes else ""
        clutter = f"{len(self.clutter)} of {self.rows}" if kind == "nothing" else ""
        made_up = f"{len(self.made_up)} of {self.rows}"
        return f"| {kind} | {self.rows} | {held} | {made_up} | {stale} | {clutter} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", type=Path, nargs="*", default=[OPEN])
    parser.add_argument("--misses", action="store_true", help="name what was wrong, by id")
    parser.add_argument("--show", metavar="ID", help="print what is kept of one row")
    options = parser.parse_args()
    for file in options.files:
        cases = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        if options.show:
            for case in (each for each in cases if each["id"] == options.show):
                kept = kept_of(case)
                print(json.dumps(case, ensure_ascii=False), kept.by_rule, kept.by_model, sep="\n")
            continue
        counts: defaultdict[str, Count] = defaultdict(Count)
        for case in cases:
            counts[case["kind"]].note(case)
        print("| answers | rows | known in the end | made up, kept | over, not known | clutter |")
        print("|---|---|---|---|---|---|")
        for kind, count in counts.items():
            print(count.row(kind))
        if options.misses:
            for kind, count in counts.items():
                print(f"{kind}: short {count.short} made up {count.made_up}")
                print(f"  not over {count.stale} clutter {count.clutter}")


if __name__ == "__main__":
    main()
