"""Everything that can be set by name: names, ranges, what is written, and what a value does."""

from dataclasses import fields, replace

import pytest

from memory.errors import InputRefused
from memory.laws.contract import Bound
from memory.laws.registry import Laws
from memory.laws.settings import (
    BESIDE_THE_LAWS,
    Setting,
    TypicalLife,
    disordered,
    setting_named,
    settings_of,
    shown_effect,
    with_written,
)
from memory.model import AgentSettings, Kind
from tests.fakes.clock import NOON

LAWS = Laws()
PLAIN = AgentSettings()
DAYS = [float(day) for day in range(0, 91, 2)]
HAVE_COMMANDS = {
    "law",
    "parameters",
    "language",
    "learning",
    "diary_days",
    "begins",
    "not_begun",
    "unmentioned",
}
"""Fields with a command of their own, and the language, which a memory keeps."""


def named(name: str, law: str = "") -> Setting:
    found = setting_named(LAWS, name, law)
    assert found is not None, name
    return found


def test_whatever_an_agent_lives_by_can_be_set_somewhere() -> None:
    beside = {each.name for each in BESIDE_THE_LAWS}

    assert beside | HAVE_COMMANDS == {each.name for each in fields(AgentSettings)}
    assert len({each.name.casefold() for each in settings_of(LAWS)}) == len(settings_of(LAWS))


def test_a_name_is_found_whole_bare_in_its_law_and_in_any_case() -> None:
    assert named("TIERS.fact_decay").name == "tiers.fact_decay"
    assert named("fact_decay", "tiers").name == "tiers.fact_decay"
    assert named("initialstability", "ebbinghaus").name == "ebbinghaus.initialStability"
    assert named("U", "weights").name == "user_factor"
    assert named("时区").name == "time_zone"
    assert setting_named(LAWS, "fact_decay", "weights") is None


@pytest.mark.parametrize(
    ("name", "written", "value"),
    [
        ("tiers.fact_decay", "０.97", 0.97),
        ("tiers.rest_days", "10", 10),
        ("weights.c_mode", "Sinking", "sinking"),
        ("ebbinghaus.literal_failure", "开", True),
        ("listening", "off", False),
        ("time_zone", "Asia/Tokyo", "Asia/Tokyo"),
        ("partner", "小雨", "小雨"),
    ],
)
def test_what_is_written_is_read(name: str, written: str, value: object) -> None:
    assert named(name).bound.read(written) == value


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("tiers.fact_decay", "1.01"),
        ("tiers.fact_decay", "nan"),
        ("tiers.fact_decay", "inf"),
        ("tiers.fact_decay", "much"),
        ("tiers.rest_days", "7.5"),
        ("weights.c_mode", "up"),
        ("time_zone", "Mars/Olympus"),
        ("time_zone", "../../etc/passwd"),
        ("partner", ""),
        ("partner", "x" * 41),
        ("partner", "a\nb"),
    ],
)
def test_what_may_not_be_is_not_read(name: str, written: str) -> None:
    assert named(name).bound.read(written) is None


def test_a_range_is_said_in_both_languages() -> None:
    bound = Bound(name="x", zh="", en="", low=0, high=9, whole=True)

    assert bound.in_language("en") == "0 to 9, whole"
    assert bound.in_language("zh") == "0 到 9，整数"
    assert "时区" in named("zone").bound.in_language("zh")


def test_only_what_differs_is_stored_and_a_default_leaves_no_trace() -> None:
    decay = named("tiers.fact_decay")
    changed = decay.put_into(PLAIN, 0.97)

    assert changed.parameters == (("tiers.fact_decay", 0.97),)
    assert decay.value_in(changed) == 0.97
    assert decay.put_into(changed, decay.default) == PLAIN
    assert named("name").default_in(replace(PLAIN, language="en")) == "my friend"


def test_what_is_written_for_new_agents_holds_or_is_refused_whole() -> None:
    found = with_written(PLAIN, "tiers.fact_decay=0.97; U=0.8；partner=小雨;", LAWS)

    assert found.parameters == (("tiers.fact_decay", 0.97),)
    assert (found.user_factor, found.partner) == (0.8, "小雨")
    assert with_written(PLAIN, " ", LAWS) == PLAIN
    with pytest.raises(InputRefused) as refused:
        with_written(PLAIN, "tiers.fact_decay=2; colour=1; fact_decay=0.9", LAWS)
    assert "tiers.fact_decay must be 0.5 to 1" in str(refused.value)
    assert "'colour' can not be set; what can be is in docs/settings.md" in str(refused.value)
    assert "'fact_decay' can not be set: did you mean tiers.fact_decay?" in str(refused.value)


def test_what_may_not_exceed_another_is_named() -> None:
    low, high = named("disuse.everyday"), named("disuse.full_from")

    assert disordered(LAWS, low.put_into(PLAIN, 0.9)) == (low, high)
    assert disordered(LAWS, low.put_into(high.put_into(PLAIN, 0.95), 0.9)) is None


@pytest.mark.parametrize(
    ("name", "value", "life"),
    [
        ("tiers.fact_decay", 0.97, TypicalLife()),
        ("weights.I.lesson", 3.0, TypicalLife(kind=Kind.LESSON)),
        ("tiers.explicit_importance", 2.0, TypicalLife(explicit=True)),
        ("network.decay_rate", 0.9, TypicalLife()),
    ],
)
def test_a_value_shows_on_the_plainest_life_it_touches(
    name: str, value: float, life: TypicalLife
) -> None:
    setting = named(name)
    before = replace(PLAIN, law=setting.law)
    after = setting.put_into(before, value)
    shown = shown_effect(LAWS.rules(before), LAWS.rules(after), DAYS, NOON)

    assert shown is not None
    assert shown.life == life
    assert shown.now == life.retention(DAYS, LAWS.rules(before), NOON)
    assert shown.then != shown.now


def test_what_time_does_not_tell_has_no_curve() -> None:
    before = replace(PLAIN, law="network")
    after = named("network.capacity").put_into(before, 50)

    assert shown_effect(LAWS.rules(before), LAWS.rules(after), DAYS, NOON) is None
