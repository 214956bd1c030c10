"""Cutting, shortening and reviewing by rule."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.learning.segments import Segment, parse_segments
from memory.offline.summaries import (
    LONGEST_SEGMENT,
    compressed_lines,
    is_only_polite,
    segment_lines,
    shorten,
    topic_words,
)
from memory.text.line_salience import ASIDE
from prompts import Compress, PromptLine, Summarize
from tests.fakes.cost import times

EVENING = datetime(2026, 3, 4, 20, 0, tzinfo=ZoneInfo("Asia/Shanghai"))


def stretch(*texts: str, minutes: tuple[float, ...] = ()) -> tuple[PromptLine, ...]:
    lines: list[PromptLine] = []
    for index, text in enumerate(texts):
        at = EVENING + timedelta(minutes=minutes[index] if minutes else index)
        if index % 2 == 0:
            lines.append(PromptLine("user", "主人", at, text))
        else:
            lines.append(PromptLine("assistant", "小祥", at, text))
    return tuple(lines)


def cut(lines: tuple[PromptLine, ...], *, focus: tuple[str, ...] = ()) -> tuple[Segment, ...]:
    prompt = Summarize(language="zh", partner="主人", now=EVENING, lines=lines, focus=focus)
    segments = parse_segments(segment_lines(prompt), len(lines))
    assert isinstance(segments, tuple)
    return segments


INTERVIEW = ("明天要去面试了", "面试什么岗位？", "游戏公司的面试，岗位是策划", "面试加油")
CAT = ("我家的猫叫团子，最近掉毛", "猫掉毛要常梳", "团子不爱梳毛", "慢慢来，给猫一点零食")


def test_a_change_of_vocabulary_begins_a_new_segment() -> None:
    first, second = cut(stretch(*INTERVIEW, *CAT))

    assert (first.first, first.last, second.first, second.last) == (1, 4, 5, 8)
    assert "面试" in first.gist
    assert "面试" in first.keywords
    assert first.gist.startswith("聊了")
    assert "猫" in second.phrase or "团子" in second.phrase


def test_an_episode_is_called_by_its_most_telling_clause() -> None:
    (segment,) = cut(stretch("我随时可以出发去云南", "好呀", "从昆明坐火车到大理", "真好"))

    assert segment.phrase == "我随时可以出发去云南"


def test_a_long_pause_begins_a_new_segment() -> None:
    segments = cut(stretch("面试好累", "辛苦了", "面试好累", "嗯嗯", minutes=(0, 1, 40, 41)))

    assert [(segment.first, segment.last) for segment in segments] == [(1, 2), (3, 4)]


def test_a_stretch_on_one_subject_is_cut_at_its_length() -> None:
    segments = cut(stretch(*["面试的事情"] * (2 * LONGEST_SEGMENT)))

    assert [segment.last - segment.first + 1 for segment in segments] == [
        LONGEST_SEGMENT,
        LONGEST_SEGMENT,
    ]


def test_names_and_works_become_entities() -> None:
    (segment,) = cut(stretch("我在看《三体》，我的猫叫团子", "好看吗"), focus=("团子",))

    assert segment.entities == (("团子", "涉及"), ("三体", "涉及"))


def test_english_talk_is_told_in_english() -> None:
    (segment,) = cut(stretch("My interview with Nintendo went badly", "Oh no, the interview?"))

    assert segment.gist.startswith("talked about")
    assert "interview" in segment.keywords
    assert ("Nintendo", "involves") in segment.entities


@settings(max_examples=times(30, hunting=300), deadline=None)
@given(st.lists(st.text(max_size=20), min_size=1, max_size=30))
def test_whatever_was_said_every_line_is_in_exactly_one_segment(texts: list[str]) -> None:
    segments = cut(stretch(*texts))

    covered = [n for s in segments for n in range(s.first, s.last + 1)]
    assert covered == list(range(1, len(texts) + 1))


GIST = (
    "[2026-03-04 20:00] 聊了面试。"
    "主人明天要去一家游戏公司面试，岗位是策划，有点紧张！小祥安慰了主人。"
)


def test_the_most_telling_sentences_are_kept_whole() -> None:
    assert shorten(GIST, 30) == "主人明天要去一家游戏公司面试，岗位是策划，有点紧张！"
    assert shorten("主人明天去面试，真的好紧张啊，怎么办呢", 9) == "主人明天去面试"


@pytest.mark.parametrize(
    "text",
    [
        "主人喜欢在周末的清晨散步",
        "主人最喜欢的是桂花拿铁 每天一杯",
        "主人那辆蓝色的折叠车，在地铁口被偷了",
        "前几天在街上，主人遇到了老顾",
        "My partner likes long walks",
        "my locker at the gym is number 88",
        "my friend: dad's op went grand",
        "my friend's brother Fintan, who lives in Perth, has a dog",
        "my friend works at a nursery, and she loves it there",
        "near the harbour, my friend met Hamish",
    ],
)
@pytest.mark.parametrize("target", [5, 8, 12, 20])
def test_what_cannot_be_said_shorter_is_not_cut_to_a_fragment(text: str, target: int) -> None:
    assert shorten(text, target) == text


@pytest.mark.parametrize(
    ("text", "target", "shorter"),
    [
        ("主人现在不喝咖啡了，改喝大麦茶", 10, "主人现在不喝咖啡了"),
        ("I like tea! The kettle is from my gran", 12, "I like tea!"),
        ("[2026-01-03 18:00] 聊了面试、游戏", 5, "游戏"),
        ("[2026-01-03 18:00] talked about noodles, soggy, ahead", 20, "soggy, ahead"),
    ],
)
def test_what_is_left_says_something_by_itself(text: str, target: int, shorter: str) -> None:
    assert shorten(text, target) == shorter


def test_a_text_that_fits_is_left_as_it_is() -> None:
    assert shorten("主人喜欢拉面", 100) == "主人喜欢拉面"


@settings(max_examples=times(50, hunting=500), deadline=None)
@given(st.text(max_size=80), st.integers(0, 80))
def test_a_text_is_as_short_as_asked_or_stays_whole(text: str, target: int) -> None:
    short = shorten(text, target)
    assert len(short) <= target or short == shorten(text, 1_000)


def test_a_shortened_memory_brings_phrase_and_keywords_no_longer_than_before() -> None:
    prompt = Compress(
        language="zh", text=GIST, phrase="游戏公司面试", keywords=("面试", "安慰"), characters="30"
    )

    assert compressed_lines(prompt).splitlines() == [
        "[TEXT] 主人明天要去一家游戏公司面试，岗位是策划，有点紧张！",
        "[PHRASE] 游戏公司面试",
        "[KEYWORDS] 面试",
    ]


@pytest.mark.parametrize(
    ("said", "about"),
    [
        ("hey im allergic to peanuts btw", {"allergic", "peanuts"}),
        ("hey, I'm allergic to peanuts", {"allergic", "peanuts"}),
        ("hello my dog is called Rex", {"dog", "rex", "called"}),
        ("hi ive got two cats", {"cats", "two", "got"}),
        ("yes i moved to Berlin", {"moved", "berlin"}),
        ("嗨 我对花生过敏", {"花生", "过敏"}),
        ("你好我对花生过敏", {"花生", "过敏"}),
        ("哈哈我升职了", {"升职"}),
        ("嗯我下周去广州出差", {"广州", "出差", "下周"}),
    ],
)
def test_who_greets_and_goes_on_to_tell_was_not_only_polite(said: str, about: set[str]) -> None:
    told = [PromptLine("user", "Ann", EVENING, said)]
    assert not is_only_polite(told)
    assert set(topic_words(told)) == about
    assert not ASIDE.search(said)


@pytest.mark.parametrize(
    "said",
    [
        *("hey", "hello there", "hey im fine thanks", "hello I'm good", "hey i hope you're well"),
        *(
            "thanks I will try that",
            "ok i see",
            "yes i agree",
            "hi i'm so glad",
            "bye i have to go",
        ),
        *(
            "你好呀",
            "早上好",
            "你好我来了",
            "好的我知道了",
            "谢谢我会的",
            "嗯我也觉得",
            "哈哈我也是",
        ),
    ],
)
def test_who_only_greets_thanks_or_takes_leave_was_only_polite(said: str) -> None:
    assert is_only_polite([PromptLine("user", "Ann", EVENING, said)])


def test_what_came_without_words_is_not_what_was_talked_about() -> None:
    *_, last = cut(
        stretch(
            "（发来一样我还打不开的东西）",
            "嗯",
            "（分享了一个群）",
            "嗯",
            "我家猫对鸡肉过敏",
            "好",
        )
    )

    assert "过敏" in last.gist
    assert not any(word in last.gist for word in ("发来", "分享", "打不开"))


@pytest.mark.parametrize(
    "foreign",
    ["I hate hiking, my wife made me come", "lol this weather sucks, forecast says rain"],
)
def test_a_line_in_english_among_chinese_ones_does_not_name_the_talk(foreign: str) -> None:
    lines = stretch("周六去灵岩山爬山吧", "灵岩山好呀", foreign, "灵岩山人多，带水爬山")
    (segment,) = cut(lines)
    assert not any(word in segment.gist for word in ("hate", "hiking", "wife", "weather", "lol"))
    assert "山" in segment.gist


def test_english_words_inside_chinese_lines_still_name_it() -> None:
    (segment,) = cut(stretch("我在学Python，写爬虫", "Python不错", "Python作业好难", "慢慢来"))
    assert "python" in segment.gist.lower()
    (segment,) = cut(stretch("I hate hiking in the rain", "Oh?", "Hiking boots leak", "Dry them"))
    assert "hiking" in segment.gist.lower()
