"""What is known of each passage in the index, as arrays that grow by doubling."""

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from memory.model import Passage
from memory.text.cues import (
    is_question,
    tells_name,
    tells_number,
    tells_past,
    tells_self,
    tells_time,
)

Ints: TypeAlias = npt.NDArray[np.int64]
Doubles: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]

_INITIAL_SLOTS: Final = 1024
NOWHERE: Final = -1


class PassageColumns:
    """One row per slot. ``before`` and ``after`` are the neighbours in a conversation.

    ``pieces`` counts the smallest parts that mean something: Chinese characters, stems; 0 if dead.
    """

    def __init__(self) -> None:
        self.at: Doubles = np.zeros(_INITIAL_SLOTS)
        self.day: Ints = np.zeros(_INITIAL_SLOTS, np.int64)
        self.day_number: Ints = np.zeros(_INITIAL_SLOTS, np.int64)
        self.memory: Ints = np.zeros(_INITIAL_SLOTS, np.int64)
        self.group: Ints = np.zeros(_INITIAL_SLOTS, np.int64)
        self.before: Ints = np.full(_INITIAL_SLOTS, NOWHERE, np.int64)
        self.after: Ints = np.full(_INITIAL_SLOTS, NOWHERE, np.int64)
        self.speaker: Ints = np.zeros(_INITIAL_SLOTS, np.int64)
        self.piece_count: npt.NDArray[np.float32] = np.zeros(_INITIAL_SLOTS, np.float32)
        self.word_count: npt.NDArray[np.float32] = np.zeros(_INITIAL_SLOTS, np.float32)
        self.is_question: Flags = np.zeros(_INITIAL_SLOTS, np.bool_)
        self.tells_time: Flags = np.zeros(_INITIAL_SLOTS, np.bool_)
        self.tells_number: Flags = np.zeros(_INITIAL_SLOTS, np.bool_)
        self.tells_name: Flags = np.zeros(_INITIAL_SLOTS, np.bool_)
        self.tells_self: Flags = np.zeros(_INITIAL_SLOTS, np.bool_)
        self.tells_past: npt.NDArray[np.float32] = np.zeros(_INITIAL_SLOTS, np.float32)
        self.assistant: Flags = np.zeros(_INITIAL_SLOTS, np.bool_)
        self.gist: Flags = np.zeros(_INITIAL_SLOTS, np.bool_)

    def reserve(self, slot: int) -> None:
        """Make room for ``slot``."""
        if slot < len(self.at):
            return
        for name, column in vars(self).items():
            wider: npt.NDArray[Any] = np.concatenate([column, np.zeros_like(column)])
            if name in {"before", "after"}:
                wider[len(column) :] = NOWHERE
            setattr(self, name, wider)

    def fill_from_passage(self, slot: int, passage: Passage) -> None:
        """Write down what the text and the teller of a passage say about it."""
        text = passage.text
        self.at[slot] = passage.at.timestamp()
        self.before[slot] = self.after[slot] = NOWHERE
        self.word_count[slot] = _word_count(text)
        self.is_question[slot] = is_question(text)
        self.tells_time[slot] = tells_time(text)
        self.tells_number[slot] = tells_number(text)
        self.tells_name[slot] = tells_name(text)
        self.tells_self[slot] = tells_self(text)
        self.tells_past[slot] = tells_past(text)
        self.assistant[slot] = passage.role == "assistant"
        self.gist[slot] = not passage.verbatim


def _word_count(text: str) -> float:
    """Return about how many words a text has: spaces part words, two Chinese letters make one."""
    if text.isascii():
        return 1.0 + text.count(" ")
    wide = sum(character > "\u2e7f" for character in text)
    return 1.0 + text.count(" ") + wide / 2
