"""A change in one matter leaves every other as it was: nobody loses a name with a telephone."""

import pytest

from memory.text.slot_changes import is_ended_by
from memory.text.slots import slot_claims

HELD_ZH = (
    "我叫李小满",
    "我今年三十四岁",
    "我生日是九月十八",
    "我住在成都",
    "我在比亚迪上班",
    "我在武汉大学读研究生",
    "我老婆叫慧慧",
    "我对花生过敏",
    "我喜欢肥肠粉",
)

HELD_EN = (
    "my name is Moira",
    "I'm 34 years old",
    "my birthday is March 9",
    "I live in Leeds",
    "I work at Tesco",
    "I'm studying biology at York",
    "my husband is called Gareth",
    "I have asthma",
    "I love karaoke",
)


def ended_by(told: str, held: tuple[str, ...]) -> list[str]:
    return [
        text
        for text in held
        if any(
            is_ended_by(old, new, text) for old in slot_claims(text) for new in slot_claims(told)
        )
    ]


@pytest.mark.parametrize(
    "told",
    [
        "我换手机了",
        "我换发型了",
        "我改主意了",
        "现在改坐地铁了",
        "换了新电脑",
        "刚开完会",
        "我现在能跑五公里",
        "我现在爱上跑步了",
        "牙医改到下周三了",
        "我开始吃肉了",
    ],
)
def test_a_change_of_one_thing_ends_nothing_else_in_chinese(told: str) -> None:
    assert ended_by(told, HELD_ZH) == []


@pytest.mark.parametrize(
    "told",
    [
        "I switched to a Pixel",
        "my interview is moved from Wed to Fri, same time",
        "the pixel went in the drawer",
        "my sister had the twins this morning",
        "cancelled my membership",
        "I eat meat again",
        "sold the van",
        "I cycle to work now",
    ],
)
def test_a_change_of_one_thing_ends_nothing_else_in_english(told: str) -> None:
    assert ended_by(told, HELD_EN) == []


@pytest.mark.parametrize(
    ("told", "over"),
    [
        ("我改名叫李大满了", "我叫李小满"),
        ("我搬到上海了", "我住在成都"),
        ("I've moved to Hull", "I live in Leeds"),
        ("I quit Tesco", "I work at Tesco"),
    ],
)
def test_a_change_ends_what_it_is_about(told: str, over: str) -> None:
    assert ended_by(told, HELD_EN if told.isascii() else HELD_ZH) == [over]


@pytest.mark.parametrize(
    ("held", "told", "ends"),
    [
        # Whoever leaves a hospital still has what they have for life.
        ("我有糖尿病", "终于出院啦", False),
        ("I have diabetes", "out of hospital, all clear", False),
        ("我对花生过敏", "感冒好了", False),
        ("我有糖尿病", "医生说糖尿病是误诊", True),
        ("我摔断了腿，打着石膏", "石膏拆了", True),
        # To hate no longer is to dislike no longer.
        ("我讨厌香菜", "我现在不讨厌香菜了", True),
        ("我怕狗", "现在不怕狗了", True),
        ("I hate olives", "I don't hate olives anymore", True),
        # A relative has one of these at a time, by whatever word they are called.
        ("我妈对花生过敏", "我妈妈现在对花生不过敏了", True),
        ("我儿子上二年级", "我儿子升三年级啦", True),
        ("我女儿上二年级", "我儿子升三年级啦", False),
        # A measure is what it is now.
        ("我体重一百八", "减到一百五了", True),
        ("我上白班", "调夜班了", True),
        ("i'm on days", "they've put me on nights", True),
        ("i weigh 15 stone", "down to 13 stone now", True),
        ("我养了只兔子叫豆包", "豆包走丢了 又找回来了", False),
        ("we have a dog called Spud", "Spud ran off but we found him", False),
        ("我上夜班", "明天替同事顶个白班", False),
        ("rent's 600 a month", "landlord put the rent up to 700", True),
    ],
)
def test_what_ends_and_what_stays(held: str, told: str, *, ends: bool) -> None:
    assert bool(ended_by(told, (held,))) is ends
