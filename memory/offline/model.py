"""The language model that is always there: rules instead of a network (DESIGN §8)."""

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Final, assert_never

from memory.offline.answering import answered
from memory.offline.judging import consolidated, judged
from memory.offline.reviewing import reviewed
from memory.offline.segments import segmented
from memory.offline.shortening import shortened
from memory.ports import Piece, Replied, Streamed
from prompts import Compress, Consolidate, Monitor, Prompt, Reply, Review, Summarize

NAME: Final = "offline"
_PIECE: Final = re.compile(r"[^。！？!?\n，,]+[。！？!?\n，,]*|.", re.DOTALL)


class OfflineModel:
    """Answer every prompt by rule, in the grammar a real model is asked for.

    Deterministic and stateless: the answer depends on the prompt value alone. It takes the plain
    cases and leaves the rest; what it cannot do it says.
    """

    @property
    def name(self) -> str:
        return NAME

    async def complete(self, prompt: Prompt) -> Replied:
        """Return the answer; there is always one."""
        return Replied(await asyncio.to_thread(_answer, prompt), model=NAME)

    async def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        """Yield the answer clause by clause, then the whole as ``Replied``."""
        text = await asyncio.to_thread(_answer, prompt)
        for piece in _PIECE.findall(text):
            yield Piece(piece)
        yield Replied(text, model=NAME)


def _answer(prompt: Prompt) -> str:
    match prompt:
        case Reply():
            return answered(prompt)
        case Monitor():
            return judged(prompt)
        case Summarize():
            return segmented(prompt)
        case Review():
            return reviewed(prompt)
        case Compress():
            return shortened(prompt)
        case Consolidate():
            return consolidated(prompt)
        case never:
            assert_never(never)
