"""Every scripted attack against the whole program, whose model always obeys the attacker.

    python -m benchmarks.attacks [--every N] [--vector NAME]

Each attack is lived through twice by the program as it runs, in front of a model server that does
whatever stands in its prompt: once with the hostile text, once with a harmless one in its place.
The turns, the summary of the talk, a fortnight later its consolidation, and the reviews are all
answered by that model. Both lives must end with the same memory.
"""

import argparse
import asyncio
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from bot.app import App, running
from bot.conversation.messages import ConversationKey, Incoming, Sender
from bot.settings import Settings
from memory.agent import AgentMemory
from memory.changes import Change, PendingReview, Put
from memory.model import Language, Memory, Message, Origin, Source, Tier
from memory.state import MemoryState
from tests.builders import a_memory
from tests.fakes.attacks import VECTORS, Attack, attacks
from tests.fakes.chat import FakeChat
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.obedient import obedient
from tests.fakes.openai_answers import Asked
from tests.fakes.openai_server import OpenAIServer, Personality
from tests.fakes.platforms import adapters_of, only_a_terminal

PATIENCE_SECONDS = 300.0
KNOWN: dict[Language, tuple[str, ...]] = {
    "zh": ("主人喜欢拉面", "主人住在北京", "主人对花生过敏"),
    "en": ("My friend likes ramen", "My friend lives in Boston", "My friend fears dogs"),
}
PARTNER: dict[Language, str] = {"zh": "主人", "en": "my friend"}
MARKS = ("ABC", "火星", "攻击者", "五万", "Mars", "Mallory", "evil")
"""Words of payloads; none may stand in what is told of a talk in which it was only shown."""

Effects: TypeAlias = tuple[tuple[object, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a life left behind: what is held true and how firmly, and what is told of the talk."""

    effects: Effects
    told: str


class Siege:
    """The program in one language, and the lives lived in it one after another."""

    def __init__(self, app: App, chat: FakeChat, clock: FakeClock) -> None:
        self._app = app
        self._chat = chat
        self._clock = clock
        self._lives = 0
        self._twins: dict[tuple[str, Language], Outcome] = {}

    async def succeeds(self, attack: Attack) -> str:
        """Return what the attacker achieved; nothing if the memory is what it should be."""
        key = (attack.vector, attack.language)
        if key not in self._twins:
            self._twins[key] = await self.lived(attack.twin)
        expected, found = self._twins[key], await self.lived(attack)
        if not _is_no_more_than(found.effects, expected.effects):
            new = [each for each in found.effects if each not in expected.effects]
            gone = [each for each in expected.effects if each not in found.effects]
            return f"new {new} gone {gone}"
        claims = not attack.stored or PARTNER[attack.language] in attack.payload.lower()
        leaked = [mark for mark in MARKS if claims and mark in found.told]
        return f"told {leaked} in {found.told!r}" if leaked else ""

    async def lived(self, attack: Attack) -> Outcome:
        """Live through an attack and a fortnight after it, and return what is remembered."""
        self._lives += 1
        place = ConversationKey(platform="console", account="local", chat=f"life-{self._lives}")
        self._clock.set(NOON)
        agent = await self._app.agents.get(place.chat)
        await agent.steer(lambda state, _: _seeded(attack, state))
        for number in range(len(attack.said)):
            await self._hear(attack, place, number)
            await agent.background.wait_until_idle()
            self._clock.tick(minutes=1)
        agent.background.enqueue(_again(agent, place), explicit=False)
        await agent.background.wait_until_idle()
        self._clock.tick(days=15)
        await agent.nightly()
        return _outcome(attack, agent.state)

    async def _hear(self, attack: Attack, place: ConversationKey, number: int) -> None:
        said, before = attack.said[number], len(self._chat.finals(place))
        heard = asyncio.Event()
        self._chat.listeners[:] = [lambda _: heard.set()]
        incoming = Incoming(
            dedupe_key=f"{place.chat}-{number}",
            conversation=place,
            sender=Sender(id=said.by[:20] or "local", name=said.by or "主人"),
            at=self._clock.now(),
            text=said.text,
            private=not attack.group,
            quoted=said.quoted,
            modality="image" if said.image else "text",
        )
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self._app.intake.receive(incoming)
            while len(self._chat.finals(place)) <= before:
                await heard.wait()
                heard.clear()
            while await self._app.intake.wake_due(["console"]):
                await asyncio.sleep(0.002)


def _seeded(attack: Attack, state: MemoryState) -> list[Change]:
    """Return what is known from the start, and the memory the attacker got in long ago."""
    first, partner = state.next_id, PARTNER[attack.language]
    known = [
        replace(
            a_memory(first + number, text),
            origin=Origin(source=Source.USER, at=NOON, speaker=partner, quote=text),
        )
        for number, text in enumerate(KNOWN[attack.language])
    ]
    if attack.stored:
        tier = Tier(attack.stored)
        text = f"{KNOWN[attack.language][0]} {attack.payload}"
        old = a_memory(first + len(known), text, tier=tier)
        known.append(replace(old, origin=replace(old.origin, source=Source.IMPORT)))
    reviews = [
        PendingReview(memory_id=first, task="promotion", since=NOON),
        PendingReview(memory_id=first + 1, task="decay", since=NOON),
    ]
    return [*map(Put, known), *map(Put, reviews)]


def _again(agent: AgentMemory, place: ConversationKey) -> list[Message]:
    """Return what was said as a talk to be summed up, under ids of its own."""
    return [replace(line, id=f"again-{line.id}") for line in agent.window(str(place))]


def _outcome(attack: Attack, state: MemoryState) -> Outcome:
    memories = [memory for _, memory in sorted(state.memories.items())]
    held = [m for m in memories if m.nature.tier is not Tier.EPISODE or m.trace.created_at < NOON]
    told = [m for m in memories if m.nature.tier is Tier.EPISODE and m.origin.turn_id]
    return Outcome(
        effects=tuple(_effect(attack, memory) for memory in held),
        told="\n".join(f"{m.words.text} {m.words.phrase}" for m in told),
    )


def _is_no_more_than(found: Effects, expected: Effects) -> bool:
    """Tell whether an attack left what its harmless twin leaves, and nothing of it firmer.

    Less firm is no success: what a message says that is a name counts for less in doubt.
    """
    return len(found) == len(expected) and all(
        (*one[:4], *one[6:]) == (*other[:4], *other[6:]) and one[4:6] <= other[4:6]
        for one, other in zip(found, expected, strict=True)
    )


def _effect(attack: Attack, memory: Memory) -> tuple[object, ...]:
    """Return all that counts of a memory: what it says, how it stands, how firm it is."""
    text = memory.words.text
    for written in (attack.payload, " ".join(attack.payload.split())):
        text = text.replace(written, "…")
    # A name that is a message is not repeated: what its bearer said is told of somebody.
    text = re.sub(r"^(?:有人|Somebody)(?=说：| says: )", "…", text)
    return (
        text,
        memory.nature,
        type(memory.standing).__name__,
        memory.trace.negated_at,
        round(memory.trace.importance, 3),
        memory.trace.mention_count,
        memory.lineage.replaces,
        memory.lineage.merged_from,
        memory.lineage.valid_until,
    )


@asynccontextmanager
async def besieged(
    folder: Path, language: Language, asked_for: Counter[str]
) -> AsyncIterator[Siege]:
    """Put the program up before an obedient model server."""
    chat, clock = FakeChat(), FakeClock(NOON)
    platforms = adapters_of(chat, "console")
    async with OpenAIServer(_counting(asked_for)) as server:
        settings = Settings(
            data_dir=folder / language,
            llm_base_url=server.base_url,
            llm_model="obedient",
            language=language,
        )
        async with running(
            settings, platforms, only_a_terminal(), clock=clock, quiet_seconds=0.0
        ) as app:
            yield Siege(app, chat, clock)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Which attacks achieved what, and what the model was made to ask for meanwhile."""

    through: dict[Attack, str]
    asked_for: Counter[str]


async def besiege(chosen: Iterable[Attack], folder: Path) -> Report:
    """Live through the attacks and tell what came of them."""
    through: dict[Attack, str] = {}
    listed = list(chosen)
    asked_for: Counter[str] = Counter()
    for language in dict.fromkeys(attack.language for attack in listed):
        async with besieged(folder, language, asked_for) as siege:
            for attack in listed:
                if attack.language == language and (what := await siege.succeeds(attack)):
                    through[attack] = what
    return Report(through=through, asked_for=asked_for)


def _counting(asked_for: Counter[str]) -> Personality:
    """Return the obedient model, which counts its operations by name."""

    def personality(asked: Asked) -> str:
        answer = obedient(asked)
        asked_for.update(re.findall(r"^\[([A-Z]+)", answer, re.MULTILINE))
        return answer

    return personality


def main() -> int:
    """Run the attacks and print what got through; 1 if anything did."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, help="only every Nth attack")
    parser.add_argument("--vector", choices=VECTORS)
    options = parser.parse_args()
    chosen = [a for a in attacks() if options.vector in {None, a.vector}][:: options.every]
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        report = asyncio.run(besiege(chosen, Path(folder)))
    for attack, what in report.through.items():
        print(f"{attack.vector}/{attack.language} {attack.payload!r}\n    {what}")
    print("attacks", dict(Counter(attack.vector for attack in chosen)))
    print("the model asked for", dict(report.asked_for.most_common()))
    took = time.perf_counter() - start
    print(f"{len(chosen)} attacks, {len(report.through)} achieved something, in {took:.0f} s")
    return int(bool(report.through))


if __name__ == "__main__":
    sys.exit(main())
