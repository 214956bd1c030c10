"""Reading a self-introduction whole: 我叫阿梅，今年29岁，在成都做护士; Zoe, 31, a nurse in Leeds.

People tell themselves in a row of fragments. One that no rule of a whole clause reads still says
what it plainly is (an age, a sign, a job in a town), as long as the row is about the speaker.
"""

import re
from collections.abc import Iterator
from typing import Final

from memory.model import Kind, Topic
from memory.offline.english import to_third_person
from memory.offline.statements import QUOTED, Statement, asks, is_unreal, sentences
from memory.offline.vocabulary import SURNAMES, WORDS_EN, WORDS_ZH
from memory.text.slot_core import LASTING_EN, LASTING_ZH, PASSING_EN, PASSING_ZH
from memory.text.slot_cues import Slot
from memory.text.tokens import plainly_written

_HAN: Final = re.compile("[一-鿿]")

_FRAGMENT: Final = re.compile(r"[，,。.;；!！、\n]+\s*|\s+(?:and|但|还有)\s+")

_FRAGMENT_ZH: Final = re.compile(r"[，,。;；!！、\n\s]+")

_FEWEST: Final = 2
"""So many fragments must be of one's person before a row counts as telling it."""

_LONGEST: Final = 200

_OTHERS: Final = re.compile(
    r"[他她它你您]|的人|应聘|主角|模板|例句|造句|翻译成|帮我|写[个一篇]|求|如果|要是"
    r"|\b(?:he|she|they|you|your|his|her|their|people|someone|sample|sentence|convert|write"
    r"|suppose|if"
    r"|pretend|character|kindly|please|translate|suggest|list)\b",
    re.IGNORECASE,
)

_JOB_ZH: Final = WORDS_ZH["JOB"]

_TRADE: Final = WORDS_EN["TRADE"]

_SIGN_ZH: Final = "白羊|金牛|双子|巨蟹|狮子|处女|天秤|天蝎|射手|摩羯|水瓶|双鱼"

_SIGN_EN: Final = (
    "aries|taurus|gemini|cancer|leo|virgo|libra|scorpio|sagittarius|capricorn|aquarius|pisces"
)

# What a fragment says, by its whole; {0} is what was said of it.
_ZH: Final[tuple[tuple[Slot | None, str, str], ...]] = (
    (
        Slot.NAME,
        (
            rf"(?:你好啊?)?(?:我叫|本人(?:叫|名叫)?(?!职业|单位|今年|平时|喜欢)|我的?名字[叫是]|叫我|"
            rf"我(?=[{SURNAMES}][一-鿿]{{1,2}}$))"
            r"([一-鿿·]{2,4}?)(?:吧|就行|呀|啦)?(?=$|上|做|在)"
        ),
        "叫{0}",
    ),
    (Slot.NAME, rf"我是([{SURNAMES}][一-鿿]{{1,2}})(?<![生师员人者家皇帝族])", "叫{0}"),
    (
        Slot.AGE,
        r"(?:我|俺)?(?:今年|都|才|刚|已经|快|马上)*(?:满)?(\d{1,2}|[一二三四五六七八九十]{2,3})(?:周?岁)?(?:啦|了|咯)?",
        "{0}岁",
    ),
    (
        Slot.HOME,
        r"(?:我|俺)?(?:家|人|现在|一直|目前)*(?:在|住在?|坐标)([一-鿿]{2,6}?)(?<![里上下中外])(?:待着|生活|住|定居)?",
        "住在{0}",
    ),
    (
        None,
        r"(?:我|俺)?(?:是|系|打小在|老家)?((?![又不个])[一-鿿]{2,5})(?<![超男女好坏病中年轻])(?:人|出生的?)(?:啦)?",
        "是{0}人",
    ),
    (
        Slot.WORK,
        rf"(?:我|现在|目前)*(在[一-鿿]{{2,10}}?)?(?:是|做|当|开|干)(?:一?[名个位])?([^的]{{0,8}}(?:{_JOB_ZH}))的?",
        "{0}做{1}",
    ),
    (
        Slot.WORK,
        r"(?:我|现在)*在([一-鿿A-Za-z]{2,10}?)((?:做|开|卖|烤|送|教)[^的]{1,6})",
        "在{0}{1}",
    ),
    (Slot.WORK, r"(?:我)?((?:送|卖|做|开|教|修)[一-鿿]{1,5})的", "的工作是{0}"),
    (
        None,
        rf"(?:我)?(?:是|属|典型)?((?:{_SIGN_ZH})座?|属[鼠牛虎兔龙龍蛇马馬羊猴鸡雞狗猪豬])(?:的|一枚)?",
        "是{0}",
    ),
    (
        None,
        r"(?:我)?(?:是)?(单身|已婚|未婚|离异|独生子女|单亲家庭|左撇子|回族|满族|壮族|藏族|维吾尔族)",
        "是{0}",
    ),
    (
        None,
        r"(?:我)?(?:身高)?((?:一米[一-鿿\d]{1,3}|1[4-9]\d|[12][.]\d{1,2}米)(?:cm|厘米)?)",
        "身高{0}",
    ),
    (None, r"(?:我)?(?:会|懂)(?!不|[死好让])(?:一?点)?([一-鿿]{2,10})", "会{0}"),
    (Slot.TASTE, r"(?:我|平时)*(?:爱|喜欢|喜歡|最?鍾意|就好那口)([一-鿿]{2,10})", "喜欢{0}"),
    (Slot.TASTE, r"(?:我)?(?:最烦|最恨|最讨厌|讨厌)([一-鿿]{2,8})", "讨厌{0}"),
    (
        None,
        rf"(?:我|俺)((?:{WORDS_ZH['FAMILY']}|闺女|女兒|父亲|阿爸|阿妈)(?!们|说|让|叫).{{2,24}})",
        "的{0}",
    ),
    (None, r"(?:我)?(?:有|养了?|養了)((?:一?[台辆輛只隻条條个個]).{1,10})", "有{0}"),
)

_EN: Final[tuple[tuple[Slot | None, str, str], ...]] = (
    (
        Slot.NAME,
        (
            r"(?:hi+|hey|hello)?[ ,]*(?:i'?m|i am|my name(?:'s| is)|name's|myself|call me)? ?"
            r"(?-i:([A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?))(?: here| this side)?"
        ),
        "'s name is {0}",
    ),
    (
        Slot.AGE,
        r"(?:i'?m |i am |aged? )?(\d{1,2})(?: ?(?:yrs?|years?)(?: old)?| yo)?",
        " is {0} years old",
    ),
    (
        Slot.WORK,
        (
            rf"(?:i'?m |i am |i work as )?(?:an? )?((?!not|my)[\w -]{{0,20}}\b(?:{_TRADE}"
            r"|bookkeeper"
            rf"|paramedic|machinist|assistant"
            r"|artist|lead|clerk|keeper|worker|mechanic|cleaner|analyst)s?)(?: (?:in"
            r"|at) ([A-Z][\w' ]+))?"
        ),
        " works as {0} {1}",
    ),
    (
        Slot.HOME,
        (
            r"(?:i'?m |i am |i live |basically |originally |born(?: and (?:bred|raised))? "
            r"|round )*(?:from|in|round) "
            r"([A-Z][\w']+(?: [A-Z][\w']+)?)(?: way| me)?"
        ),
        " is from {0}",
    ),
    (None, rf"(?:i'?m |im |i am )?(?:an? )?({_SIGN_EN})(?: so .*)?", " is a {0}"),
    (None, r"(?:i'?m |i am )?(single|married|divorced|adopted|widowed|retired)", " is {0}"),
    (
        None,
        r"(?:i'?m |im |i am )?(\d'\d{1,2}|(?:four|five|six) foot \w+|\d{3} ?cm)(?: .*)?",
        " is {0} tall",
    ),
    (None, r"(?:i )?(?:speak|know|can speak) ([\w ]{3,30})", " knows {0}"),
    (None, r"i can (?!'t|not|see|tell|say|do|get|be)([a-z]{3,12})", " can {0}"),
    (
        Slot.TASTE,
        r"(?:i )?(?:love|really like|mad into) ((?!it|that|this|you|how|being)[\w ]{3,30})",
        " loves {0}",
    ),
    (Slot.TASTE, r"(?:i )?hate ((?!it|that|this|you|how|when|being)[\w ]{3,30})", " hates {0}"),
    (None, r"i (?:only )?eat (halal|kosher|vegan|vegetarian)", " eats {0}"),
    (
        None,
        (
            r"my ((?:mother|father|mum|mom|dad|sister|brother|wife|husband|girlfriend|boyfriend"
            r"|fiancee?|son|daughter)"
            r"(?: \w+)? (?:is|lives|works|has|was|passed) .{2,40})"
        ),
        "'s {0}",
    ),
    (
        None,
        r"(?:i have|i've|i keep|we've|i've got) ((?:an?|one|two|three|four|five|six) .{2,30})",
        " has {0}",
    ),
)

_READERS_ZH: Final = tuple((s, re.compile(p), told) for s, p, told in _ZH)

_READERS_EN: Final = tuple((s, re.compile(p, re.IGNORECASE), told) for s, p, told in _EN)

_NO_NAME: Final = re.compile(
    rf"(?:{_TRADE}|single|married|yes|no|ok|okay|thanks?|sorry|well|hi|hello|hey|please|sure"
    rf"|good|great|nice"
    r"|oh.*|that.*|cool|lol|wow|maybe|today|tomorrow|yesterday|monday|tuesday|wednesday|"
    r"thursday|friday"
    r"|saturday|sunday"
    rf"|{_SIGN_EN})",
    re.IGNORECASE,
)


def introduced(text: str, subject: str) -> Iterator[Statement]:
    """Yield what the fragments of a text say of its speaker, if it tells of a person."""
    text = "\n".join(sentences(text))
    if len(text) > _LONGEST or _OTHERS.search(text) or asks(text) or is_unreal(text):
        return
    chinese = _HAN.search(text) is not None
    cut = _FRAGMENT_ZH if chinese else _FRAGMENT
    parts = [
        part.strip(" 　~～👋") for part in cut.split(plainly_written(text) if chinese else text)
    ]
    read = [
        found
        for place, part in enumerate(filter(None, parts))
        if (found := _read(part, place, chinese=chinese))
    ]
    if len(read) < _FEWEST:
        return
    for slot, value, told in read:
        yield Statement(
            text=f"{subject}{told}".strip(),
            value=value,
            slot=slot,
            kind=Kind.LASTING_PREFERENCE if slot is Slot.TASTE else Kind.IDENTITY,
            topic=Topic.PREFERENCE if slot is Slot.TASTE else Topic.PERSONAL,
            confidence=0.7,
        )


_LED_BY: Final = re.compile(
    r"^(?:(?:and|but|so|well|also|btw|fyi|honestly|tbh|actually|yeah|yes|yep|no|nope|hi|hello|"
    r"hey|oh|ok|okay|cos|because|though|anyway|to be fair|for the record|fun fact|lol|"
    r"haha)[,:!.]? +)+"
    r"|^(?:嗯+|哦|啊|哈+|对了|其实|另外|话说|说起来|顺便说一?下?|跟你说|告诉你|因为|所以|不过|而且|但是?|巧了|对|是的|没错|说实话|老实说|"
    r"讲真)[，,、\s]*",
    re.IGNORECASE,
)

_CLAUSES: Final = re.compile(
    r"[，,。；;！!～~\n]+\s*|(?<=[一-鿿])\s+|\s+-+\s+|\s+(?:and|but|cos|because)\s+(?=(?:i|my|we|"
    r"our)\b)|(?<=[a-z])[.]\s+",
    re.IGNORECASE,
)


def lasting(text: str, subject: str) -> Iterator[Statement]:
    """Yield the clauses in which a speaker tells what is so of them for long, as they stand."""
    if _BIDDEN.search(text):
        return
    for sentence in sentences(text):
        if is_unreal(sentence) or asks(sentence) or _INTRODUCED.match(sentence):
            continue
        for part in _CLAUSES.split(QUOTED.sub(" ", sentence)):
            clause = _LED_BY.sub("", part.strip(" .。!！…~～"))
            chinese = _HAN.search(clause) is not None
            form, passing = (LASTING_ZH, PASSING_ZH) if chinese else (LASTING_EN, PASSING_EN)
            plain = plainly_written(clause) if chinese else clause.replace("’", "'")
            if len(clause) > _LONGEST_CLAUSE or not form.fullmatch(plain):
                continue
            if passing.search(plain) or _POINTS.search(plain):
                continue
            told = (
                re.sub("^(?:我(?!们)|俺|本人)", subject, clause)
                if chinese
                else to_third_person(plain, subject)
            )
            value = told.removeprefix(subject).strip()
            yield Statement(
                text=told
                if told.startswith(subject)
                else f"{subject}{'：' if chinese else ': '}{told}",
                value=value,
                slot=None,
                kind=Kind.FACT,
                confidence=0.7,
            )


_LONGEST_CLAUSE: Final = 80

_POINTS: Final = re.compile(
    r"^(?:it|that|this|there)(?:'s| is| was)\b|\b(?:it|that|this|them)$", re.IGNORECASE
)
"""It's a girl, I keep thinking about it: nobody knows later what is meant."""

_INTRODUCED: Final = re.compile(
    r"[^:：]{0,40}(?:拍|看到|看下|理解|练习|缩成|写|念|发|type|saw|posted|reads?|says)[^:：]{0,30}[:：]",
    re.IGNORECASE,
)
"""阅读理解帮我看下：…: what follows is somebody else's."""

_BIDDEN: Final = re.compile(
    r"第[一二三四五六七八九十\d]+章|💬|🔁|@\w{3,}|帮我|幫我|请你|翻译|推荐|例句|造句|主角|歌词|改成.+语|改写"
    r"|\b(?:translate|proofread|rewrite|sample|sentence|character|story|pretend|"
    r"please (?:write|make|fix)|oh yes)\b",
    re.IGNORECASE,
)


def _read(part: str, place: int, *, chinese: bool) -> tuple[Slot | None, str, str] | None:
    for slot, pattern, told in _READERS_ZH if chinese else _READERS_EN:
        found = pattern.fullmatch(part)
        if found is None:
            continue
        # A bare capitalised word is a name only where people begin: at the first place.
        if slot is Slot.NAME and not chinese and (place or _NO_NAME.fullmatch(found[1])):
            continue
        values = [each or "" for each in found.groups()]
        return (
            slot,
            values[0] or values[-1],
            told.format(*values).strip() if chinese else told.format(*values).rstrip(),
        )
    return None
