"""Show what the offline mode learns from the people of MemoryBank, for a reader to judge.

    .venv/bin/python -m benchmarks.learnt [--person NAME] [--language cn|en] [--data DIR]
    .venv/bin/python -m benchmarks.learnt --lines N [--data DIR]

Every turn goes through the rules of ``memory.offline`` and the gate, one person after another,
each into an empty memory. Printed are the facts that stand at the end, with date, kind and the
words they rest on, and what the gate refused. Nothing but rules is used, no model, no index.
With ``--lines`` it is what the rules read in N lines of LoCoMo, where two friends talk.
"""

import argparse
import asyncio
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.memorybank import ZONE, people, recording
from memory.changes import Put, Turn, Used
from memory.judgement.brackets import Unreadable
from memory.learning.monitor import judge, turn_question
from memory.model import Memory, Message, Tier
from memory.offline import OfflineModel
from memory.offline.utterances import statements_in
from memory.state import MemoryState
from memory.text.tokens import is_dense

CONVERSATION = "benchmark"


@dataclass
class Learnt:
    """What came of one person's turns."""

    name: str
    turns: int = 0
    state: MemoryState = field(default_factory=MemoryState)
    done: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)

    @property
    def facts(self) -> list[Memory]:
        """Return what stands at the end, in order."""
        every = (m for m in self.state.memories.values() if m.nature.tier is Tier.FACT)
        return sorted((m for m in every if m.is_active), key=lambda memory: memory.id)


async def learn(name: str, messages: Iterable[dict[str, str]]) -> Learnt:
    """Return what the offline mode learns from a recording, turn after turn."""
    learnt = Learnt(name)
    for turn in turns(messages):
        await _take(turn, learnt)
    return learnt


def turns(messages: Iterable[dict[str, str]]) -> Iterator[Turn]:
    """Yield each round of a recording as a turn."""
    said: list[Message] = []
    for each in messages:
        message = Message(
            id=each["id"],
            at=datetime.fromisoformat(each["at"]),
            speaker=each["speaker"],
            role="user" if each["role"] == "user" else "assistant",
            text=each["text"],
        )
        if message.role == "assistant" and said:
            yield Turn(
                id=said[0].id,
                conversation=CONVERSATION,
                at=said[0].at,
                said=tuple(said),
                reply=message,
            )
            said = []
        elif message.role == "user":
            said.append(message)


async def _take(turn: Turn, learnt: Learnt) -> None:
    known = [Used(memory_id=memory.id, score=1.0) for memory in learnt.facts]
    shown = Turn(**{name: getattr(turn, name) for name in turn.__slots__} | {"used": tuple(known)})
    state, _ = learnt.state.apply([Put(shown)])
    asked = turn_question(shown, state)
    answer = (await OfflineModel().complete(asked.prompt)).text
    judged = judge(asked, answer, state, turn.at, model="offline")
    if isinstance(judged, Unreadable):
        raise TypeError(f"the offline mode wrote what cannot be read: {judged.why}\n{answer}")
    learnt.turns += 1
    learnt.done.update(each.split(" ")[0] for each in judged.learnt)
    learnt.refused += [f"{why} ← {answer!r}" for why in judged.refused]
    learnt.state, _ = state.apply(judged.changes)


def audit(learnt: Learnt, messages: Iterable[dict[str, str]]) -> Iterator[str]:
    """Yield every fact that is not what its speaker said then, in that language, and only once."""
    said = {each["id"]: each for each in messages}
    texts: Counter[str] = Counter()
    for memory in learnt.facts:
        sources = [said[source_id] for source_id in memory.source_ids]
        words = "\n".join(each["text"] for each in sources)
        texts[memory.words.text] += 1
        if not sources or any(each["role"] != "user" for each in sources):
            yield f"#{memory.id} rests on nothing a person said"
        elif {each["speaker"] for each in sources} != {memory.origin.speaker}:
            yield f"#{memory.id} is somebody else's"
        elif datetime.fromisoformat(sources[0]["at"]) != memory.origin.at:
            yield f"#{memory.id} has another date"
        elif is_dense(memory.words.text) != is_dense(words):
            yield f"#{memory.id} is in another language"
    yield from (f"{count} times: {text}" for text, count in texts.items() if count > 1)


def report(learnt: Learnt) -> Iterator[str]:
    """Yield what one person's memory holds at the end."""
    done = ", ".join(f"{name} {count}" for name, count in sorted(learnt.done.items()))
    yield f"## {learnt.name}: {learnt.turns} turns, {len(learnt.facts)} facts ({done})"
    for memory in learnt.facts:
        at = memory.origin.at.astimezone(ZONE)
        past = " (past)" if memory.trace.negated_at or memory.lineage.valid_until else ""
        yield f"  {at:%m-%d}  {memory.nature.kind:<18}  {memory.words.text}{past}"
        yield f"         ← {memory.origin.speaker}：{memory.origin.quote}"
    for why in learnt.refused:
        yield f"  refused: {why}"


def read_in_lines(data: Path, count: int) -> Iterator[str]:
    """Yield what the rules read in so many lines of LoCoMo, always the same ones."""
    talks = json.loads((data / "locomo" / "locomo10.json").read_text("utf-8"))
    sessions = [turns for talk in talks for turns in talk["conversation"].values()]
    said = sorted(
        {turn["text"] for turns in sessions if isinstance(turns, list) for turn in turns}
    )
    random.Random(9).shuffle(said)
    at = datetime(2026, 3, 9, 12, tzinfo=ZONE)
    for line in said[:count]:
        yield from (each.text for each in statements_in(line, "Ann", at))


async def main() -> None:
    parser = argparse.ArgumentParser(description="Show what the offline mode learns.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--language", choices=("cn", "en"), default="cn")
    parser.add_argument("--person", help="only this one")
    parser.add_argument("--lines", type=int, help="so many lines of LoCoMo instead")
    options = parser.parse_args()
    if options.lines:
        found = list(read_in_lines(options.data, options.lines))
        print("\n".join([*found, f"{len(found)} statements in {options.lines} lines"]))
        return
    everyone: dict[str, Any] = people(options.data, options.language)
    total, wrong = 0, 0
    for name, person in everyone.items():
        if options.person in {None, name}:
            learnt = await learn(name.strip(), recording(person))
            found = list(audit(learnt, recording(person)))
            total, wrong = total + len(learnt.facts), wrong + len(found)
            print("\n".join([*report(learnt), *(f"  wrong: {what}" for what in found)]))
    print(f"{total} facts in all, {wrong} with the wrong owner, date or language, or twice")


if __name__ == "__main__":
    asyncio.run(main())
