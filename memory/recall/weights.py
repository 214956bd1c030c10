"""How much each sign of :mod:`memory.recall.evidence` counts, in log-odds.

Fitted by ``benchmarks/recall.py --fit`` (listwise softmax, ``benchmarks/fit.py``), once for
questions written with spaces between words and once for those without: the script of a question
decides, nothing else. Where the data could not tell (no assistant speaks in the one, few speakers
are named in the other) a value is taken over from the other script.
"""

from typing import Final

from memory.recall.query import Query

SPACED: Final[dict[str, float]] = {
    "band": 5.2,
    "own": 0.5,
    "scene": 0.0,
    "day": 1.7,
    "days_beside": 0.5,
    "rarest": 0.0,
    "covered": 1.4,
    "in_time": 1.3,
    "in_days": 1.5,
    "in_weeks": 1.8,
    "speaker": 1.1,
    "length": 1.7,
    "asks": -0.8,
    "tells_when": 1.8,
    "tells_number": 0.9,
    "assistant": -1.0,
    "answers": 0.7,
    "opening": 0.4,
    "tells_self": 0.6,
    "tells_past": 0.5,
    "tells_name": 1.2,
}
DENSE: Final[dict[str, float]] = {
    "band": 3.9,
    "own": 0.1,
    "scene": 1.5,
    "day": 1.4,
    "days_beside": 0.8,
    "rarest": 0.7,
    "covered": -1.4,
    "in_time": 1.9,
    "in_days": 1.8,
    "in_weeks": 1.9,
    "speaker": 1.1,
    "length": -1.3,
    "asks": 0.1,
    "tells_when": -0.2,
    "tells_number": 0.1,
    "assistant": -1.2,
    "answers": -0.1,
    "opening": 0.8,
    "tells_self": 0.2,
    "tells_past": 0.5,
    "tells_name": 0.7,
}


def weights(query: Query) -> dict[str, float]:
    """Return the weights for a question, by the script it is written in."""
    return DENSE if query.dense else SPACED
