"""Ask the offline mode about strangers' lives: ``python -m benchmarks.offline_strangers``.

Each of LoCoMo's two speakers is once the partner, and the other one's lines are hers; a question
that names one of them alone is asked by that one ("When did Ann move" is "When did I move"). Of
LifeBench, questions of one fact and of time with a chat among their evidence are asked, without
those that are labelled by hand for ``benchmarks.offline_answers``.

*useful*: told from a line that answers it. *honest*: said not to be remembered. *wrong*: told from
another line. Of an ``adversarial`` question, about what the other one did, the honest is right and
all else wrong; it is counted apart, as is how often the likeliest line is right by how likely it
was thought (``trust``). Half of the conversations and two of LifeBench's five people are asked
with ``--kept`` only: nothing was fitted on them, and nobody looked at their answers.
"""

import argparse
import asyncio
import re
import sys
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from benchmarks.datasets import Life, lifebench, locomo
from benchmarks.living import lived
from benchmarks.offline_answers import ADMITS, MARKS, asked_with, question_of
from benchmarks.offline_answers import labels as labelled
from memory.model import Message
from memory.offline.answers import Answer, best_answer
from memory.offline.questions import Question
from memory.offline.statements import sentences_of, zone_of
from memory.text.tokens import tokens
from prompts import Reply

KEPT: Final = {"locomo": frozenset(range(5, 10)), "lifebench": frozenset({3, 4})}
_ANSWERABLE: Final = {"Information Extraction", "Temporal and Knowledge Updating"}
_BINS: Final = (0.0, 0.3, 0.4, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9)
_SHORTEST: Final = 8
"""In characters: what is shorter may stand in any line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question of a life, what it was answered with, and the lines that answer it."""

    life: str
    category: str
    text: str
    prompt: Reply
    answer: str
    gold: tuple[Message, ...]

    @property
    def best(self) -> Answer | None:
        """What the line thought likeliest says."""
        return best_of(self.text, self.prompt)

    @property
    def is_adversarial(self) -> bool:
        return self.category == "adversarial"


def best_of(text: str, prompt: Reply) -> Answer | None:
    """Return the line at hand that is thought likeliest to answer a question."""
    return best_answer(Question(text, prompt.now, zone_of(prompt.now)), (), prompt.memories)


def in_first_person(text: str, name: str) -> str:
    """Return a question about somebody as they ask it themselves."""
    who = re.escape(name)
    for pattern, said in (
        (rf"\b{who}['’]s?(?=\W)", "my"),
        (rf"\b(?:does|do) (?:{who}|she|he)\b", "do I"),
        (rf"\b(?:is|are) (?:{who}|she|he)\b", "am I"),
        (rf"\b(?:has|have) (?:{who}|she|he)\b", "have I"),
        (rf"\b(?:{who}|she|he) has\b", "I have"),
        (rf"\b(?:{who}|she|he) is\b", "I am"),
        (rf"\b(?:{who}|she|he) does\b", "I do"),
        (rf"\b(to|for|with|by|from|of|about|at|on|in|like|gave|give|helped?|made|told) {who}\b",
         r"\1 me"),
        (rf"\b{who}(?=\W*$)", "me"),
        (rf"\b{who}\b", "I"),
        (r"\b(?:she|he)\b", "I"),
        (r"\bher (?=[a-z])|\b(?:his|hers)\b ?", "my "),
        (r"\b(?:her|him)\b", "me"),
        (r"\b(?:herself|himself)\b", "myself"),
    ):  # fmt: skip
        text = re.sub(pattern, said, text, flags=re.IGNORECASE)
    return text[:1].upper() + text[1:]


def conversation_of(life: Life, name: str) -> Life:
    """Return a conversation as one of its speakers lives it: the other one's lines are hers."""
    sittings = tuple(
        tuple(replace(x, role="user" if x.speaker == name else "assistant") for x in sitting)
        for sitting in life.sittings
    )
    others = {x.speaker for x in life.messages} - {name}
    asked = tuple(
        replace(each, text=in_first_person(each.text, name))
        for each in life.questions
        if name in each.text and not any(other in each.text for other in others)
    )
    return replace(
        life, name=f"{life.name} {name}", sittings=sittings, questions=asked, partner=name
    )


def strangers(data: Path, *, kept: bool) -> Iterator[Life]:
    """Yield the lives with the questions that are asked of each."""
    for number, life in enumerate(locomo(data)):
        if (number in KEPT["locomo"]) is kept:
            for name in sorted({x.speaker for x in life.messages}):
                yield conversation_of(life, name)
    people = lifebench(data, "chat")
    by_hand = {
        (person, number)
        for language, person, number, _ in labelled({"life": people})
        if language == "life"
    }
    for person, life in enumerate(people):
        if (person in KEPT["lifebench"]) is kept:
            asked = tuple(
                replace(each, text=question_of(life, number))
                for number, each in enumerate(life.questions)
                if each.category in _ANSWERABLE and (person, number) not in by_hand
            )
            yield replace(life, questions=asked)


async def ask_all(life: Life) -> AsyncIterator[Asked]:
    """Live through a life and yield its questions with their answers."""
    async with lived(life) as mem:
        for number, each in enumerate(life.questions):
            answer, prompt = await asked_with(mem, life, number, each.text)
            gold = tuple(x for x in life.messages if life.unit_of[x.id] in each.gold)
            yield Asked(
                life=life.name,
                category=each.category,
                text=each.text,
                prompt=prompt,
                answer=answer,
                gold=gold,
            )


def told_from(answer: str, lines: Iterable[Message]) -> bool:
    """Whether an answer tells what one of some lines says, in its words or nearly."""
    plain, words = MARKS.sub("", answer).lower(), set(tokens(answer))
    for line in lines:
        for sentence in sentences_of(line.text):
            quoted = MARKS.sub("", sentence).lower()
            if len(quoted) >= _SHORTEST and quoted in plain:
                return True
            held = set(tokens(sentence))
            if "“" not in answer and "「" not in answer and len(held & words) >= len(words) * 0.6:
                return True
    return False


def verdict(asked: Asked) -> str:
    """Return what an answer is worth."""
    if ADMITS.search(asked.answer):
        return "honest"
    if asked.is_adversarial or not told_from(asked.answer, asked.gold):
        return "wrong"
    return "useful"


def is_right(asked: Asked, best: Answer) -> bool:
    """Whether the likeliest line, or the one that may be meant as well, is one that answers."""
    gold = {(line.at, line.role) for line in asked.gold}
    told = [each for each in (best.best, best.rival) if each is not None]
    return not asked.is_adversarial and any((each.at, each.role) in gold for each in told)


def counted(asked: Sequence[Asked]) -> Iterator[str]:
    """Yield lines: what the answers are worth by kind of question."""
    worth: dict[str, Counter[str]] = defaultdict(Counter)
    for each in asked:
        found = verdict(each)
        worth[each.category][found] += 1
        worth["all but adversarial" if not each.is_adversarial else "adversarial, all"][found] += 1
    for category, count in worth.items():
        total = sum(count.values())
        shares = ", ".join(
            f"{each} {count[each]} ({count[each] / total:.0%})"
            for each in ("useful", "honest", "wrong")
        )
        yield f"{category}: {total}; {shares}"


def reliability(thought: Sequence[tuple[float, bool]]) -> Iterator[str]:
    """Yield lines: of what was thought so likely, how many are right."""
    for low, high in zip(_BINS, (*_BINS[1:], 1.01), strict=True):
        held = [right for trust, right in thought if low <= trust < high]
        if held:
            share = sum(held) / len(held)
            yield f"trust {low:.2f} to {min(high, 1):.2f}: {share:.0%} of {len(held)} right"


async def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--kept", action="store_true", help="ask about those kept apart")
    parser.add_argument("--show", action="store_true", help="print every answer that is wrong")
    given = parser.parse_args()
    if not given.data.is_dir():
        print(f"no data at {given.data}: give the folder with --data DIR", file=sys.stderr)
        return 2
    asked: dict[str, list[Asked]] = defaultdict(list)
    for life in strangers(given.data, kept=given.kept):
        name = "LifeBench" if life.level == "chat" else "LoCoMo"
        async for each in ask_all(life):
            asked[name].append(each)
            if given.show and verdict(each) == "wrong":
                print(f"[{each.category}] {each.life}: {each.text}\n    {each.answer}\n")
    for name, answers in asked.items():
        print(name, *counted(answers), sep="\n")
        thought = [(best.trust, is_right(each, best)) for each in answers if (best := each.best)]
        print(*reliability(thought), sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
