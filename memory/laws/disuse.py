"""The law ``disuse`` (ours): two strengths after Bjork & Bjork 1992, on the curve of FSRS-6.

*Storage strength* S, in days, grows with use, and the more the harder the memory was to reach;
only a correction and a negation lower it. *Retrieval strength* R, 0 to 1, falls as a power of the
time since the last success, the slower the larger S. R decides what comes to mind; nothing is
deleted.

Formulas w0–w20: FSRS-6, github.com/open-spaced-repetition (py-fsrs 6.3), its published default
weights. What is ours is said in ``docs/decisions/law-disuse.md``.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import exp
from typing import Final, NamedTuple

from memory.laws.contract import (
    NO_FATES,
    HealthColour,
    LawContext,
    choice_parameter,
    elapsed_days,
    grace_factor,
    may_fade,
    number_parameter,
)
from memory.laws.law import Assessment, Birth, Event, Law, Quantity, Title, firm, number_of
from memory.model import Kind, Level, Memory, Tier, Trace

STORAGE: Final = "disuse.storage"
DIFFICULTY: Final = "disuse.difficulty"
SUCCESS_AT: Final = "disuse.success_at"
DUE: Final = "disuse.due"
SALIENCE: Final = "disuse.salience"
BORN: Final = "disuse.born"

LEAST_STORAGE: Final = 0.001
LARGEST_STORAGE: Final = 365_000.0
"""Ten times that of the firmest line at birth, so that use makes it firmer still."""

EASIEST, HARDEST = 1.0, 10.0
NEGATED: Final = 0.1
"""What is left of S once the partner said that it no longer holds."""

SALIENT_FROM: Final = 0.5
"""Of what is less salient nobody is warned when it fades."""

_GOOD: Final = frozenset(
    {Event.SUCCESS, Event.MENTION, Event.BOOST, Event.MANUAL, Event.KEEP, Event.PROMOTE}
)

# Memories that are older than the law were born without a salience: their sort stands in for it.
_SALIENCE_BY_KIND: Final = {
    Kind.IDENTITY: 1.0,
    Kind.LASTING_PREFERENCE: 1.0,
    Kind.SKILL: 0.8,
    Kind.LESSON: 0.8,
    Kind.FACT: 0.7,
    Kind.PASSING_PREFERENCE: 0.4,
    Kind.TEMPORARY: 0.1,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DisuseParameters:
    """Birth, borders, and the weights of FSRS-6 as published; S in days, R from 0 to 1."""

    birth_low: float = number_parameter(
        "birth_low", 0.25, 0.01, 30, "闲话的初始 S（天）", "S of chatter at birth, days"
    )
    birth_high: float = number_parameter(
        "birth_high", 60.0, 0.1, 3650, "要紧事的初始 S（天）", "S of what matters, days"
    )
    salience_low: float = number_parameter(
        "salience_low", 0.2, 0, 1, "显著度到此为闲话", "chatter up to this salience"
    )
    salience_high: float = number_parameter(
        "salience_high", 0.8, 0, 1, "显著度从此为要紧", "what matters from this salience"
    )
    line_high: float = number_parameter(
        "line_high",
        36500.0,
        0.1,
        36500,
        "最要紧的一句话的初始 S（天）",
        "S of a line that matters, days",
    )
    everyday: float = number_parameter(
        "everyday", 0.6, 0, 1, "R 不低于此会自然想起", "comes to mind from this R"
    )
    full_from: float = number_parameter("full_from", 0.7, 0, 1, "完整：R ≥", "level full: R ≥")
    tag_from: float = number_parameter("tag_from", 0.45, 0, 1, "标签：R ≥", "level tag: R ≥")
    decay: float = number_parameter("w20", 0.1542, 0.1, 0.8, "曲线的指数", "exponent of the curve")
    growth: float = number_parameter("w8", 1.8722, 0, 4.5, "用到时 S 的增长", "growth of S by use")
    growth_slows: float = number_parameter(
        "w9", 0.1666, 0, 0.8, "S 越大增长越慢", "less growth the larger S"
    )
    growth_hard: float = number_parameter(
        "w10", 0.796, 0.001, 3.5, "越难想起增长越多", "more growth the lower R"
    )
    lapse: float = number_parameter("w11", 1.4835, 0.001, 5, "纠正后的 S", "S after a correction")
    lapse_difficulty: float = number_parameter(
        "w12", 0.0614, 0.001, 0.25, "纠正：难度的作用", "correction: by difficulty"
    )
    lapse_storage: float = number_parameter(
        "w13", 0.2629, 0.001, 0.9, "纠正：原来 S 的作用", "correction: by S"
    )
    lapse_retrieval: float = number_parameter(
        "w14", 1.6483, 0, 4, "纠正：R 的作用", "correction: by R"
    )
    same_day: float = number_parameter("w17", 0.5425, 0, 2, "同一天内的变化", "within a day")
    same_day_offset: float = number_parameter(
        "w18", 0.0912, 0, 2, "同一天内：偏移", "within a day: offset"
    )
    same_day_slows: float = number_parameter(
        "w19", 0.0658, 0, 0.8, "同一天内：S 的作用", "within a day: by S"
    )
    difficulty_base: float = number_parameter(
        "w4", 6.4133, 1, 10, "难度的起点", "base of the difficulty"
    )
    difficulty_grade: float = number_parameter(
        "w5", 0.8334, 0.001, 4, "难度：首次结果", "difficulty by the first grade"
    )
    difficulty_step: float = number_parameter(
        "w6", 3.0194, 0.001, 4, "难度的步长", "step of the difficulty"
    )
    difficulty_return: float = number_parameter(
        "w7", 0.001, 0.001, 0.75, "难度的回归", "return of the difficulty"
    )
    refit: bool = choice_parameter(
        "refit", (False, True), "每晚按自己的回忆重新拟合", "fitted anew every night"
    )


class Strengths(NamedTuple):
    """What is kept of one memory: S in days, its difficulty 1 to 10, and the last success."""

    storage: float
    difficulty: float
    at: datetime


def retrieval(days: float, storage: float, decay: float) -> float:
    """Return R = (1 + F·days/S)^−d, with F such that R is 0.9 after S days.

    >>> retrieval(5.0, 5.0, 0.1542)
    0.9
    """
    factor = 0.9 ** (-1.0 / decay) - 1.0
    return float((1.0 + factor * max(days, 0.0) / storage) ** -decay)


def after_success(known: Strengths, days: float, params: DisuseParameters) -> tuple[float, float]:
    """Return S and difficulty after a success, FSRS's Good, ``days`` after the last."""
    storage, difficulty = known.storage, known.difficulty
    if days < 1.0:
        longer = max(_same_day_factor(storage, 0, params), 1.0) * storage
    else:
        retrieved = retrieval(days, storage, params.decay)
        harder = exp((1.0 - retrieved) * params.growth_hard) - 1.0
        slower = storage**-params.growth_slows
        longer = storage * (1.0 + exp(params.growth) * (11.0 - difficulty) * slower * harder)
    return _within(longer), _next_difficulty(difficulty, 0, params)


def after_lapse(known: Strengths, days: float, params: DisuseParameters) -> tuple[float, float]:
    """Return S and difficulty after a correction, FSRS's Again, ``days`` after the last."""
    storage, difficulty = known.storage, known.difficulty
    if days < 1.0:
        shorter = _same_day_factor(storage, -2, params) * storage
    else:
        forgotten = 1.0 - retrieval(days, storage, params.decay)
        shorter = min(
            params.lapse
            * difficulty**-params.lapse_difficulty
            * ((storage + 1.0) ** params.lapse_storage - 1.0)
            * exp(forgotten * params.lapse_retrieval),
            storage / exp(params.same_day * params.same_day_offset),
        )
    return _within(shorter), _next_difficulty(difficulty, -2, params)


def birth(salience: float, params: DisuseParameters) -> tuple[float, float]:
    """Return S and difficulty at birth: from chatter, 1/4 day and 10, to what matters, 60 and 1.

    S grows geometrically between the two borders of salience.
    """
    return _born_between(params.birth_low, params.birth_high, _share(salience, params))


def line_birth(salience: float, params: DisuseParameters) -> tuple[float, float]:
    """Return the same of a line of talk: from 1/4 day to a hundred years.

    The lines of a life differ more than what was learnt, and their order has to outlast their age.
    """
    return _born_between(params.birth_low, params.line_high, _share(salience, params))


def _share(salience: float, params: DisuseParameters) -> float:
    span = max(params.salience_high - params.salience_low, 1e-9)
    return min(max((salience - params.salience_low) / span, 0.0), 1.0)


def _born_between(low: float, high: float, share: float) -> tuple[float, float]:
    return low * (high / low) ** share, HARDEST - (HARDEST - EASIEST) * share


def strengths(memory: Memory, params: DisuseParameters) -> Strengths:
    """Return what is kept of a memory; of one older than the law, what its sort suggests."""
    trace = memory.trace
    storage = number_of(trace, STORAGE)
    if storage:
        at = datetime.fromtimestamp(number_of(trace, SUCCESS_AT), UTC)
        return Strengths(storage, number_of(trace, DIFFICULTY, HARDEST), at)
    storage, difficulty = birth(salience_of(memory), params)
    return Strengths(storage, difficulty, max(trace.accessed_at, trace.activated_at))


def salience_of(memory: Memory) -> float:
    """Return the salience a memory was born with; of one older than the law, by its sort."""
    known = number_of(memory.trace, SALIENCE, -1.0)
    if known >= 0.0:
        return known
    return 1.0 if memory.origin.verified else _SALIENCE_BY_KIND[memory.nature.kind]


def is_over(memory: Memory, now: datetime) -> bool:
    """Whether the day of what it promises or plans is past."""
    due = number_of(memory.trace, DUE)
    return 0.0 < due < now.timestamp()


def _same_day_factor(storage: float, grade: int, params: DisuseParameters) -> float:
    """Return e^(w17·(grade + w18))·S^−w19; ``grade`` counts from Good."""
    grown = exp(params.same_day * (grade + params.same_day_offset))
    return float(grown * storage**-params.same_day_slows)


def _next_difficulty(difficulty: float, grade: int, params: DisuseParameters) -> float:
    """Return the difficulty after a grade, counted from Good: damped, and drawn to easy."""
    easy = params.difficulty_base - exp(params.difficulty_grade * 3) + 1.0
    step = (HARDEST - difficulty) * -(params.difficulty_step * grade) / 9.0
    back = params.difficulty_return
    return min(max(back * easy + (1.0 - back) * (difficulty + step), EASIEST), HARDEST)


def _within(storage: float) -> float:
    return min(max(storage, LEAST_STORAGE), LARGEST_STORAGE)


def _retrieval_now(memory: Memory, context: LawContext, params: DisuseParameters) -> float:
    storage, _, at = strengths(memory, params)
    if is_over(memory, context.now):
        # What is past its date is no more than chatter, however firm it was.
        storage = min(storage * NEGATED, params.birth_low)
    days = elapsed_days(at, context.now) / grace_factor(memory)
    return retrieval(days, storage, params.decay)


def _judge(memory: Memory, context: LawContext, params: DisuseParameters) -> Assessment:
    if not may_fade(memory):
        return firm(1.0)
    now = _retrieval_now(memory, context, params)
    return _assessed(memory, now, params)


def _judge_line(
    memory: Memory, salience: float, context: LawContext, params: DisuseParameters
) -> Assessment:
    """Judge a line of an episode: born by its own salience, grown as its episode has grown since.

    What was used, corrected or negated is the episode, so all its lines share in that.
    """
    if not may_fade(memory):
        return firm(1.0)
    known = strengths(memory, params)
    # An episode that is older than its lines' own births was born as a fact is.
    born = number_of(memory.trace, BORN) or birth(salience_of(memory), params)[0]
    storage = _within(line_birth(salience, params)[0] * known.storage / born)
    days = elapsed_days(known.at, context.now) / grace_factor(memory)
    return _assessed(memory, retrieval(days, storage, params.decay), params)


def _assessed(memory: Memory, now: float, params: DisuseParameters) -> Assessment:
    return Assessment(
        now,
        now,
        recallable=now >= params.everyday,
        colour=_colour(memory, now, params),
        fates=NO_FATES,  # what fades goes on to be found when it is looked up
    )


def _colour(memory: Memory, now: float, params: DisuseParameters) -> HealthColour:
    """Return yellow where something salient fades, red where it no longer comes to mind."""
    if now >= params.full_from or salience_of(memory) < SALIENT_FROM:
        return HealthColour.GREEN
    return HealthColour.YELLOW if now >= params.everyday else HealthColour.RED


def _level(retention: float, params: DisuseParameters) -> Level:
    """Return how much comes to mind at that R; no stored word changes."""
    if retention >= params.full_from:
        return Level.FULL
    if retention >= params.everyday:
        return Level.SUMMARY
    return Level.TAG if retention >= params.tag_from else Level.TRACE


def _cue_from(params: DisuseParameters) -> float:
    return params.tag_from


def _at_birth(trace: Trace, born: Birth, params: DisuseParameters) -> Trace:
    salience = 1.0 if born.explicit else born.salience
    # An episode shows its firmest line.
    is_talk = born.tier is Tier.EPISODE
    storage, difficulty = (line_birth if is_talk else birth)(salience, params)
    due = 0.0 if born.due is None else born.due.timestamp()
    if due and not born.explicit:
        # Whatever its salience, what has a day comes to mind until then.
        days = elapsed_days(born.at, datetime.fromtimestamp(due, UTC))
        storage = max(storage, days * _share_of_life(params))
    # A salience of 0 would be read as none.
    more = {SALIENCE: max(round(salience, 4), 1e-4), DUE: due}
    more |= {BORN: round(storage, 6)} if is_talk else {}
    return _with_numbers(trace, Strengths(storage, difficulty, born.at), more)


def _share_of_life(params: DisuseParameters) -> float:
    """Return S for each day that R is to stay at ``full_from`` or above."""
    factor = 0.9 ** (-1.0 / params.decay) - 1.0
    return float(factor / (params.full_from ** (-1.0 / params.decay) - 1.0))


def _after_event(
    memory: Memory, event: Event, context: LawContext, params: DisuseParameters
) -> Trace:
    """Return the trace after a success, a correction or a negation; else as it was."""
    known = strengths(memory, params)
    days = elapsed_days(known.at, context.now)
    if event in _GOOD:
        storage, difficulty = after_success(known, days, params)
    elif event is Event.FAILURE:
        storage, difficulty = after_lapse(known, days, params)
    elif event is Event.NEGATE:
        lowered = known._replace(storage=_within(known.storage * NEGATED))
        return _with_numbers(memory.trace, lowered, {})
    else:
        return memory.trace
    # A card that failed is shown again; what was corrected must not be fresher for it.
    at = known.at if event is Event.FAILURE else context.now
    return _with_numbers(memory.trace, Strengths(storage, difficulty, at), {})


def _with_numbers(trace: Trace, known: Strengths, more: dict[str, float]) -> Trace:
    numbers = dict(trace.numbers) | {name: value for name, value in more.items() if value}
    numbers |= {
        STORAGE: round(known.storage, 6),
        DIFFICULTY: round(known.difficulty, 6),
        SUCCESS_AT: known.at.timestamp(),
    }
    return replace(trace, numbers=tuple(sorted(numbers.items())))


LAW: Final = Law(
    name="disuse",
    title=Title("久不用（disuse）", "disuse (disuse)"),
    also=("久不用", "废用"),
    quantity=Quantity(
        key="retrieval",
        title=Title("可想起", "retrieval"),
        full=1.0,
        format="{:.2f}".format,
    ),
    parameters=DisuseParameters,
    ordered=(
        ("birth_low", "birth_high"),
        ("birth_low", "line_high"),
        ("salience_low", "salience_high"),
        ("everyday", "full_from"),
        ("tag_from", "everyday"),
    ),
    judge=_judge,
    judge_line=_judge_line,
    at_birth=_at_birth,
    after_event=_after_event,
    level=_level,
    cue_from=_cue_from,
    decides_fates=False,
)
