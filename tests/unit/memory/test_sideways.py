"""Requests and sideways questions are met with what was last told of the matter they need."""

from datetime import timedelta

import pytest

from memory.offline.replies import reply_to
from prompts import PromptLine, PromptMemory, Reply
from tests.fakes.clock import NOON

LONG_AGO = NOON - timedelta(days=60)
LATELY = NOON - timedelta(days=1)


def asked(text: str, *memories: PromptMemory, language: str = "zh", name: str = "") -> str:
    line = PromptLine("user", "安", NOON, text)
    return reply_to(
        Reply(
            persona="",
            language=language,
            partner="安",
            now=NOON,
            window=(line,),
            memories=memories,
            again=True,
            name=name,
        )
    )


def fact(text: str, *, ended_by: PromptMemory | None = None) -> PromptMemory:
    at = LONG_AGO if ended_by else LATELY
    over = ended_by is not None
    return PromptMemory("m1", text, at, speaker="安", past=over, instead=ended_by)


@pytest.mark.parametrize(
    ("request_", "was", "now", "language"),
    [
        ("点外卖送去哪个区？", "安租在石牌村", "安：番禺的房子交楼了", "zh"),
        ("给我来首我爱听的", "安最爱听周杰伦的歌", "安最近迷上听陈粒的歌", "zh"),
        ("我该不该还吃叶酸", "安怀孕八周", "安没保住", "zh"),
        ("who should i get a valentine for?", "安 is single", "安 is dating Priya", "en"),
        ("get me my usual drink please", "安 loves coffee", "安 loves rooibos tea now", "en"),
        ("should i go for a run tomorrow?", "安: knees are great", "安: torn meniscus", "en"),
    ],
)
def test_what_holds_now_of_the_matter_is_offered_as_what_may_be_meant(
    request_: str, was: str, now: str, language: str
) -> None:
    newer = fact(now)

    told = asked(request_, fact(was, ended_by=newer), newer, language=language)

    assert ("我不太确定" if language == "zh" else "I am not sure") in told
    assert now.removeprefix("安").strip("：: ").removeprefix("is ").removeprefix("loves ") in told
    assert was.removeprefix("安").strip("：: ") not in told


@pytest.mark.parametrize(
    ("text", "language"),
    [("给我来首我爱听的", "zh"), ("put on a film we both know", "en"), ("叫我一声", "zh")],
)
def test_nothing_is_made_up_where_nothing_is_known_of_the_matter(text: str, language: str) -> None:
    unlike = PromptMemory("m1", "安住在番禺", LATELY, speaker="安")

    told = asked(text, unlike, language=language)

    assert "番禺" not in told
    assert "我不太确定" not in told
    assert "I am not sure" not in told


def test_who_wants_to_be_called_is_called_by_the_newest_name() -> None:
    assert "阿远" in asked("叫我一声", name="阿远")
    assert "Twiggy" in asked("go on, say hello to me by name", language="en", name="Twiggy")


@pytest.mark.parametrize(
    ("told", "language"),
    [
        ("今天吃到一家好吃的馆子，开心", "zh"),
        ("外卖又送错了，真烦", "zh"),
        ("I watched a film with my sister", "en"),
        ("my order came late again", "en"),
    ],
)
def test_what_only_tells_is_not_met_with_a_fact(told: str, language: str) -> None:
    home = PromptMemory("m1", "安住在番禺", LATELY, speaker="安")
    likes = PromptMemory("m2", "安喜欢看悬疑片", LATELY, speaker="安")

    answer = asked(told, home, likes, language=language)

    assert "番禺" not in answer
    assert "悬疑片" not in answer
