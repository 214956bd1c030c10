"""The plain ways of speaking of oneself in Chinese.

A pattern is matched against a whole clause from which 我 has been taken: 我也很喜欢拉面 →
很喜欢拉面.
"""

import re
from typing import Final

from memory.model import Kind, Sensitivity, Topic
from memory.offline.lexicon_zh import (
    FAMILY,
    FRIGHT,
    ILLNESS,
    INSTRUMENT,
    JOB,
    NOT_A_NAME,
    PET,
    SPORTS,
)
from memory.offline.statements import Rule, Slot

_THING: Final = (
    r"(?P<v>(?![这那它他她您你的上了过])(?!自己|里面|其中|和你|跟你|与你|一个人"
    r"|大家)[^我你您]{1,40})"
)
_SHORT: Final = r"(?P<v>[^我你您他她，]{1,16})"
_HOW: Final = (
    r"(?:很|最|非常|特别|尤其|一直都?|都|真的|真|挺|蛮|超级?|从小就?|平时|主要|就|更|十分|格外"
    r"|总是|向来"
    r"|还是|比较|现在|最近|以前就)*"
)
_NAMED: Final = re.compile(r"(?:它|她|他|名字)?(?:叫(?:做)?|名叫|名字叫|名字是)[^我你您]{1,10}")
_SUCH: Final = re.compile(r"(?:像|比如|例如|譬如|比如说|尤其是?|特别是|包括|还有)[^我你您]{1,30}")


def _rule(pattern: str, slot: Slot, kind: Kind, topic: Topic = Topic.PERSONAL) -> Rule:
    return Rule(pattern=re.compile(pattern), slot=slot, kind=kind, topic=topic)


def _private(pattern: str) -> Rule:
    return Rule(
        pattern=re.compile(pattern),
        slot="other",
        kind=Kind.FACT,
        sensitivity=Sensitivity.SENSITIVE,
    )


def _taste(pattern: str, *, stopped: bool = False) -> Rule:
    return Rule(
        pattern=re.compile(pattern),
        slot="taste",
        kind=Kind.LASTING_PREFERENCE,
        topic=Topic.PREFERENCE,
        stopped=stopped,
        tail=None if stopped else _SUCH,
    )


def _home(pattern: str, *, moved: bool = False) -> Rule:
    return Rule(pattern=re.compile(pattern), slot="home", kind=Kind.IDENTITY, moved=moved)


_VAGUE: Final = r"(?!一家公司|公司|家[里]?$|办公室|外面|单位|这|那|当前|目前|一起|学校$|努力|认真)"
_COUNTED: Final = r"(?:(?:[一两二三四五六七八九十几]|\d{1,2})[只条匹个位头对窝名])"
_NOT_NOW: Final = r"(?!.*(?:一下|睡|吃饭|休息|下班|试试|看看|问|聊|告诉|听听|时$|的时候))"

RULES: Final[tuple[Rule, ...]] = (
    _rule(
        rf"(?:的?名字(?:叫做?|是)|叫做?|的?全名是|姓)(?!{NOT_A_NAME})(?P<v>[一-鿿·]{{1,5}}"
        rf"|[A-Za-z][\w .'-]{{0,24}})",
        "name",
        Kind.IDENTITY,
    ),
    _rule(
        r"(?:(?:今年|现在|已经|快|刚|刚刚|才|马上|就|满)*)(?P<v>\d{1,3}"
        r"|[一二三四五六七八九十]{1,3})周?岁(?:半)?了?",
        "age",
        Kind.IDENTITY,
    ),
    _rule(
        r"的?(?:农历|阳历|公历)?生日(?:是|在)(?P<v>[^我你您]*(?:月|\d|初|十|节|号)[^我你您]*)",
        "birthday",
        Kind.IDENTITY,
    ),
    _rule(
        r"是(?P<v>(?:\d{2,4}|[零一二三四五六七八九]{2,4})年(?:出生|生)的?|\d{2}后"
        r"|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]的?|[白金双巨狮处天射摩水][羊牛子蟹女秤蝎手羯瓶鱼]座的?)",
        "other",
        Kind.IDENTITY,
    ),
    _rule(
        rf"(?:(?:现在|目前|以前|一直)*)(?:是|当"
        rf"|做)(?:一?[名个位])?(?P<v>(?!个)[^我你您是]{{0,14}}(?:{JOB}))的?",
        "job",
        Kind.IDENTITY,
    ),
    _rule(
        r"的?(?:职业|工作|专业)是(?P<v>[^我你您很不]{2,16})",
        "job",
        Kind.IDENTITY,
    ),
    _rule(
        rf"(?:(?:现在|目前|一直|就|也|毕业后)*)在{_VAGUE}(?P<v>[^我你您]{{2,16}}?)(?:工作|上班"
        rf"|任职|教书|当(?:{JOB})|做(?:{JOB})|实习)",
        "job",
        Kind.IDENTITY,
    ),
    _rule(
        rf"(?:(?:现在|目前|一直|就|也)*)在{_VAGUE}(?P<v>[^我你您]{{2,16}}?)(?:上大学|读大学"
        rf"|读研究?生?|念书|读书|上学|留学|读博)",
        "other",
        Kind.IDENTITY,
    ),
    _rule(
        r"(?:是(?:一?个)?)(?P<v>(?!男|女|好|坏|本|普通|成年|年轻|老|中年|病|盲|局外|过来|当事"
        r"|负责|主持|证|大|新|机器|文化|有心)[一-鿿]{2,5})人",
        "home",
        Kind.IDENTITY,
    ),
    _home(
        r"(?:(?:现在|目前|一直|就|也|家)*)(?:住在|家在|家住|住)(?!院|校|酒|宾|民宿|了|这|那|得"
        r"|的)(?P<v>[^我你您]{2,20})"
    ),
    _home(
        r"(?:是)?(?:来自|老家(?:是|在)|的老家(?:是|在)|出生在|出生于)(?P<v>[^我你您这那]{2,16})"
    ),
    _home(
        r"(?:(?:已经|刚|刚刚|最近|上周|上个月|现在|前几天|今天|昨天)*)搬家?(?:到|去"
        r"|来)了?(?P<v>[^我你您这那]{2,16}?)(?:住|来|去)?了?",
        moved=True,
    ),
    _rule(
        r"(?:(?:已经|刚|刚刚|最近|现在)*)(?:改名(?:叫|为|成)?了?)(?P<v>[^我你您]{1,8})",
        "name",
        Kind.IDENTITY,
    ),
    _taste(
        rf"(?:现在|已经|最近|早就)*(?:(?:不再|再也不)(?:喜欢|爱|吃|喝|抽|玩|看){_THING}"
        rf"|不(?:怎么|那么|太)?(?:喜欢|爱|吃|喝|抽|玩)(?P<w>[^我你您他她它这那]{{1,20}})了)",
        stopped=True,
    ),
    _taste(r"(?:现在|已经|终于)*戒(?:掉)?了?(?P<v>[^我你您]{1,8}?)了?", stopped=True),
    _taste(
        rf"{_HOW}(?:不(?:太|怎么|是很|大)?(?:喜欢|爱)|讨厌|厌恶|受不了|不吃|不喝|不抽){_THING}"
    ),
    _taste(rf"{_HOW}(?:怕|害怕)(?P<v>{FRIGHT})"),
    _taste(rf"{_HOW}恐(?P<v>高|水|飞)"),
    _taste(r"(?:最|特别|很)(?:喜欢|爱)的(?P<v>[^我你您]{0,14}(?:是|有)[^我你您]{1,40})"),
    _taste(rf"{_HOW}(?:喜欢|喜爱|热爱|钟爱|爱好){_THING}"),
    _taste(
        rf"{_HOW}爱(?!情|上|好|心|人|过|死|莫能助|理不理)(?=吃|喝|听|看|玩|读|唱|跳|打|逛|运动"
        rf"|跑|爬|画|写|做|睡|音乐|旅|美|拍|骑|猫|狗){_THING}"
    ),
    _taste(r"的?(?:兴趣|爱好|兴趣爱好|特长)(?:是|有|包括)(?P<v>[^我你您]{2,40})"),
    _taste(
        r"对(?P<v>(?![这那它])[^我你您]{1,15}?)(?:也|很|非常|特别|比较|十分|挺|越来越"
        r"|一直)*(?:感兴趣|有兴趣)"
    ),
    _taste(
        r"(?:一直)?(?:是(?:个|一个|一名)?)?(?P<v>素食者|素食主义者|纯素者|吃素|吃货|夜猫子)的?"
    ),
    Rule(
        pattern=re.compile(
            rf"(?:家里?|还|也|一直|最近|现在)*(?:养|收养|领养)(?:了|着"
            rf"|过)?(?P<v>[^我你您]{{0,6}}{_COUNTED}[^我你您]{{1,10}}|(?:{PET}))"
        ),
        slot="other",
        kind=Kind.FACT,
        tail=_NAMED,
    ),
    Rule(
        pattern=re.compile(
            rf"(?:家里?|还|也)*有{_COUNTED}?(?P<v>[^我你您]{{0,6}}(?:{PET}|{FAMILY}))"
        ),
        slot="other",
        kind=Kind.FACT,
        tail=_NAMED,
    ),
    _rule(
        rf"(?:家里?)?的?(?:那?只|那?条)?(?P<v>[^我你您]{{0,4}}?(?:{PET})(?:的名字)?(?:叫(?!得"
        rf"|个|了|声|醒|不)做?|名叫|是)[^我你您]{{1,10}})",
        "other",
        Kind.FACT,
    ),
    _rule(
        rf"(?:家里?)?的?(?P<v>(?:{FAMILY})(?:的名字)?(?:叫(?!了|不|得|出|来|醒|人"
        rf"|大家)做?[^我你您]{{1,8}}|今年\d{{1,3}}岁了?|的生日(?:是|在)[^我你您]{{2,14}}"
        rf"|是(?:一?[名个位])?[^我你您]{{0,10}}(?:{JOB})|在[^我你您]{{2,12}}(?:工作|上班|上学"
        rf"|读书|读大学)|住在[^我你您]{{2,12}}))",
        "other",
        Kind.FACT,
    ),
    _private(r"对(?P<v>[^我你您这那]{1,14}?)(?:严重|有点|有些)?过敏"),
    _private(
        rf"(?:一直|从小就?|有点|也)*(?:有|得了|患有|患了|得过|查出了?"
        rf"|确诊了?)(?P<v>[^我你您]{{0,4}}(?:{ILLNESS}))"
    ),
    _private(
        r"(?:(?:已经|刚|刚刚|上个?月|去年|今年|最近|昨天|今天|上周)*)(?P<v>结婚|离婚|订婚|分手"
        r"|怀孕|失业|被裁)了?"
    ),
    _rule(
        r"(?:(?:已经|刚|刚刚|上个?月|去年|今年|最近|昨天|今天|上周)*)(?P<v>退休|毕业|辞职|升职"
        r"|入职)了",
        "other",
        Kind.FACT,
    ),
    _rule(
        r"(?:目前|现在|还)*(?:是)?(?P<v>单身|已婚|未婚|独生子女|独生女|独生子|左撇子)",
        "other",
        Kind.IDENTITY,
    ),
    _rule(
        r"(?:的?性格(?:比较|有点|很|偏|非常)?(?P<v>[^我你您]{2,10}))|(?:一直"
        r"|其实)*是(?:一)?个(?P<w>(?:比较|很|非常)[^我你您]{2,14})的人",
        "other",
        Kind.IDENTITY,
    ),
    _rule(
        rf"会(?:一点|说|讲|一些)*(?P<v>[一-鿿]{{1,4}}[语文话]|{INSTRUMENT}|{SPORTS})",
        "other",
        Kind.SKILL,
    ),
    _rule(
        rf"{_NOT_NOW}(?:最近|现在|目前|正|一直|也|还|刚刚?|已经)*(?:正?在|开始|开始在)(?:学习"
        rf"|学(?!习)|自学|练习|练(?!习)|备考)做?(?P<v>(?!一[门些个种道项])(?!新"
        rf"|函数)[^我你您]{{1,16}})",
        "other",
        Kind.TEMPORARY,
    ),
    _rule(
        rf"{_NOT_NOW}(?:最近|现在|目前|正|也|还)*(?:正?在)(?:看|读|追"
        rf"|写)(?P<v>[^我你您]{{0,14}}《[^》]{{1,20}}》)",
        "other",
        Kind.TEMPORARY,
    ),
    _rule(
        rf"{_NOT_NOW}(?:最近|现在|目前|正|也|还)*(?:正?在)准备(?P<v>[^我你您去带睡吃]{{2,16}})",
        "other",
        Kind.TEMPORARY,
        Topic.PROMISE,
    ),
    _rule(
        rf"{_NOT_NOW}(?:一直|很|还|特别|真的|以后|将来|从小就?|也|非常)+(?:想"
        rf"|希望能?)(?P<v>(?!去?(?:尝试|找|知道|看看|听|问|换|要))(?:去|学|养|买|当|成为|做|开"
        rf"|写)[^我你您些]{{2,24}})",
        "other",
        Kind.PASSING_PREFERENCE,
        Topic.PREFERENCE,
    ),
    _rule(
        rf"{_NOT_NOW}想(?P<v>(?:学(?!习的)|养|成为"
        rf"|当(?![面然时成])(?:一?[名个]))[^我你您]{{1,16}})",
        "other",
        Kind.PASSING_PREFERENCE,
        Topic.PREFERENCE,
    ),
    _rule(
        rf"{_NOT_NOW}(?:已经|终于)*决定了?(?P<v>(?:要|用|换|不|搬|选|学|从|以后|辞职|开始|考"
        rf"|戒)[^我你您]{{1,24}})",
        "other",
        Kind.FACT,
        Topic.PROMISE,
    ),
    _rule(
        r"(?:一般|平时|通常|几乎|都|也)*(?P<v>(?:每(?:天|周|晚|年|早|个月|个?周末|个?星期"
        r"|个?礼拜)|习惯于?)(?!.*(?:感觉|觉得|就会)).{3,30})",
        "other",
        Kind.FACT,
    ),
)

DATED_PLAN: Final = _rule(
    rf"{_NOT_NOW}(?!.*(?:有点|有些|注意|再[说来聊找]|加油|会好|见面?$)).{{0,14}}?(?:要|想|会"
    rf"|打算|计划|准备|得|有(?:一?[场个次])?)(?P<v>[^我你您]{{2,30}})",
    "other",
    Kind.TEMPORARY,
    Topic.PROMISE,
)
"""Holds only of a clause that names a day to come (明天, 下周三, 下个月)."""

OPEN_PLAN: Final = _rule(
    rf"{_NOT_NOW}(?!.*(?:今[天晚]|现在|这就|晚上|几本|散步|附近|逛))(?:最近|也|还|正|正在"
    rf"|一直)*(?:打算|计划)(?:着)?(?P<v>(?!尝试|考虑|刷)[^我你您些]{{4,30}})",
    "other",
    Kind.TEMPORARY,
    Topic.PROMISE,
)
"""A plan without a day; not of a sentence that speaks of now."""
