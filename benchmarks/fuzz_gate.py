"""The long hunt: hostile answers against the gate of many agents.

    python -m benchmarks.fuzz_gate --count 100000 --agents 50 --memories 200

Every agent's memory is a value with a digest. After each answer to one agent, what changed in it
must be a memory that was shown or is new, and now and then every other agent is digested again.
"""

import argparse
import hashlib
import random
import sys
import time
from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from memory.changes import Put, Turn, Used
from memory.judgement.brackets import Unreadable
from memory.judgement.draft import AgentTools, Judgement
from memory.learning import monitor
from memory.model import (
    Deleted,
    Memory,
    Message,
    Nature,
    Origin,
    Passage,
    Source,
    Tier,
    Trace,
    Words,
)
from memory.recall.slot_index import SlotIndex
from memory.state import MemoryState
from tests.fakes.hostile import hostile_answers, near_misses

AT = datetime(2026, 3, 4, 12, tzinfo=UTC)
SHOWN = 4
DIGEST_EVERY = 500
SAYINGS = ["我喜欢猫", "我不喜欢猫了", "我搬到上海了，叫李明", "I like cats now", "不对，都错了"]
KNOWN = ["主人喜欢猫", "主人住在北京", "主人叫小明", "The partner likes cats", "主人怕狗"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What came of a siege."""

    answers: int = 0
    readable: int = 0
    applied: int = 0
    exceptions: int = 0
    unseen: int = 0
    strangers: int = 0


class House:
    """Several agents, each with memories and a turn that shows a few of them."""

    def __init__(self, rng: random.Random, *, agents: int, memories: int) -> None:
        self._rng = rng
        self._states = [_agent(rng, memories) for _ in range(agents)]
        self._digests = [digest(state) for state in self._states]
        # Asked once: an agent and its turn stay what they are, whatever is answered.
        self._asked = [_question(state) for state in self._states]

    def besiege(self, count: int) -> Tally:
        """Answer ``count`` times with something hostile and tell what happened."""
        answers = hostile_answers(self._rng, SHOWN)
        tally = Tally()
        for number in range(count):
            agent = self._rng.randrange(len(self._states))
            tally = self._attacked(agent, next(answers), tally)
            if number % DIGEST_EVERY == DIGEST_EVERY - 1:
                tally = replace(tally, strangers=tally.strangers + self._strangers())
        return replace(tally, strangers=tally.strangers + self._strangers())

    def is_refused(self, answer: str) -> bool:
        """Tell whether an answer takes nothing away and rewrites nothing."""
        state = self._states[0]
        judged = self._judged(0, answer)
        if isinstance(judged, Unreadable):
            return True
        after, _ = state.apply(judged.changes)
        return all(
            after.memories[key].words == m.words and _stands(after.memories[key])
            for key, m in state.memories.items()
        )

    def _attacked(self, agent: int, answer: str, tally: Tally) -> Tally:
        state = self._states[agent]
        tally = replace(tally, answers=tally.answers + 1)
        try:
            judged = self._judged(agent, answer)
        except Exception as error:  # noqa: BLE001  (the hunt is for exactly this)
            print(f"{error!r} for {answer!r}", file=sys.stderr)
            return replace(tally, exceptions=tally.exceptions + 1)
        if isinstance(judged, Unreadable):
            return tally
        after, _ = state.apply(judged.changes)
        shown = {memory.id for memory in self._asked[agent].shown.values()}
        unseen = sum(1 for _ in _unseen(state, after, shown))
        return replace(
            tally,
            readable=tally.readable + 1,
            applied=tally.applied + bool(judged.changes),
            unseen=tally.unseen + unseen,
        )

    def _judged(self, agent: int, answer: str) -> Judgement | Unreadable:
        asked = self._asked[agent]
        judged = monitor.judge(asked, answer, self._states[agent], AT)
        if asked.tools.slots:
            # Whatever is read for a judgement is let go of when its changes are noted.
            asked.tools.slots.note(())
        return judged

    def _strangers(self) -> int:
        """Return how many agents are not what they were: nothing of a judgement is ever shared."""
        return sum(
            digest(state) != known
            for state, known in zip(self._states, self._digests, strict=True)
        )


def digest(state: MemoryState) -> str:
    """Return a digest of everything an agent remembers."""
    whole = repr([sorted(state.memories.items()), sorted(state.links.items())])
    return hashlib.sha256(whole.encode()).hexdigest()


def _question(state: MemoryState) -> monitor.TurnQuestion:
    # As a running agent has it: an index that is made once, and not for every answer.
    (turn,) = state.turns.values()
    return monitor.turn_question(turn, state, AgentTools(slots=SlotIndex.build(state)))


def _unseen(before: MemoryState, after: MemoryState, shown: Container[int]) -> Iterator[int]:
    """Yield the memories that changed although they were not ``shown``.

    What is known in a slot that was spoken of is shown too, though no word brought it up.
    """
    for key, memory in before.memories.items():
        if key not in shown and after.memories.get(key) != memory:
            known = after.memories.get(key)
            # Saying a known fact again is a mention of it, shown or not: only numbers may differ.
            same = known and (known.words, known.standing, known.nature) == (
                memory.words,
                memory.standing,
                memory.nature,
            )
            if not same:
                yield key


def _stands(memory: Memory) -> bool:
    return not isinstance(memory.standing, Deleted) and memory.trace.negated_at is None


def _agent(rng: random.Random, memories: int) -> MemoryState:
    known = [_memory(n, rng.choice(KNOWN) + str(n)) for n in range(1, memories + 1)]
    turn = Turn(
        id="t",
        conversation="c",
        at=AT,
        said=(Message(id="1", at=AT, speaker="主人", role="user", text=rng.choice(SAYINGS)),),
        reply=Message(id="2", at=AT, speaker="小祥", role="assistant", text="好"),
        used=tuple(
            Used(memory_id=memory_id, score=1.0)
            for memory_id in rng.sample(range(1, memories + 1), SHOWN)
        ),
    )
    state, _ = MemoryState().apply([*(Put(memory) for memory in known), Put(turn)])
    return state


def _memory(memory_id: int, text: str) -> Memory:
    return Memory(
        id=memory_id,
        words=Words(text=text, phrase=text),
        nature=Nature(tier=Tier.FACT),
        trace=Trace.starting_at(AT),
        origin=Origin(source=Source.BACKGROUND, at=AT, speaker="主人"),
        passages=(Passage(text=text, source_ids=(f"s{memory_id}",), at=AT),),
    )


def main() -> int:
    """Run the hunt and print what was found; 1 if anything got through."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--agents", type=int, default=50)
    parser.add_argument("--memories", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    rng = random.Random(chosen.seed)
    house = House(rng, agents=chosen.agents, memories=chosen.memories)
    start = time.perf_counter()
    tally = house.besiege(chosen.count)
    misses = near_misses(rng, SHOWN)
    through = sum(not house.is_refused(next(misses)) for _ in range(chosen.count // 2))
    print(f"{tally} in {time.perf_counter() - start:.0f} s")
    print(f"near misses that changed or took something: {through} of {chosen.count // 2}")
    return int(bool(tally.exceptions or tally.unseen or tally.strangers or through))


if __name__ == "__main__":
    sys.exit(main())
