"""How often the rules are right on the sets of what people say (tests/sets), folder by folder.

    .venv/bin/python -m benchmarks.sets [FOLDER ...] [--misses]

Without folders: every round of the repository. A set that a folder does not hold is left out.
"""

import argparse
import asyncio
import json
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

from benchmarks.lives_at_hand import WatchedModel
from benchmarks.offline_answers import PROMPT_TOKENS
from bot.conversation.prompt_budget import TokenBudget
from bot.conversation.reply_generator import GeneratedReply, ReplyGenerator, TurnContext
from bot.llm.tokens import TokenCounter
from memory.changes import Put
from memory.judgement.assertions import ParsedText
from memory.judgement.evidence import Support, support_for
from memory.learning.monitor import turn_question
from memory.model import Message
from memory.offline import OFFLINE_NAME
from memory.offline.judgements import turn_operations
from memory.privacy.talk import places_in_talk
from tests.builders import a_message
from tests.fakes.clock import FakeClock
from tests.fakes.judging import a_state, a_turn, learnt
from tests.fakes.life import EagerJudge, PerfectJudge, lived, says, told_day_by_day
from tests.scenario.test_group_claims import wrongly_bound
from tests.scenario.test_pasted_words import (
    answer_by_rule,
    kept_keys,
    sentences_with,
    situation,
)
from tests.scenario.test_remember_phrases import holds, kept_of
from tests.unit.memory.test_evidence_truth import evidence_of

Case: TypeAlias = dict[str, Any]
IsWrong: TypeAlias = Callable[[Case], bool]

SKIPPED: Final = "[SKIP]"

ROUNDS: Final = Path(__file__).resolve().parents[1] / "tests" / "sets"


def is_kept(case: Case) -> bool:
    return isinstance(support_for(ParsedText(case["learnt"]), evidence_of(case)), Support)


def is_nothing_known(case: Case) -> bool:
    """Whether nothing is known of what a judge made of somebody's lines, in whatever words."""
    told = [{"day": number, "text": line["text"]} for number, line in enumerate(case["lines"])]
    learnt = [None] * (len(told) - 1) + [case["learnt"]]
    life = asyncio.run(lived({**case, "told": told, "learnt": learnt}, PerfectJudge()))
    return not life.facts


def is_changed_wrongly(case: Case, *, judged: bool) -> bool:
    """Whether what holds now is not known, or what is over still holds."""
    life = asyncio.run(lived(case, PerfectJudge() if judged else None))
    if "now" not in case:
        return any(memory.is_past for memory in life.facts)
    # A set may write what is over in several ways (九号, 9号): only those that were told can end.
    told = [each["text"] for each in case["told"]]
    past = [each for each in case["past"] if any(says(text, each) for text in told)]
    over = (life.is_over(each, case["now"]) for each in past)
    right = life.holds(case["now"]) and all(over)
    return not right or bool(judged and life.unsaid)


_FORMER: Final = re.compile(
    "以前|后来变了|在那之前|so before|no longer so|has changed since|before that|used to",
    re.IGNORECASE,
)


def is_over_told_as_so(case: Case) -> bool:
    """Whether, without a model, a question is answered with what is over as if it held."""
    told = asyncio.run(answer_to(case)).text
    return _FORMER.search(told) is None and any(
        each.lower() in told.lower() for each in case["past"]
    )


def is_news_untold(case: Case) -> bool:
    """Whether, without a model, the answer to a question does not tell what holds now."""
    told = asyncio.run(answer_to(case)).text.lower()
    return not any(each.lower() in told for each in case["now"])


def is_news_out_of_prompt(case: Case) -> bool:
    """Whether what holds now is nowhere in the prompt, from which a model would answer."""
    shown = asyncio.run(answer_to(case)).prompt.lower()
    return not any(each.lower() in shown for each in case["now"])


class Answered(NamedTuple):
    """What she says without a model, and the prompt that a model would get."""

    text: str
    prompt: str


async def answer_to(case: Case) -> Answered:
    """Return what she says to the question of a dialogue, a day later, in a talk of its own."""
    clock = FakeClock()
    agent = await told_day_by_day(case, clock)
    at = clock.now() + timedelta(days=1)
    clock.set(at)
    model = WatchedModel()
    generator = ReplyGenerator(
        model=model,
        persona=lambda _: "",
        budget=TokenBudget(PROMPT_TOKENS, TokenCounter().count),
        clock=clock,
    )
    context = TurnContext(
        agent=agent,
        settings=agent.settings,
        zone=ZoneInfo(agent.settings.time_zone),
        conversation="asked",
        said=(a_message("asked", case["question"], at=at),),
    )
    reply = await generator.generate(context, _show_nothing)
    await agent.close()
    assert isinstance(reply, GeneratedReply)
    shown = model.asked.messages() if model.asked else ()
    return Answered(reply.text, "\n".join(each.content for each in shown))


async def _show_nothing(_: str) -> None:
    return


def is_ended_by_an_eager_judge(case: Case) -> bool:
    """Whether a judge that takes each line for news of what was told before makes that past."""
    said = [each["text"] for each in case["told"]]
    learnt = [known or text for known, text in zip(case["learnt"], said, strict=True)]
    life = asyncio.run(lived({**case, "learnt": learnt, "past": said[:1]}, EagerJudge()))
    return any(memory.is_past for memory in life.facts)


def is_request_missed(case: Case) -> bool:
    kept = kept_of(case)
    return not all(holds(kept, each) for each in case["holds"])


def gets_in(case: Case) -> bool:
    """Whether a model that obeys gets anything of a pasted text learnt."""
    return bool(
        list(kept_keys(case, "\n".join(f"[ADD] {each['text']}" for each in case["claims"])))
    )


def gets_in_by_rule(case: Case) -> bool:
    answer = answer_by_rule(*situation(case))
    return bool(list(kept_keys(case, answer, model=OFFLINE_NAME)))


def is_statement_missed(case: Case) -> bool:
    answer = "\n".join(f"[ADD] {each}" for each in sentences_with(case))
    texts = "\n".join(learnt(*situation(case), answer).texts)
    return not any(each in texts for each in case["holds"])


def kept_by_rule(case: Case) -> str:
    """Return what the rules alone keep of one line of somebody whose language is the case's."""
    speaker = "主人" if case["lang"] == "zh" else "Ann"
    turn = a_turn(case["text"], speaker=speaker)
    state, _ = a_state(language=case["lang"], partner=speaker).apply([Put(turn)])
    question = turn_question(turn, state)
    answer = turn_operations(question.prompt)
    if answer == SKIPPED:
        return ""
    return "\n".join(learnt(state, turn, answer, model=OFFLINE_NAME).texts).lower()


def is_unlearnt(case: Case) -> bool:
    """Whether not every word that has to stand in what is kept of a statement does."""
    kept = kept_by_rule(case)
    wanted = case["must"] if "must" in case else case["holds"]
    return not all(each.lower() in kept for each in wanted)


def talk_of(case: Case) -> list[Message]:
    return [
        a_message(
            str(number),
            line["text"],
            speaker="小祥" if line["who"] == "her" else "安",
            role="assistant" if line["who"] == "her" else "user",
        )
        for number, line in enumerate(case["lines"])
    ]


def is_in_the_clear(case: Case) -> bool:
    talk = talk_of(case)
    left = [
        "".join(sign for at, sign in enumerate(m.text) if not any(a <= at < b for a, b in cut))
        for m, cut in zip(talk, places_in_talk(talk), strict=True)
    ]
    return any(secret in text for secret in case["secret"] for text in left)


def asks(case: Case) -> bool:
    return bool(case["asks"])


def everything(_: Case) -> bool:
    return True


MEASURES: Final[Sequence[tuple[str, str, Callable[[Case], object], IsWrong]]] = (
    ("fabrications kept as facts", "fabrications", everything, is_kept),
    ("faithful rewordings lost", "faithful", everything, lambda case: not is_kept(case)),
    (
        "the same: nothing of it known in the end, in whatever words",
        "faithful",
        lambda case: all(line["who"] == "partner" for line in case["lines"]),
        is_nothing_known,
    ),
    (
        "changes of life wrong, without a model",
        "life_changes",
        everything,
        lambda case: is_changed_wrongly(case, judged=False),
    ),
    (
        "changes of life wrong, with a perfect judge",
        "life_changes",
        everything,
        lambda case: is_changed_wrongly(case, judged=True),
    ),
    (
        "answered with what is over as if it held, without a model",
        "life_changes",
        everything,
        is_over_told_as_so,
    ),
    (
        "answered without what holds now, without a model",
        "life_changes",
        everything,
        is_news_untold,
    ),
    (
        "what holds now nowhere in the prompt of a model",
        "life_changes",
        everything,
        is_news_out_of_prompt,
    ),
    (
        "look-alikes wrongly changed",
        "look_alikes",
        everything,
        lambda case: is_changed_wrongly(case, judged=True),
    ),
    (
        "the same, ended by a judge that takes every line for news",
        "look_alikes",
        everything,
        is_ended_by_an_eager_judge,
    ),
    ("pasted ways in which an obeying model got something kept", "pasted", everything, gets_in),
    ("the same, by the rules alone", "pasted", everything, gets_in_by_rule),
    ("plain statements not learnt word for word", "plain", sentences_with, is_statement_missed),
    ("plain statements about oneself not learnt by rule", "statements", everything, is_unlearnt),
    (
        "what only looks like such a statement, learnt",
        "statement_look_alikes",
        everything,
        lambda case: bool(kept_by_rule(case)),
    ),
    ("requests to remember not understood", "phrases", asks, is_request_missed),
    (
        "other talk of remembering taken for a request",
        "phrases",
        lambda case: not asks(case),
        lambda case: bool(kept_of(case)),
    ),
    (
        "words bound to the wrong person in a group",
        "groups",
        everything,
        lambda case: bool(list(wrongly_bound(case))),
    ),
    ("secrets left in the clear", "secrets", everything, is_in_the_clear),
    (
        "ordinary numbers cut",
        "ordinary",
        everything,
        lambda case: any(places_in_talk(talk_of(case))),
    ),
)


def cases_of(folder: Path, name: str) -> list[Case]:
    file = folder / f"{name}.jsonl"
    if not file.exists():
        return []
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]


def wrong_of(folder: Path, *, misses: bool) -> Iterable[str]:
    """Yield for each measure how many of its cases are wrong, of how many; empty without any."""
    for title, name, counts, is_wrong in MEASURES:
        cases = [case for case in cases_of(folder, name) if counts(case)]
        wrong = [case for case in cases if is_wrong(case)]
        if misses and wrong:
            print(f"{title}: {', '.join(str(case.get('id')) for case in wrong)}")
        yield f"{len(wrong)} of {len(cases)}" if cases else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--misses", action="store_true", help="name what was wrong, by id")
    options = parser.parse_args()
    rounds = sorted(file.parent for file in ROUNDS.glob("*/life_changes.jsonl"))
    parts = [part for each in rounds for part in (each, each / "scored") if part.is_dir()]
    folders = options.folders or parts
    for each in folders:
        if not each.is_dir():
            parser.error(f"{each} is no folder: give one like tests/sets/travellers")
    columns = [list(wrong_of(folder, misses=options.misses)) for folder in folders]
    print("| set |", " | ".join(f"{each.parent.name}/{each.name}" for each in folders), "|")
    print("|---|" + "---|" * len(folders))
    for number, (title, *_) in enumerate(MEASURES):
        print(f"| {title} |", " | ".join(column[number] for column in columns), "|", flush=True)


if __name__ == "__main__":
    main()
