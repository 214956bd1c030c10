"""She answers in the language of the line, whichever the memory began in."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.model import Language
from tests.fakes.clock import FakeClock
from tests.fakes.two_chats import LARK, TELEGRAM, two_chats

MORNING = datetime(2026, 3, 3, 1, 0, tzinfo=UTC)
"""Nine in the morning in Shanghai."""

SAID: dict[Language, tuple[str, str, str, str]] = {
    "zh": ("提醒我给妈妈打电话", "今晚8点", "记住：我对花生过敏", "我对什么过敏？"),
    "en": (
        "remind me to call my mum",
        "8 pm",
        "Remember that I am allergic to peanuts",
        "What am I allergic to?",
    ),
}


def is_in(language: Language, text: str) -> bool:
    """Whether what she says is in that language; a word of hers may be quoted in the other."""
    chinese = sum("一" <= each <= "鿿" for each in text)
    return chinese >= 4 if language == "zh" else chinese <= len("主人")


@pytest.mark.parametrize("began_in", ["zh", "en"])
@pytest.mark.parametrize("spoken", ["zh", "en"])
async def test_she_answers_rings_and_explains_in_the_language_she_is_spoken_to(
    tmp_path: Path, began_in: Language, spoken: Language
) -> None:
    asked, when, told, question = SAID[spoken]
    async with two_chats(tmp_path, FakeClock(MORNING), language=began_in) as ann:
        first = await ann.told(TELEGRAM, "/reminders")
        whens = await ann.says(TELEGRAM, asked)
        # An hour alone may be said in either.
        kept = await ann.says(TELEGRAM, when)
        noted = await ann.says(TELEGRAM, told)
        answer = await ann.says(TELEGRAM, question)
        why = await ann.told(TELEGRAM, "/why")
        listed = await ann.told(TELEGRAM, "/reminders")
        unknown = await ann.says(TELEGRAM, "/dance")
        wrong = await ann.told(TELEGRAM, "/memory show #999")
        elsewhere = await ann.told(LARK, "/reminders")
        before = len(ann.screens.finals(TELEGRAM))
        await ann.looks_what_is_due(hours=12)
        (rung,) = ann.screens.finals(TELEGRAM)[before:]

    shown = (whens, kept, noted, answer, why, listed, unknown, wrong, rung)
    assert [each for each in shown if not is_in(spoken, each)] == []
    # Where nothing was said the memory's language holds.
    assert is_in(began_in, first)
    assert is_in(began_in, elsewhere)


async def test_after_another_language_the_answer_is_in_that(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "Remember that I am allergic to peanuts")
        english = await ann.told(TELEGRAM, "/memory")
        await ann.says(TELEGRAM, "我现在说中文了，今天有点累")
        chinese = await ann.told(TELEGRAM, "/memory")

    assert is_in("en", english)
    assert is_in("zh", chinese)
