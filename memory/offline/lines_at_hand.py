"""The lines an answer may stand in: the present talk, and what the memories at hand hold."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from itertools import accumulate
from typing import Final, Literal
from zoneinfo import ZoneInfo

from memory.offline.claimed import ClauseSubject, subject_of
from memory.offline.questions import (
    KIN_WORD,
    Question,
    asks_after,
    asks_what_was_asked,
    is_name,
    names_in,
    only_asks,
    told_of_by_name,
)
from memory.offline.statements import CLAUSE_END, STATEMENT_CHARACTERS
from memory.offline.vocabulary import EN, ZH, is_question
from memory.recall.query_terms import telling_terms
from memory.recall.said_around import SAID_SINCE
from memory.text.correction_forms import corrects
from memory.text.corrections import corrected, names_the_wrong, says_what_is_right
from memory.text.dates import Span, date_spans
from memory.text.late_pattern import LatePattern
from memory.text.requests import asks_for_reminder
from memory.text.salience import STANDS
from memory.text.slot_cues import FIRST_PERSON, PERSONS_EN, PERSONS_ZH, ClaimMode, Slot
from memory.text.slots import SlotClaim, slot_claims
from memory.text.tokens import names_somebody, plainly_written, segmented_words
from prompts import PromptLine, PromptMemory, Reply

FADED: Final = "[曾记得]"
"""How the words of what is forgotten begin, but for a trace."""


@dataclass(frozen=True, slots=True)
class Told:
    """One sentence that may be an answer: who said it and when, and its place in the line."""

    text: str
    role: Literal["user", "assistant"]
    at: datetime
    place: int = 0
    speaker: str = ""
    another: str = ""  # who said it, where that is neither one of those who talk here nor she


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line that may hold an answer: how early recall had it, and how good its words were there.

    ``rank`` is 1 for the first memory recalled, ``found`` 1 for the first words it was found by.
    What ``only_asks`` answers nothing, and says what the lines around it are about.
    """

    said: PromptLine = field(kw_only=False)
    rank: float
    found: float
    past: bool = False
    only_asks: bool = False


def lines_at_hand(
    question: Question, before: Sequence[PromptLine], memories: Sequence[PromptMemory]
) -> Iterator[Line]:
    """Yield the lines an answer may stand in, in the order of time."""
    seen: dict[tuple[datetime, str], Line] = {}
    for line in before:
        seen[line.at, line.text] = Line(line, rank=1.0, found=0.5)
    # What was said since is no other answer: it is told beside the one it may have changed.
    memories = [each for each in memories if each.reason != SAID_SINCE]
    for place, memory in enumerate(memories):
        rank = 1 - place / max(len(memories), 1)
        quotes = [quote[:_TELLS_A_QUOTE] for quote in memory.quote.split(" … ") if quote]
        if memory.tier not in {"episode", "diary"}:
            continue
        for line in memory.said or _quoted(memory):
            hits = (1 / (1 + n) for n, quote in enumerate(quotes) if quote in line.text)
            held = Line(line, rank=rank, found=next(hits, 0.0), past=memory.past)
            seen.setdefault((line.at, line.text), held)
    told = asks_what_was_asked(question.text)
    for each in sorted(seen.values(), key=lambda each: each.said.at):
        # What asks for a reminder tells her what to do, and nothing of what was asked.
        if (
            asks_for_reminder(each.said.text)
            and each.said.role == "user"
            and not _ASKS_DUTY.search(question.text)
        ):
            continue
        if not question.spans or is_of_time(each.said, question, question.spans):
            asks = each.said.role == "user" and not told and only_asks(each.said.text)
            yield replace(each, only_asks=asks)


def is_of_time(line: PromptLine, question: Question, spans: Sequence[Span]) -> bool:
    """Whether a line was said on a day that is asked about, or tells of it."""
    if any(span.start <= line.at < span.end for span in spans):
        return True
    return line.role == "user" and names_day(line, question, spans)


def names_day(line: PromptLine, question: Question, spans: Sequence[Span]) -> bool:
    """Whether a line tells of one of these times, and not of weeks in which they lie."""
    told = date_spans(line.text, line.at, question.zone)
    return any(
        x.start < y.end and y.start < x.end and x.end - x.start <= max(y.end - y.start, _FEW_DAYS)
        for x in told
        for y in spans
    )


_FEW_DAYS: Final = timedelta(days=3)
"""Last weekend is of the Sunday asked about; "these days" are not."""


_ASKS_DUTY: Final = re.compile(
    r"提醒|安排|计划|要做|什么时候|几点|remind|plan|when|todo|to do|what time", re.IGNORECASE
)


def _quoted(memory: PromptMemory) -> Iterator[PromptLine]:
    if memory.tier not in {"episode", "diary"} or memory.text.startswith(FADED):
        return
    for quote in (memory.text,) if memory.tier == "diary" else memory.quote.split(" … "):
        yield PromptLine("user", memory.speaker, memory.when, quote)


def told_in_two(lines: Sequence[Line], place: int, other: int) -> bool:
    """Whether of two lines the later is what its speaker answered, asked about the earlier."""
    said, *between, then = (x.said for x in lines[min(place, other) : max(place, other) + 1])
    return (
        len(between) == 1
        and said.role == then.role != between[0].role
        and then.at - said.at < SAME_TALK
        and re.search("[?？]", between[0].text) is not None
    )


SAME_TALK: Final = timedelta(hours=2)
"""Lines further apart than that do not belong together."""

_TELLS_A_QUOTE: Final = 30
"""So many characters tell whether a quotation is of a line."""


def is_no_news(said: str) -> bool:
    """Whether a line of hers is an answer from memory, or one of the openings: no news."""
    if _FROM_MEMORY.match(said) or _BY_RULE.search(said):
        return True
    # "Of course." begins one of the openings, and much that tells something.
    least = len(said) / 2
    return any(len(fixed) >= least and fixed in said for fixed in _fixed_openings())


_BY_RULE: Final = re.compile(
    r"/(?:forget|undo)\b|^好，.{1,40}，我可以再提了|^好，改过来了：|^是哪件事呢|^是我说错了哪一句"
    r"|^All right, I (?:may mention|will not bring up) |^Thank you, I have put that right: "
    r"|^Of what\? |^Which part did I get wrong"
)
"""What she answers where a matter is let go or put right (``bot.texts.dialogue``)."""


@cache
def _fixed_openings() -> tuple[str, ...]:
    own = ((say.notice, say.about, say.pleased, say.called, say.clock) for say in (ZH, EN))
    pools = (*own, *(pool for say in (ZH, EN) for pool in say.openings.values()))
    parts = (max(re.split(r"\{\w+\}", text), key=len) for pool in pools for text in pool)
    return tuple(part for part in parts if len(part) > STATEMENT_CHARACTERS)


def _beginnings() -> Iterator[str]:
    for say in (ZH, EN):
        templates = (
            say.known, say.faded, say.nothing_then, say.nothing_yet, say.never,
            say.just_now, say.earlier, say.that_day, say.last_time, say.you_said, say.i_said,
            say.they_said,
            say.agrees, say.denies, say.two, say.unsure, say.not_known, say.let_go,
            say.reminded,
        )  # fmt: skip
        for template in templates:
            # What is filled in may be anything short: a day, a topic.
            yield re.sub(
                r"\\\{\w+\\\}", ".{0,40}?", re.escape(re.split(r"\{(?:what|one)\}", template)[0])
            )


_FROM_MEMORY: Final = re.compile(
    "|".join(each for each in _beginnings() if len(each.replace(".{0,40}?", "")) > 1),
    re.IGNORECASE,
)


_OF_WHOEVER: Final = frozenset({Slot.NAME, Slot.NICKNAME, Slot.AGE, Slot.BIRTHDAY})
"""What is told of anybody who was spoken of just before: 我请了个帮工，叫何姐，五十岁."""


def may_be_asked_of(claim: SlotClaim, asked: str) -> bool:
    """Whether what a clause claims may be of whom a question asks about: 小宇换牙了 is not of me.

    A name or an age without "I" after another clause is of whoever came in there.
    """
    named = names_somebody(asked)
    if named:
        return any(each in claim.sentence for each in named)
    of_place = claim.slot is Slot.HOME and claim.text.startswith(claim.value)  # Galway people now
    if not of_place and subject_of(claim.text) in _NOT_THEMSELVES and not KIN_WORD.search(asked):
        return False
    first = claim.sentence.find(claim.text) <= 0
    spoken = FIRST_PERSON.search(claim.text) is not None
    if claim.slot in _OF_WHOEVER and not (first or spoken):
        return False
    if claim.about == "pet" and claim.mode is ClaimMode.STOPPED and claim.value.isascii():
        # The van died as well.
        named_so = claim.value[:1].isupper() and len(claim.value) > 1
        return named_so or bool(telling_terms(claim.value) & telling_terms(asked))
    return spoken or not (_OF_SOMEBODY.match(claim.sentence) or told_of_by_name(claim.sentence))


OF_YOU: Final = LatePattern(r"[你您]|\b(?:you|your|yours|you['’]\w+)\b", re.IGNORECASE)


def in_words(claim: SlotClaim) -> bool:
    """Whether what a clause gives begins with a word: 式结束 of 告别式结束了 is none."""
    at = claim.sentence.find(claim.value)
    if at <= 0 or claim.value[:1].isascii():
        return True
    return at in accumulate(map(len, segmented_words(claim.sentence)))


def names_what_changed(sentence: str, words: frozenset[str], known: str, asked: str) -> bool:
    """Whether a clause names one of these things, and that it is otherwise than before.

    Whom it is about must be known or asked of too; that it is about them is not enough, unless
    they are no more, and the question is after them.
    """
    sentence, known = plainly_written(sentence), plainly_written(known)
    told_of = told_of_by_name(sentence)
    theirs = subject_of(sentence) in _NOT_THEMSELVES or re.match(_KIN_OF_MINE, sentence)
    # My nan's dog Biscuit, of whom it was told before, and old He who owed me money.
    common = {e for e in telling_terms(sentence) & telling_terms(known) if not _DAY.fullmatch(e)}
    is_known = (told_of and told_of in known) or len(common) >= _SURELY_THE_SAME
    if _OF_SOMEBODY.match(sentence) or (theirs and not is_known and not KIN_WORD.search(asked)):
        return False
    if told_of and told_of not in f"{known} {asked}":
        return False
    if common and _OWED.search(known) and _PAID.search(sentence):
        return True
    names = {*names_somebody(sentence), *names_somebody(known), *names_somebody(asked)}
    things = words - telling_terms(" ".join(names)) - names
    things = frozenset(each for each in things if not NO_THING.fullmatch(each))
    clauses = [
        each
        for each in CLAUSE_END.split(sentence)
        if (_CHANGED.search(each) or _GONE.search(each) or corrects(each))
        and not OF_YOU.search(each)
    ]
    return any(_names_one_of(things, clause) for clause in clauses) or any(
        _GONE.search(clause) and _AFTER_ONE.search(asked) and _names_one_of(words, clause)
        for clause in clauses
    )


_OF_SOMEBODY: Final = LatePattern(r"(?<![吉其])[他她它]|(?:he|she|it)\b", re.IGNORECASE)
"""Of whom, only the line before says."""

_DAY: Final = LatePattern(r".*[每周週天年月日点點们].*|现在|以后|now|since", re.IGNORECASE)

NO_THING: Final = LatePattern(
    rf"{_DAY.pattern}|.*[没不].*|{PERSONS_ZH}|{PERSONS_EN}|boss|teacher|doctor"
    r"|move|work|live|start|stop|leav|stay|call|叫|上班",
    re.IGNORECASE,
)
"""Days, deeds, who people are: that both are spoken of makes no two lines of one matter."""

_OWED: Final = LatePattern(r"欠|借|\b(?:ow(?:e|es|ed|ing)|len[dt]|borrow\w*)\b", re.IGNORECASE)

_PAID: Final = LatePattern(
    r"(?<![没不])还(?:了|清|[钱我](?:钱)?了|给我了)|结清"
    r"|\b(?:paid|gave) (?:me|us|it|him|her|them|the money|every\w+|all of it|back)\b",
    re.IGNORECASE,
)

_SURELY_THE_SAME: Final = 2
"""So many words in common: of one alone, two dogs may be meant."""

_NOT_THEMSELVES: Final = frozenset({ClauseSubject.THEIRS, ClauseSubject.OTHER})

_KIN_OF_MINE: Final = rf"我们?家?(?:{KIN_WORD.pattern})"

_GONE: Final = LatePattern(
    r"新(?![年闻鲜手])"
    r"|\bnew (?=\w+(?: is| are|['’]s| called)\b)|送[人给走]|走了|走丢|丢了|死了|去世|过世|没了"
    r"|分手|分了|离婚|离了|离职|辞|开除|退休|换"
    r"|\b(?:fired|sacked|laid off|left|gone|quit|retired|died|dead|passed away|rehomed|broke up"
    r"|split|dumped|moved out|lost|sold|gave (?:\w+ )?away|rip)\b",
    re.IGNORECASE,
)
"""By these somebody is no more what they were to the speaker."""

_AFTER_ONE: Final = LatePattern(
    r"谁|叫|名字|有|养|还|怎么样|好吗|\bwho|\bname|\bcalled|\bhave|\bstill|\bhow\b",
    re.IGNORECASE,
)
"""Who they are, or whether they are there, is asked."""


def _names_one_of(words: frozenset[str], clause: str) -> bool:
    # Where words are not parted by spaces, a cut may go through a name: 旺财送人了.
    return bool(words & telling_terms(clause)) or any(
        not word.isascii() and len(word) > 1 and word in clause for word in words
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
    r"(?:away|up|to)|given up|(?<=have )give up|retired|graduated|rejected|made up|bailed"
    r"|ended(?! up)|(?<!get )(?<!got )(?<!getting )lost|got rid|deleted|cut out|proposed|divorced?"
    r"|paid (?!off)|pack(?:ed)? in)\b"
    r"|\blet (?:me|him|her|them|us) go\b|\b(?:actually|really) is\b|\binstead\b",
    re.IGNORECASE,
)
"""Words by which a clause tells that what it names is over, or otherwise than before."""


def names_asked_about(prompt: Reply, asked: str, before: Sequence[PromptLine]) -> list[str]:
    """Return whom or what a question names that the partner told of by that name."""
    told = [line.text for line in said_by_partner(prompt, before)]
    told += [memory.text for memory in prompt.memories]
    return [
        name
        for name in names_in(asked)
        if any(name in each for each in told)
        and (asks_after(asked) or any(is_name(name, each) for each in told))
    ]


def said_by_partner(prompt: Reply, before: Sequence[PromptLine]) -> list[PromptLine]:
    """Return what the partner said, as far as it is at hand, without what only asked."""
    said = [*before, *(line for memory in prompt.memories for line in memory.said)]
    said += [
        PromptLine("user", m.speaker, m.when, m.quote or m.text)
        for m in prompt.memories
        if not m.said and (m.tier == "diary" or (m.quote and m.tier != "episode"))
    ]
    told = (x for x in said if x.role == "user" and not is_question(x.text))
    return sorted(told, key=lambda each: each.at)


def without_slips(lines: Sequence[PromptLine], zone: ZoneInfo) -> list[PromptLine]:
    """Return the lines of a talk without the last one that each correction puts right.

    What is further back is not meant, and was not put right either (``memory.jobs.edits``).
    """
    slips: list[PromptLine] = []
    for place, right in enumerate(lines):
        if right.role != "user" or not says_what_is_right(right.text):
            continue
        for line in reversed(lines[max(0, place - _NEAR_LINES) : place]):
            soon = right.at - line.at <= _PUT_RIGHT_WITHIN and not says_what_is_right(line.text)
            if soon and corrected(right.text, line.text, _values(line.text), right.at, zone):
                # Who names both is quoted with neither: the wrong one stands there too.
                slips += [line, right] if names_the_wrong(right.text) else [line]
                break
    return [line for line in lines if line not in slips]


_NEAR_LINES: Final = 8


def _values(text: str) -> list[str]:
    return [claim.value for claim in slot_claims(text, STANDS)]


_PUT_RIGHT_WITHIN: Final = timedelta(hours=2)


def is_old_answer(line: PromptLine) -> bool:
    """Whether a line is one of her answers from memory, which are no news."""
    return line.role == "assistant" and is_no_news(line.text)


def tells_nothing(said: str) -> bool:
    """Whether a line is one of her answers from memory, or asks what was: it is no news."""
    return is_no_news(said) or (len(said) <= _LONGEST_QUESTION and only_asks(said))


_LONGEST_QUESTION: Final = 30
