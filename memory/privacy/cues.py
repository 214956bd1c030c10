"""The words that announce a secret: closed classes in Chinese (both scripts), English, Japanese.

What they announce is found by :mod:`memory.privacy.values`.
"""

import re
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from typing import Final


class Sort(Enum):
    """What kind of secret a cue announces."""

    PASSWORD = auto()
    LOGIN = auto()
    CODE = auto()
    CARD = auto()
    IDENTITY = auto()
    KEY = auto()


@dataclass(frozen=True, slots=True)
class SecretCue:
    """A word that announces a secret, and where it stands."""

    sort: Sort
    start: int
    end: int


_PLACES: Final = (
    r"(?:door|gate|entry|alarm|safe|garage|opener|lock|access|security|verification|log-?in|sign-?in"
    r"|auth\w{0,12}|confirmation|one-?time|sms|google|apple|microsoft|whatsapp|telegram|steam|2fa"
    r"|mfa|payment|backup|recovery|unlock|voicemail|building|locker|bike|luggage|suitcase|card|lift)"
)
_CUES: Final[dict[Sort, str]] = {
    Sort.PASSWORD: (
        r"(?<!流量)(?<!财富)(?<!达芬奇)(?:密[码碼](?!学|學)|密马|口令(?!红包|紅包)|暗[号號]|解[锁鎖][码碼]"
        r"|[开開][锁鎖机機][码碼]|[锁鎖]屏[码碼]|密匙|号?密(?=[:：])|パスワード|パスコード|暗証番号"
        r"|비밀번호|пароль)"
        r"|(?<![a-z])(?:pass\s?words?|passwd|pwd|pw|psw|pass\s?codes?|pass\s?phrases?"
        r"|wi-?fi\s(?:key|pass)|passwort|kennwort|mot\sde\spasse|contraseña|senha)(?![a-z0-9])"
    ),
    Sort.LOGIN: (
        r"(?<![a-z])(?:pass|log-?in|sign-?in|creds|credentials|unlocks?|opens?|encrypted)(?![a-z0-9])"
        r"|加密|[解开開][锁鎖]|打[开開]要?[输輸]"
    ),
    Sort.CODE: (
        r"(?:[验驗][证證]|校[验驗]|[动動][态態]|[确確][认認]|安全|[门門]禁|付款|支付|取款|[开開][门門]|[备備]用"
        r"|恢[复復]|登[录錄入])[码碼](?:[数數]字)?|(?<![a-z])(?:cvv2?|cvc2?|puk|otp|pin)"
        r"(?:\s(?:code|number)|码)?(?![a-z])|(?<![a-z])"
        rf"{_PLACES}(?:['’]s)?\s(?:pass)?codes?(?![a-z])"
        rf"|(?<![a-z])codes?\s(?:for|to|of)\s(?:(?:the|my|our|his|her)\s)?{_PLACES}(?![a-z])"
        r"|(?<![a-z])(?:combination|combo|keypad)(?![a-z])|[门門][锁鎖]|(?<![a-z])your\s\w{2,12}\scode"
    ),
    Sort.CARD: (
        r"卡[号號]|(?:[银銀]行|信用|借[记記]|[储儲]蓄)卡|(?<![a-z])(?:credit\s|debit\s|visa\s|bank\s)?card"
        r"\s?(?:number|no\b\.?|[#:])|(?<![a-z])(?:cc\s?[#:]|visa|amex|mastercard)(?![a-z])"
    ),
    Sort.IDENTITY: (
        r"身[份分][证證]|[证證]件|社保|社安[号號]|社会[安保][全障][号號]|[护護]照|通行[证證]|[驾駕](?:照|[驶駛][证證])"
        r"|[健医醫]保卡?|公[积積]金|存折|[对對]公|(?:[银銀支]行|汇款|[收付]款|[银銀]行卡?|建[设設][银銀]行)"
        r".{0,10}[账帳賬][号號户戶]|[银銀]行(?=[\s:：]?\d)|[序][列]号|激活[码碼]|注[册冊][码碼]|(?<![a-z])"
        r"(?:passport|ssn|social(?:\ssecurity)?|national\sinsurance|nino|nhs|medicare"
        r"|driver['’]?s?\slicen[cs]e|licen[cs]e\s(?:key|no)|product\skey|serial\s(?:key|number)"
        r"|tax\sid|routing|sort\scode|acct|account|iban)(?![a-z])"
    ),
    Sort.KEY: (
        r"私[钥鑰]|密[钥鑰]|金鑰|(?<![a-z])(?:api|app|access|private|secret|client|auth|bot|bearer|x)?"
        r"[\s_-]?(?:key|token|secret|secretkey|secretid|bearer|cookie|session|pat|apikey)s?(?![a-z])"
    ),
}

# Without one of these a text holds no cue of that sort. Talk is searched for them in a moment.
_FRAGMENTS: Final[dict[Sort, list[str]]] = {
    Sort.PASSWORD: (
        [
            "密",
            "口令",
            "暗号",
            "暗號",
            "解锁",
            "解鎖",
            "锁码",
            "锁屏",
            "機",
            "机码",
            "鎖",
            "パス",
            "暗証",
            "비밀",
            "пароль",
            "kennwort",
            "contrase",
            "senha",
            "pass",
            "pwd",
            "pw",
            "psw",
            "wi-fi",
            "wifi",
        ]
    ),
    Sort.LOGIN: (
        [
            "pass",
            "login",
            "log-in",
            "signin",
            "sign-in",
            "creds",
            "credential",
            "unlock",
            "open",
            "encrypt",
            "加密",
            "锁",
            "鎖",
            "打开",
            "打開",
        ]
    ),
    Sort.CODE: [
        "码",
        "碼",
        "cvv",
        "cvc",
        "puk",
        "otp",
        "pin",
        "code",
        "combination",
        "combo",
        "keypad",
        "锁",
        "鎖",
    ],
    Sort.CARD: ["卡", "card", "visa", "amex", "cc"],
    Sort.IDENTITY: (
        [
            "证",
            "證",
            "社",
            "护照",
            "護照",
            "驾",
            "駕",
            "保",
            "公积金",
            "公積金",
            "存折",
            "对公",
            "對公",
            "银行",
            "銀行",
            "支行",
            "款",
            "序列",
            "激活",
            "册码",
            "冊碼",
            "passport",
            "ssn",
            "social",
            "insurance",
            "nino",
            "nhs",
            "medicare",
            "licen",
            "key",
            "serial",
            "tax",
            "routing",
            "sort",
            "acct",
            "account",
            "iban",
        ]
    ),
    Sort.KEY: ["钥", "鑰", "key", "token", "secret", "bearer", "cookie", "session", "pat"],
}


@cache
def _cue_pattern(sort: Sort) -> re.Pattern[str]:
    """Compile when first needed: these are the longest patterns of the house."""
    return re.compile(_CUES[sort], re.IGNORECASE)


def _holds(lowered: str, fragments: list[str]) -> bool:
    # Not a generator: this runs for every message, and a generator costs four times as much.
    return any(map(lowered.__contains__, fragments))


def cues_in(text: str) -> list[SecretCue]:
    """Return the words of a text that announce a secret, in order and apart from one another."""
    lowered = text.lower()
    found = [
        SecretCue(sort, *match.span())
        for sort, fragments in _FRAGMENTS.items()
        if _holds(lowered, fragments)
        for match in _cue_pattern(sort).finditer(text)
    ]
    apart: list[SecretCue] = []
    for cue in sorted(found, key=lambda cue: cue.start):
        if not apart or cue.start >= apart[-1].end:
            apart.append(cue)
    return apart
