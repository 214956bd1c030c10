"""The forms in which people ask for reminders, move, end and repeat them, and what each is about.

Only patterns, and of a request its time and what is left beside that; what is done with it is
decided in :mod:`memory.initiative.requests` and its neighbours.
"""

import re
from calendar import monthrange
from collections.abc import Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from memory.text.late_pattern import LatePattern
from memory.text.names import ROLE_EN
from memory.text.slot_core import KIN_ZH, with_kin_in_one_word
from memory.text.slots_zh import DOES_ZH, NEAR_ZH
from memory.text.time_parts import trimmed
from memory.text.times import TimeDoubt, TimeSaid, read_day, read_time
from memory.text.tokens import names_somebody, tokens

_EVERYBODY_ZH: Final = (
    "(?:在?群里的?)?(?:大家伙?儿?|大伙儿?|所有人|全体(?:成员|同[学事])?|全[员群]|各位|每个人|小伙伴们?|同学们|同事们"
    "|孩子们|[他她]们)(?!的)"
)
_EVERYBODY_EN: Final = (
    "every(?:one|body)|all of (?:us|them|you)|us all|people|folks|them"
    "|the (?:whole )?(?:group|team|others|guys|class|family|kids|boys|girls)"
)
_BY_WHAT_TIME: Final = (
    r"[明后今]|[下这]?(?:周|星期|礼拜)[一二三四五六日天末]|早上|晚上|下午|中午|\d"
)
WHOM_ZH: Final = (
    rf"(?:(?:再|也)?提醒(?:一?下|一声)?|(?:叫|喊)(?:一?下|一声)?(?={_EVERYBODY_ZH}|我))(?P<whom>{_EVERYBODY_ZH}"
    rf"|我们?家?的?(?:{NEAR_ZH}|[爸妈爹娘哥姐弟妹爷奶舅姑姨叔婶嫂])(?={DOES_ZH})"
    rf"|(?![我你咱])(?:{NEAR_ZH}|[他她]|[一-鿿]{{2,3}}?|[a-z]{{2,12}} ?)(?={DOES_ZH}|{_BY_WHAT_TIME}))(?:一?下|一声)?"
)
WHOM_EN: Final = (
    rf"(?:(?:pls|please|plz|kindly) )?\bremind (?P<whom_en>{_EVERYBODY_EN}|him|her|my (?:{ROLE_EN})"
    r"|(?!me\b|us\b|you\b|myself\b|it\b|th[ai]t?s?\b)[a-z][a-z'’-]+)"
    r"(?= (?:to|about|at|on|in|tomorrow|tonight|next|every|this)\b)"
)
"""Whom she is to remind in the place of who asks, where that is said to her."""

_TO_HER: Final = LatePattern(
    r"(?:小祥|@\S+|请|麻烦|帮我|帮忙|替我|拜托|记得|别忘了?|到时候?|到点|不?能|可以|可不|你|要|给|再|也|都|然后|另外|那|好的?|嗯|哦|对了"
    r"|在?(?:群里|这里)|\b(?:xiaoxiang|please|pls|hey|hi|ok(?:ay)?|and|also|then|so|can you|could you|would you|will you|do"
    r"|don['’]?t forget to|remember to|at|on|in)\b|[\s\x00!！：:、])*",
    re.IGNORECASE,
)


def whom_named(text: str, cue: re.Match[str], clause: str) -> str | None:
    """Return whom a request is for beside who makes it, "" for them; None if nobody is bidden.

    ``clause`` is what stands before the cue in its clause, without the time.
    """
    groups = cue.groupdict()
    name = "whom" if groups.get("whom") else "whom_en"
    if not groups.get(name):
        return ""
    start, end = cue.span(name)
    whom = text[start:end].strip()
    known = _KNOWN.fullmatch(whom)
    person = known or (whom[:1].isupper() if whom.isascii() else [whom] == names_somebody(whom))
    # 周六晚上叫大家来吃饭 may be what somebody does themselves.
    bids = _BIDS.search(f"{clause}{cue[0]}") or "我" in whom
    return whom if person and bids and _TO_HER.fullmatch(clause) else None


_BIDS: Final = LatePattern(r"提醒|一下|一声|小祥|你|帮|记得|麻烦|请|别忘|remind", re.IGNORECASE)


def told_to(whom: str, what: str) -> str:
    """Return what there is to do where somebody else is to be reminded: 叫老公交物业费."""
    if not (whom and what):
        return what
    if what.isascii() and whom.isascii():
        joint = " " if what.startswith("about ") else " to "
        return f"tell {re.sub('^my ', 'your ', whom)}{joint}{what}"
    return f"叫{_OWN_KIN.sub('', whom)}{what}"


_KNOWN: Final = LatePattern(
    rf"{_EVERYBODY_ZH}|[他她]|(?:我们?家?的?)?(?:{NEAR_ZH}|[爸妈爹娘哥姐弟妹爷奶舅姑姨叔婶嫂])"
    rf"|{_EVERYBODY_EN}|him|her|my (?:{ROLE_EN})",
    re.IGNORECASE,
)

_TOLD_TO: Final = LatePattern(
    rf"叫(?P<all>{_EVERYBODY_ZH}|[他她])?(?P<what>.+)|tell (?P<en>{_EVERYBODY_EN}|him|her|(?-i:[A-Z][\w'’-]+))"
    r" (?:to )?(?P<do>.+)",
    re.IGNORECASE,
)


def for_whom(text: str) -> tuple[str, str]:
    """Return who in a group is reminded, and of what; nobody where it is for who asked.

    >>> for_whom("叫大家带水"), for_whom("tell Tom to call mum"), for_whom("叫外卖")
    (('大家', '带水'), ('Tom', 'call mum'), ('', '叫外卖'))
    """
    found = _TOLD_TO.fullmatch(text)
    if found is None:
        return "", text
    if found["en"] or found["all"]:
        return found["en"] or found["all"], found["do"] or found["what"]
    named = next((x for x in names_somebody(found["what"]) if found["what"].startswith(x)), "")
    return (named, found["what"].removeprefix(named).strip()) if named else ("", text)


_SENTENCE_END: Final = LatePattern(r"[。.!！?？\n](?:\s|$|(?=[一-鿿]))")
_LEAST: Final = 2


def without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return a text in which some places are blank, character for character."""
    for start, end in spans:
        if start < len(text):
            stop = min(end, len(text))
            text = f"{text[:start]}{chr(0) * (stop - start)}{text[stop:]}"
    return text


def time_of_request(
    text: str, cue: tuple[int, int], at: datetime, zone: ZoneInfo
) -> TimeSaid | TimeDoubt:
    """Return the time of a request; of two hours, that beside the cue, before or right behind."""
    when = read_time(text, at, zone)
    if not isinstance(when, TimeDoubt) or when.missing != "several":
        return when
    if (own := _time_beside(text, cue, at, zone)) is not None:
        return own
    comma = re.search(r"[,，;；。.!！]\s|[，。]", text[cue[1] :])
    near = cue[1] + comma.start() if comma else len(text)
    for end in (cue[0], near):
        found = read_time(text[:end], at, zone)
        if isinstance(found, TimeSaid):
            return found
    return when


def _time_beside(text: str, cue: tuple[int, int], at: datetime, zone: ZoneInfo) -> TimeSaid | None:
    """Return the day and hour in the clause of the cue, where what stands before has its own.

    周四九点胃镜，周三晚上十点提醒我; "it is on Thursday at 9, remind me Wednesday at 10 pm".
    """
    begins = max((each.end() for each in _CLAUSE_ENDS.finditer(text, 0, cue[0])), default=0)
    ended = _CLAUSE_ENDS.search(text, cue[1])
    for start, stop in ((begins, cue[0]), (cue[1], ended.start() if ended else len(text))):
        earlier, clause = text[: min(start, cue[0])], text[start:stop]
        found = read_time(" " * start + clause, at, zone)
        if not isinstance(found, TimeSaid) or read_day(clause, at, zone) is None:
            continue
        # Of two bare times either may be meant.
        told = trimmed(without(earlier, read_time(earlier, at, zone).spans))
        apart = start == begins or found.spans[0][0] - start <= _RIGHT_BEHIND
        if apart and len(told.strip("\0 ")) >= _LEAST:
            return found
    return None


_CLAUSE_ENDS: Final = LatePattern(r"[,，;；。!！]|\.\s|\b(?:so|and|but|then)\b", re.IGNORECASE)
_RIGHT_BEHIND: Final = 4


def matter_of(text: str, cue: tuple[int, int], spans: Sequence[tuple[int, int]]) -> str:
    """Return what she is to remind of, in the words that were said."""
    blank = _with_joint(without(text, [*spans]), text, cue[1], spans)
    after, before = trimmed(blank[cue[1] :]), trimmed(blank[: cue[0]])
    ended = _SENTENCE_END.search(after)
    first = trimmed(after[: ended.start()]) if ended else after
    found = first if len(first) >= _LEAST else before if len(before) >= _LEAST else first or after
    if found == first and (held := _held(blank, cue[0], spans)) and len(first) <= _SHORT:
        # 三点体检，提醒我空腹: what is at that hour belongs to it.
        found = f"{held} ({first})" if found.isascii() else f"{held}（{first}）"
    return re.sub(r"[\x00\s]*\x00[\x00\s]*", " " if found.isascii() else "", found).strip()


def _with_joint(blank: str, text: str, begins: int, spans: Sequence[tuple[int, int]]) -> str:
    """Return a matter in which "leave half an hour before the train" does not leave the train."""
    for start, end in spans:
        word = _BEFORE_IT.search(text, start, end)
        if word and begins < start and trimmed(blank[begins:start]) and trimmed(blank[end:]):
            blank = f"{blank[: word.start()]}{word[0]}{blank[end:]}"
    return blank


_BEFORE_IT: Final = LatePattern(r"(?:before|prior to|ahead of)$", re.IGNORECASE)


def _held(blank: str, cue: int, spans: Sequence[tuple[int, int]]) -> str:
    """Return what somebody has at the hour named before a request; empty if nothing is named."""
    last = max((end for _, end in spans), default=cue)
    if last >= cue:
        return ""
    before = trimmed(_EMPTY.sub("", blank[last:cue]))
    found = _HELD.fullmatch(before) if before else _HELD_EN.fullmatch(trimmed(blank[:cue]))
    return found[1] if found else ""


_SHORT: Final = 30
_EMPTY: Final = LatePattern(r"[（(][\s\x00]*[）)]")
_HELD: Final = LatePattern(
    r"(?:我|要|有个?|得|去|做)*([^\x00，,。！!？?\s我你他她]{0,4}(?:体检|抽血|检查|复查|手术|化疗|开会|会议|面试|考试|答辩|上课|讲座|开庭|看牙|看医生|航班|飞机|火车|高铁))"
)
_HELD_EN: Final = LatePattern(
    r"(?:i have |i['’]ve got |there['’]s )?(?:an? |the |my )?((?:\w+ )?(?:dentist|doctor|appointment"
    r"|check-?up|blood test|surgery|meeting|interview|exam|flight|train|class|lecture|hearing))",
    re.IGNORECASE,
)


def matter_beside(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return what a text says beside the time in it."""
    return matter_of(text, (0, 0), spans)


TO: Final = LatePattern(
    r"^(?:[\s,，。.!！:：]|是|应该是|[改换挪调移][一下]*[成到为至在]?|[推延]迟?[到至]|提[前早][到至]"
    r"|\bfrom [0-9:.]+ ?(?:[ap]m)?(?= to\b)|\b(?:it['’]?s|move|change|set|make|put|push|switch|update|adjust|reschedule|it|that|to|till|until|for|at|by)\b)+",
    re.IGNORECASE,
)
_LEADS_ZH: Final = r"(?:小祥|请|麻烦|帮我|拜托|那|能不能|可不可以|可以|我想|我要|你|还是|再(?=[改换挪调])|[，,、\s])*"
_NOUN_ZH: Final = r"(?:提醒|闹钟|闹铃)(?!我|一下|一声|[他她你咱]|大家|孩子)"
_LONG_ZH: Final = (
    r"(?=[0-9一二两三四五六七八九十半]+个?半?个?(?:小时|钟|分|刻|天|日|周|星期|礼拜))"
)
_OFF_ZH: Final = (
    rf"(?:推迟|延后|延迟|推后|顺延|往[后前][推挪调移]?|提[前早]|[晚早]{_LONG_ZH}|晚一?点|早一?点)"
)
MOVES_ZH: Final = LatePattern(
    rf"{_LEADS_ZH}(?:把|将)?(?P<what>[^，,。！!？?把]{{0,20}}?)的?(?:[那这][个条])?{_NOUN_ZH}(?P<of>)(?:的?时间)?(?:给我|帮我|再|都|也|能不能|可以)*(?P<told>(?:[改挪调换移]|{_OFF_ZH})[^。！!？?]{{0,30}}?)(?<!了)(?:吧|呗|好吗|行吗|可以吗|谢谢)*|{_LEADS_ZH}(?P<verb>{_OFF_ZH}|[改调挪](?:一下)?)(?:一下)?(?!.*了$)"
    rf"(?P<thing>[^，,。！!？?]{{0,20}}?)的?{_NOUN_ZH}(?:时间)?[，,]?(?P<then>.{{0,30}})"
)
_LEADS_EN: Final = r"(?:xiaoxiang|please|ok(?:ay)?|hey|oh|can you|could you|would you|will you|actually|no|wait|sorry|and|so|then|i(?:['’]d like to| want to| need to)|[,.!\s])*"
MOVES_EN: Final = LatePattern(
    rf"{_LEADS_EN}\b(?P<verb>move|change|push|shift|put|postpone|delay|reschedule|bring|snooze|set|make|switch|update|adjust)"
    r"(?: back| forward| off)? (?!an? |me |another |new )(?:the |my |our |that |this )?(?P<what>[^.,!?]{0,30}?) ?\b(?:reminder|alarm)"
    r"(?: (?:for|about|to|of) (?P<of>[a-z'’ ]{1,30}?))?(?P<told>(?: (?:to|from|until|till|for|by|back|forward|off|up|at|on|later|earlier|an?|half|[0-9]\S*) ?.{0,30})?)(?: please)?",
    re.IGNORECASE,
)
MOVES_ONE: Final = LatePattern(
    rf"{_LEADS_ZH}(?P<bids>[把将])?(?P<what>[^，,。！!？?把将]{{1,12}}?)的?(?:那[个条项])?(?P<told>(?:[改挪调换移][成到为至]|{_OFF_ZH}[到至]?)[^，,。！!？?了]{{1,16}}?)[吧呗]?(?(bids)了?)"
    rf"|{_LEADS_EN}(?:move|change|push|shift|put|set|switch|reschedule) (?:the |my )(?P<en>[^.,!?]{{1,30}}?) one (?:back |forward )?(?P<then>(?:to|at|till|until) [^.,!?]{{1,30}}?)(?: please)?"
    rf"|{_LEADS_EN}\b(?P<verb>make|(?:move|change|push|shift|switch|reschedule|postpone|delay|snooze|bring|put)(?: back| forward| off)?) (?:the |my |our )(?P<rest>[^.,!?]{{3,50}}?)(?: please| instead)?",
    re.IGNORECASE,
)
LEAD_ZH: Final = LatePattern(rf"^{_LEADS_ZH}|的?时间$")
ENDS_MATTER: Final = LatePattern(
    rf"(?!我)(?:{_LEADS_ZH}(?:取消|删掉|去掉|撤掉)(?!了)(?P<zh>[^，,。！!？?吗了]{{1,16}}?)(?:吧|好了)?"
    rf"|{_LEADS_ZH}(?:[把将])?(?P<zh2>[^，,。！!？?把将他她们]{{1,16}}?)的?(?:[那这][个条])?(?:取消|删掉|去掉|撤掉)掉?(?:吧|好了))"
    rf"|(?!i\b)(?:{_LEADS_EN}(?:cancel|scrap|scratch|delete|remove|call off) (?:the |my |our )?(?P<en>[^.,!?]{{2,40}}?)(?: one)?(?: (?:please|then|now|for me|after all))*)",
    re.IGNORECASE,
)
"""取消开会, "cancel the meeting": it may be asked of her, if a reminder is of that."""


def matter_words(text: str) -> frozenset[str]:
    """Return the words of a matter, whatever its meeting or its relative is called in it.

    >>> matter_words("给我妈打电话") == matter_words("给妈妈打电话")
    True
    """
    one = with_kin_in_one_word(_A_MEETING.sub("开会", _OWN_KIN.sub("", text)))
    return frozenset(tokens(one))


_A_MEETING: Final = LatePattern("会议")
_OWN_KIN: Final = LatePattern(rf"[我俺]们?家?的?(?={KIN_ZH})")
ONCE_MORE: Final = LatePattern(
    rf"{_LEADS_ZH}(?P<zh>[^，,。！!？?]{{1,16}}?)[再又](?:来)?(?:(?P<put_off>说)|(?:提醒|叫|喊|催)我?)(?:一次|一遍|一下|一声)?[吧啊哈呗]*"
    rf"|{_LEADS_EN}(?:(?:remind|wake|nudge|ping|buzz) me )?again,? (?P<en>[^.!?]{{3,30}}?)(?: please)?"
    rf"|{_LEADS_EN}(?:(?:remind|wake|nudge|ping|buzz) me )?(?P<en2>[^.!?]{{3,30}}?),? again(?: please)?"
    rf"|{_LEADS_EN}(?:remind me )?(?P<en3>later|tomorrow|in a (?:bit|while|little while))(?: please)?",
    re.IGNORECASE,
)
A_WHILE: Final = LatePattern(
    r"(?:过|等|待|再过|再等)?(?:一?会儿?|一下|片刻)|晚点儿?|等下|later|in a (?:bit|while|little while)",
    re.IGNORECASE,
)
AGAIN: Final = LatePattern(
    rf"{_LEADS_ZH}(?P<what>[^，,。！!？?]{{0,12}}?)(?P<told>(?:(?:[改换挪调移]|推迟|延后|提[前早])[到成为至]|{_OFF_ZH})[^，,。！!？?]{{0,16}}?)"
    r"[再才就]?(?:提醒|[叫喊])我?(?P<of>[^，。,！!？?]{0,12}?)[吧了]?"
    rf"|{_LEADS_EN}(?:remind|wake) me (?P<en>(?:at |on |in |tomorrow |tonight )?[^.!?]{{1,30}}?)(?:,? (?:instead|rather)(?: please)?|(?<=later)|(?<=earlier))",
    re.IGNORECASE,
)
CORRECTS: Final = LatePattern(
    rf"{_LEADS_ZH}(?:(?:哦|啊|哎呀?|等等|等下|那个|不)[，,！!。\s]*)*{_LEADS_ZH}(?:(?P<strong_zh>改[成到为]|换[成到]|挪到|推迟到|提前到|延后到|[改换调](?:一?下)?(?:时间)?[，,]?(?=[0-9一二三四五六七八九十明后周下今晚早]))"
    r"|不是[^，,]{1,8}[，,]是?|不对|不是|错了|[我说]*(?:说|打|记)错了?|我是说|应该是|不好意思|抱歉|还是|(?:等等|等一?下|不|算了)[，,])|(?:(?:oh|no|oops|ah|wait|well|hang on|sorry|actually|please|hm+|um+|can you|could you|would you|let['’]?s)[,.!\s]+)*(?:(?:(?P<strong>make (?:it|that)|(?:change|move|push|set|put|switch|update|delay|postpone|reschedule) (?:it|that)|can we (?:do|make it|say)|rather)"
    r"|say|sorry|no|oops|actually|wait|i mean(?:t)?|typo|correction|not [0-9][^,]{0,9}(?=,))\b|\*(?=[0-9]))",
    re.IGNORECASE,
)
"""How a correction of what was just asked for begins."""
STRONG_ZH: Final = LatePattern(r"[\s,，。]*[改换调挪][成到为至]")
RATHER: Final = LatePattern(r"(?:,? (?:instead|rather)(?: please)?|吧|好了)$", re.IGNORECASE)
VAGUELY: Final = LatePattern(
    rf"{_LEADS_ZH}(?:推迟|延后|晚|早|提前)(?:一下|一点儿?|些|点)?(?:再?提醒我?)?吧?|{_LEADS_ZH}[改换](?:一下|个)?时间吧?|{_LEADS_EN}(?:make (?:it|that) (?:a (?:bit|little) )?(?:later|earlier)|(?:push|move|put) (?:it|that) (?:back|off|forward)(?: a (?:bit|little))?"
    r"|(?:delay|postpone|snooze|move|reschedule) (?:it|that))(?: please)?",
    re.IGNORECASE,
)
COUNT_ALONE: Final = LatePattern(
    r"(?:1[0-2]|[1-9])(?: please| then)?|十?[一二三四五六七八九十]吧?"
)


_DATE_NAMED: Final = LatePattern(
    r"(?P<month>1[0-2]|0?[1-9])(?:月|[-/](?=[0-9]))(?P<day>[0-9]{1,2})[日号]?(?![0-9:：点])"
    r"|\b(?:(?P<before>[0-9]{1,2})(?:st|nd|rd|th)?(?: of)? )?"
    r"(?P<name>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
    r"(?: (?:the )?(?P<after>[0-9]{1,2})(?:st|nd|rd|th)?\b(?! ?[ap]m))?",
    re.IGNORECASE,
)
_MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec"


def no_such_day(text: str) -> str:
    """Return the date a text names that is in no calendar, as it is written; empty if none is."""
    for found in _DATE_NAMED.finditer(text):
        day = int(found["day"] or found["before"] or found["after"] or 1)
        name = (found["name"] or "")[:3].lower()
        month = int(found["month"]) if found["month"] else 1 + _MONTHS.index(name) // 4
        # A leap year is near enough: 29 February is a day.
        if not 1 <= day <= monthrange(2024, month)[1]:
            return found[0].strip()
    return ""


PROMISES: Final = LatePattern(
    r"(?:已经?|这就|刚|马上|帮你|给你|替你|为你){1,3}把?[^，。！？\n]{0,16}?"
    r"(?:设|定|设置|设定|安排|记)(?:好|上|下|了|置)[^，。！？\n]{0,12}(?:提醒|闹钟)"
    r"|(?:提醒|闹钟)(?:已经?|帮你|给你)+(?:设|定)(?:好|上|了|置|定)"
    r"|(?<![要让想])(?:我会|我?到时候?我?会?|到点我?会?)(?:记得)?，?[^，。！？不\n]{0,12}"
    r"提醒(?!自己|我|过|了|的|功能|事项|[一-鿿]?不)[一-鿿A-Za-z](?![^。！\n]{0,12}[吗么？?])"
    r"|\bi(?:['’]ve| have|['’]ll| will)?(?: just| already| now)* (?:set|create|schedule)d?"
    r"(?: you)?(?: up)? (?:a|an|the|your) (?:\w+ ){0,2}(?:reminder|alarm)"
    # 六点我叫你起床, 我每天八点叫你吃; 六点我叫你的时候 tells of what was.
    r"|(?<![要让想用])(?:我[^，。！？\n不没要让想]{0,10}(?:[点分半刻天早晚上]|时候|准时)|(?:[点分半刻天早晚上]|时候|准时)我)"
    r"(?:会|来|就|再|准时|一定)*(?:[叫喊]醒?|提醒)你(?!什么|啥|的(?=\w)|那|这)"
    r"(?![^，。！？\n]{0,10}(?:[吗么吧？?]|了|过|的时候|没))"
    r"|\bi(?:['’]ll| will) (?:wake you|give you a (?:shout|nudge|ping|buzz)|(?:ping|nudge|buzz) you)\b"
    r"|\bi(?:['’]ll| will)(?: be sure to)? remind (?!myself)\w+\b(?! that)"
    r"|\b(?:reminder|alarm) (?:(?:is|has been) )?set\b",
    re.IGNORECASE,
)
"""Words by which a model promises a reminder."""
