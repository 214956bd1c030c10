"""The rule-based language model: what 小祥 runs on without a key, an account or a network.

It is one more implementation of :class:`memory.ports.LanguageModel`, so nothing outside knows
whether rules or a network answered. It also judges when a configured model stays silent.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Final, assert_never

from memory.ports import Piece, Replied, Streamed
from prompts import Begin, Compress, Consolidate, Monitor, Prompt, Reply, Review, Summarize

OFFLINE_NAME: Final = "offline"
_PIECE: Final = re.compile(r"[^。！？!?\n，,]+[。！？!?\n，,]*|.", re.DOTALL)


class OfflineModel:
    """Answers every prompt by rule, in the grammar a real model is asked for.

    Deterministic and stateless: the answer depends on the prompt value alone. It handles the plain
    cases, leaves the rest, and says what it cannot do.
    """

    @property
    def name(self) -> str:
        """Return ``offline``; it stands as the model in the origin of what the rules learnt."""
        return OFFLINE_NAME

    async def complete(self, prompt: Prompt) -> Replied:
        """Return the answer; there is always one."""
        # In a thread: segmenting a long stretch takes longer than the event loop may stand still.
        return Replied(await asyncio.to_thread(_answer_to, prompt), model=OFFLINE_NAME)

    async def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        """Yield the answer clause by clause, then the whole as ``Replied``."""
        text = await asyncio.to_thread(_answer_to, prompt)
        for piece in _PIECE.findall(text):
            yield Piece(piece)
        yield Replied(text, model=OFFLINE_NAME)


def _answer_to(prompt: Prompt) -> str:
    # The rules are imported by the first prompt: every program has this model, few ask it.
    from memory.offline.judgements import (
        consolidation_operations,
        turn_operations,
    )
    from memory.offline.replies import reply_to
    from memory.offline.reviews import review_verdict
    from memory.offline.summaries import compressed_lines, segment_lines

    match prompt:
        case Begin(draft=draft):
            answer = draft
        case Reply():
            answer = reply_to(prompt)
        case Monitor():
            answer = turn_operations(prompt)
        case Summarize():
            answer = segment_lines(prompt)
        case Review():
            answer = review_verdict(prompt)
        case Compress():
            answer = compressed_lines(prompt)
        case Consolidate():
            answer = consolidation_operations(prompt)
        case never:
            assert_never(never)
    return answer
