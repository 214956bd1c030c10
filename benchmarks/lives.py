"""Months of a life told day by day, then what she says of it: ``python -m benchmarks.lives``.

    .venv/bin/python -m benchmarks.lives [FILE ...] [--show] [--only fresh|sitting]

A file (``tests/sets/lives``) holds lines ``{"at", "text"}`` as they were told, then questions
``{"ask", "must", "never"}``: an answer holds one word of each list in ``must`` and none of
``never``; where ``must`` is empty it was never told, and that is to be said. Every line is
answered by the offline mode and every night between the dates is lived. Each question is asked on
20 November 2026, in a talk of its own ("fresh", nothing of it is kept), and once more all of them
in one sitting that is kept as any other talk.

For each question whose answer was told in its words it is counted too whether the line that holds
it stands in the prompt (which a model would answer from as well), and where among the hits.

*right*: the answer. *clumsy*: it is there, but she says first that she does not remember, or tells
another line before it. *wrong*: another line is told as the answer. *denied*: nothing is told.
"""

import argparse
import asyncio
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias
from zoneinfo import ZoneInfo

from benchmarks.lives_at_hand import AtHand, ToldLine, WatchedModel, needed_for
from benchmarks.living import NIGHT
from benchmarks.offline_answers import ADMITS, PROMPT_TOKENS
from bot.conversation.messages import of_this_talk
from bot.conversation.prompt_budget import TokenBudget
from bot.conversation.reply_generator import (
    SEARCHED_PASSAGES,
    GeneratedReply,
    ReplyGenerator,
    TurnContext,
)
from bot.llm.tokens import TokenCounter
from memory.agent import AgentMemory
from memory.changes import Turn
from memory.jobs.steps import AgentParts
from memory.model import AgentSettings, Message
from memory.offline.vocabulary import EN, ZH
from memory.recall import Hit
from memory.text.tokens import is_dense, plainly_written
from tests.builders import a_message
from tests.fakes.clock import FakeClock
from tests.fakes.in_memory_store import InMemoryStore
from tests.fakes.life import says

LIVES: Final = Path(__file__).resolve().parents[1] / "tests" / "sets" / "lives"
ASKED_ON: Final = (2026, 11, 20, 20)
VERDICTS: Final = ("right", "clumsy", "wrong", "denied")
Verdict: TypeAlias = Literal["right", "clumsy", "wrong", "denied"]
Row: TypeAlias = dict[str, Any]

_TOLD: Final = re.compile(r"「|“|我记得|I remember", re.IGNORECASE)
"""Something is told, whatever it is."""

_THEN: Final = re.compile(
    "|".join(
        re.escape(part)
        for say in (ZH, EN)
        for part in (say.since.split("{newest}")[1].split("{known}")[0],)
    )
    + r"|；还有|; and you told|; and I told"
)
"""What stands before this is told first."""


def verdict(answer: str, row: Row) -> Verdict:
    """Return what an answer is worth."""
    plain = plainly_written(answer)
    admitted = ADMITS.search(plain) is not None
    told = _TOLD.search(plain) is not None
    if any(says(plain, plainly_written(each)) for each in row["never"]):
        return "wrong"
    if not row["must"]:
        return "wrong" if told and not admitted else "right"
    if _holds(plain, row):
        return "right" if not admitted and _holds(_THEN.split(plain)[0], row) else "clumsy"
    return "wrong" if told and not admitted else "denied"


def _holds(text: str, row: Row) -> bool:
    return all(any(says(text, plainly_written(x)) for x in each) for each in row["must"])


def rows_of(file: Path) -> tuple[list[Row], list[Row]]:
    """Return what a file tells, and what it asks."""
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    return [row for row in rows if "text" in row], [row for row in rows if "ask" in row]


@dataclass
class Lived:
    """A memory that a life is told to, and the clock it goes by."""

    agent: AgentMemory
    clock: FakeClock
    zone: ZoneInfo
    said: int = 0
    told: list[ToldLine] = field(default_factory=list)
    model: WatchedModel = field(default_factory=WatchedModel)

    @classmethod
    async def begin(cls, told: Sequence[Row]) -> "Lived":
        """Open a new memory at the first line of a life."""
        clock = FakeClock()
        dense = is_dense("".join(row["text"] for row in told))
        zone = ZoneInfo("Asia/Shanghai" if dense else "Europe/Dublin")
        clock.set(_instant(told[0], zone))
        agent = await AgentMemory.open(
            InMemoryStore(),
            AgentParts(clock=clock, model=None),
            choose_settings=lambda known: (
                known or AgentSettings(language="zh" if dense else "en", time_zone=zone.key)
            ),
        )
        return cls(agent, clock, zone)

    async def reach(self, at: datetime) -> None:
        """Live every night before an instant, and stand there."""
        for night in self._nights(at):
            self.clock.set(night)
            await self.agent.nightly()
        self.clock.set(max(at, self.clock.now()))

    def _nights(self, until: datetime) -> Iterator[datetime]:
        now = self.clock.now().astimezone(self.zone)
        night = datetime.combine(now.date(), NIGHT, self.zone)
        while night < until:
            if night > now:
                yield night
            night += timedelta(days=1)

    async def hear(self, text: str, *, conversation: str = "chat", kept: bool = True) -> str:
        """Return her reply to a line; it is kept as a turn of the talk."""
        self.said += 1
        number, at = self.said, self.clock.now()
        message = a_message(f"s{number}", text, at=at)
        generator = ReplyGenerator(
            model=self.model,
            persona=lambda _: "",
            budget=TokenBudget(PROMPT_TOKENS, TokenCounter().count),
            clock=self.clock,
        )
        context = TurnContext(
            agent=self.agent,
            settings=self.agent.settings,
            zone=self.zone,
            conversation=conversation,
            said=(message,),
        )
        reply = await generator.generate(context, _show_nothing)
        assert isinstance(reply, GeneratedReply)
        if kept:
            await self._keep(message, reply, conversation)
        return "\n".join(
            line for line in reply.text.splitlines() if line not in (ZH.notice, EN.notice)
        )

    async def found(self, text: str, conversation: str) -> Sequence[Hit]:
        """Return what is found for a question, as a reply to it would look for it."""
        window = self.agent.window(conversation)
        talk = of_this_talk(window, (a_message("asked", text, at=self.clock.now()),))
        shown = {message.id for message in window}
        return await self.agent.search(text, k=SEARCHED_PASSAGES, skip=shown, context=talk)

    async def _keep(self, message: Message, reply: GeneratedReply, conversation: str) -> None:
        answered = a_message(
            f"r{self.said}", reply.text, at=message.at, speaker="小祥", role="assistant"
        )
        turn = Turn(
            id=f"t{self.said}",
            conversation=conversation,
            at=message.at,
            said=(message,),
            reply=answered,
            used=reply.used,
        )
        await self.agent.commit(turn)
        await self.agent.background.wait_until_idle()


async def _show_nothing(_: str) -> None:
    return


def _instant(row: Row, zone: ZoneInfo) -> datetime:
    """Return when a line was told; without a zone it was told where the person lives."""
    at = datetime.fromisoformat(row["at"])
    return at if at.tzinfo else at.replace(tzinfo=zone)


async def lived(told: Sequence[Row]) -> Lived:
    """Return a memory to which a life was told, with all its nights."""
    life = await Lived.begin(told)
    for row in told:
        await life.reach(_instant(row, life.zone))
        await life.hear(row["text"])
        life.told.append(ToldLine(f"s{life.said}", row["text"], life.clock.now()))
    return life


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, her answer, and whether a prompt had what it needs; None: nobody knows."""

    row: Row
    answer: str
    at_hand: bool | None


async def asked(life: Lived, rows: Sequence[Row], counts: AtHand, *, fresh: bool) -> list[Asked]:
    """Return each question with her answer, and count what was at hand for it."""
    answers = []
    await life.reach(datetime(*ASKED_ON, tzinfo=life.zone))
    for row in rows:
        talk = f"asked-{life.said}" if fresh else "chat"
        hits, needed = await life.found(row["ask"], talk), needed_for(row, life.told)
        answer = await life.hear(row["ask"], conversation=talk, kept=not fresh)
        held = counts.note(life.model.asked, hits, needed) if needed else None
        answers.append(Asked(row, answer, held))
        life.clock.tick(seconds=20)
    return answers


async def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--show", action="store_true", help="print every answer")
    parser.add_argument("--only", choices=("fresh", "sitting"))
    given = parser.parse_args()
    for file in given.files or sorted(LIVES.glob("*.jsonl")):
        told, questions = rows_of(file)
        life = await lived(told)
        for way in ("fresh", "sitting"):
            if given.only not in {None, way}:
                continue
            counted: Counter[str] = Counter()
            counts = AtHand()
            for each in await asked(life, questions, counts, fresh=way == "fresh"):
                worth = verdict(each.answer, each.row)
                counted[worth] += 1
                if given.show:
                    far = "" if each.at_hand is not False else ", not at hand"
                    print(f"[{worth}{far}] {each.row['ask']}\n    {each.answer}")
            shares = ", ".join(f"{each} {counted[each]}" for each in VERDICTS)
            print(f"{file.stem} {way}: {len(questions)} questions; {shares}")
            print(f"    {counts}", flush=True)
        await life.agent.close()
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
