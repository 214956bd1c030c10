"""The compressor: saying the same in fewer words, for the law ``network``.

A shorter text is never longer than asked and says nothing the memory does not say (source document
002 §11.4). The caller keeps the former text for 30 days.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from memory.judgement.brackets import Unreadable, brackets, comma_separated
from memory.judgement.wording import Clause, clauses, covers, links_were_said, numbers_were_said
from memory.lifecycle.effects import at_level
from memory.model import Level, Memory, Sensitivity
from memory.network.cycle import shortened_words
from memory.state import MemoryState
from prompts import Compress
from prompts.plain import one_line

FAITHFUL: Final = 0.5
"""The share of each new clause's terms that must stand in the old text, denied or not."""

_NAMES: Final = frozenset({"TEXT", "PHRASE", "KEYWORDS"})


@dataclass(frozen=True, slots=True, kw_only=True)
class CompressionQuestion:
    """A memory put before the model to be said in at most ``characters`` characters."""

    prompt: Compress
    memory: Memory
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShorterText:
    """A readable answer to a compression."""

    text: str
    phrase: str
    keywords: tuple[str, ...]


def compression_question(
    memory_id: int, characters: int, state: MemoryState
) -> CompressionQuestion | None:
    """Return what to ask; None if the memory is gone or too private to be shortened."""
    memory = state.memories.get(memory_id)
    if memory is None or memory.nature.sensitivity >= Sensitivity.SENSITIVE:
        return None
    prompt = Compress(
        language=state.agent_info.settings.language,
        text=one_line(memory.words.text),
        phrase=memory.words.phrase,
        keywords=memory.words.keywords,
        characters=str(characters),
    )
    return CompressionQuestion(prompt=prompt, memory=memory, characters=characters)


def compressed_memory(
    asked: CompressionQuestion, answer: str, state: MemoryState
) -> Memory | Unreadable:
    """Return the memory as the answer tells it; Unreadable if it is no valid compression.

    It must be no longer than asked, and say nothing the memory does not say. The caller keeps the
    former text and counts the scan: :meth:`memory.network.cycle.ScannedNode.shortened`.
    """
    read = parse_shorter(answer)
    if isinstance(read, Unreadable):
        return read
    memory = state.memories.get(asked.memory.id)
    # The model takes its time; meanwhile the partner may have corrected or erased the memory.
    if memory is None or memory.words != asked.memory.words or not memory.is_active:
        return Unreadable("the memory changed meanwhile")
    if not _is_faithful(read.text, memory.words.text):
        return Unreadable("the shorter text says something else")
    # Asked for more than the text has, an answer may still not be longer than the text.
    most = min(asked.characters, len(memory.words.text))
    words = shortened_words(memory.words, read.text, read.phrase, read.keywords, most)
    if words is None:
        return Unreadable("the shorter text is not short enough")
    gist = tuple(
        replace(passage, text=words.text)
        for passage in at_level(memory, Level.SUMMARY).passages
        if not passage.verbatim
    )
    return replace(memory, words=words, passages=gist)


def parse_shorter(answer: str) -> ShorterText | Unreadable:
    """Return text, phrase and keywords of an answer of three lines; the last two may lack."""
    found = brackets(answer, _NAMES)
    if isinstance(found, Unreadable):
        return found
    lines = {bracket.name: bracket for bracket in found}
    if len(lines) != len(found) or any(b.target or b.attributes for b in found):
        return Unreadable("a line twice, or one that holds more than its text")
    text = lines["TEXT"].text if "TEXT" in lines else ""
    if not text:
        return Unreadable("no shorter text")
    return ShorterText(
        text=one_line(text),
        phrase=one_line(lines["PHRASE"].text) if "PHRASE" in lines else "",
        keywords=comma_separated(lines["KEYWORDS"].text) if "KEYWORDS" in lines else (),
    )


def _is_faithful(shorter: str, former: str) -> bool:
    """Tell whether a shorter text says nothing the former does not: terms, denials, figures.

    Clauses may be drawn together; but what is only denied may not be affirmed, nor the reverse.
    """
    if not (numbers_were_said(shorter, former) and links_were_said(shorter, former)):
        return False
    known = clauses(former)
    for clause in clauses(shorter):
        alike = [_says_term(term, known, negative=clause.negative) for term in clause.terms]
        either = [
            a or _says_term(t, known, negative=not clause.negative)
            for a, t in zip(alike, clause.terms, strict=True)
        ]
        if clause.negative and any(either) and not any(alike):
            return False
        # One term that was only denied is enough: "passed" must not come out of "did not pass".
        if not clause.negative and alike != either:
            return False
        if sum(either) < FAITHFUL * len(either):
            return False
    return True


def _says_term(term: str, known: Sequence[Clause], *, negative: bool) -> bool:
    return any(covers(term, each) and each.negative == negative for each in known)
