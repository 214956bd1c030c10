"""The words at the beginning of an English clause that name what it is about.

Where they end is where its verb stands, which only closed lists of words tell.
"""

import re
from typing import Final

from memory.judgement.lexicon import (
    ADVERBS,
    AUXILIARIES,
    EN_PAST_FORMS,
    EN_VERBS,
    IS_AFTER,
    PERSON_EN,
    QUALITIES,
    STOPS,
)
from memory.text.late_pattern import LatePattern

MOST_WORDS: Final = 6
"""A subject of more words than this is none; it is a list, or not Chinese as we know it."""

MOST_OF_NAME: Final = 3
"""So many words without "the" or "my" may still be a name."""


def noun_phrase(words: list[str]) -> list[str]:
    """Return the words up to the verb, without the 's of who something belongs to."""
    phrase: list[str] = []
    for number, word in enumerate(words[: MOST_WORDS + 2]):
        bare = re.sub(r"['’]s$", "", word)
        after = words[number + 1] if number + 1 < len(words) else ""
        if word in {"and", "n", "&"} and phrase and after in {"i", "me"}:
            return ["i"]
        if word == "of" and phrase:
            continue
        if word in AUXILIARIES or word in STOPS or _is_verb(word, phrase):
            # "My kids call me": what stands before an object is the verb.
            if len(phrase) > 1 and word in {"me", "him", "them", "us", "it", "my", "the", "a"}:
                phrase.pop()
            return phrase
        if re.search(r"n['’]t$|['’](?:re|ve|ll|d)$", word):
            return [*phrase, re.sub(r"['’]\w+$", "", word)] if word[-3:-2] != "n" else phrase
        phrase.append(bare)
        if bare != word and _is_verb_after(after):
            return phrase
    return phrase


def _is_verb_after(word: str) -> bool:
    """Tell whether 's before this word is "is" or "has", and not whose something is."""
    return (
        not word
        or word in IS_AFTER
        or word[0].isdigit()
        or word.endswith(("ing", "ed"))
        or word in EN_PAST_FORMS
    )


def _is_verb(word: str, before: list[str]) -> bool:
    """Tell whether a word after a noun is its verb."""
    if not before:
        return False
    if (
        word in EN_VERBS
        or word in EN_PAST_FORMS
        or (word.endswith("ed") and len(word) > len("need"))
    ):
        return True
    return (
        word.endswith("s")
        and not word.endswith(("ss", "us", "'s", "’s"))
        and before[-1] not in QUALITIES
    )


def is_name_first(words: list[str], names: list[str]) -> bool:
    """Tell whether words without "the" or "my" before them name a subject: Marcus is, Dad says."""
    rest = words[len(names) :]
    if words[0] in EN_VERBS or words[0] in EN_PAST_FORMS or words[0].endswith(("ing", "ed")):
        return False
    if words[0] in STOPS or words[0] in AUXILIARIES or words[0] in ADVERBS:
        return False
    if PERSON_EN.fullmatch(names[0]):
        return True
    follows = rest[0] if rest else ""
    whole = bool(re.search(r"['’]s$", words[len(names) - 1]))
    return len(names) <= MOST_OF_NAME and (
        whole or follows in AUXILIARIES or _is_verb(follows, names)
    )


def relative_to_me(names: list[str]) -> list[str]:
    """Return what "the lad I train" is about; nothing where it is about me: "the day I left"."""
    whom = names[: names.index("i")] if "i" in names else []
    return [] if whom and _WHEN_I.fullmatch(whom[-1]) else whom


_WHEN_I: Final = LatePattern(
    r"days?|years?|time|moment|week|month|night|morning|minute|second|way|reason|age|things?|place"
)


def two_names(text: str) -> tuple[str, str] | None:
    """Return who two names joined by "and" are, where they did something: Gemma and Rob married.

    What was read is in lower case, so a name is a word that is no other we know.
    """
    found = _TWO_NAMES.match(text)
    if found is None or not (found["did"] in AUXILIARIES or _is_verb(found["did"], ["they"])):
        return None
    both = (found["one"], found["other"])
    return None if any(map(_is_no_name, both)) else both


_TWO_NAMES: Final = LatePattern(r"(?P<one>\w+) (?:and|n|&) (?P<other>\w+) (?P<did>\w+)")

_NO_NAMES: Final = (
    EN_VERBS | EN_PAST_FORMS | STOPS | AUXILIARIES | ADVERBS | QUALITIES | {"i", "me"}
)


def _is_no_name(word: str) -> bool:
    return word in _NO_NAMES or word[0].isdigit() or word.endswith(("ing", "ed", "y", "s"))
