"""The language model that is always there: rules instead of a network (DESIGN §8)."""

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Final, assert_never

from memory.offline.judgements import consolidation_operations, review_verdict, turn_operations
from memory.offline.replies import reply_to
from memory.offline.summaries import compressed_lines, segment_lines
from memory.ports import Piece, Replied, Streamed
from prompts import Compress, Consolidate, Monitor, Prompt, Reply, Review, Summarize

OFFLINE_NAME: Final = "offline"
_PIECE: Final = re.compile(r"[^。！？!?\n，,]+[。！？!?\n，,]*|.", re.DOTALL)


class OfflineModel:
    """Answer every prompt by rule, in the grammar a real model is asked for.

    Deterministic and stateless: the answer depends on the prompt value alone. It takes the plain
    cases and leaves the rest; what it cannot do it says.
    """

    @property
    def name(self) -> str:
        return OFFLINE_NAME

    async def complete(self, prompt: Prompt) -> Replied:
        """Return the answer; there is always one."""
        return Replied(await asyncio.to_thread(_answer_to, prompt), model=OFFLINE_NAME)

    async def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        """Yield the answer clause by clause, then the whole as ``Replied``."""
        text = await asyncio.to_thread(_answer_to, prompt)
        for piece in _PIECE.findall(text):
            yield Piece(piece)
        yield Replied(text, model=OFFLINE_NAME)


def _answer_to(prompt: Prompt) -> str:
    match prompt:
        case Reply():
            return reply_to(prompt)
        case Monitor():
            return turn_operations(prompt)
        case Summarize():
            return segment_lines(prompt)
        case Review():
            return review_verdict(prompt)
        case Compress():
            return compressed_lines(prompt)
        case Consolidate():
            return consolidation_operations(prompt)
        case never:
            assert_never(never)
