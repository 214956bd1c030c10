"""A clause of which only a word is known teaches nothing; a change needs less than a fact."""

import asyncio
import re

import pytest

from memory.offline.understood import is_in_jest, is_understood, names_nobody
from memory.offline.utterances import statements_in, told_in
from memory.text.correction_forms import takes_back_in_jest
from tests.fakes.clock import NOON
from tests.fakes.life import lived


def learnt(text: str) -> list[str]:
    return [each.text for each in told_in(text, "安", NOON).statements]


@pytest.mark.parametrize(
    "text",
    [
        "要不我也吃素得了",
        "没有人会讨厌放假吧",
        "不如我去成都当护士算了",
        "Hope you enjoy it! Fingers crossed we get a table with a view of the old harbour.",
        "I think I've managed to make it work while living in the city",
        "I remember when you started working on those",
        "I love the way the light falls",
        "I love his tech",
        "I've got a funny story",
        "I've a train to catch",
        "we have people to see",
        "This recipe is based on my love for Mediterranean food",
        "Congrats on the new job",
        "It helps me stay motivated and reminds me why I'm doing this.",
        "Remember to take care of yourself and have some fun too!",
        "Since we last spoke I bought a console for my partner as a gift on the 17th",
    ],
)
def test_what_is_recognised_only_in_part_is_not_learnt(text: str) -> None:
    assert learnt(text) == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("我最近搬到了杭州", "安最近搬到了杭州"),
        ("我去年做了阑尾手术", "安去年做了阑尾手术"),
        ("我奶茶只喝三分糖", "安奶茶只喝三分糖"),
        ("deaf in my left ear since birth", "安: deaf in my left ear since birth"),
        ("left handed btw", "安: left handed"),
        ("we've got a little flat in Footscray", "安: we've got a little flat in Footscray"),
        ("im a barista lol", "安 is a barista"),
        ("I've moved to Slough", "安 has moved to Slough"),
        ("We have shifted to Slough", "安: We have shifted to Slough"),
        ("I have just transferred to Leeds", "安 has just transferred to Leeds"),
    ],
)
def test_what_is_read_whole_is_learnt(text: str, kept: str) -> None:
    assert kept in learnt(text)


def test_a_change_is_told_though_its_clause_leans_on_another() -> None:
    told = told_in("Colorado was too dear, it's why I moved to Omaha", "安", NOON)
    assert told.statements == []
    assert any("Omaha" in each.text for each in told.over)


@pytest.mark.parametrize(
    ("sentence", "unread", "jest"),
    [
        ("我今年三百岁哈哈，骗到你了", "", True),
        ("im a barista lol", " lol", False),
        ("i'm 93 in the morning haha", " in the morning haha", True),
        ("我住在上海", "", False),
    ],
)
def test_who_laughs_is_believed_only_when_read_to_the_end(
    sentence: str, unread: str, *, jest: bool
) -> None:
    assert is_in_jest(sentence, unread) is jest


@pytest.mark.parametrize(
    ("sentence", "clause", "jest"),
    [
        ("浆糊打翻了，我左耳听不太见，他们全笑了哈哈", "我左耳听不太见", False),
        ("浆糊打翻了，我身高三米，哈哈，困了", "我身高三米", True),
        ("哈哈哈今天太丢人了，我近视九百度", "我近视九百度", False),
        ("work for NASA, National Snacks 😂", "work for NASA", True),
        ("bus was late lol, I keep six hens, soaked", "I keep six hens", False),
    ],
)
def test_a_laugh_is_about_its_own_clause(sentence: str, clause: str, *, jest: bool) -> None:
    assert is_in_jest(sentence, "", clause) is jest


def test_a_fragment_is_the_speakers_only_in_a_short_line() -> None:
    long = "The store is going well, and the new designs arrived. " * 3
    assert not names_nobody("got a flat in Leeds", "got a flat in Leeds")
    assert names_nobody("keeping up with fashion", long)
    assert not names_nobody("I have two cats", long)
    assert not names_nobody("住在上海", long)


def test_what_stands_before_must_be_known_words() -> None:
    assert is_understood("I've been seeing a guy called Luca", "I've been ")
    assert not is_understood("a rumour says I live in Leeds", "a rumour says ")
    assert is_understood("刚入职美团", "刚")
    assert not is_understood("隔壁老王家亲戚住在上海", "隔壁老王家亲戚")


@pytest.mark.parametrize(
    ("text", "takes_back"),
    [
        ("开玩笑的", True),
        ("哈哈骗你的", True),
        ("逗你玩呢～", True),
        ("just kidding", True),
        ("jk lol", True),
        ("no I made it up", True),
        ("我喜欢开玩笑", False),
        ("他在开玩笑", False),
        ("I was kidding him about his hat", False),
        ("我住在上海", False),
    ],
)
def test_only_a_whole_message_takes_back_in_jest(text: str, *, takes_back: bool) -> None:
    assert takes_back_in_jest(text) is takes_back


@pytest.mark.parametrize(
    ("told", "jest", "held"),
    [
        ("我老婆去世了", "开玩笑的", "去世"),
        ("my wife died", "just kidding", "died"),
        ("我住在火炉山", "哈哈骗你的", "火炉山"),
    ],
)
def test_a_jest_that_is_owned_to_is_forgotten(told: str, jest: str, held: str) -> None:
    def facts_after(*texts: str) -> str:
        lines = [{"day": 0, "text": text} for text in texts]
        life = asyncio.run(lived({"lang": "zh", "told": lines, "learnt": [None] * len(lines)}))
        return "\n".join(each.words.text for each in life.facts if each.is_living_fact)

    assert held in facts_after(told)
    assert held not in facts_after(told, jest)
    # Only what was told just before is meant.
    assert held in facts_after(told, "我喜欢吃拉面", jest)


@pytest.mark.parametrize(
    ("said", "never"),
    [
        ("我最近迷上了喝手冲咖啡，每天一杯，最爱耶加雪菲", "一杯$"),
        ("我开始练瑜伽了，每周二四晚上，在天钥桥路那家", "那家$|晚上$"),
        ("苏苏今天飞奥克兰了，我在机场哭成狗", "机场"),
        ("今天入职第二天，累", "第二天"),
        ("Mother's Day, mom didn't recognise my voice", "is Mother"),
    ],
)
def test_what_leans_on_another_clause_is_no_fact_by_itself(said: str, never: str) -> None:
    told = [each.text for each in statements_in(said, "主人", NOON)]
    assert not any(re.search(never, each) for each in told), told


def test_what_says_of_what_it_tells_is_kept() -> None:
    told = [each.text for each in statements_in("我每天喝两杯咖啡，我在上海住", "主人", NOON)]
    assert "主人每天喝两杯咖啡" in told
    assert any("上海" in each for each in told)


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        ("hi im jonas", "my friend's name is Jonas"),
        ("hey, i'm jonas", "my friend's name is Jonas"),
        ("my name is jonas", "my friend's name is Jonas"),
        ("hi im hungry", ""),
        ("hi im home", ""),
        ("hey im exhausted", ""),
        ("call me later", ""),
        ("everyone calls me Meg", "everyone calls my friend Meg"),
    ],
)
def test_a_name_told_in_small_letters_is_one(said: str, learnt: str) -> None:
    assert [each.text for each in statements_in(said, "my friend", NOON)] == [learnt] * bool(
        learnt
    )
