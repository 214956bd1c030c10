"""Everything that can be set of an agent by name: the laws' parameters, and what is beside them.

A name is whole, ``tiers.fact_decay``, as ``docs/settings.md`` has it; what is beside the laws has
the name of its field in :class:`~memory.model.AgentSettings`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Final, NamedTuple, cast

from memory import refusals
from memory.errors import InputRefused
from memory.laws.contract import USER_FACTOR, Bound, ParameterValue, bounds_of
from memory.laws.law import Birth, Event
from memory.laws.registry import Laws, Rules, ordered_pairs
from memory.model import (
    AgentSettings,
    Kind,
    Language,
    Memory,
    Nature,
    Origin,
    Source,
    Tier,
    Words,
)
from memory.sentences import FilledSentence, Listed

BESIDE_THE_LAWS: Final = (
    Bound(
        name="user_factor",
        low=USER_FACTOR[0],
        high=USER_FACTOR[1],
        zh="U：忘得快慢，0.8 慢，1.3 快（只在 weights 下起作用）",
        en="U: 0.8 forgets slowly, 1.3 fast (under `weights` only)",
    ),
    Bound(
        name="retention_floor",
        high=1.0,
        zh="忘光了的记忆，排序时还剩几成分数",
        en="share of its score that a forgotten memory keeps in ranking",
    ),
    Bound(
        name="injected_tokens",
        low=100,
        high=20_000,
        whole=True,
        zh="一次回答最多带上多少 token 的记忆",
        en="tokens of memories that one answer is given, at most",
    ),
    Bound(
        name="context_threshold_ratio",
        low=0.5,
        high=1.0,
        zh="一次提问占满多少，就先把最早的几轮写成情节",
        en="how full a prompt may be before its oldest rounds become episodes",
    ),
    Bound(name="time_zone", form="zone", zh="时区，一天从哪里算起", en="where the days begin"),
    Bound(name="partner", form="name", zh="怎么称呼对方", en="what the partner is called"),
    Bound(
        name="listening",
        choices=(True, False),
        zh="群里没有对她说的话，也听",
        en="in a group, lines that are not said to her are kept too",
    ),
    Bound(
        name="mode",
        choices=("normal", "review", "debug"),
        zh="`/memory` 看多远",
        en="how far `/memory` looks",
    ),
    Bound(
        name="notices",
        choices=(True, False),
        zh="学到什么时说一声",
        en="what was just learnt is said",
    ),
    Bound(
        name="quiet_hours",
        form="hours",
        zh="从几点到几点不主动找人（到点的提醒照响）",
        en="from when until when she does not write first (a reminder comes at its hour)",
    ),
)
"""What can be set of an agent beside its law's parameters, under the names of its fields."""

UNNAMED: Final[dict[Language, str]] = {"zh": "主人", "en": "my friend"}
"""What a partner is called where nobody said what."""

_ALSO_CALLED: Final = {
    "u": "user_factor",
    "zone": "time_zone",
    "timezone": "time_zone",
    "name": "partner",
    "时区": "time_zone",
    "称呼": "partner",
    "quiet": "quiet_hours",
    "安静": "quiet_hours",
    "免打扰": "quiet_hours",
}


class Setting(NamedTuple):
    """One thing that can be set of an agent: its whole name, and the law it belongs to, if any."""

    name: str
    law: str
    bound: Bound
    default: ParameterValue

    def value_in(self, settings: AgentSettings) -> ParameterValue:
        """Return what it is in these settings."""
        if self.law:
            return dict(settings.parameters).get(self.name, self.default)
        return cast("ParameterValue", getattr(settings, self.name))

    def default_in(self, settings: AgentSettings) -> ParameterValue:
        """Return what it is where nobody set it."""
        return UNNAMED[settings.language] if self.name == "partner" else self.default

    def put_into(self, settings: AgentSettings, value: ParameterValue) -> AgentSettings:
        """Return the settings with another value; what is a default is not stored."""
        if not self.law:
            field: dict[str, Any] = {self.name: value}
            return replace(settings, **field)
        kept = {name: each for name, each in settings.parameters if name != self.name}
        if value != self.default:
            kept[self.name] = value
        return replace(settings, parameters=tuple(sorted(kept.items())))


@lru_cache(maxsize=8)  # a program has one set of laws, and every command asks
def settings_of(laws: Laws) -> tuple[Setting, ...]:
    """Return everything that can be set, law by law, and last what is beside the laws."""
    plain = AgentSettings()
    return (
        *(
            Setting(f"{law.name}.{bound.name}", law.name, bound, default)
            for law in laws.each
            for _, bound, default in bounds_of(law.parameters)
        ),
        *(Setting(each.name, "", each, getattr(plain, each.name)) for each in BESIDE_THE_LAWS),
    )


def setting_named(laws: Laws, name: str, law: str = "") -> Setting | None:
    """Return the setting of that name, in any case; a bare name is one of ``law`` first."""
    wanted = _ALSO_CALLED.get(name.casefold(), name).casefold()
    known = {each.name.casefold(): each for each in settings_of(laws)}
    return known.get(f"{law}.{wanted}".casefold()) or known.get(wanted)


def disordered(laws: Laws, settings: AgentSettings) -> tuple[Setting, Setting] | None:
    """Return the first two settings of which one exceeds the other although it may not."""
    known = {each.name: each for each in settings_of(laws)}
    for low, high in ordered_pairs(laws.each):
        one, other = known[low], known[high]
        if float(one.value_in(settings)) > float(other.value_in(settings)):
            return one, other
    return None


def _unknown(laws: Laws, name: str) -> FilledSentence:
    known = [each.name for each in settings_of(laws)]
    same = (each for each in known if each.rpartition(".")[2] == name.casefold())
    near = next(same, None) or next(iter(get_close_matches(name, known, n=1)), None)
    if near:
        return FilledSentence(refusals.SETTING_MEANT, name=repr(name), near=near)
    return FilledSentence(refusals.NO_SUCH_SETTING, name=repr(name), first=known[0])


_PARTS: Final = re.compile(r"[;；\n]")


def with_written(settings: AgentSettings, written: str, laws: Laws) -> AgentSettings:
    """Return the settings with what is written as ``name=value; name=value``.

    Raises :class:`InputRefused` naming everything that is wrong with it.
    """
    wrong: list[FilledSentence] = []
    for part in filter(None, map(str.strip, _PARTS.split(written))):
        name, _, value = (each.strip() for each in part.partition("="))
        setting = setting_named(laws, name)
        read = setting.bound.read(value) if setting is not None else None
        if setting is None:
            wrong.append(_unknown(laws, name))
        elif read is None:
            wrong.append(FilledSentence(refusals.MUST_BE, name=setting.name, range=setting.bound))
        else:
            settings = setting.put_into(settings, read)
    if wrong:
        raise InputRefused(Listed(wrong))
    laws.check(settings)
    return settings


@dataclass(frozen=True, slots=True, kw_only=True)
class TypicalLife:
    """A memory as there are many, on which one can see what a parameter does.

    ``event`` happens to it after ten days, and twice more on that day where it is told again.
    """

    tier: Tier = Tier.FACT
    kind: Kind = Kind.FACT
    explicit: bool = False
    salience: float = 0.5
    confidence: float = 0.7
    event: Event | None = None

    def retention(self, days: Sequence[float], rules: Rules, now: datetime) -> list[float]:
        """Return what these rules retain of it so many days after it began, 0 to 1.

        Under a law that counts cycles, one a day is assumed.
        """
        if rules.law.by_cycle is not None:
            params = rules.parameters_of(rules.law)
            return [min(rules.law.by_cycle(int(day), params), 1.0) for day in days]
        memory = self._begun(rules, now)
        happens = list(self._events(now))
        found = []
        for day in days:
            at = now + timedelta(days=day)
            while happens and happens[0][0] <= at:
                when, event = happens.pop(0)
                memory = rules.after_event(memory, event, when)
            found.append(rules.judge_recall(memory, rules.context(at)).retention)
        return found

    def _begun(self, rules: Rules, now: datetime) -> Memory:
        born = Birth(at=now, tier=self.tier, explicit=self.explicit, salience=self.salience)
        return Memory(
            id=1,
            words=Words(text=""),
            nature=Nature(tier=self.tier, kind=self.kind),
            trace=rules.new_trace(born, confidence=self.confidence),
            origin=Origin(source=Source.USER, at=now),
        )

    def _events(self, now: datetime) -> Iterator[tuple[datetime, Event]]:
        if self.event is None:
            return
        again = (0.0, 0.2, 0.4) if self.event is Event.MENTION else (0.0,)
        for later in again:
            yield now + timedelta(days=10.0 + later), self.event


def _typical_lives() -> Iterator[TypicalLife]:
    """Yield lives from the plainest on: the first on which a parameter shows is shown."""
    yield TypicalLife()
    yield TypicalLife(tier=Tier.EPISODE)
    yield TypicalLife(explicit=True)
    yield from (TypicalLife(kind=kind) for kind in Kind)
    yield from (TypicalLife(salience=salience) for salience in (0.1, 0.9))
    yield from (TypicalLife(event=event) for event in Event)
    yield TypicalLife(confidence=0.9)


class ShownEffect(NamedTuple):
    """What another value does to a typical life: its retention by now, and as it would be."""

    life: TypicalLife
    now: list[float]
    then: list[float]


LEAST_SHOWN: Final = 0.005
"""Curves that are nearer to each other than this look the same."""


def shown_effect(
    before: Rules, after: Rules, days: Sequence[float], now: datetime
) -> ShownEffect | None:
    """Return the first typical life that two rules treat differently; None if time tells none."""
    for life in _typical_lives():
        curves = [life.retention(days, rules, now) for rules in (before, after)]
        if any(abs(one - other) >= LEAST_SHOWN for one, other in zip(*curves, strict=True)):
            return ShownEffect(life, *curves)
    return None
