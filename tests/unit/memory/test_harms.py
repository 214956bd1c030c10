"""What is told of what one must not eat, take or touch."""

import pytest

from memory.offline.harms import (
    denies_harm,
    harm_made_light_of,
    may_harm_whom_it_asks,
    tells_what_harms,
)
from tests.builders import a_memory


@pytest.mark.parametrize(
    "told",
    [
        "医生说我不过敏，那次是误诊",
        "I'm not allergic to penicillin after all",
        "the skin prick test was wrong",
    ],
)
def test_what_does_no_harm_after_all_is_known(told: str) -> None:
    assert denies_harm(told)


@pytest.mark.parametrize(
    "told",
    [
        "别的都不过敏",
        "其他药我不过敏",
        "I'm not allergic to anything else that I know of",
        "nothing else, I'm not allergic otherwise",
        "我对青霉素过敏",
    ],
)
def test_who_is_allergic_to_nothing_else_denies_nothing(told: str) -> None:
    assert not denies_harm(told)


@pytest.mark.parametrize("told", ["我不能吃花生", "I can't eat gluten", "她对鸡蛋过敏"])
def test_what_must_not_be_eaten_is_told(told: str) -> None:
    assert tells_what_harms(told)


@pytest.mark.parametrize(
    ("told", "asked", "tells"),
    [
        ("I don't drink coffee any more", "what am I allergic to?", False),
        ("I don't eat meat anymore", "do I have any allergies?", False),
        ("I don't drink coffee any more", "what can't I drink?", True),
        ("I don't eat nuts, they make my throat swell", "what am I allergic to?", True),
        ("I can't eat gluten any more", "what am I allergic to?", True),
        ("I don't eat nuts any more, I'm allergic", "what am I allergic to?", True),
        ("我不喝咖啡了", "我对什么过敏", False),
        ("我现在不能吃虾了", "我对什么过敏", True),
    ],
)
def test_what_is_given_up_is_no_allergy(told: str, asked: str, *, tells: bool) -> None:
    assert tells_what_harms(told, asked) is tells


def made_light_of(fact: str, asked: str, reply: str) -> str:
    partner = "my friend" if fact.isascii() else "主人"
    known = [a_memory(1, "主人喜欢猫"), a_memory(2, fact), a_memory(3, "my friend likes cats")]
    found = harm_made_light_of(reply, asked, known, partner)
    return found.words.text if found else ""


ZH = "主人对青霉素过敏"
EN = "my friend is allergic to penicillin"


@pytest.mark.parametrize(
    ("fact", "asked", "reply"),
    [
        (ZH, "我对青霉素过敏吗", "不，你对青霉素不过敏，放心用。"),
        (ZH, "我对什么过敏？", "你对花生过敏呀。"),
        (ZH, "我对什么过敏？", "你什么都不过敏。"),
        (ZH, "我能用青霉素吗", "可以用的，没问题。"),
        (ZH, "医生开了青霉素", "青霉素挺好的，放心吃！"),
        ("主人不能吃海鲜", "晚上吃啥", "去海边吧，海鲜随便吃，你可以吃个够。"),
        ("主人对花生和虾过敏", "我能吃虾吗", "能吃，虾很补。"),
        (EN, "can i take penicillin?", "Sure, penicillin is fine for you."),
        (EN, "am i allergic to penicillin", "No, you're not allergic to penicillin."),
        (EN, "what am i allergic to?", "You are allergic to peanuts."),
        ("my friend has a nut allergy", "can i eat nuts", "Go ahead, nuts are fine!"),
        ("my friend is allergic to peanuts", "can i eat peanuts", "Yes, enjoy."),
    ],
)
def test_a_reply_that_calls_safe_what_harms_is_recognised(
    fact: str, asked: str, reply: str
) -> None:
    assert made_light_of(fact, asked, reply) == fact


@pytest.mark.parametrize(
    ("fact", "asked", "reply"),
    [
        (ZH, "我对青霉素过敏吗", "是的，你对青霉素过敏，千万别用。"),
        (ZH, "我对什么过敏？", "你对青霉素过敏。"),
        (ZH, "我能吃头孢吗", "先问问医生，你对青霉素过敏。"),
        (ZH, "青霉素是谁发现的", "弗莱明。没问题，这个我知道。"),
        (ZH, "我妈能用青霉素吗", "你妈可以用，她不过敏。"),
        (ZH, "医生说我对青霉素不过敏，那次是误诊", "太好了，青霉素可以用了！"),
        (ZH, "我能喝咖啡吗", "可以喝，没问题。"),
        (ZH, "我妹能用青霉素吗", "可以用的，没问题。"),
        (ZH, "我好累", "没事，睡一觉就好。"),
        ("主人妈妈对芒果过敏", "我能吃芒果吗", "可以吃呀。"),
        ("主人闺蜜的双胞胎都对坚果过敏", "我对什么过敏？", "你对鸡蛋过敏。"),
        (
            "my friend's friend Tash has twins and both are allergic to nuts",
            "What is Ivy allergic to?",
            "Ivy is allergic to eggs.",
        ),
        (
            "my friend's friend Tash has twins and both are allergic to nuts",
            "what am i allergic to",
            "You are allergic to eggs.",
        ),
        ("主人对花生过敏", "晚上吃啥", "来碗不含花生的凉面，可以吃。"),
        ("主人不吃香菜", "我能吃香菜吗", "可以吃。"),
        (EN, "can i take penicillin?", "No, you are allergic to penicillin, so avoid it."),
        (EN, "can i take penicillin?", "Ask your doctor first; you told me it harms you."),
        (EN, "what am i allergic to?", "Penicillin! You're allergic to it."),
        (EN, "can my brother take penicillin", "Sure, he can take penicillin."),
        (EN, "can i take ibuprofen?", "Sure, ibuprofen is fine."),
        ("my friend has a nut allergy", "can i eat coconut", "Yes, coconut is fine."),
        ("my friend is allergic to peanuts", "im tired", "That is fine, go ahead and rest."),
    ],
)
def test_a_warning_another_thing_and_somebody_elses_plate_contradict_nothing(
    fact: str, asked: str, reply: str
) -> None:
    assert made_light_of(fact, asked, reply) == ""


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("Ivy is allergic to eggs", "What is Ivy allergic to?"),
        ("my cousin zara has a peanut allergy", "what is zara allergic to"),
        ("my son is allergic to wasps", "what is my son allergic to?"),
        ("she's allergic to eggs", "What is Ivy allergic to?"),
        ("Tash can't eat nuts", "who can't eat nuts?"),
        ("I can't have nuts", "what am i allergic to"),
        ("my kids love milk but I'm intolerant", "do I have any allergies?"),
        ("my doctor told me not to take ibuprofen", "what meds should I avoid"),
        ("依依对鸡蛋过敏", "依依对什么过敏？"),
        ("我儿子对芒果过敏", "我儿子对什么过敏"),
        ("陈墨对海鲜过敏，菜单要注意", "谁对海鲜过敏"),
        ("医生说我对青霉素过敏", "我对什么过敏"),
        ("对虾过敏", "我有什么忌口"),
        ("老吴不能吃海鲜", "老吴忌口什么"),
        ("我喜欢吃虾", "依依对什么过敏"),
    ],
)
def test_what_harms_is_told_of_whom_it_harms(told: str, asked: str) -> None:
    assert may_harm_whom_it_asks(told, asked)


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("My friend Tash has twins, both are allergic to nuts", "What is Ivy allergic to?"),
        ("My friend Tash has twins and both are allergic to nuts", "what am I allergic to"),
        ("Sam is allergic to milk", "is Ivy allergic to milk?"),
        ("my son is allergic to wasps", "what is my daughter allergic to"),
        ("One of my cousins, Lila, is allergic to bees", "do I have any allergies?"),
        ("im allergic to kiwi", "who has a peanut allergy"),
        ("I can't eat gluten", "what is Leo intolerant to?"),
        ("依依对鸡蛋过敏", "果果对什么过敏？"),
        ("我闺蜜的双胞胎都对坚果过敏", "依依对什么过敏？"),
        ("我同事对花粉过敏", "我对什么过敏？"),
        ("我对虾过敏", "我儿子对什么过敏"),
        ("我儿子对芒果过敏", "我女儿对什么过敏"),
        ("陈墨对海鲜过敏", "我不能吃什么"),
        ("我对虾过敏", "谁对花生过敏"),
    ],
)
def test_what_harms_another_is_never_told_of_whom_it_is_asked(told: str, asked: str) -> None:
    assert not may_harm_whom_it_asks(told, asked)
