"""What is judged without a model: operations after a turn, and lasting facts.

The answers have the grammar a model is asked for and pass the same gate.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import islice
from typing import Final

from memory.model import Kind
from memory.offline.by_slot import says_no_more
from memory.offline.reviews import never_so
from memory.offline.statements import Statement, zone_of
from memory.offline.utterances import statements_in, told_in
from memory.offline.vocabulary import content_words
from memory.recall.query_terms import telling_terms
from memory.text.bm25 import similarity
from memory.text.correction_forms import ENDS, takes_back_in_jest
from memory.text.corrections import put_right, right_word
from memory.text.salience import STANDS
from memory.text.slot_changes import is_ended_by, names_no_illness
from memory.text.slot_cues import SINGLE_VALUED, ClaimMode, Slot
from memory.text.slots import SlotClaim, slot_claims
from memory.text.tokens import keywords, words
from memory.text.word_forms import last_with_number, whole_places
from prompts import Consolidate, Monitor, PromptLine, PromptMemory
from prompts.rendering import one_line

NOTHING: Final = "[SKIP]"

SAME_FROM: Final = 0.75
"""From this likeness on, 0 to 1, a memory holds a statement (source document 001, of batches)."""

REPEATED_FROM: Final = 0.85
"""From this likeness on it is the same thing said again, which the gate counts as a mention."""

MOST_ADDED: Final = 8
"""ADD operations in one answer; the gate takes no more."""

_LONGEST: Final = 300

_INSTEAD: Final = re.compile(
    r"不是(?P<old>[^，,。、是]{1,16})[，,、\s]*(?:而是|应该是|是)(?P<new>[^，,。！!？?]{1,16})"
    r"|\bnot (?P<old_en>[\w' -]{1,24}?),? (?:but|it's|it is) (?P<new_en>[\w' -]{1,24})"
    r"|\bnot (?P<old_n>\d{1,4})(?:,? (?:sorry|oops|actually))?,? (?P<new_n>\d{1,4})\b",
    re.IGNORECASE,
)

_TASTE: Final = re.compile(
    r"喜欢|喜爱|爱|兴趣|讨厌|[吃喝抽玩]|\b(?:likes?|loves?|enjoys?|hates?|dislikes?|prefers?|eats?"
    r"|drinks?|plays?|smokes?|fan|fond|favou?rite)\b",
    re.IGNORECASE,
)

_DENIES: Final = re.compile(
    r"不|讨厌|厌恶|戒|\b(?:not|no longer|hates?|dislikes?|quit|stopped|gave up|given up)\b|n't\b",
    re.IGNORECASE,
)

_DENIES_TWICE: Final = re.compile(
    r"不(?:再|怎么|那么|太|大|咋|这么)*(?:讨厌|反感|烦|恨|怕|嫌弃?|厌恶)|不是不"
    r"|(?:\bnot|\bno longer|\bnever|n['’]?t)(?: \w+ly| even)? (?:hates?|dislikes?)\b",
    re.IGNORECASE,
)
"""Who does not hate a thing any more does not dislike it."""


def turn_operations(prompt: Monitor) -> str:
    """Return the operations that follow from one turn, or SKIP."""
    memories = _ShownMemories(prompt.memories, prompt.partner)
    own = prompt.own_lines
    lines = [*_taken_back(own, memories)]
    before = list(prompt.before)
    for line in own:
        never = never_so(line, memories.left(), prompt.partner)
        lines += [f"[DELETE:{memories.take_out(each).handle}]" for each in never]
        only_right = [*_right_word_operations(line, memories, before)]
        lines += only_right or _correction_operations(line, memories)
        right = right_word(line.text)
        if not only_right or (right and right.rest):
            lines += _learning_operations(line, memories, prompt.partner, before)
        before.insert(0, line.text)
    lines += _boost_operations(prompt.turn, memories)
    return "\n".join(_within_limits(lines)) or NOTHING


def _taken_back(own: Sequence[PromptLine], memories: "_ShownMemories") -> Iterator[str]:
    """Yield UNSAID for the newest memories if all that was said is that it was a jest."""
    left = [each for each in memories.left() if each.when <= own[0].at] if own else []
    if not left or not all(takes_back_in_jest(line.text) for line in own):
        return
    newest = max(each.when for each in left)
    for memory in [each for each in left if each.when == newest]:
        yield f"[UNSAID:{memories.take_out(memory).handle} reason=joke]"


def consolidation_operations(prompt: Consolidate) -> str:
    """Return the lasting statements of old lines that no memory holds yet, or SKIP.

    Of two that say the same, the later wording is kept.
    """
    held = _ShownMemories(prompt.memories, prompt.partner)
    kept: dict[str, Statement] = {}
    for line in prompt.lines:
        if line.role != "user":
            continue
        for statement in statements_in(line.text, prompt.partner, line.at):
            if statement.kind is Kind.TEMPORARY or held.saying_same(statement):
                continue
            for text in [t for t, s in kept.items() if _supersedes(statement, s)]:
                del kept[text]
            kept[statement.text] = statement
    ranked = sorted(kept.values(), key=lambda statement: -statement.confidence)
    return "\n".join(_operation_line("ADD", each) for each in ranked[:MOST_ADDED]) or NOTHING


class _ShownMemories:
    """The memories a prompt shows, each of which may be touched by one operation."""

    def __init__(self, memories: Sequence[PromptMemory], subject: str) -> None:
        self._subject = subject
        # Episodes are copies of what was said and are never revised; what is past is over.
        self._all = [m for m in memories if m.tier != "episode" and not m.past]
        self._left = list(self._all)
        self._taken: list[PromptMemory] = []
        # Each is compared with every statement of a turn, and read once.
        self._read: dict[str, tuple[SlotClaim, ...]] = {}

    def saying_same(self, statement: Statement) -> PromptMemory | None:
        """Return the memory that says it already, if one does."""
        return next(
            (
                memory
                for memory in self._all
                if not (statement.stopped and self.ends(statement, memory))
                and self._is_alike(statement, memory)
            ),
            None,
        )

    def _is_alike(self, statement: Statement, memory: PromptMemory) -> bool:
        """Whether a memory says nearly the same, or answers the same question with one value."""
        return similarity(statement.text, memory.text) >= SAME_FROM or (
            statement.slot in SINGLE_VALUED
            and not statement.stopped
            and bool(statement.value)
            and statement.value in memory.text
            and any(claim.slot is statement.slot for claim in self.claims(memory.text))
        )

    def take_out(self, memory: PromptMemory) -> PromptMemory:
        """Return a memory, and let no other operation of this answer touch it."""
        self._left.remove(memory)
        self._taken.append(memory)
        return memory

    def has_ended(self, statement: Statement) -> bool:
        """Whether what a statement makes a thing of the past was replaced already."""
        return any(self.ends(statement, each) for each in self._taken)

    def ends(self, statement: Statement, memory: PromptMemory) -> bool:
        """Whether a statement makes what a memory says a thing of the past."""
        return any(
            is_ended_by(old, new, memory.text)
            for old in self.claims(memory.text)
            for new in self.claims(statement.text)
        )

    def claims(self, text: str) -> tuple[SlotClaim, ...]:
        """Return what a memory or a statement says of slots."""
        if text not in self._read:
            self._read[text] = slot_claims(text, {self._subject, *STANDS})
        return self._read[text]

    def ended_by(self, statement: Statement) -> PromptMemory | None:
        """Return the first memory left that a statement makes a thing of the past."""
        over = (m for m in self._left if _reverses_taste(statement, m) or self.ends(statement, m))
        found = list(islice(over, 2))
        vague = len(found) > 1 and any(map(names_no_illness, self.claims(statement.text)))
        return None if vague or not found else found[0]

    def are_of_a_slot(self, statement: Statement, memory: PromptMemory) -> bool:
        """Whether a statement answers what a memory answers, by another value."""
        slots = {claim.slot for claim in self.claims(memory.text)}
        told = {claim.slot for claim in self.claims(statement.text)}
        shared = slots & ({statement.slot} | told) - {Slot.TASTE}
        return bool(shared) and not statement.stopped

    def left(self) -> tuple[PromptMemory, ...]:
        return tuple(self._left)


def _learning_operations(
    line: PromptLine, memories: _ShownMemories, subject: str, before: Sequence[str]
) -> Iterator[str]:
    """Yield what follows from one line: first what is so now, then what is over.

    ``before`` is what was said just before it, the newest first.
    """
    said, over = told_in(line.text, subject, line.at, before)
    ends = [each for each in said if _only_ends(memories.claims(each.text))]
    added: list[Statement] = []
    for statement in said:
        operation = "" if statement in ends else _operation_for(statement, memories)
        if operation == "ADD":
            added.append(statement)
        elif operation:
            yield _operation_line(operation, _what_is_so_now(statement))
    for memory in [each for each in memories.left() if says_no_more(line.text, each.text)]:
        about = telling_terms(memory.text)
        new = next((x for x in (*added, *ends) if telling_terms(x.text) & about), None)
        if new is not None:
            added, ends = ([x for x in each if x is not new] for each in (added, ends))
            yield _operation_line(f"UPDATE:{memories.take_out(memory).handle}", new)
    if right_word(line.text):
        # "That's wrong, it's Thursday" ends no plan: it puts a word right.
        over = [each for each in over if each.slot is not Slot.PLAN]
    for statement in (*ends, *over):
        yield from _ending_operations(statement, memories, added, is_told=statement in ends)
    yield from (_operation_line("ADD", statement) for statement in added)


def _ending_operations(
    statement: Statement, memories: _ShownMemories, added: list[Statement], *, is_told: bool
) -> Iterator[str]:
    """Yield what is over by a statement: with what is new in its place, if that was told too.

    ``added`` is what else the line says, less what this takes. What ends nothing known is worth
    keeping only if ``is_told`` of the speaker.
    """
    over = memories.ended_by(statement)
    if over is None:
        if is_told and not memories.has_ended(statement):
            operation = _operation_for(statement, memories)
            yield from [_operation_line(operation, statement)] if operation else []
        return
    # 捷达报废了，换了辆宋: one change, told by what is new.
    new = next((each for each in added if memories.are_of_a_slot(each, over)), None)
    if new is not None:
        added.remove(new)
    name = "NEGATE" if new is None and _reverses_taste(statement, over) else "UPDATE"
    yield _operation_line(
        f"{name}:{memories.take_out(over).handle}", new or _what_is_so_now(statement)
    )


def _what_is_so_now(statement: Statement) -> Statement:
    """Return what took the place of what is over, if that was told: it is the news."""
    if not statement.instead:
        return statement
    return replace(statement, text=statement.instead, value="", stopped=False)


def _only_ends(claims: Sequence[SlotClaim]) -> bool:
    """Whether a statement of these claims says only that something is over."""
    return bool(claims) and all(
        claim.mode is ClaimMode.STOPPED or (claim.slot is Slot.TASTE and claim.denies)
        for claim in claims
    )


def _operation_for(statement: Statement, memories: _ShownMemories) -> str:
    """Return the operation a statement comes to; empty if it is known."""
    known = memories.saying_same(statement)
    if known is not None:
        # Said in nearly the same words it is a mention; said in others it would be a duplicate.
        return "ADD" if similarity(statement.text, known.text) >= REPEATED_FROM else ""
    over = memories.ended_by(statement)
    if over is None:
        return "ADD"
    name = "NEGATE" if _reverses_taste(statement, over) else "UPDATE"
    return f"{name}:{memories.take_out(over).handle}"


def _correction_operations(line: PromptLine, memories: _ShownMemories) -> Iterator[str]:
    """Yield an UPDATE for 不是X，是Y ("not X but Y") of the memory that says X."""
    found = _INSTEAD.search(ENDS.sub("", line.text))
    if found is None or line.text.rstrip().endswith(("?", "？", "吗")):
        return
    old = (found["old"] or found["old_en"] or found["old_n"]).strip().removeprefix("叫")
    new = (found["new"] or found["new_en"] or found["new_n"]).strip().removeprefix("叫")
    fitting = [(m, whole_places(old, m.text)) for m in memories.left() if new not in m.text]
    meant = [(m, places[0]) for m, places in fitting if len(places) == 1]
    newest = max((m.when for m, _ in meant), default=line.at)
    last = [(m, place) for m, place in meant if m.when == newest]
    for memory, (start, end) in last if len(last) == 1 else ():
        text = f"{memory.text[:start]}{new}{memory.text[end:]}"
        yield _corrected(memories.take_out(memory), text)


_JUST_SAID: Final = timedelta(minutes=10)

_THIS_WEEK: Final = timedelta(days=7)
"""So long ago what a correction names may have been told."""


def _right_word_operations(
    line: PromptLine, memories: _ShownMemories, before: Sequence[str]
) -> Iterator[str]:
    """Yield an UPDATE for what a line that only says what is right puts right: the last told."""
    right = right_word(line.text)
    # What was put right as it was said is not put right once more, of another.
    if right is None or any(m.quote == line.text for m in memories.left()):
        return
    names = bool(right.about or right.wrong or right.is_old)
    since = line.at - (_THIS_WEEK if names else _JUST_SAID)
    lately = [m for m in memories.left() if since <= m.when <= line.at]
    if (told := last_with_number(right.word, before)) and not right.about:
        lately = [m for m in lately if (m.quote or m.text) in told or told in m.quote]
    newest = max((memory.when for memory in lately), default=line.at)
    fitting: list[tuple[float, PromptMemory, str]] = []
    for memory in lately:
        values = [claim.value for claim in memories.claims(memory.text)]
        found = put_right(memory.text, right, values, line.at, zone_of(line.at))
        if found and (names or memory.when == newest):
            fitting.append((found[1], memory, found[0]))
    best = max((likeness for likeness, _, _ in fitting), default=0.0)
    last = max((m.when for likeness, m, _ in fitting if likeness == best), default=line.at)
    meant = [(m, text) for likeness, m, text in fitting if (likeness, m.when) == (best, last)]
    # Which of several is meant nobody can tell.
    if len(meant) == 1:
        yield _corrected(memories.take_out(meant[0][0]), meant[0][1])


def _corrected(memory: PromptMemory, text: str) -> str:
    return f"[UPDATE:{memory.handle} topic=personal confidence=0.9] {_safe_operation_text(text)}"


def _boost_operations(turn: Sequence[PromptLine], memories: _ShownMemories) -> Iterator[str]:
    """Yield BOOST for memories the partner touched on and the reply really used."""
    # Used: the reply holds every word of the memory, and one the partner had not said: no echo.
    asked = {word for line in turn if line.role == "user" for word in words(line.text)}
    said = {word for line in turn if line.role == "assistant" for word in content_words(line.text)}
    for memory in memories.left():
        about = set(content_words(memory.text))
        if about <= said and about - asked and asked & set(words(memory.text)):
            yield f"[BOOST:{memory.handle}]"


def _reverses_taste(statement: Statement, memory: PromptMemory) -> bool:
    """Whether a liking turned into its opposite, or something done is no longer done."""
    return (
        statement.slot is Slot.TASTE
        and bool(statement.value)
        and _TASTE.search(memory.text) is not None
        and _is_about(statement.value, memory)
        and _is_denial(statement.text) != _is_denial(memory.text)
    )


def _is_denial(text: str) -> bool:
    return _DENIES.search(_DENIES_TWICE.sub(" ", text)) is not None


def _is_about(value: str, memory: PromptMemory) -> bool:
    """Whether a memory names ``value``, or holds more than half of its words."""
    if value.lower() in memory.text.lower():
        return True
    about = set(words(value))
    return bool(about) and 2 * len(about & set(words(memory.text))) > len(about)


def _supersedes(new: Statement, old: Statement) -> bool:
    return similarity(new.text, old.text) >= SAME_FROM or (
        new.slot in SINGLE_VALUED and new.slot == old.slot
    )


def _operation_line(name: str, statement: Statement) -> str:
    named = ",".join(
        _safe_operation_text(word) for word in keywords(statement.value or statement.text, 5)
    )
    return (
        f"[{name} kind={statement.kind} topic={statement.topic}"
        f" confidence={statement.confidence} sensitivity={int(statement.sensitivity)}"
        f"{f' keywords={named}' if named else ''}] {_safe_operation_text(statement.text)}"
    )


def _safe_operation_text(text: str) -> str:
    """Return a text that fits into an operation: one line, no brackets, at most 300 characters.

    Brackets would open another operation.
    """
    return re.sub(r"[\[\]［］【】〔〕]", "", one_line(text))[:_LONGEST].strip()


def _within_limits(lines: list[str]) -> list[str]:
    """Return the lines within the gate's limits for each kind, the earlier ones first."""
    caps = {"ADD": MOST_ADDED, "UNSAID": 3, "UPDATE": 3, "DELETE": 2, "BOOST": 5, "NEGATE": 2}
    kept: list[str] = []
    for line in dict.fromkeys(lines):
        name = re.split(r"[\[:\] ]", line, maxsplit=2)[1]
        caps[name] -= 1
        if caps[name] >= 0:
            kept.append(line)
    return kept
