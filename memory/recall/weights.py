"""How much each sign of relevance counts, in log-odds: for a question, and for what is told.

Fitted by ``benchmarks/recall.py --fit`` on four kinds of talk with one share each, and chosen by
what is found in a kind that was left out (``docs/recall.md``). No data set decides, but the line:
writing without spaces changes some weights, and so does telling instead of asking, by its share.
What Chinese changes lies two fifths of the way between two fits, of which one found more and the
other told better what is newer. ``talk``, ``feedback`` and ``recent`` were set by hand to count
for what is told and hardly for a question: fitted, they learnt when two sets ask, for no gain.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from memory.recall.query import Query

Weights: TypeAlias = Callable[[Query], Mapping[str, float]]
"""Gives the weight of every sign for a question."""


class SignWeight(NamedTuple):
    """What a sign counts in a question, and what is added for Chinese and for what is told."""

    asked: float
    dense: float
    told: float


SIGN_WEIGHTS: Final[Mapping[str, SignWeight]] = {
    "band": SignWeight(4.04, -1.10, -2.36),
    "own": SignWeight(0.48, 1.07, -0.34),
    "scene": SignWeight(0.89, 0.57, 0.70),
    "day": SignWeight(0.58, 0.31, -0.33),
    "days_beside": SignWeight(-0.11, 0.54, -0.09),
    "week": SignWeight(0.59, -0.20, -0.24),
    "rarest": SignWeight(0.13, 0.38, -0.28),
    "covered": SignWeight(1.14, -0.59, -0.15),
    "in_time": SignWeight(0.89, 0.59, -0.06),
    "in_days": SignWeight(0.70, 0.70, -0.11),
    "in_weeks": SignWeight(1.01, 1.35, -0.12),
    "speaker": SignWeight(0.97, 1.42, 0.03),
    "length": SignWeight(0.78, -0.46, -0.03),
    "asks": SignWeight(-0.54, 0.79, 0.04),
    "tells_when": SignWeight(1.03, -0.91, -0.05),
    "tells_number": SignWeight(0.23, -0.23, -0.01),
    "assistant": SignWeight(0.13, -1.00, 0.09),
    "answers": SignWeight(0.59, -0.87, -0.15),
    "opening": SignWeight(0.45, 0.14, -0.02),
    "tells_self": SignWeight(0.54, -0.45, 0.01),
    "tells_past": SignWeight(0.24, -0.06, -0.26),
    "tells_name": SignWeight(0.89, -0.43, 0.00),
    "talk": SignWeight(0.00, 0.00, 1.15),
    "feedback": SignWeight(0.00, 0.00, 1.41),
    "recent": SignWeight(0.10, 0.00, 1.50),
    "matter": SignWeight(1.50, 0.00, -1.50),
}


SIGN_NAMES: Final = tuple(SIGN_WEIGHTS)
"""The columns of :attr:`memory.recall.relevance.PassageSigns.signs`, in order."""


def fitted_weights(query: Query) -> Mapping[str, float]:
    """Return the weights for a line: by its script, and by how much of it asks or tells."""
    told = 1.0 - query.asking
    return {
        sign: weight.asked + query.dense * weight.dense + told * weight.told
        for sign, weight in SIGN_WEIGHTS.items()
    }


_TIME_SIGNS: Final = frozenset({"in_time", "in_days", "in_weeks"})

_AS_REACHED: Final = frozenset({"feedback", "recent", "matter"})
"""Signs that in some memories speak for no passage, which makes none of them less relevant."""


def best_possible(
    by_sign: Mapping[str, float], query: Query, reached: Mapping[str, float]
) -> float:
    """Return the highest score a passage can have for a question, in log-odds.

    ``reached`` is the highest value of each sign among the passages found.
    """
    return sum(
        weight * (reached[sign] if sign in _AS_REACHED else 1.0)
        for sign, weight in by_sign.items()
        if weight > 0.0 and can_apply(sign, query)
    )


def can_apply(sign: str, query: Query) -> bool:
    """Tell whether a question is such that a sign can speak for a passage at all."""
    if sign in _TIME_SIGNS:
        return bool(query.times_asked_about)
    if sign == "speaker":
        return bool(query.speakers)
    if sign == "tells_when":
        return query.wants_time
    if sign == "tells_name":
        return query.wants_name
    return query.wants_number if sign == "tells_number" else True
