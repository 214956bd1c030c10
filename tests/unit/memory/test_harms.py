"""What is told of what one must not eat, take or touch."""

import pytest

from memory.offline.harms import denies_harm, tells_what_harms


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
