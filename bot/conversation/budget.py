"""Cutting a prompt to the tokens a model takes.

Old lines of the talk go first, then memories, always in the same order, so that a prompt that is
too long loses what matters least.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from prompts import Reply
from prompts.values import MESSAGE_TOKENS

CountTokens: TypeAlias = Callable[[str], int]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TokenBudget:
    """The tokens a prompt may have, and how the tokens of a text are counted."""

    tokens: int
    count: CountTokens

    def halved(self) -> "TokenBudget":
        """Return half the budget, for a model that found the prompt too long."""
        return TokenBudget(self.tokens // 2, self.count)


def fitted(prompt: Reply, *, said: int, budget: TokenBudget) -> Reply:
    """Return the prompt cut to fit: first the oldest rounds go, then the memories from the last.

    The persona and the last ``said`` lines, which are to be answered, always stay, even if they
    alone are more than fits. A window that was cut never begins with an answer whose question is
    gone.
    """
    if cost(prompt, budget.count) <= budget.tokens:
        return prompt
    starts = _window_starts(prompt, said)
    windows = [replace(prompt, window=prompt.window[start:]) for start in starts]
    cut = _first_that_fits(windows, budget)
    if cut is not None:
        return cut
    bare = windows[-1]
    # The memories come best first, so the least useful ones are at the end.
    numbers = range(len(bare.memories), -1, -1)
    fewer = [replace(bare, memories=bare.memories[:number]) for number in numbers]
    return _first_that_fits(fewer, budget) or fewer[-1]


def cost(prompt: Reply, count: CountTokens) -> int:
    """Return how many tokens the whole prompt has."""
    return sum(count(message.content) + MESSAGE_TOKENS for message in prompt.messages())


def _window_starts(prompt: Reply, said: int) -> list[int]:
    """Return where the window may begin, as indices: at the front, a round, or the newest lines.

    A round begins with what the partner said.
    """
    newest = max(len(prompt.window) - said, 0)
    rounds = [place for place in range(newest) if prompt.window[place].role == "user"]
    return sorted({0, *rounds, newest})


def _first_that_fits(shrinking: Sequence[Reply], budget: TokenBudget) -> Reply | None:
    """Return the first of ever shorter prompts that fits; None if none does."""
    # Each prompt is rendered to be counted, so a search by halves spares most of the rendering.
    place = bisect_left(
        shrinking, x=True, key=lambda each: cost(each, budget.count) <= budget.tokens
    )
    return shrinking[place] if place < len(shrinking) else None
