"""What a stretch of talk is called."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.offline.summaries import is_only_polite, telling_clause, topic_words
from prompts import PromptLine

EVENING = datetime(2026, 3, 4, 20, 0, tzinfo=ZoneInfo("Asia/Shanghai"))


def talk(*texts: str) -> tuple[PromptLine, ...]:
    """Return lines of a partner, each followed by a word of hers."""
    lines: list[PromptLine] = []
    for number, text in enumerate(texts):
        at = EVENING + timedelta(minutes=number)
        lines += [PromptLine("user", "主人", at, text), PromptLine("assistant", "小祥", at, "嗯")]
    return tuple(lines)


def named(*texts: str) -> str:
    lines = talk(*texts)
    return telling_clause(lines, topic_words(lines))


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (
            ("嗨，我刚制定了晨跑计划，能给点建议吗？", "很实用，晨跑计划清晰多了"),
            "我刚制定了晨跑计划",
        ),
        (("唉，今天处理费率的时候，卡住了", "好的，谢谢"), "今天处理费率"),
        (("你好，今天天气不错。我去绿禾公园看了樱花", "樱花真美"), "我去绿禾公园看了樱花"),
        (
            ("你提到的方案很好，路线、天气、路况我都记下了", "我查了回长沙的路线"),
            "我查了回长沙的路线",
        ),
        (("今天跟我妈视频聊了快半小时",), "今天跟我妈视频聊了快半小时"),
        (
            ("Hi! I've been learning to draw.", "Thanks! Your tips help."),
            "I've been learning to draw",
        ),
        (("Wow, that's great! My mom made some dinner.",), "My mom made some dinner"),
        (("Yes, 100,000 a month goes to taxis.",), "100,000 a month goes to taxis"),
    ],
)
def test_a_talk_is_called_by_what_somebody_came_to_tell(said: tuple[str, ...], name: str) -> None:
    assert named(*said) == name


def test_what_was_only_asked_names_the_talk_if_nothing_was_told() -> None:
    assert (
        named("Can you put this checklist in a table?") == "Can you put this checklist in a table?"
    )
    assert named("怎么给咖啡机除垢？", "我家的咖啡机总堵") == "我家的咖啡机总堵"


def test_thanks_and_farewells_name_nothing_and_are_known_as_such() -> None:
    polite = talk("好的，谢谢你", "我们明天再聊")

    assert is_only_polite(polite)
    assert telling_clause(polite, topic_words(polite)) == ""
    assert not is_only_polite(talk("谢谢，我升职了"))
    assert not is_only_polite(talk("Thanks! Can you help me with the garden?"))


def test_those_who_talk_are_not_what_they_talk_about() -> None:
    assert "maria" not in topic_words(talk("Maria, the boot camp is tough"), ignored="Maria John")
