"""What cues of numbers say to be their value: codes, cards, accounts, identities; parts too.

Everything here reads the plain form of a text and returns places in it.

The rules know how values are told. People tell them in more ways than anybody lists, so what looks
like a value and stands in one short message with a cue is taken for its value, unless something
else says what it is: a measure, a date, an order, a telephone.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memory.privacy.cues import SecretCue, Sort
from memory.privacy.plain_form import SHORTEST, TOKEN, looks_secret, tokens_in
from memory.privacy.shapes import Place, is_card_number, is_identity_number, is_ordinary
from memory.text.late_pattern import LatePattern

_LINK: Final = LatePattern(
    r"[:：=→←↓]|[-=]>|<-|[是为為係系叫成回就乃]|设的|改[了到]|换[了到]|记一下|[按输輸]"
    r"|(?<![a-z])(?:is|iz|are|was|were|been|as|to|now|reads?|says?|its|it['’]s|use|with|w/"
    r"|called|be|press|enter|type|dial|punch)(?![a-z])"
    r"|['’]s(?![a-z])",
    re.IGNORECASE,
)
# A number with one of these behind it counts something; it opens nothing.
_MEASURED: Final = LatePattern(
    r"\s?(?:秒|分|小时|小時|[个個]|次|位|天|[条條]|遍|年|月|日|[块塊]|元|[号號]?[楼樓]|%|字"
    r"|[岁歲]|倍|万|"
    r"号线|[度米斤克]|人|(?:sec|min|hour|day|week|month|year|char|digit|word|time|letter"
    r"|percent|minor"
    r"|people|person|quid|dollar|euro|pound|mile|km|kg|gb|mb|line|th\b|st\b|nd\b|rd\b))",
    re.IGNORECASE,
)
_SENTENCE_END: Final = LatePattern(r"[。！？；\n]|(?<!\sno)[.!?;](?=\s|$)")
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
        r"[\s\"'“”‘’「」『』《》`(（*#锁码是号号號]|(?<![a-z])(?:no|numbers?)(?![a-z])\.?|\d\s?-?digits?|[三四六346]位[数數]?字?|[数數]字",
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


LINK_LAST: Final = LatePattern(rf"(?:{_LINK.pattern})\s{{0,2}}$|^\s{{0,2}}$", re.IGNORECASE)


_SHORT: Final = 160
"""In a longer message only what stands this near to its cue is looked at."""

_NUMBER: Final = LatePattern(
    r"(?<![\w.,/:#-])\d(?:[ \-.]{0,2}\d){2,18}(?![\w/:%-])(?![.,]\d)", re.ASCII
)
_GROUPED: Final = LatePattern(
    r"(?<![A-Za-z0-9])(?:[A-Za-z0-9]{4}(?:[ -][A-Za-z0-9]{4}){2,9}"
    r"|[A-Za-z0-9]{5}(?:[ -][A-Za-z0-9]{5}){1,9}"
    r"|[A-Za-z0-9]{3,8}(?:-[A-Za-z0-9]{3,8}){1,5})(?![A-Za-z0-9])"
)
_COUNTED: Final = LatePattern(
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
_OWNS: Final = LatePattern(r"\s?[的之][^\s是]|['’]s\s[a-z]{3}")
"""What has a password is none: 12306的密码."""

_CALENDAR: Final = LatePattern(
    r"(?:19|20)\d\d(?:[ .-]?(?:0?[1-9]|1[0-2])(?:[ .-]?(?:0?[1-9]|[12]\d|3[01]))?)?", re.ASCII
)
# Where a parcel lies, and from when to when: 8-3-2047, 0900-1730.
_SHELF: Final = LatePattern(r"\d{1,2}-\d{1,2}-\d{3,5}", re.ASCII)
_HOURS: Final = LatePattern(r"(?:[01]\d|2[0-3])[0-5]\d\s?-\s?(?:[01]\d|2[0-3])[0-5]\d", re.ASCII)
_CALL: Final = LatePattern(
    r"1[3-9]\d[ -]?\d{4}[ -]?\d{4}|\d{3}[ -]\d{3,4}[ -]\d{4}|0\d{2,4}[ -]\d{6,8}"
)
_LABELLED: Final = LatePattern(
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
_NOT_TOLD: Final = LatePattern(
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


FEW_DIGITS: Final = 3
"""As many as a suitcase has, or the back of a card."""

_CARD_PART: Final = 8
_WHOLE_CARD: Final = 12
_IDENTITY_DIGITS: Final = 5
_LICENCE_CHARACTERS: Final = 10


DIAL: Final = LatePattern(r"(?:[左右]\s?\d{1,2}[\s,，、]{0,2}){2,6}")
"""How a safe is opened."""

_CODE_VALUE: Final = LatePattern(
    DIAL.pattern + r"|(?:[A-Za-z]-)?\d(?:[ \-]{0,3}\d){2,24}(?![\d.]*\d)[A-Za-z]?"
    r"|(?=[A-Za-z-]{0,8}\d)[A-Za-z0-9]{2,24}(?:-[A-Za-z0-9]{2,12}){0,4}"
)
_MANY_CODES: Final = LatePattern(r"[备備]用|恢[复復]|backup|recovery|codes$", re.IGNORECASE)
_SHORT_CODE: Final = LatePattern(
    r"cv[vc]|cid|行李|[箱车車][锁鎖]|suitcase|luggage|bike|安全|背面|[后後末][三3]位|three|3\s|back|security\sdigits",
    re.IGNORECASE,
)


def codes_told(text: str, cue: SecretCue, following: int) -> Iterator[Place]:
    """Yield the codes a cue announces before the cue at ``following``."""
    many = bool(_MANY_CODES.search(text, max(0, cue.start - 10), cue.end))
    end = len(text) if many else min(stretch_after(text, cue), max(following, cue.end))
    short = bool(_SHORT_CODE.search(text, max(0, cue.start - 8), cue.end))
    found = False
    for value in _CODE_VALUE.finditer(text, cue.end, token_end(text, end)):
        if _is_code(value[0], short=short) and not is_place(text, *value.span()):
            apart = text[: value.start()].rstrip()[-1:] in {",", "，"}
            if not (found or apart or is_linked(text, cue, value.start())):
                break
            found = True
            yield value.span()
            if not many:
                break
    if not found:
        yield from _code_before(text, cue)
    if short or "puk" in text[cue.start : cue.end].lower():
        yield from expiries_in(text)


_FEW_IN_TOKEN: Final = 2
_NAME_AND_NUMBER: Final = LatePattern(r"[A-Z]+-?\d+")


def _is_code(value: str, *, short: bool) -> bool:
    digits = sum(sign.isdigit() for sign in value)
    mixed = digits >= FEW_DIGITS and len(value) > SHORTEST + 1
    # Of letters and digits by turns: a word and a number behind it is a name, or an offer.
    woven = value.isupper() and not _NAME_AND_NUMBER.fullmatch(value)
    token = woven and digits >= _FEW_IN_TOKEN and len(value) > SHORTEST
    return mixed or token or digits >= (FEW_DIGITS if short else SHORTEST)


_BEFORE_CODE: Final = LatePattern(
    r"(?<![\w.])(?:[A-Za-z]-)?(\d{4,8})(?:\s(?:is|as)\s(?:your|my|the)?|\s?[,，]?\s?(?:这"
    r"|這)?就?是(?:你|我)?的?)"
    r"[^\n。，,.!?？]{0,32}$",
    re.IGNORECASE,
)


def _code_before(text: str, cue: SecretCue) -> Iterator[Place]:
    since = max(0, cue.start - 48)
    found = _BEFORE_CODE.search(text[since : cue.start])
    yours = text[cue.start : cue.end].lower().startswith("your")
    if yours and not found:
        found = re.search(
            r"(?<![\w.])(?:[A-Za-z]-)?(\d{4,8})\s(?:is|as)\s$", text[since : cue.start]
        )
    if found:
        yield since + found.start(1), since + found.end(1)


_EXPIRY: Final = LatePattern(
    r"(?:有效期|到期|exp\w{0,8}|runs\sout|valid\w{0,5})[\s:：是至到]{0,4}(?:on\s|thru\s|until\s)?"
    r"(\d{1,2}\s?[/-]\s?\d{2,4})",
    re.IGNORECASE,
)


def expiries_in(text: str) -> Iterator[Place]:
    """Yield where a text says until when a card is valid."""
    yield from (found.span(1) for found in _EXPIRY.finditer(text))


_LONG_NUMBER: Final = LatePattern(r"\d(?:[\s.\-_–—·]{0,3}\d){5,24}")


def cards_told(text: str, cue: SecretCue, following: int) -> Iterator[Place]:
    """Yield the number of a card, and until when it is valid."""
    del following
    for found in _LONG_NUMBER.finditer(text, cue.end, min(len(text), cue.end + NEAR + 40)):
        digits = sum(sign.isdigit() for sign in found[0])
        beside = is_linked(text, cue, found.start()) and digits >= _CARD_PART
        near = found.start() <= stretch_after(text, cue)
        if near and (beside or digits >= _WHOLE_CARD):
            yield found.span()
        break
    yield from expiries_in(text)


_GROUPS: Final = LatePattern(
    r"(?<![A-Za-z0-9])(?=[A-Za-z \-]{0,6}\d)(?:[A-Z0-9]{1,24}|[a-z]{0,2}\d{5,24}[a-z]?)"
    r"(?:[ -][A-Z0-9]{1,12}){0,8}(?![A-Za-z0-9])"
)

_DATE: Final = LatePattern(r"(?:19|20)\d\d[-.]?(?:0\d|1[0-2])[-.]?[0-3]\d")


def identities_told(text: str, cue: SecretCue, following: int) -> Iterator[Place]:
    """Yield the number of an account, a passport or a person that a cue announces."""
    del following
    end = stretch_after(text, cue)
    for found in _GROUPS.finditer(text, cue.end, token_end(text, end)):
        digits = sum(sign.isdigit() for sign in found[0])
        if _DATE.fullmatch(found[0]):
            continue
        mixed = digits >= FEW_DIGITS and len(found[0]) >= _LICENCE_CHARACTERS
        # A sum of money stands somewhere behind; a short number right behind its name.
        beside = mixed or digits >= _CARD_PART or is_linked(text, cue, found.start())
        enough = mixed or digits >= _IDENTITY_DIGITS
        if beside and enough and not is_measured(text, *found.span()):
            yield found.span()
            return


GOES_ON: Final = LatePattern(
    r"中间|中間|接下来|接下來|(?<![a-z])(?:middle|next)(?![a-z])|后面|後面|[后後]半"
    r"|[后後末]\d{1,2}位|剩下|接着|接著|[后後末][一二三四五六八两]位|最[后後]"
    r"|另一半|后半|第二|没发完|(?<![a-z])(?:part\stwo|second|the\srest|and\sthen"
    r"|then|rest|last|ends?|remaining|followed|continued|and\sdone)(?![a-z])",
    re.IGNORECASE,
)

COUNTS: Final = LatePattern(
    r"\s?(?:[步岁歲块塊元个個次位天分秒年月日人号號字遍条條点點楼樓]|%|(?:am|pm|th|st|nd|rd"
    r"|hours?|mins?|years?"
    r"|days?|words?|times|digits|characters)(?![a-z]))",
    re.IGNORECASE,
)


_FIRST_PART: Final = 5

_PART: Final = LatePattern(r"(?<![\d.])\d(?:[ \-.·]{0,3}\d){1,18}")
_NUMBER_WORDS: Final = LatePattern(
    r"卡|身份|[证證]件|[账帳賬][号號]|(?<![a-z])(?:cards?|visa|amex|mastercard|ssn|social|iban"
    r"|account|acct)(?![a-z])",
    re.IGNORECASE,
)


_FRONT: Final = LatePattern(
    r"前.{0,3}(?:位|半|段|部分)|(?<![a-z])(?:first|front|start\w*|begins?)(?![a-z])", re.IGNORECASE
)
_REAR: Final = LatePattern(
    r"[后後末].{0,3}(?:位|半|段|部分)|剩|(?<![a-z])(?:last|rest|back|second|then|ends?"
    r"|remaining)(?![a-z])",
    re.IGNORECASE,
)
_WHOLE_NUMBER: Final = 12


def two_halves(first: str, second: str) -> tuple[Place, Place] | None:
    """Return the two parts of one number, as check digits or what is said of it tell."""
    heads, tails = list(_PART.finditer(first)), list(_PART.finditer(second))
    if not heads or not tails:
        return None
    parts = _FRONT.search(first) and _REAR.search(second)
    for head in heads[-1:]:
        for tail in tails[:2]:
            joined = re.sub(r"\D", "", head[0] + tail[0])
            whole = is_card_number(joined) or is_identity_number(joined)
            told = (
                bool(_NUMBER_WORDS.search(first))
                and digits_in(head[0]) >= _FIRST_PART
                and not first[head.end() :].strip(" -。.…")
            )
            told = told and (bool(GOES_ON.search(second)) or not second[: tail.start()].strip())
            long = bool(parts) and len(joined) >= _WHOLE_NUMBER
            if whole or long or (told and not COUNTS.match(second, tail.end())):
                after = first[head.end() :]
                end = head.end() + len(after) - len(after.lstrip(" -"))
                return (head.start(), end), tail.span()
    return None


def digits_in(text: str) -> int:
    """Return how many digits a text has."""
    return sum(sign.isdigit() for sign in text)
