"""What the notes of a prompt share with the talk: ``python -m benchmarks.shared_notes``.

Lived through MemoryBank, and the chats of LifeBench's first people, every turn of the partner is
prompted as the program would, with the talk of its sitting before it. A note that shares neither a
word nor a name with that talk, nor is linked to an entity that is named there, is *unrelated*:
nobody could tell why it was shown. Words are those of the search index, without stop words.
"""

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Final

from benchmarks.datasets import Life, lifebench, memorybank
from benchmarks.living import MovingClock, sitting_by_sitting
from bot.conversation.prompt_budget import TokenBudget
from bot.conversation.reply_generator import ReplyGenerator, TurnContext
from bot.llm.tokens import TokenCounter
from memory.api import OpenMemory
from memory.model import Message, Tier
from memory.offline import OfflineModel
from memory.ports import Streamed
from memory.text.tokens import tokens
from prompts import Prompt, PromptMemory, Reply

PROMPT_TOKENS: Final = 8_000


class _Recorder(OfflineModel):
    """The offline model, which also keeps the last prompt it was given."""

    last: Reply | None = None

    def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        self.last = prompt if isinstance(prompt, Reply) else None
        return super().stream(prompt)


async def notes_of(mem: OpenMemory, life: Life, talk: Sequence[Message]) -> Sequence[PromptMemory]:
    """Return the notes that the last line of a talk is prompted with."""
    model = _Recorder()
    generator = ReplyGenerator(
        model=model,
        persona=lambda _: "",
        budget=TokenBudget(PROMPT_TOKENS, TokenCounter().count),
        clock=MovingClock(talk[-1].at),
    )
    context = TurnContext(
        agent=mem._agent,
        settings=mem._agent.settings,
        zone=life.zone,
        conversation=f"asked-{talk[-1].id}",
        said=tuple(talk[-1:]),
    )

    async def show_nothing(_: str) -> None:
        return

    await generator.generate(context, show_nothing)
    return model.last.memories if model.last else ()


def named_in(mem: OpenMemory, text: str) -> Iterator[int]:
    """Yield the entities whose name stands in a text."""
    for memory in mem._agent.state.memories.values():
        if memory.nature.tier is Tier.ENTITY and memory.words.text in text:
            yield memory.id


def shares(mem: OpenMemory, note: PromptMemory, talk: Sequence[Message]) -> str:
    """Return what a note shares with a talk: word, link, or nothing."""
    said = "\n".join(message.text for message in talk)
    told = "\n".join((note.text, note.quote, *(line.text for line in note.said)))
    if frozenset(tokens(said)) & frozenset(tokens(told)):
        return "word"
    state = mem._agent.state
    shown = (m.id for m in state.memories.values() if m.words.text == note.text)
    linked = {link.target for source in shown for link in state.links_of(source)}
    return "link" if linked & set(named_in(mem, said)) else "nothing"


async def counts(lives: Sequence[Life], every: int) -> str:
    """Return how many notes of every so many turns share what, in words."""
    counted: Counter[str] = Counter()
    turns = 0
    for life in lives:
        async for number, mem in sitting_by_sitting(life):
            sitting = life.sittings[number] if number < len(life.sittings) else ()
            for place in (n for n, message in enumerate(sitting) if message.role == "user"):
                turns += 1
                if turns % every == 0:
                    talk = sitting[: place + 1]
                    notes = await notes_of(mem, life, talk)
                    counted.update(shares(mem, note, talk) for note in notes)
    total = sum(counted.values())
    kinds = ", ".join(f"{kind} {counted[kind]}" for kind in ("word", "link", "nothing"))
    share = counted["nothing"] / max(total, 1)
    return f"{total} notes of {turns // every} turns; {kinds}; unrelated {share:.1%}"


async def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--people", type=int, default=1, help="people of LifeBench")
    parser.add_argument(
        "--every", type=int, default=20, help="of LifeBench's turns, every so many"
    )
    given = parser.parse_args()
    if not given.data.is_dir():
        print(f"no data at {given.data}: give the folder with --data DIR", file=sys.stderr)
        return 2
    sets = {
        "memorybank cn": (memorybank(given.data, ("cn",)), 1),
        "memorybank en": (memorybank(given.data, ("en",)), 1),
        "lifebench chats": (lifebench(given.data, "chat")[: given.people], given.every),
    }
    for name, (lives, every) in sets.items():
        print(f"{name}: {await counts(lives, every)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
