"""Reading a self-introduction whole: 我叫阿梅，今年29岁，在成都做护士; Zoe, 31, a nurse in Leeds.

People tell themselves in a row of fragments. One that no rule of a whole clause reads still says
what it plainly is (an age, a sign, a job in a town), as long as the row is about the speaker.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memory.model import Kind, Sensitivity, Topic
from memory.offline.claimed import ClauseSubject, subject_of
from memory.offline.persons import to_third_person
from memory.offline.statements import QUOTED, Statement, asks
from memory.offline.understood import is_in_jest, is_understood, leans_outside
from memory.offline.vocabulary import WORDS_EN, WORDS_ZH
from memory.text.late_pattern import LatePattern
from memory.text.line_salience import ADDRESS, AHEAD
from memory.text.slot_core import HABIT_ZH, KIN_ZH, LASTING_EN, LASTING_ZH, PASSING_EN, PASSING_ZH
from memory.text.slot_cues import Slot
from memory.text.slots_zh import BIDDEN_ZH
from memory.text.word_forms import SURNAMES

_HAN: Final = LatePattern("[一-鿿]")
_FRAGMENT: Final = LatePattern(
    r"[，,。.;；!！、\n]+\s*(?:and\s+)?|\s+and\s+(?=(?:i|i'm|my|we)\b)", re.IGNORECASE
)

_FEWEST: Final = 2
"""So many fragments must be of one's person before a row counts as telling it."""
_LONGEST: Final = 200

_OTHERS: Final = LatePattern(
    r"[她它你您]|(?<![吉其])他|的人|应聘|主角|模板|例句|造句|翻译成|帮我|写[个一篇]|求|如果|要是"
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

VERBATIM: Final = ""  # the fragment stays as it was said

_ZH: Final[tuple[tuple[Slot | None, str, str], ...]] = (
    (
        Slot.NAME,
        (
            rf"(?:你好啊?)?(?:我叫|本人(?:叫|名叫)?(?!职业|单位|今年|平时|喜欢)|我的?名字[叫是]|叫我(?!{BIDDEN_ZH})|"
            rf"我(?=[{SURNAMES}][一-鿿]{{1,2}}$))"
            r"([一-鿿·]{2,4}?)(?:吧|就行|呀|啦)?(?=$|上|做|在)"
        ),
        "叫{0}",
    ),
    (Slot.NAME, r"(?:我|俺)?叫([一-鿿]{2,3})[上做在读念今住].{1,12}", VERBATIM),
    (Slot.NAME, rf"我是([{SURNAMES}][一-鿿]{{1,2}})(?<![生师员人者家皇帝族])", "叫{0}"),
    (
        Slot.AGE,
        r"(?:我|俺)?(?:今年|都|才|刚|已经|快|马上)*(?:满)?(\d{1,2}|[一二三四五六七八九十]{2,3})(?:周?岁)?(?:啦|了|咯)?",
        "{0}岁",
    ),
    (
        Slot.HOME,
        r"(?:我|俺)?(?:家|人|现在|一直|目前)*(?:在|住在?|坐标)([一-鿿]{2,6}?)(?<![里上下中外])(?:待着|生活|住|定居)?",
        VERBATIM,
    ),
    (
        None,
        r"(?:我|俺)?(?:是|系|打小在|老家)?((?![又不个])[一-鿿]{2,5})(?<![超男女好坏病中年轻])(?:人|出生的?)(?:啦)?",
        VERBATIM,
    ),
    (
        Slot.WORK,
        rf"(?:我|现在|目前)*(在[一-鿿]{{2,10}}?)?(?:是|做|当|开|干)(?:一?[名个位])?([^的]{{0,8}}(?:{_JOB_ZH}))的?",
        VERBATIM,
    ),
    (
        Slot.WORK,
        r"(?:我|现在)*在([一-鿿A-Za-z]{2,10}?)((?:做|开|卖|烤|送|教)[^的]{1,6})",
        VERBATIM,
    ),
    (Slot.WORK, r"(?:我)?((?:送|卖|做|开|教|修)[一-鿿]{1,5})的", VERBATIM),
    (None, rf"(?:我)?(?:是|属|典型)?((?:{_SIGN_ZH})座?)(?:的|一枚)?", "是{0}"),
    (None, r"(?:我)?(?:是)?(属[鼠牛虎兔龙龍蛇马馬羊猴鸡雞狗猪豬])(?:的)?", "{0}"),
    (
        None,
        r"(?:我)?(?:是)?(单身|已婚|未婚|离异|独生子女|单亲家庭|左撇子|回族|满族|壮族|藏族|维吾尔族)",
        "是{0}",
    ),
    (
        None,
        r"(?:我)?(?:身高)?((?:一米[一-鿿\d]{1,3}|1[4-9]\d|[12][.]\d{1,2}米)(?:cm|厘米)?)",
        VERBATIM,
    ),
    (None, r"(?:我)?(?:会|懂)(?!不|[死好让])(?:一?点)?([一-鿿]{2,10})", VERBATIM),
    (Slot.TASTE, r"(?:我|平时)*(?:爱|喜欢|喜歡|最?鍾意|就好那口)([一-鿿]{2,10})", VERBATIM),
    (Slot.TASTE, r"(?:我)?(?:最烦|最恨|最讨厌|讨厌)([一-鿿]{2,8})", VERBATIM),
    (
        None,
        rf"(?:我|俺)((?:{WORDS_ZH['FAMILY']}|闺女|女兒|父亲|阿爸|阿妈)(?!们|说|让|叫).{{2,24}})",
        VERBATIM,
    ),
    (None, r"(?:我)?(?:有|养了?|養了)((?:一?[台辆輛只隻条條个個]).{1,10})", VERBATIM),
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
        Slot.NAME,
        (
            r"((?:hi+|hey|hello)?[ ,]*(?:i'?m|i am|my name is|myself) (?-i:[A-Z])\w+"
            r" (?:from|in|at|doing|studying|working) [\w ]{2,30})"
        ),
        ": {0}",
    ),
    (
        Slot.AGE,
        r"(?:i'?m |i am |aged? )?(\d{1,2})(?: ?(?:yrs?|years?)(?: old)?| yo)?",
        " is {0} years old",
    ),
    (
        Slot.WORK,
        (
            rf"(?:i'?m |i am |i work as )?((?:an? )?(?!not|my)[\w -]{{0,20}}\b(?:{_TRADE}"
            r"|bookkeeper|paramedic|machinist|assistant|artist|lead|clerk|keeper|worker|mechanic|cleaner|analyst)s?"
            r"(?: (?:in|at|for|with) [\w' ]{2,30})?)"
        ),
        ": {0}",
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
        ": {0}",
    ),
    (None, r"((?:i )?(?:speak|know|can speak) [\w ]{3,30})", ": {0}"),
    (None, r"((?:i )?(?:studied|studying|did my \w+ in) [\w ]{3,30})", ": {0}"),
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

_READERS_ZH: Final = tuple((s, LatePattern(p), told) for s, p, told in _ZH)

_READERS_EN: Final = tuple((s, LatePattern(p, re.IGNORECASE), told) for s, p, told in _EN)

_NO_NAME: Final = LatePattern(
    rf"(?:{_TRADE}|single|married|yes|no|ok|okay|thanks?|sorry|well|hi|hello|hey|please|sure"
    r"|good|great|nice|oh.*|ha.*|hm+|um+|ah.*|aw.*|ugh|yay|yeah|actually|\w+ly|that.*|cool|lol"
    rf"|wow|maybe|today|tomorrow|yesterday|\w+day|.*['’]s\b.*|{_SIGN_EN})",
    re.IGNORECASE,
)


def introduced(said: Sequence[str], subject: str) -> Iterator[Statement]:
    """Yield what the fragments of claimed sentences say, if they tell of the speaker's person.

    Where two of them plainly do, the others of the row do too, in their own words.
    """
    text = ADDRESS.sub("", "\n".join(said))
    if len(text) > _LONGEST or "" in said or _OTHERS.search(text) or asks(text):
        return
    chinese = _HAN.search(text) is not None
    parts = [part.strip(_AROUND) for part in (_ROW_ZH if chinese else _FRAGMENT).split(text)]
    told = [*_of_the_speaker([x for x in parts if x and not leans_outside(x)])]
    read = [(part, [*_read_fragment(part, place, chinese=chinese)]) for place, part in told]
    row = [found for _, each in read for found in each]
    few = len(row) < _FEWEST or 2 * len(row) < len(parts)
    if few or (all(slot is None for slot, *_ in row) and not _LED_BY_SELF.match(parts[0])):
        return
    for part, found in read:
        if len(found) == 1 and " " not in part.strip() * chinese:
            yield from (_introducing(*each, subject) for each in found)
        elif _BESIDE_ZH.fullmatch(part) if chinese else _BESIDE_EN.fullmatch(part):
            yield _introducing(None, part, _own_words(part, chinese=chinese), subject)


def _introducing(slot: Slot | None, value: str, told: str, subject: str) -> Statement:
    return Statement(
        text=re.sub("我(?!们)", subject, f"{subject}{told}").strip(),
        value=value,
        slot=slot,
        kind=Kind.LASTING_PREFERENCE if slot is Slot.TASTE else Kind.IDENTITY,
        topic=Topic.PREFERENCE if slot is Slot.TASTE else Topic.PERSONAL,
        confidence=0.7,
    )


def _read_fragment(
    part: str, place: int, *, chinese: bool
) -> Iterator[tuple[Slot | None, str, str]]:
    """Yield what a fragment says; Chinese is written with spaces for commas by many."""
    for piece in re.split(r"\s+", part) if chinese else (part,):
        if found := _read(piece, place, chinese=chinese):
            yield found


def _own_words(part: str, *, chinese: bool) -> str:
    """Return a fragment as what is told of its speaker: 早先是火车司机, ": bad back"."""
    if chinese:
        return f"：{part}" if part.startswith("我们") else re.sub("^[我俺]|^本人", "", part)
    return f": {part}" if not _SELF_EN.match(part) else to_third_person(part, "")


_AROUND: Final = " 　~～👋😊😄🙂"

_ROW_ZH: Final = LatePattern(r"[，,。;；!！、\n]+|(?<=[一-鿿])\s+(?=[一-鿿])")

_SELF_EN: Final = LatePattern(r"(?:I|I'm|im|I am|I've|my|me)\b", re.IGNORECASE)

_BESIDE_ZH: Final = LatePattern(
    r"(?!.*(?:认识|你好|大家|各位|高兴|请多|关照|谢谢|哈哈|怎么|今天|昨天|明天|刚才|觉得|感觉|可以|应该|不知道|一下|[说记打写讲搞弄看听][错岔混]))(?=.*[一-鿿]).{2,30}"
)

_BESIDE_EN: Final = LatePattern(
    r"(?!.*\b(?:hi|hello|hey|nice|pleased|meet|thanks|thank|lol|haha|today|yesterday|tomorrow|now|think|feel|guess|hope"
    r"|it|this|thats?|there|what|so|well|ok|okay|yes|no|sorry|please|anyway|really)\b)(?=.*[a-z]{2})[^?]{3,60}",
    re.IGNORECASE,
)


def _of_the_speaker(parts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the fragments, with their places, that do not tell of the one named before them."""
    subject = ClauseSubject.SPEAKER
    for place, part in enumerate(parts):
        named = subject_of(part)
        subject = subject if named is ClauseSubject.UNSAID else named
        ahead = part.startswith("在") and bool(AHEAD.search(parts[max(place - 1, 0)]))
        if named is ClauseSubject.THEIRS or (subject is ClauseSubject.SPEAKER and not ahead):
            yield place, part


_LED_BY: Final = LatePattern(
    r"^(?:(?:and|but|so|well|also|btw|fyi|honestly|tbh|actually|yeah|yes|yep|no|nope|hi|hello|"
    r"hey|oh|ok|okay|cos|coz|because|plus|though|anyway|to be fair|for the record"
    r"|fun fact|lol|haha)[,:!.]? +)+"
    r"|^(?:嗯++|哦|啊|哈++|对了|其实|另外|话说|说起来|顺便说一?下?|跟你说|告诉你|因为|所以|不过|而且|但是?|巧了|对|是的|没错|说实话|老实说|"
    r"讲真)[，,、\s]*",
    re.IGNORECASE,
)

_CLAUSES: Final = LatePattern(
    r"[，,。；;！!～~\n]+\s*|(?<=[一-鿿])\s+|\s+-+\s+|(?<!\bme)(?<!\bi)\s+(?:and|but|cos|because)\s+(?=(?:i|my|we|"
    r"our)\b)|\s+so (?=(?:that|it|i|we|don't|pls|please)\b)|(?<=[a-z])[.]\s+",
    re.IGNORECASE,
)


def lasting(said: Sequence[str], subject: str) -> Iterator[Statement]:
    """Yield the clauses that tell what is so of a speaker for long, after a question as well."""
    for sentence in said:
        told, others = QUOTED.sub(" ", sentence), False
        if told.isascii() and asks(_CLAUSES.split(told)[0]):
            told = told.partition(",")[2]
        for part in () if sentence.endswith(("?", "？", "吗")) else _CLAUSES.split(told):
            clause = _LED_BY.sub("", _SIGNS.sub("", part.strip(" .。!！…~～")))
            chinese = _HAN.search(clause) is not None
            led = _led_by_self(clause) if chinese else clause.replace("’", "'")
            meant = is_understood(clause) and not is_in_jest(sentence, part, part)
            leans = others and _COMES_OF_IT.match(part)
            others = subject_of(clause) is ClauseSubject.OTHER
            if meant and not (others or leans or asks(part)) and _lasts(led, chinese=chinese):
                yield _lasting_statement(led, subject, chinese=chinese)


_COMES_OF_IT: Final = LatePattern(r"so (?:we\b|i \w+$|.*\b(?:his|her|him|their)\b)", re.IGNORECASE)
_SIGNS: Final = LatePattern("[\\s☀-➿️\U0001f000-\U0001faff]+$")


def _lasts(clause: str, *, chinese: bool) -> bool:
    form, passing = (LASTING_ZH, PASSING_ZH) if chinese else (LASTING_EN, PASSING_EN)
    if len(clause) > _LONGEST_CLAUSE or not form.fullmatch(clause):
        return False
    return not passing.search(clause) and not _POINTS.search(clause)


def _led_by_self(clause: str) -> str:
    """Return a clause with 我 at its head, where it speaks of oneself with another beginning."""
    if _OF_SELF_ZH.match(clause) or (_LEADS_SELF_ZH.match(clause) and "的人" not in clause):
        return f"我{clause}"
    if _KIN_FIRST_ZH.match(clause):
        return f"我{clause}"
    habit = HABIT_ZH.fullmatch(clause)
    return f"我{habit['when']}{habit['rest']}" if habit else clause


def _lasting_statement(clause: str, subject: str, *, chinese: bool) -> Statement:
    if chinese:
        told = re.sub("^(?:俺|本人)|我(?!们)", subject, clause)
    else:
        # "lost their husband" may be anybody's; the loss is kept as it was told.
        told = to_third_person(clause, subject) if _SELF_EN.match(clause) else clause
        told = clause if _LOST.match(clause) else told
    ill = _OF_HEALTH.search(clause) is not None
    return Statement(
        text=told if told.startswith(subject) else f"{subject}{'：' if chinese else ': '}{told}",
        value=told.removeprefix(subject).strip(),
        slot=None,
        kind=Kind.FACT,
        confidence=0.7,
        sensitivity=Sensitivity.SENSITIVE if ill else Sensitivity.PUBLIC,
    )


_OF_SELF_ZH: Final = LatePattern("最[烦怕恨爱讨喜]|超[爱怕]|特别[爱怕]|[从打]小|天生|典型")
"""With these somebody speaks of themselves, 我 or not."""

_KIN_FIRST_ZH: Final = LatePattern(f"{KIN_ZH}(?![，,、说讲问叫]|[^，]{{0,4}}(?:的人|别人))")
"""妈妈对花生过敏: without another's name it is the speaker's mother."""

_LEADS_SELF_ZH: Final = LatePattern(
    "老家|籍贯|祖籍|户口|本科|硕士|博士|高中|身高|体重|血型|血压|血糖|血脂|尿酸|视力|近视|口味|酒量|房租|月薪|工资|[左右][耳眼]"
    "|(?:刚|终于|总算|已经)*(?:考|拿|领|评|通过)(?:下来|到|过|上|完|了)"
    "|(?:在|干|做|开|跑|教|住|学|养|戒|吃|修|卖)[^我你他她它，]{1,14}?[一二三四五六七八九十几两好多\\d]+(?:来|多|几)?年(?:多|了|啦|咯)+$"
)
"""With these a clause without a subject tells what its speaker has, attained, does for years."""

_LOST: Final = LatePattern(r"(?:i|we) lost\b", re.IGNORECASE)

_OF_HEALTH: Final = LatePattern(
    rf"{WORDS_ZH['ILLNESS']}|[过過]敏|不耐受|手术|住院|中风|怀孕|流产|抑郁|去世|过世|病"
    rf"|\b(?:{WORDS_EN['ILLNESS']}|allergic|intolerant|stroke|cancer|surgery|pregnant|died|passed|diagnosed|\w+itis|dementia|sick)\b",
    re.IGNORECASE,
)


_LONGEST_CLAUSE: Final = 80

_POINTS: Final = LatePattern(
    r"^(?:it|that|this|there)(?:'s| is| was)\b|\b(?:it|that|this|them)$", re.IGNORECASE
)
"""It's a girl, I keep thinking about it: nobody knows later what is meant."""


def _read(part: str, place: int, *, chinese: bool) -> tuple[Slot | None, str, str] | None:
    for slot, pattern, told in _READERS_ZH if chinese else _READERS_EN:
        found = pattern.fullmatch(part)
        if found is None:
            continue
        # A bare capitalised word is a name only where people begin: at the first place.
        if slot is Slot.NAME and not chinese and (place or _NO_NAME.fullmatch(found[1])):
            continue
        if not told:
            return slot, part, _own_words(part, chinese=chinese)
        values = [each or "" for each in found.groups()]
        return (
            slot,
            values[0] or values[-1],
            told.format(*values).strip() if chinese else told.format(*values).rstrip(),
        )
    form = LASTING_ZH if chinese else LASTING_EN
    led = f"我{part}" if chinese and not _LED_BY_SELF.match(part) else part
    return (None, part, _own_words(part, chinese=chinese)) if form.fullmatch(led) else None


_LED_BY_SELF: Final = LatePattern("[我俺]|本人")
