"""What a slot is, and the cues that tell of one: the tables of both languages, ready to search.

Also the frames under which a clause claims nothing of its speaker: jest, wish, attempt, others,
past. They are closed classes of words, read by :mod:`memory.text.slots`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from memory.text import slots_en, slots_zh
from memory.text.late_pattern import LatePattern, PatternTable, shortest
from memory.text.word_forms import BASE_FORMS


class Slot(StrEnum):
    """What a statement is about."""

    HOME = "home"
    WORK = "work"
    SCHOOL = "school"
    PARTNER = "partner"
    NAME = "name"
    NICKNAME = "nickname"
    AGE = "age"
    BIRTHDAY = "birthday"
    HEALTH = "health"
    TASTE = "taste"
    HABIT = "habit"
    AWAY = "away"
    """In hospital, abroad, away for work, or home again."""
    POSSESSION = "possession"
    CHILDREN = "children"
    THING = "thing"
    PLAN = "plan"
    ANY = "any"


SINGLE_VALUED: Final = frozenset(
    {
        Slot.HOME,
        Slot.WORK,
        Slot.SCHOOL,
        Slot.PARTNER,
        Slot.NAME,
        Slot.NICKNAME,
        Slot.AGE,
        Slot.BIRTHDAY,
        Slot.AWAY,
    }
)
"""Of these a person has one value at a time."""


class ClaimMode(StrEnum):
    """How a value stands in its slot."""

    HOLDS = "holds"
    MOVED = "moved"
    STOPPED = "stopped"
    PAST = "past"
    UNREAL = "unreal"


REAL: Final = frozenset({ClaimMode.HOLDS, ClaimMode.MOVED, ClaimMode.STOPPED})
"""The modes in which something is said to be so by now."""


@dataclass(frozen=True, slots=True)
class Cue:
    """A way of speaking of a slot: what it tells, and the expression that finds it."""

    slot: Slot
    mode: ClaimMode
    about: str
    fixed: str
    firm: bool
    loose: bool
    denies: bool
    pattern: str

    def search(self, clause: str) -> re.Match[str] | None:
        """Find the cue in a clause."""
        found = compiled(self.pattern).search(clause)
        # My left arm leaves nobody, nor does who left a watch at the office.
        left = found is not None and found[0].lower().startswith(("left", "lost"))
        if found and left and (_SIDE.search(clause[: found.start()]) or _BEHIND.match(found[0])):
            return None
        return found


_SIDE: Final = LatePattern(r"(?i)\b(?:my|the|his|her|our|their|your|upper|lower) $")
_BEHIND: Final = LatePattern(
    r"(?i)(?:left|lost) (?:my|our|an?) (?!(?:\w+ )?(?:job|post|place|role|position|work)\b)[\w' -]{2,24}? (?:at|in|on|behind)\b"
)


@cache
def compiled(pattern: str) -> LatePattern:
    """Return the expression; made when first needed, since the start must not wait for it."""
    return LatePattern(pattern, re.IGNORECASE)


def cues(table: str, words_for: Mapping[str, str]) -> tuple[Cue, ...]:
    """Return the cues of a table: ``slot mode[?][-] expression`` on each line.

    Behind the mode may stand what it is about, and the value it sets (``habit holds.smoke.no``,
    ``work holds.none``). ``?`` marks what is not firm, ``~`` what may only be ended, ``-`` what denies. ``«…»`` encloses the
    value, a word in braces stands for the alternatives ``words_for`` has under it.
    """
    found: list[Cue] = []
    for line in filter(None, map(str.strip, table.splitlines())):
        slot, mode, pattern = line.split(None, 2)
        for name, alternatives in words_for.items():
            pattern = pattern.replace("{" + name + "}", f"(?:{alternatives})")
        named, *closer = mode.rstrip("?~-").split(".")
        # Of a slot with one value the closer word is the value: single, retired.
        about, fixed = (
            ("", *closer, "")[:2] if Slot(slot) in SINGLE_VALUED else (*closer, "", "")[:2]
        )
        found.append(
            Cue(
                slot=Slot(slot),
                mode=ClaimMode(named),
                about=about,
                fixed=fixed,
                firm="?" not in mode and "~" not in mode,
                loose="~" in mode,
                denies="-" in mode,
                pattern=_with_numbered_values(pattern),
            )
        )
    return tuple(found)


def _with_numbered_values(pattern: str) -> str:
    """Return the expression with a group for each value; alternatives may hold one each."""
    count = 0

    def opened(_: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return f"(?P<v{count}>"

    return re.sub("«", opened, pattern).replace("»", ")")


class CueTable:
    """The cues of one language, and which of them a clause can hold at all."""

    def __init__(self, listed: Sequence[Cue]) -> None:
        self._cues = listed
        self._patterns = PatternTable([cue.pattern for cue in listed])
        words: dict[Slot, set[str]] = {}
        for cue, needed in zip(listed, self._patterns.needed, strict=True):
            # "" stands in every clause.
            words.setdefault(cue.slot, set()).update(needed or {""})
        slots: dict[str, set[Slot]] = {}
        for slot, listed_words in words.items():
            for word in shortest(listed_words):
                slots.setdefault(word, set()).add(slot)
        self.words: Final = [(found, word) for word, found in slots.items()]
        """Words, and the slots of which no clause speaks without one of theirs."""

    def fitting(self, clause: str) -> list[Cue]:
        """Return the cues that may fit a clause, in the order of the table."""
        return [self._cues[number] for number in self._patterns.fitting(clause)]


@cache
def tables() -> Mapping[str, CueTable]:
    """Return the cues of each language; made when first needed, the start must not wait."""
    return {
        "zh": CueTable(cues(slots_zh.TABLE, slots_zh.WORDS)),
        "en": CueTable(cues(slots_en.TABLE, slots_en.WORDS)),
    }


@cache
def core_tables() -> Mapping[str, CueTable]:
    """Return the cues that are looked for in the core of a clause, of each language."""
    return {
        "zh": CueTable(cues(slots_zh.CORE_TABLE, slots_zh.CORE_WORDS)),
        "en": CueTable(cues(slots_en.CORE_TABLE, slots_en.CORE_WORDS)),
    }


_IN_JEST_ZH: Final = "开玩笑|骗你|逗你|哄你|愚人节|梦见|梦到|梦里|做了?个?.{0,4}梦"

_IN_JEST_EN: Final = r"(?<!am i )(?<!not )(?<!not even )kidding|(?<!not )(?<!not even )joking|jk|just a joke|april fool|dream(?:t|ed)?|in the (?:game|sims|book|show|video)|lyrics?|fictional|character"

# Of a whole message: what it tells happened on a screen, on a page, in sleep or in jest.
FICTION: Final = LatePattern(
    rf"(?i){_IN_JEST_ZH}|游戏里|电影里|电视剧|小说|视频里|刷到|剧里|动漫|角色|博主|\b(?:{_IN_JEST_EN}|(?<!like a )film|(?<!like a )movie|novel|sitcom|tv show|play(?:ing|ed)? (?:this|an?|that|some|the) (?:\w+ )?game\b[^.]{{0,40}}\bwhere (?:i|you)\b|video game|d&d|podcast)\b"
)

# Of what was told before it as well.
JEST: Final = LatePattern(
    rf"(?i){_IN_JEST_ZH}|[是在][^，。]{{0,6}}(?:游戏|电影|电视剧|小说|剧)里|\b(?:{_IN_JEST_EN}|pretend)\b"
)

# Of a sentence: nothing in it is said to be so.
SUPPOSED: Final = LatePattern(
    r"如果|要是|假如|假设|万一|倘若|的话|除非|好像要|[?？]|(?:吗|么)[。！~]*$|除(?:此之外|了这个|了那个)[^。]*不过敏|这(?:老|把)?(?:腰|背|膝盖|腿|身体|身子|身子骨|体力|骨头|颈椎)(?:[啊呀都也像有，])*[七八九一][十百]|(?:什么|啥)都不过敏[，,]?(?:就|只|除)(?!是[^，]{0,6}说)|\b(?:not|n['’]?t) allergic to anything\b[^.]*?\b(?:but (?!i\b|it|my|you|we|they|he|she)|besides|except|just|only|other than|apart from|more than)|\b(?:other than|apart from|besides|except) (?:that|those|it)\b[^.]*\bnot allergic"
    # What was lost and found again was never gone.
    r"|找回来|找着了|找到[他她它]?了|失而复得|\bfound (?:him|her|it|them) (?:again|in|under|behind|hiding|asleep|safe|at|on)\b|\bwe found (?:him|her|them)\b|\b(?:if(?! you (?:please|will|like|must))|unless|suppose|imagine|would|wouldn't(?! (?:miss|trade|swap|change))|could i|what if|as though|guess who)\b|猜猜?看?是?谁|i'd\b(?! (?:rather|prefer))",
    re.IGNORECASE,
)

# Of a clause: wished, planned, nearly done, tried in vain, or denied to have changed.
UNDONE: Final = LatePattern(
    r"(?i)(?<![思理梦感联回猜幻设不])想(?![不念起到着吐听看吃喝玩])|希望|打算|考虑|思考|不愿意|担心|害怕|也许|可能|说不定|犹豫|纠结|差点|差一点|险些|几乎要|忍住|劝我|让我(?!推|给)|应该(?:去|搬|换|辞)|要(?=搬|换工作|换房|辞职|离职|离婚|分手|移民)|嘴上|谣|据说|听说|网上|没(?:有)?(?:搬|换|离|辞|分|改|变|动|搬成|卖|戒)|不(?:搬|换|分|离婚|辞|改)|照常|还是老|照旧|不变|替|代班|岁的(?:身|心|灵魂|腰|背|膝盖|腿|骨|精力|体力)|(?<![第头])一天(?!天|[一二两三四五六七八九十\d])|给(?!我|自己|俺)[^，。]{1,8}(?:改名|取名|起名)|借(?!口)|试驾|路过|出差|旅游|旅行|度假|开会|参观|两[晚天]|几天|酒店|\b(?:want|wanna|wish|hop(?:e|ing)|plan(?:s|ning)? to|thinking|thought|consider(?:ing|ed)?|whether|might|maybe|perhaps|should|could|nearly|almost|tempted|tried to|trying to|refused|rejected|offer in|(?:haven't|hasn't)(?! (?:\w+ )?(?:touched|smoked|drunk|eaten|had|been|got (?:any )?(?:diabet|asthma|cancer|epilep|arthrit|high blood|hiv|ibs)\w*))|didn't|not (?:moving|leaving|quitting|changing|divorced)|never (?:moved|left)|no slots|(?:basically|practically|virtually) (?:[6-9]\d|1\d\d)|(?:12[1-9]|1[3-9]\d|[2-9]\d\d) years old|(?:wo)?man of \d{2,3} today|stays?(?:ing)? (?:put|as)|visit(?:ing|ed)?|holiday|vacation|conference|trip|for a day|filled in|covering for|borrowed|rental|test[- ]drove|pretend|rumou?r|apparently|supposedly|for the (?:weekend|week|night)|next door|viewing|looking (?:for|at))\b"
)

AHEAD: Final = LatePattern(
    rf"(?i)^(?!.*(?:去年|前年|上个?(?:月|周|星期|礼拜)|已经|早就|那年|当年)).*?(?:下个?(?:月|周|星期|礼拜|半年|学期)|明(?:年|天|早|晚|儿)|(?<![今往以之])后[天年]|(?<!不)过(?:几|两|[一二三四五六七八九十\d]+)(?:天|周|个月|个星期|年)(?!了)|马上|即将|就要|快要|快(?=[搬辞离退毕去入换好出拆康痊戒回])|准备|(?<!不)要(?=[搬去回辞离退入跳换调转走出拆])|将(?=[要会搬去于])|(?<!不)会(?=[搬去回调转])|(?:月底|年底|年后|节[前后]|[一二三四五六七八九十\d]{{1,3}}月(?:份|底|初|中旬?|[一二三四五六七八九十\d]{{1,3}}[号日])?|(?:周|星期|礼拜)[一二三四五六日天末]|国庆|春节|元旦|五一|暑假|寒假|过完年)(?!.*(?:[了过]|的$)))|\b(?:will|won['’]?t|gonna|going to(?= (?:move|start|work|live|join|leave|quit|be|go|retire|study)\b)|about to|due to|set to)\b|['’]ll\b|^(?!.*\b(?:now|just|today|tonight|yesterday|this (?:week|morning)|last|ago|was|were|been)\b).*\b(?:moving|relocating|emigrating|transferring|starting|joining|leaving|retiring|graduating|coming (?:home|off|out))\b|^(?!.*\b(?:\w{{2,}}ed|began|begun|left|quit|got|took|taken|bought|found|was|were|been|had|have|sold|made|gave|given|went|gone|became|came|last|ago|yesterday|today|now)\b)(?!.*['’]ve\b).*\b(?:next (?:week|month|year|spring|summer|autumn|fall|winter|term|\w+day)|tomorrow|soon|(?:in|from|on|until after|come) (?:the )?(?:{slots_en.MONTH}|spring|summer|autumn|fall|winter|new year|\w+day|\d+(?:st|nd|rd|th| {slots_en.MONTH})|next \w+)|in (?:an?|two|three|four|a few|\d+) (?:days?|weeks?|months?|years?|fortnight)|after (?:christmas|easter|the (?:summer|holidays))|at the end of)\b"
)
"""Of a change: it is to come, and until its day nothing is over."""

BEGINS_AHEAD: Final = LatePattern(
    r"(?i)(?:下|明|后)[^，]{1,4}(?:开始|起)|\b(?:will|gonna|going to)\b|['’]ll\b|\bfrom (?:next|the \d)"
)
"""Of what holds: it is told of a time to come."""

SAME_AGAIN: Final = LatePattern(
    r"(?i)^(?!.*[回换離离搬出走]).*(?:老地方|老样子|老单位|老东家|原地|(?:原来|原先|之前)的?那?[个家套份]?(?:地方|单位|公司|厂|房子|小区|工作|学校|岗位))|^(?!.*[回换離离搬出走]).*(?:还|仍|依然|依旧|一直|照样)[^，]{0,4}那(?:儿|里|边|个地方|个小区|家公司|家单位)|^(?!.*\b(?:back|moved|left|quit|instead|another)\b)(?:.*\b(?:the )?same (?:old )?(?:place|job|flat|house|company|firm|address|school|spot|office|town|street|room)\b(?! as\b)|.*\bstill\b.*\b(?:there|here)$)"
)
"""Of what holds: it is what held before, and names nothing."""

# What makes a plan does not unmake it.
PLANNED: Final = LatePattern(
    r"(?i)打算|计划|可能|\b(?:want|plan(?:s|ning)? to|hop(?:e|ing)|trip|holiday|vacation)\b"
)

# Said of one day it is no habit and no taste, unless something begins on it.
JUST_TODAY: Final = LatePattern(
    r"(?i)(?<!从)今[天晚](?!起|开始)|这[两几]天|\b(?:today|tonight|right now|in the mood)\b(?! i)"
)

FORMER: Final = LatePattern(
    r"(?i)以前(?!的)|从前|曾经?|小时候(?!的?(?:照片|相册|日记))|那时候?|当年|那会儿|年轻时|原来(?=[是在住叫做])|当过|做过|住过|干过|养过|\b(?:used to|formerly|as a (?:kid|child|boy|girl|student)|back (?:then|when)|in those days|years ago|grew up|once (?:was|lived|worked)|my old|when i was (?:little|small|young|a (?:kid|child|baby|girl|boy)|[1-9]|1[0-5]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))\b"
)

_FREE_TIME_ZH: Final = r"(?<![上这本下])周末(?![双单]休)|(?<![上这本下到至])(?:周|星期|礼拜)[一二三四五六日天]|每(?:个|逢)?(?:周|星期|礼拜|早|晚)|每天(?:早|晚|傍|清|下午)|下班(?:后|以后|之后|回|路上)|业余|闲暇|空闲|有空|晚上(?!班)|傍晚|饭后|睡前|义务"

_FREE_TIME_EN: Final = r"\b(?:every|each|most) (?:other |single )?(?:morning|evening|night|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?\b|\b(?:on|at|over) (?:the )?weekends?\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:mornings|afternoons|evenings|nights)\b|\b(?:after|before) (?:work|school|dinner|tea|breakfast)\b|\bat (?:breakfast|lunchtime)\b|\bin (?:my|the) (?:spare time|free time|evenings)\b|\b(?:for fun|as a hobby)\b"
_TOGETHER: Final = r"义工|志愿(?!兵)|乐队|合唱团|社团|读书会|跑团|(?:篮|足|排|网)?球队|剧社|棋社|业委会|业主委员会|家委会|舞队|\bvolunteer(?:s|ed|ing)?\b(?! full)|\b(?:soup kitchen|food bank|(?<!night)(?<!night )club|choir|band|orchestra|scouts|cubs|brownies|allotment)\b|\brun (?:an? )?(?:\d+ ?(?:k|km|miles?)?\b|(?:half )?marathons?|laps|races|along|around|round|through|up|down|in\b|every|to\b)"
_FOR_PAY: Final = r"上班|工作|[任就入]职|打工|兼职|值班|当班|[全专]职|[到至](?:周|星期|礼拜)|每天.*[卖摆送跑开]|(?<!after )(?<!before )\bwork(?:s|ing|ed)?\b(?! out)|\b(?:job|gig|shifts?|employed|paid|part[- ]time|full[- ]time|for a living)\b"

ONES_CHILDREN: Final = LatePattern(
    r"(?i)(?:\w+ )?(?:son|daughter|kids?|child|children|grandson|granddaughter|twins)|儿子|女儿|闺女|孩子|娃|孙[子女]"
)

WITH_OTHER: Final = LatePattern(
    r"(?:[^，]{1,4}，)?[我俺咱](?:们|俩)?(?:跟|和|同(?![事学桌伴乡])|与)"
)
"""我跟他散了 is about the speaker as well."""

NO_MORE: Final = LatePattern(r"(?i)不[^，。不]{1,6}了|\b(?:any ?more|after all|no longer)\b")
"""不搬了 calls a move off; 不搬 only says that there is none."""

PASTIME: Final = LatePattern(
    rf"(?i)^(?!.*(?:{_FOR_PAY})).*(?:{_FREE_TIME_ZH}|{_FREE_TIME_EN}|{_TOGETHER})", re.DOTALL
)
"""Of work and school: what one does at set hours of one's own, or with others, is neither."""

HAPPENED_THERE: Final = LatePattern(
    rf"(?i)出生|了(?!解|[^，]{{0,6}}年)|[一-鿿]过(?!敏|期|年|得)|(?<!\bget )(?<!\bam )(?<!['’]m )(?<!\bfeel )\b(?:was|were|had|\w{{3,}}ed|{'|'.join(BASE_FORMS)})\b|\b(?:my|our|the|a) [\w' -]{{2,40}}\||\|(?: (?!(?:is|are|was|at|in|and|who)\b)[\w'-]+){{1,3}} (?:is|are)\b|(?:写|[存摆收]?放|藏|锁|贴|夹|压|挂|塞|埋|留)在?\||(?:[一-鿿]{{2}}|\|)在[^，|]{{1,10}}(?:里|上|下|底下?|面|旁边?|边上|后头|[层格屉])[|\n]|\|[一-鿿]{{2,8}}是[\dA-Za-z]"
)
"""Of what only touches on work or a home (``|``): it happened at one, or a thing lies there, and is no state that may end."""

LIVES_THERE: Final = LatePattern("住|居|家|生活|打拼|[漂待呆混]|读|念|上学|工作|上班")

PERSONS_ZH: Final = "爸妈|父母|妈妈|母亲|老妈|妈|爸爸|父亲|老爸|爸|爷爷|奶奶|外公|外婆|姥姥|姥爷|老公|丈夫|老婆|妻子|媳妇|男朋友|女朋友|男友|女友|前任|对象|儿子|女儿|闺女|孩子|娃|哥哥|哥|姐姐|姐|弟弟|弟|妹妹|妹|叔叔?|阿姨|舅舅?|姑姑?|[大小](?:舅|姨|姑|叔|伯)子|[嫂婶妗]子?|姐夫|妹夫|连襟|妯娌|大伯|伯[父母伯]|[舅姨姑][妈父夫丈]|亲家|表[哥姐弟妹]|堂[哥姐弟妹]|侄[子女]|外甥|朋友|闺蜜|哥们|同事|老板|上司|领导|[村队校院局处科班]长|书记|老师|(?:高中|大学|初中|小学)?同[学桌]|室友|舍友|邻居|客户|亲戚|家人|医生|网友|别人|人家|有人|大家|客人|师傅|博主|明星|偶像|发小|前男友|前女友|前夫|前妻|女婿|儿媳妇?|丈母娘|婆婆|公公|岳[父母]|孙[子女]|楼上|楼下|隔壁|他们|她们|(?<![吉其])他|她|它们?|公司|小哥|大爷|大妈|大[叔婶姐嫂]|教授|(?<![A-Za-z])(?i:boss|leader|mentor|manager|ex|crush|bestie|bff|roommate|flatmate|bf|gf|boyfriend|girlfriend|husband|hubby|wife|mom|mum|dad|sister|brother|cousin|landlord|colleague|coach|tutor)(?![A-Za-z])"

# Of whom or what a clause may tell at its head; EN_PERSONS of memory.judgement.lexicon are people.
PERSONS_EN: Final = "mother|mom|mum|father|dad|parents|grandma|grandpa|gran|nan|granny|grandmother|grandfather|husband|wife|boyfriend|girlfriend|partner|ex|son|daughter|kids?|child|children|brother|sister|siblings?|twin|uncle|aunt|auntie|cousin|niece|nephew|friends?|mates?|bestie|buddy|colleagues?|coworkers?|boss|manager|teacher|classmates?|roommates?|housemates?|flatmates?|neighbou?rs?|client|doctor|people|someone|somebody|everyone|landlord|in-laws|mother-in-law|granddaughter|grandson|little ones?|grandkids|guy|cat|dog|fella|team|company|office|letter|bank"

OTHER_ZH: Final = LatePattern(
    rf"^(?:(?:今天|昨天|昨晚|前天|刚才|刚刚|最近|上周|听说|而|但|那个?|这个?|连|我们?|咱们?|俺们?|新(?!公司)|家里?|一[个位]|有[个位]|几[个位]|某个?|的|给|帮)*)(?P<who>{PERSONS_ZH})(?!说我|在一起|[那的][边件个次节]?[^，]{{0,2}}(?:事|课|约|会|局|饭)[^，]{{0,3}}[取黄改推挪不没])"
)

OTHER_EN: Final = LatePattern(
    rf"(?i)^(?:and|but|so|now|then|well|oh|today|yesterday|lol|haha|the|a|an|some|our|my|his|her|their|your|that|this|one of my|even|\s)*\b(?P<who>(?:[\w-]+ )?(?:{PERSONS_EN}))\b(?! and i\b| (?:things?|business|meeting|appointment|visit|viewing|dinner|lunch|date|call)\b)|^(?:and |but |so |now )*(?P<pro>he|she|they|he's|she's|they're)\b|^the (?P<owner>[a-z-]+)['’]s (?:\w+ )?\w+ (?:was|were|got|has been|is being)\b|^(?P<named>(?!(?:we|you|it|this|that|just|then|finally|also|never|who|got|still)\b)(?-i:[A-Z])[a-z]+)(?:'s)? (?:has |just |have |is |was )*(?:moved|lives|works|quit|got|left|broke|wants|says|loves|hates|likes|thinks|studies|turned|bought|sold)\b"
)

# Doctors and tests tell the speaker about themselves.
TOLD_ME: Final = LatePattern(
    r"(?i)(?:医生|大夫|医院|体检|检查|化验)[^，。]{0,4}说我?|\b(?:doc|doctor|gp|allergist|surgeon|consultant)\b.{0,12}\b(?:me|i'm|i)\b"
)

FIRST_PERSON: Final = LatePattern(
    r"[我俺咱]|\b(?:i|i'm|i've|i'll|im|ive|me|my|we|we're|we've|our|us)\b", re.IGNORECASE
)

ROLE_SELF: Final = r"(?:^|[，,。！!；;\s])(?:奴才|奴婢|臣妾|嫔妾|本宫|哀家|朕|寡人|孤家|本王|本座|本尊|微臣|老臣|末将|草民|民女|洒家|老衲|贫僧|贫道|老夫(?!老妻))|\b(?:arr+|ahoy|avast|shiver me timbers|thou|methinks|milord|m['’]lady)\b"
"""Names for oneself, and words, of other times: whoever says them speaks in play."""

MOVES_ME: Final = LatePattern(
    r"^(?!.*(?:一直|老是|总|想|朋友|妈|爸)).*(?:让|安排|通知|要求)我们?[^，。]{0,4}?[搬迁换调转挪](?:到|去|进)[^，。]{1,10}了"
)
"""Words by which somebody has the speaker move."""

ACTS_ON_ME: Final = LatePattern(
    r"(?i)(?:把|让|逼|赶|撵|带|送|安排|开除|裁|辞退|甩)(?:了)?[我俺咱]|\b(?:made|let|kicked|threw|moved|transferred|fired|sacked|dumped|gave|sent|told|put|took|promoted|offered|asked|drove|kept|bought|got|switched)(?: \w+)? (?:me|us)\b"
)
"""Words by which somebody does something to the speaker."""

GIVES_ME: Final = LatePattern(
    r"(?i)(?:非|硬|又|就)?给(?:[我俺])?(?:换|买|配|整|弄|捎|抱|添)(?:了|个|台|部|辆)|给[我俺]了|\b(?:moved|transferred|switched|reassigned|taken|took|put) me\b(?! (?:he|she|they|that))"
)
"""孙女给换个华为: what somebody gets the speaker is the speaker's."""

NOT_SO: Final = LatePattern("(?<![是要])(?:不是|不会|不再|并不|并?没有?|从来?不|(?<![要差不])不)$")

TWO_OTHERS: Final = LatePattern(
    rf"(?P<two>[A-Z]\w+ (?:and|&) (?!I\b|[Mm]e\b)[A-Z]\w+)\b|(?P<who>[^，我俺咱和跟与同]{{1,8}})(?<![里上中下时后天边])[和跟与同](?!我(?!的?(?:{PERSONS_ZH})))[^，]{{1,8}}?(?:分手|分居|离婚|离了|分了|掰了|和好|复合|复婚|结婚|订婚)"
)
"""小雨和我弟分手了: both are somebody else."""

IN_JEST_BEFORE: Final = LatePattern(
    r"(?i)^\W*(?:(?:其实|刚才|我|是|都|那|跟你|和你)*(?:开个?玩笑|骗你|逗你玩?|瞎说|瞎编|胡说)(?:的|呢|啦|了)*[，。！!~～…\s]+(?=[^，。！]*[不没])|(?:(?:i['’]?m|i was|just|only|sorry|haha|lol)\W+)*(?<!not )(?:kidding|joking|jk)[,.!\s]+(?=[^,.!]*(?:\bnot\b|n['’]t\b|\bnever\b|\bno\b)))"
)
"""骗你的，我不对芒果过敏: the jest was what stands before, and what denies it is meant."""

LIVES_APART: Final = LatePattern(r"(?i)分居|\b(?P<en>separated)\b")
UNMARRIED: Final = LatePattern(r"(?i)\b(?:boyfriend|girlfriend|bf|gf|dating|seeing|fianc\w+)\b")
LIVES_TOGETHER: Final = LatePattern(
    r"(?i)一起住|住在?一起|同住|同居|\b(?:lives?|living) (?:together|with)\b"
)

REUNITED: Final = LatePattern(
    r"(?i)复合|和好|破镜重圆|重归于好|[又重][新]?在一起|复婚|\b(?:back (?:together|with)|made up|remarried|took (?:me|(?:him|her|them)) back|moved back in)\b"
)

WITH_WHOM: Final = LatePattern(
    r"[我俺咱]们?[和跟与同]([^，。！他她]{1,4}?)(?:又|也|终于|总算|已经|昨天|今天|刚刚?|上周|上个?月|正式|彻底|还是|最后)*(?:分|离|掰|散|和好|复|破|重|在一起)|\b(?i:me|i) (?:and|n|&) ([A-Z]\w+)|\b([A-Z]\w+) (?:(?:and|n|&) (?i:me|i)|(?:has )?moved back in)\b"
)

EVERY_WEEK: Final = LatePattern(
    r"(?i)每个?(?:周|星期|礼拜)|\bevery (?:week\b|\w+day\b)|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b"
)

INSTEAD: Final = LatePattern(r"(?i)换|改|\b(?:switch|swap|chang|replac|instead|moved|from)")
"""Who is put on another medicine may take both."""

FOR_ANOTHER: Final = LatePattern(r"(?i)旧|新|换|\b(?:old|new|another|better)\b")
POINTS_BACK: Final = LatePattern(r"(?:it|them|that|converted|convert)?", re.IGNORECASE)
"""The value of a liking whose thing was named before it."""

EVERYBODY: Final = LatePattern(r"大家|朋友|同事|everyone|everybody|people|friends", re.IGNORECASE)
ONES_PETS: Final = LatePattern(r"(?:\w+ )?(?:cat|dog)", re.IGNORECASE)

# They cancelled the test: whoever does that, what is cancelled is the speaker's.
SOMEBODY: Final = LatePattern(r"they(?:'ve|'re)?", re.IGNORECASE)
# A landlord puts up the speaker's rent, a boss the speaker's pay.
PAID_BY_OTHERS: Final = frozenset({"rent", "pay", "hours"})
THEIRS: Final = LatePattern(r"\b(?:their|his|her|they're)\b", re.IGNORECASE)

ANY_MORE: Final = LatePattern(r"(?i)\s*\bany ?(?:more|longer)\b|(?<=[一-鿿])了$")

ATTRIBUTED: Final = LatePattern(r"^(?P<who>[^：:\n]{1,24}?)(?:说：|says: |：|: )")


def ends_sport(told: str, known: str) -> bool:
    """Tell whether one does something else instead of a sport, or gives that one up."""
    named = known[: 3 if known.isascii() else 1].lower() in told.lower()
    return (
        INSTEAD.search(told) is not None
        or "转" in told
        or (named and _GIVES_UP.search(told) is not None)
    )


_GIVES_UP: Final = LatePattern(
    r"(?i)不|停|戒|\b(?:quit|stop|g[ia]ve|given|pack|can ?not\b|can['’]t\b|cancel)"
)


def is_of_two_wheels(told: str, held: str) -> bool:
    """Tell whether a bicycle is told of, and what is held is none: the car is there still."""
    return _TWO_WHEELS.search(told) is not None and _TWO_WHEELS.search(held) is None


_TWO_WHEELS: Final = LatePattern(
    r"(?i)自行车|单车|折叠车|山地车|公路车|脚踏车|摩托|电[动瓶]车|电驴|踏板车"
    r"|\b(?:bikes?|bicycle|cycle|scooter|moped|motor(?:bike|cycle)|vespa)\b"
)

INSTEAD_OF: Final = LatePattern(r"(?i)不是|不对|打错|\b(?:not|oops|typo|meant|wrong)\b")

NOW_SO: Final = LatePattern(r"改|换成|现在是|\b(?:now|instead)\b", re.IGNORECASE)

ALL_ELSE: Final = LatePattern(
    r"(?i)别的|其[他它余]|除了|\b(?:any|no|every)(?:thing|one|body) (?:else|but|other|except|apart)\b"
)
