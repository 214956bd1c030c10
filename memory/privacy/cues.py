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


# Codes that open nothing: those of places, things, errors and programs, invitations to a game.
_OF_OTHER_THINGS: Final = (
    "zip post postal area dial dialling country error exit status dress source bar qr color colour"
    " morse friend course airport station product item flight booking tracking sort swift http"
    " write stock promo discount fault tax legacy room"
)
_NO_CODES: Final = "(?<!the qr)" + "".join(f"(?<!{word} )" for word in _OF_OTHER_THINGS.split())
_NO_MA: Final = "".join(
    f"(?<!{word})"
    for word in "惠二维條条形編编尺源亂乱頁页起籌筹數数代砝号號餐单單友"
    "岛島鞋加均扫掃打康程电電区區"
)

_CUES: Final[dict[Sort, str]] = {
    Sort.PASSWORD: (
        r"(?<!流量)(?<!财富)(?<!达芬奇)(?:密[码碼](?!学|學|本[^是])|密马|口令(?!红包|紅包)"
        r"|暗[号號]|解[锁鎖][码碼]"
        r"|[開开][锁鎖机機][码碼]|[锁鎖]屏[码碼]|密匙|[锁鎖]屏|屏[锁鎖]|号?密(?=\s?[:：→=])"
        r"|密保|安全[问問][题題]|パスワード|パスコード|暗証番号"
        r"|비밀번호|пароль)"
        r"|(?<![a-z])(?:security\s(?:answer|question)s?|secret\sanswer)(?![a-z])"
        r"|(?<![a-z])(?:pg)?(?:pass[\s-]?words?|p(?:a?s{1,2}|as{1,2})[ow]{1,2}[a-z]{0,3}ds?"
        r"|pass?phrases?|passwd|pwd|pw|psw|pswd"
        r"|pass\s?codes?|pass\s?phrases?|passkey|watchword|(?:magic|secret|safe|memorable|banking|code)\s(?:word"
        r"|phrase|knock)"
        r"|(?<=[,/;|]\s)pass(?=\s?(?:is|[:=]))|wi-?fi\s(?:key|pass)|mother['’]?s\smaiden\sname"
        r"|passwort|kennwort|mot\sde\spasse|contraseña|senha)(?![a-z0-9])(?!\s(?:hints?"
        r"|managers?|polic|fields?|page|prompt|box|rules?|strength))"
    ),
    Sort.LOGIN: (
        r"(?<![a-z])(?:pass|log-?in|sign-?in|creds|credentials|unlocks?|opens?"
        r"|encrypted)(?![a-z0-9])"
        r"|加密|[解开開][锁鎖]|(?:付款|支付|取款|取[钱錢件]|[开開][门門机機]|登[录錄入陆]"
        r"|[进進][门門])|打[开開]要?[输輸]|(?:[换換]|改|[设設]|重置)(?:[成为為]|了)"
        r"|(?:[大院铁鐵][门門]|单元[门門]|單元門|报警器|警報器)|(?<![a-z])(?:door|gate|alarm"
        r"|lock(?:er)?|garage|shed|buzzer|intercom)(?![a-z])"
        r"|(?<![a-z])(?:wi-?fis?|wireless)(?![a-z])|(?<![a-z])(?:hot\s?spot|ssid|router)(?![a-z])"
        r"|[无無][线線]|[热熱][点點]|[宽寬][带帶]"
        r"|(?<![a-z])(?:re)?set\s(?:it\s)?(?:back\s)?to(?![a-z])|(?<![a-z])(?:changed?|switched"
        r"|updated)\s(?:it\s)?(?:back\s)?to(?![a-z])"
    ),
    Sort.CODE: (
        rf"{_NO_MA}[码碼](?:[数數]字)?(?![頭头農农字洋率表农农頭上下])|令牌|[验驗][证證]器"
        rf"|动态口令|[门門](?:[锁鎖]|禁(?!卡))|[锁鎖](?=\s?[A-Z#]?\d{{4}})|家长锁|家長鎖"
        r"|(?:儿童|兒童|屏幕|手势|密码|密碼|保险|保險|行李|箱|柜|櫃|车|車)[锁鎖]|保险[箱柜]"
        r"|保險[箱櫃]|卡密|券[号號]|礼品卡|禮品卡"
        r"|卡片?的?背面|背面.{0,8}[三3][个個位]|(?:要|得|需)[输輸按]的?.{0,4}[位个個][数數字]?"
        r"|(?:后|後|末)[三3]位"
        r"|(?<![a-z])(?:cvv2?|cvc2?|cid|puk|otp|totp|pin(?!\s?\d\b)|authenticator|2fa|mfa)"
        r"(?:\s(?:code|number|no)|码)?(?![a-z])"
        rf"|(?<![a-z])(?:{_NO_CODES}(?:pass|key|pin)?codes?)(?!\s(?:base|review|monkey"
        rf"|name))(?![a-z])"
        r"|(?<![a-z])(?:cash\s?point|combination|combos?|keypad|key\s?pad|key\s?safe|lock\s?box|padlock"
        r"|(?:gift|scratch)\s?cards?|e-?gift"
        r"|vouchers?|redeem|(?:security|three|last\sthree|3)\s(?:security\s)?digits"
        r"|on\sthe\sback|back\sof\s(?:the|my)\scard)(?![a-z])"
    ),
    Sort.CARD: (
        r"卡[号號]|[工农農建交招邮郵]行|[邮郵]政卡|邮储|郵儲|农信|農信|(?:行|信用|借[记記]|[储儲]蓄|工资"
        r"|工資|社保)的?卡|[银銀]行的?卡|卡面"
        r"|(?<![a-z])(?:(?:credit|debit|visa|bank|payment)\s)?card"
        r"\s?(?:numbers?|no\b\.?|[#:]|details)|(?<![a-z])(?:(?:credit|debit|bank|charge)\scard"
        r"|cc\s?[#:]|visa|amex|master\s?card|unionpay|pan\b)(?![a-z])"
    ),
    Sort.IDENTITY: (
        r"身[份分][证證]|[证證]件|社保|社安[号號]|社会[安保][全障][号號]|[护護]照|通行[证證]|台胞[证證]|禮券|礼券"
        r"|[驾駕](?:照|[驶駛][证證])"
        r"|居住[证證]|居留|[户戶]口(?=[\s:：]?\d)|(?<!考)(?<!生)(?<!学)(?<!學)[证證][号號]"
        r"|[健医醫]保卡?|公[积積]金|存折|[对對]公|(?:[银銀支]行|汇款|匯款|[收付]款|[银銀]行卡?"
        r"|建[设設][银銀]行)"
        r".{0,10}[账帳賬][号號户戶]|[账帳賬][号號]|[银銀]行(?=[\s:：]?\d)|[序][列][号號]"
        r"|激活[码碼]|注[册冊][码碼]|(?<![a-z])"
        r"(?:passport|ssn|social(?:\s(?:security|insurance))?|national\s(?:insurance|id\w{0,7})"
        r"|nino|ni\s(?:number|no)|nhs|medicare|medicaid"
        r"|aadhaar|aadhar|pan\s(?:card|number|no)|pps(?:n|\sno)?|itin|tfn|tax\sfile|nric|ein|sin\s(?:number"
        r"|no)|emirates\sid|green\scard"
        r"|driv(?:er|ing)['’]?s?['’]?\s(?:permit|lic\w{0,8})|licen[cs]e\s(?:key|no|numbers?)"
        r"|product\skey|(?:cd|activation)\skey|serials?(?:\s(?:key|no|number))?"
        r"|id\s(?:card|number|no)|checking|savings\saccount|sort\scode.{0,16}acc|residence\s(?:permit|card)|visa\s(?:number|no)"
        r"|tax\sid|routing|sort\scode|acct|account|a/c|bsb|ifsc|iban|swift)(?![a-z])"
    ),
    Sort.KEY: (
        r"私[钥鑰]|[密秘][钥鑰]|金鑰|[钥鑰]匙串|令牌"
        r"|(?<![a-z])(?:api|app|access|private|secret|client|auth|bot|bearer|x|set-?up|recovery"
        r"|encryption|master|network|security)?"
        r"[\s_-]?(?:key|token|secret|secretkey|secretid|bearer|cookie|session|pat|apikey"
        r"|webhook)s?(?=[a-f0-9]{24})"
        r"|(?<![a-z])(?:api|app|access|private|secret|client|auth|bot|bearer|x|set-?up|recovery"
        r"|encryption|master|network|security)?"
        r"[\s_-]?(?:key|token|secret|secretkey|secretid|bearer|cookie|session|pat|apikey"
        r"|webhook)s?(?![a-z])"
    ),
}

# Without one of these a text holds no cue of that sort. Talk is searched for them in a moment.
_FRAGMENTS: Final[dict[Sort, list[str]]] = {
    Sort.PASSWORD: [
        "安全",
        "屏",
        "answer",
        "question",
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
        "pas",
        "ps",
        "pwd",
        "pw",
        "wi-fi",
        "wifi",
        "word",
        "phrase",
        "knock",
    ],
    Sort.LOGIN: [
        "pass",
        "大门",
        "院门",
        "铁门",
        "門",
        "警",
        "door",
        "gate",
        "alarm",
        "lock",
        "garage",
        "shed",
        "buzzer",
        "intercom",
        "付",
        "取",
        "开门",
        "開門",
        "开机",
        "開機",
        "登",
        "进门",
        "進門",
        "wifi",
        "wi-fi",
        "wireless",
        "hot",
        "ssid",
        "router",
        "无线",
        "無線",
        "热点",
        "熱點",
        "宽带",
        "寬帶",
        "换",
        "換",
        "改",
        "设",
        "設",
        "重置",
        "set",
        "chang",
        "switch",
        "updat",
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
    ],
    Sort.CODE: [
        "码",
        "碼",
        "输",
        "輸",
        "按",
        "令牌",
        "验证器",
        "驗證器",
        "口令",
        "锁",
        "鎖",
        "门禁",
        "門禁",
        "保险",
        "保險",
        "卡",
        "券",
        "背面",
        "位",
        "cvv",
        "cvc",
        "cid",
        "puk",
        "otp",
        "pin",
        "code",
        "authenticator",
        "2fa",
        "mfa",
        "combination",
        "combo",
        "pad",
        "lock",
        "card",
        "gift",
        "voucher",
        "redeem",
        "cash",
        "digits",
        "back",
        "safe",
    ],
    Sort.CARD: [
        "卡",
        "行",
        "储",
        "儲",
        "农信",
        "農信",
        "card",
        "visa",
        "amex",
        "cc",
        "unionpay",
        "pan",
    ],
    Sort.IDENTITY: [
        "证",
        "證",
        "社",
        "护照",
        "護照",
        "驾",
        "駕",
        "保",
        "居留",
        "户口",
        "戶口",
        "公积金",
        "公積金",
        "存折",
        "对公",
        "對公",
        "银行",
        "銀行",
        "支行",
        "款",
        "账",
        "帳",
        "賬",
        "序列",
        "激活",
        "册码",
        "冊碼",
        "passport",
        "ssn",
        "social",
        "insurance",
        "nation",
        "nino",
        "ni",
        "nhs",
        "medic",
        "aadha",
        "pan",
        "pps",
        "tfn",
        "tax",
        "nric",
        "ein",
        "sin",
        "id",
        "licen",
        "driv",
        "key",
        "serial",
        "routing",
        "sort",
        "acct",
        "account",
        "a/c",
        "bsb",
        "ifsc",
        "itin",
        "checking",
        "saving",
        "券",
        "iban",
        "swift",
        "green",
        "residence",
        "visa",
    ],
    Sort.KEY: [
        "钥",
        "鑰",
        "令牌",
        "key",
        "token",
        "secret",
        "bearer",
        "cookie",
        "session",
        "pat",
        "webhook",
    ],
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
