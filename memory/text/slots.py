"""Reading a sentence as answers to questions a life has: where one lives, works, whom one loves.

A slot is *whose* and *what about*. Two statements in one slot may speak of the same thing without
sharing a word (我住在北京, 搬家了), so that a change of life is noticed by rule. The words stand in
:mod:`memory.text.slots_zh` and :mod:`memory.text.slots_en`.

Lexical and careful: what somebody else did, wished, dreamt, asked or nearly did claims nothing for
the speaker; it is still read, so that a judge may be shown what is known of the matter.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice
from typing import Final

from memory.text.late_pattern import LatePattern
from memory.text.slot_core import (
    BEFORE_PREDICATE,
    DENIED,
    ENDS_FOR_ME,
    IS_TIME,
    SPOUSES,
    ClauseCore,
    core_of,
    moves_a_thing,
    subject_before,
    whose_before,
    written_in_full,
)
from memory.text.slot_cues import (
    ACTS_ON_ME,
    AHEAD,
    ANY_MORE,
    ATTRIBUTED,
    BEGINS_AHEAD,
    EVERYBODY,
    FICTION,
    FIRST_PERSON,
    FORMER,
    GIVES_ME,
    HAPPENED_THERE,
    IN_JEST_BEFORE,
    JEST,
    JUST_TODAY,
    LIVES_THERE,
    MOVES_ME,
    NO_MORE,
    NOT_SO,
    ONES_CHILDREN,
    ONES_PETS,
    OTHER_EN,
    OTHER_ZH,
    PAID_BY_OTHERS,
    PASTIME,
    PERSONS_EN,
    PLANNED,
    REAL,
    SAME_AGAIN,
    SINGLE_VALUED,
    SOMEBODY,
    SUPPOSED,
    THEIRS,
    TOLD_ME,
    TWO_OTHERS,
    UNDONE,
    WITH_OTHER,
    ClaimMode,
    Cue,
    Slot,
    core_tables,
    tables,
)
from memory.text.stretches import SENTENCE_END, clauses_of
from memory.text.tokens import names_somebody, plainly_written, tagged_words
from memory.text.word_forms import doer_named, first_person
from prompts.rendering import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotClaim:
    """One clause read as an answer.

    ``whose`` is empty for the speaker, else the word for somebody else. ``about`` says more
    closely what is meant (``employer``, ``smoke``, ``phone``), ``value`` is the new part in the
    speaker's words. ``firm``: plain enough to end what was said before; ``loose``: it only touches on the slot,
    so that a change may end it. ``denies``: a dislike. ``sentence`` is what it stands in, ``before`` and ``after`` are the clause around what was read.
    """

    slot: Slot
    mode: ClaimMode
    value: str
    text: str
    sentence: str
    before: str = ""
    after: str = ""
    whose: str = ""
    about: str = ""
    firm: bool = True
    loose: bool = False
    denies: bool = False

    @property
    def is_own(self) -> bool:
        """Whether the speaker says it of themselves as something that is so."""
        return not self.whose and self.mode in REAL


_HAN: Final = LatePattern("[\u4e00-\u9fff]")
_LATIN_WORD: Final = LatePattern(r"[A-Za-z]{3,}")
LONGEST_READ: Final = 600
"""So many characters of a text are read: what is longer was pasted."""

MOST_CLAUSES: Final = 24
_NAME: Final = LatePattern(rf"(?i)(?!(?:{PERSONS_EN})$)(?-i:[A-Z])[a-z]+")

_OF_BOTH: Final = (
    ({Slot.PARTNER}, SPOUSES),
    ({Slot.NICKNAME}, EVERYBODY),
    ({Slot.POSSESSION}, ONES_PETS),
    ({Slot.THING, Slot.POSSESSION}, _NAME),
    ({Slot.CHILDREN}, ONES_CHILDREN),
)


def slot_claims(text: str, names: Iterable[str] = ()) -> tuple[SlotClaim, ...]:
    """Return what a text says of slots, clause by clause.

    ``names`` stand for the speaker in it, as in a memory: 主人住在上海 is 我住在上海.
    """
    return _read_claims(text[:LONGEST_READ], frozenset(names))


# One line is read by many within its turn: what she learns, weighs, compares and calls to mind.
@lru_cache(maxsize=512)
def _read_claims(text: str, names: frozenset[str]) -> tuple[SlotClaim, ...]:
    said = IN_JEST_BEFORE.sub("", plainly_written(in_first_person(plain(text), names)))
    story, found = said if FICTION.search(said) else "", list[SlotClaim]()
    for sentence in islice(filter(None, map(str.strip, SENTENCE_END.split(said))), MOST_CLAUSES):
        unreal = SUPPOSED.search(sentence) is not None
        found += _claims_of_sentence(sentence, unreal=unreal, story=story)
    return tuple(found)


def _claims_of_sentence(sentence: str, *, unreal: bool, story: str) -> Iterator[SlotClaim]:
    someone = ""
    for clause in islice(clauses_of(sentence), MOST_CLAUSES):
        other = _someone_else(clause)
        # 闺女，… speaks to somebody, not of them.
        if other == clause and not clause.isascii():
            continue
        if other or FIRST_PERSON.search(clause):
            someone = "" if MOVES_ME.search(clause) else other
        for claim in _claims_of_clause(clause, sentence):
            whose = someone or _named_before(claim)
            real = not (unreal or _is_in(story, claim))
            yield _as_meant(_as_pastime(claim), whose, unreal=not real)
        # 房东把我撵了，住到…: whoever acts on the speaker, what follows is the speaker's.
        if someone and ACTS_ON_ME.search(clause):
            someone = ""


def _named_before(claim: SlotClaim) -> str:
    # kev retired, 豆包生日是6月4号, 下周六小雨结婚, 李思源转学了, 我们项目改名叫青鸟.
    settled = claim.slot in {Slot.NAME, Slot.HOME, Slot.WORK, Slot.SCHOOL}
    if settled and not claim.before.isascii():
        return subject_before(claim.before, is_person=claim.slot is not Slot.NAME)
    other = FIRST_PERSON.search(claim.text) is None
    if claim.value == "married" and other and not re.search("[和跟与同]", claim.before):
        return next(iter(names_somebody(claim.before)), "")
    dated = claim.slot in {Slot.AGE, Slot.BIRTHDAY}
    does = claim.mode is not ClaimMode.HOLDS or re.search(r"\b(?:live|work|rent)s\b", claim.text)
    done = settled and does and claim.text.isascii()
    return whose_before(claim.before) if dated or (done and other) else ""


def _claims_of_clause(clause: str, sentence: str) -> Iterator[SlotClaim]:
    han, latin = _HAN.search(clause), _LATIN_WORD.search(clause)
    languages = [name for name, there in (("zh", han), ("en", latin or not han)) if there]
    found: dict[tuple[Slot, str], SlotClaim] = {}
    for cue in chain.from_iterable(tables()[name].fitting(clause) for name in languages):
        if (cue.slot, cue.about) not in found and (match := cue.search(clause)):
            found[cue.slot, cue.about] = _claim(cue, match, clause, sentence)
    read = {claim.slot: claim for claim in found.values() if claim.firm}
    written = written_in_full(clause) if "en" in languages else clause
    for name in languages:
        core: ClauseCore | None = None
        # Most clauses have no word of any class: they need not be brought to their core.
        for cue in core_tables()[name].fitting(written):
            known = read.get(cue.slot)
            again = cue.slot is Slot.THING and (cue.slot, cue.about) in found
            if again or not _adds(cue, known):
                continue
            core = core or core_of(clause, name)
            if match := cue.search(core.text):
                claim = _from_core(_claim(cue, match, clause, sentence), core, match)
                if known and cue.slot in SINGLE_VALUED:
                    found.pop((known.slot, known.about), None)
                found[cue.slot, cue.about] = read[cue.slot] = claim
    yield from found.values()


def _adds(cue: Cue, known: SlotClaim | None) -> bool:
    """Whether a cue may say more than what was read of its slot: that it is over, or nothing."""
    over = cue.mode is ClaimMode.STOPPED and cue.slot in SINGLE_VALUED
    return known is None or cue.slot is Slot.THING or (over and known.mode is ClaimMode.HOLDS)


def _from_core(claim: SlotClaim, core: ClauseCore, match: re.Match[str]) -> SlotClaim:
    if core.is_change and claim.mode is ClaimMode.HOLDS and claim.value != claim.about:
        claim = replace(claim, mode=ClaimMode.MOVED)
    if _begins(core.text, match):
        return claim
    # Told of oneself a core begins with what is told: 减轻烦躁感 is no dislike.
    ends = claim.mode is ClaimMode.STOPPED or claim.denies
    return replace(claim, loose=True, firm=ends and claim.firm)


def _begins(core: str, match: re.Match[str]) -> bool:
    """Whether nothing of weight stands before what was read."""
    if core.isascii() and FIRST_PERSON.search(core):
        return True
    led = BEFORE_PREDICATE.match(core)
    return led is not None and match.start() <= led.end()


def _claim(cue: Cue, match: re.Match[str], clause: str, sentence: str) -> SlotClaim:
    value = next((each for each in match.groups() if each), "").strip()
    return SlotClaim(
        slot=cue.slot,
        mode=cue.mode,
        value=cue.fixed or value,
        text=clause,
        sentence=sentence,
        about=cue.about,
        firm=cue.firm,
        loose=cue.loose,
        denies=cue.denies,
        before=match.string[: match.start()],
        after=match.string[match.end() :],
    )


def _is_in(story: str, claim: SlotClaim) -> bool:
    """Tell whether a claim is of a story begun before it; who likes 科幻小说 tells of a liking."""
    before, told, after = story.partition(claim.text)
    if claim.slot is Slot.TASTE and claim.value:
        told = told.replace(claim.value, " ")
    return bool(FICTION.search(f"{before}{told}") or JEST.search(after))


def _as_meant(claim: SlotClaim, someone: str, *, unreal: bool) -> SlotClaim:
    """Return a claim with whom it is about, and no real one where nothing is said to be so."""
    if someone and not _is_of_speaker(claim, someone):
        claim = replace(claim, whose=someone)
    undone = UNDONE.search(claim.text)
    given_up = claim.mode is ClaimMode.STOPPED and NO_MORE.search(claim.text)
    if claim.slot is Slot.PLAN and (given_up or PLANNED.search(claim.text)):
        undone = None
    if unreal or undone or _tells_no_news(claim):
        return replace(claim, mode=ClaimMode.UNREAL)
    theirs = claim.value == "married" and claim.whose in names_somebody(claim.before)
    ahead = BEGINS_AHEAD if claim.mode is ClaimMode.HOLDS else AHEAD
    if (theirs or claim.slot in _BEGINS_ON_A_DAY) and ahead.search(claim.text):
        # Whoever moves in March lives where they live until then; it may be called off.
        claim = replace(claim, slot=Slot.PLAN, mode=ClaimMode.HOLDS, about="", firm=True)
        return replace(claim, whose="") if theirs else claim
    of_now = claim.slot in {Slot.TASTE, Slot.HABIT} or claim.about == "quit"
    if of_now and (JUST_TODAY.search(claim.text) or "这两天" in claim.sentence):
        return replace(claim, mode=ClaimMode.UNREAL)
    if (denied := _as_denied(claim)) is not None:
        return denied
    was = claim.mode is not ClaimMode.STOPPED
    past = was and (FORMER.search(claim.text) or _happened_there(claim))
    return replace(claim, mode=ClaimMode.PAST) if past else claim


def _happened_there(claim: SlotClaim) -> bool:
    """Tell whether a claim only names where one works or lives: a thing was lost or lies there."""
    known = claim.loose and claim.slot in {Slot.HOME, Slot.WORK, Slot.SCHOOL}
    return known and bool(HAPPENED_THERE.search(f"{claim.before}|{claim.after}\n{claim.text}"))


def _is_of_speaker(claim: SlotClaim, someone: str) -> bool:
    """Tell whether what is told of somebody is so of the speaker: 我老公 is how they are married."""
    if any(claim.slot in slots and who.fullmatch(someone) for slots, who in _OF_BOTH):
        return True
    # Tesco closed down, Dentist rescheduled to Friday: what begins a clause may be no person.
    named = claim.mode is not ClaimMode.HOLDS and _NAME.fullmatch(someone)
    met = (claim.slot, claim.mode) == (Slot.PARTNER, ClaimMode.MOVED) and claim.value != "married"
    called_off = claim.slot in {Slot.THING, Slot.PLAN} and SOMEBODY.fullmatch(someone)
    favoured = claim.about == "favourite" and someone.lower().startswith("favo")  # my … team
    return bool(
        (named and (met or claim.value == someone or claim.slot is Slot.PLAN))
        or ((called_off or favoured) and not THEIRS.search(claim.text))
        or claim.about in PAID_BY_OTHERS
        or someone == f"{claim.value} people"
        or (claim.mode is ClaimMode.STOPPED and ENDS_FOR_ME.search(claim.text))
    )


def _as_denied(claim: SlotClaim) -> SlotClaim | None:
    """Return a claim as one that is denied; None if it is not."""
    if denied := claim.slot in _DENIABLE and DENIED.search(claim.text):
        mode = ClaimMode.STOPPED if _is_over(claim, denied) else ClaimMode.UNREAL
        return replace(claim, mode=mode, value=ANY_MORE.sub("", claim.value))
    if claim.mode is ClaimMode.STOPPED or not NOT_SO.search(claim.before):
        return None
    # 我不对芒果过敏 says what 我对芒果不过敏 says; 我不是住扬州 tells of no home.
    mode = ClaimMode.STOPPED if claim.about == "allergy" else ClaimMode.UNREAL
    ill = claim.slot is Slot.HEALTH and claim.about != "medicine"
    return replace(claim, mode=mode) if ill or claim.slot in _DENIABLE else None


def _is_over(claim: SlotClaim, denied: re.Match[str]) -> bool:
    """Whether what is denied held before: 我不住南山 does not say so."""
    known = claim.mode is ClaimMode.STOPPED and denied[0].startswith("不")
    return bool(known or denied["past"] or denied["past_zh"] or ANY_MORE.search(claim.text))


def _as_pastime(claim: SlotClaim) -> SlotClaim:
    """Return what is done at hours of one's own as a habit: it is no work, school or home."""
    done = claim.mode is not ClaimMode.STOPPED and claim.value not in {"none", "retired"}
    own = claim.slot in {Slot.WORK, Slot.SCHOOL} and done and bool(PASTIME.search(claim.text))
    if not own and (claim.slot, claim.mode, claim.firm) == (Slot.HOME, ClaimMode.HOLDS, False):
        # 在江边钓鱼 tells what one does, 在青岛定居 where one lives.
        verbs = (word for word, tag in tagged_words(claim.value) if tag == "v")
        own = any(not LIVES_THERE.search(word) for word in verbs)
    return replace(claim, slot=Slot.HABIT, about="") if own else claim


_BEGINS_ON_A_DAY: Final = frozenset(
    {Slot.HOME, Slot.WORK, Slot.SCHOOL, Slot.AWAY, Slot.HEALTH, Slot.HABIT}
)


def _tells_no_news(claim: SlotClaim) -> bool:
    """Whether it only says that all is as before, or that something else has moved."""
    moves = claim.slot is Slot.HOME and claim.mode is not ClaimMode.HOLDS and not claim.whose
    if moves and (moves_a_thing(claim.text) or IS_TIME.match(claim.value)):
        return True
    again = SAME_AGAIN.search(claim.text) is not None
    return again and claim.slot in {Slot.HOME, Slot.WORK, Slot.SCHOOL}


_DENIABLE: Final = frozenset({Slot.HOME, Slot.WORK, Slot.SCHOOL, Slot.POSSESSION})


def _someone_else(clause: str) -> str:
    """Return who a clause is about if that is not the speaker; empty for the speaker."""
    found = OTHER_ZH.match(clause) or OTHER_EN.match(clause)
    pair = None if found else TWO_OTHERS.match(clause)
    if pair and (pair["two"] or core_of(pair["who"], "zh").text):
        return pair["two"] or pair["who"]
    if not found:
        return doer_named(clause)
    # Few clauses begin with somebody: of these, doctors and tests tell of the speaker.
    tell = (TOLD_ME.search, WITH_OTHER.match, GIVES_ME.search)
    return "" if any(t(clause) for t in tell) else next(filter(None, found.groups()), "")


def in_first_person(text: str, names: Iterable[str]) -> str:
    """Return a text with I for every name that stands for its speaker."""
    stands = [x for name in names for x in {name, name[:1].upper() + name[1:]} if x and x in text]
    for name in sorted(stands, key=lambda each: (-len(each), each)):
        # A name written in Latin letters stands apart; 安 may stand before any word.
        named = rf"(?a:\b){re.escape(name)}(?a:\b)" if name.isascii() else re.escape(name)
        if not re.search(named, text):
            continue
        led = ATTRIBUTED.match(text)
        if led and led["who"] == name:
            text = text[led.end() :]
        rest = re.sub(named, "", text)
        mine = "我" if _HAN.search(rest) or not re.search("[A-Za-z]", rest) else "I"
        if mine == "我" and not _OF_ENGLISH.search(text):
            text = re.sub(named, mine, text)
            continue
        if mine == "I":
            named = rf"(?<!\w){re.escape(name)}"
        for third, first in (
            (rf"{named}['’]s\b", "my"),
            (rf"{named} is\b", "I'm"),
            (rf"{named}(?!\w)" if mine == "I" else named, mine),
        ):
            text = re.sub(third, first, text)
        text = _THIRD_PERSON.sub(_in_base_form, text) if mine == "I" else text
    return re.sub(r"\btheir\b", "my", text) if "their" in text else text


_OF_ENGLISH: Final = LatePattern(r"['’]s\b| is\b")

_THIRD_PERSON: Final = LatePattern(r"\b(I (?:\w+ly |also |still |now )?)(\w+s|doesn't)\b")


def _in_base_form(found: re.Match[str]) -> str:
    """Return "I live" for "I lives", as a name was replaced by I."""
    if found[2] in {"was", "is", "as"}:
        return found[0]
    return found[1] + ("don't" if found[2] == "doesn't" else first_person(found[2]))
