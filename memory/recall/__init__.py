"""Recall: finding the passages a question is about, and saying why (DESIGN §7)."""

from memory.recall.ranking import Hit
from memory.recall.search import Recall

__all__ = ["Hit", "Recall"]
