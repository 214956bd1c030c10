"""How well a model judges turns: what it keeps, what it gets wrong, what it costs.

    .venv/bin/python -m benchmarks.judge perfect|noise|offline
    .venv/bin/python -m benchmarks.judge --base-url http://127.0.0.1:8080/v1 --model NAME [--key K]
        [--results FILE.jsonl] [--minutes 60] [--show]

Each of 120 turns (``benchmarks/judge_turns``, 60 Chinese and 60 English) is told to an empty
memory, or to one that learnt an earlier turn by rule, and judged as in the program: first the
rules, then the model, through the gate, with one retry. *Kept* are the sentences to be kept that
stand in a living fact; *wrong* are the facts that say what was not to be kept; *less* are turns
of which less was kept than without a model. ``--show`` names what is missing and wrong.

With ``--results`` every turn is written as it is judged, with the model's very answers, and a
run that was broken off goes on where it stopped; ``--minutes`` ends it after so long, and the
table is made of what was judged until then. Turns of both languages alternate.

The built-in judges: ``perfect`` writes exactly what is to be kept, ``noise`` writes brackets and
commands by chance, ``offline`` is no model at all.
"""

import argparse
import asyncio
import json
import random
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from bot.llm.pace import LOCAL_SECONDS, ServerPace
from bot.llm.presets import RequestStyle
from bot.llm.provider import ChatCompletions, Provider
from memory.agent import AgentMemory
from memory.changes import Turn, Used
from memory.jobs.steps import AgentParts
from memory.learning.outcomes import judging
from memory.model import AgentSettings, Language, Memory, Message, Tier
from memory.ports import LanguageModel, Outcome, Replied, Streamed, Unavailable
from prompts import Monitor, Prompt
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.in_memory_store import InMemoryStore

TURNS: Final = Path(__file__).parent / "judge_turns"
PARTNERS: Final[dict[Language, str]] = {"zh": "主人", "en": "Ann"}


class Wanted(NamedTuple):
    """A sentence to be kept, and the words by which it is found again."""

    sentence: str
    words: tuple[str, ...]


@dataclass(slots=True)
class JudgedTurn:
    """One turn of the set."""

    id: str
    language: Language
    said: str
    reply: str = ""
    before: list[str] = field(default_factory=list)
    keep: list[Wanted] = field(default_factory=list)
    never: list[str] = field(default_factory=list)


def judged_turns(language: Language) -> list[JudgedTurn]:
    """Return the turns of one language; a line that is not understood is an error."""
    turns: list[JudgedTurn] = []
    before: list[str] = []
    for line in (TURNS / f"{language}.txt").read_text(encoding="utf-8").splitlines():
        mark, _, text = line.partition(" ")
        match mark:
            case "" | "#":
                pass
            case "~":
                before.append(text)
            case ">":
                turns.append(JudgedTurn(f"{language}-{len(turns) + 1}", language, text))
                turns[-1].before, before = before, []
            case "<":
                turns[-1].reply = text
            case "+":
                sentence, _, words = text.partition(" | ")
                turns[-1].keep.append(Wanted(sentence, tuple(words.split())))
            case "-":
                turns[-1].never.append(text)
            case _:
                raise ValueError(f"{language}.txt: {line!r}")
    return turns


class Judge(Protocol):
    """Answers about one turn."""

    def __call__(self, case: JudgedTurn, prompt: Monitor) -> str: ...


def perfect(case: JudgedTurn, prompt: Monitor) -> str:
    """Write exactly what is to be kept; what was known before is what it changes."""
    fresh = set(prompt.fresh)
    known = [each.handle for each in prompt.memories if each.handle not in fresh]
    lines = [f"[ADD] {each.sentence}" for each in case.keep]
    if lines and case.before and known:
        lines[0] = f"[UPDATE:{known[0]}] {case.keep[0].sentence}"
    return "\n".join(lines) or "[SKIP]"


_NOISE: Final = (
    *("[DELETE:m1]", "[ADD", "】", "[UPDATE:", "m99]", "\x00", "{", "忘掉", "\n", "🙃", "]]"),
    *(
        "[ADD] ",
        "[MERGE:m1,m2] ",
        "[BOOST:m3]\n",
        '{"operations":',
        "SELECT * FROM",
        "lorem ",
        "主",
    ),
)


def noise(case: JudgedTurn, prompt: Monitor) -> str:
    """Write a salad of brackets, commands and words; the same for the same turn."""
    del prompt
    chance = random.Random(case.id)
    return "".join(chance.choice(_NOISE) for _ in range(chance.randrange(1, 60)))


class ScriptedJudge:
    """A judge as a language model; whatever else is asked it is away."""

    name = "scripted"

    def __init__(self, case: JudgedTurn, judge: Judge) -> None:
        self._case = case
        self._judge = judge

    async def complete(self, prompt: Prompt) -> Outcome:
        if not isinstance(prompt, Monitor):
            return Unavailable("timeout")
        return Replied(self._judge(self._case, prompt), model=self.name)

    async def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        yield await self.complete(prompt)


@dataclass(slots=True)
class Cost:
    """What was asked of a model about one turn, and its answers."""

    calls: int = 0
    tokens: int = 0
    unavailable: int = 0
    seconds: float = 0.0
    answers: list[str] = field(default_factory=list)


class Counted:
    """A model whose calls are counted."""

    def __init__(self, model: LanguageModel, cost: Cost) -> None:
        self.name = model.name
        self._model = model
        self._cost = cost

    async def complete(self, prompt: Prompt) -> Outcome:
        begun = time.perf_counter()
        outcome = await self._model.complete(prompt)
        self._cost.seconds += time.perf_counter() - begun
        self._cost.calls += 1
        self._cost.unavailable += isinstance(outcome, Unavailable)
        if isinstance(outcome, Replied):
            self._cost.tokens += outcome.usage.prompt_tokens + outcome.usage.completion_tokens
            self._cost.answers.append(outcome.text)
        return outcome

    def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        return self._model.stream(prompt)


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What one turn left behind."""

    case: JudgedTurn
    facts: tuple[str, ...]
    refused: bool

    @property
    def missing(self) -> list[str]:
        """Return the sentences to be kept that no fact says."""
        return [
            each.sentence
            for each in self.case.keep
            if not any(all(w.lower() in fact for w in each.words) for fact in self.facts)
        ]

    @property
    def wrong(self) -> list[str]:
        """Return the facts that say what was not to be kept."""
        return [f for f in self.facts if any(each.lower() in f for each in self.case.never)]


def living_facts(agent: AgentMemory) -> list[Memory]:
    """Return the facts that hold, in order."""
    every = agent.state.memories.values()
    facts = (each for each in every if each.nature.tier is Tier.FACT)
    return sorted((m for m in facts if m.is_active and not m.is_past), key=lambda m: m.id)


async def judged(case: JudgedTurn, model: LanguageModel | None) -> Outcomes:
    """Return what is known after a turn that was judged as in the program."""
    clock, store = FakeClock(NOON), InMemoryStore()
    settings = AgentSettings(language=case.language, partner=PARTNERS[case.language])
    facts: tuple[str, ...] = ()
    refused = False
    for number, said in enumerate((*case.before, case.said)):
        last = number == len(case.before)
        agent = await AgentMemory.open(
            store,
            AgentParts(clock=clock, model=model if last else None),
            choose_settings=lambda known: known or settings,
        )
        await agent.commit(_turn(number, said, case if last else None, agent, settings))
        await agent.background.wait_until_idle()
        facts = tuple(each.words.text.lower() for each in living_facts(agent))
        fared = judging(agent.state)
        refused = bool(fared.refused or fared.unreadable)
        await agent.close()
    return Outcomes(case, facts, refused)


def _turn(
    number: int, said: str, case: JudgedTurn | None, agent: AgentMemory, settings: AgentSettings
) -> Turn:
    at = NOON + timedelta(minutes=number)
    one = Message(id=f"s{number}", at=at, speaker=settings.partner, role="user", text=said)
    text = (case.reply if case else "") or ("好的" if settings.language == "zh" else "I see.")
    reply = replace(one, id=f"r{number}", speaker="小祥", role="assistant", text=text)
    used = tuple(Used(memory_id=each.id, score=1.0) for each in living_facts(agent))
    return Turn(id=f"t{number}", conversation="c", at=at, said=(one,), reply=reply, used=used)


ModelFor = Callable[[JudgedTurn], LanguageModel | None]


def model_for(options: argparse.Namespace, opening: AsyncExitStack) -> ModelFor:
    """Return which model judges a turn."""
    if options.judge == "offline":
        return lambda _: None
    if options.judge:
        scripted: Judge = perfect if options.judge == "perfect" else noise
        return lambda case: ScriptedJudge(case, scripted)
    model = served_model(options, opening)
    return lambda _: model


def served_model(options: argparse.Namespace, opening: AsyncExitStack) -> LanguageModel:
    """Return the model behind ``--base-url``, called ``--model`` there."""
    provider = Provider(options.base_url, options.key)
    opening.push_async_callback(provider.close)
    style = RequestStyle(sampled=True, length_key="max_tokens", json_answers=True)
    pace = ServerPace(assumed_seconds=LOCAL_SECONDS)
    return ChatCompletions(provider, options.model, pace=pace, style=style)


def report(results: Sequence[Outcomes], alone: Sequence[Outcomes]) -> Iterator[str]:
    """Yield the table: one row per language and one for all."""
    yield "| turns | to keep | kept | offline kept | wrong | less than offline | refused turns |"
    yield "|---|---|---|---|---|---|---|"
    pairs = list(zip(results, alone, strict=True))
    for name in ("zh", "en", "both"):
        part = [(r, a) for r, a in pairs if name in {r.case.language, "both"}]
        wanted = sum(len(r.case.keep) for r, _ in part)
        kept = wanted - sum(len(r.missing) for r, _ in part)
        by_rule = wanted - sum(len(a.missing) for _, a in part)
        wrong = sum(len(r.wrong) for r, _ in part)
        less = sum(len(r.missing) > len(a.missing) for r, a in part)
        refused = sum(r.refused for r, _ in part)
        share = 100 * kept / max(wanted, 1)
        yield (
            f"| {name}, {len(part)} | {wanted} | {kept} ({share:.1f} %) | {by_rule} "
            f"| {wrong} | {less} | {refused} |"
        )
    same = sum(r.facts == a.facts for r, a in pairs)
    yield f"\nexactly as offline: {same} of {len(pairs)} turns"


def alternating() -> list[JudgedTurn]:
    """Return all turns, one of each language in turn."""
    every = zip(*(judged_turns(language) for language in PARTNERS), strict=True)
    return [case for both in every for case in both]


def written_row(result: Outcomes, cost: Cost) -> str:
    """Return one judged turn as a line of JSON."""
    row = {"id": result.case.id, "facts": result.facts, "refused": result.refused}
    return json.dumps({**row, "cost": asdict(cost)}, ensure_ascii=False)


def read_rows(file: Path | None, cases: Sequence[JudgedTurn]) -> dict[str, tuple[Outcomes, Cost]]:
    """Return what a run before has judged, by the turn; a line that broke off is left out."""
    known = {case.id: case for case in cases}
    found: dict[str, tuple[Outcomes, Cost]] = {}
    if file is None or not file.is_file():
        return found
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if case := known.get(row["id"]):
            result = Outcomes(case, tuple(row["facts"]), row["refused"])
            found[case.id] = result, Cost(**row["cost"])
    return found


async def all_judged(
    cases: Sequence[JudgedTurn], options: argparse.Namespace
) -> list[tuple[Outcomes, Cost]]:
    """Judge the turns that no run before has judged, until the time is over."""
    until = time.monotonic() + 60 * options.minutes
    found = read_rows(options.results, cases)
    async with AsyncExitStack() as opening:
        choose = model_for(options, opening)
        for case in cases:
            if case.id in found or time.monotonic() > until:
                continue
            model, cost = choose(case), Cost()
            result = await judged(case, Counted(model, cost) if model else None)
            found[case.id] = result, cost
            if options.results:
                with options.results.open("a", encoding="utf-8") as rows:
                    rows.write(written_row(result, cost) + "\n")
    return [found[case.id] for case in cases if case.id in found]


async def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("judge", nargs="?", choices=("perfect", "noise", "offline"))
    parser.add_argument("--base-url", default="")
    parser.add_argument("--model", default="")
    parser.add_argument("--key", default="")
    parser.add_argument("--show", action="store_true", help="name what is missing and wrong")
    parser.add_argument("--only", type=int, default=0, help="so many turns of each language")
    parser.add_argument("--results", type=Path, help="a file of JSON lines, written as it goes")
    parser.add_argument("--minutes", type=float, default=24 * 60.0)
    options = parser.parse_args()
    if not options.judge and not (options.base_url and options.model):
        parser.error("name a built-in judge, or give --base-url and --model")
    judged_ones = await all_judged(alternating()[: 2 * options.only or None], options)
    results = [result for result, _ in judged_ones]
    costs = [cost for _, cost in judged_ones]
    alone = [await judged(each.case, None) for each in results]
    lines = list(report(results, alone))
    calls = sum(cost.calls for cost in costs)
    lines.append(
        f"{calls} calls ({calls / max(len(costs), 1):.2f} a turn), "
        f"{sum(cost.tokens for cost in costs)} tokens, "
        f"{sum(cost.unavailable for cost in costs)} times unavailable, "
        f"{sum(cost.seconds for cost in costs):.0f} s"
    )
    if options.show:
        lines += [
            f"{r.case.id}: missing {r.missing}, wrong {r.wrong}, has {r.facts}, "
            f"answers {c.answers}"
            for r, c in judged_ones
            if r.missing or r.wrong
        ]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    asyncio.run(main())
