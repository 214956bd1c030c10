"""Saying the same in fewer characters by rule: whole sentences, else clauses, else whole words."""

import re
from typing import Final

import rjieba

from memory.text.tokens import words
from prompts import Compress
from prompts.plain import one_line

_SENTENCE: Final = re.compile(r"[^。！？!?；;\n]+[。！？!?；;]*")
_CLAUSE: Final = re.compile(r"[^，,、]+[，,、]*")
_STAMP: Final = re.compile(r"^\[\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?\]\s*")
_BRACKETS: Final = re.compile(r"[\[\]［］【】〔〕]")


def compressed_lines(prompt: Compress) -> str:
    """Return text, phrase and keywords, none longer than before; the text fits the target."""
    target = int(prompt.characters) if prompt.characters.isdecimal() else len(prompt.text)
    text = shorten(prompt.text, target)
    phrase = shorten(prompt.phrase, min(len(prompt.phrase), max(target, 1)))
    kept = [word for word in prompt.keywords if word.lower() in text.lower()]
    named = kept or list(prompt.keywords[: (len(prompt.keywords) + 1) // 2])
    return (
        f"[TEXT] {text}\n[PHRASE] {phrase}\n[KEYWORDS] {','.join(map(_without_brackets, named))}"
    )


def shorten(text: str, target: int) -> str:
    """Return at most ``target`` characters of ``text``: its most telling parts, in their order.

    The date an episode begins with is kept if it leaves room for more than itself.
    """
    text = _without_brackets_but_stamp(text)
    if len(text) <= target:
        return text
    stamp = found[0] if (found := _STAMP.match(text)) and 2 * len(found[0]) <= target else ""
    body = _STAMP.sub("", text)
    room = target - len(stamp)
    picked = _densest_parts(_SENTENCE.findall(body), room) or _densest_parts(
        _CLAUSE.findall(body), room
    )
    short = picked.strip().rstrip("，,、；;") or _clipped_at_word(body, room)
    return (stamp + short)[:target]


def _densest_parts(parts: list[str], room: int) -> str:
    """Return as many parts as fit, the ones that tell most a character first, in their order."""
    taken: set[int] = set()
    for index in sorted(range(len(parts)), key=lambda i: (-_density(parts[i]), i)):
        if sum(len(parts[i]) for i in taken) + len(parts[index]) <= room:
            taken.add(index)
    return "".join(parts[index] for index in sorted(taken))


def _density(part: str) -> float:
    return sum(min(len(word), 4) for word in words(part)) / max(len(part), 1)


def _clipped_at_word(text: str, room: int) -> str:
    """Cut after the last whole word that fits; inside the first if not even that fits."""
    taken = ""
    for word in rjieba.cut(text):
        if len(taken) + len(word) > room:
            break
        taken += word
    return taken.strip() or text[:room].strip()


def _without_brackets(text: str) -> str:
    return _BRACKETS.sub("", one_line(text))


def _without_brackets_but_stamp(text: str) -> str:
    line = one_line(text)
    stamp = found[0] if (found := _STAMP.match(line)) else ""
    return stamp + _BRACKETS.sub("", line[len(stamp) :])
