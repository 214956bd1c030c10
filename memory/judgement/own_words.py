"""What a person said, as it is kept in their own words: told of them, and once.

Where a model told it in words nobody said, or the rules kept only a part of it.
"""

import re
from collections.abc import Iterator
from typing import Final

from memory.judgement.attribution import told_of
from memory.judgement.evidence import Evidence, adds_nothing
from memory.model import Memory
from memory.offline.claimed import OF_THE_MOMENT
from memory.offline.vocabulary import FILLS
from memory.state import MemoryState

_PIECE: Final = re.compile(
    r"[，,。!！?？;；~～…\n]+\s*|\.(?=\s|$)\s*|(?<=[一-鿿])\s+(?=[一-鿿])"
    r"|\s*[\u2600-\u27bf\U0001f300-\U0001faff]+\s*"
)

_IDLE: Final = re.compile(
    r"\W*(?:哈+|嘿+|嗨|哈喽|你好[呀啊]?|在吗|唉|哎|哼|对了|跟你说"
    r"|h(?:i|ey|ello)+(?: there)?|lol|haha\w*|btw|tbh"
    r"|(?:and |still |all |so )*(?:going strong|so good|yay|phew|ugh|whatever))\W*",
    re.IGNORECASE,
)
"""What greets, laughs or sighs is nothing to be kept beside what is told."""


def beyond_kept(
    words: str, speaker: str, state: MemoryState, evidence: Evidence
) -> Iterator[tuple[Memory | None, str]]:
    """Yield what somebody's words tell beyond what is kept of this turn, and what it goes on from.

    我不喜欢吃螃蟹，太麻烦 goes on from 主人不喜欢吃螃蟹, and is told with it. What is kept
    already is not told again; where nothing of the words is, they are told whole.
    """
    told, names = told_of(words, speaker, evidence), evidence.names[speaker]
    every = [each for each in _PIECE.split(told) if each.strip()]
    kept = {
        each.words.text: each
        for each in state.memories.values()
        if each.is_living_fact and evidence.turn_id == each.origin.turn_id != ""
        if each.origin.speaker == speaker
    }
    rest: dict[str, list[str]] = {}
    last = ""
    for piece in (FILLS.sub("", each) for each in every):
        if _IDLE.fullmatch(piece) or OF_THE_MOMENT.fullmatch(piece):
            continue
        found = next((each for each in kept if adds_nothing(piece, [each], names, evidence)), "")
        whole = next((each for each in kept if adds_nothing(each, [piece], names, evidence)), "")
        # What leads up to it stands before it: 考上了！我是老师了.
        led = [] if last or not (found or whole) or told.isascii() else rest.pop("", [])
        last = found or whole or last
        rest.setdefault(last, []).extend([*led, found or piece])
    comma = ", " if told.isascii() else "，"
    for text, parts in rest.items():
        if not text:
            yield None, told if parts == every else comma.join(parts)
        elif parts != [text]:
            yield kept[text], comma.join(dict.fromkeys(parts))
