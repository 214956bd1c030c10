"""Takes the ``<think>…</think>`` of a reasoning model off the front of its answer."""

from typing import Final

OPENING_TAG: Final = "<think>"
CLOSING_TAG: Final = "</think>"


class ThinkingFilter:
    """Passes a stream of text on without the thinking and the blank space it begins with.

    Text is held back only while it may still turn out to be thinking, so that an answer
    without any flows on at once.

    >>> thinking = Thinking()
    >>> [thinking.pass_on(text) for text in ("<thi", "nk>hm</th", "ink>  ", "你好", " <think>")]
    ['', '', '', '你好', ' <think>']
    """

    def __init__(self) -> None:
        self._held = ""
        self._inside = False
        self._thought = False
        self._over = False

    def feed(self, text: str) -> str:
        """Return what of ``text`` and of the text held back is certainly the answer."""
        if self._over:
            return text
        self._held += text
        if not self._inside:
            self._held = self._held.lstrip()
            self._inside = not self._thought and self._held.startswith(OPENING_TAG)
        if self._inside:
            self._drop_thought()
        if self._inside or self._may_be_thought:
            return ""
        self._over = True
        return self._held

    def finish(self) -> str:
        """Return what was held back, now that nothing follows; an unfinished thought is lost."""
        return "" if self._over or self._inside else self._held

    @property
    def _may_be_thought(self) -> bool:
        return not self._held or (not self._thought and OPENING_TAG.startswith(self._held))

    def _drop_thought(self) -> None:
        """Drop the thought; of an unfinished one keep what may be half of the closing tag."""
        _, closed, after = self._held.partition(CLOSING_TAG)
        self._inside = not closed
        self._thought = True
        self._held = after.lstrip() if closed else self._held[-len(CLOSING_TAG) :]
