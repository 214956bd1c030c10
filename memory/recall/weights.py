"""How much each sign of :mod:`memory.recall.relevance` counts, in log-odds.

Fitted by ``benchmarks/recall.py --fit`` (listwise softmax, ``benchmarks/fit.py``), once for
questions written with spaces between words and once for those without: the script of a question
decides, nothing else. One value was set by hand: ``assistant`` of the first, where no assistant
speaks in the data.
"""

from typing import Final

SPACED_WEIGHTS: Final[dict[str, float]] = {
    "band": 5.3,
    "own": 0.3,
    "scene": 0.0,
    "day": 1.4,
    "days_beside": 0.4,
    "week": 0.4,
    "rarest": 0.0,
    "covered": 1.5,
    "in_time": 1.3,
    "in_days": 1.5,
    "in_weeks": 1.9,
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
DENSE_WEIGHTS: Final[dict[str, float]] = {
    "band": 2.7,
    "own": 2.5,
    "scene": 1.6,
    "day": 1.2,
    "days_beside": 0.4,
    "week": 1.4,
    "rarest": 0.9,
    "covered": -0.6,
    "in_time": 1.5,
    "in_days": 1.8,
    "in_weeks": 2.7,
    "speaker": 2.6,
    "length": -1.0,
    "asks": 0.4,
    "tells_when": -0.2,
    "tells_number": 0.1,
    "assistant": -0.9,
    "answers": -0.2,
    "opening": 0.6,
    "tells_self": 0.0,
    "tells_past": 0.5,
    "tells_name": 0.2,
}
