"""Secrets that only a talk tells: an answer to a question, a value behind its name, two halves.

你的密码是多少？ makes a bare "hunter2" a secret, 我的支付宝密码 whatever comes next, "↑ 邮箱密码"
what came before, and two numbers may be one card. Looked at are the last line of the same person
and the last line of hers.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from memory.model import Message
from memory.privacy.cues import Sort, cues_in
from memory.privacy.forms import found_in
from memory.privacy.numbers import COUNTS, GOES_ON, digits_in, expiries_in, two_halves
from memory.privacy.plain_form import (
    PlainForm,
    keys_told_in,
    looks_secret,
    looks_told,
    plain_form,
    plain_word,
    plain_words,
    tokens_in,
)
from memory.privacy.shapes import Place, asks_for_seed, seeds_in
from memory.privacy.values import CHATTING, is_alone, only_changes, sort_left_open
from memory.text.late_pattern import LatePattern
from memory.text.passed_on import without_sent

MASK: Final = "***"

_FEW: Final = 2
_MARKS: Final = 4
_FEW_LINES: Final = 4
"""How many lines back the line before may stand: replies stand between."""


def places_in(text: str) -> tuple[Place, ...]:
    """Return where secrets stand in a text by itself, in order and apart from one another."""
    return _in_original(*_look(text))


def _look(text: str) -> tuple[PlainForm, tuple[Place, ...]]:
    # A turn looks at the same few lines many times: for prompts, for the window, for what it asks.
    return _look_again(text) if len(text) <= _LONGEST_KEPT else _look_once(text)


_LONGEST_KEPT: Final = 2_000


def _look_once(text: str) -> tuple[PlainForm, tuple[Place, ...]]:
    form = plain_form(text)
    found = found_in(form.text)
    return form, (*found, *_said_again(form.text, found))


_look_again = lru_cache(maxsize=64)(_look_once)


_SHORTEST_AGAIN: Final = 4


def _said_again(plain: str, found: Sequence[Place]) -> Iterator[Place]:
    """Yield where the values that were found stand once more in the same text."""
    for value in {plain[slice(*place)].strip() for place in found}:
        if len(value) >= _SHORTEST_AGAIN:
            again = rf"(?<![A-Za-z0-9]){re.escape(value)}(?![A-Za-z0-9])"
            yield from (each.span() for each in re.finditer(again, plain))


def _in_original(form: PlainForm, found: Sequence[Place]) -> tuple[Place, ...]:
    """Return places in the original text, joined where they touch; what is masked is no secret."""
    merged: list[Place] = []
    for place in sorted(found):
        start, end = form.place(*place)
        if MASK in form.text[slice(*place)] or not form.text[slice(*place)].strip():
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return tuple(merged)


def places_in_talk(messages: Sequence[Message]) -> list[tuple[Place, ...]]:
    """Return, for each message of a talk, where secrets stand in its text."""
    short = sum(len(each.text) for each in messages) <= _LONGEST_KEPT
    return [*_places_again(tuple(messages))] if short else _places_once(messages)


def _places_once(messages: Sequence[Message]) -> list[tuple[Place, ...]]:
    looks = [_look(message.text) for message in messages]
    forms = [form for form, _ in looks]
    found = [list(places) for _, places in looks]
    for number, message in enumerate(messages):
        if message.role != "user" or len(message.text) > _LONGEST_ANSWER:
            continue
        if not without_sent(message.text):
            continue  # a file that came answers no question for a password
        own, text = found[number], forms[number].text
        asked = _last_line(messages, number, by="assistant")
        if asked is not None:
            own += _answers_to(forms[asked].text, text)
        for before in _lines_going_on(messages, number, found):
            first, second = _both_parts(forms[before].text, text, found[before], own)
            found[before] += first
            own += second
            if first or second:
                break
    return [_in_original(form, places) for form, places in zip(forms, found, strict=True)]


_places_again = lru_cache(maxsize=4)(_places_once)  # each step of a turn asks it of the same
_LONGEST_ANSWER: Final = 400  # a longer message is no value that was asked for or announced


def _last_line(
    messages: Sequence[Message], number: int, *, by: str, speaker: str = ""
) -> int | None:
    """Return the last line before a message: of the same person, or of hers since that."""
    for place in range(number - 1, max(-1, number - 1 - _FEW_LINES), -1):
        line = messages[place]
        if line.role == by:
            same = by == "assistant" or line.speaker == (speaker or messages[number].speaker)
            return place if same else None
    return None


_MOST_PARTS: Final = 3
_LONGEST_FILLER: Final = 8


def _lines_going_on(
    messages: Sequence[Message], number: int, found: Sequence[Sequence[Place]]
) -> Iterator[int]:
    """Yield the lines of the same person which a message may go on, the newest first.

    A line farther back only if nothing stands between but other parts and fillers: 等下哈.
    """
    last, speaker = number, messages[number].speaker
    for _ in range(_MOST_PARTS):
        place = _last_line(messages, last, by="user", speaker=speaker)
        if place is None or len(messages[place].text) > _LONGEST_ANSWER:
            return
        yield place
        last, text = place, messages[place].text
        if not (found[place] or MASK in text or len(text) <= _LONGEST_FILLER):
            return


_ASKS: Final = LatePattern(
    r"[?？]|[吗嗎呢么麼](?=[\s，,。]|$)|多少|什[么麼]|啥|哪|告[诉訴]我|[发發给給报報念抄读讀说說打]我"
    r"|[发發给給报報念抄读讀]|(?<![a-z])(?:tell|read|paste|give"
    r"|send|type|what|which)(?![a-z])",
    re.IGNORECASE,
)
# How long it is, whether it was changed, who keeps it: asked is something about it.
_ASKS_ABOUT: Final = LatePattern(
    r"几位数?的?[？?]|多[长長]|要不要|需不需|想起来|记得|[换換改]了[吗嗎]"
    r"|(?<![a-z])(?:how\s(?:long|many|often)"
    r"|did\syou|do\syou|have\syou|should|would\syou|is\syour|written)(?![a-z])",
    re.IGNORECASE,
)
_ASKS_FOR_ANOTHER: Final = LatePattern(r"manager|管理器|哪个软件|which\sapp", re.IGNORECASE)
_ASKED_OUT: Final = LatePattern(
    r"念给|念給|[发發]给?我|告[诉訴]|(?:read|tell|paste|give)\s(?:it|me)", re.IGNORECASE
)

# She asks for what opens a thing, and does not call it a code.
_OPENED: Final = LatePattern(
    r"[门門闸閘柜櫃箱锁鎖]|[警].{0,2}器|保[险險]|取款|付款|支付|(?<![a-z])(?:doors?|gate|safe"
    r"|alarm|panel|key\s?pad|locker|garage|lock|intercom|buzzer)(?![a-z])",
    re.IGNORECASE,
)
_HOW_OPENED: Final = LatePattern(
    r"怎[么麼样樣]?(?:才能)?[开開进進]|[按输輸].{0,4}(?:啥|什[么麼]|[几幾多哪]|那)"
    r"|[几幾那].?[位个個].{0,3}[数數]?|(?<![a-z])(?:numbers?|digits|sequence|what\s(?:do|should"
    r"|to|did)\s?(?:i|you|we)?\s?(?:press|type"
    r"|punch|dial|key|enter|buzz)|get\sin(?:to)?|let\smyself\sin|combination|open)(?![a-z])",
    re.IGNORECASE,
)

# 收到短信了吗 is answered with the code that came.
_SENT_CODE: Final = LatePattern(
    r"短信|简讯|簡訊|(?<![a-z])(?:sms|text)(?![a-z]).{0,20}(?:get|come|came|arrive|through|yet)"
    r"|(?:get|got|receive|had)\w{0,2}.{0,12}(?<![a-z])(?:sms|text)(?![a-z])",
    re.IGNORECASE,
)


def _answers_to(question: str, text: str) -> list[Place]:
    """Return what a message tells in answer to her question for a secret."""
    question = question[-160:]
    if not _ASKS.search(question):
        return []
    if asks_for_seed(question):
        return list(seeds_in(text, told=True))
    sort = _last_sort(question)
    if sort is None and _SENT_CODE.search(question):
        sort = Sort.CODE
    if sort in {None, Sort.LOGIN} and _OPENED.search(question) and _HOW_OPENED.search(question):
        sort = Sort.CODE
    if sort is None:
        return []
    if _ASKS_FOR_ANOTHER.search(question):
        return []
    about = bool(_ASKS_ABOUT.search(question)) and not _ASKED_OUT.search(question)
    values = _values(sort, text, plainly=not about)
    if not values and not about and sort is Sort.PASSWORD:
        values = plain_words(text)
    spoken = re.search(r"暗[号號]|口令|pass\s?phrase", question) and not about
    return values or (_spoken(text) if spoken else [])


@lru_cache(maxsize=64)
def _last_sort(text: str) -> Sort | None:
    cues = cues_in(text)
    return cues[-1].sort if cues else None


_MOST_CHINESE: Final = 10
_MOST_WORDS: Final = 6
_CHINESE: Final = LatePattern(r"[㐀-鿿]")


def _is_bare(text: str, values: Sequence[Place]) -> bool:
    """Tell whether a message says little beside its values."""
    rest = "".join(
        " " if any(a <= n < b for a, b in values) else sign for n, sign in enumerate(text)
    )
    first = bool(values) and values[0][0] <= 1
    most_words = _MOST_WORDS + 2 * first
    return (
        len(_CHINESE.findall(rest)) <= _MOST_CHINESE
        and len(re.findall(r"[A-Za-z']+", rest)) <= most_words
    )


_DIGITS: Final = re.compile(r"(?<![\w.])\d(?:[ .\-·]{0,2}\d){2,30}(?:\s?#)?(?![\d.,]*\d)|\d{4,30}")
_GROUPS: Final = LatePattern(
    r"(?<![A-Za-z0-9])[A-Za-z]{0,3}[ -]?\d[\dA-Za-z]*(?:[ .-]{1,3}[\dA-Z]+){0,10}"
)


def _values(sort: Sort, text: str, *, plainly: bool) -> list[Place]:
    """Return the values a bare answer tells; ``plainly`` if a plain word is one as well."""
    found = _values_by_sort(sort, text)
    found = [(a, b) for a, b in found if not COUNTS.match(text, b)]
    found = [(a, b) for a, b in found if not _is_year(text, a, b)]
    if found and _is_bare(text, found):
        return found
    if plainly and sort in {Sort.PASSWORD, Sort.LOGIN}:
        return plain_word(text)
    return []


_YEAR: Final = LatePattern(r"(?:1[5-9]|20)\d\d")


def _is_year(text: str, start: int, end: int) -> bool:
    """Tell whether four digits behind a whole sentence are a year of it."""
    return bool(_YEAR.fullmatch(text, start, end)) and len(text[:start].split()) > _FEW


def _values_by_sort(sort: Sort, text: str) -> list[Place]:
    match sort:
        case Sort.KEY:
            return [*keys_told_in(text)] or [
                at for at in tokens_in(text) if looks_secret(text[slice(*at)])
            ]
        case Sort.CODE:
            return [found.span() for found in _DIGITS.finditer(text)] or [
                at for at in tokens_in(text) if looks_secret(text[slice(*at)])
            ]
        case Sort.CARD | Sort.IDENTITY:
            long = [each.span() for each in _GROUPS.finditer(text) if digits_in(each[0]) > _FEW]
            return [*long, *expiries_in(text)]
        case Sort.PASSWORD | Sort.LOGIN:
            told = [
                _with_characters(text, at)
                for at in tokens_in(text)
                if looks_told(text[slice(*at)])
            ] + list(_mixed(text))
            return told or [found.span() for found in _DIGITS.finditer(text)]


_MIXED: Final = LatePattern(
    r"[㐀-鿿]{1,8}[A-Za-z0-9_!@#$-]{2,40}|(?<![!-~])[a-z0-9]{2,40}[㐀-鿿]{1,8}"
)


def _mixed(text: str) -> Iterator[Place]:
    """Yield where characters and letters make one word, as no sentence does: 梅花三弄jiu."""
    for found in _MIXED.finditer(text):
        if len(text.strip()) - len(found[0]) <= _MARKS and not CHATTING.search(found[0]):
            yield found.span()


def _with_characters(text: str, place: Place) -> Place:
    """Return the place of a token with the few characters that stand close before it."""
    start = place[0]
    before = re.search(r"[㐀-鿿]{1,6}$", text[max(0, start - 6) : start])
    if before and not CHATTING.search(before[0]) and start - len(before[0]) == 0:
        start -= len(before[0])
    return start, place[1]


def _spoken(text: str) -> list[Place]:
    """Return the saying that is a watchword; whoever answers otherwise says I, you or not."""
    words = re.match(r"[\s“「]*([㐀-鿿]{3,20})(?=[\s。！!~”」]|$)", text)
    if words is None or CHATTING.search(words[1]):
        return []
    return [words.span(1)]


_POINTS_BACK: Final = LatePattern(
    r"^\s*[\^↑⬆👆]|[↑⬆👆]|上面|[刚剛][才刚剛]|上一[条條句]|那[串个條条]|前面|^[这這](?:[个個串是])"
    r"|(?<![a-z])(?:that['’]?s|that\s(?:is|was)|those\s(?:are|were)|above|previous)(?![a-z])",
    re.IGNORECASE,
)
# Whoever forgot it, cannot receive it or complains about it announces nothing.
_ANNOUNCES_NOTHING: Final = LatePattern(
    r"忘|重置|找回|输错|错误|錯|收不到|没收到|过期|[？?]\s*$|吗|嗎|难|麻烦|太"
    r"|(?<![a-z])(?:forg[eo]t|reset|expired|wrong"
    r"|incorrect|never|manager|sick\sof|hate)(?![a-z])",
    re.IGNORECASE,
)


def _both_parts(
    first: str, second: str, told_first: Sequence[Place], told_second: Sequence[Place]
) -> tuple[list[Place], list[Place]]:
    """Return what a line and the next one of the same person tell together, in each of them."""
    halves = two_halves(first, second)
    if halves:
        return [halves[0]], [halves[1]]
    names_something = _last_sort(second) or asks_for_seed(second)
    if not told_second and _POINTS_BACK.search(second) and names_something:
        return _named_afterwards(first, second), []
    if asks_for_seed(first):
        return [], list(seeds_in(second, told=True))
    sort_first = sort_left_open(first)
    if sort_first is None or _ANNOUNCES_NOTHING.search(first):
        return [], []
    if told_first or MASK in first:
        goes_on = bool(GOES_ON.search(second)) or not re.search(r"[A-Za-z㐀-鿿]", second)
        return [], (
            _values(sort_first, second, plainly=False) or _told_part(second)
        ) if goes_on else []
    ends = re.search(r"(?:是|is|[:：=]|下面这个|如下)?[\s:：。.…～~啦了吧]*$", first)
    announced = bool(ends) and bool(_NAME_LAST.search(first))
    values = _values(sort_first, second, plainly=announced)
    if sort_first is Sort.LOGIN:
        # A door, a network, a change: words of every day. 大门修了 is followed by 花了4500 too.
        values = [at for at in values if is_alone(second, at)]
    return [], values


_TOLD_PART: Final = LatePattern(
    r"(?:[:：=]|是|(?<![a-z])is)\s{0,2}([!-~]{2,40})\s*$", re.IGNORECASE
)


def _told_part(text: str) -> list[Place]:
    """Return the word a line ends in that tells the other part: the second bit is moss."""
    found = _TOLD_PART.search(text)
    return [found.span(1)] if found else []


_NAME_LAST: Final = LatePattern(
    r"(?:密[码碼]|口令|暗号|password|passwd|pwd|pw|pass|passcode|passphrase"
    r"|パスワード)\s?(?:是|is|[:：=])?[\s:：…~]*$",
    re.IGNORECASE,
)


def _named_afterwards(first: str, second: str) -> list[Place]:
    """Return what a line told before the next one says what it is: "↑ 邮箱密码"."""
    if asks_for_seed(second):
        return list(seeds_in(first, told=True))
    sort = _last_sort(second) or Sort.PASSWORD
    found = _values(sort, first, plainly=True) or _values(Sort.PASSWORD, first, plainly=True)
    if sort is not Sort.LOGIN:
        return found
    surely = only_changes(second)
    return [at for at in found if is_alone(first, at, surely=surely)]
