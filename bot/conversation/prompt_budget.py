"""What a prompt may cost: what is cut where it is too long, and when the talk crowds it.

And what is put into one only for those who answer by rule: no model would be shown it.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import attrgetter
from typing import Final, TypeAlias
from zlib import crc32

from bot.conversation.ledger.records import reply_id_of
from memory.diary import LARGEST_WINDOW, WINDOW_MESSAGES, first_line
from memory.initiative.finding import plans_of_today
from memory.recall.in_mind import stays_unmentioned
from memory.recall.said_around import SAID_FIRST
from memory.state import MemoryState
from prompts import PromptLine, PromptMemory, PromptPlan, Reply
from prompts.rendering import MESSAGE_TOKENS

LANDMARK_EVERY: Final = 4
"""Of so many lines about one is a landmark."""

CountTokens: TypeAlias = Callable[[str], int]


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
    gone. If that costs at most half of the lines that fit, it begins with a landmark, so that the
    prompts of several turns begin alike.
    """
    if cost(prompt, budget.count) <= budget.tokens:
        return prompt
    starts = _window_starts(prompt, said)
    windows = [replace(prompt, window=prompt.window[start:]) for start in starts]
    cut = _first_that_fits(windows, budget)
    if cut is not None:
        kept = len(cut.window)
        landmarks = (
            each
            for each in windows
            if _is_landmark(each.window[0]) and said + kept // 2 <= len(each.window) <= kept
        )
        return next(landmarks, cut)
    bare = windows[-1]
    # The memories come best first, so the least useful ones are at the end.
    numbers = range(len(bare.memories), -1, -1)
    fewer = [replace(bare, memories=bare.memories[:number]) for number in numbers]
    return _first_that_fits(fewer, budget) or fewer[-1]


TALK_SHARE: Final = 0.25
"""The part of a prompt's room that the talk may always have, however much else is in it: with a
small context not every turn shall cost a summary."""

# As a window that has grown to 46 messages is cut to 30.
KEPT_SHARE: Final = WINDOW_MESSAGES / LARGEST_WINDOW


def crowding_lines(
    prompt: Reply, total: int, *, said: int, budget: TokenBudget, ratio: float
) -> int:
    """Return how many of the oldest lines should leave the talk by now; 0 while there is room.

    A prompt, which costs ``total`` tokens before anything is cut from it, may have ``ratio`` (0–1)
    of the budget: what is over it is summarised (source document 002 §9.1). Whole rounds leave in
    one step, so that the talk may grow again by half.
    """
    if total <= ratio * budget.tokens:
        return 0
    starts = _window_starts(prompt, said)
    windows = [replace(prompt, window=prompt.window[start:]) for start in starts]
    bare = cost(windows[-1], budget.count)
    room = max(int(ratio * budget.tokens) - bare, int(TALK_SHARE * budget.tokens))
    if total - bare <= room:
        return 0
    smaller = TokenBudget(bare + int(KEPT_SHARE * room), budget.count)
    left = _first_that_fits(windows, smaller) or windows[-1]
    return len(prompt.window) - len(left.window)


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


def _is_landmark(line: PromptLine) -> bool:
    """Tell whether a cut window may begin here for several turns: about one line in four."""
    # By the line itself: whatever the budget leaves, the same lines are landmarks every turn.
    return crc32(f"{line.at} {line.text}".encode("utf-8", "replace")) % LANDMARK_EVERY == 0


def _first_that_fits(shrinking: Sequence[Reply], budget: TokenBudget) -> Reply | None:
    """Return the first of ever shorter prompts that fits; None if none does."""
    # Each prompt is rendered to be counted, so a search by halves spares most of the rendering.
    place = bisect_left(
        shrinking, x=True, key=lambda each: cost(each, budget.count) <= budget.tokens
    )
    return shrinking[place] if place < len(shrinking) else None


SAID_LATELY: Final = 90
"""So many of her own replies are before her when she answers by rule: she says none again."""


def for_rules(prompt: Reply, *, state: MemoryState, now: datetime, private: bool) -> Reply:
    """Return a prompt with what no template words: her last replies, and the plans of the day.

    Asked how it all began, she is given the first line of the partner's as well.
    """
    found = plans_of_today(state, now) if private else ()
    plans = tuple(PromptPlan(one.day, one.what, one.text) for one in found if one.day)
    memories = prompt.memories
    if private and _MAY_ASK_HOW_IT_BEGAN.search(prompt.window[-1].text):
        memories += tuple(_first_said(state, now))
    return replace(prompt, said_lately=_said_lately(state), plans=plans, memories=memories)


_MAY_ASK_HOW_IT_BEGAN: Final = re.compile(
    r"第一|头一|最[早初开]|认识|开始聊|\bfirst\b", re.IGNORECASE
)
"""The first line of a long life is looked for where it may be asked about, and only there."""


def _first_said(state: MemoryState, now: datetime) -> Iterator[PromptMemory]:
    line = first_line(state)
    if line is not None and not stays_unmentioned([], state)(line.text):
        at = line.at.astimezone(now.tzinfo)
        yield PromptMemory("", line.text, at, "diary", line.speaker, reason=SAID_FIRST)


def _said_lately(state: MemoryState) -> tuple[str, ...]:
    """Return her newest replies to this partner, the eldest first; a window may show only half.

    The receipts name the turns and the diary holds the words, so what was erased is not among
    them, nor what was said while nothing is learnt.
    """
    newest = sorted(state.receipts.values(), key=attrgetter("at"))[-SAID_LATELY:]
    lines = (state.diary.get(reply_id_of(receipt.turn_id)) for receipt in newest)
    return tuple(line.message.text for line in lines if line is not None)
