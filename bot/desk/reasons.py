"""How a memory was found and what was learnt, in words for people."""

import re
from collections.abc import Sequence
from typing import Final

from bot.desk.command import Call
from bot.desk.documents import Term
from bot.texts import Sentence, desk_reasons

REASON_SENTENCES: Final[dict[str, Sentence]] = {
    "word": desk_reasons.FOUND_WORD,
    "date": desk_reasons.FOUND_DATE,
    "speaker": desk_reasons.FOUND_SPEAKER,
    "path": desk_reasons.FOUND_PATH,
    "beside": desk_reasons.FOUND_BESIDE,
}
LEARNT_SENTENCES: Final[dict[str, Sentence]] = {
    "ADD": desk_reasons.LEARNT_ADDED,
    "REMEMBER": desk_reasons.LEARNT_AS_TOLD,
    "UPDATE": desk_reasons.LEARNT_UPDATED,
    "BOOST": desk_reasons.LEARNT_BOOSTED,
    "MENTION": desk_reasons.LEARNT_MENTIONED,
    "DELETE": desk_reasons.LEARNT_DELETED,
    "NEGATE": desk_reasons.LEARNT_NEGATED,
    "MERGE": desk_reasons.LEARNT_MERGED,
}
_ID: Final = re.compile(r"#[0-9]+")


def reasons_term(call: Call, reasons: Sequence[str]) -> Term:
    """Return why a memory came up: for people in their language, for programs as it is kept."""
    told = []
    for reason in reasons:
        kind, _, what = reason.partition(":")
        known = REASON_SENTENCES.get(kind)
        told.append(call.say(known, what=what) if known else reason)
    return Term(" ".join(told), " ".join(reasons))


def learnt_text(call: Call, labels: Sequence[str]) -> str:
    """Return what was learnt from a turn, as far as it was not taken back."""
    known = (label for label in labels if _last_id(label) in call.state.memories)
    return " · ".join(_learnt_phrase(call, label) for label in known)


def _last_id(label: str) -> int:
    """Return the memory a label is about: of several the one they became."""
    ids = _ID.findall(label)
    return int(ids[-1][1:]) if ids else 0


def _learnt_phrase(call: Call, label: str) -> str:
    verb = label.partition(" ")[0]
    known = LEARNT_SENTENCES.get(verb)
    ids = " → ".join(_ID.findall(label))
    return call.say(known, ids=ids) if known else label
