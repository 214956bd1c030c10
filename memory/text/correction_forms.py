"""The forms in which people put right what they said (说错了，是6月16), or bid (别让我妈知道)."""

import re
from typing import Final

from memory.text import slots_en, slots_zh
from memory.text.announcing import BIDS
from memory.text.dates_en import WEEKDAYS
from memory.text.late_pattern import LatePattern
from memory.text.names import OF_SEX
from memory.text.requests import asks_for_reminder
from memory.text.slot_core import CHANGES, KIN_ZH, relative_in
from memory.text.slots import LONGEST_READ
from memory.text.word_forms import SIMPLIFIED

_I: Final = re.IGNORECASE

SLIP: Final = (
    r"(?:(?:之前|上次|上回|刚才?|跟你|和你|我){0,3}[说打写讲输搞弄记])[错岔混]了?|错了|口误"
    r"|手[滑误]|嘴瓢|更正(?:一下)?|不对|[啊哦噢呃]不是?(?=[，,\s])"
    r"|我(?:是说(?![话谎])|说的是|的意思是|是想说)"
    r"|\b(?:i mean(?:t)?|typo|correction|make that|scratch that|misspoke|no wait|wrong one"
    r"|(?:i )?(?:told you|said (?:it|that)|got (?:it|that)) (?:all )?wrong|fat fingers"
    r"|(?:my|the) mistake)\b"
)
"""Who says this was wrong just now, and means nothing else."""

REGRET: Final = (
    r"抱歉|不好意思|等等|等下|哈哈+"
    r"|\b(?:sorry|oops|whoops|no|wait|actually|my bad|lol|haha\w*)\b"
)
"""Whoever says only this may speak of something else ("no wait" is one or two: hence ``++``)."""

ONLY_RIGHT: Final = LatePattern(
    rf"^\W*(?P<regret>(?:(?:{SLIP}|{REGRET}|[哦啊哎呃]|\b(?:oh|ah|er|um)\b)[\W_]*)++)"
    r"(?:我(?:是|想)?说的?|我的意思|应该)?"
    r"(?:(?:[他她它]的?(?:名字)?)?(?:是|叫)|\b(?:it['’]?s|that['’]?s|it is|it was|i said)\b"
    r"|\b(?:s?he|it)(?:['’]s| is) an?(?= \w+\W*$)"
    r"|\b(?:his|her|its) name(?: is|['’]s)|\b(?:s?he|it)(?:['’]s| is) (?:called|named))?"
    r"(?: (?:on|at|in)\b)?\s*(?:(?:the|my)\b\s*"
    rf"|我(?:们?家)?的?(?=(?:{KIN_ZH})(?![\u4e00-\u9fff])))?"
    r"(?P<right>[^，,。！!？?；;：:]{1,24}?)\s*(?:才对|哈|啦)?"
    r"(?:[，,]?\s*(?:and |而)?(?:\bnot\b|不[是叫])\s*(?P<wrong>[^，,。！!？?；;：:]{1,24}?))?"
    r"[。.！!~～\s]*$",
    _I,
)

OF_SOMEBODY: Final = LatePattern(
    rf"^\W*(?:(?:{SLIP}|{REGRET}|不是|[哦啊哎呃]|\b(?:oh|ah|er|um)\b)[\W_]*)++"
    r"(?:我(?:是|想)?说(?:的是)?|我的意思是?|应该是?)?[，,]?\s*"
    rf"(?:我们?家?的?(?P<kin>{KIN_ZH}|[猫狗])(?:的?名字)?叫做?(?P<name>[^，,。！!？?了吗我你他她]{{2,6}})"
    r"|(?:my|our) (?P<kin_en>[\w-]+(?: \w+)?)(?:(?:['’]s name)? is|['’]s)(?: called| named)?"
    r" (?P<name_en>(?-i:[A-Z])[\w'’-]+))[。.！!~～\s]*$",
    _I,
)
"""不对，我弟弟叫小壮: who corrects says of whom, and nothing else."""

BARE_NAME: Final = LatePattern(
    r"^\W*(?:sorry|oops|whoops|no wait|wait|scratch that)[,!. —-]+"
    r"(?-i:(?!(?:Mum|Mom|Dad|Nan|Gran|I|Xiaoxiang|God|Jesus|Christ|Mate|Love|Boss)\b)[A-Z][a-z'’-]+"
    r"(?: [A-Z][a-z'’-]+)?)[\s.!]*$",
    _I,
)
"""Sorry, York: a name alone, behind a word of regret, stands in the place of one just told."""

HOW_WRITTEN: Final = (
    r"(?<=\w),? with (?:an? |one |two )?\w{1,3}$|(?<=\w),? spel(?:led|t)(?: with| like)? .{1,20}$"
    r"|[，,]\s*[一-鿿]{1,6}的[一-鿿]字?$|[，,]?\s*写作.{1,6}$"
)
"""How a name is written, behind it: "Darran with an a", 李鸣，一鸣惊人的鸣."""

IT_IS: Final = (
    r"(?:but|(?:it|s?he)(?:['’]?s| is)(?: called| named)?|(?:his|her|its|the) name(?:['’]?s| is))"
)

CAPITAL: Final = r"[A-Z][\w'’-]+"

_OTHER: Final = r"(?:[A-Z][\w'’-]+|\d+(?:[:.,]\d+)*)"

THE_OTHER: Final = LatePattern(
    r"^\W*(?:(?i:no|wait|sorry|oops|whoops|oh|hang on)\b\W*)*+"
    rf"(?:(?P<right>{CAPITAL}),? (?:and )?not (?P<wrong>{CAPITAL})"
    rf"|[Nn]ot (?P<false>{_OTHER})\W+(?:but |it['’]?s )?(?P<true>{_OTHER}))\W*$"
)
"""Elias, not Emil."""

OF_WHAT: Final = LatePattern(
    r"(?P<about>[\u4e00-\u9fff]{1,10}?)(?:是|叫)(?P<right>[^是叫]+)$"
    r"|(?P<about_en>[a-z][\w' -]*?) (?:is|are|was|were) (?P<right_en>.+)$",
    _I,
)
"""老家是南昌: of what something is right."""

OF_WHOM: Final = LatePattern(
    r"^(?:(?:s?he|they|it|i)$|(?:my|our) |[他她它]们?$|[我俺](?:们?家?的?))", _I
)
"""Whose somebody is, or nobody by name: another is told of in other words."""


def means_another(about: str, told: str) -> bool:
    """Tell whether a word for whom a correction is of cannot mean whom a text tells of.

    >>> means_another("she", "my dad lives in York"), means_another("I", "my dad lives in York")
    (True, True)
    """
    whose, about = relative_in(told), about.strip().lower()
    if about in {"我", "俺", "i"}:
        return bool(whose)
    other = OF_SEX.get(about)
    if other is None or re.search(rf"(?<![a-z]){about}(?![a-z])", told, _I):
        # Whom it calls so itself is meant: "a girlfriend called Priya, she's a baker".
        return False
    return not whose or other.search(whose) is not None


SAYS_MORE: Final = LatePattern(
    r"[我你他她它]|\b(?:i|you|he|she|it|we|they|my|your|his|her|our|their)\b", _I
)
"""不对，我叫李鸣 is a whole sentence."""

OPENS: Final = LatePattern(
    r"^\W*(?:(?:lol |haha\w* )?"
    r"(?:(?:抱歉|不好意思|对不起)(?=[，,\s]*不是[^，,。]{1,12}[，,、\s]*(?:而是|应该是|是)[^，,。是]{1,12}$)"
    r"|不对|不是(?=[，,])|(?:你|我)?(?:[说记搞弄听看写打]|是你)[错岔混]|错了"
    r"|(?:oh |um )*(?:no,? )?wait|no(?=[,.!])|typo|make that|scratch that|my (?:bad|mistake)"
    r"|whoops|我(?:是说(?![话谎])|说的是|的意思是|是想说)|[啊哦噢呃]不"
    r"|(?:no,? )?that['’]?s (?:wrong|not (?:right|true|it|correct)|incorrect)"
    r"|(?:no,? )?you(?:['’]ve)? got (?:that|it) wrong|you(?:['’]re| are) wrong|wrong|sorry|oops"
    r"|actually|correction|i mean(?:t)?|(?:no,? )?i"
    r" (?:told you|said (?:it|that)) wrong|(?:i )?got (?:it|that) wrong)"
    r"(?:\b|(?=[\u4e00-\u9fff])|$)"
    r"[了啊呀哦吧\s，,.。!！:：—-]*)+",
    _I,
)
"""Who begins so puts something right, or says at least that it was wrong."""

ENDS: Final = LatePattern(
    r"\s+我(?:刚才?|上次|上回|之前|昨天)?[看记说打听写]错了?[\s.。!！]*$"
    r"|[，,]\s*(?:我(?:刚才?|上次|上回|之前|昨天)?[看记说打听写]错了|才对|sorry|my (?:mistake|bad)"
    r"|i (?:misread|mixed it up))[\s.。!！]*$"
    r"|[，,.]? i (?:always |keep |often |just )*(?:mix|muddle|confus|get)\w* (?:it|them|those"
    r"|the two)"
    r"(?: up| wrong| mixed up)?[\s.!]*$"
    rf"|{HOW_WRITTEN}|[\s.。!！~～]+$|(?<=[\u4e00-\u9fff\d])才对$",
    _I,
)

_DENIED_EN: Final = (
    r"(?P<about{n}>[^,.;]{{1,40}}?) (?:does|do)(?: ?n['’]?t| not)"
    r" (?P<did{n}>\w+) (?P<at{n}>in|at|for|as|from|on) (?P<wrong{n}>[\w'’ -]{{1,24}}?)"
    r"[,.;]* (?:but )?(?:s?he|they|i|we|it) (?P<does{n}>(?P=did{n})(?:e?s)?) (?P=at{n})"
    r" (?P<right{n}>[\w'’ -]{{1,24}})"
)
"""My mum doesn't live in York, she lives in Hull."""

A_VALUE: Final = rf"(?:{WEEKDAYS}|\d+(?:[:.,]\d+)*|(?-i:[A-Z])[\w'’-]+)"

ONE_NOT_OTHER: Final = LatePattern(
    r"^不是(?P<wrong>[^，,。]{1,16})[，,、\s]*(?:而是|应该是|是)(?P<right>[^，,。！!？?]{1,16})$"
    r"|^(?:(?P<about>.{0,40}?)(?:是|为))?(?P<right2>[^，,。是]{1,16})"
    r"(?:[，,、]\s*|\s+)(?:而)?不是(?P<wrong2>[^，,。！!？?]{1,16})$"
    r"|^(?:(?P<about3>.{0,40}?)\b(?:is|are|was|were|am|it['’]?s|that['’]?s)\s+)?"
    r"(?:in |at |on |to )?(?P<right3>[\w' ,.-]{1,24}?),? (?:and )?not (?:in |at |on |to )?"
    r"(?P<wrong3>(?!.* but )[\w' -]{1,24})$"
    r"|^(?:it['’]?s |it is )?not (?P<wrong4>[\w' -]{1,24}?),? (?:but|it['’]?s|it is)"
    r" (?P<right4>[\w' -]{1,24})$"
    rf"|^(?:it['’]?s )?not (?P<wrong5>{A_VALUE}),? (?P<right5>{A_VALUE})$"
    r"|^(?P<about6>[^,.;]{1,40}?)(?: is ?n['’]?t| is not|['’]s not)(?: called| named)?"
    rf" (?P<wrong6>[\w'’-]+(?: [\w'’-]+)?)[,.;]* {IT_IS} (?P<right6>[\w'’ -]{{1,24}})$"
    r"|^(?P<about7>[^，,。不叫]{1,12})不(?:是叫?|叫)(?P<wrong7>[^，,。]{1,8}?)[，,、\s]*"
    r"(?:(?:而|应该)?是叫?|[他她它]?叫做?)(?P<right7>[^，,。！!？?]{1,12})$"
    rf"|^{_DENIED_EN.format(n=8)}$",
    _I,
)

SAYS_RIGHT: Final = LatePattern(
    r"^(?:应该|其实|我说的)?(?:是|叫)|^(?:it['’]?s|it is|it was|that['’]?s"
    r"|(?:s?he|his name|her name|the name)(?:['’]s| is)|i said|i meant|make that)\s+",
    _I,
)

WEAK: Final = LatePattern(r"\W*(?:sorry|oops|actually|no|wait)\b", _I)

_SAME_SORT: Final = (
    r"(?!不|而|也|都|就|还|我|你|[他她它]|[那这]|(?:not|it|that|this|i|he|she|they|we|you|there"
    r"|what|which)\b)"
    r"(?:(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?|(?-i:[A-Z][\w'’-]+))\b(?: of \w+)?"
    r"|[一-鿿]{0,2}?\d+[岁号日月点块]?|[一二三四五六七八九十百]+[岁号日月点块]?|[一-鿿]{1,4})"
)

WITH_REASON: Final = LatePattern(
    r"^(?P<core>\W*[^.。；;\n]{1,60}?)[.。,，;；!！]\s*"
    rf"(?P<rest>(?P<wrong>{_SAME_SORT})\s*(?:才?是|那是|\bis\b|\bwas\b|['’]s\b)\s*\S.{{0,80}})$"
    r"|^(?P<core2>\W*[^.。；;\n]{1,60}?)[.。,，;；]\s*"
    r"(?P<rest2>(?:[\w' ]{3,30} is my (?:brother|sister|mum|mom|dad|son|daughter|husband|wife"
    r"|friend|boss|cousin)|[一-鿿]{1,8}是我(?:[哥姐弟妹爸妈]|儿子|女儿|老[公婆]|朋友|同事)).{0,20})$",
    _I,
)
"""Who puts right and says what the wrong word is of: I meant the 24th. The 14th is the dentist."""

LAUGHS_AT_END: Final = LatePattern(
    r"(?:[\s,，.。!！哈嘿]|\b(?:lol|lmao|haha\w*|hehe\w*|fat fingers|typo|my bad|autocorrect|sorry"
    r"|oops)\b|手滑|手误|笑死|[😂🤣😅🙈🤦])++$",
    _I,
)

TOLD_BEFORE: Final = LatePattern(
    r"(?:之前|上次|上回|那天|前几天|跟你|和你)[^，。]{0,4}(?:说|讲|记|打)[错岔混]"
    r"|\b(?:i )?(?:told you|gave you|said (?:it|that)) (?:all |the )?wrong\b",
    _I,
)
"""Who says that they told her wrong may mean what was told some days ago."""

CORRECTS: Final = LatePattern(
    r"(?i)打错|说错|记错|写错|口误|讲错|搞错|弄错|说岔|记岔|记混|搞混|弄混|输错|手滑|手误|嘴瓢"
    r"|更正|纠正|^\W*(?:啊|哦|哎)?(?:不对|不是|错了)[，,。!！\s]*(?:应该)?是|\b(?:i meant|typo"
    r"|correction|make that|scratch that|strike that|told you wrong|said (?:it|that) wrong"
    r"|got (?:it|that) wrong|my (?:bad|mistake)|misspoke|mistyped|autocorrect|fat fingers"
    r"|wrong (?:day|date|one|number|name))\b"
)

ANEW: Final = LatePattern(
    r"(?i)\W*(?:啊|哦|哎)?(?:不对|错了)[，,。!！\s]++[我俺]|(?:(?:oh )?no,? wait|wait,? no"
    r"|sorry,? no)[,.!\s]+i\b"
)

ONLY_JEST: Final = LatePattern(
    r"(?i)(?:哈|嘿|好啦|没有?啦|其实|我|刚才?|上面|那|都|是|[\s，。！!~～…])*(?:(?:跟你"
    r"|和你)?开(?:个)?玩笑|骗你|逗你|逗你玩|瞎说|瞎编|胡说|胡扯|闹着玩|编)(?:的|呢|啦|了|哈|嘿"
    r"|[\s，。！!~～…])*|(?:ha)*(?:\W|no|nah|lol|sorry|i['’]?m|i was|i|only|just|that was"
    r"|it was|a|all|joking aside|haha)*(?:kidding|joking|jk|a joke|messing(?: with you)?"
    r"|pulling your leg|teasing you|made (?:that|it) up)\W*(?:lol|haha+|\W)*"
)


def corrects(text: str) -> bool:
    """Tell whether a message takes back what was said just before without naming it."""
    return CORRECTS.search(text[:LONGEST_READ]) is not None


def only_says_wrong(text: str) -> bool:
    """Whether a message says that something was wrong, and not what is right."""
    found = OPENS.match(text.strip().translate(SIMPLIFIED))
    if found is None or text.strip()[found.end() :].strip():
        return False
    return re.fullmatch(r"\W*(?:sorry|oops|actually|wait|no|i mean)\W*", text, _I) is None


def says_anew(text: str) -> bool:
    """Tell whether a message says anew, as it should be, what was said just before."""
    return ANEW.match(text[:LONGEST_READ]) is not None


def only_tells_of_a_slip(clause: str) -> bool:
    """Tell whether a clause says that something was wrong, and nothing else: 我记错了."""
    slip = re.search("错|wrong", clause)
    return bool(slip) and not CORRECTS.sub("", clause).strip("我了iI ，,.")


def tells_of_change(text: str) -> bool:
    """Tell whether a text has a word by which anything may be told to have changed."""
    return CHANGES.search(text) is not None


def takes_back_in_jest(text: str) -> bool:
    """Tell whether a whole message only says that what was told just before was no truth."""
    said = text.strip()
    return len(said) <= _LONGEST_JEST and ONLY_JEST.fullmatch(said) is not None


_LONGEST_JEST: Final = 120  # characters


def without_shared_lead(wrong: str, right: str) -> tuple[str, str]:
    """Return two Chinese words, of which one is right, without what both begin with.

    >>> without_shared_lead("住扬州", "住泰州"), without_shared_lead("南阳", "南昌")
    (('扬州', '泰州'), ('南阳', '南昌'))
    """
    found = _LEAD_ZH.match(wrong)
    lead = found[0] if found else ""
    longest = max((lead[:n] for n in range(len(lead) + 1) if right.startswith(lead[:n])), key=len)
    apart = len(wrong) > len(longest) < len(right)
    return (wrong[len(longest) :], right[len(longest) :]) if apart else (wrong, right)


_LEAD_ZH: Final = LatePattern("[住在属叫姓学教当做去到从是爱喜欢吃喝养有]{1,3}")


def told_rightly(text: str) -> str:
    """Return a text that denies one thing of somebody for another as it tells the other.

    >>> told_rightly("说错了，我妈不是住扬州，是住泰州")
    '我妈住泰州'
    >>> told_rightly("my mum doesn't live in Leeds, she lives in Lincoln")
    'my mum lives in Lincoln'
    """
    text = _with_name_put_right(text)
    opened = OPENS.match(text)
    found = _DENIED.match(text[opened.end() :] if opened else text.strip())
    if found is None:
        return text
    if found["who"]:
        return f"{found['who']}{found['did']}{found['right']}"
    return f"{found['about0']} {found['does0']} {found['at0']} {found['right0']}"


_NAMED_ANEW: Final = LatePattern(
    r"^\W*(?:(?:actually|no|sorry|wait|oh)[,.!]* )*(?P<who>(?:my|our) [\w'’ -]{2,30}?)"
    r" (?:is ?n['’]?t|is not) (?:actually |really )?(?:called|named) [\w'’-]+(?: [\w'’-]+)?"
    rf"[,.;]* {IT_IS} (?P<name>[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+)?)\W*$"
    r"|^(?:不对[，,]|其实)?(?P<who_zh>[我俺咱][^，,。不叫]{1,8})不叫[^，,。]{1,6}[，,\s]*(?:而是|应该|[他她它])?叫做?"
    r"(?P<name_zh>[^，,。！!？?我叫]{1,6}?)[。！!\s]*$",
    re.IGNORECASE,
)


def _with_name_put_right(text: str) -> str:
    """Return a text without the name that it says to be wrong, told with the right one.

    >>> _with_name_put_right("my boss isnt called Tom his name is Tim with an i")
    'my boss is called Tim'
    """
    found = _NAMED_ANEW.match(re.sub(HOW_WRITTEN, "", text.strip(), flags=re.IGNORECASE))
    if found is None:
        return text
    if found["who_zh"]:
        return f"{found['who_zh']}叫{found['name_zh']}"
    return f"{found['who']} is called {found['name']}"


_DENIED: Final = LatePattern(
    r"(?P<who>[我俺][^，,。不是]{0,10}?)不是(?P<did>[住在属学教当做]{1,3})[^，,。是]{1,12}[，,、\s]*"
    r"(?:而|应该)?是(?P=did)(?P<right>[^，,。！!？?]{1,12})[。！!\s]*$"
    rf"|{_DENIED_EN.format(n=0)}[.!\s]*$",
    _I,
)

_NOW_ZH: Final = r"(?:从今天起|从现在起|从今以后|以后|往后|今后|现在|就|都|也|改名|改|可以)*"
_CALLED_ZH: Final = (
    r"(?!我|你|您|他|她|它|什么|啥|谁|不|外卖|车|醒|个)(?P<{0}>[一-鿿A-Za-z·]{{1,6}}?)"
    r"(?:吧|了|啦|呀|啊|好不好|好吗|好了|怎么样|如何|哦|喽|嘛|呗)*[。.！!?？~～\s]*$"
)
_HER_NAME: Final = LatePattern(
    rf"^(?:小祥|那|对了|好|[，,\s])*{_NOW_ZH}(?:[你您]的?(?:新?名字)?{_NOW_ZH}叫做?"
    rf"|我{_NOW_ZH}[叫喊][你您](?:做|作)?|[给帮][你您][改换起取]个?新?名字?[，,\s]*{_NOW_ZH}叫做?)"
    rf"{_CALLED_ZH.format('zh')}|^(?:(?:ok(?:ay)?|so|and|hey|right)[,\s]+)*"
    r"(?P<now>(?:from now on|from today|starting today)[,\s]+)?"
    r"(?:(?:you(?:['’]?re| are)|ur|you(?:['’]?ll| will) be) "
    r"(?:now )?(?:called|named|(?(now)|(?!)))\s*"
    r"|your (?:new )?name(?:['’]?s| is| will be) (?:now )?"
    r"|i(?:['’]?m| am) (?:gonna|going to) (?:call|name) you |i(?:['’]?ll| will) (?:call|name) you "
    r"|i(?:['’]?m| am) (?:calling|naming) you )"
    r"(?P<en>(?!(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|tomorrow\b|when\b|if\b|what\b|nice\b)"
    r"(?:(?-i:[A-Z])[\w’'-]{1,15}|(?<=name is )[\w]{2,15}(?= now)))"
    r"(?: from now on| now| ok(?:ay)?|[,.!\s])*$",
    re.IGNORECASE,
)


def her_name_given(text: str) -> str:
    """Return the name a line gives to her: 以后你就叫小铃铛吧; "" if it gives none."""
    said = text.strip()
    found = _HER_NAME.match(said.translate(SIMPLIFIED)) if len(said) <= _LONGEST_NAMING else None
    if found is None:
        return ""
    begin, end = found.span("zh" if found["zh"] else "en")
    return said[begin:end]


_LONGEST_NAMING: Final = 60


def bids_her(clause: str) -> bool:
    """Tell whether a clause bids her to remind, to tell, or to leave it: 别让我婆婆知道."""
    return asks_for_reminder(clause) or BIDS.match(clause.translate(SIMPLIFIED)) is not None


ANY_KIN: Final = (
    rf"{KIN_ZH}|(?:daughter|son|niece|nephew|mum|mom|dad|(?:step)?(?:brother|sister)|cousin|aunt|uncle"
    r"|wife|husband|girlfriend|boyfriend|nan|gran(?:dma|dad|dpa|ny))\b"
)

ANIMAL: Final = rf"(?:{slots_zh.WORDS['PET']})|\b(?:{slots_en.WORDS['PET']})\b"

KIND_ZH: Final = LatePattern(rf"[一-鿿]{{0,3}}?(?:猫咪?|狗|犬)|{slots_zh.WORDS['PET']}")
OF_KIND: Final = LatePattern(
    rf"(?P<who>[一-鿿]{{2,4}}?)(?:其实|应该)?是(?:一?[只条])?(?P<kind>{KIND_ZH.pattern})[啦哦呀]?"
)
KIND_HELD: Final = LatePattern(rf"(?<=[只条匹是])(?:{KIND_ZH.pattern})(?=叫|[，,。的]|$)")
"""What kind of animal one is: 不对，汤圆是三花猫, of 养了只橘猫叫汤圆."""
