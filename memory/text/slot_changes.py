"""Which newer answer ends which older one: one value at a time, a liking turned, a plan moved."""

import re
from typing import Final

from memory.text.late_pattern import LatePattern
from memory.text.segmentation import without_places
from memory.text.slot_core import (
    AT,
    CHRONIC,
    CURED,
    DAYS,
    DISTRICT,
    IDLE,
    MEANS,
    SPOUSES,
    THINGS_OVER,
    is_learnt_beside,
    is_near,
    is_partner_meant,
    is_same_person,
)
from memory.text.slot_cues import (
    ALL_ELSE,
    EVERY_WEEK,
    FOR_ANOTHER,
    INSTEAD,
    INSTEAD_OF,
    LIVES_APART,
    LIVES_TOGETHER,
    NOW_SO,
    POINTS_BACK,
    REAL,
    REUNITED,
    SINGLE_VALUED,
    UNMARRIED,
    WITH_WHOM,
    ClaimMode,
    Slot,
    ends_sport,
    is_of_two_wheels,
)
from memory.text.slots import SlotClaim
from memory.text.tokens import COFFEES, normalized, plainly_written, words
from memory.text.word_forms import doer_named


def is_ended_by(old: SlotClaim, new: SlotClaim, held: str) -> bool:
    """Tell whether ``new`` makes ``old``, read from the text ``held``, a thing of the past.

    Both are taken to be of one person, ``new`` to be later.
    """
    if new.slot is Slot.PARTNER and new.mode is ClaimMode.STOPPED and new.is_own:
        # Who live apart may be married still; of two who are not, nothing is left.
        apart = LIVES_APART.search(new.text)
        if apart and not (apart["en"] and UNMARRIED.search(held)):
            return new.firm and old.mode in REAL and bool(LIVES_TOGETHER.search(held))
        if not is_partner_meant(new.text, new.value, old.text, held):
            return False
        if SPOUSES.fullmatch(old.whose):
            # With one's boyfriend goes what was told of one's boyfriend.
            return new.firm and old.mode in REAL
    one = new.firm and _are_of_one(old, new) and not _is_of_other_thing(new, held)
    return one and new.text != old.text and _ends_what_is_theirs(old, new, held)


def _ends_what_is_theirs(old: SlotClaim, new: SlotClaim, held: str) -> bool:
    """Tell whether a claim ends another of the same person."""
    if new.slot is Slot.ANY:
        value = _folded(old.value)
        return old.slot in SINGLE_VALUED and len(value) > 1 and value in _folded(new.sentence)
    if new.slot is Slot.PLAN and old.slot is Slot.HABIT:
        return new.mode is ClaimMode.MOVED and _names_the_weekly(new, held)
    if new.slot is Slot.THING:
        # 大鹏又没了 tells what he lost: nobody is gone twice.
        again = old.slot is Slot.PARTNER and "又" in new.text
        learns = old.about == "learning" and not FOR_ANOTHER.search(new.sentence)
        over = old.slot in THINGS_OVER[new.about] or (learns and new.about == "disposed")
        return not again and over and _is_named_by(old, new, held)
    return new.slot is old.slot and _ends_in_its_slot(old, new, held)


def _is_of_other_thing(new: SlotClaim, held: str) -> bool:
    """Tell whether it is told of what somebody else has, of all else, or of what is swapped."""
    if new.mode is ClaimMode.STOPPED and ALL_ELSE.search(new.text):
        return True
    if new.slot in {Slot.WORK, Slot.HEALTH} and _SWAPS.search(new.text):
        named = (each[:4] for each in _content(new.text) - MEANS)
        return not any(each in held.lower() for each in named)
    thing = new.slot in {Slot.THING, Slot.POSSESSION}
    return thing and doer_named(new.text).lower() not in held.lower()


def _are_of_one(old: SlotClaim, new: SlotClaim) -> bool:
    """Tell whether both are about the speaker, or both about the one such person they have."""
    if new.whose and is_same_person(new.whose, old.whose) and {new.mode, old.mode} <= REAL:
        kept = new.slot in SINGLE_VALUED or (new.slot is Slot.HEALTH and new.about == old.about)
        return kept and is_near(new.whose)
    return new.is_own and old.is_own


def _ends_in_its_slot(old: SlotClaim, new: SlotClaim, held: str) -> bool:
    if _is_of_other_sort(new, held):
        return False
    match new.slot:
        case Slot.TASTE:
            return _is_another_taste(old, new, held)
        case Slot.PLAN:
            return old.mode is not ClaimMode.STOPPED and _replaces_plan(new, held)
        case slot if slot not in SINGLE_VALUED:
            return _ends_one_of_many(old, new, held)
        case _ if new.mode is ClaimMode.STOPPED:
            # Who is gone must be the one that was there; who left Leeds may work there still.
            named = without_places(held) if new.slot in {Slot.WORK, Slot.SCHOOL} else held
            return old.mode is not ClaimMode.STOPPED and _folded(new.value) in _folded(named)
        case _:
            # 别叫我宝贝 holds, whatever else one is called.
            refused = new.slot is Slot.NICKNAME and old.mode is ClaimMode.STOPPED
            same = _folded(new.value) == _folded(old.value)
            return same if refused else _is_another_value(old, new)


def _is_another_taste(old: SlotClaim, new: SlotClaim, held: str) -> bool:
    if new.about and new.about == old.about:
        # My favourite band was this one, and is that one now.
        return _folded(new.value) == _folded(old.value) and new.after != old.after
    if new.denies == old.denies:
        return False
    if new.mode is ClaimMode.MOVED and POINTS_BACK.fullmatch(new.value):
        # Had mushrooms there, love them now: what is meant stands before it.
        told = new.sentence.partition(new.text)[0] + new.before
        return bool(_content(told) & _content(old.value))
    return _shares_words(new, held, old)


def _is_of_other_sort(new: SlotClaim, held: str) -> bool:
    """Tell whether a value is of a sort its slot has not: a day is no age."""
    if new.slot is Slot.PLAN:
        # A birthday is no appointment; it is moved only by who corrects themselves.
        return _BIRTHDAY.search(held) is not None and not INSTEAD_OF.search(new.sentence)
    return new.slot is Slot.AGE and re.search("[月日号]", new.text) is not None


_BIRTHDAY: Final = LatePattern("生日|birthday|bday", re.IGNORECASE)


def _replaces_plan(new: SlotClaim, held: str) -> bool:
    if new.mode is ClaimMode.HOLDS:
        # "The wedding's now August 30th" names the same, and that it changed.
        return NOW_SO.search(new.text) is not None and names_the_same(new, held)
    return _is_same_plan(new, held)


def _is_another_value(old: SlotClaim, new: SlotClaim) -> bool:
    """Tell whether a slot with one value holds another one now."""
    value, was = _folded(new.value), _folded(old.value)
    # Who is named is whom one is married to.
    named = was in _STATUS and new.mode is ClaimMode.HOLDS and value not in {"", *_ALONE}
    if (
        named
        or _holds_beside(old, new)
        or (value and was and _is_closer_or_wider(value, was, new.slot))
    ):
        return False
    if new.slot is Slot.PARTNER and old.mode is ClaimMode.STOPPED:
        # That two parted stays true whoever comes after; only a reunion undoes it.
        return REUNITED.search(new.text) is not None and _may_be_one_pair(old, new)
    if new.slot is Slot.PARTNER and (not value or value in _STATUS):
        # 在一起了, 结婚了: with whom was said before; only being alone, or less, is over.
        promised = value == "married" and _PROMISED.search(old.text)
        return bool(promised) or was in (_STATUS | _ALONE if value else _ALONE)
    if new.mode is ClaimMode.MOVED:
        return True
    if old.mode is ClaimMode.STOPPED or not was:
        return bool(value) and (old.firm or bool(was))
    return bool(value) and _answers_alike(old, new)


def _holds_beside(old: SlotClaim, new: SlotClaim) -> bool:
    """Tell whether two values of a slot are of different sorts: whoever is from Cork may live here."""
    if new.slot is Slot.HOME:
        return bool(_FROM.search(old.text)) is not bool(_FROM.search(new.text))
    return new.slot is Slot.SCHOOL and is_learnt_beside(new.text, old.text)


_FROM: Final = LatePattern(r"(?i)\b(?:am|i['’]?m|come|originally|born) (?:\w+ )?from\b")
_SWAPS: Final = LatePattern(r"(?i)\b(?:swapped|traded)\b(?! (?:my )?(?:jobs?|career|pills|med))")


def _is_closer_or_wider(one: str, other: str, slot: Slot) -> bool:
    """Tell whether two values are one, said more or less closely: 上海 and 上海浦东."""
    if slot in {Slot.NAME, Slot.NICKNAME, Slot.AGE, Slot.BIRTHDAY}:
        return one == other
    short, long = sorted((one, other), key=len)
    border = r"\b" if short.isascii() else ""
    return re.search(rf"{border}{re.escape(short)}{border}", long) is not None


_ALONE: Final = frozenset({"single", "crush", "unmarried"})
_PROMISED: Final = LatePattern(r"未婚[夫妻]|fianc[eé]|engaged", re.IGNORECASE)
_STATUS: Final = frozenset({"married", "engaged"})


def _may_be_one_pair(old: SlotClaim, new: SlotClaim) -> bool:
    """Tell whether the two that parted may be those that are one again: not if both are named."""
    pairs = [WITH_WHOM.search(claim.text) for claim in (old, new)]
    named = {next(filter(None, each.groups()), "").lower() for each in pairs if each}
    return len([each for each in named if not SPOUSES.fullmatch(each)]) <= 1


def _answers_alike(old: SlotClaim, new: SlotClaim) -> bool:
    """Tell whether two plain answers cannot both hold: a closer one is no other one."""
    match new.slot:
        case Slot.HOME:
            return not (DISTRICT.search(new.value) and not DISTRICT.search(old.value))
        case Slot.WORK | Slot.SCHOOL:
            # Where one works and as what both hold, and who teaches maths may teach physics.
            apart = bool(AT.search(new.text)) is not bool(AT.search(old.text))
            is_deed = not (AT.search(new.text) or _BEING.search(new.text))
            return "none" in {new.value, old.value} or not (apart or is_deed)
        case _:
            return True


_BEING: Final = LatePattern(
    r"(?i)\b(?:am|i['’]?m|as|an?|work\w*|job|employed)\b|[是当做任]|上班|工作"
)


def _ends_one_of_many(old: SlotClaim, new: SlotClaim, held: str) -> bool:
    if (new.about and old.about and new.about != old.about) or _outlasts(old, new, held):
        return False
    value, text = _folded(new.value), _folded(held)
    match new.slot:
        case Slot.CHILDREN:
            return old.about == "count" and (
                new.mode is ClaimMode.MOVED or value not in {"", _folded(old.value)}
            )
        case Slot.HABIT:
            return new.about == old.about and _is_another_habit(old, new, held)
        case Slot.HEALTH | Slot.POSSESSION if (
            new.mode is ClaimMode.STOPPED and old.mode is not ClaimMode.STOPPED
        ):
            # Of these one has one at a time, whatever word names it.
            one = old.about in {"pregnancy", "car", "phone"} and not is_of_two_wheels(
                new.text, held
            )
            alike = new.about != "pregnancy" or old.about == new.about
            # "My dog died" names no dog, and ends nothing that is not known to be an animal.
            unnamed = new.about in {"", old.about}
            named = value in text if value else unnamed
            return alike and (one or named or _shares_words(new, held, old))
        case Slot.POSSESSION | Slot.HEALTH if (
            new.mode is ClaimMode.MOVED and new.about == old.about
        ):
            said_again = value in text and not _KIND.fullmatch(value)
            # Who tears a knee has no good knees any more, and whatever else was broken.
            hurt = new.about == "injury" and old.value not in {"great", "fine"}
            one = new.about not in {"", "thing"} and not hurt
            another = new.about != "medicine" or INSTEAD.search(new.text)
            return bool(one and another) and old.mode is not ClaimMode.STOPPED and not said_again
        case _:
            return False


def _is_another_habit(old: SlotClaim, new: SlotClaim, held: str) -> bool:
    if not new.about:
        # Choir every Tuesday: it meets on another day, and yoga ends nothing of it.
        return NOW_SO.search(new.text) is not None and _names_the_weekly(new, held)
    if new.about == "exercise":
        changed = old.mode is not ClaimMode.STOPPED and new.mode is not ClaimMode.HOLDS
        return changed and ends_sport(new.text, old.value)
    return new.value not in {"", old.value}


def _outlasts(old: SlotClaim, new: SlotClaim, held: str) -> bool:
    """Tell whether an illness stays whatever else is over: who leaves a hospital has diabetes."""
    if new.slot is not Slot.HEALTH or not CHRONIC.search(held) or CURED.search(new.text):
        return False
    named = (new.value and new.value in held) or _shares_words(new, held, old)
    return not named and not (new.about and new.about == old.about)


_NO_MORE_ZH: Final = LatePattern(
    r"不(?:再|想|去(?![一-鿿]{2,3}了?\W*$)|能|太|怎么|敢)?(?P<does>(?!过敏)[一-鿿])[^，。！不]{0,6}了?"
)


def _is_named_by(old: SlotClaim, new: SlotClaim, held: str) -> bool:
    """Tell whether the thing that is over in ``new`` is what ``old`` speaks of."""
    if old.denies or old.mode is ClaimMode.STOPPED:
        return False
    if _names_one_of(_things(old, new.text), new.text):
        return True
    found = _NO_MORE_ZH.search(new.text) if new.about == "quit" else None
    # 鱼不卖了, 不跑了: a thing of one character needs its verb; a verb alone stands for the deed.
    if found is None or found["does"] in _WEAK_ZH or found["does"] not in held:
        return False
    return not new.value or any(each in held for each in new.value)


_WEAK_ZH: Final = frozenset("是有要想会能去来说到在得让给行对好看吃")
"""Verbs that say too little to name a deed by themselves."""


def _things(claim: SlotClaim, told: str) -> frozenset[str]:
    """Return the words by which what is told may name what a claim is about, without its days."""
    # "Moved to Leeds for a residency": the residency may end, and they live in Leeds still.
    text = claim.text if _WORKS.search(told) else without_places(claim.text)
    text = _WHAT_FOR.split(claim.value)[0] if claim.slot is Slot.HOME else text
    text = f"{text} coffee 咖啡" if COFFEES.search(text) else text
    return frozenset(word for word in words_of_matter(text) if len(word) > 1) - MEANS


_WORKS: Final = LatePattern(r"(?i)\bwork|\bjob\b|工作|上班|打工")
_WHAT_FOR: Final = LatePattern(r"\b(?:for|with|because|since)\b", re.IGNORECASE)


def _names_one_of(things: frozenset[str], text: str) -> bool:
    folded = _folded(text)
    told = _content(text)
    # 小电驴 is 电驴 as well; what is written in letters stands apart.
    return any(
        each in told
        or (not each.isascii() and (each in folded or any(w in each for w in told if len(w) > 1)))
        for each in things
    )


_KIND: Final = LatePattern(r"新?(?:手机|车)|(?:new )?(?:phone|car)")


def _is_same_plan(new: SlotClaim, held: str) -> bool:
    """Tell whether a changed day belongs to that plan: it names the same, or nothing."""
    named = _planned(new) - _ANY_PLAN
    if not named or names_the_same(new, held) or _PUT_OFF_IT.search(new.text):
        return True
    # 课取消了 after 游泳课, and not 大理不去了.
    one, known = "".join(named), DAYS.sub(" ", held).lower()
    alike = re.search(rf"\b{one.removesuffix('e')}", known) if one.isascii() else {*one} & {*known}
    return len(named) == 1 and bool(alike)


def _names_the_weekly(new: SlotClaim, held: str) -> bool:
    """Tell whether what meets on another day is what was held to meet every week."""
    return EVERY_WEEK.search(held) is not None and names_the_same(new, held)


def names_the_same(new: SlotClaim, held: str) -> bool:
    """Tell whether a changed plan and what is held name one thing."""
    return bool(_planned(new) & words_of_matter(held))


def words_of_matter(text: str) -> frozenset[str]:
    """Return the words that may name what a text tells of: no days, and none that are idle."""
    return _content(DAYS.sub(" ", text))


def _planned(claim: SlotClaim) -> frozenset[str]:
    """Return the words that name what a claim of a plan is about."""
    before = _WHO_HAD_IT.sub(" ", claim.before)
    thing = claim.value if claim.mode is not ClaimMode.HOLDS else ""
    return words_of_matter(f"{before} {thing} {claim.after}")


_WHO_HAD_IT: Final = LatePattern("^[一-鿿]{1,4}(?:让|叫|通知|说|要求)")
_PUT_OFF_IT: Final = LatePattern(r"(?i)\b(?:pushed|moved|put|changed|shifted) (?:it|that)\b")
"""教练让推到周三, the clinic moved it: who has it done is not what is put off."""


def names_no_illness(claim: SlotClaim) -> bool:
    """Tell whether what is over may be any illness: it can be meant of no more than one."""
    return claim.slot is Slot.HEALTH and claim.mode is ClaimMode.STOPPED and not claim.value


_ANY_PLAN: Final = frozenset({"appointment", "time", "date", "plan", "booking", "时间", "行程"})


def _shares_words(new: SlotClaim, held: str, old: SlotClaim) -> bool:
    value = _folded(new.value)
    if value and (value == _folded(old.value) or (len(value) > 1 and value in _folded(held))):
        return True
    return bool(_content(new.text) & (_content(old.value) or _content(held)))


def _content(text: str) -> frozenset[str]:
    found = words(plainly_written(_DEED_EN.sub(" ", text)))
    return frozenset(w.removesuffix("s") if w.isascii() else w for w in found) - IDLE


_DEED_EN: Final = LatePattern(
    r"(?i)(?:n['’]?t|\b(?:not|no longer|never|stop\w*|quit|gave up)) (?:drink|eat|play|watch|read)"
    r"(?:ing)? (?!any\b)"
)
"""Who doesn't drink coffee any more says nothing of drinks."""


def _folded(text: str) -> str:
    return plainly_written(normalized(text)).strip()
