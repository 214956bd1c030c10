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
