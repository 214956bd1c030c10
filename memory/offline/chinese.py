"""Reading what a Chinese clause says of its speaker, by the plain ways of speaking of oneself.

Each pattern fits a whole clause from which 我 has been taken: 最近我也喜欢拉面 → 最近喜欢拉面. The
notation is that of :func:`memory.offline.statements.rules`; a dot is any character but 我, 你, 您.
"""

import re
from dataclasses import replace
from datetime import datetime
from typing import Final

from memory.model import Kind, Sensitivity, Topic
from memory.offline import statements
from memory.offline.vocabulary import WORDS_ZH
from memory.text.dates import date_mentions
from memory.text.slot_cues import Slot
from memory.text.slots_zh import BIDDEN_ZH
from memory.text.tokens import tagged_words
from memory.text.word_forms import SURNAMES

# A clause with a second 我, or with 你, is about two people, and no rule knows who is meant.
ANYTHING: Final = "[^我你您]"

_NAMED: Final = re.compile(r"(?:它|她|他|名字)?(?:叫(?:做)?|名叫|名字叫|名字是)[^我你您]{1,10}")

_SUCH: Final = re.compile(r"(?:像|比如|例如|譬如|比如说|尤其是?|特别是|包括|还有)[^我你您]{1,30}")


def _chinese_rules(sort: statements.StatementSort, patterns: str) -> tuple[statements.Rule, ...]:
    words = {**WORDS_ZH, "THING": _THING}
    return statements.rules(sort, patterns, words, ANYTHING)


# What may be liked: not a person spoken of as 他 or 她, not 这 or 那, which name nothing by
# themselves, and not what follows 喜欢 as an ending (喜欢上了, 喜欢过).
_NO_THING: Final = "自己|今[天晚]|[昨明]天|刚才|里面|其中|一个人|大家|和你|跟你"
_THING: Final = f"(?![它他她的上了过死])(?!{_NO_THING})[^我你您这那]{{1,40}}"

_IDENTITY: Final = (
    *_chinese_rules(
        statements.StatementSort(slot=Slot.NAME, kind=Kind.IDENTITY),
        r"""
        的?(全名|名字)(叫做?|是)(?!NOT_NAMED)<[一-鿿·]{1,5}|[a-z][\w '-]{0,24}>
        (叫做?|姓)(?!NOT_NAMED)<[一-鿿·]{1,5}|[a-z][\w '-]{0,24}>
        LATELY*改名(叫|为|成)?了?["“「『]?<[^我你您"“”「」『』]{1,8}?>["”」』]?[了啦]?
        """,
    ),
    *_chinese_rules(
        statements.StatementSort(slot=Slot.AGE, kind=Kind.IDENTITY),
        r"(LATELY|才|快|马上|满)*<\d{1,3}|[一二三四五六七八九十]{1,3}>周?岁半?了?",
    ),
    *_chinese_rules(
        statements.StatementSort(slot=Slot.BIRTHDAY, kind=Kind.IDENTITY),
        r"的?(农历|阳历|公历)?生日(是|在)<.*([月日号节]|\d).*>",
    ),
    *_chinese_rules(
        statements.StatementSort(slot=Slot.HOME, kind=Kind.IDENTITY),
        "(LATELY|家)*(住在?|家在)(?![院校酒宾了这那得的嘴手口]|民宿|.*LODGING)<.{2,20}>",
    ),
    *_chinese_rules(
        statements.StatementSort(kind=Kind.IDENTITY),
        r"""
        的?老家(是|在)<.{2,16}>
        (来自|出生在|出生于)(?![这那])<.{2,16}>
        是一?个?(土生土长的|地道的?|正宗的?)?(?!NO_PLACE)<[一-鿿]{2,5}>人
        """,
    ),
    *_chinese_rules(
        statements.StatementSort(slot=Slot.HOME, kind=Kind.IDENTITY, moved=True),
        "LATELY*搬家?[到去来]了?(?![这那])<.{2,16}?>[住来去]?了?",
    ),
    *_chinese_rules(
        statements.StatementSort(slot=Slot.WORK, kind=Kind.IDENTITY),
        r"""
        (?!今[天晚]|[昨明]天)LATELY*[是当做](一?[名个位])?(?!个)<[^我你您是]{0,14}JOB>的?
        的?(职业|工作|专业)是(?![很不])<.{2,16}>
        LATELY*在(?!NOWHERE|.*UNSETTLED)<.{2,16}?>(工作|上班|任职|教书|实习|[当做]JOB)
        """,
    ),
    *_chinese_rules(
        statements.StatementSort(kind=Kind.IDENTITY),
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
        statements.StatementSort(
            slot=Slot.TASTE, kind=Kind.LASTING_PREFERENCE, topic=Topic.PREFERENCE, stopped=True
        ),
        r"""
        LATELY*(不再|再也不)[喜欢爱吃喝抽玩看]+<THING>
        LATELY*不(怎么|那么|太)?(喜欢|爱|吃|喝|抽|玩)(?![他她它这那])<.{1,20}>了
        LATELY*戒掉?了?<.{1,8}?>了?
        """,
    ),
    *_chinese_rules(
        statements.StatementSort(
            slot=Slot.TASTE, kind=Kind.LASTING_PREFERENCE, topic=Topic.PREFERENCE, tail=_SUCH
        ),
        r"""
        VERY*(不(太|怎么|是很|大)?(喜欢|爱)|讨厌|厌恶|受不了|不吃|不喝|不抽)<THING>
        VERY*受不了(?![他她它这那的自])<.{1,14}>
        VERY*好<一口[^气]{1,6}>
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
        statements.StatementSort(tail=_NAMED),
        r"""
        (LATELY|家里?)*[收领]?养[了着过]?<.{0,6}[一两二三四五六七八九十几\d][只条匹个头对窝].{1,10}|PET>
        (LATELY|家里?)*有([一两二三四五六七八九\d][只条匹个位头对窝名])?<.{0,6}(PET|FAMILY)>
        """,
    ),
    *_chinese_rules(
        statements.StatementSort(),
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
        statements.StatementSort(sensitivity=Sensitivity.SENSITIVE),
        r"""
        对(?![这那])<.{1,14}?>(严重|有点|有些)?(过敏|[ ]?allergic|[ ]?allergy)
        (超|很|有点|天生)*[ ]?allergic[ ]to[ ]?<.{1,14}>
        (有点|其实|天生|是)*[ ]?<(lactose|gluten)[ ]intolerant>的?
        (LATELY|从小就?|有点)*(有|得了|患有|患了|得过|查出了?|确诊了?)<.{0,4}ILLNESS>
        LATELY*<结婚|离婚|订婚|分手|怀孕|失业|被裁>了?
        <[离结]过.{0,3}婚>
        一(吃|喝|闻|碰)<.{1,8}>就(会|要)?(起疹子?|过敏|拉肚子|肚子疼|胃[疼痛]|头[疼痛]|浑身痒|打喷嚏|长痘|起荨麻疹).{0,3}
        """,
    ),
    *_chinese_rules(
        statements.StatementSort(kind=Kind.SKILL),
        "会(一点|说|讲|一些)*<[一-鿿]{1,4}[语文话]|SKILL>",
    ),
)

_NOW_AND_NEXT: Final = (
    *_chinese_rules(
        statements.StatementSort(kind=Kind.TEMPORARY),
        r"""
        (?!.*TRIFLE)LATELY*(正?在|开始|开始在)(学习|学(?!习)|自学|练习|练(?!习)|备考)做?(?!一[门些个种道项]|新)<.{1,16}>
        (?!.*TRIFLE)LATELY*正?在[看读追写]<.{0,14}《.{1,20}》>
        """,
    ),
    *_chinese_rules(
        statements.StatementSort(kind=Kind.TEMPORARY, topic=Topic.PROMISE),
        "(?!.*TRIFLE)LATELY*正?在准备(?![去带睡吃])<.{2,16}>",
    ),
    *_chinese_rules(
        statements.StatementSort(kind=Kind.PASSING_PREFERENCE, topic=Topic.PREFERENCE),
        r"""
        (?!.*TRIFLE)(很|非常|特别|真的|也|还|都|一直|从小就?|以后|将来)+(想|希望能?)<(去(?!尝试|找|买些)|学|养|买|当|成为|做|开|写)(?!.*些).{2,24}>
        (?!.*TRIFLE)想<(学(?!习的)|养|成为|当一?[名个]).{1,16}>
        (?!.*TRIFLE)(想|要|希望)在<.{1,8}(岁|毕业|退休|结婚|年底)(之|以)?前.{2,20}>
        """,
    ),
    *_chinese_rules(
        statements.StatementSort(topic=Topic.PROMISE),
        "(?!.*TRIFLE)LATELY*决定了?(?!.*[这那])<(要|用|换|不|搬|选|学|从|以后|辞职|开始|考|戒"
        "|(过年|春节|国庆|五一|元旦|中秋|[寒暑]假|[今明后]年)[不去回留在陪]).{1,24}>",
    ),
)

RULES: Final = (*_IDENTITY, *_TASTE, *_LIFE, *_NOW_AND_NEXT)

DATED_PLAN: Final = _chinese_rules(
    statements.StatementSort(kind=Kind.TEMPORARY, topic=Topic.PROMISE),
    r"""
    (?!.*(TRIFLE|FAMILY|[这那])).{2,18}?(要|想|会|打算|计划|准备|得|有一?[场个次])<.{2,30}>
    (?!.*(TRIFLE|[这那]))LATELY*(要|打算|计划|准备)<.{4,30}>
    """,
)
"""Apply only to a clause that begins with a day to come (明天…, 打算下周三…)."""

OPEN_PLAN: Final = _chinese_rules(
    statements.StatementSort(kind=Kind.TEMPORARY, topic=Topic.PROMISE),
    "(?!.*(TRIFLE|NOW|[这那]))LATELY*(打算|计划)着?<VENTURE(?!.*些).{2,26}>",
)
"""Apply to a plan without a day, unless its sentence speaks of now."""

# Openers that say nothing; taken off again and again, since they pile up (嗯，对了，其实…).
_LEAD: Final = re.compile(
    r"^(?:嗯++|哦++|啊|哈++|好的?|是的?|对[呀啊]?|没错|其实|另外|此外|对了|不过|而且|但是?|还有"
    r"|因为|所以|然后|那么?|哎|唉|呃|嗨|说起来"
    r"|说实话|老实说|实际上|顺便告诉你|告诉你|跟你说|毕竟|当然|可是?|虽然|除了.{1,8}"
    r"|你好[啊呀]?|今后|以后|话说|我觉得(?=你)|顺便说一?下?)[，,、：:\s]*"
)

_WHEN: Final = (
    "(?:最近|近来|现在|目前|平时|闲下来|有空的?时?候?|没事的?时?候?|周末|大后天|后天|昨天|暑假|寒假|月底|年底"
    "|今[天晚年]|明[天晚年]|上个?[周月]|下下?个?(?:周|星期|礼拜|月)[一二三四五六日天末]?"
    r"|这个?(?:周末?|星期|月)|\d{1,2}月(?:\d{1,2}[日号])?"
    r"|早上|上午|中午|下午|傍晚|晚上|凌晨|(?:\d{1,2}|[一二两三四五六七八九十]{1,2})点半?)"
)

# 我 as the subject, not as part of 我们 or of an opinion (我觉得, 我想我…).
_MINE: Final = re.compile(
    rf"(?P<when>{_WHEN}{{0,3}})我(?!们|想我|觉得|也同感)"
    r"(?:[也还](?![想是])|其实|就|自己|个人|本人|呢)*(?P<rest>.+)"
)

# What may go on without 我 after a clause about oneself; a closed list, since without a subject
# anybody might be meant.
_CARRIED: Final = re.compile(
    r"(?:也|还|并且)*(?P<rest>(?:今年\d|住在|来自|老家|(?:很|最|特别|非常|不|不太)?喜欢|讨厌"
    r"|爱[吃喝听看玩]|在.{2,14}(?:工作|上班|读|上大?学|留学)"
    r"|是.{0,3}[一-鿿]+|养了|有[一两]|打算|对.{1,8}过敏|生日是|家里有|单身|属).*)"
)

_END: Final = re.compile(r"(?<![叫小阿老哈])[吧呢啊哦呀啦哈嘛喔哟\s☀-➿️\U0001f000-\U0001faff]+$")

_BIRTHDAY: Final = re.compile(
    r"(?P<when>今天|明天|后天|昨天|前天)(?:就|正好|刚好|正)?(?:是|到)我的?(?:\d+岁)?生日"
    r"|我(?P<w>今天|明天|后天|昨天)(?:要)?过?生日"
)

# 叫我 may ask for anything (叫我起床, 别叫我…): the characters after it rule that out.
_CALL: Final = re.compile(
    rf"(?!叫我[一-鿿]{{2}}好$)(?:你|您|大家)?(?:也|就|以后|往后|今后|请|都|平时|还是|干脆|改)*(?:可以|都)?(?:叫|(?<=[你家后])喊|(?<=可以)喊|(?<=[你家以])称呼)我(?!{BIDDEN_ZH}|[别不去来快做吃要多早先帮给把起出回进到等看听说想问陪跟]|小名|外号|全名|大名)(?P<v>[^我你您，了的]{{1,6}}?)(?:就好"
    r"|就行|就成|就可以|得了|成|好|即可)?了?"
)

# 我是王芳: a surname and one or two characters, unless they end like an occupation (是高中老师).
_CALLED: Final = re.compile(rf"是(?P<v>[{SURNAMES}][一-鿿]{{1,2}}(?<![人师生员家手者长工的]))")

# 我是老陈: so one is called, and the whole name may be another.
_CALLED_OLD: Final = re.compile(
    rf"我(?:就)?是(?P<v>[老小阿](?![师板手外乡总大公婆三])[{SURNAMES}])"
)

_IS_NAMED: Final = re.compile(rf"(?:我|本人)(?P<v>[{SURNAMES}][一-鿿]{{1,2}})")

_BEFORE_DAY: Final = re.compile("(?:最近|现在|已经|正|就|也|还)*(?:打算|计划|准备|要|会)?")

# 今晚打算做面: over before anybody could ask about it.
_NOW: Final = re.compile("今[天晚]|现在")

_LISTED: Final = re.compile(r"[一-鿿]{2,5}(?<![吗呢吧了的啊])(?:等等?)?")

_NOT_LISTED: Final = re.compile(
    r"[我你您他她]|真的|哈哈|谢谢|是[吧吗的]|对[吧吗]|可惜|不过|但是|所以|因为|觉得|特别|非常|感觉"
)

# Needs 的 after the name: 主人的女儿今年五岁, but 主人喜欢拉面.
_RELATIVE: Final = re.compile(
    r"(?:女儿|儿子|孩子|[妹姐哥弟妈爸奶爷]{2}|[妈爸]|老婆|老公|妻子|丈夫|[女男]朋?友)"
)


def read_clause(
    clause: statements.StatedClause, subject: str, at: datetime, *, carried: bool, greets: bool
) -> statements.Statement | None:
    """Return what a clause says of its speaker, whom ``subject`` names, or None.

    ``at`` is when it was said, in the speaker's zone. ``carried``: the clause before it spoke of
    the speaker, who may then be left unnamed (我叫李明，住在上海). ``greets``: people are getting
    acquainted, so that 我是李明 is a name.
    """
    words = _END.sub("", _without_lead(clause.text))
    if called := _CALL.fullmatch(words) or _CALLED_OLD.fullmatch(words):
        return _nickname_statement(called["v"], subject)
    if day := _BIRTHDAY.fullmatch(words):
        return _birthday_statement(day["when"] or day["w"], subject, at)
    if (named := _IS_NAMED.fullmatch(words)) and _is_name(named["v"]):
        return _name_statement(named["v"], subject)
    mine = _MINE.fullmatch(words) or (carried and _CARRIED.fullmatch(words)) or None
    if mine is None:
        return None
    when = mine.groupdict().get("when") or ""
    rest = when + mine["rest"]
    if greets and (named := _CALLED.fullmatch(rest)):
        return _name_statement(named["v"], subject)
    return _by_rules(rest, clause, subject, at)


def _is_name(words: str) -> bool:
    """Whether the dictionary takes the words for a person's name, and nothing else."""
    return all(tag.startswith("nr") for _, tag in tagged_words(words))


def _by_rules(
    rest: str, clause: statements.StatedClause, subject: str, at: datetime
) -> statements.Statement | None:
    for rule in RULES:
        if found := rule.fullmatch(rest):
            return _statement(rule, found, clause, subject)
    ahead = any(
        day.days.first > at.date() and _BEFORE_DAY.fullmatch(rest[: day.start])
        for day in date_mentions(rest, at, statements.zone_of(at))
    )
    if not ahead and _NOW.search("，".join((*clause.before, *clause.after))):
        return None
    for rule in DATED_PLAN if ahead else OPEN_PLAN:
        if found := rule.fullmatch(rest):
            return _statement(rule, found, clause, subject)
    return None


def _statement(
    rule: statements.Rule, found: re.Match[str], clause: statements.StatedClause, subject: str
) -> statements.Statement:
    of = "的" if _RELATIVE.match(found[0]) else ""
    text = f"{subject}{of}{found[0]}{_continued(rule, clause.after)}"
    statement = statements.statement_by(rule, found["v"], text)
    # 最近喜欢 is a taste of these days, whatever the rule says.
    if statement.kind is Kind.LASTING_PREFERENCE and found[0].startswith(("最近", "现在")):
        return replace(statement, kind=Kind.PASSING_PREFERENCE)
    return statement


def _continued(rule: statements.Rule, after: tuple[str, ...]) -> str:
    """Return the following clauses that belong to the statement: a list going on, an example."""
    if rule.sort.tail is None:
        return ""
    if after and rule.sort.tail.fullmatch(_END.sub("", after[0])):
        return "，" + _END.sub("", after[0])
    listed: list[str] = []
    for part in (_END.sub("", each) for each in after):
        if not _LISTED.fullmatch(part) or _NOT_LISTED.search(part):
            break
        listed.append(part)
    # One short clause after a taste may be anything; two in a row are a list going on.
    return "".join("，" + part for part in listed) if len(listed) > 1 else ""


def _nickname_statement(name: str, subject: str) -> statements.Statement:
    return statements.Statement(
        text=f"可以叫{subject}{name}",
        value=name,
        slot=Slot.NICKNAME,
        kind=Kind.IDENTITY,
    )


def _name_statement(name: str, subject: str) -> statements.Statement:
    return statements.Statement(
        text=f"{subject}是{name}", value=name, slot=Slot.NAME, kind=Kind.IDENTITY
    )


def _birthday_statement(when: str, subject: str, at: datetime) -> statements.Statement | None:
    """Return the birthday by its date; a day to come keeps its year.

    Without the year it would be read as the day's last return.
    """
    for day in date_mentions(when, at, statements.zone_of(at)):
        first = day.days.first
        date = f"{first.month}月{first.day}日"
        coming = f"{when}（{first}）是{subject}的生日"
        text = coming if first > at.date() else f"{subject}的生日是{date}"
        return statements.Statement(text=text, value=date, slot=Slot.BIRTHDAY, kind=Kind.IDENTITY)
    return None


def _without_lead(text: str) -> str:
    while (shorter := _LEAD.sub("", text, count=1)) != text and shorter:
        text = shorter
    return text
