"""Secrets that only their surroundings tell: what a cue word says to be its value.

我的密码是…, pw: …, "… is my email password", CVV 318. Each sort of cue has its own sort of value,
and a value stands beside its cue or behind a linking word. Talk about passwords (忘了密码) names
none. Everything here reads the plain form of a text and returns places in it.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Final

from memory.privacy.cues import SecretCue, Sort, cues_in
from memory.privacy.numbers import (
    COUNTS,
    DIAL,
    FEW_DIGITS,
    LINK_LAST,
    NEAR,
    cards_told,
    codes_told,
    identities_told,
    is_linked,
    is_measured,
    is_named,
    is_place,
    nearby_in,
    stretch_after,
    token_end,
)
from memory.privacy.plain_form import (
    SHORTEST,
    keys_told_in,
    looks_secret,
    looks_strong,
    looks_told,
    tokens_in,
)
from memory.privacy.shapes import Place
from memory.text.late_pattern import LatePattern

_QUOTED: Final = LatePattern(
    r"(?:[“「『《‘`]|(?<![A-Za-z0-9])[\"'])([^\n”」』》\"'’`]{2,60})[”」』》\"'’`]"
)

_MOST_PIN_DIGITS: Final = 8

_FALLBACK: Final = 200
"""Only a short message has its value anywhere."""


_TOLD_APART: Final = frozenset({Sort.PASSWORD, Sort.CODE})


def told_in(text: str) -> Iterator[Place]:
    """Yield where the values stand that cues in a text announce."""
    cues = cues_in(text)
    # The value of a cue ends where the next cue of its sentence begins, so none is taken twice.
    ends = [*(cue.start for cue in cues if cue.sort in _TOLD_APART), len(text) + 1]
    untold = list[SecretCue]()
    for cue in cues:
        following = ends[bisect_right(ends, cue.start)]
        told = list(_RULES[cue.sort](text, cue, following))
        yield from told
        untold += [] if told else [cue]
    yield from nearby_in(text, untold)


def _passwords(text: str, cue: SecretCue, following: int) -> Iterator[Place]:
    end = min(stretch_after(text, cue), max(following, cue.end))
    found = (
        _told_answer(text, cue) or _quoted_value(text, cue, end) or _token_value(text, cue, end)
    )
    found = found or _phrase_value(text, cue) or _value_before(text, cue)
    near = max(0, cue.start - NEAR), cue.end + NEAR
    dial = DIAL.search(text, *near) if found is None else None
    found = dial.span() if dial else found
    if found is None and len(text) <= _FALLBACK:
        made_up = (at for at in tokens_in(text) if looks_secret(text[slice(*at)]))
        found = next((at for at in made_up if not cue.start <= at[0] < cue.end), None)
    if found:
        yield found
        yield from _second_of_pair(text, found)


# What was asked stands between: 密保问题：小学班主任叫啥，答案我填的 …
_ANSWERED: Final = LatePattern(
    r"(?:答案\s?(?:我?(?:填|写|寫|设|設|选|選)的?|是|为|為|[:：=→]|\s){1,4}"
    r"|我?(?:填|写|寫|设|設|选|選)的(?:是|[:：])?)\s?[“「『\"]?([^\s，。,；;！!？?”」』\"]{1,20})"
    r"|(?:security|secret|maiden)[^.!?\n]{0,60}?(?:\sis|\swas|[:=]"
    r"|['’]s)\s(?:just\s)?[\"“‘']?([\w'’-]{2,20}(?:\s[\w'’-]{2,20}){0,3})",
    re.IGNORECASE,
)


def _told_answer(text: str, cue: SecretCue) -> Place | None:
    if not re.match(r"密保|安全|sec|mother", text[cue.start : cue.end], re.IGNORECASE):
        return None
    found = _ANSWERED.search(text, cue.start)
    return found.span(found.lastindex or 0) if found else None


_PART_SAID: Final = LatePattern(
    r"\s?(?:的)?[,，]?\s?(?:前|后|後|第)(?:半|面"
    r"|[一二三四两几1-9]).{0,2}?[:：是\s]{1,2}\s?([!-~]{2,40})"
    r"|[,:]?\s?(?:the\s)?(?:first|second|last|1st|2nd)\s(?:half|part|bit"
    r"|chunk)(?:\sis)?[:=]?\s([!-~]{2,40})",
    re.IGNORECASE,
)


def _quoted_value(text: str, cue: SecretCue, end: int) -> Place | None:
    quoted = _QUOTED.search(text, cue.end, min(end + 60, len(text)))
    if quoted is None or quoted.start() > end or not is_linked(text, cue, quoted.start()):
        return None
    return quoted.span(1)


def _token_value(text: str, cue: SecretCue, end: int) -> Place | None:
    """Return the first token behind a cue that may be its value."""
    if (woven := _WOVEN.match(text, cue.end)) and re.search(r"[A-Za-z]", woven[1]):
        return woven.span(1)
    if part := _PART_SAID.match(text, cue.end):
        return part.span(part.lastindex or 0)
    for a, b in tokens_in(text, cue.end, token_end(text, end)):
        token, linked = text[a:b], is_linked(text, cue, a)
        if a == cue.end and token[0].isalnum() and text[a - 1].isascii():
            continue  # password123 is a word, not a cue with its value
        digits_only = token.isdigit()
        digits = digits_only and len(token) >= FEW_DIGITS
        beside = bool(LINK_LAST.search(text[cue.end : a]))
        fits = looks_told(token) or (digits and "锁" in text[cue.end : a])
        named = digits_only and not beside and is_named(text, a, b)
        if linked and fits and not named and not is_measured(text, a, b):
            return _with_characters(text, cue, (a, b))
        if looks_secret(token):
            return a, b
    return None


# Letters and digits of other scripts: no word ends between À and A.
_OTHER_LETTER: Final = LatePattern(r"[^\W\u3040-\u30ff\u3400-\u9fff]")
_CHARACTERS_AFTER: Final = LatePattern(r"[㐀-鿿]{1,4}(?=[\s，。,；;！!？?]|$)")
# After a space, characters amid letters and digits are part of the value: maomi是老大77.
_WOVEN: Final = LatePattern(r"\s([!-~]{2,40}[㐀-鿿]{1,6}[!-~]{1,40})(?=[\s，。；！？]|$)")
CHATTING: Final = LatePattern(
    r"[我你他她它不没沒了吗嗎呢吧啊呀的是在有就先等忘别別再要这這那什谁誰哪几幾很太好也都才你记"
    r"記帮幫收用]|告诉|哈哈"
)
"""What characters that belong to no word of a secret are: particles, pronouns, verbs of asking."""


def is_alone(text: str, place: Place, *, surely: bool = False) -> bool:
    """Tell whether a line tells a value, and nothing of what that costs, counts or is.

    ``surely``: only what looks made up is one.
    """
    value = text[slice(*place)]
    if value.isascii() and looks_secret(value):
        return True
    after = value.lstrip("0123456789")
    if surely or (after != value and (COUNTS.match(after) or after.startswith("一"))):
        return False
    return not _LINKS.sub("", text[: place[0]] + text[place[1] :])


_LINKS: Final = LatePattern(
    r"[是就现現在了哈的呢吧啊嗯哦喔这這个個它改换換设設成为為按输輸入记記住\W_]"
    r"|(?<![a-z])(?:its|it|s|is|now|the|new|one|to|press|enter|type|use|try|then|ok|so|and|by|way)(?![a-z])",
    re.IGNORECASE,
)


def sort_left_open(first: str) -> Sort | None:
    """Return the sort of secret a line leaves the next one to tell.

    摄影师换成苗苗了 says by itself what it was changed to, and leaves nothing open.
    """
    cues = (cue for cue in cues_in(first) if not _CHANGED_TO_WHAT.match(first, cue.start))
    return next((cue.sort for cue in reversed([*cues])), None)


def only_changes(text: str) -> bool:
    """Tell whether nothing but a verb of changing announces a secret: 老李那个改了."""
    return all(_CHANGE.match(text, cue.start) for cue in cues_in(text))


_CHANGE: Final = LatePattern(
    r"(?:[换換改设設]|重置)[成为為了]|(?:chang|switch|updat|(?:re)?set)", re.IGNORECASE
)

_CHANGED_TO_WHAT: Final = LatePattern(
    r"(?:[换換改设設]|重置)[成为為了]\s?"
    r"(?!(?:新的|新密?[码碼]|[这這那]个?|下面.{0,2}|以下|如下|另外?一?个|[别別]的)?[了的啦吧哈，,。.:：\s]*$)"
    r"[A-Za-z㐀-鿿]"
    r"|(?:chang|switch|updat|(?:re)?set)\w*\s(?:it\s)?(?:back\s)?to\s"
    r"(?!(?:(?:an?|the|my|brand|new|other|another|different|following|next|something|this|that|it|one|what"
    r"|else|password|pass|code|pin)\W*)+$)\w",
    re.IGNORECASE,
)
"""It names something; a new one, this, or nothing at all is still to come."""


def _with_characters(text: str, cue: SecretCue, token: Place) -> Place:
    """Return a token with the characters beside it that are part of it: Hunter77绿萝, 小狗1234."""
    start, end = token
    while start > cue.end and _OTHER_LETTER.match(text, start - 1):
        start -= 1
    while end < len(text) and _OTHER_LETTER.match(text, end):
        end += 1
    link = _DIRECT_LINK.match(text, cue.end)
    before = text[link.end() : start] if link else ""
    if re.fullmatch(r"[㐀-鿿]{1,6}", before) and not CHATTING.search(before):
        start -= len(before)
    after = _CHARACTERS_AFTER.match(text, end) if link else None
    if after and not CHATTING.search(after[0]):
        end = after.end()
    return start, end


# What may stand between a cue and its link: password for the shed tonight is …
_ASIDE: Final = (
    r"(?:now|tonight|today|currently|these\sdays|at\sthe\smoment|this\s(?:week|month|time)"
    r"|there|here|again|btw"
    r"|(?:for|to|of|on|at)\s(?:(?:the|my|our|his|her|their|this|that"
    r"|all)\s)?[\w'’-]{2,16}(?:\s[\w'’-]{2,16})?)"
)
_DIRECT_LINK: Final = LatePattern(
    r"(?:号|锁|碼|🔑|\s){0,3}(?:好像|应该|應該|现在|現在|今天|就|还|還|改|换|也|都|\s){0,4}"
    rf"(?:{_ASIDE}\s?){{0,2}}"
    r"(?:是|为|為|係|乃|叫|[:：=→]|成|(?<![a-z])(?:is|was|iz|are|has\sbeen|will\sbe|remains"
    r"|equals)(?![a-z])|['’]s(?![a-z]))"
    r"(?:\s(?:now|just|simply|still|actually|currently)(?=\s))?[\s:：]{0,3}",
    re.IGNORECASE,
)
# What is said about a password and is none: questions, refusals, what it must be, where it is.
_ABOUT: Final = LatePattern(
    r"[*＊]|什[么麼]|啥|多少|哪|[几幾]|怎|[谁誰]|吗|嗎|呢|[对對错錯]的?|不|没|沒|很|太"
    r"|好[^a-z0-9]|非常|真|忘|必|由|要"
    r"|可以|用|在|一样|一樣|自动|自動|[随隨]机|身份|手机号|生日|同一|通用|默认|空|有|只|最|挺"
    r"|[比被需应](?![a-z0-9])"
    r"|(?:on|in|under|at|with|for|from|behind|inside|by|of|not|n't|never|always|still|too|so"
    r"|very|really"
    r"|wrong|right|weak|strong|expired|required|invalid|incorrect|missing|stored|written|saved"
    r"|set|changed"
    r"|locked|safe|hard|easy|long|short|the|a|an|my|his|her|your|our|their|what|why|how|where"
    r"|who|being"
    r"|going|ok|okay|fine|like|just|to|that|this|it|you|i|we|they|gone|lost|good|bad|secure|needed"
    r"|and|or|but|if|no|only|about|as|be|almost|also|some|something|anything|case|pass)(?!\w)",
    re.IGNORECASE,
)
_PHRASE: Final = LatePattern(
    r"[^，。,；;！!？?\n]{0,61}?(?=\s{1,3}(?:and|but)\b)|[^，。,；;！!？?\n]{0,61}", re.IGNORECASE
)
_OPENING: Final = frozenset("'\"“「『‘")
"""Whoever puts the cue itself in quotation marks speaks of it."""

_SET_TO: Final = LatePattern(r"\s(?:back\s)?to\s", re.IGNORECASE)
_LONGEST_PHRASE: Final = 60


def _phrase_value(text: str, cue: SecretCue) -> Place | None:
    """Return the words behind a cue that are said to be its value: password is hunter."""
    link = _DIRECT_LINK.match(text, cue.end)
    link = link or _SET_TO.match(text, cue.end)
    phrase = _PHRASE.match(text, link.end()) if link else None
    if phrase is None or not phrase[0].strip() or len(phrase[0]) > _LONGEST_PHRASE:
        return None
    mentioned = text[max(0, cue.start - 1) : cue.start] in _OPENING
    if (
        mentioned
        or _ABOUT.match(phrase[0].lstrip())
        or text[phrase.end() : phrase.end() + 1] in {"？", "?"}
    ):
        return None
    value = phrase[0].rstrip()
    if len(value) == 1 and value.isalpha():
        return None
    return phrase.start(), phrase.start() + len(value)


_LINK_BEFORE: Final = LatePattern(
    r"^[\"'”’」』`\s🔑*]{0,8}(?:[,，]?\s?(?:这|這)?(?:就?是|为)|is|was|as|for|<-|<=|←|=|[,，])",
    re.IGNORECASE,
)


def _value_before(text: str, cue: SecretCue) -> Place | None:
    """Return the value that stands before its cue: hx77 是我的支付宝密码."""
    since = max(0, cue.start - NEAR - 40)
    for a, b in reversed(list(tokens_in(text, since, cue.start))):
        token = text[a:b]
        whole = a > since or since == 0
        if whole and (looks_secret(token) or (token.isdigit() and len(token) >= SHORTEST)):
            between = text[b : cue.start]
            if _LINK_BEFORE.match(between) and not is_measured(text, a, b):
                return a, b
    return None


_PAIR: Final = LatePattern(r"\s?[/|]\s?([!-~]{3,80})")
_ANOTHER: Final = LatePattern(
    r"[\s,，、]{0,2}(?:(?:to|and|or|then|now)\s|→|->|=>|改成|改为|換成|换成|到|或者?|和"
    r"|跟)\s?([!-~]{4,80})",
    re.IGNORECASE,
)


def _second_of_pair(text: str, first: Place) -> Iterator[Place]:
    """Yield what follows a slash, or "to": name / password, the old one and the new."""
    found = _PAIR.match(text, first[1])
    if found:
        yield found.span(1)
    another = _ANOTHER.match(text, first[1])
    if another and looks_told(another[1].rstrip(".,;:!?)")):
        yield another.span(1)


_BESIDE: Final = 12
_PLACE: Final = LatePattern(
    r"..?[门門]|..[器]|door|gate|locker|garage|shed|buzzer|intercom|alarm", re.IGNORECASE
)
_SETS: Final = LatePattern(
    r"[换換改设設重].{0,3}|(?:re)?set.*|chang.*|switch.*|updat.*", re.IGNORECASE
)


_TYPED: Final = LatePattern(r"\d(?:[ -]\d){3,7}(?![\d:.]|\s\d)")
"""Digits told one by one: 6 6 1 9."""


def _logins(text: str, cue: SecretCue, following: int) -> Iterator[Place]:
    """Yield what opens something, told without the word for it: only what looks made up."""
    del following
    end = stretch_after(text, cue)
    if _SETS.fullmatch(text, cue.start, cue.end):
        # So much is set and changed that only a token of all kinds of signs is taken for one.
        strong = (
            at
            for at in tokens_in(text, cue.end, token_end(text, end))
            if looks_strong(text[slice(*at)])
        )
        yield from (at for at in strong if is_linked(text, cue, at[0]))
        return
    link = _DIRECT_LINK.match(text, cue.end)
    typed = _TYPED.match(text, link.end()) if link else None
    if typed and not is_named(text, *typed.span()):
        yield typed.span()
        return
    for a, b in tokens_in(text, cue.end, token_end(text, end)):
        token = text[a:b]
        # 258036 opens a phone only if the link stands right before it: nine to five opens a shop.
        beside = LINK_LAST.search(text[cue.end : a])
        if _PLACE.fullmatch(text, cue.start, cue.end) and not text[cue.end : a].strip():
            continue  # door 1402 is where somebody lives
        digits = re.sub(r"\D", "", token) if re.fullmatch(r"#?\d(?:-?\d)*[#*]?", token) else ""
        pin = SHORTEST <= len(digits) <= _MOST_PIN_DIGITS and beside
        told = a - cue.end <= _BESIDE or not is_named(text, a, b)
        opens = looks_secret(token) or (pin and told)
        if opens and is_linked(text, cue, a) and not is_place(text, a, b):
            yield a, b
            return
    before = text[max(0, cue.start - 16) : cue.start].lower()
    if re.search(r"(?:that['’]?s|is|was)\s(?:the|my|his|her|our)\s$", before):
        made_up = [at for at in tokens_in(text, 0, cue.start) if looks_secret(text[slice(*at)])]
        yield from made_up[-1:]


def _keys(text: str, cue: SecretCue, following: int) -> Iterator[Place]:
    del following
    # "0x… 私钥哈": the word may follow; so far around it and no farther.
    since, until = max(0, cue.start - 160), min(len(text), cue.end + 160)
    lowered = text[since:until].lower()
    if "sha256" in lowered or "commit" in lowered or "提交" in lowered:
        return
    for a, b in keys_told_in(text, since, until):
        if (a > since or since == 0) and not cue.start <= a < cue.end:
            yield a, b
    for a, b in tokens_in(text, cue.end, token_end(text, stretch_after(text, cue))):
        if looks_secret(text[a:b]) and is_linked(text, cue, a):
            yield a, b
            return


_RULES: Final[dict[Sort, Callable[[str, SecretCue, int], Iterator[Place]]]] = {
    Sort.PASSWORD: _passwords,
    Sort.LOGIN: _logins,
    Sort.CODE: codes_told,
    Sort.CARD: cards_told,
    Sort.IDENTITY: identities_told,
    Sort.KEY: _keys,
}
