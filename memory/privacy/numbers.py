"""What cues of numbers say to be their value: codes, cards, accounts, identities; parts too.

Everything here reads the plain form of a text and returns places in it.
"""

import re
from collections.abc import Iterator
from typing import Final

from memory.privacy.cues import SecretCue
from memory.privacy.nearby import NEAR, is_linked, is_measured, is_place, stretch_after, token_end
from memory.privacy.shapes import Place, is_card_number, is_identity_number
from memory.privacy.tokens import SHORTEST

FEW_DIGITS: Final = 3
"""As many as a suitcase has, or the back of a card."""

_CARD_PART: Final = 8
_WHOLE_CARD: Final = 12
_IDENTITY_DIGITS: Final = 5
_LICENCE_CHARACTERS: Final = 10


DIAL: Final = re.compile(r"(?:[左右]\s?\d{1,2}[\s,，、]{0,2}){2,6}")
"""How a safe is opened."""

_CODE_VALUE: Final = re.compile(
    DIAL.pattern + r"|(?:[A-Za-z]-)?\d(?:[ \-]{0,3}\d){2,24}(?![\d.]*\d)[A-Za-z]?"
    r"|(?=[A-Za-z-]{0,8}\d)[A-Za-z0-9]{2,24}(?:-[A-Za-z0-9]{2,12}){0,4}"
)
_MANY_CODES: Final = re.compile(r"[备備]用|恢[复復]|backup|recovery|codes$", re.IGNORECASE)
_SHORT_CODE: Final = re.compile(
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
_NAME_AND_NUMBER: Final = re.compile(r"[A-Z]+-?\d+")


def _is_code(value: str, *, short: bool) -> bool:
    digits = sum(sign.isdigit() for sign in value)
    mixed = digits >= FEW_DIGITS and len(value) > SHORTEST + 1
    # Of letters and digits by turns: a word and a number behind it is a name, or an offer.
    woven = value.isupper() and not _NAME_AND_NUMBER.fullmatch(value)
    token = woven and digits >= _FEW_IN_TOKEN and len(value) > SHORTEST
    return mixed or token or digits >= (FEW_DIGITS if short else SHORTEST)


_BEFORE_CODE: Final = re.compile(
    r"(?<![\w.])(?:[A-Za-z]-)?(\d{4,8})(?:\s(?:is|as)\s(?:your|my|the)?|\s?[,，]?\s?(?:这"
    r"|這)?就?是(?:你|我)?的?)"
    r"[^\n。，,.!?？]{0,20}$",
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


_EXPIRY: Final = re.compile(
    r"(?:有效期|到期|exp\w{0,8}|runs\sout|valid\w{0,5})[\s:：是至到]{0,4}(?:on\s|thru\s|until\s)?"
    r"(\d{1,2}\s?[/-]\s?\d{2,4})",
    re.IGNORECASE,
)


def expiries_in(text: str) -> Iterator[Place]:
    """Yield where a text says until when a card is valid."""
    yield from (found.span(1) for found in _EXPIRY.finditer(text))


_LONG_NUMBER: Final = re.compile(r"\d(?:[\s.\-_–—·]{0,3}\d){5,24}")


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


_GROUPS: Final = re.compile(
    r"(?<![A-Za-z0-9])(?=[A-Za-z \-]{0,6}\d)(?:[A-Z0-9]{1,24}|[a-z]{0,2}\d{5,24}[a-z]?)"
    r"(?:[ -][A-Z0-9]{1,12}){0,8}(?![A-Za-z0-9])"
)

_DATE: Final = re.compile(r"(?:19|20)\d\d[-.]?(?:0\d|1[0-2])[-.]?[0-3]\d")


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


GOES_ON: Final = re.compile(
    r"中间|中間|接下来|接下來|(?<![a-z])(?:middle|next)(?![a-z])|后面|後面|[后後]半"
    r"|[后後末]\d{1,2}位|剩下|接着|接著|[后後末][一二三四五六八两]位|最[后後]"
    r"|另一半|后半|第二|没发完|(?<![a-z])(?:part\stwo|second|the\srest|and\sthen"
    r"|then|rest|last|ends?|remaining|followed|continued|and\sdone)(?![a-z])",
    re.IGNORECASE,
)

COUNTS: Final = re.compile(
    r"\s?(?:[步岁歲块塊元个個次位天分秒年月日人号號字遍条條点點楼樓]|%|(?:am|pm|th|st|nd|rd"
    r"|hours?|mins?|years?"
    r"|days?|words?|times|digits|characters)(?![a-z]))",
    re.IGNORECASE,
)


_FIRST_PART: Final = 5

_PART: Final = re.compile(r"(?<![\d.])\d(?:[ \-.·]{0,3}\d){1,18}")
_NUMBER_WORDS: Final = re.compile(
    r"卡|身份|[证證]件|[账帳賬][号號]|(?<![a-z])(?:cards?|visa|amex|mastercard|ssn|social|iban"
    r"|account|acct)(?![a-z])",
    re.IGNORECASE,
)


_FRONT: Final = re.compile(
    r"前.{0,3}(?:位|半|段|部分)|(?<![a-z])(?:first|front|start\w*|begins?)(?![a-z])", re.IGNORECASE
)
_REAR: Final = re.compile(
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
