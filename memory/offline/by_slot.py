"""Statements that no rule of a whole clause reads, but whose slot is plain: 租在番禺, quit it.

Chinese and chat leave the subject out (换工作啦, torn meniscus); what is said of nobody is said of
the speaker. Only what is claimed to be so is taken (:mod:`memory.text.slots`). Whether a line is
of the slot that a question asks about is read here as well.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta
from typing import Final

from memory.model import Kind, Sensitivity, Topic
from memory.offline.claimed import ClauseSubject, is_of_another, subject_of
from memory.offline.lines_at_hand import may_be_asked_of
from memory.offline.persons import to_third_person
from memory.offline.questions import OF_ME, Question, without_telling
from memory.offline.statements import (
    CLAUSE_END,
    OWN_PART,
    QUOTED,
    Statement,
    in_its_place,
    sentences,
    zone_of,
)
from memory.offline.understood import is_in_jest, is_understood, leans_outside, names_nobody
from memory.offline.vocabulary import is_question
from memory.recall.matters_asked import answers, matters_asked
from memory.recall.query_terms import telling_terms
from memory.text import slots_en
from memory.text.correction_forms import bids_her, corrects, only_tells_of_a_slip
from memory.text.dates import date_mentions, only_names_time
from memory.text.slot_core import PAST_EN, is_near
from memory.text.slot_cues import POINTS_BACK, REAL, SINGLE_VALUED, ClaimMode, Slot
from memory.text.slots import SlotClaim, slot_claims
from memory.text.tokens import names_somebody, tagged_words

_PRIVATE: Final = frozenset({Slot.PARTNER, Slot.HEALTH})
_SELF_ZH: Final = re.compile("[我俺](?!们)")
_SELF_EN: Final = re.compile(r"\b(?:I|I'?m|I'?ve|my)\b", re.IGNORECASE)
_HAN: Final = re.compile("[一-鿿]")

# 我喜欢你这么说, 我讨厌死了: no thing one likes.
_VAGUE: Final = re.compile(
    r"[你您这那她它]|(?<![吉其])他|[死极]了|今[天晚]|再[聊见来说]|\b(?:you|today|tonight|talk|let's|again)\b",
    re.IGNORECASE,
)

_STRONG: Final = re.compile(
    r"最爱|超|迷上|上瘾|离不开|痴迷|心头好|现在|\b(?:my (?:\w+ )?(?:favou?rite|comfort food|life"
    r"|thing|jam|passion|everything)|obsessed|addicted|hooked|now|(?:big|huge|massive|"
    r"lifelong) fan)\b",
    re.IGNORECASE,
)

# 我喜欢拉面 is read by a rule of its own; read here it would be said in part.
_PLAIN_LIKING: Final = re.compile(
    r"喜欢|(?<!就)爱(?!上)|\b(?:like|love|enjoy|prefer|into|fan)\b", re.IGNORECASE
)

_WEEKDAY: Final = re.compile(
    r"(?<!上)(?:周|星期|礼拜)[一二三四五六日天](?!到)"
    r"|(?<!last )\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
    re.IGNORECASE,
)

# 帮我改改 asks her for something; it tells nothing.
_ORDER: Final = re.compile(
    r"(?:请|麻烦你?|帮我|帮忙|给我|替我|陪我|教我|告诉我)|(?:please|can you|could you|help me)\b"
    r"|(?:cancel|delete|drop|end|stop)\b.*\b(?:reminder|alarm)s?\b|(?:我?[把将])?[^，,。]{1,16}的?(?:提醒|闹钟)(?:取消|删|停|关|改)",
    re.IGNORECASE,
)

# What is said of people in general, asked, or told to be written, is nobody's.
_OF_NOBODY: Final = re.compile(
    r"的人挺|的人怎|了一?会儿|一般人|主角|应聘者|说她|是不是|该.+还是|容易|是啥|体验|推荐|不吃[^，]+的人|几时|哪有|难道|[改译]成[^，]*[语文]$"
    r"|(?:时|时候|过程中|期间|方面|之后|之前)$|[挣赚]得|^[这那](?!回|次|个?月|个?周|礼拜|星期|几天|天|边|里|儿|么|样|阵|段|时|以后|之后|些年|"
    r"辈子|年|学期|家)"
    r"|^(?:what|how|is|are|do|does|suggest|kindly|list)\b|^the (?:new )?\w+(?:er|or|ist|chef)$"
    r"|\b(?:people who|folks|sample sentence|titled|in (?:our|the|my) story)\b"
    r"|^\w+ing\b.*\b(?:is|are|can be|gets) ",
    re.IGNORECASE,
)

_TONIGHT: Final = re.compile(r"今[天晚]|明[天早晚]我?要?(?:吃|睡|看)|过生日|睡|吃饭|一下|看看")

_BECOMES: Final = re.compile(r"了|[a-z]")
_DONE_EN: Final = re.compile(rf"\b(?:i|we) (?:\w+ly )?(?:{PAST_EN}|had)", re.IGNORECASE)
"""I bought a console on the 17th: what was done is no plan."""

_JUST_PAST: Final = timedelta(days=60)
LONGEST: Final = 120
"""A longer clause is a story, in which a slot is only touched on."""


def without_quotations(said: Sequence[str]) -> str:
    """Return claimed sentences as slots are read in them."""
    return "\n".join(QUOTED.sub(" ", sentence) for sentence in said)


def statements_by_slot(
    said: str, claims: Sequence[SlotClaim], subject: str, at: datetime, known: Sequence[Statement]
) -> Iterator[Statement]:
    """Yield what the slots of a text claim of its speaker beyond the statements ``known``."""
    taken = {statement.text for statement in known}
    slots = [(statement.slot, statement.value) for statement in known]
    correcting = corrects(said)
    refused = {Slot.NICKNAME} if any(x.slot is Slot.NAME for x in claims) else set()
    for claim in (x for x in claims if x.slot not in refused or x.mode is not ClaimMode.STOPPED):
        worth = _is_worth_keeping(claim, at, correcting=correcting)
        if not worth or _is_taken(claim, slots) or not _is_told_whole(claim, said):
            continue
        if any(_SELF_ZH.sub("", claim.text) in each for each in taken):
            continue
        text_of = _told_of(_wording(claim, said), subject)
        if claim.slot is Slot.NAME and text_of == f"{subject} is {claim.value}":
            text_of = f"{subject}'s name is {claim.value}"
        if claim.slot is Slot.AGE and text_of == f"{subject}{claim.value}":
            text_of += "岁"
        if text_of not in taken:
            statement = _statement(claim, text_of, subject, said)
            taken |= {text_of, statement.instead if claim.slot is Slot.HEALTH else text_of}
            yield statement


def changes_told(
    said: str, claims: Sequence[SlotClaim], subject: str, at: datetime
) -> Iterator[Statement]:
    """Yield what a text says to be gone, sold, cancelled or closed, liked no more, or changed.

    It is worth keeping only if something is known that it changes: of a change a clause need not
    be understood whole, since what is known speaks for the reading as well.
    """
    correcting = corrects(said)
    theirs = {x.text for x in claims if x.slot in SINGLE_VALUED and x.whose[:1].isupper()}
    # "Tom moved out" tells of Tom's home, and of being together.
    for claim in (x for x in claims if x.text not in theirs or x.slot is Slot.PARTNER):
        # 老公不干了，现在送外卖: a clause that does not name him again says no whose it is.
        named = claim.whose.lower() in claim.text.lower()
        of_kin = claim.mode is ClaimMode.MOVED and is_near(claim.whose) and named
        over = (claim.slot in {Slot.THING, Slot.TASTE} and claim.is_own) or of_kin
        often = claim.slot in {Slot.PLAN, Slot.HABIT, Slot.NAME}
        changed = correcting or often or claim.mode is not ClaimMode.HOLDS
        if not (over and len(claim.text) <= LONGEST) and not (
            changed
            and _is_worth_keeping(claim, at, correcting=correcting)
            and not _is_told_whole(claim, said)
        ):
            continue
        yield _statement(claim, _told_of(_wording(claim, said), subject), subject, said)


def _is_told_whole(claim: SlotClaim, said: str) -> bool:
    """Whether a clause may be learnt by itself, whatever else is known."""
    if names_nobody(claim.text, said) or is_in_jest(claim.sentence, claim.after, claim.text):
        return False
    return claim.slot is Slot.NICKNAME or is_understood(claim.text, claim.before)


def _is_worth_keeping(claim: SlotClaim, at: datetime, *, correcting: bool) -> bool:
    if not claim.is_own or claim.loose or len(claim.text) > LONGEST or _tells_nothing(claim):
        return False
    if claim.slot is not Slot.NICKNAME and _is_told_of_another(claim):
        return False
    if claim.slot is Slot.PLAN and claim.mode is ClaimMode.HOLDS:
        return _is_plain_plan(claim, at)
    if claim.slot is Slot.TASTE:
        return _is_plain_taste(claim)
    if claim.slot is Slot.AWAY and claim.mode is ClaimMode.HOLDS:
        # 我住院了 is over by itself, and kept only where it is told as lasting.
        return False
    return claim.slot is not Slot.THING and (claim.slot is not Slot.ANY or correcting)


def _tells_nothing(claim: SlotClaim) -> bool:
    """Whether a clause bids, asks or speaks of people in general; 我住成都呢 asks nothing."""
    asked = is_question(claim.text.rstrip("呢"))
    bids = claim.slot is not Slot.NICKNAME and (_ORDER.match(claim.text) or bids_her(claim.text))
    nameless = claim.slot is Slot.NAME and _NO_NAME.search(claim.value)
    # "I got one" says of what only with the line before it.
    points = claim.slot is Slot.POSSESSION and _POINTS.fullmatch(claim.value)
    # 记错了 says that something was wrong, and nothing that lasts.
    wrong = claim.slot is Slot.ANY and only_tells_of_a_slip(claim.text)
    leans = _OF_NOBODY.search(claim.text) or leans_outside(claim.text)
    return bool(asked or bids or nameless or points or wrong or leans)


def _is_told_of_another(claim: SlotClaim) -> bool:
    if _OF_SPEAKER.match(claim.text):
        return False
    # 房东涨价，搬走了: what becomes of somebody may be the speaker's, what is so of them is not.
    changing = claim.slot in SINGLE_VALUED | {Slot.POSSESSION, Slot.HEALTH}
    becomes = changing and _BECOMES.search(claim.text)
    return is_of_another(claim.text, "" if becomes else claim.sentence)


_OF_SPEAKER: Final = re.compile(r"新[男女]|新对象|they|\w+ moved back in$", re.IGNORECASE)
"""Who moves back in moves back to the speaker."""

_POINTS: Final = re.compile(r"(?:one|it|that|this|them|these|some|two)(?: wrong)?", re.IGNORECASE)

_NO_NAME: Final = re.compile(
    r"^(?:[\d一二两三四五六七八九十百几半好多]+[个遍次回下条种份张年月天岁]|[了过着得])"
)
"""改了八遍 gives no name."""


def _is_plain_plan(claim: SlotClaim, at: datetime) -> bool:
    """Whether a day to come is named; what 我 plans otherwise is read by the older rules."""
    # 这周六 names a day, 这个 nothing.
    vague = _VAGUE.search(re.sub(r"[这那]个?(?=[周月星礼])", "", claim.text))
    if vague or _DONE_EN.search(claim.text) or only_names_time(claim.text, at, zone_of(at)):
        return False
    if _WEEKDAY.search(claim.text):
        return True
    days = [day.days.first for day in date_mentions(claim.text, at, zone_of(at))]
    # A day without its year is read as the one just past; far back, it is the next one.
    ahead = not days or any(not at.date() - _JUST_PAST <= day <= at.date() for day in days)
    return ahead and not _TONIGHT.search(claim.text)


def _is_plain_taste(claim: SlotClaim) -> bool:
    """Whether a thing is named and it is more than a passing word of praise."""
    if len(claim.value) == 1 or not claim.value or _VAGUE.search(claim.value):
        return False
    plain = _PLAIN_LIKING.search(claim.text)
    return claim.denies or not plain or _STRONG.search(claim.text) is not None


def _is_taken(claim: SlotClaim, slots: Sequence[tuple[Slot | None, str]]) -> bool:
    return any(
        _overlap(value, claim.value)
        # "Sorry, I meant 42, I'm 42": what is right is told in full.
        if slot is claim.slot or (claim.slot is Slot.ANY and claim.value and value)
        else slot is None and bool(value) and _overlap(value, claim.value or claim.text)
        for slot, value in slots
    )


def _overlap(one: str, other: str) -> bool:
    return one in other or other in one


def _wording(claim: SlotClaim, said: str) -> str:
    """Return the clause; of a bare "typo" the sentence after it, which says what is right."""
    if claim.slot is Slot.ANY and not claim.value:
        after = said.partition(claim.text)[2].lstrip(" ,，.。:：-—")
        return next(iter(re.split(r"[，,]", next(iter(sentences(after)), ""))), "") or claim.text
    if claim.slot is Slot.TASTE and POINTS_BACK.fullmatch(claim.value):
        # What is meant was named before it: had mushrooms there, love them now.
        named = re.split(r"[，,。.!！]", claim.sentence)[0]
        told = claim.text + claim.sentence.partition(claim.text)[2].rstrip("。.!！ ")
        return f"{named}{'，' if _HAN.search(named) else ', '}{_LED_BY_I.sub('', told)}"
    # My apartment's in Brooklyn, Bay Ridge; two cats, Salt and Pepper: names that say it closer.
    closer = _NAMED_CLOSER if claim.slot in _CLOSER else None
    if (claim.slot, claim.mode) == (Slot.PLAN, ClaimMode.HOLDS) and names_somebody(claim.text):
        closer = OWN_PART
    named = closer.match(said.partition(claim.text)[2]) if closer else None
    return claim.text + (named[0] if named else "")


_LED_BY_I: Final = re.compile(r"^(?:and |but |so )?i(?:['’]?m| am)?\b ?", re.IGNORECASE)
_CLOSER: Final = frozenset({Slot.PARTNER, Slot.HOME, Slot.POSSESSION, Slot.CHILDREN, Slot.WORK})
_NAMED_CLOSER: Final = re.compile(r", [A-Z][\w']+(?: (?:and |& )?[A-Z][\w']+){0,3}(?=[,.!\n]|$)")

_ACTED: Final = re.compile("[^我俺]{1,5}[把让给将]")


def _told_instead(claim: SlotClaim, subject: str, said: str) -> str:
    if claim.mode is not ClaimMode.STOPPED and not claim.denies:
        return ""
    after = said.partition(claim.text)[2]
    clause = in_its_place(after)
    # 大夫把药停了，换…: who acts is somebody else, and what follows is theirs to do as well.
    if subject_of(claim.text) is ClauseSubject.OTHER or _ACTED.match(claim.text):
        of_health = clause and claim.about == "medicine" and _HAN.search(clause)
        return f"{_told_of(claim.text, subject)}，{clause}" if of_health else ""
    told = _told_of(clause, subject) if clause else ""
    over = _told_of(claim.text, subject)
    if "：" in over and told and "：" not in told:
        # 食堂不干了，现在给人带孩子: apart from its beginning the second half may be anybody's.
        return over + after[: after.index(clause) + len(clause)]
    return told


def _told_of(clause: str, subject: str) -> str:
    if _HAN.search(clause):
        told = _SELF_ZH.sub(subject, clause)
        if told != clause:
            return told
        # 芝麻昨天晚上走了, 下周六小鹿结婚 have a subject of their own.
        tags = [tag for _, tag in tagged_words(clause[:12])] or [""]
        named = next((each for each in tags if each not in {*"tfm"}), "").startswith("nr")
        own = named or tags[0].startswith(("n", "vn", "eng")) or _EVENT.match(clause)
        own = own or "我们" in clause or _OURS.match(clause)
        return f"{subject}：{clause}" if own else f"{subject}{clause}"
    if _BARE_JOB.match(clause):
        return f"{subject} is {clause}"
    called = _CALLS_ME.sub(rf"\1 {subject}", clause)
    told = to_third_person(called, subject) if _SELF_EN.search(clause) else called
    return told if told != clause else f"{subject}: {clause}"


_CALLS_ME: Final = re.compile(r"(?i)\b(calls?|called|\w+(?= me (?:over|onto|on|to|off) )) me\b")

_OURS: Final = re.compile("我们|咱们?|[大小]的")

_BARE_JOB: Final = re.compile(
    rf"an? (?:[\w-]+ ){{0,2}}(?:{slots_en.CORE_WORDS['TRADE']})\b", re.IGNORECASE
)

# 面试改到周五了: a verb that names an event is no deed of the speaker's.
_EVENT: Final = re.compile(
    r"(?!如今|现在|目前|平时|最近|眼下|以后|今后|一直)[\u4e00-\u9fff]{2,4}(?:改|推|延|提前|取消|定在|挪|换到|是|在)"
)


def _statement(claim: SlotClaim, text: str, subject: str, said: str) -> Statement:
    kind = Kind.FACT
    if claim.slot in SINGLE_VALUED:
        kind = Kind.IDENTITY
    elif claim.slot is Slot.TASTE:
        kind = Kind.LASTING_PREFERENCE
    elif claim.slot is Slot.PLAN:
        kind = Kind.TEMPORARY
    topics = {Slot.TASTE: Topic.PREFERENCE, Slot.PLAN: Topic.PROMISE}
    return Statement(
        text=text,
        value=claim.value,
        slot=claim.slot,
        kind=kind,
        topic=topics.get(claim.slot, Topic.PERSONAL),
        confidence=0.7,
        sensitivity=Sensitivity.SENSITIVE if claim.slot in _PRIVATE else Sensitivity.PUBLIC,
        stopped=claim.mode is ClaimMode.STOPPED,
        instead=_told_instead(claim, subject, said),
        moved=claim.mode is ClaimMode.MOVED,
    )


def says_no_more(text: str, known: str) -> bool:
    """Whether a clause says that all but a word or two of what is known holds no more."""
    held = telling_terms(known)
    ended = (telling_terms(each) for each in CLAUSE_END.split(text) if _NO_MORE.search(each))
    return not _NO_MORE.search(known) and any(
        len(each) > 1 and each <= held and len(held - each) <= _ITS_SUBJECT for each in ended
    )


_NO_MORE: Final = re.compile(
    r"不(?!是)[^，。不]{1,10}了|\bno longer\b|n['’]?t .*\bany ?more\b", re.IGNORECASE
)
_ITS_SUBJECT: Final = 2


def is_of_slot(claims: Iterable[SlotClaim], slots: AbstractSet[Slot], asked: Slot | None) -> bool:
    """Whether a sentence tells plainly of one of these slots of the speaker's own.

    Many words are of work or study and tell of something else: unless these are asked about, only
    their end counts.
    """
    own = [each for each in claims if each.is_own]
    telling = [x for x in own if x.mode is ClaimMode.STOPPED or x.slot not in _WIDE]
    matters = {_SAME.get(each.slot, each.slot) for each in telling}
    return not matters.isdisjoint(slots) or asked in {each.slot for each in own}


_WIDE: Final = frozenset({Slot.WORK, Slot.SCHOOL})
_SAME: Final = {Slot.NICKNAME: Slot.NAME}
"""Who is called otherwise from now on may have another name."""


def is_of(question: Question, text: str, names: frozenset[str]) -> bool:
    """Whether a text tells of the matter that is asked about, as something that is so.

    Unless the question is about the partner or their kin, it is of what the question names.
    """
    asked = question.text
    named = telling_terms(asked)
    short = len(asked) <= _ELLIPTIC_ZH or (asked.isascii() and len(asked.split()) <= _ELLIPTIC_EN)
    if not (_OF_ME.search(asked) or question.kin or short) and not named & telling_terms(text):
        return False
    if question.kinds and question.kinds[0].must and not question.kinds[0].holds.search(text):
        return False
    return any(
        answers(claim, each)
        for claim in slot_claims(text, names)
        if claim.mode in REAL and may_be_asked_of(claim, asked)
        for each in matters_asked(without_telling(asked))
    )


_ELLIPTIC_ZH: Final = 5
_ELLIPTIC_EN: Final = 2
"""Who asks "what shift" in so few words asks of themselves."""

_OF_ME: Final = re.compile(rf"{OF_ME.pattern}|\b(?:we|our)\b", re.IGNORECASE)
