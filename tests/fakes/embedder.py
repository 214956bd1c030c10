"""An embedder that knows a few words in several languages, and everything else by its letters."""

import hashlib
from collections.abc import Sequence

CONCEPTS = (
    ("猫", "cat", "kitten", "喵", "团子"),
    ("面试", "interview", "应聘"),
    ("面", "拉面", "ramen", "noodle"),
    ("雨", "rain", "storm"),
)
LENGTH = len(CONCEPTS) + 4


class FakeEmbedder:
    """Texts of one concept are near; the next ``failures`` calls answer nothing."""

    def __init__(self, name: str = "fake-1", *, length: int = LENGTH) -> None:
        self.name = name
        self.length = length
        self.failures = 0
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str]) -> list[list[float]] | None:
        if self.failures:
            self.failures -= 1
            return None
        self.asked += texts
        return [self.vector(text) for text in texts]

    def vector(self, text: str) -> list[float]:
        """Return the vector of a text: its concepts, and a little of its own."""
        known = [3.0 * any(word in text.lower() for word in words) for words in CONCEPTS]
        own = [byte / 255 - 0.5 for byte in hashlib.sha256(text.encode()).digest()]
        return [*known, *own][: self.length]
