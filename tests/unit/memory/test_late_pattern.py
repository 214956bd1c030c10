"""Regular expressions that wait until they are needed."""

import importlib
import re
from collections.abc import Iterable
from types import ModuleType

import pytest

from memory.text.late_pattern import LatePattern, lines_hold

WITH_RULES = (
    "memory.judgement.claims",
    "memory.judgement.senses",
    "memory.judgement.units",
    "memory.offline.claimed",
    "memory.offline.introductions",
    "memory.offline.questions",
    "memory.offline.warmth",
    "memory.text.slot_core",
)


def test_nothing_is_compiled_before_it_is_asked() -> None:
    late = LatePattern("(")

    assert late.pattern == "("
    with pytest.raises(re.error, match="missing"):
        late.search("x")


def test_it_answers_as_a_pattern_does() -> None:
    late, soon = LatePattern("猫|cat", re.IGNORECASE), re.compile("猫|cat", re.IGNORECASE)
    said = "Cat、猫咪 and a dog"

    assert late.findall(said) == soon.findall(said) == ["Cat", "猫"]
    assert late.split(said) == soon.split(said)
    assert late.sub("兔", said) == soon.sub("兔", said)
    assert [each.span() for each in late.finditer(said)] == [(0, 3), (4, 5)]
    assert late.match(said)
    assert not late.fullmatch(said)
    assert late.search(said, 3)


def _patterns_in(value: object) -> Iterable[LatePattern]:
    match value:
        case LatePattern():
            yield value
        case tuple() | list():
            for each in value:
                yield from _patterns_in(each)
        case dict():
            for each in value.values():
                yield from _patterns_in(each)
        case _ if hasattr(value, "__slots__") and not isinstance(value, type):
            for name in value.__slots__ or ():
                yield from _patterns_in(getattr(value, name, None))


def _of(module: ModuleType) -> list[LatePattern]:
    return [found for value in vars(module).values() for found in _patterns_in(value)]


@pytest.mark.parametrize("name", WITH_RULES)
def test_every_rule_that_waits_can_be_compiled(name: str) -> None:
    found = _of(importlib.import_module(name))

    assert len(found) >= 4
    for each in found:
        each.search("")


def test_lines_hold_what_one_of_them_holds_whatever_was_asked_before() -> None:
    json, code = re.compile("json", re.IGNORECASE), re.compile("代码|code")

    for _ in range(2):
        assert lines_hold(["在吗", "给我 JSON"], json)
        assert not lines_hold(["在吗", "给我 JSON"], code)
        assert lines_hold(("写段代码",), code)
        assert not lines_hold((), json)
    assert not lines_hold(["在吗"], re.compile("json"))
    assert lines_hold(["在吗"], re.compile("在"))
