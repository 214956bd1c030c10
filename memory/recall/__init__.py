"""Recall: finding the passages a question is about, and saying why.

What each part brings was measured: ``docs/recall.md``.
"""

from memory.recall.search import Hit, Recall

__all__ = ["Hit", "Recall"]
