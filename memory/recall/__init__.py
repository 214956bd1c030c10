"""Recall: finding the passages a question is about, and saying why.

What each part brings was measured: ``docs/recall.md``.
"""

from memory.recall.in_mind import DepthName, Reach
from memory.recall.meaning import NOTHING_NEAR, moment_text
from memory.recall.query import TalkLine
from memory.recall.ranking import Hit
from memory.recall.said_around import once_known
from memory.recall.search import Recall

__all__ = [
    "NOTHING_NEAR",
    "DepthName",
    "Hit",
    "Reach",
    "Recall",
    "TalkLine",
    "moment_text",
    "once_known",
]
