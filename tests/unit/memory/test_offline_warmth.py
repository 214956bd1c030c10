"""What is said to somebody who tells something: fitting, and not the same twice."""

from collections import deque
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.offline.replies import reply_to
from memory.offline.vocabulary import EN, ZH, Sayings
from memory.offline.warmth import BAD_NEWS, named, occasion_of
from prompts import PromptLine, Reply

NOW = datetime(2026, 5, 10, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))

SMALL_TALK_ZH = (
    "今天好累", "刚下班", "中午吃了火锅", "外面下雨了",
    "我升职了", "他说要分手", "好无聊啊", "谢谢你",
    "和同事吵架了", "我有点发烧", "明天要去爬山", "讲个笑话吧",
    "你真笨", "想你了", "没考上", "楼下新开了家店",
    "刚看完一部剧", "猫又把杯子打翻了", "隔壁在装修", "我在等车",
)  # fmt: skip
SMALL_TALK_EN = (
    "I'm so tired", "just got home", "had pizza for lunch", "it is raining", "I got promoted",
    "he wants to break up", "so bored", "thanks", "we had a big fight", "I have a fever",
    "going to hike tomorrow", "tell me a joke",
    "you are so silly", "I miss you", "I failed the exam",
    "a new shop opened downstairs", "finished a series", "the cat broke a cup again",
    "next door is renovating", "waiting for the bus",
)  # fmt: skip


@pytest.mark.parametrize(
    ("said", "occasion"),
    [
        ("他说要分手", "breakup"), ("我爷爷昨天走了", "grief"),
        ("累死了", "tired"), ("没通过面试", "failure"),
        ("地铁挤死了", "angry"), ("手术很顺利", "relief"), ("我爸住院了", "others_ill"),
        ("我不想活了", "crisis"), ("想死你了", "listening"), ("他送我花了！", "joy"),
        ("他又骂我！", "quarrel"), ("我前男友结婚了", "sad"), ("surgery went well", "relief"),
        ("my dad had a stroke", "others_ill"), ("I want to die", "crisis"),
        ("he hit me!", "sad"), ("他打我了", "sad"),
        ("lost a patient today", "grief"), ("he sent flowers!", "joy"), ("never mind", "drop"),
        ("面试通过了！", "pride"), ("不开心", "sad"), ("好开心", "joy"), ("晚安", "goodnight"),
        ("he wants to break up", "breakup"), ("my dog died yesterday", "grief"),
        ("I didn't get the job", "failure"),
        ("I got the job!", "pride"), ("good night", "goodnight"),
        ("I'm not happy", "sad"), ("现在几点了", "time"), ("tell me a joke", "joke"),
    ],
)  # fmt: skip
def test_the_occasion_is_read_from_the_words_the_gravest_first(said: str, occasion: str) -> None:
    assert occasion_of(said) == occasion


@pytest.mark.parametrize("say", [ZH, EN], ids=["zh", "en"])
def test_there_are_two_hundred_openings_and_every_occasion_has_some(say: Sayings) -> None:
    texts = [text for pool in say.openings.values() for text in pool]

    assert len(set(texts)) == len(texts) >= 200
    assert set(say.occasions) - {"time"} <= set(say.openings)


@pytest.mark.parametrize("said", [SMALL_TALK_ZH, SMALL_TALK_EN], ids=["zh", "en"])
def test_two_hundred_turns_repeat_nothing_within_thirty_and_cheer_at_no_bad_news(
    said: tuple[str, ...],
) -> None:
    say = ZH if said is SMALL_TALK_ZH else EN
    cheerful = {*say.openings["joy"], *say.openings["pride"], *say.openings["plan"]}
    window: deque[PromptLine] = deque(maxlen=46)
    replies: list[str] = []
    for turn in range(200):
        at = NOW + timedelta(minutes=3 * turn)
        # In an order of its own, so that an occasion comes now and then twice in a row.
        text = said[(turn * 7 + turn // 13) % len(said)]
        window.append(PromptLine("user", "主人", at, text))
        prompt = Reply(
            persona="", language="zh", partner="主人", now=at, window=tuple(window), name="阿梅"
        )
        reply = reply_to(prompt).splitlines()[0]
        window.append(PromptLine("assistant", "小祥", at, reply))
        assert reply not in replies[-30:], (turn, text)
        if occasion_of(text) in BAD_NEWS:
            assert reply not in {named(each, "阿梅") for each in cheerful}
        replies.append(reply)


@pytest.mark.parametrize(
    ("planned", "asks"),
    [
        ("我下周三去面试", "去面试是今天吧？怎么样？"),
        ("下周二要去听音乐会", "昨天去听音乐会，顺利吗？"),
    ],
)
def test_what_was_planned_for_today_or_yesterday_is_asked_about_once(
    planned: str, asks: str
) -> None:
    told = NOW.replace(day=8)
    today = NOW.replace(day=13)  # a Wednesday
    window = (
        PromptLine("user", "主人", told, planned),
        PromptLine("assistant", "小祥", told, "好。"),
        PromptLine("user", "主人", today, "你好"),
    )
    prompt = Reply(persona="", language="zh", partner="主人", now=today, window=window)

    first = reply_to(prompt)

    assert asks in first
    more = (
        PromptLine("assistant", "小祥", today, first),
        PromptLine("user", "主人", today, "你好"),
    )
    assert asks not in reply_to(
        Reply(persona="", language="zh", partner="主人", now=today, window=(*window, *more))
    )


def test_a_name_that_is_not_known_leaves_no_gap() -> None:
    assert named("晚安，{name}，做个好梦。", "") == "晚安，做个好梦。"
    assert named("All right, {name}, talk to you next time.", "") == (
        "All right, talk to you next time."
    )
    assert named("{name}, I am here.", "Amy") == "Amy, I am here."
