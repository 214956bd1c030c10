"""Secrets told by their shape alone: keys of services, numbers with check digits.

One table, each line from what the service itself documents. No library does this for talk: why is
in docs/decisions/secrets.md. Everything here reads the plain form of a text
(:mod:`memory.privacy.plain_form`) and returns places in it.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, TypeAlias

from memory.text.late_pattern import LatePattern

Place: TypeAlias = tuple[int, int]
"""From where to where in a text."""

_KEYS: Final = (
    # Amazon: IAM identifiers. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
    r"(?:AKIA|ASIA|AGPA|AIDA|AROA|ABIA|ACCA)[A-Z0-9]{16}",
    # Tencent Cloud SecretId, Alibaba Cloud AccessKeyId
    r"(?:AKID[A-Za-z0-9]{28,40}|LTAI[A-Za-z0-9]{12,30})",
    # Google: API keys, OAuth access tokens and client secrets
    r"AIza[\w-]{35}|ya29\.[\w-]{20,400}|GOCSPX-[\w-]{20,40}",
    # GitHub: https://docs.github.com/authentication (token prefixes)
    r"gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_\w{22,255}",
    # GitLab: https://docs.gitlab.com/security/tokens/#token-prefixes
    r"(?:gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct)|glsa)-?_?[\w-]{20,255}",
    # Hugging Face, Replicate, Groq, xAI, Perplexity, Tavily
    (
        r"hf_[A-Za-z0-9]{30,60}|r8_[A-Za-z0-9]{30,60}|gsk_[A-Za-z0-9]{30,80}"
        r"|xai-[A-Za-z0-9]{30,120}"
        r"|(?:pplx|tvly)-[\w-]{24,80}"
    ),
    # OpenAI, Anthropic, DeepSeek, Stripe and all that write sk-…; a digit tells keys from names
    r"(?:sk|pk|rk|ghp)[-_](?=[A-Za-z_-]{0,60}\d)[\w-]{16,255}|whsec_[A-Za-z0-9+/=]{20,80}",
    # Slack: https://docs.slack.dev/authentication/tokens
    r"xox[abeoprs]-[A-Za-z0-9-]{10,255}|xapp-[\w-]{20,255}",
    # Discord
    r"[MNO][\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,45}",
    # JSON web tokens: RFC 7519
    r"eyJ[\w-]{8,4000}\.[\w-]{8,4000}(?:\.[\w-]{0,1000})?",
    # npm, PyPI, Docker Hub, DigitalOcean, SendGrid, Shopify, Square, Notion, Linear, Figma, Vault
    (
        r"npm_[A-Za-z0-9]{30,60}|pypi-[\w-]{50,255}|dckr_pat_[\w-]{20,60}|do[opr]_v1_[a-f0-9]{64}"
        r"|SG\.[\w-]{16,32}\.[\w-]{16,64}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"
        r"|sq0[a-z]{3}-[\w-]{22,60}"
        r"|(?:ntn|secret)_[A-Za-z0-9]{40,60}|lin_api_[A-Za-z0-9]{30,60}|figd_[\w-]{30,80}"
        r"|hvs\.[\w-]{20,200}|key-[a-f0-9]{32}"
    ),
    # Bitcoin wallet import format, extended private keys (BIP 32), age
    (
        r"[5KL][1-9A-HJ-NP-Za-km-z]{50,51}(?![A-Za-z0-9])|xprv[A-Za-z0-9]{100,115}"
        r"|AGE-SECRET-KEY-1[A-Z0-9]{58}"
    ),
)

# How a dial is turned, to the left and to the right by turns: nobody tells a way like that.
_DIAL: Final = (
    r"(?:[左右][转轉拧擰扭]?(?:到)?\s?[\d一二三四五六七八九十]{1,3}[\s,，、]{0,2}){3,6}"
    r"|(?:\d{1,2}\s?(?:to\sthe\s)?(?:left|right|clockwise|anti-?clockwise)[\s,;.]{0,2}(?:then\s"
    r"|and\s)?){3,6}"
    r"|(?:(?:left|right|[LR])\s?(?:to\s)?\d{1,2}[\s,;.-]{0,2}(?:then\s|and\s)?){3,6}"
)

# Numbers of persons in a form of their own: permanent account number of India, national insurance,
# Medicare (CMS), driving licence of Britain.
_PERSONS: Final = (
    r"(?<![A-Z0-9])[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z](?![A-Z0-9])"
    r"|(?<![A-Z0-9])[A-CEGHJ-PRSTW-Z][A-CEGHJ-NPRSTW-Z]\s?\d\d\s?\d\d\s?\d\d\s?[A-D](?![A-Z0-9])"
    r"|(?<![A-Z0-9])[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d-?[AC-HJKMNP-RT-Y]"
    r"[AC-HJKMNP-RT-Y0-9]\d-?[AC-HJKMNP-RT-Y]{2}\d\d(?![A-Z0-9])"
    r"|(?<![A-Z0-9])[A-Z9]{5}\s?\d{6}\s?[A-Z9]{1,2}\d[A-Z]{2}(?![A-Z0-9])"
    r"|(?<![A-Z0-9])[A-Z]{5}\s\d{6}\s[A-Z0-9]{5}(?![A-Z0-9])"
)

# Not after a letter or digit, or names such as task-… would begin a key; but \b will not do, for
# to it a Chinese character is a letter like any other.
_KEY: Final = rf"(?<![A-Za-z0-9])(?:{'|'.join(_KEYS)})"

# Telegram: https://core.telegram.org/bots/api#authorizing-your-bot; "bot" may stand before it.
_TELEGRAM: Final = r"(?<!\d)\d{8,10}:[\w-]{33,36}(?![\w-])"

_IN_ADDRESSES: Final = (
    # RFC 3986 §3.2.1: user:password@
    r"[a-z][a-z0-9+.-]{1,30}://[^\s/:@]{0,100}:(?P<v>[^\s/@]{1,200})@",
    # Oracle names the user, a slash and the password before its host.
    r"(?:jdbc:[a-z:]{3,40}|sqlplus\s)[\w.$-]{1,60}/(?P<v>[^\s/@]{1,200})@",
    # otpauth://…?secret=, and whatever calls itself a key in a query
    (
        r"[?&](?:secret|(?:access_|api|auth_|id_|refresh_)?_?(?:token|key)|passw(?:or)?d|pwd"
        r"|sign(?:ature)?)"
        r"=(?P<v>[^\s&#,。，]{8,500})"
    ),
    # Webhooks, which anybody who knows them may use: Slack, Discord, Feishu, Lark
    r"hooks\.slack\.com/(?:services|workflows)/(?P<v>[\w/]{20,120})",
    r"discord(?:app)?\.com/api/webhooks/(?P<v>\d{10,25}/[\w-]{40,100})",
    r"open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/(?P<v>[\w-]{20,60})",
)

_IN_COMMANDS: Final = (
    r"authorization\s?[:=]\s?[\"']?(?:basic|bearer|token)\s(?P<v>[\w.+/=~-]{8,2000})",
    r"(?<![a-z])bearer\s(?P<v>[\w.+/=~-]{20,2000})",
    r"curl[^\n]{0,200}?\s(?:-u|--user)\s?[\"']?[^\s:\"']{1,64}:(?P<v>[^\s\"']{1,100})",
    r"(?<![a-z])(?:sshpass\s-p|mysql\s[^\n]{0,80}?-p)\s?[\"']?(?P<v>[^\s\"']{3,100})",
)

_PEM: Final = LatePattern(
    r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
    r"(?P<v>[\s\S]{1,20000}?)(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|\Z)"
)

_LONG_TOKEN: Final = LatePattern(r"[\w.~+/=-]{16}", re.ASCII)


@cache
def _patterns(*sources: str, ignore_case: bool = False) -> tuple[LatePattern, ...]:
    """Compile when first needed: most talk holds nothing as long as a key."""
    flags = re.ASCII | (re.IGNORECASE if ignore_case else 0)
    return tuple(LatePattern(source, flags) for source in sources)


def keys_in(text: str) -> Iterator[Place]:
    """Yield where keys of services stand, and passwords in addresses and commands."""
    lowered = text.lower()
    if "://" in text or "?" in text or ".com/" in text:
        yield from _values(text, _patterns(*_IN_ADDRESSES, ignore_case=True))
    if "jdbc" in lowered or "sqlplus" in lowered:
        yield from _values(text, _patterns(*_IN_ADDRESSES, ignore_case=True))
    if "左" in text or ("r" in lowered and "l" in lowered and _DIGITS.search(text)):
        yield from _values(text, _patterns(_DIAL, ignore_case=True))
    yield from _values(text, _patterns(_PERSONS))
    if any(word in lowered for word in ("authorization", "bearer", "curl", "sshpass", "mysql")):
        yield from _values(text, _patterns(*_IN_COMMANDS, ignore_case=True))
    if "-----BEGIN" in text:
        yield from _values(text, (_PEM,))
    if _LONG_TOKEN.search(text):
        yield from _values(text, _patterns(_KEY, _TELEGRAM))


def _values(text: str, patterns: Sequence[LatePattern]) -> Iterator[Place]:
    for pattern in patterns:
        name = "v" if "(?P<v>" in pattern.pattern else 0
        for found in pattern.finditer(text):
            yield found.span(name)


_NUMBER: Final = LatePattern(r"\d(?:[\s.\-_–—·•/]{0,3}\d){11,60}(?![\dXx])")

_IDENTITY: Final = LatePattern(
    r"(?<!\d)[1-9]\d(?:[\s.\-_·/]{0,3}\d){15}[\s.\-_·/]{0,3}[\dXx](?![\dA-Za-z])", re.ASCII
)

_CARD_BEGINNINGS: Final = LatePattern(
    r"4(?:\d{15}|\d{18})|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}"
    r"|62\d{14,17}|6(?:011|4[4-9]\d|5\d\d)\d{12}|35\d{14}|(?:9558|4367|6013|81\d\d)\d{12,15}"
)
"""By ISO/IEC 7812: Visa, Mastercard, American Express, Diners, UnionPay, Discover, JCB."""

_ORDINARY: Final = LatePattern(
    r"(?:单号?|單號?|订单|訂單|编号|編號|运单|快递|物流|流水|发票|發票|工单|条码|条形码|序号"
    r"|房间|房號|房号"
    r"|学号|uid|imei|isbn|order|tracking|parcel|invoice|ref(?:erence)?|booking|seed|fedex|ups|dhl"
    r"|usps|barcode|ticket|[\w-]{0,12}id)(?:\s?(?:no\.?|number|号码?))?[\s#:：是为]{0,4}$",
    re.IGNORECASE,
)


def is_ordinary(text: str, start: int) -> bool:
    """Tell whether a number is said to be one of an order, a parcel, a room or the like."""
    return bool(_ORDINARY.search(text[max(0, start - 24) : start]))


_DIGITS: Final = LatePattern(r"\d\d|\d.\d")
"""What no long number is without."""


def numbers_in(text: str) -> Iterator[Place]:
    """Yield where numbers of cards, identities and bank accounts stand, told by check digits."""
    if not _DIGITS.search(text):
        return
    for found in _NUMBER.finditer(text):
        if not is_ordinary(text, found.start()):
            yield from _cards_in(found)
    for found in _IDENTITY.finditer(text):
        if is_identity_number(found[0]):
            yield found.span()
    yield from _ibans_in(text)


def _cards_in(found: re.Match[str]) -> Iterator[Place]:
    """Yield the card numbers among the groups of digits of a longer number, longest first."""
    groups = [group.span() for group in re.finditer(r"\d+", found[0])]
    begin = 0
    while begin < len(groups):
        for end in range(min(len(groups), begin + 20), begin, -1):
            if begin and groups[begin][1] - groups[begin][0] == 1:
                break  # digits one by one are one number: no card begins in its midst
            part = groups[begin:end]
            if _grouped_like_a_card([b - a for a, b in part], whole=len(part) == len(groups)):
                start, stop = part[0][0], part[-1][1]
                if is_card_number(found[0][start:stop]):
                    yield found.start() + start, found.start() + stop
                    begin = end - 1
                    break
        begin += 1


_OF_A_CARD: Final = 4


def _grouped_like_a_card(sizes: Sequence[int], *, whole: bool) -> bool:
    """Tell whether digits stand in groups as people write cards: not a list of other numbers."""
    if len(sizes) == 1 or sizes in ([4, 6, 5], [4, 6, 4], [6, 13], [6, 10]):
        return True
    even = len({*sizes[:-1]}) == 1 and sizes[-1] <= sizes[0]
    return even and (sizes[0] == _OF_A_CARD or (whole and sizes[0] in {1, 2, 3, 5, 6, 8}))


def is_card_number(number: str) -> bool:
    """Tell whether digits begin as those of a payment card and have its check digit (Luhn).

    >>> is_card_number("4111 1111 1111 1111"), is_card_number("4111 1111 1111 1112")
    (True, False)
    """
    digits = re.sub(r"\D", "", number)
    return bool(_CARD_BEGINNINGS.fullmatch(digits)) and has_luhn_digit(digits)


def has_luhn_digit(digits: str) -> bool:
    """Tell whether the last digit is the check digit of those before it (ISO/IEC 7812-1)."""
    values = [int(digit) for digit in digits]
    doubled = (sum(divmod(2 * value, 10)) for value in values[-2::-2])
    return (sum(values[-1::-2]) + sum(doubled)) % 10 == 0


_WEIGHTS: Final = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def is_identity_number(number: str) -> bool:
    """Tell whether a number is a Chinese identity number, by birthday and check digit (GB 11643).

    >>> is_identity_number("11010519491231002X"), is_identity_number("110105194912310021")
    (True, False)
    """
    digits = re.sub(r"[^\dXx]", "", number)
    if not re.fullmatch(r"\d{6}(?:18|19|20)\d\d(?:0\d|1[0-2])[0-3]\d{4}[\dXx]", digits):
        return False
    total = sum(int(d) * w for d, w in zip(digits[:17], _WEIGHTS, strict=True))
    return "10X98765432"[total % 11] == digits[17].upper()


_IBAN_START: Final = LatePattern(
    r"(?<![A-Z0-9])(?:iban)?([A-Z]{2})(?=\d\d[ -]?[A-Z0-9])", re.IGNORECASE
)

_IBAN_COUNTRIES: Final = {
    15: "NO",
    16: "BE",
    18: "DK FI FO GL NL",
    19: "MK SI",
    20: "AT BA EE KZ LT LU XK",
    21: "CH HR LI LV",
    22: "BG BH CR DE GB GE IE ME RS VA",
    23: "AE GI IL IQ",
    24: "AD CZ ES MD PK RO SA SE SK TN VG",
    25: "PT",
    26: "IS TR",
    27: "FR GR IT MC SM",
    28: "AL AZ BY CY DO GT HU LB PL",
    29: "BR EG QA UA",
    30: "JO KW MU",
    31: "MT",
}
_IBAN_LENGTHS: Final = {
    country: length for length, names in _IBAN_COUNTRIES.items() for country in names.split()
}
"""How long the account numbers of each country are (SWIFT IBAN registry)."""


def _ibans_in(text: str) -> Iterator[Place]:
    for found in _IBAN_START.finditer(text):
        length = _IBAN_LENGTHS.get(found[1].upper(), 0)
        pattern = rf"[A-Za-z]{{2}}\d\d(?:[ -]?[A-Za-z0-9]){{{length - 4}}}(?![A-Za-z0-9])"
        whole = LatePattern(pattern).match(text, found.start(1)) if length else None
        if whole and _is_iban(whole[0]):
            yield whole.span()


def _is_iban(number: str) -> bool:
    """Tell whether an account number has its check digits (ISO 13616, modulus 97)."""
    plain = re.sub(r"[ -]", "", number).upper()
    return int("".join(str(int(sign, 36)) for sign in plain[4:] + plain[:4])) % 97 == 1


FUNCTION_WORDS: Final = frozenset(
    [
        "the", "and", "for", "you", "not", "but", "with", "was", "are", "that", "this",
        "have", "has", "had", "from", "they", "she", "her", "his", "him", "our", "its",
        "them", "then", "when", "what", "who", "how", "why", "where", "can", "could",
        "will", "would", "just", "like", "all", "out", "into", "been", "were", "than",
        "too", "very", "your", "their", "there", "here", "some", "any", "one", "two", "i'm",
        "it's", "don't",
    ]
)  # fmt: skip
# BIP 39: 12, 15, 18, 21 or 24 words of three to eight small letters.
_SEED_LENGTHS: Final = frozenset({12, 15, 18, 21, 24})
_SEED_RUN: Final = LatePattern(
    r"(?<![A-Za-z])[a-z]{3,8}(?:[\s,，、.]{1,3}(?:\d{1,2}[.)、:]?\s?)?[a-z]{3,8}){3,40}(?![A-Za"
    r"-z])"
)
# The Chinese list of BIP 39 has words of one character; people write down words of two as well.
_SEED_RUN_CHINESE: Final = LatePattern(
    r"(?<!\w)[一-鿿]{1,2}(?:[ ,，、\n][一-鿿]{1,2}){5,30}(?!\w)"
)
_SEED_CUE: Final = LatePattern(
    r"(?:wallet|crypto|ledger|trezor|钱包|錢包).{0,30}(?:backup|words?|phrase|备份|備份|[词詞])"
    r"|助记[词詞]|助記詞|恢复短语|恢復短語|恢复词|(?:seed|recovery|secret|backup|mnemonic"
    r"|wallet)"
    r"\s(?:phrase|words?)|mnemonic|metamask|(?:12|24|twelve|twenty.four)\s(?:\w+\s)?words"
    r"|(?:12|24|十二|二十四)个(?:单)?词",
    re.IGNORECASE,
)
_SEED_WORDS: Final = (
    "助",
    "短语",
    "短語",
    "恢复词",
    "phrase",
    "word",
    "mnemonic",
    "metamask",
    "wallet",
    "crypto",
    "ledger",
    "trezor",
    "钱包",
    "錢包",
    "个词",
    "单词",
)
_ONLY_WORDS: Final = LatePattern(r"[\s.]*(?:[a-z]{3,8}[\s.]+){11,23}[a-z]{3,8}[\s.]*")
_FEWEST_WORDS: Final = 6
"""Half a phrase of twelve, said with a cue."""
_FEWEST_AMID_CHINESE: Final = 3
"""Small English words in a row that stand in Chinese talk of a phrase are part of it."""


def asks_for_seed(text: str) -> bool:
    """Tell whether a text speaks of the words that open a wallet."""
    lowered = text.lower()
    return any(word in lowered for word in _SEED_WORDS) and bool(_SEED_CUE.search(text))


def seeds_in(text: str, *, told: bool = False) -> Iterator[Place]:
    """Yield where the words of a wallet stand; ``told`` if the talk around the text is of them."""
    cue = told or asks_for_seed(text)
    if cue:
        yield from (found.span() for found in _SEED_RUN_CHINESE.finditer(text))
    elif not _ONLY_WORDS.fullmatch(text):
        return
    for found in _SEED_RUN.finditer(text):
        words = re.findall(r"[a-z]+", found[0])
        alone = len(found[0]) >= len(text.strip()) - 2
        runs = _runs_of_content(found)
        if cue:
            amid = re.search(r"[一-鿿]", text) is not None
            fewest = _FEWEST_AMID_CHINESE if amid else _FEWEST_WORDS
            yield from (place for place, count in runs if count >= fewest)
        elif alone and len(words) in _SEED_LENGTHS and len(runs) == 1 and "," not in found[0]:
            yield found.span()


def _runs_of_content(found: re.Match[str]) -> list[tuple[Place, int]]:
    """Return the runs of words between function words: nobody's seed is a sentence."""
    runs: list[tuple[Place, int]] = []
    start, end, count = 0, 0, 0
    for word in re.finditer(r"[a-z]+", found[0]):
        if word[0] in FUNCTION_WORDS:
            runs += [((start, end), count)] if count else []
            count = 0
            continue
        start = word.start() if count == 0 else start
        end, count = word.end(), count + 1
    runs += [((start, end), count)] if count else []
    return [((found.start() + a, found.start() + b), n) for (a, b), n in runs]
