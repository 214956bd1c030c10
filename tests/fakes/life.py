"""A partner whose life changes, told day by day to a real memory, offline or judged perfectly."""

import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from memory.agent import AgentMemory
from memory.changes import Turn, Used
from memory.jobs.steps import AgentParts
from memory.model import AgentSettings, Language, Memory
from memory.offline import OfflineModel
from memory.ports import LanguageModel, Outcome, Replied, Streamed
from prompts import Monitor, Prompt, PromptMemory
from tests.builders import a_message
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.in_memory_store import InMemoryStore


@dataclass
class PerfectJudge:
    """Writes just what was to be learnt, in the place of what it knows to be over."""

    name: str = "perfect"
    learnt: str | None = None
    over: Sequence[str] = ()
    rules: OfflineModel = field(default_factory=OfflineModel)

    async def complete(self, prompt: Prompt) -> Outcome:
        if not isinstance(prompt, Monitor):
            return await self.rules.complete(prompt)
        if self.learnt is None:
            return Replied("[SKIP]", model=self.name)
        held = next((each for each in prompt.memories if self._is_over(each)), None)
        name = "ADD" if held is None else f"UPDATE:{held.handle}"
        return Replied(f"[{name}] {self.learnt}", model=self.name)

    async def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        yield await self.complete(prompt)

    def _is_over(self, memory: PromptMemory) -> bool:
        # What the rules kept it as may be worded otherwise: its own words stand behind it.
        known = f"{memory.text}\n{memory.quote}"
        return not memory.past and any(says(known, each) for each in self.over)


class EagerJudge(PerfectJudge):
    """Takes every line for news of what was told before, as weak models do.

    Whatever ``over`` holds: from then on it does so.
    """

    def _is_over(self, memory: PromptMemory) -> bool:
        # What the rules have just kept of this very line is nothing told before.
        begins = (self.learnt or "")[:_ENOUGH_TO_KNOW]
        same = begins in f"{memory.text}\n{memory.quote}"
        same |= memory.quote[:_ENOUGH_TO_KNOW] in (self.learnt or "")
        return bool(self.over) and not memory.past and not same


_ENOUGH_TO_KNOW = 8
"""By so many characters a line is known again."""


def says(text: str, wanted: str) -> bool:
    """Tell whether a text holds the words, ignoring case and apostrophes.

    A figure counts only as a whole one, and a word in Latin letters only from its beginning: Beth
    is not in Elizabeth.
    """
    text, wanted = (re.sub("['’]", "", each.lower()) for each in (text, wanted))
    place = text.find(wanted)
    while place >= 0:
        before, after = text[:place][-1:], text[place + len(wanted) :][:1]
        inside = (wanted[0].isdigit() and before.isdigit()) or (
            wanted[-1].isdigit() and after.isdigit()
        )
        inside |= (
            wanted[0].isascii() and wanted[0].isalpha() and before.isascii() and before.isalpha()
        )
        if not inside:
            return True
        place = text.find(wanted, place + 1)
    return False


def shows(memory: Memory, wanted: str) -> bool:
    """Tell whether a prompt that shows the memory shows these words."""
    return says(memory.words.text, wanted) or says(memory.origin.quote, wanted)


@dataclass
class Life:
    """What came of one dialogue."""

    facts: tuple[Memory, ...]
    unsaid: bool = False

    def holds(self, wanted: Sequence[str]) -> bool:
        """Whether any of these is current."""
        return any(shows(m, each) for m in self._living for each in wanted)

    def is_over(self, wanted: str, now: Sequence[str] = ()) -> bool:
        """Whether this is known as past, and nowhere as current but in the news of it, ``now``.

        麻将不玩了，现在下象棋 names what is over and says that it is.
        """
        told = any(shows(m, wanted) for m in self.facts if m.is_past)
        current = (m.words.text for m in self._living if says(m.words.text, wanted))
        return told and all(any(says(text, each) for each in now) for text in current)

    def is_current(self, wanted: str) -> bool:
        """Whether something that holds now says so."""
        return any(says(m.words.text, wanted) for m in self._living)

    @property
    def _living(self) -> list[Memory]:
        return [m for m in self.facts if m.is_living_fact]


async def lived(case: dict[str, Any], judge: PerfectJudge | None = None) -> Life:
    """Return what is known after a dialogue of the set was told day by day."""
    agent = await told_day_by_day(case, FakeClock(), judge)
    memories = agent.state.memories.values()
    # Each turn with anything to learn leaves its mark, unless the gate found it was not said.
    unsaid = judge is not None and any(
        learnt is not None and not agent.state.receipts[f"t{number}"].learnt
        for number, learnt in enumerate(case["learnt"])
    )
    await agent.close()
    return Life(tuple(m for m in memories if m.is_fact), unsaid)


async def told_day_by_day(
    case: dict[str, Any], clock: FakeClock, judge: PerfectJudge | None = None
) -> AgentMemory:
    """Return the memory to which a dialogue of the set was told; ``clock`` goes with it."""
    agent = await empty_memory(clock, "zh" if case["lang"] != "en" else "en", judge)
    for number, told in enumerate(case["told"]):
        at = NOON + timedelta(days=told["day"], minutes=number)
        clock.set(at)
        if judge is not None:
            judge.learnt = case["learnt"][number]
            judge.over = case.get("past", ()) if number else ()
        hits = await agent.search(told["text"])
        found = agent.memories_for_prompt(hits, budget_tokens=1_200, count=len)
        await tell(agent, number, told["text"], at, used=found.used)
    return agent


async def empty_memory(
    clock: FakeClock, language: Language, model: LanguageModel | None = None
) -> AgentMemory:
    """Return the memory of an agent who was told nothing yet, without a model unless given."""
    return await AgentMemory.open(
        InMemoryStore(),
        AgentParts(clock=clock, model=model),
        choose_settings=lambda known: known or AgentSettings(language=language),
    )


async def tell(
    agent: AgentMemory, number: int, text: str, at: datetime, *, used: tuple[Used, ...] = ()
) -> None:
    """Commit one turn of a talk, in which something is told and she says hardly anything."""
    said = a_message(f"s{number}", text, at=at)
    reply = a_message(f"r{number}", "嗯", at=at, speaker="小祥", role="assistant")
    await agent.commit(
        Turn(id=f"t{number}", conversation="c", at=at, said=(said,), reply=reply, used=used)
    )
    await agent.background.wait_until_idle()
