"""Ask the offline mode what two data sets ask: ``python -m benchmarks.offline_answers``.

They are MemoryBank and LifeBench. Every person is lived through at their dates; each question is
asked in a new conversation a day after the last. ``offline_answers.jsonl`` holds, labelled by
hand, which characters of which line (``day:round:half``, half 1 is hers) an answer must contain:
``need`` of the ranges in ``gold``, or one of ``dates``; with neither, nothing answers and it is to
be said so. LifeBench ("life", its chats only) asks about somebody by name; here the one who lives
the life asks, so the name is 我.

*useful*: the answer holds what was asked for. *partly*: some of it. *honest*: it says that it does
not remember. *wrong*: it tells something else as the answer. Five people of MemoryBank and one of
LifeBench are held out while the rules are written; they are asked with ``--held-out`` only.
"""

import argparse
import asyncio
import re
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final, Literal, TypeAlias

import orjson

from benchmarks.datasets import Life, lifebench, memorybank
from benchmarks.living import MovingClock, lived
from bot.conversation.prompt_budget import TokenBudget
from bot.conversation.reply_generator import GeneratedReply, ReplyGenerator, TurnContext
from bot.llm.tokens import TokenCounter
from memory.api import OpenMemory
from memory.model import Message
from memory.offline import OfflineModel
from memory.offline.vocabulary import EN, ZH
from memory.ports import Streamed
from prompts import Prompt, Reply

_COMPANIONS: Final = frozenset({2, 6, 9, 11, 13})
HELD_OUT: Final = {"cn": _COMPANIONS, "en": _COMPANIONS, "life": frozenset({3})}
LABELS: Final = Path(__file__).with_suffix(".jsonl")
PROMPT_TOKENS: Final = 8_000
Verdict: TypeAlias = Literal["useful", "partly", "honest", "wrong"]
MARKS: Final = re.compile(r"[\s\"'“”‘’「」『』,，、.。]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What one question's answer must hold: ``need`` of the texts ``gold``; none: nothing does."""

    gold: tuple[str, ...]
    need: int


def labels(lives: dict[str, list[Life]]) -> Iterator[tuple[str, int, int, Label]]:
    """Yield language, person, question and label, the character ranges read from the data."""
    for line in LABELS.read_bytes().splitlines():
        row = orjson.loads(line)
        if row["language"] not in lives:
            continue
        life = lives[row["language"]][row["person"]]
        said = {message.id: message.text for message in life.messages}
        gold = [said[key][start:end] for key, start, end in row["gold"]]
        for day in row.get("dates", ()):
            month, number = int(day[5:7]), int(day[8:])
            named = f"{'April' if month == 4 else 'May'} {number}"
            gold.append(f"{month}月{number}日" if row["language"] == "cn" else named)
        label = Label(gold=tuple(gold), need=row["need"])
        yield row["language"], row["person"], row["question"], label


def judged(answer: str, label: Label) -> Verdict:
    """Return what an answer is worth."""
    plain = MARKS.sub("", answer).lower()
    held = sum(MARKS.sub("", each).lower() in plain for each in label.gold)
    admitted = ADMITS.search(answer) is not None
    if not label.gold:
        return "useful" if admitted else "wrong"
    if held >= label.need and not admitted:
        return "useful"
    if held:
        return "partly"
    return "honest" if admitted else "wrong"


ADMITS: Final = re.compile(
    "|".join(
        re.escape(part)
        for say in (ZH, EN)
        for template in (
            say.unsure,
            say.not_known,
            say.nothing_then,
            say.never,
            *say.openings["cannot"],
            *say.openings["unknown"],
        )
        for part in (max(re.split(r"\{\w+\}", template), key=len)[:24],)
    )
)
"""How she says that she does not remember, or cannot know."""


def question_of(life: Life, number: int) -> str:
    """Return a question as the one who lived the life asks it."""
    text = life.questions[number].text
    return text.replace(life.partner, "我") if life.partner else text


class _Watched(OfflineModel):
    """The offline model, and the prompt it was asked last."""

    asked: Prompt | None = None

    async def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        self.asked = prompt
        async for piece in super().stream(prompt):
            yield piece


async def asked_with(mem: OpenMemory, life: Life, number: int, text: str) -> tuple[str, Reply]:
    """Return her answer to a question, asked in a conversation of its own, and its prompt."""
    agent, clock = mem._agent, mem._clock
    at = clock.now() + timedelta(days=1)
    model = _Watched()
    generator = ReplyGenerator(
        model=model,
        persona=lambda _: "",
        budget=TokenBudget(PROMPT_TOKENS, TokenCounter().count),
        clock=MovingClock(at),
    )
    asker = agent.settings.partner  # who asks in private is the partner, and nobody else
    said = Message(id=f"asked-{number}", at=at, speaker=asker, role="user", text=text)
    context = TurnContext(
        agent=agent,
        settings=agent.settings,
        zone=life.zone,
        conversation=f"asked-{number}",
        said=(said,),
    )
    reply = await generator.generate(context, _show_nothing)
    assert isinstance(reply, GeneratedReply)
    assert isinstance(model.asked, Reply)
    kept = (line for line in reply.text.splitlines() if line not in (ZH.notice, EN.notice))
    return "\n".join(kept), model.asked


async def ask(mem: OpenMemory, life: Life, number: int) -> str:
    """Return her answer to one question of a life."""
    answer, _ = await asked_with(mem, life, number, question_of(life, number))
    return answer


async def _show_nothing(_: str) -> None:
    return


async def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--held-out", action="store_true", help="ask about the held-out people")
    parser.add_argument(
        "--show", action="store_true", help="print every answer that is not useful"
    )
    given = parser.parse_args()
    if not given.data.is_dir():
        print(f"no data at {given.data}: give the folder with --data DIR", file=sys.stderr)
        return 2
    lives = {each: memorybank(given.data, (each,)) for each in ("cn", "en")}
    lives["life"] = lifebench(given.data, "chat")
    wanted: dict[tuple[str, int], list[tuple[int, Label]]] = {}
    for language, person, question, label in labels(lives):
        if (person in HELD_OUT[language]) is given.held_out:
            wanted.setdefault((language, person), []).append((question, label))
    counted: dict[str, Counter[str]] = {each: Counter() for each in HELD_OUT}
    for (language, person), asked in wanted.items():
        async with lived(lives[language][person]) as mem:
            for question, label in asked:
                answer = await ask(mem, lives[language][person], question)
                verdict = judged(answer, label)
                counted[language][verdict] += 1
                if given.show and verdict != "useful":
                    text = question_of(lives[language][person], question)
                    print(f"[{verdict}] {language} {person} {question}: {text}\n    {answer}\n")
    for language, count in counted.items():
        total = sum(count.values())
        shares = ", ".join(
            f"{each} {count[each]} ({count[each] / total:.0%})"
            for each in ("useful", "partly", "honest", "wrong")
        )
        print(f"{language}: {total} questions; {shares}")
    return 0


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
