"""Long messages as passages of one size, so that length never decides what is found."""

import re
from collections.abc import Iterator
from hashlib import blake2b
from itertools import accumulate, pairwise
from typing import Final

from memory.text.tokens import LONG_TEXT, script_runs, segmented_words

_STRETCH_WORDS: Final = 55
_LONGEST_STRETCH: Final = 80
"""The words of a stretch of a long message, about and at most; what has no more stays whole."""

_SENTENCE: Final = re.compile(r"[^。！？!?…\n]*?(?:[。！？!?…]+[”』」\"’)）]*|\n+|\.(?=\s)|$)\s*")
_CLAUSE: Final = re.compile(r"[^，,；;：:、]*(?:[，,；;：:、]+|$)\s*")
_WORDS_ONLY: Final = bytes(each if chr(each).isalnum() else 32 for each in range(128)) + b" " * 128
"""Makes a space of every ASCII character that is in no word."""

_WORD_OR_PART: Final = re.compile(r"\s*\S{1,40}\s*|\s+")


def stretches(text: str) -> tuple[str, ...]:
    """Return a message as passages of one size: whole, or cut at sentences if it is long.

    Over 80 words are cut into stretches of some 30 to 80; joined, they are the message. What no
    sentence ends is cut at its clauses, else between words. A document (``LONG_TEXT``) is not.

    >>> stretches("短短一句。")
    ('短短一句。',)
    """
    if len(text) > LONG_TEXT or _has_few_words(text):
        return (text,)
    return _cut(text)


_MOST_KNOWN: Final = 1 << 15
_KNOWN_ENDS: Final[dict[bytes, tuple[int, ...]]] = {}
"""Where the stretches of long messages end, by the digest of each: every night asks for all."""


def _cut(text: str) -> tuple[str, ...]:
    key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    ends = _KNOWN_ENDS.get(key)
    if ends is None:
        ends = tuple(accumulate(map(len, _stretches_of(text))))
        if len(_KNOWN_ENDS) >= _MOST_KNOWN:
            _KNOWN_ENDS.clear()
        _KNOWN_ENDS[key] = ends
    return tuple(text[start:end] for start, end in pairwise((0, *ends)))


def _stretches_of(text: str) -> tuple[str, ...]:
    pieces = [(piece, words) for piece, words in _pieces(text) if piece]
    total = sum(words for _, words in pieces)
    if total <= _LONGEST_STRETCH:
        return (text,)
    wanted = total / max(round(total / _STRETCH_WORDS), 2)
    found: list[str] = []
    held, length, read = "", 0, 0
    for piece, words in pieces:
        # Where an equal share ends, so that no short end is left over.
        ended = read + words / 2 > wanted * (len(found) + 1)
        if held and (ended or length + words > _LONGEST_STRETCH):
            found.append(held)
            held, length = "", 0
        held, length, read = held + piece, length + words, read + words
    return (*found, held)


def _has_few_words(text: str) -> bool:
    """Whether a text surely stays whole: seen without a segmenter, for most messages do."""
    # No word is shorter than a character with what parts it from the next.
    if len(text) <= _LONGEST_STRETCH:
        return True
    # Whatever is not ASCII becomes a question mark and counts as if it were a word.
    plain = text.encode("ascii", "replace")
    others = plain.count(b"?") - text.count("?") - text.count("，")
    return others + len(plain.translate(_WORDS_ONLY).split()) <= _LONGEST_STRETCH


def _pieces(text: str) -> Iterator[tuple[str, int]]:
    """Yield sentences and how many words they have; of too long ones clauses, or single words."""
    for sentence in _SENTENCE.findall(text):
        words = _count_words(sentence)
        if words <= _LONGEST_STRETCH // 2:
            yield sentence, words
            continue
        for clause in _CLAUSE.findall(sentence):
            words = _count_words(clause)
            if words <= _LONGEST_STRETCH // 2:
                yield clause, words
            else:
                yield from ((part, _count_words(part)) for part in _WORD_OR_PART.findall(clause))


def _count_words(text: str) -> int:
    """Return about how many words a text has; of Chinese, those of the segmenter."""
    runs = list(script_runs(text))
    dense = sum(len(segmented_words(run)) for script, run in runs if script == "dense")
    return dense + sum(script == "word" for script, _ in runs)
