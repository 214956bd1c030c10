"""What the partner said since of the matter an answer is about, though no rule read it.

Where no rule knows the words of a change, the newer line is quoted before what was known.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from memory.offline import harms
from memory.offline.answer_kinds import WHEN_IT_WAS, asks_if_together, asks_of_former_times
from memory.offline.answers import Answer, is_about_another
from memory.offline.by_slot import is_of, is_of_slot
from memory.offline.groups import (
    is_of_event,
    may_change_event,
    of_whom_is_asked,
    told_after,
    without_others,
)
from memory.offline.known_facts import is_over, slot_asked, tells_of_another
from memory.offline.likely import (
    has_moved,
    is_short,
    likeliest_line,
    likely_end,
    place_asked,
    puts_another_in_its_place,
    sentences_told,
    takes_its_place,
    whole_or_from,
)
from memory.offline.lines_at_hand import (
    NO_THING,
    OF_YOU,
    Told,
    in_words,
    may_be_asked_of,
    names_what_changed,
)
from memory.offline.lines_meant import lines_of, lines_of_days, own_line, said_of
from memory.offline.phrasing import Phrasing, listed_memories, quoted_with_day, told_answer
from memory.offline.questions import (
    OF_ME,
    Question,
    asks_after,
    asks_what_i_have,
    may_be_of,
    names_in,
    without_telling,
)
from memory.recall.matters_asked import Asked, answers, matters_asked
from memory.recall.query_terms import asks_for_all, telling_terms
from memory.recall.said_around import with_what_holds
from memory.text.correction_forms import tells_of_change
from memory.text.corrections import right_word, wrong_word
from memory.text.segmentation import without_places
from memory.text.slot_core import is_learnt_beside
from memory.text.slot_cues import FIRST_PERSON, REAL, SINGLE_VALUED, ClaimMode, Slot
from memory.text.slots import SlotClaim, slot_claims
from memory.text.tokens import as_mandarin, names_somebody
from prompts import PromptLine, PromptMemory, Reply


class ToldWithNews:
    """Answers from what is known, with what was said since of the same matter before them."""

    def __init__(
        self, phrasing: Phrasing, question: Question, prompt: Reply, before: Sequence[PromptLine]
    ) -> None:
        self._phrasing = phrasing
        self._question = question
        self._prompt = prompt
        self._before = before
        # Who somebody is stays true as well.
        former = asks_of_former_times(question.text)
        former = former or bool(WHEN_IT_WAS.search(as_mandarin(question.text)))
        asks_who = asks_after(question.text) == "who" and slot_asked(question.text) is None
        self._former, self._only_in_place = former or asks_who, asks_who and not former
        self._names = frozenset({prompt.partner, prompt.window[-1].speaker})

    def of_harm(self, facts: Sequence[PromptMemory]) -> str:
        """Return all that is said to harm the partner, what is none of it first; or nothing."""
        facts = [each for each in facts if not harms.denies_harm(f"{each.text} {own_line(each)}")]
        known = " ".join(f"{each.text} {own_line(each)}" for each in facts)
        own = [x for x in self.lines_told() if self._is_own_harm(x.text)]
        newer = (x for x in self.lines_told() if all(each.when < x.at for each in facts))
        denied = (x for x in newer if harms.denies_harm(x.text))
        over = next((x for x in denied if facts or self._is_own_harm(x.text)), None)
        known += over.text if over else ""
        told = (x for x in own if x.text.strip("。.!！") not in known)
        listed = [listed_memories(self._phrasing, facts), *map(self._quoted, told)]
        what = self._phrasing.sayings.stop.join(filter(None, dict.fromkeys(listed)))
        if over is not None:
            newest = self._quoted(over)
            since = self._phrasing.sayings.since.format(newest=newest, known=what)
            return _begun(since if what else newest)
        return self._phrasing.sayings.known.format(what=what) if what else ""

    def _quoted(self, told: Told) -> str:
        return quoted_with_day(self._phrasing, told)

    def _is_own_harm(self, said: str) -> bool:
        own = harms.is_own_harm(said, self._prompt.partner) and FIRST_PERSON.search(said)
        harm = own and harms.tells_what_harms(without_others(said), self._question.text)
        return bool(harm) and not self._is_of_another(said)

    def _is_of_another(self, text: str) -> bool:
        return tells_of_another(text, self._prompt.partner)

    def facts(self, facts: Sequence[PromptMemory]) -> str:
        """Return facts in words, with what holds in the place of each that is past."""
        asked = self._question.text
        together = slot_asked(asked) is Slot.PARTNER and asks_if_together(asked)
        if together and is_over(facts[0], self._prompt.partner):
            what = listed_memories(self._phrasing, [facts[0]._replace(past=False)])
            return self._phrasing.sayings.over.format(what=what)
        over = next((each for each in facts if each.instead and not self._former), None)
        facts = with_what_holds(facts, former=self._former)
        known = "\n".join(f"{each.text} {own_line(each)}" for each in facts)
        since = self._said_since(known, max(each.when for each in facts))
        if since is not None:
            return self._newest_first(since, listed_memories(self._phrasing, facts[:1]))
        whole = None if self._former else self._whole_line(facts[0], changed=over is not None)
        if whole is None or asks_for_all(asked):
            return self._phrasing.told_memories(facts)
        if over is None:
            return _begun(quoted_with_day(self._phrasing, whole))
        former = over._replace(past=False)
        return self._newest_first(whole, listed_memories(self._phrasing, [former]))

    def _whole_line(self, memory: PromptMemory, *, changed: bool) -> Told | None:
        """Return the partner's line that a fact rests on, if it tells of a change, and more of it.

        What was read of it may be no answer: of 王者卸了，看见就烦 only that the game is gone.
        """
        line, partner = own_line(memory), self._prompt.partner
        told = memory.text.removeprefix(partner).strip("：: ")
        more = len(line) >= len(told) + _SAYS_MORE or not memory.text.startswith(partner)
        others = (m for m in self._prompt.memories if m.when == memory.when and m.tier == "fact")
        several = len({m.text for m in others}) > 1
        unclear = (tells_of_change(line) or several) and not _answers_plainly(
            self._question, memory, partner
        )
        changed = (changed or unclear) and not _is_told_rightly(line, memory.text)
        own = memory.speaker == self._prompt.window[-1].speaker and not memory.past
        return Told(line, "user", memory.when) if own and more and changed and line else None

    def of_matter(self) -> str:
        """Return what was told last of the matter that is asked about; empty if nothing was.

        It may share no word with the question: 我用什么手机, 换了台 iPhone.
        """
        asked = self._question
        if self._former or asked.spans:
            return ""
        whom = [] if OF_ME.search(asked.text) else names_somebody(asked.text)
        lines = (x for x in self._lines() if all(name in x.text for name in whom))  # not of me
        told = said_of(asked, lines, self._names) if matters_asked(asked.text) else None
        if told is None:
            past = [m for m in self._prompt.memories if m.instead]
            changed = (
                m
                for m in past
                if asked.terms & telling_terms(m.text) or is_of(asked, m.text, self._names)
            )
            return next((self.facts([each]) for each in changed), "")
        if asks_what_i_have(asked.text) and self._is_of_another(told.text):
            return ""
        known = [m for m in self._prompt.memories if m.when == told.at and m.tier != "diary"]
        fact = next((m for m in known if not m.past and is_of(asked, m.text, self._names)), None)
        return self.facts([fact]) if fact else self._line_told(told)

    def of_like_matter(self, *, surely: bool = False) -> str:
        """Return what was told of what a question is likely about; empty if nothing was.

        It shares no word with it, and no rule knows its own: 我靠啥过日子, 哨子交回去了，拳馆挂牌.
        Of several such lines the newest is told, asked of former times the eldest. Only what is
        ``surely`` of one matter is told where the question may be about the world.
        """
        asked = self._question
        said = () if asked.spans else self._lines_said()
        lines = [x for x in said if _may_answer(x, asked, self._prompt.partner)]
        best = likeliest_line(lines, asked, former=self._former, surely=surely)
        if best is None:
            return ""
        told = Told(best.text, "user", best.at)
        what = self.news_of(told).rstrip(".。") or quoted_with_day(self._phrasing, told)
        return self._phrasing.sayings.unsure.format(what=what)

    def _ended_at(self, at: datetime) -> PromptMemory | None:
        """Return what was learnt of a line and is over, if something holds in its place."""
        return next((m for m in self._prompt.memories if m.instead and m.when == at), None)

    def lines_told(self) -> Iterator[Told]:
        """Yield the partner's plain sentences at hand, the newest first."""
        for line in sorted(self._lines_said(), key=lambda each: each.at, reverse=True):
            for sentence in sentences_told(line.text, self._question.text):
                yield Told(sentence, "user", line.at)

    def _lines_said(self) -> Iterator[PromptLine]:
        # What the rules worded of the partner is nobody's words.
        worded = {m.text for m in self._prompt.memories if m.text.startswith(self._prompt.partner)}
        return (line for line in self._lines() if line.text not in worded)

    def _line_told(self, told: Told) -> str:
        return _begun(self.news_of(told) or quoted_with_day(self._phrasing, told))

    def line(self, found: Answer) -> str:
        """Return a line that answers in words: as what it taught, where that is past."""
        best = found.best
        if news := self.news_of(best):
            return _begun(news)
        old, asked = found.rival, self._question.text
        if old and old.at < best.at and takes_its_place(best.text, old.text, asked):
            return self._newest_first(best, quoted_with_day(self._phrasing, old))
        return told_answer(self._phrasing, found)

    def news_of(self, told: Told) -> str:
        """Return a line of the partner's after what may have changed it since, or nothing."""
        if told.role == "user" and (ended := self._ended_at(told.at)):
            return self.facts([ended])
        since = self._said_since(told.text, told.at) if told.role == "user" else None
        known = quoted_with_day(self._phrasing, told)
        return "" if since is None else self._newest_first(since, known)

    def _said_since(self, known: str, at: datetime) -> Told | None:
        """Return what the partner said later that may have changed what is told as an answer."""
        # Asked of the day it was said on, or of former times, nothing later is wanted.
        of_then = any(span.start <= at < span.end for span in self._question.spans)
        if of_then or (self._former and not self._only_in_place):
            return None
        if harms.asks_of_harm(self._question.text):
            # Nothing takes the place of an allergy but that it is none, nor hers that of his.
            later = (x for x in self.lines_told() if x.at > at)
            return next((x for x in later if harms.denies_harm(x.text)), None)
        lines, asked = self._lines(), self._question.text
        if self._only_in_place:
            lines = (x for x in lines if puts_another_in_its_place(x.text, asked))
        by_rule = said_since(known, at, lines, self._names, self._question)
        if by_rule or self._only_in_place:
            return by_rule
        since = (x for x in self._lines_said() if x.at - at >= _ANOTHER_TALK)
        own = [x for x in since if not self._is_of_another(x.text)]
        own = [x for x in own if may_change_event(x.text, self._question)]
        return likely_end(known, own, self._question)

    def _lines(self) -> Iterator[PromptLine]:
        lines = lines_of(self._prompt.window[-1].speaker, self._before, self._prompt.memories)
        return of_whom_is_asked(lines, self._question.text, self._prompt.partner)

    def _newest_first(self, since: Told, known: str) -> str:
        learnt = [m for m in self._prompt.memories if (m.when, m.text) == (since.at, since.text)]
        whole = next(filter(None, map(own_line, learnt)), since.text)
        if learnt and learnt[0].tier != "diary" and whole == since.text:
            newest = listed_memories(self._phrasing, learnt[:1])
        else:
            newest = quoted_with_day(self._phrasing, replace(since, text=whole))
        return _begun(self._phrasing.sayings.since.format(newest=newest, known=known))


def _answers_plainly(asked: Question, memory: PromptMemory, partner: str) -> bool:
    """Whether a fact tells the one value of what is asked about: a name, a home, a post."""
    # What somebody is called is asked in words of its own.
    slot = slot_asked(asked.text) or Slot.NAME
    told = (each for each in slot_claims(memory.text, {partner}) if each.slot is slot)
    holds = {ClaimMode.HOLDS, ClaimMode.MOVED}
    plain = (x for x in told if x.value and x.mode in holds and (x.is_own or asked.kin))
    return slot in SINGLE_VALUED and any(plain)


def _is_told_rightly(line: str, known: str) -> bool:
    """Whether a line only puts right what is known by now: quoted it would tell both."""
    right, wrong = right_word(line), wrong_word(line)
    return bool((right and right.word in known) or (wrong and wrong not in known))


def _begun(told: str) -> str:
    return told[:1].upper() + told[1:] + ("。" if told.endswith("」") else "")


def _may_answer(line: PromptLine, asked: Question, partner: str) -> bool:
    must = asked.kinds[0].holds if asked.kinds and asked.kinds[0].must else None
    return (
        is_short(line.text)
        and any(sentences_told(line.text, asked.text))
        and (must is None or must.search(line.text) is not None)
        and all(name in line.text for name in names_in(asked.text))
        and not is_about_another(asked, line.text, "user")
        and may_be_of(line.text, asked)
        and (bool(asked.kin) or not tells_of_another(line.text, partner))
    )


def days_told(
    facts: Sequence[PromptMemory], news: ToldWithNews, question: Question, phrasing: Phrasing
) -> str:
    """Return all that is known of the days a question names; empty if nothing is."""
    more = lines_of_days(question, news.lines_told(), "\n".join(map(own_line, facts)))
    told = (news.news_of(x).rstrip(".。") or quoted_with_day(phrasing, x) for x in more)
    what = phrasing.sayings.stop.join(filter(None, [listed_memories(phrasing, facts), *told]))
    return phrasing.sayings.known.format(what=what) if what else ""


_ANOTHER_TALK: Final = timedelta(hours=1)
"""What is told sooner goes on with what was just told; only a rule reads an end in that."""

_SAYS_MORE: Final = 4
"""By so many characters a line tells more than what was read of it."""


def said_since(
    known: str,
    at: datetime,
    lines: Iterable[PromptLine],
    names: frozenset[str],
    question: Question,
) -> Told | None:
    """Return the last line of the partner's that may have changed what was ``known`` ``at``.

    It names what that or the ``question`` names, or is of the matter asked about. ``names`` are
    the partner's.
    """
    words = telling_terms(_without(names, known))
    of = {each for each in telling_terms(_without(names, question.text)) if not _ASKS.search(each)}
    # That something ended stays true: nothing in its slot changes it.
    told = [c for c in slot_claims(known, names) if c.is_own and c.mode is not ClaimMode.STOPPED]
    slots = {claim.slot for claim in told} & SINGLE_VALUED
    slot = slot_asked(question.text)  # my own age changes nothing of my daughter's
    slot = None if question.kin and slot is not Slot.PARTNER else slot
    asked = _asked_of(question, told)
    where = any(each.slot in {Slot.HOME, Slot.AWAY} for each in asked)
    kept = slot in {Slot.WORK, Slot.SCHOOL} or not where
    if asked or slot:  # what was told beside it is not asked about
        slots &= {slot, *(each.slot for each in asked)}
    things = _things_of(question, of)
    asked = () if things and slot is None and is_of_event(question) else asked
    for line in told_after(at, lines, known, question):
        for sentence in (t for t in sentences_told(line.text, question.text) if t not in known):
            plain = not OF_YOU.search(sentence)
            claims = _claims_of(sentence, names, question.text, known) if plain else []
            named = (_staying(words, known, claims) if kept else words) | of
            if (
                is_of_slot(claims, slots, slot)
                or names_what_changed(sentence, named, known, question.text)
                or (where and has_moved(sentence, question.text))
                or (plain and things and _is_of_change(sentence, of))
                or (may_be_of(sentence, question) and _answers_any(claims, asked))
                or takes_its_place(sentence, known, question.text)
                or puts_another_in_its_place(sentence, question.text)
            ):
                return Told(whole_or_from(sentence, line.text), "user", line.at)
    return None


def _staying(words: frozenset[str], known: str, told: Iterable[SlotClaim]) -> frozenset[str]:
    """Return words of what is known; who moved still has the job they had where they lived."""
    moved = any(each.slot is Slot.HOME and each.mode in REAL for each in told)
    return words & telling_terms(without_places(known)) if moved else words


def _asked_of(question: Question, told: Iterable[SlotClaim]) -> tuple[Asked, ...]:
    """Return the matters asked about; 教书法 is asked for by the words of a post."""
    asked = matters_asked(without_telling(question.text))
    habit = any(claim.slot is Slot.HABIT for claim in told)
    return tuple(each for each in asked if not habit or each.slot is not Slot.WORK)


def _answers_any(claims: Sequence[SlotClaim], asked: Iterable[Asked]) -> bool:
    return any(answers(x, each) for x in claims for each in asked if x.mode in REAL)


def _things_of(question: Question, words: set[str]) -> set[str]:
    """Return which words of a question name a thing, not somebody; of a post is asked who."""
    if place_asked(question.text):
        return set()
    things = words - {"name"} - telling_terms(" ".join(names_somebody(question.text)))
    return {each for each in things if not NO_THING.fullmatch(each)}


def _is_of_change(sentence: str, words: set[str]) -> bool:
    return words <= telling_terms(sentence) and tells_of_change(sentence)


def _claims_of(sentence: str, names: frozenset[str], asked: str, known: str) -> list[SlotClaim]:
    firm = [c for c in slot_claims(sentence, names) if c.firm and in_words(c)]
    school = {c for c in firm if c.slot is Slot.SCHOOL and is_learnt_beside(c.text, known)}
    return [each for each in firm if each not in school and may_be_asked_of(each, asked)]


_ASKS: Final = re.compile("[哪什啥谁几吗多怎]")


def _without(names: frozenset[str], text: str) -> str:
    for name in names:
        text = text.replace(name, " ")
    return text
