"""The plain ways of speaking of oneself in Chinese.

Each pattern fits a whole clause from which 我 has been taken: 最近我也喜欢拉面 → 最近喜欢拉面. The
notation is that of :func:`memory.offline.statements.rules`; a dot is any character but 我, 你, 您.
"""

import re
from typing import Final

from memory.model import Kind, Sensitivity, Topic
from memory.offline.lexicon_zh import WORDS_ZH
from memory.offline.statements import Rule, StatementSort, rules

ANYTHING: Final = "[^我你您]"
_NAMED: Final = re.compile(r"(?:它|她|他|名字)?(?:叫(?:做)?|名叫|名字叫|名字是)[^我你您]{1,10}")
_SUCH: Final = re.compile(r"(?:像|比如|例如|譬如|比如说|尤其是?|特别是|包括|还有)[^我你您]{1,30}")


def _chinese_rules(sort: StatementSort, patterns: str) -> tuple[Rule, ...]:
    words = {**WORDS_ZH, "THING": _THING}
    return rules(sort, patterns, words, ANYTHING)


_THING: Final = "(?![它他她的上了过死])(?!自己|里面|其中|一个人|大家|和你|跟你)[^我你您这那]{1,40}"

_IDENTITY: Final = (
    *_chinese_rules(
        StatementSort(slot="name", kind=Kind.IDENTITY),
        r"""
        的?(全名|名字)(叫做?|是)(?!NOT_NAMED)<[一-鿿·]{1,5}|[a-z][\w '-]{0,24}>
        (叫做?|姓)(?!NOT_NAMED)<[一-鿿·]{1,5}|[a-z][\w '-]{0,24}>
        LATELY*改名(叫|为|成)?了?<.{1,8}>
        """,
    ),
    *_chinese_rules(
        StatementSort(slot="age", kind=Kind.IDENTITY),
        r"(LATELY|才|快|马上|满)*<\d{1,3}|[一二三四五六七八九十]{1,3}>周?岁半?了?",
    ),
    *_chinese_rules(
        StatementSort(slot="birthday", kind=Kind.IDENTITY),
        r"的?(农历|阳历|公历)?生日(是|在)<.*([月日号节]|\d).*>",
    ),
    *_chinese_rules(
        StatementSort(slot="home", kind=Kind.IDENTITY),
        "(LATELY|家)*(住在?|家在)(?![院校酒宾了这那得的]|民宿|.*LODGING)<.{2,20}>",
    ),
    *_chinese_rules(
        StatementSort(kind=Kind.IDENTITY),
        r"""
        的?老家(是|在)<.{2,16}>
        (来自|出生在|出生于)(?![这那])<.{2,16}>
        是一?个?(?!NO_PLACE)<[一-鿿]{2,5}>人
        """,
    ),
    *_chinese_rules(
        StatementSort(slot="home", kind=Kind.IDENTITY, moved=True),
        "LATELY*搬家?[到去来]了?(?![这那])<.{2,16}?>[住来去]?了?",
    ),
    *_chinese_rules(
        StatementSort(slot="job", kind=Kind.IDENTITY),
        r"""
        LATELY*[是当做](一?[名个位])?(?!个)<[^我你您是]{0,14}JOB>的?
        的?(职业|工作|专业)是(?![很不])<.{2,16}>
        LATELY*在(?!NOWHERE|.*UNSETTLED)<.{2,16}?>(工作|上班|任职|教书|实习|[当做]JOB)
        """,
    ),
    *_chinese_rules(
        StatementSort(kind=Kind.IDENTITY),
        r"""
        是<(\d{2,4}|[零一二三四五六七八九]{2,4})年(出生|生)|\d{2}后|属[一-鿿]|[一-鿿]{2}座>的?
        LATELY*在(?!NOWHERE|.*UNSETTLED)<.{2,16}?>(上大学|读大学|读研究?生?|念书|读书|上学|留学|读博)
        LATELY*是?<单身|已婚|未婚|独生子女|独生女|独生子|左撇子>
        的?性格(比较|有点|很|偏|非常)?<.{2,10}>
        (一直|其实)*是一?个(比较|很|非常)<.{2,14}>的人
        """,
    ),
)

_TASTE: Final = (
    *_chinese_rules(
        StatementSort(
            slot="taste", kind=Kind.LASTING_PREFERENCE, topic=Topic.PREFERENCE, stopped=True
        ),
        r"""
        LATELY*(不再|再也不)[喜欢爱吃喝抽玩看]+<THING>
        LATELY*不(怎么|那么|太)?(喜欢|爱|吃|喝|抽|玩)(?![他她它这那])<.{1,20}>了
        LATELY*戒掉?了?<.{1,8}?>了?
        """,
    ),
    *_chinese_rules(
        StatementSort(
            slot="taste", kind=Kind.LASTING_PREFERENCE, topic=Topic.PREFERENCE, tail=_SUCH
        ),
        r"""
        VERY*(不(太|怎么|是很|大)?(喜欢|爱)|讨厌|厌恶|受不了|不吃|不喝|不抽)<THING>
        VERY*害?怕<FRIGHT>
        VERY*恐<[高水飞]>
        [最很]喜欢的<.{0,14}[是有].{1,40}>
        VERY*(喜欢|喜爱|热爱|钟爱|爱好)<THING>
        VERY*爱(?=DEED)<THING>
        的?(兴趣|爱好|兴趣爱好|特长)(是|有|包括)<.{2,40}>
        对(?![这那它])<.{1,15}?>(VERY|越来越)*(感兴趣|有兴趣)
        (一直)?(是(一?个|一?名)?)?<素食者|素食主义者|吃素|吃货|夜猫子>的?
        """,
    ),
)

_LIFE: Final = (
    *_chinese_rules(
        StatementSort(tail=_NAMED),
        r"""
        (LATELY|家里?)*[收领]?养[了着过]?<.{0,6}[一两二三四五六七八九十几\d][只条匹个头对窝].{1,10}|PET>
        (LATELY|家里?)*有([一两二三四五六七八九\d][只条匹个位头对窝名])?<.{0,6}(PET|FAMILY)>
        """,
    ),
    *_chinese_rules(
        StatementSort(),
        r"""
        (家里?)?的?(那[只条])?<.{0,4}?PET(的名字)?(叫(?![得个了声醒不])做?|名叫|是).{1,10}>
        (家里?)?的?<FAMILY(的名字)?叫(?!NOT_NAMED)做?.{1,8}>
        (家里?)?的?<FAMILY(今年\d{1,3}岁|的生日[是在].{2,14}|住在.{2,12}|是(一?[名个位])?.{0,10}JOB)>了?
        (家里?)?的?<FAMILY在.{2,12}(工作|上班|上学|读书|读大学)>
        LATELY*<退休|毕业|辞职|升职|入职>了
        (一般|平时|通常|几乎|都|也)*<DAILY(?!.*(感觉|觉得|就会|最|能|抽空|[这那])).{3,30}>
        """,
    ),
    *_chinese_rules(
        StatementSort(sensitivity=Sensitivity.SENSITIVE),
        r"""
        对(?![这那])<.{1,14}?>(严重|有点|有些)?过敏
        (LATELY|从小就?|有点)*(有|得了|患有|患了|得过|查出了?|确诊了?)<.{0,4}ILLNESS>
        LATELY*<结婚|离婚|订婚|分手|怀孕|失业|被裁>了?
        """,
    ),
    *_chinese_rules(
        StatementSort(kind=Kind.SKILL),
        "会(一点|说|讲|一些)*<[一-鿿]{1,4}[语文话]|SKILL>",
    ),
)

_NOW_AND_NEXT: Final = (
    *_chinese_rules(
        StatementSort(kind=Kind.TEMPORARY),
        r"""
        (?!.*TRIFLE)LATELY*(正?在|开始|开始在)(学习|学(?!习)|自学|练习|练(?!习)|备考)做?(?!一[门些个种道项]|新)<.{1,16}>
        (?!.*TRIFLE)LATELY*正?在[看读追写]<.{0,14}《.{1,20}》>
        """,
    ),
    *_chinese_rules(
        StatementSort(kind=Kind.TEMPORARY, topic=Topic.PROMISE),
        "(?!.*TRIFLE)LATELY*正?在准备(?![去带睡吃])<.{2,16}>",
    ),
    *_chinese_rules(
        StatementSort(kind=Kind.PASSING_PREFERENCE, topic=Topic.PREFERENCE),
        r"""
        (?!.*TRIFLE)(很|非常|特别|真的|也|还|都|一直|从小就?|以后|将来)+(想|希望能?)<(去(?!尝试|找|买些)|学|养|买|当|成为|做|开|写)(?!.*些).{2,24}>
        (?!.*TRIFLE)想<(学(?!习的)|养|成为|当一?[名个]).{1,16}>
        """,
    ),
    *_chinese_rules(
        StatementSort(topic=Topic.PROMISE),
        "(?!.*TRIFLE)LATELY*决定了?(?!.*[这那])<(要|用|换|不|搬|选|学|从|以后|辞职|开始|考|戒).{1,24}>",
    ),
)

RULES: Final = (*_IDENTITY, *_TASTE, *_LIFE, *_NOW_AND_NEXT)

DATED_PLAN: Final = _chinese_rules(
    StatementSort(kind=Kind.TEMPORARY, topic=Topic.PROMISE),
    r"""
    (?!.*(TRIFLE|FAMILY|[这那])).{2,18}?(要|想|会|打算|计划|准备|得|有一?[场个次])<.{2,30}>
    (?!.*(TRIFLE|[这那]))LATELY*(要|打算|计划|准备)<.{4,30}>
    """,
)
"""Hold only of a clause that begins with a day to come (明天…, 打算下周三…)."""

OPEN_PLAN: Final = _chinese_rules(
    StatementSort(kind=Kind.TEMPORARY, topic=Topic.PROMISE),
    "(?!.*(TRIFLE|NOW|[这那]))LATELY*(打算|计划)着?<VENTURE(?!.*些).{2,26}>",
)
"""Hold of a plan without a day, unless its sentence speaks of now."""
