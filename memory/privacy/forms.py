"""Secrets told by the form in which people write them down, whatever words stand around.

A card stands in four groups beside its date and the three digits of its back; a number that is
followed by the star or the hash key is typed on a panel; a dial is turned left and right by turns.
The check digit of a card may be wrong by a slip of the finger, and the card still be one.
Everything here reads the plain form of a text and returns places in it.
"""

import re
from collections.abc import Iterator
from typing import Final

from memory.privacy.cues import Sort, cues_in
from memory.privacy.plain_form import keys_alone_in, looks_secret, pairs_in, tokens_in
from memory.privacy.shapes import Place, is_ordinary, keys_in, numbers_in, seeds_in
from memory.privacy.values import told_in
from memory.text.late_pattern import LatePattern
from memory.text.passed_on import sent_in

_FOUR_GROUPS: Final = LatePattern(
    r"(?<![\d.-])\d{4}(?:[ .·-]{1,2}\d{4}){3}(?![\d.-]*\d)", re.ASCII
)
_SPEAKS_OF_A_CARD: Final = LatePattern(
    r"卡|有效期|到期|cv[vc]|(?<![a-z])(?:cards?|visa|amex|master\s?card|debit|credit|exp\w{0,5}"
    r"|good\sthru|valid)(?![a-z])|(?<!\d)(?:0[1-9]|1[0-2])\s?/\s?[23]\d(?!\d)",
    re.IGNORECASE,
)
_VALID_UNTIL: Final = LatePattern(
    r"(?<![\d/])(?:0?[1-9]|1[0-2])\s?/\s?(?:20)?[23]\d(?![\d/])", re.ASCII
)
_ON_THE_BACK: Final = LatePattern(
    r"(?<![\d./:-])\d{3,4}(?![\d./:%-]|\s?(?:[年月日元块塊点點]|am|pm))", re.ASCII
)
_BACK_WORDS: Final = LatePattern(
    r"cv[vc]|背面|[后後](?:头|面|边)|安全[码碼]|[三3]?[个個位][数數]|(?<![a-z])(?:back|security|little\s(?:numbers|ones)"
    r"|three\sdigits|digits)(?![a-z])",
    re.IGNORECASE,
)
_NEAR_A_CARD: Final = 60


def written_in(text: str) -> Iterator[Place]:
    """Yield where secrets stand that their form gives away."""
    yield from _cards(text)
    yield from _codes(text)
    yield from _passwords(text)
    # Most lines of a talk hold nothing of the kind: fifteen searches are spared.
    for label in _LABELLED if _MAY_BE_LABELLED.search(text) else ():
        yield from (found.span("v") for found in label.finditer(text) if _is_told(found))


_LABELLED: Final = tuple(
    LatePattern(each, re.IGNORECASE)
    for each in (
        # Typed on a panel with its key in the middle: 0#5827.
        r"(?<![\w#*])(?P<v>\d{1,4}[#*]\d{3,8}[#*]?)(?![\w#*])",
        # What is locked, and digits one by one: bike lock 8 2 5, suitcase 0-0-7.
        (
            r"(?:[锁鎖柜櫃](?!定)|[门門]禁|行李箱|保[险險]箱|(?<![a-z])(?:(?:pad)?lock|safe|suitcase|locker|key\s?pad|briefcase|cash\s?box)(?![a-z]))"
            r"[^\d。！？.!?\n]{0,24}(?:[3-8]\s?(?:numbers|digits|位数?)\s?)?(?P<v>\d{1,2}(?:[ -]\d{1,2}){2,5})(?![\d:/]|\s?[年月日点點号號])"
        ),
        # So many digits are announced, and follow.
        r"(?:[锁鎖柜櫃箱盒门門]|密码)[^\d\n。！？]{0,6}[三四六346][位个個][数數]?字?[^\d\n。]{0,4}(?P<v>\d{3,6})(?!\d)",
        r"(?<![a-z])seed(?:\sphrase|\swords?)?\s?[:：]\s?(?P<v>(?:[a-z]{3,8}\s){11,23}[a-z]{3,8})(?![a-z])",
        # What a machine for money or a gate is told: cash machine number is 7260.
        r"(?<![a-z])(?:cash\s?machine|atm|bank\s?machine|hole in the wall)(?:\s\w+){0,2}\s(?:is|was|number|no\.?|:)\s{0,2}(?P<v>\d{4,6})(?![\d:])",
        # Codes that are given out: 授权码, 提取码, guard code.
        r"(?:授[权權]|提取|激活|[备備]用|恢[复復]|[动動][态態]|二次[验驗][证證]|(?:遥控|遙控|[车車][库庫]|[门門][锁鎖])的?代)[码碼][^!-~\n。，]{0,6}[:：=]?\s?(?P<v>(?=[!-~]*\d|[!-~]{10})[A-Za-z0-9_-]{4,40})(?![!-~])",
        r"(?<![a-z])(?:guard|backup|recovery|authori[sz]ation|activation|unlock)\scodes?(?:\sis|\swas|:)?\s(?P<v>(?=[A-Z0-9-]*\d)[A-Z0-9-]{5,30})(?![!-~])",
        r"(?:密[码碼]|(?<![a-z])(?:app|password|code))[^\n。]{0,40}(?<![A-Za-z-])(?P<v>[a-z]{4}(?:-[a-z]{4}){3})(?![A-Za-z-])",
        # A sentence that lets one in, an answer that proves who one is.
        r"(?<![a-z])(?:log-?in|pass|secret|security)[\s-]?(?:phrase|sentence)\s?(?:is|was|:|=)\s(?P<v>[^\n.,;!?]{6,60})",
        r"密\s?保(?:[问問][题題])?的?答案\s?[是为為:：]{0,2}\s?(?P<v>[^\s，。！？]{2,20})",
        r"(?<![a-z])security\s(?:question\s)?answer\s?(?:is|was|:|=)\s(?P<v>[^\n.,;!?]{2,40})",
        # On the back of a card, the end of an identity.
        r"卡[^\d\n。]{0,4}(?:背面|反面|[后後]面|[后後]三位|安全[码碼])[^\d\n。]{0,8}(?P<v>\d{3})(?![\d元块塊])",
        r"身份[证證].{0,30}?[后後末尾][四4六6][位个個]?[^\d\n]{0,3}(?P<v>\d{3,5}[\dXx])(?!\d)",
        # Nineteen digits in groups, and a bank or what is sent there.
        r"(?:[中工农農建招交]行|[银銀]行|[储儲]蓄|卡|[转轉打]到)[^\d\n]{0,8}(?P<v>\d{4}(?:[ -]\d{4}){3}[ -]\d{1,3})(?!\d)",
        # The new value behind a story about a password.
        r"(?:密[码碼]|口令|(?<![a-z])(?:passwords?|passcode|pwd)(?![a-z]))(?!管理|[错錯]|\s?(?:manager|reset))[^\n。！？?]{0,30}\s(?P<v>(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9!@#$%^&*_-]{7,30})(?=\s*$)",
        r"(?:进不去|登不上|登[录錄陆]|root|后台|[后後]臺)[^\n]{0,30}\s(?P<v>(?=[!-~]*\d)(?=[!-~]*[!@#$%^&*])[A-Za-z0-9!@#$%^&*_-]{7,30})(?![!-~])",
    )
)
"""Labels, and what stands behind them, for what has no name of its own among the cues."""


_MAY_BE_LABELLED: Final = LatePattern(
    r"\d|-[a-z]{4}-|phrase|sentence|answer|答案|seed|授[权權]", re.IGNORECASE
)


def _is_told(found: re.Match[str]) -> bool:
    return not is_ordinary(found.string, found.start(found.lastgroup or 0))


def _cards(text: str) -> Iterator[Place]:
    """Yield a card's number in four groups, until when it is valid, and what is on its back."""
    for found in _FOUR_GROUPS.finditer(text):
        start, end = found.span()
        around = max(0, start - _NEAR_A_CARD), min(len(text), end + _NEAR_A_CARD)
        if is_ordinary(text, start) or not _SPEAKS_OF_A_CARD.search(text, *around):
            continue
        yield start, end
        dates = [each.span() for each in _VALID_UNTIL.finditer(text, end, around[1])]
        yield from dates[:1]
        told = dates[0][1] if dates else end
        beside = LatePattern(r"[\s,，、/;|和]{1,3}(?=\d{3,4}(?!\d))").match(text, told)
        back = _BACK_WORDS.search(text, end, around[1])
        if beside or back:
            behind = _ON_THE_BACK.search(text, end if back else told, around[1] + 8)
            if behind and not any(a < behind.end() and behind.start() < b for a, b in dates):
                yield behind.span()


# Typed on a panel, then the key that ends it: 0629 再按井号, 83552 and then the star.
_ENDED_BY_KEY: Final = LatePattern(
    r"(?<![\d.:/-])(?P<v>\d(?:[ -]?\d){3,7})(?:\s?[#*](?!\d)"
    r"|[\s,，]{0,2}(?:再|然后|然後|最后|最後|接着|and|then|plus|followed\sby|\s){0,4}"
    r"(?:按|加|press|hit|the|a|\s){0,3}(?:井[号號字]|星[号號]|米字键|#\s?键|[#*](?!\d)"
    r"|(?:star|hash|pound)(?!\w)(?:\s?(?:key|sign))?))",
    re.IGNORECASE,
)

# 往右转两圈到41 往左到08 再往右到66.
_TURN: Final = r"[左右][^左右\d\n]{0,8}?\d{1,2}(?!\d|点|點|岁|歲)"
_TURNED: Final = LatePattern(
    rf"(?:往|向|先|再)?{_TURN}(?:[^左右\d\n]{{0,6}}(?:往|向|再)?{_TURN}){{1,5}}"
)
_SAFE: Final = LatePattern(r"保[险險][箱柜櫃]|密[码碼]|[转轉拧擰][盘盤锁鎖]")

# 6 digits that came by a message of the telephone.
_BY_MESSAGE: Final = LatePattern(
    r"(?:短信|简讯|簡訊|(?<![a-z])(?:sms|text(?:ed)?)(?![a-z]))[^\d\n。！？]{0,12}"
    r"(?P<v>\d{3}[ -]?\d{3})(?![\d-])",
    re.IGNORECASE,
)


def _codes(text: str) -> Iterator[Place]:
    """Yield codes by how they are typed, turned or sent."""
    yield from (found.span("v") for found in _ENDED_BY_KEY.finditer(text))
    if _SAFE.search(text):
        yield from (found.span() for found in _TURNED.finditer(text))
    for found in _BY_MESSAGE.finditer(text):
        yield found.span("v")


# What is logged in to, and how what opens it is told without being called anything.
_LOGGED_IN_TO: Final = LatePattern(
    r"邮箱|郵箱|系统|系統|后台|後台|网盘|網盤|网银|網銀|登[录錄陆入]"
    r"|(?<![a-z])(?:netflix|gmail|outlook|e-?mail|icloud|spotify|paypal|amazon|router|wi-?fis?"
    r"|wireless|portal|laptop|tablet|ipad|monitor|log(?:ged|ging)?[\s-](?:\w+\s){0,3}?in(?:to)?|login)(?![a-z])",
    re.IGNORECASE,
)
_TOLD_AS: Final = LatePattern(
    r"(?:[:：]|改[成为為]|[换換]成|[设設]成|(?<![a-z])(?:it['’]?s|to|put|uses?|used|types?|typed"
    r"|(?:does\s)?(?:\w+\s)?ha(?:ve|s)|one\sis))[\s,，]{1,2}(?:\w{1,12}\s/\s)?[\"“「]?$",
    re.IGNORECASE,
)
_WIFI: Final = LatePattern(r"(?<![a-z])wi-?fis?\s$", re.IGNORECASE)
_MODEL: Final = LatePattern(r"[A-Za-z]{1,9}-?\d{1,4}[A-Za-z]{0,5}")
_FEWEST_LETTERS: Final = 5
_SHORTEST: Final = 8


def _passwords(text: str) -> Iterator[Place]:
    """Yield what looks made up where somebody tells how one gets into an account.

    A name of a model (RTX4090) is none, nor is what an account is called: my email is ann1990.
    """
    if not _LOGGED_IN_TO.search(text):
        return
    for start, end in tokens_in(text):
        token, before = text[start:end], text[max(0, start - 40) : start]
        letters = sum(map(str.isalpha, token))
        if len(token) < _SHORTEST or letters < _FEWEST_LETTERS or not looks_secret(token):
            continue
        wifi = _WIFI.search(before) is not None
        if wifi or (_TOLD_AS.search(before) and not _MODEL.fullmatch(token)):
            yield start, end


# --- All that tells by itself ----------------------------------------------------------------

_LONGEST_READ: Final = 20_000
"""So much of a text is looked at for cues; keys and numbers are looked for in all of it."""


def found_in(plain: str) -> list[Place]:
    """Return where secrets stand in the plain form of a text by itself.

    What came without words is looked at apart: "a file I cannot open" is our wording, and to open
    is a word that announces what opens a thing.
    """
    sent = sent_in(plain) if "(" in plain or "（" in plain else {}
    inside: list[Place] = []
    own = plain
    for what, kind in sent.items():
        for found in re.finditer(re.escape(what), plain):
            begin, end = found.span()
            own = f"{own[:begin]}{' ' * (end - begin)}{own[end:]}"
            inside += [(begin + a, begin + b) for a, b in _found_in_sent(what, kind)]
    return [*_found_in_words(own), *inside]


def _found_in_words(plain: str) -> list[Place]:
    found = [
        *keys_in(plain),
        *keys_alone_in(plain),
        *numbers_in(plain),
        *seeds_in(plain),
        *pairs_in(plain),
        *written_in(plain),
    ]
    if len(plain) <= _LONGEST_READ:
        return [*found, *told_in(plain)]
    # A whole book: read in pieces, each with the cues before it.
    for begin in range(0, len(plain), _LONGEST_READ):
        piece = plain[begin : begin + _LONGEST_READ + 200]
        found += [(begin + a, begin + b) for a, b in told_in(piece)]
    return found


_NAME_BEGINS: Final = LatePattern(r"[:：]\s?")
_INSTANT: Final = LatePattern(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?", re.ASCII)
_NAMED: Final = frozenset({"file", "video"})


def _found_in_sent(what: str, kind: str) -> list[Place]:
    """Return where secrets stand in the name of what came: IMG_2034.HEIC holds none."""
    head = _NAME_BEGINS.search(what)
    if head is None:
        return []
    name = " " * head.end() + what[head.end() :]
    if kind not in _NAMED:
        times = [each.span() for each in _INSTANT.finditer(name)]
        return [x for x in _found_in_words(name) if not any(_meet(x, at) for at in times)]
    found = [*keys_in(name), *numbers_in(name)]
    # Names of files hold dates and numbers of all kinds; a password only where it is named one.
    if any(cue.sort is Sort.PASSWORD for cue in cues_in(name)):
        found += told_in(name)
    return found


def _meet(one: Place, other: Place) -> bool:
    return one[0] < other[1] and other[0] < one[1]
