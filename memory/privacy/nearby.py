"""Secrets beside a cue that no rule of its own sort read: in doubt a number with a cue is one.

The rules of :mod:`memory.privacy.values` know how values are told. People tell them in more ways
than anybody lists, so what looks like a value and stands in one short message with a cue is taken
for its value, unless something else says what it is: a measure, a date, an order, a telephone.
Everything here reads the plain form of a text and returns places in it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memory.privacy.cues import SecretCue, Sort
from memory.privacy.shapes import Place, is_ordinary
from memory.privacy.tokens import TOKEN, looks_secret, tokens_in

_LINK: Final = re.compile(
    r"[:：=→←↓]|[-=]>|<-|[是为為係系叫成回就乃]|设的|改[了到]|换[了到]|记一下|[按输輸]"
    r"|(?<![a-z])(?:is|iz|are|was|were|been|as|to|now|reads?|says?|its|it['’]s|use|with|w/"
    r"|called|be|press|enter|type|dial|punch)(?![a-z])"
    r"|['’]s(?![a-z])",
    re.IGNORECASE,
)
# A number with one of these behind it counts something; it opens nothing.
_MEASURED: Final = re.compile(
    r"\s?(?:秒|分|小时|小時|[个個]|次|位|天|[条條]|遍|年|月|日|[块塊]|元|[号號]?[楼樓]|%|字"
    r"|[岁歲]|倍|万|"
    r"号线|[度米斤克]|人|(?:sec|min|hour|day|week|month|year|char|digit|word|time|letter"
    r"|percent|minor"
    r"|people|person|quid|dollar|euro|pound|mile|km|kg|gb|mb|line|th\b|st\b|nd\b|rd\b))",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(r"[。！？；\n]|(?<!\sno)[.!?;](?=\s|$)")
NEAR: Final = 48
"""How far behind its cue a value may stand."""


def stretch_after(text: str, cue: SecretCue) -> int:
    """Return where the stretch ends in which the value of a cue may stand."""
    ahead = text[cue.end : cue.end + NEAR]
    # What stands right behind a cue may be on the next line.
    offset = len(ahead) - len(ahead.lstrip())
    end = _SENTENCE_END.search(ahead, offset)
    return cue.end + (end.start() if end else len(ahead))


def is_linked(text: str, cue: SecretCue, start: int) -> bool:
    """Tell whether nothing but a link, or nothing at all, stands between a cue and a value."""
    between = text[cue.end : start]
    bare = re.sub(
        r"[\s\"'“”‘’「」『』《》`(（*#锁码是号号號]|\d\s?-?digits?|[三四六346]位[数數]?字?|[数數]字",
        "",
        between,
    )
    return len(bare) <= 1 or bool(_LINK.search(between))


def is_place(text: str, start: int, end: int) -> bool:
    """Tell whether a number counts something, or says where a parcel lies, or hours."""
    return is_measured(text, start, end) or is_shelf_or_hours(text[start:end])


def is_measured(text: str, start: int, end: int) -> bool:
    """Tell whether a number counts something."""
    return text[start:end].isdigit() and bool(_MEASURED.match(text, end))


def token_end(text: str, end: int) -> int:
    """Return where the token ends in whose midst a stretch may have been cut."""
    inside = TOKEN.match(text, end - 1) if end else None
    return max(end, inside.end()) if inside else end


LINK_LAST: Final = re.compile(rf"(?:{_LINK.pattern})\s{{0,2}}$|^\s{{0,2}}$", re.IGNORECASE)


_SHORT: Final = 160
"""In a longer message only what stands this near to its cue is looked at."""

_NUMBER: Final = re.compile(
    r"(?<![\w.,/:#-])\d(?:[ \-.]{0,2}\d){2,18}(?![\w/:%-])(?![.,]\d)", re.ASCII
)
_GROUPED: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Za-z0-9]{4}(?:[ -][A-Za-z0-9]{4}){2,9}"
    r"|[A-Za-z0-9]{5}(?:[ -][A-Za-z0-9]{5}){1,9}"
    r"|[A-Za-z0-9]{3,8}(?:-[A-Za-z0-9]{3,8}){1,5})(?![A-Za-z0-9])"
)
_COUNTED: Final = re.compile(
    r"\s{0,2}(?:秒|分|小时|小時|[个個]|次|位|天|[条條]|遍|年|月|日|[块塊]|元|[号號]|[楼樓]|%|字"
    r"|[岁歲]|倍|万|萬"
    r"|[步级級层層张張行件人厘毫公千米斤克升度兆台只本页頁篇集期份瓶杯棵粒颗顆包盒双雙家座辆輛"
    r"匹头頭种種代届]"
    r"|(?:s|ms|secs?|seconds?|mins?|minutes?|hours?|days?|weeks?|months?|years?|chars?"
    r"|characters?|digits?|words?"
    r"|letters?|times|percent|people|quid|dollars?|euros?|pounds?|bucks|miles?|km|kg|gb|mb"
    r"|lines?|steps?|points?|of\s(?:them|us|my))"
    r"(?![a-z]))",
    re.IGNORECASE,
)
_OWNS: Final = re.compile(r"\s?[的之][^\s是]|['’]s\s[a-z]{3}")
"""What has a password is none: 12306的密码."""

_CALENDAR: Final = re.compile(
    r"(?:19|20)\d\d(?:[ .-]?(?:0?[1-9]|1[0-2])(?:[ .-]?(?:0?[1-9]|[12]\d|3[01]))?)?", re.ASCII
)
# Where a parcel lies, and from when to when: 8-3-2047, 0900-1730.
_SHELF: Final = re.compile(r"\d{1,2}-\d{1,2}-\d{3,5}", re.ASCII)
_HOURS: Final = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d\s?-\s?(?:[01]\d|2[0-3])[0-5]\d", re.ASCII)
_CALL: Final = re.compile(
    r"1[3-9]\d[ -]?\d{4}[ -]?\d{4}|\d{3}[ -]\d{3,4}[ -]\d{4}|0\d{2,4}[ -]\d{6,8}"
)
_LABELLED: Final = re.compile(
    r"(?:电话|電話|手机号?|手機號?|热线|熱線|拨打?|撥打?|内线|內線|分机|分機|客服|车牌|車牌"
    r"|门牌|門牌|邮编|郵編|航班|车次|班次|微信|qq|群|尾号|尾號"
    r"|价格|價格|工资|工資|[贷貸借还還付花存赚賺挣]了|花了|[¥￥$£€]|版本|型号|型號|(?<![a-z])(?:phone|tel|call|ring|dial"
    r"|mobile|ext|zip|postcode|room|flat"
    r"|apartment|flight|gate|bus|train|version|model|page|line|error|ending(?:\sin)?|year|since"
    r"|in|circa|about|around"
    r"|over|under|nearly|almost|at\sleast|up\sto|than|costs?|paid|owe))[\s:：是为]{0,3}$",
    re.IGNORECASE,
)
_MINIMUM: Final[dict[Sort, int]] = {
    Sort.PASSWORD: 4, Sort.LOGIN: 4, Sort.CODE: 4, Sort.CARD: 8, Sort.IDENTITY: 6, Sort.KEY: 6,
}  # fmt: skip
_WEAK: Final = frozenset({Sort.LOGIN})
"""Cues that are words of every day: open, pass. They need a rule of their own."""

# Questions and complaints tell nothing: is the number a value, it is told.
_NOT_TOLD: Final = re.compile(
    r"似的|为什么|為什麼|多少|几位|幾位|忘|重置|找回|输错|輸錯|收不到|没收到|过期|過期|怎么"
    r"|怎麼|如何|限额|限額|额度|額度|年费|还款|還款|账单|帳單|积分"
    r"|(?<![a-z])(?:forg[eo]t\w*|expired|declined|never\sarrives|why|how|what['’]?s|what\sis"
    r"|which|are\s\w+\snumbers|limit|balance|bill|generator|manager)(?![a-z])",
    re.IGNORECASE,
)


def nearby_in(text: str, cues: Sequence[SecretCue]) -> Iterator[Place]:
    """Yield the likeliest value of each of the cues for which no rule found one."""
    for cue in cues:
        if cue.sort in _WEAK:
            continue
        since, until = max(0, cue.start - _SHORT), min(len(text), cue.end + _SHORT)
        if _NOT_TOLD.search(text, since, until):
            continue
        values = [
            at
            for at in _likely(text, cue.sort, since, until)
            if at[1] <= cue.start or at[0] >= cue.end
        ]
        yield from sorted(values, key=lambda at: _distance(cue, at))[:1]


def _distance(cue: SecretCue, at: Place) -> int:
    # Before its cue a value stands more seldom.
    return at[0] - cue.end if at[0] >= cue.end else 3 * (cue.start - at[1])


def _likely(text: str, sort: Sort, since: int, until: int) -> Iterator[Place]:
    if sort in {Sort.PASSWORD, Sort.KEY}:
        made_up = (at for at in tokens_in(text, since, until) if looks_secret(text[slice(*at)]))
        yield from (at for at in made_up if not is_named(text, *at))
    if sort is not Sort.PASSWORD:
        for found in _GROUPED.finditer(text, since, until):
            if sum(map(str.isdigit, found[0])) > 1 and not is_named(text, *found.span()):
                yield found.span()
    for found in _NUMBER.finditer(text, since, until):
        digits = sum(map(str.isdigit, found[0]))
        if sort is Sort.KEY and not found[0].isdigit():
            continue
        if digits >= _MINIMUM[sort] and not is_named(text, *found.span()):
            yield found.span()


def is_named(text: str, start: int, end: int) -> bool:
    """Tell whether a number is said to be something else: a measure, a date, a telephone."""
    value, before = text[start:end], text[max(0, start - 24) : start]
    return bool(
        is_ordinary(text, start)
        or _OWNS.match(text, end)
        or _COUNTED.match(text, end)
        or _CALENDAR.fullmatch(value)
        or is_shelf_or_hours(value)
        or _CALL.fullmatch(value)
        or _LABELLED.search(before)
    )


def is_shelf_or_hours(value: str) -> bool:
    """Tell whether numbers say where a parcel lies, or from when to when: 8-3-2047, 0900-1730."""
    return bool(_SHELF.fullmatch(value) or _HOURS.fullmatch(value))
