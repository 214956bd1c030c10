"""A clause without what may stand anywhere in it: adverbs, days, and the speaker's own "I".

总算一家人搬到洛阳去了 and 上礼拜搬到洛阳去了 are one clause to who asks where somebody lives. What is
dropped is kept as a sign: whether the clause tells that something is otherwise than before.
Below stand the forms of a clause that tells what is so of the speaker for long.
"""

import re
from dataclasses import dataclass
from itertools import dropwhile
from typing import Final

from memory.text import slots_en, slots_zh
from memory.text.late_pattern import LatePattern
from memory.text.layout import COMMON_SURNAMES
from memory.text.slot_cues import PERSONS_EN, PERSONS_ZH, Slot
from memory.text.tokens import names_somebody, segmented_words, tagged_words


@dataclass(frozen=True, slots=True)
class ClauseCore:
    """The words of a clause that carry it, and whether it tells of something new."""

    text: str
    is_change: bool


_ADVERB_WORDS_ZH: Final = """
也 都 就 才 已 已经 刚 刚刚 刚才 终于 总算 正式 彻底 直接 干脆 索性 只好 只能 全 全都 全部 自己 自个 自个儿 一个 人 独自 又 再 还 还是 真的 其实 一直 一直都 目前 现在 如今 眼下 以后 往后 今后 从此 从今 从今往后 这回 这下 暂时 临时 永久 长期 先 便 光 净 只 仅 老 总 总是 经常 常 常常 往往 平时 平常 平日 一般 通常
基本 基本上 大概 差不多 大约 快要 马上 立刻 赶紧 特意 专门 居然 竟然 果然 果断 毅然 偷偷 悄悄 顺利 成功 好不容易 不得已 没办法 今天 昨天 前天 昨儿 昨晚 昨夜 今早 今晚 前两天 前几天 前阵子 前段时间 这几天 这两天 这阵子 最近 近来 近期 早就 早 后来 结果 今年 去年 前年 年初 年底 年中 月初 月底 上周 上星期 上礼拜 上个月 上月
上半年 下半年 春节 过年 国庆 五一 进城 下海 回来 出来 回家 回村 返城 一家 全家 举家 一家子 一家人 一家三口 跟着 带着 的话 呢 啦 咯 呀 啊 哦 嘛 喽 囉 吧 哈 的说 嘿 嗯
"""

_ADVERBS_ZH: Final = frozenset(_ADVERB_WORDS_ZH.split())

_TIMES_ZH: Final = LatePattern(
    r"(?:从|打|自|自从|直到|到)?(?:今年|去年|前年|上|这|本|下|大?前)?(?:个)?(?:\d{1,4}年|[一二三四五六七八九十\d]{1,3}月(?:份|底|初|[一二三四五六七八九十\d]{1,3}[号日])?|(?:周|星期|礼拜)[一二三四五六日天末]|个?月|礼拜|星期)(?:的?时候|起|以来|之后|以后)?"
)

_SPEAKER_ZH: Final = LatePattern(
    r"^(?:[我俺咱](?:们|俩|家里?)?(?:自己)?|本人|本姑娘|老子|咱家)(?![的妈爸])"
)

_CHANGE_ZH: Final = LatePattern(
    r"了(?!解|不起|如指掌)|现在|如今|眼下|改|换|转|终于|总算|正式|以后|往后|从此|又|重新|这回|升|新|刚|咗|囉|啦"
)

_SINCE_ZH: Final = LatePattern(
    r"了?(?:快|有|整整|将近|都|已经)?(?:[一二三四五六七八九十两几半好多百\d]+)(?:来|多|几)?(?:年|个?月|天|辈子)(?:多|半)?了?"
)
"""住了三年 tells how long something holds, not that it began."""

_DATED: Final = LatePattern(r"\s*[（(]\d{4}-[^（()）]{2,24}[)）]")
"""The day a memory has behind a word like 昨天."""

_SHORT_EN: Final = LatePattern(
    r"(?i)\b(?:(?P<am>i)['’]?m|(?P<are>we|they|you)['’]re|(?P<have>i|we|they)['’]?ve|(?P<would>i|we|they)['’]d|(?P<will>i|we)['’]ll|(?P<can>ca)n['’]?t|(?P<no>wo)n['’]t|(?P<not>do|does|did|is|are|was|were|has|have|could|would)n['’]?t|(?P<is>it|that|he|she|there|here|what|who|name|home|job|phone|birthday)['’]s)\b"
)

_DROPPED_EN: Final = LatePattern(
    r"(?i),?\s*\b(?:just|now|finally|actually|recently|officially|currently|already|still|also|only|really|basically|lately|permanently|eventually|nowadays|these days|for good|for keeps|once again|again|at last|at the moment|at present|presently|apparently happily|happily|sadly|luckily|thankfully|unfortunately|honestly|totally|completely|fully|suddenly|legally|formally|both|ended up|went and|gone and|decided to|had to|managed to|get to|got to|have (?:just|since|now|finally)(?= \w+ed)|of my own|of our own|my own|lol|haha|yay|btw|tbh|omg|oh|well|so|anyway|guess what|believe it or not|yesterday|today|tonight|this (?:morning|week|month|year|afternoon|summer|spring|autumn|fall|winter)|last (?:night|week|month|year|summer|spring|autumn|fall|winter|weekend|\w+day)|(?:over|since|in|back in) (?:the )?(?:new year|summer|spring|autumn|fall|winter|christmas|weekend|holidays|january|february|march|april|may|june|july|august|september|october|november|december)|(?:a|an|one|two|three|four|five|six|\d+) (?:days?|weeks?|months?|years?) (?:ago|back)|from (?:now|here) on|as of \w+)\b"
)

_CHANGE_EN: Final = LatePattern(
    r"(?i)\b(?:now|these days|nowadays|finally|just|officially|again|new|no longer|no more|any ?more|instead|from (?:now|here) on|as of|got|gotten|became|become|begun|began|started|starting|switched|swapped|changed|moved|back|ended up|gone|went|turned|joined|found|landed|hired|promoted|signed|bought|settled|recently|at last|for good|since (?:new|last|the)|\w+ed (?:in|last|on|this) \w+)\b"
)


def core_of(clause: str, language: str) -> ClauseCore:
    """Return the core of a clause in ``zh`` or ``en``."""
    clause = _DATED.sub(" " if language == "en" else "", clause)
    if language == "zh":
        kept = (word for word in segmented_words(clause) if word not in _ADVERBS_ZH)
        core = _SPEAKER_ZH.sub("", _TIMES_ZH.sub("", "".join(kept)))
        return ClauseCore(core, _CHANGE_ZH.search(_SINCE_ZH.sub("", clause)) is not None)
    change = _CHANGE_EN.search(clause) is not None
    written = _DROPPED_EN.sub(" ", written_in_full(clause))
    return ClauseCore(" ".join(written.split()), change)


def written_in_full(clause: str) -> str:
    """Return an English clause without short forms: I am on nights."""
    return _SHORT_EN.sub(_in_full, clause)


def _in_full(short: re.Match[str]) -> str:
    """Return "I am" for "I'm" and "can not" for "can't"."""
    word = {"ca": "can", "wo": "will"}.get(short[short.lastgroup or 0].lower())
    last = short.lastgroup if short.lastgroup not in {"can", "no"} else "not"
    return f"{word or short[short.lastgroup or 0]} {last}"


def moves_a_thing(clause: str) -> bool:
    """Tell whether what moves in a clause is nobody: the gig, 演唱会."""
    led = _MOVES.match(clause)
    who = led["who"].strip() if led else ""
    if _HAS_MOVED.search(who):
        return True
    if not who or _WE_MOVE.search(who):
        return False
    if re.search("[一-鿿]", who):
        told = "" if _WHY_ZH.search(who) else core_of(who, "zh").text
        *_, (last, tag) = tagged_words(told) or [("", "")]
        thing = tag.startswith("n") and not _PEOPLE_ZH.search(last)
        return thing or _THINGS_ZH.search(who) is not None
    return bool(_LINKS_EN.sub("", core_of(who, "en").text))


_MOVES: Final = LatePattern(
    r"(?i)(?P<who>[^，]*?)(?:搬|迁|挪|\b(?:mov(?:ed?|es|ing)|relocat(?:ed?|es|ing)|shift(?:ed|s|ing)?|transferr(?:ed|ing)|migrated|decamped)\b(?! (?:us|me)\b))"
)
_WE_MOVE: Final = LatePattern(
    r"(?i)\b(?:i|i['’]?(?:m|ve|ll|d)|we|we['’](?:re|ve|ll|d)|me|us|family|household|all|everyone)\b|\b(?:and|then|&|before|after)\s*$"
)
# We had the boiler moved, 把书搬到…: who has something moved stays.
_HAS_MOVED: Final = LatePattern(
    r"(?i)\b(?:had|have|get|got|getting) (?:the|my|our|an?|his|her|their) [\w ]+$|[把将](?!家|自己)"
)
_WHY_ZH: Final = LatePattern("^(?:从|为|因|由|随|趁|跟|自从)|(?:时候?|[之以]?后|期间|那[天年])$")
_PEOPLE_ZH: Final = LatePattern(rf"[人口家们俩仨]$|(?:{PERSONS_ZH})$")
_THINGS_ZH: Final = LatePattern(
    "(?:[店馆展节课班队所部厂场司校站摊]|比赛|活动|演出|考试|婚礼|展览|聚会|会议?)$"
)

_LINKS_EN: Final = LatePattern(
    r"(?i)^(?:\W|(?:have|has|had|been|being|am|are|so|and|but|then|(?:in|on|at|by|as of|since) [\w ]+)\b)*"
)


def whose_before(before: str) -> str:
    """Return who or what is told of, if it is named before it: 团子 of 团子其实四岁了."""
    if found := _TOLD_OF.match(core_of(before, "en").text):
        return found["who"]
    *_, (last, tag) = tagged_words(core_of(before, "zh").text) or [("", "")]
    own = _OF_AGE.search(last) or not re.match("[一-鿿]", last)
    return "" if own or not tag.startswith("n") else last


def subject_before(before: str, *, is_person: bool) -> str:
    """Return what a Chinese clause tells of, named before it and not the speaker; else nothing.

    >>> subject_before("我们项目", is_person=False), subject_before("我昨天", is_person=False)
    ('项目', '')
    """
    core = _OWN.sub("", core_of(before, "zh").text)
    tagged = [*tagged_words(core)]
    words = [*dropwhile(lambda each: each[1][:1] in {*"rqmtu"}, tagged)]
    if not words or (_NO_PERSON if is_person else _OF_NAME).search(core):
        return ""
    if is_person:
        # 思源 is no word, nor are most names: they fall apart behind the family name.
        apart = _FULL_NAME.fullmatch(core) and len(tagged[0][0]) == 1
        named = apart or _CALLED.fullmatch(core) or names_somebody(core) == [core]
        return core if named else ""
    return core if words[0][1].startswith("n") or names_somebody(core) == [core] else ""


_OWN: Final = LatePattern("^[我俺咱](?:们|家里?)?的?")
_OF_NAME: Final = LatePattern("名字?|身份证|户口|护照|证件|学籍|档案")
_NO_PERSON: Final = LatePattern(
    "[不没市区州省县]|^(?:阿里|小米|华为|石家庄|王府井|徐汇|于北京|于上海)$"
)
_CALLED: Final = LatePattern(f"[^给把被让跟和同从在到去]{{1,5}}(?:[老小][{COMMON_SURNAMES}]|阿.)")
_FULL_NAME: Final = LatePattern(f"[{COMMON_SURNAMES}][一-鿿]{{2}}")

_TOLD_OF: Final = LatePattern(
    r"(?i)(?:[a-z]+ (?:says|said|reckons|thinks|told me) (?:that )?(?:(?:her|his) )?)?(?P<who>(?!(?:i|we|me|my|our|and|but|then|or|who|that|to|am|are|have|has|is|been|got|get|an?|not|never|semi|early|half|all|both|yep|yup|yes|yeah|ok|okay)$)[a-z]+(?<!ly)|(?:the|my|our) (?!age\b)\w+)(?: (?:is|was|has))*$"
)
_OF_AGE: Final = LatePattern("[我俺咱岁年龄属周]|本人")


SPOUSES: Final = LatePattern(
    rf"(?:{slots_zh.WORDS['SPOUSE']})|\b(?:{slots_en.WORDS['SPOUSE']})\b", re.IGNORECASE
)


def is_partner_meant(told: str, named: str, known: str, held: str) -> bool:
    """Tell whether who is told to be gone may be whom a clause of what is held speaks of.

    Frank died: that is no wife's death; a boyfriend who leaves is no husband; and what ended so
    stays so, whoever else is gone.
    """
    if _GONE.search(known):
        return False
    if found := SPOUSES.search(told):
        both = found[0], whose[0] if (whose := SPOUSES.search(known)) else ""
        return not all(any(sort.fullmatch(each) for each in both) for sort in (_WED, _COURTED))
    return not named or named.lower() in held.lower() or _WITH_ME.search(told) is not None


_GONE: Final = LatePattern(
    r"(?i)去世|过世|病逝|离世|牺牲|(?:走|没)了|分手|分了|离了|离婚|甩|\b(?:died|dead|passed(?: away)?|left (?:me|us)|dumped|divorced|separated|walked out|(?:broke|split) up|broke it off)\b"
)
_WED: Final = LatePattern("husband|wife|missus|老[公婆]|丈夫|妻子|媳妇儿?", re.IGNORECASE)
_COURTED: Final = LatePattern("(?:boy|girl)friend|[bg]f|[男女](?:朋友|友)", re.IGNORECASE)
_WITH_ME: Final = LatePattern(
    r"(?i)[和跟与把]我|我[们俩和跟与]|(?:离开|不要)了?我|\b(?:i|me|we|us)\b"
)


def is_learnt_beside(told: str, known: str) -> bool:
    """Tell whether two things told of school hold side by side: its year, which one, a class."""
    sorts = [{each.lastgroup for each in _OF_SCHOOL.finditer(text)} for text in (told, known)]
    return sorts[0].isdisjoint(sorts[1]) and any(sorts) and not _ADVANCES.search(told)


_OF_SCHOOL: Final = LatePattern(
    r"(?i)(?P<year>[初高大研博小][一二三四五六](?!楼|层)|[一二三四五六七八九]年级|\b(?:(?:year|grade|form) \w+|(?:first|second|third|fourth|final)[- ]year|freshman|sophomore|senior)\b)|(?P<lessons>补习|辅导|雅思|托福|gre|[^升降转]班|网课|夜校|\b(?:class(?:es)?|lessons?|courses?)\b)|(?P<place>学校|[大中小]学|学院|[一二三四五六七八九十附]中|外国语|[\u4e00-\u9fff]大(?![一二三四])|\b(?:university|college|school|uni|academy|grammar|(?:at|to) (?-i:[A-Z])\w+)\b)"
)
_ADVANCES: Final = LatePattern(
    r"(?i)转[学校专系班去到入进]|考[上进到]|录取|保[研送]|升|毕业|\b(?:transfer\w*|declared|switch\w*|chang\w+|got into|graduat\w+|start\w* (?:uni|college|school))\b"
)

THINGS_OVER: Final = {
    "gone": frozenset({Slot.POSSESSION, Slot.PARTNER}),
    "disposed": frozenset({Slot.POSSESSION, Slot.WORK}),
    "cancelled": frozenset({Slot.PLAN}),
    "closed": frozenset({Slot.WORK, Slot.SCHOOL, Slot.HABIT}),
    "quit": frozenset(
        {Slot.HOME, Slot.WORK, Slot.SCHOOL, Slot.HEALTH, Slot.HABIT, Slot.TASTE, Slot.POSSESSION}
    ),
}
"""What is over when the thing a statement names is gone, disposed of, cancelled, closed or quit."""

CHRONIC: Final = LatePattern(
    r"(?i)糖尿|高血压|血压高|心脏病|冠心|哮喘|癫痫|甲亢|甲减|乙肝|肝硬化|肾病|尿毒|痛风|关节炎|红斑狼疮|强直|帕金森|老年痴呆|阿尔茨海默|白血病|癌|肿瘤|艾滋|近视|色盲|色弱|聋|失聪|失明|残疾|自闭|多动|双相|精神分裂|过敏|\b(?:diabet\w+|asthma\w*|epilep\w+|hypertension|high blood pressure|heart (?:disease|failure|condition)|arthritis|lupus|crohn\w*|colitis|copd|cancer|leuka?emia|parkinson\w*|dementia|alzheimer\w*|ms|multiple sclerosis|hiv|coeliac|celiac|lactose|autis\w+|adhd|bipolar|schizophrenia|dyslexi\w+|deaf|blind|hepatitis|kidney disease|fibromyalgia|endometriosis|allerg\w+|colou?r[- ]?blind)\b"
)
"""Illnesses that stay until somebody says that this one is over."""

CURED: Final = LatePattern(
    r"(?i)误诊|痊愈|治好|治愈|根治|康复|断根|\b(?:in remission|cured|misdiagnos\w+|cancer[- ]free|reversed)\b"
)

DISTRICT: Final = LatePattern(
    r"(?i)区|路|街|镇|村|巷|弄|小区|附近|旁边|那边|这边|号|\b(?:street|road|avenue|lane|suburb)\b"
)

AT: Final = LatePattern(r"在|\b(?:at|for(?! a living)|in)\b", re.IGNORECASE)

CHANGES: Final = LatePattern(
    r"(?i)了|不再|改|换|现在|以后|从今|又|已经|终于|停|戒|取消|推|搬|没|打错|说错|不对|更正|其实|订婚|退|毕业|回来|上岸|\b(?:passed|pack(?:ed)? in|deleted|rejected|proposed|divorced?|moved|left|dropped|switched|traded|lost|cut out|broke up|fired|bailed)\b|\b(?:now|no longer|not|never|instead|again|from|as of|quit|stopped|sold|off|gave|finally|new|cancel\w*|over|gone|meant|actually|back|done|just|anymore|turn(?:ed|s)|started?|lost|found|no|correction|typo)\b|n['’]t\b"
)

_IDLE_WORDS: Final = """现在 已经 最近 以后 今天 昨天 喜欢 讨厌 不想 一首 开始 我们 自己 最终 最后 结果 确定 决定 干脆 过敏
completely more now really still since been thing finally actually sadly luckily eventually allergic allergy"""

IDLE: Final = frozenset(_IDLE_WORDS.split())

BEFORE_PREDICATE: Final = LatePattern(
    rf"(?i)(?:[我俺](?:的|那|这)?)?(?:{PERSONS_ZH})(?=[上读念升在住搬出])|(?:[把从被跟和带由靠][^，]{{0,8}}|[一-鿿]{{2,3}}(?=(?:提|升|调|聘|安排|派|让|给)我))?[我俺给将在被\W]{{0,2}}|\W*(?:(?:i|we|me|my|our|the|and|but|am|are|have|is|it|been|a|an|also)\b\W*)*"
)

IS_TIME: Final = LatePattern(
    rf"(?i)(?:{slots_zh.WORDS['DAY']}|{slots_en.WORDS['DAY']})|(?:next )?(?:mon|tues?|wed|thu(?:rs)?|fri|sat|sun)\b|\d{{1,2}}(?:[:.]\d\d)?(?: ?[ap]m)?\b|noon|nights|days|.*\b(?:office|team|department|branch|desk|table|ward|shift|row|list|queue)$|线上|网上|online|zoom"
)

DENIED: Final = LatePattern(
    r"(?i)\b(?:(?:do|does|am|are|is)(?: not|n['’]?t)|(?P<past>no longer)|(?:i|we)['’](?:m|re) not)(?: \w+ly)? (?:in|at|live|living|work|working|stay|study|studying|teach|teaching|go to|attend|rent|drive|own|have|use)\b|不(?:是|(?P<past_zh>再))?(?:住|在)(?!一起|家|了)"
)

# What a firm or a host ends, ends for the speaker as well.
ENDS_FOR_ME: Final = LatePattern(
    r"(?i)^我?们?公司(?!旁)[^，]{0,4}(?:倒|黄|关|散|破产)|\bcancell?ed(?: it| on (?:me|us))?$"
)

_MEANS: Final = "got have work job call name broken died dead passed swapped traded 工作 上班 公司 去世 过世 病逝"
MEANS: Final = frozenset(_MEANS.split())
"""Words of having, of being called and of dying, which name no thing."""

DAYS: Final = LatePattern(
    rf"(?i)(?:{slots_zh.WORDS['DAY']})|\b(?:{slots_en.WORDS['DAY']})|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day"
)

# What somebody says of themselves in a clause with a subject: in the present tense of English; by
# a verb of being, having, being able, or doing again and again in Chinese.
KIN_ZH: Final = r"(?:爸|妈|父亲|母亲|爹|娘|爷爷|奶奶|外公|外婆|姥姥|姥爷|阿公|阿嬷|阿爸|阿妈|公公|婆婆|岳父|岳母|丈母娘|哥|姐|弟|妹|大哥|大姐|小妹|小弟|细佬|细妹|家姐|老豆|妈妈|爸爸|哥哥|姐姐|弟弟|妹妹|表[哥姐弟妹]|堂[哥姐弟妹]|双胞胎[^，]{1,3}|老公|老婆|丈夫|妻子|媳妇|先生|太太|爱人|老伴儿?|对象|男朋友|女朋友|男友|女友|未婚妻|未婚夫|前夫|前妻|前[男女]友|女婿|儿媳妇?|继[父母子女]|儿子|女儿|闺女|孩子|娃|大女儿|小女儿|大儿子|小儿子|孙子|孙女|外孙|外孙女|侄[子女]|外甥女?|老板|上司|室友|闺蜜|最好的朋友|发小|导师|家(?:的)?[猫狗兔鸟龟鱼]|猫|狗)"

IN_LAWS_ZH: Final = "[孩娃]子?儿?[他她][爸妈]|女婿|儿媳妇?|前(?:夫|妻|男友|女友|任)|公公|婆婆|岳[父母]|丈[人母]娘?|亲家|[堂表][哥姐弟妹]|舅[舅妈]|姑[姑父妈]|姨[妈父]|叔叔|婶婶|嫂子|姐夫|妹夫|弟媳妇?|孙[子女]|外孙女?|外甥女?|侄[子女儿]|闺蜜|幺[儿妹]|养[父母子女]|继[父母]"
"""Whom else one speaks of as one's own."""

_PET_ZH: Final = "[一-鿿]?[猫狗犬]|小?(?:猫咪|狗狗|兔子|仓鼠|鹦鹉|乌龟|金毛|柯基|泰迪|橘猫)"

ONES_OWN_ZH: Final = LatePattern(
    rf"[我俺咱]们?(?:家里?)?(?:的|那个?|这个?)?(?:最好的|大|小|二|三|老)?(?:{PERSONS_ZH}|{IN_LAWS_ZH}|{_PET_ZH})(?!们?家|的|[和跟与同俩]|公司|{PERSONS_ZH})(?=.)"
)
"""我女儿, 我家猫, 我最好的朋友, before what is told of them."""

KIN_AT_HEAD_ZH: Final = LatePattern(
    rf"(?:大|小|二|三|老)?(?:{IN_LAWS_ZH}|{KIN_ZH})(?![他她它们]|家|的|[和跟与同俩说问让骂催]|公司|今天|昨天|刚才|觉得)(?=[一-鿿])"
)
"""女婿, 前夫: without another's name they are the speaker's."""

GOES_ON_ZH: Final = LatePattern(
    r"(?:(?:它|她|他)?的?(?:名字|大名|小名|全名|外号|绰号|网名|英文名)|取名|起名)?(?:[就也]?(?:叫做?|名叫|唤作)(?![我得了停不])|姓|就?是[^，]{1,4}人)|[他她它]|今年[\d一二三四五六七八九十]|(?:才|刚|快|都|已经|大概|差不多)?[\d一二两三四五六七八九十]+(?:来|多|几)?(?:岁|个月大?|岁半)|[\d一二三四五六七八九十]{1,3}(?:出头|多|来)岁?|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]"
)
"""By these a clause tells who somebody is: 叫何姐, 五十岁, 它…."""

_HIRED_ZH: Final = "帮工|保姆|护工|钟点工|学徒|徒弟|司机|店员|伙计|小工|月嫂|家教|教练|律师|中介|助理|实习生|学生|姑娘|小姑娘|小伙子?|丫头|小孩|男生|女生|男的|女的|女孩子?|男孩子?|网友|室友|租客|房客|老人|老伯|大叔|搭档|同伴|病人|患者|学员|主人公|主角|[男女]主角?|角色|人物|人设|小人|卡|[大小]号|(?<=的)号|[一-鿿]{0,3}(?:工|员|师傅|老师|医生|阿姨)"

WHO_I_KNOW_ZH: Final = LatePattern(
    rf"[^，]{{0,5}}[我俺](?!们?家里?的)[^，]{{1,8}}的[^，]{{0,4}}(?P<called>{PERSONS_ZH}|{_HIRED_ZH}|{_PET_ZH}|人)(?:叫|姓|是|今年|快|才|都|已经|\d|[一二三四五六七八九十])|[^，]{{0,5}}[我俺][^，]{{1,8}}的(?:是|叫)[^，]{{1,4}}(?:{_HIRED_ZH}|人)$|[我俺]们?(?:有?[一几]个|(?!们?家|最好|亲爱|[大小]的|现在|以前|原来)[^，的]{{1,8}}的(?:一?[个位只名])?)(?P<who>{_HIRED_ZH}|[表堂][哥姐弟妹]|朋友|同[学桌事])(?=[对有怕住没会]|不[能会吃敢]|得了|患)"
)
"""我教的学生叫陈浩, 给我看病的是李医生, 我写的主角怕水."""

BRINGS_IN: Final = LatePattern(
    rf"(?i)(?:(?:[今昨]天|刚才?)?在[^，我]{{1,8}}|[一-鿿]{{1,3}}[上里口])?(?:[我俺咱]们?)?(?:家里?)?(?:也|还|就|刚|今天|昨天|最近|上周|新|又)*(?:来|看见|看到|见到|遇见|撞见|撞到|碰上|遇上|有|养|请|雇|招|找|认识|交|谈|收|收养|领养|领|带|捡|处|相|生|遇到|碰到|碰见|加)(?:了|着|过|到|来|回|一下)*(?:[一两二三四五六七八九十几仨]?[个位只条隻條名头匹]|俩|仨)[^，]{{0,4}}(?:{PERSONS_ZH}|{IN_LAWS_ZH}|{_HIRED_ZH}|{_PET_ZH}|人)[^，]{{0,3}}$|(?:[我俺]们?的?)?(?:{PERSONS_ZH}|{_HIRED_ZH})(?:[小老阿大][一-鿿]|[一-鿿][姐哥叔婶])$|(?:i|we)(?: have|'ve| have got|'ve got) (?:an?|one|two|three|four|some) (?:[\w-]+ ){{0,2}}(?:{PERSONS_EN})s?$"
)
"""我养了只猫, "I have a brother": somebody else comes in, of whom the talk may go on."""

OBJECT_ZH: Final = LatePattern(
    "(?<!是)(?<!是一)(?<!当)(?<!当一)(?<!做)(?<!做一)(?:[一两三几新]?[个位只条隻條名头匹]|(?<=[了着过有来开一两三几新])[家间])(?:[^，是]{1,8})$"
)
"""来了个新同事, 开了家店: what has a name behind it."""

HABIT_ZH: Final = LatePattern(
    r"(?P<when>(?:国庆|五一|十一|春节|过年|中秋|端午|清明|元旦|暑假|寒假|年底|年后|明年|下半年|下周末?|下个?月|春天|夏天|秋天|冬天)节?|每[^我，]{1,5}|平时|平常|周末|天天|晚上|早上|睡前|饭后)[我俺](?!们)(?P<rest>[^，]+)"
)
"""每个礼拜天我都去教堂: the same as 我每个礼拜天都去教堂; 国庆我要去西藏."""

_ATTAINS_ZH: Final = r"(?:(?:考|拿|领|评|申)(?:下来?|到|过|上|完|出来?)?了?|通过了?)[^，我你他她]{0,6}(?:驾照|驾驶证|执照|资格证?|证书?|教资|雅思|托福|学位|编制?|四级|六级|专八|科目[一二三四]|职称)(?:了|啦|咯)?"
"""刚考下来驾照: what one has attained stays with one."""

LASTING_ZH: Final = LatePattern(
    r"(?:我|俺|本人)(?:这个?人|自己|本来|其实|也|还|一直|从小|打小|平时|平常|平日|现在|目前|今年)*(?:"
    rf"(?:的|那|这)?{KIN_ZH}(?:们|俩)?(?!说|问|让|骂|催|叫我|觉得|想让|要我|给我|今天|昨天|刚才|今晚|明天|又)"
    r"[^，]{0,6}?(?:是|在|叫|姓|属|住|上[小中大幼高初一二三四五六]|[升读念][小中大高初一二三四五六]|读|念|唸|当|做|开|会|有|养|今年|退休|过世|去世|病逝|走了|满?[一二三四五六七八九十\d]+岁|[一二三四五六七八九十\d]{2,3}了|小名|怕|爱|喜欢|信|不[吃喝抽会]|跟我|和我|搬[到去来回进]|[换改转升]|嫁|娶|回来|不[走干]|带大|比我|中风|偏瘫|瘫痪|骨折|住院|手术|[得患]了?[^，]{1,6}[病癌症炎]|白内障|青光眼|自闭症|老年痴呆|做了[^，]{0,8}手术|以前|都|第一次(?![骂打吵怪见听])|修|教|卖|种|跑|当兵|出生|毕业|结婚|离婚|上班|工作|干)[^，]*|(?:的)?(?:身高|体重|血型|近视|视力|鞋码|智商|酒量|星座|属相|生肖|民族|籍贯|祖籍|学历|专业|母语|信仰|梦想|理想|座右铭|偶像|爱好|习惯|强项|弱点|短板|本科|硕士|博士|高中|血压|血糖|血脂|尿酸|视力|口味|房租|月薪|工资|口头禅|本命|本名|英文名|左[耳眼手脚腿]|右[耳眼手脚腿]|腰|膝盖|颈椎|胃|牙|皮肤|嗓子)[^，]{1,16}|(?:有)(?:个|一个|两个|三个|[一两三四五六七八九十几]+(?:只|条|个|位|辆|台|把|套|间|头|匹|架|本)|轻微|严重|点|先天|[^，]{0,6}的习惯|[^，]{0,4}(?:症|病|炎|风|癖|证|驾照|车|房|娃))[^，]{0,14}|(?:自己)?(?:不?(?:会|懂)(?:一点|点儿?|一些|说|讲)*(?=[^，]{0,6}[语话文]|弹|拉|开车|修|做(?!到|好|出)|画|唱|跳舞|游泳|写代码|打|织|吹|骑|滑|潜水|编|烧|炒|包|下棋|下围|变魔|剪|裁|缝|种|养|拍|焊|驾|溜|冲浪|看风水|算命|武|功夫|乐器|手语|书法|木工|喝酒|抽烟|瑜伽)|擅长|精通|当过|做过|得过|拿过|考过)(?!你)[^，我你了]{1,12}|(?:是|系)(?:一?[名个位枚])?(?!做|干|(?:个|因为|不|想|说|要|觉|怎|来|真|很|在|谁|这|那|的|去|认真|为|被|一|故意|昨|今|刚|你|他|她))[^，我你]{2,12}(?:人|的|生|员|师|家|长|兵|奴|族|派|党|控|迷|粉|子|徒|老[大二三幺]|代|后|座|型|色|教|女|男|枚|手|民|工|主|体质|户口)(?:啦|了|呢)?|属[鼠牛虎兔龙蛇马羊猴鸡狗猪](?:的)?|(?:们|们?全?家(?:[里都]|几口)*)?是(?:[回满藏壮苗彝侗瑶白傣黎畲羌汉]|土家|蒙古|朝鲜|维吾尔|哈萨克|布依|纳西)族(?:人|的)?|(?:们?全?家(?:里|都)*)(?:种|养|信|卖)[了着]?[^，我你]{1,12}|有(?:ADHD|adhd|多动症|社恐|社交恐惧症?|强迫症|洁癖|[^，]{0,4}恐惧症?)|在[^，我你了]{1,10}(?:教|做|当)[^，我你了]{0,6}(?:语文|数学|英语|物理|化学|生物|历史|地理|政治|音乐|美术|体育|书|工程师|老师|医生|护士|会计)|一(?:吃|喝|闻|碰|看见|见)[^，我你]{1,8}就[^，我你]{1,6}|(?:睡觉|吃饭|出门|洗澡|开车|看书|写字)(?:必须|非得|一定要|从来都?)[^，我你了]{2,12}|[^，我你了]{2,8}(?:好多|好几|十几|几十|多)年"
    r"|(?:是|典型的?|属于?)?(?:白羊|金牛|双子|巨蟹|狮子|处女|天秤|天蝎|射手|摩羯|水瓶|双鱼)座(?:的|一枚|女|男)?|(?:身高|净身高)?(?:一米[一-鿿\d]{1,3}|1[4-9]\d(?:cm|公分|厘米)?)|(?:老家|籍贯|祖籍|户口)(?:是|在)?[一-鿿]{2,8}(?:的|那边|农村)?|(?:平时|现在|一般|[^，我你了]{2,4})?(?:不|只)(?:吃|喝|穿|用|坐|抽)(?!了|完|到|过|下|得)[^，我你了]{1,10}|(?:不(?:太|怎么|大)?(?:能|敢|会|爱)(?:吃|喝|碰|喝酒|熬夜|晒太阳))[^，我你了]{0,8}|(?:一个人|独自|自己|(?:跟|和)[^，你]{1,6}(?:一起|一块儿)?)(?:住|过|生活|合租)(?:着|的|了?[一二三四五六七八九十几两]+年了?)?|是?(?:稀有血型|熊猫血|(?:AB|[ABOabo])型血?(?:的)?)|(?:的)?(?:微信|QQ|网|抖音|游戏)名(?:叫|是)[^，我你]{1,10}|(?:去年|前年|今年|小时候|以前|上个?月|年初)*(?:做|动|开)(?:了|过)[^，我你]{0,8}手术|(?:嘴里|身上|脸上|手上|腿上|背上|家里|老家|名下)(?:还)?有[^，我你吗]{2,12}|(?:是)?(?:\d{2}|[零一二三四五六七八九]{2,4}|\d{4})年(?:的|生的?|出生的?)|(?:现在|今年)?(?:读|上|念|是)?(?:[大高初研博][一二三四](?:了|学生)?)|(?:在[^，]{2,6})?(?:开|盘|经营)(?:了|着)?(?:一?[家间个])[^，你吗]{0,6}(?:店|馆|客栈|民宿|公司|厂|铺|工作室|餐厅|诊所)|(?:就)?好那口[^，我你]{1,8}|(?:在|给|帮|跟着?)[^，我你]{2,14}(?:干活儿?|打工|做事|跑腿|开车|看店|打下手|当差)|(?:上个?月|上周|去年|今年|前年|最近|前几天|刚|新|终于|自己)*(?:买|入手|提|换)了(?:[一两二三][台辆部套架间栋只]|个|台|辆|部|套)?[^，我你了]{0,8}(?:车|房子?|公寓|电脑|手机|相机|单反|琴|吉他|平板|耳机|手表|摩托|电瓶车|冰箱|电视|沙发|猫|狗)|(?:国庆|五一|春节|过年|中秋|端午|清明|元旦|暑假|寒假|年底|月底|这个?月底|下个?月|下周|明年|年后|春天|夏天|秋天|冬天)(?:节|我)*(?:要|打算|准备|计划|想)?(?:去|回|考|搬|结婚|办|报|参加|出国|出发|毕业|退休|入职|生孩子|做手术|手术|体检|相亲|搬家|开店|订婚)[^，我你吗]{0,12}|(?:最|特别|特|很|超|贼|可|就|向来|从来|打小|从小)*(?:怕|烦|恨|讨厌|爱|喜欢|钟意|鍾意|好(?=那|喝酒|赌|吃)|迷|粉|信|晕|恐|戴|收藏|集|养|弹|拉|吹|画|写|练|追|学|教|种|骑|穿)(?!你|您|他|她|它|这|那|死|一下|得很|不|到了?|完|了$|个|了[一个])[^，我你]{1,14}(?<![吧了呀啊])(?:[一二三四五六七八九十几多\d]+(?:来|多)?年了?)?|[^，我你]{1,12}?[一二三四五六七八九十几多两\d]+(?:来|多)?年(?:了|多了|啦)"
    rf"|(?:刚|终于|总算|已经|今年|上个?月|上周|昨天)*{_ATTAINS_ZH}"
    r"|(?:每[天晚周月年早次]|天天|睡前|起床后?|饭后|早上|晚上|周末|一直|总是|经常|常年|习惯|都是|从来|从不|向来|一般|平时|平常)[^，我你]{2,14}|[^，我你]{0,8}(?:出生|长大|毕业|过敏|不耐受|突出|失聪|失明|打呼噜|打鼾|晕车|晕船|恐高|失眠|贫血|退伍|左撇子|丁克|单亲家庭|独生|素食|吃素|学的[^，]{1,8}|[Nn][1-5]过了|[四六]级过了)[^，我你]{0,6})"
)

PASSING_ZH: Final = LatePattern(
    r"今[天晚早儿]|昨[天晚儿]|前天|刚才|刚刚|刚(?!满|退|毕|结|出|上|买|搬|换|考|拿|领|入|当|做|通)|明[天早晚]|等[下会]|待会|一会儿|这会儿|正在|几时|哪有|何曾|难道|凭什么|[2-9两三-九]米[三-九\d]|不是(?!左)|没有?说|的意思|这样|那样|怎么|心情|感觉|觉得"
    r"|有[点些](?:累|困|饿|烦|难|想|担|害|紧)|开心|难过|高兴|希望|打算|想尝试|想试|问题|事情|时候|办法|感受|想法|建议|机会|时间|小时|帮"
)

_PERSON_EN: Final = r"(?:mother|mum|mom|mam|father|dad|parents|wife|husband|partner|girlfriend|boyfriend|bf|gf|bloke|fella|fianc[eé]e?|ex|son|daughter|kids?|children|twins|brothers?|sisters?|siblings?|(?:best|oldest|closest) (?:friend|mate|pal|bud)|gran|nana|grandma|grandpa|gran?d?dad|grandad|step\w+|grandmother|grandfather|nan|uncle|aunt|auntie|cousin|niece|nephew|mother-in-law|father-in-law|in-laws|boss|ex-(?:wife|husband|partner|girlfriend|boyfriend)|best friend|roommate|flatmate|housemate|(?:dog|cat|rabbit|horse|parrot|hamster|puppy|kitten|pet(?=\b(?! \w+ \w))|tortoise|greyhound|budgie)s?)"

_JUST_NOW_EN: Final = r"(?:so|being|coming|going|calling|mad|angry|here|just|not|been|got(?! (?:type|an? \w+ allergy|parkinson|alzheimer|dementia|diabetes|cancer|asthma|arthritis|autism|adhd|epilepsy|ms\b|\w+itis))|a (?:bit|pain|nightmare|mess)|like|right|wrong|out|gone)\b"

PAST_EN: Final = r"(?!(?:passed|died|retired|moved|married|divorced|served|studied|graduated|worked|lived|emigrated|remarried|had)\b)(?:\w+ed|ate|bought|found|broke|took|saw|met|ran|drank|slept|woke|wrote|spoke|fell|forgot|won|rang|sold|told|taught)\b"
"""What is told of one day; what is so from then on is let through."""

_SAID_EN: Final = r"(?:said|says|asked|asks|told|tells|thinks?|thought|wants?|wanted|called|calls|texted|texts|just (?:called|texted|said|left|came|went|got)|is (?:coming|calling|here|so|being|mad|angry|going|just)|was (?:so|being|like|just|mad|angry|here|coming)|came|went|got|gave|made|sent|put|took|left|looks?|seems?|keeps?|kept|needs?|hates it|loves it|and|or|who|which|that|the|a|an|in|on|at|for|to|with|of|but)\b"
"""What those near to one say and do just now."""

_DEED_EN: Final = r"work|live|teach|study|drive|ride|wear|own|keep|collect|play|sing|dance|bake|cook|grow|garden|knit|sew|paint|draw|write|read|run|have|stand|walk|cycle|swim|ski|skate|climb|hike|fish|sail|surf|box|meditate|drink|eat|smoke|vape|sleep in|speak|fix|build|repair|weld|code|whistle"
"""What one can or cannot do for long; whoever cannot find a key tells of a moment."""

_OF_THE_MOMENT_EN: Final = r"think|know(?! (?:sign language|how to|latin|french|german|python|\w+(?:ish|ese|ian|ic)\b))|guess|mean|feel|hope|need|want|wonder|see|hear|say|tell|ask|believe|suppose|agree|remember|forget|bet|swear|promise|wish|doubt|care|mind|look|seem|sound|try|miss|owe|notice|give|get(?! up\b| \w+sick\b)|got|went|came|made|took|had|did|do|does|was|were|am|is|are|be|been|can|can't|cannot|could|will|won't|would|might|must|should|shall|may|just|never mind|saw|said|told|thought|knew|felt|heard|found|left|lost|met|bought|ate|drank|slept|woke|ran|wrote|spoke|gave|let|put|sent|call|text|stand corrected|apologi[sz]e|appreciate|figure|assume|reckon|realise|realize|love you|start|stop|finish|plan|decide|hold|leave|move|come|end|cry|laugh|die|literally|only|also|always|usually|mostly|still|really|never|often|sometimes|mainly|rarely|actually|don't|have|ve|be|used|then|and|or|too|said|gotta|gonna|wanna|better|rather|swear|hate myself|nearly|almost|quite|kinda|sorta|find|consider|lose|spend (?!\w+ \w+ \w+ \w+ every)|\w+ly|\w+n['’]?t|mostly|i|it|you|he|she|they|we|my|the|this|that"
"""The present of these tells of a moment, or of an opinion; that of other verbs, of a habit."""

_ONESELF_EN: Final = (
    rf"{slots_en.CORE_WORDS['TRADE']}|mum|mom|mother|dad|father|grandma|grandpa|nan|grandad|only child|eldest|youngest|middle child|twin"
    r"|student|vegan|vegetarian|veggie|coeliac|diabetic|leftie|lefty|introvert|extrovert|night owl|early bird|widow|widower|pensioner|teetotaller|veteran"
)
"""What one may be without saying "I am": only child here."""

LASTING_EN: Final = LatePattern(
    rf"(?i)(?:i|we)(?: also| always| usually| mostly| still| really| only| never| often| sometimes| mainly| rarely| do| actually)* (?:(?:(?:can|cannot|can't|could never|am able to) (?:really |even |only )?)(?:{_DEED_EN})\b|(?:(?:do not|don't|dont) (?:really |even |only )?)?(?!(?:{_OF_THE_MOMENT_EN})\b)[a-z]+(?<!ed)(?<![a-z]{{2}}ing)\b|(?:have|take) (?=\d|my))(?! (?:(?:in|at) (?:an?|the|this|that) \w+ (?:house|flat|place|home|apartment)$|it|that|this|these|those|you|your|how|when|what|why|to (?:say|be honest|think|know|see|ask|hear)|him|her|them|the feeling|no idea|a (?:question|feeling|headache|bad|good|great|lovely|nice|problem|plan|meeting|lot|bit)|been|had|being|just|not|so|as|there|out|ahead|back|away|wrong|crazy)\b).{{0,60}}|there(?:'s| are| is) (?:two|three|four|five|six|seven|eight|nine|ten|[0-9]+) of us (?:in|at) .{{2,24}}|(?:i am|i'm|im) the [a-z][\w' ]{{2,24}}? (?:at|of|for) (?:our|my|(?-i:[A-Z])\w+)\b.{{0,30}}|(?:i am|i'm|im) (?:in|on) (?:an?|the|our) (?:[\w'-]+ ){{0,4}}(?:team|squad|choir|band|orchestra|committee)\b.{{0,30}}|(?:i am|i'm|im) training for (?:an?|the|my) (?:[\w'-]+ ){{0,3}}(?:marathon|triathlon)|(?:i|we) went (?:(?:up|down|over|back|out) )?to (?-i:[A-Z])[\w' -]{{1,40}}? (?:(?:at|over) the weekend|last (?:week(?:end)?|month|year|spring|summer|autumn|fall|winter))|i was an? (?!kid|child)[\w' -]{{3,30}} for [\w-]+ years|(?:i am|i'm|im) (?:an?|the (?:eldest|oldest|youngest|middle|second|third)|one of|half|part|third of|from|originally from|mad into|into|single|married)\b.{{0,50}}|(?:(?:i am|i'm|im) )?(?:(?:absolutely|totally|really|completely|properly|legally|partially|also|still|pretty|very|severely|slightly) )*(?:allergic|scared|afraid|terrified|claustrophobic|bipolar|hard of hearing|deaf|blind|colou?r[- ]?blind|dyslexic|left[- ]handed|right[- ]handed|lactose|coeliac|celiac|(?:pre-?|type \w+ )?diabetic|asthmatic|epileptic|adopted|an? only|gay|trans|bi|bisexual|straight|vegan|vegetarian|veggie|pescatarian|kosher|halal|divorced|widowed|engaged|retired|self-employed|bilingual|trilingual|fluent|jewish|muslim|christian|catholic|hindu|buddhist|sikh|atheist|round|due|shy|on (?:universal credit|(?:[a-z]+ )?benefits?$|blood|anti\w+|insulin|statins|\w+ (?:medication|meds|pills|tablets|thinners|diet))|\d{{2}}|(?:four|five|six) (?:foot|feet|ft)|\d'\d{{1,2}}|\d{{3}} ?cm)\b.{{0,50}}|(?:(?:my|our)(?: \w+)? {_PERSON_EN}|(?:mum|mom|mam|dad|nan|gran(?:dad|ny|ma|pa)?))(?:'s name)?(?:(?: \w+)? (?:and|&) (?:me|i|my \w+))?(?:'s (?!name\b|{_JUST_NOW_EN})|s (?=an? )| (?!{_SAID_EN})(?!{PAST_EN})\w+\b).{{2,50}}|(?:i )?(?:have |just )?had (?:my|an?) [\w ]{{2,24}}?(?: out| removed| replaced|surgery|operation|transplant|bypass|c-section)\b.{{0,24}}|(?:\d{{2}} ?(?:m|f|male|female|nb)|(?:m|f) ?\d{{2}})\b(?! ?(?:old|mins?|am|pm)).{{0,40}}|(?:my )?(?:all[- ]time )?favou?rite \w+(?:'s| is| are) .{{2,40}}|(?:my|our) (?:blood type|shoe size|height|weight|star sign|zodiac sign|native language|mother tongue|first language|birthplace|hometown|nationality|religion|pronouns|hobby|hobbies|dream|goal|favou?rite \w+|middle name|surname|full name|nickname|degree|major|diet|apartment|flat|house|place|office|school|shift|commute|bedtime|eldest|oldest|youngest|husky|lab)(?:'s| is| are| starts| takes| just (?:started|turned)| has) .{{1,40}}|(?:i have|i've|i've got|we have|we've|we've got|i have got|i am having) (?:an?|one|two|three|four|five|six|seven|\d|no|my own|braces|tinnitus|hearing aids|tattoos|allergies|asthma|arthritis|adhd|\w+itis|\w+ eyes|\w+ hair)\b(?! (?:question|feeling|problem|plan|meeting|lot|bit|idea|headache|cold|bad|good|great|day|long|doubt|favou?r|surprise|point|date|test|exam)).{{0,40}}|(?:(?:i have|i've)(?: been| always)? |been )?(?:(?:played|lived|worked|followed|supported|taught|studied|sung|danced|painted|collected|smoked|knitted) |(?<=been )\w+ing ).{{0,30}}(?:for|since|all my|\d+ (?:years|yrs)|\w+ years).{{0,24}}|(?:me|i) (?:and|n|&) my \w+ (?!{_SAID_EN})(?!{PAST_EN})\w+\b.{{2,50}}|i(?: was)? (?:was born|born|raised|grew up|brought up|adopted|graduated|served|emigrated|immigrated|majored|minored|trained|qualified|retired|studied(?! (?:hard|all|for|so|up)\b)|lost my)\b.{{2,50}}|i used to (?:be|work|live|play|teach|smoke|drive)\b.{{2,40}}|(?:an? )?(?:(?:single|proud|working|full[- ]time|stay[- ]at[- ]home|retired|part[- ]time|trainee|student|ex|former|newly qualified|self[- ]employed|freelance|foster|adoptive|new|lifelong|big|massive) )*(?:{_ONESELF_EN})(?: (?:of|to|in|at|for|with|from|on) [^,]{{2,40}}| by (?:trade|day)[^,]{{0,30}})?(?: (?:here|me))(?: .{{0,30}})?|(?:an? )?(?:(?:single|proud|working|stay[- ]at[- ]home|retired|trainee|foster) )+(?:{_ONESELF_EN})(?: (?:of|to|in|at|for|with|from) [^,]{{2,40}}| by (?:trade|day)[^,]{{0,30}})?|(?:just )?turned (?:\d{{2}}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[\w-]*)\b.{{0,30}}|(?:originally|born and (?:bred|raised)|raised|born|grew up) (?:from|in) .{{2,30}}|.{{3,30}} is my (?:hobby|passion|thing|favou?rite|jam|weakness|guilty pleasure|comfort food)|nothing beats .{{3,24}} for me|.{{3,30}} are my favou?rite|did my \w+ (?:in|at) .{{2,24}}|mad (?:into|about|for) .{{3,24}}|doctor's got me on .{{3,40}}|(?:folks|people|friends|everyone|they)(?: all)? call me \w+|.{{2,24}} (?:tastes?|smells?) like .{{3,24}} to me|(?:one|two|three|four|five|\d) (?:cups?|coffees?|pints?|packs?|cigarettes?|meals?|glasses) .{{0,20}}(?:daily|a day|every \w+|each \w+)|(?:my|our) (?:brand )?new (?:puppy|kitten|dog|cat|rabbit|hamster|parrot|pony)"
)

PASSING_EN: Final = LatePattern(
    r"(?i)\b(?:today|tonight|right now|this (?:morning|afternoon|evening|week|weekend)|yesterday|last night|just now|since (?:noon|midnight|lunch|breakfast|[0-9]{1,2}\b)|a minute|in a bit|soon|tomorrow|at the moment|titled|in (?:our|the|my) story|you|your|so much fun|an? (?:idiot|mess|fool|bit(?! of)|wreck|disaster|failure|genius|moron|star|legend|lot|little \w+ed))\b|\b(?:love|like|adore|hate|enjoy) (?:it|being|that|this|how|when)\b"
)


def is_same_person(whose: str, other: str) -> bool:
    """Tell whether two words stand for the speaker, or for the same relative of theirs."""
    return _kin(whose) == _kin(other)


def relative_in(text: str) -> str:
    """Return the word for the relative a text speaks of; empty if it speaks of none."""
    found = _NEAREST.search(text)
    return found[0] if found else ""


def is_near(whose: str) -> bool:
    """Tell whether a word names one of whom somebody mostly has one: my mother, 老公."""
    return _NEAREST.fullmatch(whose) is not None


def with_kin_in_one_word(text: str) -> str:
    """Return a text in which each relative is called by one of the words for them: 妈 for 妈妈."""
    return _NEAREST.sub(lambda found: _kin(found[0]), text)


def _kin(word: str) -> str:
    """Return one word for all by which somebody calls the same relative: 老妈, 妈妈, my mum."""
    bare = word.lower().removeprefix("my ").removeprefix("老")
    return _SAME_KIN.get(bare, bare)


_SAME_KIN: Final = {"妈妈": "妈", "母亲": "妈", "爸爸": "爸", "父亲": "爸", "丈夫": "公", "妻子": "婆", "媳妇": "婆", "闺女": "女儿", "哥哥": "哥", "姐姐": "姐", "弟弟": "弟", "妹妹": "妹", "mom": "mother", "mum": "mother", "dad": "father"}  # fmt: skip

_NEAREST: Final = re.compile(
    r"爸爸?|妈妈?|父亲|母亲|老[爸妈公婆]|丈夫|妻子|媳妇|儿子|女儿|闺女|哥哥?|姐姐?|弟弟?|妹妹?|爷爷|奶奶|外公|外婆|姥姥|姥爷|(?:my )?(?:grandad|grandpa|grandma|nan|gran|mother|mom|mum|father|dad|husband|wife|son|daughter|brother|sister)",
    re.IGNORECASE,
)
