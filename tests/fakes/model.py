"""A language model that answers from a script, and remembers what it was asked."""

from collections.abc import AsyncIterator, Iterable

from memory.ports import Outcome, Piece, Replied, Streamed
from prompts import Prompt

Answer = str | Outcome


class ScriptedModel:
    """Answer with the next of ``answers``; asked more often than scripted, it fails the test."""

    def __init__(
        self, answers: Iterable[Answer] = (), *, name: str = "scripted", piece: int = 0
    ) -> None:
        self.name = name
        self.piece = piece
        self.answers = list(answers)
        self.asked: list[Prompt] = []

    async def complete(self, prompt: Prompt) -> Outcome:
        self.asked.append(prompt)
        if not self.answers:
            raise AssertionError(f"no answer scripted for {prompt!r}")
        answer = self.answers.pop(0)
        return Replied(answer, model=self.name) if isinstance(answer, str) else answer

    async def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        outcome = await self.complete(prompt)
        if isinstance(outcome, Replied):
            text = outcome.text
            size = self.piece or (len(text) + 1) // 2 or 1
            for start in range(0, len(text), size):
                yield Piece(text[start : start + size])
        yield outcome
