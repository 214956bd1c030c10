"""What is asked about: a plan for today or yesterday, and how something felt; whose news it is.

A plan is asked about once, and not once it was told of.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from memory.offline.claimed import ClauseSubject, subject_of
from memory.offline.groups import is_of_another_before
from memory.offline.vocabulary import (
    WORDS_EN,
    WORDS_ZH,
    ZH,
    Sayings,
    content_words,
    is_question,
)
from memory.offline.warmth import (
    ASKED_FOR,
    BAD_NEWS,
    CHEERFUL_NEWS,
    GRAVE_NEWS,
    LISTENING,
    REMOTE_EN,
    REMOTE_ZH,
    TURNS,
    occasion_of,
    only_exclaims,
)
from memory.text.dates import date_mentions
from memory.text.late_pattern import LatePattern
from memory.text.passed_on import own_text
from memory.text.requests import asks_for_reminder
from memory.text.slot_cues import PERSONS_EN, PERSONS_ZH
from memory.text.times import read_day
from prompts import PromptLine, PromptPlan

_CLAUSE: Final = LatePattern(r"[^，,。.！!？?；;\n]+")

_LEADING_ZH: Final = LatePattern(
    rf"^(?:(?:我们|[我俺咱](?!们))(?!{PERSONS_ZH})|主人|要|会|得|打算|准备|就|是|有|从|开始|还|也|想|偏偏|又|都|一?[个场次趟]|一早|[早晚]上|[上中下]午|傍晚"
    r"|[\d零一二两三四五六七八九十]{1,3}(?:点钟?|[:：时])"
    r"(?:[半整]|[一三]刻|[\d零一二三四五六七八九十]{1,3}分?)?|的)++"
)

_ME: Final = LatePattern("[我俺]")

_LONGEST_EVENT: Final = 40


class TalkSoFar(NamedTuple):
    """What was said so far: ``lines`` of both, the newest of the partner's, and all of hers."""

    lines: Sequence[PromptLine]
    told: str
    hers: Sequence[str]


def thread(said: TalkSoFar, plans: Sequence[PromptPlan], now: datetime, sayings: Sayings) -> str:
    """Return a question about what the partner planned for today or yesterday, or nothing.

    It is asked once: what she has asked about is left alone, and so is what the partner has told
    of since, or has called off. ``plans`` are those known beside what the lines tell.
    """
    zone = now.tzinfo if isinstance(now.tzinfo, ZoneInfo) else ZoneInfo("UTC")
    today = now.astimezone(zone).date()
    lines = {line for line in said.lines if line.role == "user"}
    theirs = sorted(lines, key=lambda line: line.at)
    known = [(each.day, _worded(each, sayings, now), 0) for each in plans]
    for place, line in enumerate(theirs):
        known += ((day, event, place + 1) for day, event in _planned(line, zone))
    for day, event, later in reversed(known):
        if not timedelta(0) <= today - day <= timedelta(days=1):
            continue
        since = [(x.at.astimezone(zone).date() >= day, x.text) for x in theirs[later:]]
        if later == 0:
            # What was told before the plan is not known here; its own line is no news of it.
            since = [(then, text) for then, text in since if then]
        if not _is_closed(event, [*since, (True, said.told)], said.hers):
            asks = sayings.thread_today if day == today else sayings.thread_yesterday
            return asks.format(event=event)
    return ""


def _worded(plan: PromptPlan, sayings: Sayings, now: datetime) -> str:
    """Return a plan as a question takes it up: the name of it in Chinese, else the sentence."""
    if sayings is ZH and plan.what:
        return plan.what
    return f"{_without_days(plan.text.rstrip('.'), now) or plan.text.rstrip('.')}."


def _without_days(said: str, at: datetime) -> str:
    """Return an English sentence without the days it names: on the day, tomorrow is none.

    >>> at = datetime(2026, 11, 24, tzinfo=ZoneInfo("UTC"))
    >>> _without_days("I have an interview tomorrow at 3", at)
    'I have an interview at 3'
    """
    zone = at.tzinfo if isinstance(at.tzinfo, ZoneInfo) else ZoneInfo("UTC")
    for each in reversed([*date_mentions(said, at, zone)]):
        before = _TOWARDS_A_DAY.sub("", said[: each.start])
        after = said[each.end :].lstrip()
        said = f"{before}{'' if after.startswith(',') else ' '}{after}".strip(" ,")
    return _LEFT_OF_A_DAY.sub("", said)


_TOWARDS_A_DAY: Final = LatePattern(r"\s*\b(?:(?:on|this|by|for|come)\s+)+$|\s+$", re.IGNORECASE)

_LEFT_OF_A_DAY: Final = LatePattern(
    r"(?:\s+(?:is|are|will be)|['’]s)$|(?<=[ap]m)\s+(?:morning|afternoon|evening)\b", re.IGNORECASE
)


def _planned(line: PromptLine, zone: ZoneInfo) -> Iterator[tuple[date, str]]:
    """Yield the days after a line for which it plans something, each with what that is."""
    # What another says of "I" is no plan of the partner's: Friend said: "I have an exam".
    said, _ = own_text(line.text)
    if is_question(said) or asks_for_reminder(said) or occasion_of(said) in _NOT_ASKED_ABOUT:
        return
    for clause in _CLAUSE.findall(said):
        if occasion_of(clause) in _PARTING or _PLANS_NOTHING.search(clause):
            continue
        for each in date_mentions(clause, line.at, zone):
            day = each.days.first
            if day <= line.at.astimezone(zone).date() and not _WAS.search(clause):
                # 周四要去面试 is of the Thursday to come.
                ahead = read_day(clause, line.at, zone)
                day = ahead.day if ahead else day
            event = _event(clause, each.start, each.end, line.at)
            single = each.days.first == each.days.last
            if single and day > line.at.astimezone(zone).date() and event:
                yield day, event


_WAS: Final = LatePattern(
    r"[了过完](?:$|[^解])|刚|\b(?:was|were|went|had|did|got|\w+ed|last|this morning)\b",
    re.IGNORECASE,
)
"""What tells of a day gone by."""


_NOT_ASKED_ABOUT: Final = GRAVE_NEWS - {"failure"} | {"quarrel", "trouble"}
"""Nobody is asked how a funeral went; of an operation one is."""

_PARTING: Final = frozenset({"goodnight", "goodbye"})
"""See you tomorrow is no plan."""


_PLANS_NOTHING: Final = LatePattern(
    r"[不没](?!见不散|错|准|问题)|\b(?:nothing|not|no)\b|n['’]t\b", re.IGNORECASE
)


def _event(clause: str, start: int, end: int, at: datetime) -> str:
    """Return what a clause said at ``at`` plans, without its date; empty if too long."""
    if re.search("[一-鿿]", clause):
        event = _LEADING_ZH.sub("", f"{clause[:start]}{clause[end:]}".strip()).rstrip("是在了")
        event = _ME.sub("你", event)
        return event if 1 < len(event) <= _LONGEST_EVENT // 2 else ""
    said = _without_days(clause.strip(), at)
    return f"{said}." if len(said) <= 2 * _LONGEST_EVENT else ""


def _is_closed(event: str, since: Sequence[tuple[bool, str]], hers: Sequence[str]) -> bool:
    """Whether an event was asked about, told of, or called off.

    ``since`` are the partner's lines after the one that planned it, and whether each came on its
    day or later.
    """
    named = frozenset(content_words(event)) - _DAYS
    if not named:
        return True
    asked = (said for said in hers if _ASKED_SO.search(said))
    if any(event in said or named & set(content_words(said)) for said in asked):
        return True
    told_of = [told for kind, told in _OUTCOMES if kind.search(event)]
    for step, (then, text) in enumerate(since):
        shares = bool(named & set(content_words(text)))
        # 取消了 alone is said of what was spoken of just before.
        bare = step <= _STILL_SPOKEN_OF and len(content_words(text)) <= _FEW_WORDS
        if _CALLED_OFF.search(text) and (shares or bare):
            return True
        if then and (shares or any(told.search(text) for told in (*told_of, _IS_OVER))):
            return True
    return False


_DAYS: Final = frozenset(
    {"tomorrow", "morning", "afternoon", "evening", "tonight", "noon", "early", "late", "am", "pm"}
    | {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
    | {"早上", "上午", "中午", "下午", "晚上", "明早", "明晚"}
)
"""What says when, and not what."""

_ASKED_SO: Final = LatePattern(
    r"是今天吧|顺利吗|怎么样[？?]|\bhow (?:did|is) it go", re.IGNORECASE
)

_STILL_SPOKEN_OF: Final = 2

_FEW_WORDS: Final = 2

_CALLED_OFF: Final = LatePattern(
    r"取消|不去了|不[考面看办]了|[改推挪]到|改[天期]|推迟|延期|黄了|泡汤|没去成|去不[了成]|退了"
    r"|\b(?:cancel\w*|called (?:it )?off|postponed|resched\w*|moved to|put off|fell through"
    r"|not going|can['’]?t (?:go|make it)|won['’]?t be going|didn['’]t go)\b",
    re.IGNORECASE,
)

_IS_OVER: Final = LatePattern(
    r"(?:^|[，,])(?:总算|终于|都)?(?:完事|搞定|结束|忙完)了"
    r"|\b(?:that|it|all)(?:['’]s| is| was)? (?:done|over)\b"
    r"|\bwent (?:well|fine|ok(?:ay)?|great|badly)\b",
    re.IGNORECASE,
)

_OUTCOMES: Final = tuple(
    (LatePattern(kind, re.IGNORECASE), LatePattern(told, re.IGNORECASE))
    for kind, told in (
        (
            r"面试|interview",
            r"面(?:完|得|上|砸|过)|offer|录[用取]|\b(?:hired|got (?:the|it)|didn't get)\b",
        ),
        (
            r"考|exam|test|quiz",
            r"考(?:完|得|砸|过|上)|过了|[几0-9一-九]分|\b(?:pass|fail|nail|flunk)\w*",
        ),
        (
            r"医|牙|检|复查|手术|看病|doctor|dentist|hospital|gp\b|check-?up|scan|surgery",
            r"[医大][生夫]说|检查|结果|[拔查看做]完|[拔做]了|\b(?:said|results?|clear|tooth)\b",
        ),
        (
            r"飞|机票|火车|高铁|旅|出差|[去回].{1,6}|flight|train|trip|fly|travel|holiday|visit",
            r"落地|到[了家]|回来|晚点|玩得|\b(?:landed|arrived|back|delayed|home|here)\b",
        ),
    )
)
"""What tells how a plan went without naming it: who was to be interviewed says 面完了."""


def is_anothers_plan(said: str) -> bool:
    """Whether what is ahead is somebody else's, or only what somebody says will be."""
    whom = subject_of(TURNS.split(said)[0])
    return (
        whom in {ClauseSubject.OTHER, ClauseSubject.THEIRS} or _PROMISED.search(said) is not None
    )


_PROMISED: Final = LatePattern(
    r"(?:老板|领导|工头|房东|[他她]们?|[老小阿][一-鿿][^，,我]{0,4}[，,]?|公司|HR|客户|甲方)[^，,我]{0,2}(?:说|讲|答应|通知)|\b(?:says|said|reckons|promised)\b",
    re.IGNORECASE,
)


def may_have_moved(said: str) -> bool:
    """Whether somebody did or said something in it, which may have been welcome or not.

    What such news means no list of words knows (他把钥匙放桌上就走了; she read my essay out): it
    is better to ask than to guess.
    """
    return _ANOTHER.search(said) is not None and _HAPPENED.search(said) is not None


_ANOTHER: Final = LatePattern(
    rf"(?:{PERSONS_ZH}|[他她]们?|班主任|HR|工头|房东|甲方|前台|护士|大夫|对方)"
    rf"|\b(?:he|she|they|hr|gaffer|landlady|supervisor|lads?|date|kid|mate|mrs|mr|miss"
    rf"|{PERSONS_EN})(?:['’]?s)?\b",
    re.IGNORECASE,
)

_HAPPENED: Final = LatePattern(
    r"[了过]|说|让|叫|居然|竟然|突然|又|还"
    r"|\b(?:\w{2,}ed|was|were|has|had|said|told|took|left|gave|came|went|put|sent|made|read|got|hid"
    r"|says?|keeps?)\b",
    re.IGNORECASE,
)


def mourns_for(told: Sequence[str]) -> bool:
    """Whether what was told of somebody tells of their death: of a pet, 芝麻走了 does as well."""
    pet = any(_PET.search(each) for each in told)
    return any(occasion_of(each) == "grief" or (pet and _LEFT.search(each)) for each in told)


_PET: Final = LatePattern(rf"{WORDS_ZH['PET']}|\b(?:{WORDS_EN['PET']})\b", re.IGNORECASE)

_LEFT: Final = LatePattern(r"[走没](?=了(?:$|[。！，,]))|骨灰|\bput \w+ down\b", re.IGNORECASE)


def met_as(occasion: str, told: str, shown: str) -> str:
    """Return as what a line of an occasion is met, in the light of whose news it is.

    ``told`` are the partner's own words, ``shown`` those they pass on: what is said there of "I"
    is another's, 小芳：我下周结婚. Of a colleague's luck the partner is not congratulated either.
    """
    ahead = not shown and occasion in _MET_OTHERWISE
    ahead = ahead and (
        is_of_another_before(_AHEAD_OF_IT.split(told)[0])
        or (occasion == "illness" and _is_of_others(told))
    )
    if ahead or occasion in ASKED_FOR or occasion == "crisis":
        return _MET_OTHERWISE.get(occasion, occasion) if ahead else occasion
    if not shown:
        theirs = occasion in _MET_AS_ONES_OWN and not only_exclaims(told, occasion)
        return _others_news(occasion) if theirs and _is_of_others(told) else occasion
    if not _SAYS_I.match(shown) or _TO_PARTNER.search(shown):
        # 老板说：“你被裁了”: what is said to the partner is of the partner.
        return occasion
    own = occasion_of(told)
    if own != LISTENING:
        return own
    found = occasion_of(shown)
    if found in {"illness", "others_ill"} and _FAMILY.match(told):
        return "others_ill"
    pasted = re.search("[：:]", f"{told} {shown}") is not None
    return _others_news(found, else_as="passed_on" if pasted else LISTENING)


def _others_news(occasion: str, else_as: str = LISTENING) -> str:
    if occasion in BAD_NEWS:
        return "others_news"
    return "others_glad" if occasion in _GLAD_NEWS else else_as


def _is_of_others(told: str) -> bool:
    """Whether a line begins with somebody who is not of the family, and is not about oneself."""
    clause = next(iter(_CLAUSE.findall(told)), "").strip()
    head = _REMOTE.match(clause)
    other = head is not None or subject_of(clause) is ClauseSubject.OTHER
    return other and not _NOT_FAR.search(clause) and not _I.search(_REMOTE_HEAD.sub("", clause))


_MET_OTHERWISE: Final = {"trial": LISTENING, "illness": "others_ill"}
"""Whoever tells of a friend's interview is wished no luck for it, nor asked where it hurts."""

_AHEAD_OF_IT: Final = LatePattern(
    r"面试|复试|考|手术|检查|比赛|\b(?:interview|exam|surgery|operation)", re.IGNORECASE
)

_GLAD_NEWS: Final = CHEERFUL_NEWS | {"birthday", "plan"}

_MET_AS_ONES_OWN: Final = frozenset({"joy", "pride", "allergy", "health", "birthday"})

_I: Final = LatePattern(
    r"[我俺咱]|本人|\b(?:i|i['’]?(?:m|ve|d|ll)|my|me|mine|we|our|us)\b", re.IGNORECASE
)

_SAYS_I: Final = LatePattern(
    rf"(?:[^\n]{{0,40}}[：:] ?)?[“「『\"'‘]?(?:{_I.pattern})", re.IGNORECASE
)

_TO_PARTNER: Final = LatePattern(
    r"[你您]|[我咱]们|\b(?:you|your|u|ur|we|us|our|you['’]\w+|we['’]\w+)\b", re.IGNORECASE
)

_FAMILY: Final = LatePattern(
    rf"[我俺]?们?家?的?(?:{WORDS_ZH['FAMILY']})"
    rf"|(?:my |our )?(?:{WORDS_EN['FAMILY']}|mum|mom|dad|nan|gran)\b",
    re.IGNORECASE,
)

_REMOTE: Final = LatePattern(
    rf"(?:[我俺]们?)?(?:有?一?个|的|那个)?(?:{REMOTE_ZH})"
    rf"|(?:my|our|an?|the|some|one of my) (?:\w+ ){{0,2}}?{REMOTE_EN}s?\b",
    re.IGNORECASE,
)

_NOT_FAR: Final = LatePattern(
    r"^(?:[他她它]|(?:he|she|it|they)\b)|过来|来[看找陪了]|\b(?:came|comes|coming|visit\w*)\b",
    re.IGNORECASE,
)
"""Whom one goes on about may be of the family, and who comes, comes to the speaker."""

_REMOTE_HEAD: Final = LatePattern(r"^(?:[我俺]们?|(?:my|our|one of my)\b)", re.IGNORECASE)


_RECOVERS: Final = LatePattern(
    r"(?<![没不])(?<!没有)(?:醒过?来?了|(?:转|进)(?:到|回)?普通病房|脱离危险|下床了|退烧了|能(?:吃|说话|走|下地)了"
    r"|(?:稳|缓)(?:定|过)来?了)"
    r"|(?<!n['’]t )(?<!not )(?<!not yet )\b(?:awake|woke up|came (?:round|to)|come round|sat up"
    r"|sitting up|out of danger|off the ventilator|discharged|back on (?:his|her) feet)\b(?! yet)",
    re.IGNORECASE,
)


def recovers(said: str) -> bool:
    """Whether somebody who was ill is told to be better; said of others it may mean anything."""
    return _RECOVERS.search(said) is not None and not _NOT_YET.search(said)


_NOT_YET: Final = LatePattern(
    r"还没|没有?醒|\b(?:hasn|haven|isn|didn|won)['’]?t\b|\b(?:is|was) not\b", re.IGNORECASE
)
