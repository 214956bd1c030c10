"""Why a passage was found, in short ``name:value`` texts."""

from typing import Final

from memory.model import Passage
from memory.recall.fusion import NOTHING_NEAR, Near
from memory.recall.index import PassageIndex
from memory.recall.query import Query
from memory.text.tokens import characters, tokens

_MOST_WORDS: Final = 6
_MOST_CHARACTERS: Final = 3


def hit_reasons(
    passage: Passage,
    query: Query,
    index: PassageIndex,
    path: tuple[int, ...],
    near: Near = NOTHING_NEAR,
) -> tuple[str, ...]:
    """Return ``word:…`` (most telling first), ``date:…``, ``speaker:…``, ``cosine:…``, ``path:…``.

    A passage none of whose own words were asked for says which characters of them it has,
    ``character:…``, and ``beside:…`` with the day it was told: the words stand around it.
    """
    shared = [word for word in dict.fromkeys(tokens(passage.text)) if word in query.terms]
    shared.sort(key=lambda word: -index.words.idf(word) * query.terms[word])
    found = [f"word:{word}" for word in shared[:_MOST_WORDS]]
    found += [f"date:{s.words}" for s in query.spans if s.start <= passage.at < s.end]
    if passage.speaker in query.speakers:
        found.append(f"speaker:{passage.speaker}")
    if passage.text in near:
        found.append(f"cosine:{near[passage.text]:.2f}")
    if path:
        found.append("path:" + "→".join(f"#{step}" for step in path))
    if not found:
        found += [f"character:{one}" for one in _shared_characters(passage, query, index)]
        found.append(f"beside:{passage.at.astimezone(index.zone).date().isoformat()}")
    return tuple(found)


def _shared_characters(passage: Passage, query: Query, index: PassageIndex) -> list[str]:
    """Return the characters a passage shares with a question, most telling first."""
    shared = [one for one in dict.fromkeys(characters(passage.text)) if one in query.pieces]
    shared.sort(key=lambda one: -index.characters.idf(one))
    return shared[:_MOST_CHARACTERS]
