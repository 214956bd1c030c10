"""Which laws a program knows, and the rules that an agent's settings make of them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from typing import Any, Final, TypeVar, cast
from zoneinfo import ZoneInfo

from memory import refusals
from memory.errors import InputRefused
from memory.laws import disuse, ebbinghaus, network, tiers, weights
from memory.laws.contract import (
    LONE_CONNECTEDNESS,
    USER_FACTOR,
    LawContext,
    ParameterValue,
    allowed_fates,
    bounds_of,
    may_compress,
    may_fade,
    read_parameters,
)
from memory.laws.law import Assessment, Birth, Event, Law
from memory.model import AgentSettings, Deleted, Level, Memory, Mode, Nature, Tier, Trace
from memory.sentences import FilledSentence, Listed

LAWS: Final[tuple[Law[Any], ...]] = (
    tiers.LAW,
    ebbinghaus.LAW,
    weights.LAW,
    network.LAW,
    disuse.LAW,
)
"""Every law of this program, in the order they are shown."""

P = TypeVar("P")

_COUNTED: Final = frozenset({Event.ACCESS, Event.ASSOCIATION_HIT, Event.MANUAL})


@dataclass(frozen=True, slots=True)
class Laws:
    """The laws a program was started with, in the order they are shown."""

    each: tuple[Law[Any], ...] = LAWS

    @property
    def names(self) -> tuple[str, ...]:
        """Return the name of every law."""
        return tuple(law.name for law in self.each)

    def named(self, name: str) -> Law[Any]:
        """Return the law of that name; raises :class:`InputRefused`, naming those there are."""
        for law in self.each:
            if law.name == name:
                return law
        raise InputRefused(self.no_such_law(name))

    def no_such_law(self, name: str) -> FilledSentence:
        """Say that there is no law of that name, and which there are."""
        return FilledSentence(refusals.NO_SUCH_LAW, law=repr(name), laws=", ".join(self.names))

    def check(self, settings: AgentSettings) -> None:
        """Raise :class:`InputRefused` naming everything in ``settings`` that no law allows."""
        self.rules(settings)

    def rules(self, settings: AgentSettings) -> "Rules":
        """Return what ``settings`` make of the laws; raises as :meth:`check` does."""
        return _rules(self, settings)


@dataclass(frozen=True)
class Rules:
    """The law an agent lives by and its parameters, read once, and every other law's beside it."""

    laws: Laws
    settings: AgentSettings
    law: Law[Any]
    parameters: tuple[Any, ...]
    """The parameters of each of ``laws``, in their order."""

    @cached_property
    def _own_parameters(self) -> Any:
        return self.parameters_of(self.law)

    @cached_property
    def zone(self) -> ZoneInfo:
        """Return the time zone in which the agent counts days."""
        return ZoneInfo(self.settings.time_zone)

    def parameters_of(self, law: Law[P]) -> P:
        """Return the parameters of one law; its defaults if this program does not know it."""
        for known, params in zip(self.laws.each, self.parameters, strict=True):
            if known is law:
                return cast("P", params)
        return law.parameters()

    @property
    def cleanup_pause(self) -> timedelta:
        """Return how long after a cleanup by hand the agent's law wants none."""
        pause = self.law.cleanup_pause
        return timedelta(0) if pause is None else pause(self._own_parameters)

    def context(self, now: datetime, connectedness: float = LONE_CONNECTEDNESS) -> LawContext:
        """Return what the laws may see at ``now`` besides a memory."""
        return LawContext(now, self.zone, connectedness, self.settings.user_factor)

    def judge(self, memory: Memory, context: LawContext) -> Assessment:
        """Return what the agent's law says of a memory, its fates as far as every law allows."""
        found = self.judge_recall(memory, context)
        # Most memories on most nights: nothing to filter, nothing to copy.
        if not found.fates:
            return found
        return found._replace(fates=allowed_fates(memory, found.fates))

    def judge_recall(
        self, memory: Memory, context: LawContext, line_salience: float | None = None
    ) -> Assessment:
        """Return the same for whoever looks at no fates, as a search of many memories.

        With a salience it is of one line of an episode that is as salient as that, 0 to 1.
        """
        if line_salience is None or self.law.judge_line is None:
            return self.law.judge(memory, context, self._own_parameters)
        return self.law.judge_line(memory, line_salience, context, self._own_parameters)

    def amounts(self, memory: Memory, context: LawContext, found: Assessment) -> tuple[float, ...]:
        """Return the quantity of each of ``laws``, in their order, whatever the agent's law.

        ``found`` is what :meth:`judge` said of the memory in that context.
        """
        return tuple(
            (found if law is self.law else law.judge(memory, context, params)).amount
            for law, params in zip(self.laws.each, self.parameters, strict=True)
        )

    def new_trace(self, birth: Birth, *, confidence: float = 0.7) -> Trace:
        """Return the trace of a memory that begins, with the first numbers of every law."""
        trace = Trace.starting_at(birth.at, confidence=confidence)
        for law, params in zip(self.laws.each, self.parameters, strict=True):
            if law.at_birth is not None:
                trace = law.at_birth(trace, birth, params)
        return trace

    def after_event(self, memory: Memory, event: Event, now: datetime) -> Memory:
        """Return the memory as it is once ``event`` happened at ``now``, for all laws at once.

        ``access_count`` counts how often it was looked at or put into a prompt.
        """
        context = self.context(now)
        after = memory
        # Every law, not only the agent's: whoever changes the law later finds its numbers right.
        for law, params in zip(self.laws.each, self.parameters, strict=True):
            if law.after_event is not None:
                after = replace(after, trace=law.after_event(after, event, context, params))
        # The tier changes last: a law settles its number for the memory as it was until now.
        return replace(
            after,
            trace=_with_facts(after.trace, event, now),
            nature=_nature_after(memory.nature, event),
        )

    def asks_promotion(self, old: Memory, new: Memory, now: datetime) -> bool:
        """Whether what happened between the two states calls for a promotion review."""
        context = self.context(now)
        return any(
            law.asks_promotion is not None and law.asks_promotion(old, new, context, params)
            for law, params in zip(self.laws.each, self.parameters, strict=True)
        )


def stays(memory: Memory, rules: Rules) -> bool:
    """Whether nothing becomes of a memory under the agent's law, however little is counted of it.

    A name is none of it: it goes with the last that links to it.
    """
    if memory.nature.tier is Tier.ENTITY:
        return False
    return not may_fade(memory) or (rules.law.spares_sensitive and not may_compress(memory))


def level_in_mind(memory: Memory, retention: float, rules: Rules) -> Level:
    """Return how much of a memory comes to mind, never more than is stored."""
    law = rules.law
    if law.level is None or not may_fade(memory):
        return memory.words.level
    return min(memory.words.level, law.level(retention, rules.parameters_of(law)))


def is_visible(memory: Memory, assessment: Assessment, mode: Mode) -> bool:
    """Whether a query of that mode may see a memory of which the law says ``assessment``.

    Normal: active, at level full or summary, and recallable under the law. Review: everything
    not deleted. Debug: everything.
    """
    match mode:
        case Mode.DEBUG:
            return True
        case Mode.REVIEW:
            return not isinstance(memory.standing, Deleted)
        case Mode.NORMAL:
            shown = memory.is_active and memory.words.level >= Level.SUMMARY
            return shown and assessment.recallable


def _with_facts(trace: Trace, event: Event, now: datetime) -> Trace:
    """Return the trace with what no law owns: what happened, and how often."""
    if event in _COUNTED:
        return replace(trace, access_count=trace.access_count + 1)
    if event is Event.MENTION:
        return replace(trace, mention_count=trace.mention_count + 1)
    if event is Event.NEGATE:
        return replace(trace, negated_at=now)
    return trace


def _nature_after(nature: Nature, event: Event) -> Nature:
    if event is Event.PROMOTE and nature.tier is Tier.FACT:
        return replace(nature, tier=Tier.CORE)
    return nature


# Agents of one program share few settings, and a search asks for the rules of one many times.
@lru_cache(maxsize=256)
def _rules(laws: Laws, settings: AgentSettings) -> Rules:
    given = dict(settings.parameters)
    read = [read_parameters(law.parameters, law.name, given) for law in laws.each]
    violations = [
        *_unknown_keys(laws.each, given),
        *(each for _, refused in read for each in refused),
    ]
    # The order of two values says something only once each of them is allowed.
    violations = violations or list(_unordered_pairs(laws.each, given))
    if settings.law not in laws.names:
        violations.append(laws.no_such_law(settings.law))
    low, high = USER_FACTOR
    if not low <= settings.user_factor <= high:
        violations.append(
            FilledSentence(
                refusals.OUT_OF_RANGE,
                name="user_factor",
                value=repr(settings.user_factor),
                range=FilledSentence(refusals.FROM_TO, low=f"{low:g}", high=f"{high:g}"),
            )
        )
    if violations:
        raise InputRefused(Listed(violations))
    return Rules(
        laws=laws,
        settings=settings,
        law=laws.named(settings.law),
        parameters=tuple(
            law.parameters(**values) for law, (values, _) in zip(laws.each, read, strict=True)
        ),
    )


def _defaults(laws: Iterable[Law[Any]]) -> dict[str, ParameterValue]:
    return {
        f"{law.name}.{bound.name}": default
        for law in laws
        for _, bound, default in bounds_of(law.parameters)
    }


def _unknown_keys(
    laws: Iterable[Law[Any]], given: dict[str, ParameterValue]
) -> list[FilledSentence]:
    known = _defaults(laws)
    return [
        FilledSentence(refusals.NO_SUCH_PARAMETER, name=key) for key in given if key not in known
    ]


def _unordered_pairs(
    laws: tuple[Law[Any], ...], given: dict[str, ParameterValue]
) -> list[FilledSentence]:
    values = _defaults(laws) | given
    return [
        FilledSentence(
            refusals.EXCEEDS,
            low=low,
            value=repr(values[low]),
            high=high,
            most=repr(values[high]),
        )
        for low, high in ordered_pairs(laws)
        if float(values[low]) > float(values[high])
    ]


def ordered_pairs(laws: Iterable[Law[Any]]) -> list[tuple[str, str]]:
    """Return the pairs of parameters whose first may not exceed their second, as stored."""
    return [
        (f"{law.name}.{low}", f"{law.name}.{high}") for law in laws for low, high in law.ordered
    ]
