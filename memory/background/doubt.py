"""How far a judge may be trusted who read what strangers wrote (promises M6 and M7).

What a prompt shows can speak to the model. What it writes down has to be grounded in what was
said, so nothing of that enters memory; but firmness, merging and deleting leave it a choice, and
the choice is taken from a judge who may only be obeying.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import Final

from memory.background.quoting import own_words
from memory.background.wording import substance
from memory.model import Memory, Message, Source
from memory.text.tokens import normalized
from prompts.plain import plain

LONGEST_NAME: Final = 24
"""A display name longer than this is a message."""

SHORTEST_CLAIM: Final = 6
"""A shorter name may hold 爱 and claims nothing."""

SHORTEST_ECHO: Final = 4
"""So many characters in a row of shown matter make a reply an echo of it."""

_ADDRESSES_A_MODEL: Final = re.compile(
    r"\bm[1-9][0-9]{0,3}\b|\b(?:ADD|UPDATE|BOOST|DELETE|NEGATE|MERGE|PROMOTE|SEGMENT)\b|指令|提示词"
    r"|加强|强化|巩固|system prompt|\b(?:ignore|instructions?|reinforce|strengthen)\b",
    re.IGNORECASE,
)
_CLAIMS: Final = frozenset({"zh:like", "zh:live", "zh:name", "en:like", "en:live", "en:name"})
_STOP: Final = re.compile(r"[，。！？；：!?;:\n]")
_SENTENCE: Final = re.compile(r"[^\n。！？!?；;，,：:]+")


class Doubt(IntEnum):
    """How much of a judgement may be somebody else's."""

    NONE = 0
    SOME = 1
    MUCH = 2


def doubt_about(
    said: Sequence[Message],
    reply: Message | None,
    known: Iterable[Memory],
    window: Iterable[Message] = (),
) -> Doubt:
    """Return how far the judge of a turn is to be doubted.

    MUCH if it, or the window the reply was made from, holds words that address a model or a name
    that is a message, or if the reply repeats what was shown. SOME while anything that was shown,
    not said, stands there, or a memory from outside.
    """
    memories = [*known]
    strange = [
        text for memory in memories if is_from_outside(memory) for text in _outside_texts(memory)
    ]
    shown = [plain(each) for each in (*_shown_texts((*window, *said)), *strange)]
    words = [*(message.text for message in said), *([reply.text] if reply else [])]
    texts = [*shown, *map(plain, words), *(plain(memory.words.text) for memory in memories)]
    if any(map(_ADDRESSES_A_MODEL.search, texts)) or (reply and _repeats_shown(reply.text, shown)):
        return Doubt.MUCH
    if any(is_message_as_name(message.speaker) for message in said):
        return Doubt.MUCH
    return Doubt.SOME if shown else Doubt.NONE


def is_message_as_name(speaker: str) -> bool:
    """Tell whether a display name is really a message: too long, with stops in it, or a claim."""
    name = plain(speaker)
    if len(speaker) > LONGEST_NAME or _ADDRESSES_A_MODEL.search(name) or _STOP.search(name):
        return True
    return len(name) >= SHORTEST_CLAIM and bool(substance(name) & _CLAIMS)


def is_from_outside(memory: Memory) -> bool:
    """Tell whether a memory may hold what neither a person here said nor the gate let in."""
    unsaid = any(p.verbatim and not p.speaker for p in memory.passages)
    return unsaid or memory.origin.source is Source.IMPORT or addresses_a_model(memory)


def addresses_a_model(memory: Memory) -> bool:
    """Tell whether the text of a memory reads like an order to whoever judges memories."""
    return bool(_ADDRESSES_A_MODEL.search(plain(memory.words.text)))


def _outside_texts(memory: Memory) -> Iterator[str]:
    """Yield what a prompt may show of a memory that nobody here may have said."""
    yield memory.words.text
    yield from (p.text for p in memory.passages if p.verbatim and not p.speaker)


def _shown_texts(window: Iterable[Message]) -> Iterator[str]:
    """Yield what was shown, not said, in the last rounds; so is a name that is a message."""
    for message in window:
        if message.role == "user":
            if quoted := own_words(message).quoted:
                yield quoted
            if is_message_as_name(message.speaker):
                yield message.speaker


def _repeats_shown(reply: str, shown: Iterable[str]) -> bool:
    """Tell whether a reply repeats a sentence that was shown."""
    told = normalized(plain(reply))
    return any(
        len(sentence) >= SHORTEST_ECHO and sentence in told
        for matter in shown
        for sentence in (normalized(part[0]).strip() for part in _SENTENCE.finditer(matter))
    )
