"""The rule-based reviewer: what stays firm, what may go, and the reason for it.

It answers where no model does (docs/decisions/law-tiers.md). What lasts stays: who the partner is
and who belongs to them, health, lasting tastes, promises not yet due, what was told again or
confirmed. What is over goes: moods, chatter, what is past its date, negated or replaced. Anything
else is judged by its salience. What somebody takes back goes at once: in the same message, or by
saying later that it never was so.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, Literal, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

from memory.laws.settings import UNNAMED
from memory.offline.claimed import claimed
from memory.offline.statements import sentences
from memory.text.announcing import without_wrong_call
from memory.text.bm25 import similarity
from memory.text.corrections import put_right, right_word
from memory.text.late_pattern import LatePattern
from memory.text.salience import STANDS, Sign, Telling, due_at, end_ahead, of_signs, signs_of
from memory.text.slot_changes import is_ended_by
from memory.text.slot_core import IN_LAWS_ZH, KIN_ZH
from memory.text.slot_cues import ClaimMode, Slot
from memory.text.slots import slot_claims
from memory.text.tokens import plainly_written
from prompts import PromptLine, PromptMemory, Review

RuleDecision: TypeAlias = Literal["promote", "keep", "delete"]

MEMORABLE_FROM: Final = 0.5
"""From this salience on, 0 to 1, a memory about which nothing else is known stays (make lab)."""

OFTEN_TOLD: Final = 8
"""Told so often, even what is about nobody, or sounds passing, stays."""

_SAME_FROM: Final = 0.75


class ReviewReason(StrEnum):
    """Why the rules decided as they did; stored with the verdict."""

    SELF = "self"
    HEALTH = "health"
    CLOSE = "close"
    TASTE = "taste"
    STUDY = "study"
    PROMISED = "promised"
    CONFIRMED = "confirmed"
    TOLD_AGAIN = "told_again"
    SALIENT = "salient"
    MAY_FADE = "may_fade"
    REPLACED = "replaced"
    OVER = "over"
    PASSING = "passing"
    UNNEEDED = "unneeded"


REASONS: Final[dict[str, tuple[str, str]]] = {
    ReviewReason.SELF: ("说的是你是谁", "it says who you are"),
    ReviewReason.HEALTH: ("关系到健康", "it concerns health"),
    ReviewReason.CLOSE: ("说的是亲近的人", "it is about somebody close"),
    ReviewReason.TASTE: ("长久的喜好", "a lasting taste"),
    ReviewReason.STUDY: ("正在学的东西", "it is being learnt"),
    ReviewReason.PROMISED: ("约好的日子还没到", "the day agreed on is still to come"),
    ReviewReason.CONFIRMED: ("你要我记住或确认过", "you asked for it or confirmed it"),
    ReviewReason.TOLD_AGAIN: ("说过不止一次", "told more than once"),
    ReviewReason.SALIENT: ("以后多半还用得上", "it will probably be needed"),
    ReviewReason.MAY_FADE: ("可能只是一时", "it may be passing"),
    ReviewReason.REPLACED: ("已经有更新的说法", "something newer stands"),
    ReviewReason.OVER: ("日子已经过去", "its day is over"),
    ReviewReason.PASSING: ("一时的事，已经过去", "it was passing, and is over"),
    ReviewReason.UNNEEDED: ("以后多半用不上", "it will hardly be needed"),
}
"""Each reason in Chinese and English."""

# In the order in which they are named as the reason.
_LASTING: Final = {
    Sign.SELF: ReviewReason.SELF,
    Sign.HEALTH: ReviewReason.HEALTH,
    Sign.CLOSE: ReviewReason.CLOSE,
    Sign.TASTE: ReviewReason.TASTE,
}

_PASSING: Final = re.compile(
    r"今[天晚早]|最近|刚才|这几天|昨天|明天|后天|下周|正在|在准备|打算|计划|有点"
    r"|\d{4}-\d{2}-\d{2}"
    r"|\b(?:today|tonight|lately|recently|yesterday|tomorrow|next week|is (?:planning"
    r"|learning|preparing)|plans to)\b",
    re.IGNORECASE,
)

_NOW: Final = re.compile(r"现在|\bnow\b", re.IGNORECASE)
"""Passing as well, but in a taste: 现在喜欢游泳 says what took the place of another one."""

_STUDY: Final = re.compile(
    r"(?<![小中大同数科文化医哲])学(?:习|着|做|弹|画|唱|跳|打|拉|写|开车|游泳|车|[英法德日韩俄西]语|[\u4e00-\u9fff]{2}$)(?!生|校|期)"
    r"|\b(?:learning|studying|taking (?:\w+ )?(?:lessons|classes|a course))\b",
    re.IGNORECASE,
)

STUDY_LASTS: Final = timedelta(days=180)
"""So long after it was told last, what somebody was learning lately is still being learnt."""

_FILED_AS_PASSING: Final = frozenset({"temporary", "passing_preference"})

_ABOUT_SOMEBODY: Final = frozenset(
    {Sign.SELF, Sign.HEALTH, Sign.CLOSE, Sign.TASTE, Sign.HABIT, Sign.PROMISE, Sign.MINE}
)


class RuleVerdict(NamedTuple):
    """What the rules decide about a memory under review, and why."""

    decision: RuleDecision
    reason: ReviewReason


def rule_verdict(prompt: Review) -> RuleVerdict:
    """Return what the rules decide: what lasts stays or is promoted, what is over may go."""
    case = _case_of(prompt)
    if prompt.task == "promotion":
        lasting = None if prompt.memory.past else _lasting_reason(case)
        if lasting is None:
            return RuleVerdict("keep", ReviewReason.MAY_FADE)
        return RuleVerdict("promote", lasting)
    over = _over_reason(case)
    if over is not None:
        return RuleVerdict("delete", over)
    kept = _kept_reason(case)
    return RuleVerdict("keep", kept) if kept else RuleVerdict("delete", ReviewReason.UNNEEDED)


def review_verdict(prompt: Review) -> str:
    """Return the verdict of the rules as a model would write it: the reason, then the verdict."""
    decision, reason = rule_verdict(prompt)
    return f"{reason_text(reason, prompt.language)}\n[{decision.upper()}]"


def reason_text(reason: str, language: str) -> str:
    """Return a stored reason in words; an unknown one as it is."""
    known = REASONS.get(reason)
    return reason if known is None else known[0 if language.startswith("zh") else 1]


class _Case(NamedTuple):
    """A memory under review, what its words show, and when what it promises is over."""

    prompt: Review
    signs: Mapping[Sign, float]
    due: datetime | None

    @property
    def is_studied(self) -> bool:
        """Whether it tells what somebody is learning, and was told not too long ago."""
        memory = self.prompt.memory
        told = self.prompt.now - memory.when < STUDY_LASTS
        return told and Sign.FEELING not in self.signs and bool(_STUDY.search(memory.text))

    @property
    def is_passing(self) -> bool:
        """Whether it speaks of a moment: a mood, a day, something under way."""
        if self.signs.keys() & {Sign.SELF, Sign.HEALTH} or self.is_studied:
            return False
        # What a monitor filed as passing may still tell a taste that lasts: the words decide.
        text, taste = self.prompt.memory.text, Sign.TASTE in self.signs
        filed = self.prompt.signs.kind in _FILED_AS_PASSING or bool(_NOW.search(text))
        shown = Sign.FEELING in self.signs or _PASSING.search(text)
        return (filed and not taste) or bool(shown)


def _case_of(prompt: Review) -> _Case:
    memory = prompt.memory
    zone = memory.when.tzinfo
    # Without the name "my friend is a nurse" would tell of a friend, and nobody keeps that. What
    # was learnt before the partner gave a name calls them by none.
    told = Telling(names=(prompt.partner, *UNNAMED.values()))
    signs = signs_of(memory.text, told)
    due = None
    if isinstance(zone, ZoneInfo):
        due = due_at(memory.text, memory.when, zone, told)
        if due is None and not signs.keys() & {*_LASTING, Sign.HABIT}:
            # "has an exam on 2026-03-10" promises nothing, and still it is not over before.
            ahead = end_ahead(memory.text, memory.when, zone)
            due = ahead if ahead is not None and ahead > prompt.now else None
    return _Case(prompt, signs, due)


def _over_reason(case: _Case) -> ReviewReason | None:
    """Return why a memory is over; None if it is not."""
    prompt = case.prompt
    if prompt.memory.past or _is_replaced(prompt):
        return ReviewReason.REPLACED
    if prompt.signs.confirmed:
        return None
    if case.due is not None:
        return ReviewReason.OVER if case.due <= prompt.now else None
    if case.is_passing and prompt.signs.told < OFTEN_TOLD:
        return ReviewReason.PASSING
    return None


def _kept_reason(case: _Case) -> ReviewReason | None:
    """Return why a memory that is not over stays; None if nothing speaks for it."""
    lasting = _lasting_reason(case)
    if lasting is not None:
        return lasting
    if case.due is not None:
        return ReviewReason.PROMISED
    if case.is_studied and case.signs.keys() & _ABOUT_SOMEBODY:
        return ReviewReason.STUDY
    needed = 2 if case.signs.keys() & _ABOUT_SOMEBODY else OFTEN_TOLD
    if case.prompt.signs.told >= needed:
        return ReviewReason.TOLD_AGAIN
    likely = of_signs(case.signs).value >= MEMORABLE_FROM
    return ReviewReason.SALIENT if likely else None


def _lasting_reason(case: _Case) -> ReviewReason | None:
    """Return what makes a memory lasting; None for what may pass."""
    if case.prompt.signs.confirmed:
        return ReviewReason.CONFIRMED
    if case.is_passing or case.due is not None:
        return None
    return next((reason for sign, reason in _LASTING.items() if sign in case.signs), None)


def _is_replaced(prompt: Review) -> bool:
    """Whether a relative says the same later, or makes a thing of the past of it."""
    memory = prompt.memory
    own = slot_claims(memory.text, {prompt.partner, *STANDS})
    return any(
        similarity(other.text, memory.text) >= _SAME_FROM
        or any(
            is_ended_by(old, new, memory.text)
            for new in slot_claims(other.text, {prompt.partner, *STANDS})
            for old in own
        )
        for other in prompt.relatives
        if _stands_later(other, memory)
    )


def _stands_later(other: PromptMemory, memory: PromptMemory) -> bool:
    return other.when > memory.when and not other.past and other.tier != "episode"


_WITHIN: Final = LatePattern(
    r"(?:^|(?<=[，,。.!！?？;；…\n]))(?P<wrong>(?! *(?:oh|sorry|oops|wait|no|ah|er|um)\b)"
    r"[^，,。.!！?？;；…\n]*[^，,。.!！?？;；…\s])[，,。.!！;；…\s]++"
    r"(?:(?:[哦噢啊哎呃诶欸嗯][，,]?\s*)*(?:不对不?对?|[说打记讲搞弄写输][错岔混]了?|口误)|[哦噢啊哎呃诶欸]+不是"
    r"|(?:(?:oh|sorry|oops)[,.]? )*"
    r"(?:no,? wait|wait,? no|scratch that|i meant|make that|typo|correction)\b)"
    r"(?:[，,。.!！…:：\s]+|(?=(?:应该)?是[\d.一二两三四五六七八九十百千]+[岁号日月点块元斤]?(?:[，,。！!\s]|$)))"
    r"(?P<right>[^，,。.!！?？;；…\n]+)",
    re.IGNORECASE,
)
"""Something told, and taken back in the same message: 我女儿今年八岁……哦不对，是儿子."""

_WHOLE: Final = LatePattern(
    r"[我俺咱]|(?:i|i['’]m|i['’]ve|my|we|our|he|she|they|his|her)\b", re.IGNORECASE
)

_DENIED: Final = LatePattern(r"[没不]|n['’]t\b|\b(?:no|not|never)\b", re.IGNORECASE)


def without_slips(text: str, at: datetime, zone: ZoneInfo) -> str:
    """Return a message without what it takes back itself, with the right word where that is plain.

    >>> at = datetime(2026, 3, 4, tzinfo=ZoneInfo("UTC"))
    >>> without_slips("我今年四十一，说错了，四十二", at, ZoneInfo("UTC"))
    '我今年四十二'
    """
    text = without_wrong_call(text)
    for _ in range(3):
        found = _WITHIN.search(text)
        if found is None:
            break
        wrong, right = found["wrong"].strip(), found["right"].strip()
        text = text[: found.start()] + _said_right(wrong, right, at, zone) + text[found.end() :]
    return text.strip(" ，,。")


def _said_right(wrong: str, right: str, at: datetime, zone: ZoneInfo) -> str:
    """Return what was told wrongly with the right word; "" where nobody can tell its place."""
    if _WHOLE.match(right):
        return right
    word = None if _DENIED.search(wrong) else right_word(f"打错了，{right}")
    told = put_right(wrong, word, (), at, zone) if word else None
    return told[0] if told else ""


def never_so(line: PromptLine, known: Iterable[PromptMemory], subject: str) -> list[PromptMemory]:
    """Return what of the ``known`` a line says never to have been so.

    我没有养黑猫，那是电影里的; 我没有女儿; 年糕是我外甥, where it is held that its speaker is
    called so. What is no more (我没有猫了) was so. Of several it is what a tale was told of.
    Who has not an illness is well: what was held of it is over by that, not taken back.
    """
    if any(x.slot is Slot.HEALTH and x.mode is ClaimMode.STOPPED for x in slot_claims(line.text)):
        return []
    before = [each for each in known if each.when < line.at]
    found = [each for each in before if says_never_so(line.text, each.text, subject)]
    tales = [each for each in found if _TALE.search(each.quote)]
    return tales or (found if len(found) == 1 else [])


def says_never_so(text: str, held: str, subject: str) -> bool:
    """Tell whether a text says that what is held of its speaker never was so."""
    if _denies(_never_had(text), held, subject):
        return True
    said = " ".join(filter(None, claimed(sentences(plainly_written(text)))))
    others = {name for each in _OF_OTHERS.finditer(said) for name in each.groups() if name}
    # Who tells a name of their own beside it puts theirs right.
    of_others = others and _own_names(said) <= others
    return bool(of_others and _own_names(held, {subject}) & others)


def _own_names(text: str, names: Iterable[str] = ()) -> set[str]:
    return {c.value for c in slot_claims(text, names) if c.slot in _CALLED and c.is_own}


_CALLED: Final = frozenset({Slot.NAME, Slot.NICKNAME})

_MISTAKEN: Final = LatePattern(
    r"(?:电影|电视|片子?|剧|书|小说|梦|游戏|故事|动漫|综艺|新闻)[里中]面?的|[搞弄记听看]错|误会"
    r"|不对|我(?:是说|说的是|指的是)|那是[^，。我]{1,6}的|[我俺][^，。]{0,3}没有?养[^，。了]+$"
    r"|\b(?:(?:in|was|is) the (?:film|movie|book|show|series|dream|game|story)"
    r"|mistaken|mixed (?:\w+ )?up|got (?:it|that|me) wrong"
    r"|(?:that|he|she|it)(?:['’]s| is| was) (?:my|his|her|their))\b",
    re.IGNORECASE,
)

_DENIED_HAVING: Final = LatePattern(
    r"(?:^|[，,。！!\s])(?:可|但|其实)?[我俺](?:家里?|根本|从来|压根|又|可|并|现在)*(?:没有?|不是)在?"
    r"(?:[养买生带收有]过?)?(?:一?个|什么)?(?P<zh>[^，,。！!？?了吗呀啊的这那]{1,6}?)[啊呀啦]?(?=$|[，,。！!\s])"
    r"|\bi(?: (?:don['’]?t|do not|never|haven['’]?t|have never|didn['’]?t|did not)"
    r"(?: actually| really| even)? (?:have|had|got|get|own)(?: got)?|['’]m not| am not)"
    r" (?:an? |any )?(?P<en>[\w' -]{2,20}?)(?=$|[,.;!])",
    re.IGNORECASE,
)

_TALE: Final = LatePattern(
    r"电影|电视|片子|剧|书|小说|梦|游戏|故事|动漫|综艺|[女男]主|主角"
    r"|\b(?:film|movie|book|show|series|dream|game|story)\b",
    re.IGNORECASE,
)

_HAD: Final = frozenset(
    {Slot.POSSESSION, Slot.CHILDREN, Slot.PARTNER, Slot.HEALTH, Slot.WORK, Slot.SCHOOL, Slot.HOME}
)
"""Who says not to have eaten denies no habit of eating."""


def _never_had(text: str) -> str:
    """Return what a text denies its speaker to have or be, if it is of a mistake, or of kin."""
    found = _DENIED_HAVING.search(plainly_written(text))
    what = (found["zh"] or found["en"]).strip().lower() if found else ""
    return what if _MISTAKEN.search(text) or re.fullmatch(KIN_ZH, what) else ""


def _denies(denied: str, held: str, subject: str) -> bool:
    """Whether what is denied is what is held of the speaker: 女儿 of 我女儿上小学."""
    if not denied or _DENIED.search(held) or denied not in held.lower():
        return False
    told = plainly_written(held).replace(subject, "我")
    theirs = rf"我(?:的|家的?|们)?[大小]?{denied}|我[^，]{{0,4}}有[^，]{{0,5}}{denied}"
    if re.fullmatch(KIN_ZH, denied) and re.match(theirs, told):
        return True
    claims = slot_claims(held, {subject})
    return any(c.slot in _HAD and c.is_own and denied in c.text.lower() for c in claims)


_OF_OTHERS: Final = LatePattern(
    rf"(?P<is>[一-鿿]{{1,4}})是[我俺](?:的|家的?)?(?:{KIN_ZH}|{IN_LAWS_ZH}|朋友|同[学事])"
    r"|[我俺](?:的)?(?:小名|大名|名字)?不(?:叫|是叫)(?P<no>[一-鿿A-Za-z]{1,8})"
    r"|\b(?P<en>(?-i:[A-Z])[a-z]+)(?:['’]s| is) my (?:\w+ )?"
    r"(?:niece|nephew|son|daughter|sister|brother|cousin|friend|cat|dog|baby)\b"
    r"|\bmy name(?:['’]s not| is ?n['’]?t| is not) (?P<not>(?-i:[A-Z])[a-z]+)",
    re.IGNORECASE,
)
