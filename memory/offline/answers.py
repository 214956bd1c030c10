"""Finding the sentence that answers a question, among what was said and what is known.

What is told must be likely enough, of whom the question is about, and no question itself.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final

from memory.offline.claimed import claimed
from memory.offline.groups import is_of_others
from memory.offline.harms import may_harm_whom_it_asks
from memory.offline.lines_at_hand import Line, Told, lines_at_hand, names_day, told_in_two
from memory.offline.questions import (
    KIN_WORD,
    OF_ME,
    Question,
    asks_what_was_advised,
    asks_what_was_asked,
    asks_yes_or_no,
    may_be_of,
    names_in,
    without_kin_of_others,
    without_telling,
    worded,
)
from memory.offline.statements import CLAUSE_END, QUOTED
from memory.offline.understood import is_anothers_word
from memory.offline.weighing import Weighing, likelihood, only_asks_for
from memory.text.slot_cues import UNDONE
from memory.text.tokens import is_dense, stems
from prompts import PromptLine, PromptMemory

_I: Final = re.IGNORECASE

ENOUGH: Final = 0.52
"""So likely a line must answer a question to be told as the answer; else it is at most near."""

ENOUGH_OF_WORLD: Final = 0.6
"""The same where nothing says that the question is about what was lived or said."""

ENOUGH_SHARED: Final = 0.34
"""The share of a question's words that a fact must hold to answer it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The best answer to a question, or the nearest thing to one.

    ``trust`` says how likely it is the answer, 0–1, ``share`` how much of the question's words it
    accounts for, ``holds`` whether it has the kind of thing asked for. ``second`` continues it;
    ``rival`` is another line that may be meant as well. ``confirms``: the question asks to have
    confirmed what that line says, word for word; ``denies``: that it is not so. ``signs`` is what
    speaks for it, by name; ``theirs``: it tells of somebody else than was asked about.
    """

    best: Told
    trust: float
    share: float
    holds: bool
    second: Told | None = None
    rival: Told | None = None
    denies: bool = False
    confirms: bool = False
    signs: Mapping[str, float] = field(default_factory=dict)
    theirs: bool = False

    @property
    def enough(self) -> bool:
        """Whether it is likely enough to be told as the answer."""
        return self.trust >= ENOUGH


def best_answer(
    question: Question, before: Sequence[PromptLine], memories: Sequence[PromptMemory]
) -> Answer | None:
    """Return what answers a question best; None if there is nothing near it at all."""
    lines = list(lines_at_hand(question, before, memories))
    if all(line.only_asks for line in lines):
        return None
    weighing = Weighing(question, lines)
    (place, sure), *others = _ranked_fitting(question, weighing)
    best, second = weighing.told_of(place)
    fits = not question.kinds or question.checks or _holds_kind(question, best, second)
    theirs = _is_of_others(question, lines, place, best)
    rival = None
    other, likely = _other_to_tell(lines, place, sure, others)
    if other is not None and not question.checks:
        rival = _rival_told(question, weighing, lines, other, best, fits=fits)
        sure += likely if rival else 0.0
    share = weighing.share_of(place)
    signs = weighing.signs(place, sure, fits=fits)
    trust = likelihood(signs)
    of_day = names_day(lines[place].said, question, question.spans) or weighing.tells_news(place)
    if not theirs and (
        (fits and not question.terms and question.kinds)
        or (question.spans and of_day and not share)
        or (question.checks and weighing.says_all(best))
    ):
        # 我几岁, 周六我要干什么: all that is asked for is a kind of thing, or what is on a day.
        trust, share = max(trust, ENOUGH), max(share, _LEAST_SHARE)
    elif (
        theirs
        or share < _LEAST_SHARE
        or (not fits and question.kinds[0].must and not asks_what_was_asked(question.text))
        or (question.checks and not weighing.confirms(best))
        or (asks_yes_or_no(question) and _claims_nothing(best, question))
        or _only_asked(question, best)
        or _lacks_advice(question, lines[place].said.text)
        or _only_led(question, weighing, place, best, second)
    ):
        trust = min(trust, _NO_ANSWER)
    # May I have nuts is not answered with a yes by I am allergic to nuts.
    confirms = question.checks and weighing.share_told(best) > _ALL
    return Answer(
        best, trust, share, fits, second, rival, question.denies, confirms, signs, theirs=theirs
    )


def _is_of_others(question: Question, lines: Sequence[Line], place: int, best: Told) -> bool:
    """Whether a line tells of somebody else than was asked about; those before it may say of whom.

    Where a question names somebody who was told of, so does its answer.
    """
    told = [worded(each.said, question) for each in lines]
    around = told[max(place - 2, 0) : place + 1]
    named = [x for x in names_in(question.text) if any(x in each for each in told)]
    if best.speaker in question.others and named:
        return best.speaker not in named and not any(name in best.text for name in named)
    return (
        is_of_speaker(question, best)
        or is_about_another(question, best.text, best.role)
        or not any(may_be_of(each, question) for each in around)
        # When my mum was born is not when Biscuit was, told of before it.
        or (bool(named and owners_in(best.text)) and not any(x in best.text for x in named))
        or (bool(named) and not any(name in each for name in named for each in around))
    )


def is_of_speaker(question: Question, told: Told) -> bool:
    """Whether who asks asks of themselves, and another member of a group said it."""
    return told.speaker in question.others and is_of_self(question.text)


def _ranked_fitting(question: Question, weighing: Weighing) -> list[tuple[int, float]]:
    """Return the lines, the best first, from the first that may answer on.

    Passed over is what she said of herself and was not asked, and what lacks the kind of thing
    asked for; if the first few all are that, or the next shares no word, nothing is.
    """
    ranked = weighing.ranked()
    passed = 0.0
    for number, (place, likely) in enumerate(ranked[:_TRIED]):
        best, second = weighing.told_of(place)
        hers = best.role != "user" and is_about_another(question, best.text, best.role)
        must = bool(question.kinds) and question.kinds[0].must and not question.checks
        if hers or (must and not _holds_kind(question, best, second)):
            passed += likely
        elif number == 0 or weighing.share_told(best):
            left = 1 - min(passed, _MOST_PASSED)
            return [(x, each / left) for x, each in ranked[number:]]
        else:
            break
    return ranked


def _other_to_tell(
    lines: Sequence[Line], place: int, sure: float, others: Sequence[tuple[int, float]]
) -> tuple[int | None, float]:
    """Return the line to be told as well, and how likely it is the answer; None if none is.

    That is one about as likely, where none is sure, or the other half of what somebody told in two
    turns, asked in between: "I ran a race on Saturday" – "How was it?" – "It made me think".
    """
    for other, likely in others[:_TRIED]:
        if likely >= _RIVAL * sure and sure < _SURE:
            return other, likely
        if likely >= _NEXT * sure and told_in_two(lines, place, other):
            return other, likely
    return None, 0.0


_NEXT: Final = 0.1
"""How likely, beside the best, the other half must be to be told as well."""


def _only_led(
    question: Question, weighing: Weighing, place: int, best: Told, second: Told | None
) -> bool:
    """Whether only its neighbours speak for a line: no word, no kind of thing, no question."""
    told = best if second is None else replace(best, text=f"{best.text} {second.text}")
    return (
        not question.kinds
        and bool(question.terms)
        and not weighing.share_told(told)
        and weighing.share_asked(place) < _ASKED_FOR
    )


def _lacks_advice(question: Question, text: str) -> bool:
    """Whether a question is after what was recommended to her, and a text recommends nothing."""
    return asks_what_was_advised(question.text) and not _TELLS_TO_TRY.search(text)


_TELLS_TO_TRY: Final = re.compile(
    r"推荐|你(?:们?也?)(?:可以|要是|不妨|一定|应该|试)|可以[去看试听]|建议你|如果你"
    r"|\b(?:recommend|you (?:can|could|should|might|must|would)|if you (?:like|want)"
    r"|check out|try)\b",
    _I,
)
"""What one read is not thereby what one recommended."""


def _rival_told(
    question: Question,
    weighing: Weighing,
    lines: Sequence[Line],
    place: int,
    best: Told,
    *,
    fits: bool,
) -> Told | None:
    """Return what another line tells, if it may be meant as well as the best."""
    rival, more = weighing.told_of(place)
    holds = not (fits and question.kinds) or _holds_kind(question, rival, more)
    theirs = _is_of_others(question, lines, place, rival)
    # In a group it shares a word with the question, whatever was asked before it.
    theirs |= bool(question.others) and not weighing.share_told(rival)
    # What dad was operated on is not told by where dad lives.
    of_them = weighing.share_told(best, of_matter=True) and not weighing.share_told(
        rival, of_matter=True
    )
    theirs |= bool(question.kin and of_them)
    # Nor is what she said at it an answer.
    theirs |= rival.role != "user" and not question.after and not weighing.share_told(rival)
    return rival if holds and not theirs and best.text not in rival.text else None


def _holds_kind(question: Question, best: Told, second: Told | None) -> bool:
    told = best.text + (second.text if second else "")
    kind = question.kinds[0]
    # In a group 我去 says who goes.
    named = best.speaker in question.others and kind.asks.search("谁") is not None
    return named or kind.holds.search(told) is not None


def _claims_nothing(told: Told, question: Question) -> bool:
    """Whether a sentence of the partner's says nothing to be so: dreamt, in jest, nearly done.

    Who asks of the dream itself asks in its words.
    """
    if told.role != "user" or UNDONE.search(question.text) or not any(claimed([question.text])):
        return False
    unreal = is_only_quoted(question, told.text) or UNDONE.search(told.text) is not None
    return unreal or not any(claimed([told.text]))


def is_only_quoted(question: Question, told: str) -> bool:
    """Whether what is to be confirmed stands in quotation marks alone: it is said, and not so."""
    of = question.checked_of
    return of in stems(told) and of not in stems(QUOTED.sub(" ", told))


def _only_asked(question: Question, told: Told) -> bool:
    """Whether what would be told is itself a question, and not what the question is after."""
    return only_asks_for(told.text) and not asks_what_was_asked(question.text)


_TRIED: Final = 3
"""So many lines are tried for one that may answer."""

_MOST_PASSED: Final = 0.8
"""How much of the likelihood of those passed over goes to the rest at most."""

_NO_ANSWER: Final = 0.3
"""How likely at most what is about others, or shares no word, is to be the answer."""

_LEAST_SHARE: Final = 0.1

_ASKED_FOR: Final = 0.3
"""The share of a question that must have been asked right before an answer to it."""

_ALL: Final = 0.99
"""The share of its words that a sentence must hold for a plain yes or no."""


_SURE: Final = 0.75
"""A line likelier than this to be the answer is told alone."""

_RIVAL: Final = 0.25
"""How likely another line must be, beside the best, to be told as well where none is sure."""


def is_about_another(question: Question, told: str, role: str) -> bool:
    """Whether it is about oneself or one's own, and what is told about others.

    我住哪 is not answered by 她住在绍兴, nor "my dog" by my sister's.
    """
    asked = without_telling(question.text)
    # 我给妈妈买了什么 is not answered by what 爸爸 got, nor by what 妈妈 of somebody else got.
    own = without_kin_of_others(told, question) if role == "user" else told
    of_others = question.kin and not may_be_of(own, question) and KIN_WORD.search(told)
    of = question.checked_of if is_of_self(asked) and asks_yes_or_no(question) else ""
    passed_on = role == "user" and (is_of_others(of, told) or is_anothers_word(told, asked))
    if of_others or passed_on or not may_harm_whom_it_asks(told, asked):
        return True
    if role != "user":
        # What she likes is not what the partner likes, and what she supposed is not so.
        supposed = question.after == "user" and _IF_YOU.search(told) is not None
        of_her = question.after != role and is_of_self(asked) and bool(_SAYS_I.match(told))
        return supposed or of_her
    # "Congrats on your promotion" tells of her to whom it was said, and that my sister is 35 and
    # has a cat does not say that I have one.
    to_her = OF_ME.search(asked) and _YOU.search(told) and not OF_ME.search(told)
    kin = _OF_KIN.match(told)
    of_kin = kin and kin["kin"].lower() not in question.kin and is_of_self(asked)
    if to_her or (of_kin and not _SELF.search(told)):
        return True
    if any(word not in question.kin for word in owners_in(told)):
        # 我在参加表姐的婚礼 is about me, whosesoever the wedding is.
        mine = is_of_self(asked) and is_of_self(told)
        return OF_ME.search(asked) is not None and not mine
    checked = question.checks and OF_ME.search(asked)
    if question.kin or not (checked or is_of_self(asked)):
        return False
    clauses = [part for part in CLAUSE_END.split(told) if part]
    if question.kinds:
        clauses = [x for x in clauses if question.kinds[0].holds.search(x)] or clauses
    return (question.checks and not may_be_of_self(told)) or all(map(is_of_another, clauses))


_OF_KIN: Final = re.compile(
    r"(?:我们?家?的?|my |our )?(?!(?:\w+ )?(?:cat|dog|kitten|puppy)\b|[一-鿿]?[猫狗])"
    rf"(?P<kin>{KIN_WORD.pattern})",
    _I,
)

_IF_YOU: Final = re.compile(r"(?:如果|要是|假如)你|\bif you\b", _I)

_YOU: Final = re.compile(r"你(?!好|知道|看[，,])|\byour?\b(?! know\b)", _I)

_SAYS_I: Final = re.compile(
    r"(?:[^，,。]{0,6}[，,])?(?:其实|最近|平时)?我|(?:[^.]{0,40}, )?I\b",
    _I,
)

_SELF: Final = re.compile(r"我(?!们|家?的?[爸妈爷奶姥哥姐弟妹儿女孙老男])|\bI\b|\bI'", _I)


_I_DO: Final = re.compile(r"我(?![们的家爸妈爷奶姥哥姐弟妹儿女孙老男])|\bI\b", _I)


def is_of_self(asked: str) -> bool:
    """Whether a question is about the partner, not about what is theirs."""
    return _I_DO.search(asked) is not None


def owners_in(told: str) -> list[str]:
    """Return the words for those whose things are told of: sister in my sister's dog."""
    return [
        found[0].lower() for found in KIN_WORD.finditer(told) if _OWNS.match(told, found.end())
    ]


_OWNS: Final = re.compile(r"['’]s (?!name|called|named)\w+|的(?!时候|名字|话)[一-鿿]")


def may_be_of_self(told: str) -> bool:
    """Whether a sentence may tell of its speaker, as it is: no condition, nobody else's."""
    if _UNREAL.search(told):
        return False
    return is_dense(told) or _SELF.search(told) is not None


_UNREAL: Final = re.compile(
    r"如果|要是|假如|但愿|希望|\b(?:if|wish|would|could|hope)\b|\w'd\b", _I
)


def is_of_another(clause: str) -> bool:
    """Whether a clause tells of somebody else, and not of its speaker: 她住在绍兴."""
    other = re.search(r"(?<![吉其])[他她它]|\b(?:he|she|they)\b", clause, _I) or KIN_WORD.search(
        clause
    )
    return other is not None and _SELF.search(clause) is None


def with_range_in_words(told: str) -> str:
    """Return a text with a range of days as people say it: December 28 to January 3."""
    return _RANGE.sub(lambda x: f"{_day(x['first'])} to {_day(x['last'])}", told)


_RANGE: Final = re.compile(r"(?P<first>\d{4}-\d\d-\d\d)~(?P<last>\d{4}-\d\d-\d\d)")


def _day(written: str) -> str:
    return f"{date.fromisoformat(written):%B %-d}"
