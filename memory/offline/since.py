"""What the partner said since of the matter an answer is about, though no rule read it.

Where a change is told in words that no rule knows, what was known before stands as it is, and an
answer from it alone would be false certainty. So the newer line is quoted first, and what was
known is told as from before: nothing is ended by it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Final

from memory.offline.answers import Answer
from memory.offline.known_facts import asks_of_former_times, slot_asked
from memory.offline.lines_at_hand import Told
from memory.offline.phrasing import Phrasing, listed_memories, quoted_with_day, told_answer
from memory.offline.questions import Question
from memory.offline.statements import CLAUSE_END, sentences_of, states
from memory.offline.vocabulary import is_question
from memory.recall.query_terms import telling_terms
from memory.text.late_pattern import LatePattern
from memory.text.slot_cues import SINGLE_VALUED, ClaimMode, Slot
from memory.text.slots import slot_claims
from prompts import PromptLine, PromptMemory, Reply


def with_what_holds(facts: Sequence[PromptMemory], *, former: bool) -> list[PromptMemory]:
    """Return facts, each that is past with what took its place: first, unless ``former``."""
    told: dict[str, PromptMemory] = {}
    for each in facts:
        pair = (each, each.instead) if former else (each.instead, each)
        told.update({m.text: m for m in pair if m is not None and m.text not in told})
    return list(told.values())


class ToldWithNews:
    """Answers from what is known, with what was said since of the same matter before them."""

    def __init__(
        self,
        phrasing: Phrasing,
        question: Question,
        prompt: Reply,
        before: Sequence[PromptLine],
    ) -> None:
        self._phrasing = phrasing
        self._question = question
        self._prompt = prompt
        self._before = before
        self._former = asks_of_former_times(question.text)

    def facts(self, facts: Sequence[PromptMemory]) -> str:
        """Return facts in words, with what holds in the place of each that is past."""
        facts = with_what_holds(facts, former=self._former)
        known = "\n".join(each.text for each in facts)
        since = self._said_since(known, max(each.when for each in facts))
        if since is None:
            return self._phrasing.told_memories(facts)
        told = self._newest_first(since, listed_memories(self._phrasing, facts[:1]))
        return told[:1].upper() + told[1:]

    def line(self, found: Answer) -> str:
        """Return a line that answers in words: as what it taught, where that is past."""
        best = found.best
        if best.role == "user":
            memories = self._prompt.memories
            ended = next((m for m in memories if m.instead and m.when == best.at), None)
            if ended is not None:
                return self.facts([ended])
            news = self.news_of(best)
            if news:
                return news[:1].upper() + news[1:]
        return told_answer(self._phrasing, found)

    def news_of(self, told: Told) -> str:
        """Return a line of the partner's after what may have changed it since, or nothing."""
        since = self._said_since(told.text, told.at) if told.role == "user" else None
        known = quoted_with_day(self._phrasing, told)
        return "" if since is None else self._newest_first(since, known)

    def _said_since(self, known: str, at: datetime) -> Told | None:
        """Return what the partner said later that may have changed what is told as an answer."""
        # Asked of the day it was said on, or of former times, nothing later is wanted.
        of_then = any(span.start <= at < span.end for span in self._question.spans)
        if of_then or self._former:
            return None
        speaker = self._prompt.window[-1].speaker
        lines = lines_of(speaker, self._before, self._prompt.memories)
        names = frozenset({self._prompt.partner, speaker})
        # My own age changes nothing of my daughter's.
        slot = None if self._question.kin else slot_asked(self._question.text)
        return said_since(known, at, lines, names, slot)

    def _newest_first(self, since: Told, known: str) -> str:
        memories = self._prompt.memories
        learnt = [m for m in memories if (m.when, m.text) == (since.at, since.text)]
        if learnt and learnt[0].tier != "diary":
            newest = listed_memories(self._phrasing, learnt[:1])
        else:
            newest = quoted_with_day(self._phrasing, since)
        return self._phrasing.sayings.since.format(newest=newest, known=known)


_LONGEST: Final = 120
"""In characters: a longer sentence is a story, in which a matter is only touched on."""


def said_since(
    known: str,
    at: datetime,
    lines: Iterable[PromptLine],
    names: frozenset[str],
    slot: Slot | None = None,
) -> Told | None:
    """Return the last sentence of the partner's that may have changed what was ``known`` ``at``.

    It names what that names and tells of a change, or tells of the same slot: the ``slot`` that is
    asked about, or another of which one has one value at a time. ``names`` are those the partner
    goes by.
    """
    words = telling_terms(_without(names, known))
    # That something ended stays true, whatever came after: nothing in its slot changes it.
    claims = (c for c in slot_claims(known, names) if c.is_own and c.mode is not ClaimMode.STOPPED)
    slots = {claim.slot for claim in claims} & SINGLE_VALUED
    later = sorted((each for each in lines if each.at > at), key=lambda each: each.at)
    for line in reversed(later):
        for sentence in reversed(sentences_of(line.text)):
            plain = len(sentence) <= _LONGEST and states(sentence) and not is_question(sentence)
            if not plain or sentence in known or _OF_YOU.search(sentence):
                continue
            if _is_of_slot(sentence, slots, slot) or _names_what_changed(sentence, words):
                return Told(sentence, "user", line.at)
    return None


def _without(names: frozenset[str], text: str) -> str:
    for name in names:
        text = text.replace(name, " ")
    return text


_OF_YOU: Final = LatePattern(r"[你您]|\b(?:you|your|yours|you['’]\w+)\b", re.IGNORECASE)


def lines_of(
    speaker: str, before: Sequence[PromptLine], memories: Sequence[PromptMemory]
) -> Iterator[PromptLine]:
    """Yield what that person said, as far as the talk and the memories at hand hold it."""
    yield from (line for line in before if line.role == "user" and line.speaker == speaker)
    for memory in memories:
        yield from (x for x in memory.said if x.role == "user" and x.speaker == speaker)
        if memory.speaker != speaker or memory.past or memory.tier == "episode":
            continue
        yield PromptLine("user", speaker, memory.when, memory.quote or memory.text)


def _is_of_slot(sentence: str, slots: AbstractSet[Slot], asked: Slot | None) -> bool:
    """Whether a sentence tells plainly of one of these slots of the speaker's own.

    Many words are of work or study and tell of something else: unless these are asked about, only
    their end counts.
    """
    return any(
        claim.is_own
        and claim.firm
        and (
            claim.slot is asked
            or (
                _SAME.get(claim.slot, claim.slot) in slots
                and (claim.slot not in _WIDE or claim.mode is ClaimMode.STOPPED)
            )
        )
        for claim in slot_claims(sentence)
    )


_WIDE: Final = frozenset({Slot.WORK, Slot.SCHOOL})

_SAME: Final = {Slot.NICKNAME: Slot.NAME}
"""Who is called otherwise from now on may have another name."""


def _names_what_changed(sentence: str, words: frozenset[str]) -> bool:
    """Whether a clause names one of these things, and that it is otherwise than before."""
    clauses = (each for each in CLAUSE_END.split(sentence) if each and _CHANGED.search(each))
    return any(_names_one_of(words, clause) for clause in clauses)


def _names_one_of(words: frozenset[str], clause: str) -> bool:
    # Where words are not parted by spaces, a cut may go through a name: 旺财送人了.
    return bool(words & telling_terms(clause)) or any(
        not word.isascii() and word in clause for word in words
    )


_CHANGED: Final = LatePattern(
    r"不[^，。]{0,6}了|没[^，。]{0,4}了|[改换搬戒拆辞升]|退[学休伍出租掉了]|停[了产更用]|分手|分了"
    r"|离婚|离了|卖[了掉]|取消|送[人给]|[去做办回来]不成"
    r"|走了|走丢|死了|去世|过世|结束|毕业|转[到去行学岗]|[记搞弄]错|黄了|吹了|其实是|不是|现在|无感|答应"
    r"|\b(?:is|are|was|['’]s|called|gone|went|am|['’]m|kinda|so) (?:off|over)\b"
    r"|\bcancell?ed\b|\bquit\b|\bstopped\b"
    r"|\bno (?:longer|more)\b|\bany ?more\b|(?<!right )\bnow\W*$|^\W*now\b|\bno\b(?= \w+ for me)"
    r"|\b(?:gone|sold|dumped|broke up|broken up|split|fired(?! up)|sacked|laid off|died|dead"
    r"|passed away|rip|moved|switched|swapped|changed|traded|left|dropped|gave (?:[\w’']+ ){0,4}?"
    r"(?:away|up|to)|given up|retired|graduated|rejected|made up|bailed|ended(?! up)"
    r"|(?<!get )(?<!got )(?<!getting )lost|got rid|deleted|cut out|proposed|divorced?"
    r"|paid (?!off)|pack(?:ed)? in)\b"
    r"|\blet (?:me|him|her|them|us) go\b|\b(?:actually|really) is\b|\binstead\b",
    re.IGNORECASE,
)
"""Words by which a clause tells that what it names is over, or otherwise than before."""
