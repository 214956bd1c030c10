"""Reading one Chinese clause: taking off what leads in and 我, and matching the rules."""

import re
from dataclasses import replace
from datetime import datetime
from typing import Final

from memory.model import Kind
from memory.offline.chinese import DATED_PLAN, OPEN_PLAN, RULES
from memory.offline.clauses import StatedClause, zone_of
from memory.offline.lexicon_zh import SURNAMES
from memory.offline.statements import Rule, Statement, statement_by
from memory.text.dates import date_mentions

_LEAD: Final = re.compile(
    r"^(?:嗯+|哦+|啊|哈+|好的?|是的?|对[呀啊]?|没错|其实|另外|此外|对了|不过|而且|但是?|还有"
    r"|因为|所以|然后|那么?|哎|唉|呃|嗨|说起来"
    r"|说实话|老实说|实际上|顺便告诉你|告诉你|跟你说|毕竟|当然|可是?|虽然|除了.{1,8}"
    r"|你好[啊呀]?|今后|以后|话说|我觉得(?=你)|顺便说一?下?)[，,、：:\s]*"
)
_WHEN: Final = (
    "(?:最近|近来|现在|目前|平时|周末|大后天|后天|昨天|暑假|寒假|月底|年底"
    "|今[天晚年]|明[天晚年]|上个?[周月]|下下?个?(?:周|星期|礼拜|月)[一二三四五六日天末]?"
    r"|这个?(?:周末?|星期|月)|\d{1,2}月(?:\d{1,2}[日号])?"
    r"|早上|上午|中午|下午|傍晚|晚上|凌晨|(?:\d{1,2}|[一二两三四五六七八九十]{1,2})点半?)"
)
_MINE: Final = re.compile(
    rf"(?P<when>{_WHEN}{{0,3}})我(?!们|想我|觉得|也同感)"
    r"(?:[也还](?![想是])|其实|就|自己|个人|本人|呢)*(?P<rest>.+)"
)
_CARRIED: Final = re.compile(
    r"(?:也|还|并且)*(?P<rest>(?:今年\d|住在|来自|老家|(?:很|最|特别|非常|不|不太)?喜欢|讨厌"
    r"|爱[吃喝听看玩]|在.{2,14}(?:工作|上班|读|上大?学|留学)"
    r"|是.{0,3}[一-鿿]+|养了|有[一两]|打算|对.{1,8}过敏|生日是|家里有|单身|属).*)"
)
_END: Final = re.compile(r"[吧呢啊哦呀啦哈嘛喔哟\s☀-➿️\U0001f000-\U0001faff]+$")
_BIRTHDAY: Final = re.compile(
    r"(?P<when>今天|明天|后天|昨天|前天)(?:就|正好|刚好|正)?(?:是|到)我的?(?:\d+岁)?生日"
    r"|我(?P<w>今天|明天|后天|昨天)(?:要)?过?生日"
)
_CALL: Final = re.compile(
    r"(?:你|您|大家)?(?:也|就|以后|请|都|平时)*(?:可以|都)?叫我(?![别不去来快做吃要多早先帮给把起])(?P<v>[^我你您，了的]{1,6}?)(?:就好"
    r"|就行|就可以|好|即可)?了?"
)
_CALLED: Final = re.compile(rf"是(?P<v>[{SURNAMES}][一-鿿]{{1,2}}(?<![人师生员家手者长工的]))")
_BEFORE_DAY: Final = re.compile("(?:最近|现在|已经|正|就|也|还)*(?:打算|计划|准备|要|会)?")
_NOW: Final = re.compile("今[天晚]|现在")
_LISTED: Final = re.compile(r"[一-鿿]{2,5}(?<![吗呢吧了的啊])(?:等等?)?")
_NOT_LISTED: Final = re.compile(
    r"[我你您他她]|真的|哈哈|谢谢|是[吧吗的]|对[吧吗]|可惜|不过|但是|所以|因为|觉得|特别|非常|感觉"
)
_RELATIVE: Final = re.compile(
    r"(?:女儿|儿子|孩子|[妹姐哥弟妈爸奶爷]{2}|[妈爸]|老婆|老公|妻子|丈夫|[女男]朋?友)"
)


def read_clause(
    clause: StatedClause, subject: str, at: datetime, *, carried: bool, greets: bool
) -> Statement | None:
    """Return what a clause says of its speaker, whom ``subject`` names, or None.

    ``at`` is when it was said, in the speaker's zone. ``carried`` says that the clause before it
    spoke of the speaker, who may then be left unnamed (我叫李明，住在上海).
    """
    words = _END.sub("", _without_lead(clause.text))
    if called := _CALL.fullmatch(words):
        return _nickname_statement(called["v"], subject)
    if day := _BIRTHDAY.fullmatch(words):
        return _birthday_statement(day["when"] or day["w"], subject, at)
    mine = _MINE.fullmatch(words) or (carried and _CARRIED.fullmatch(words)) or None
    if mine is None:
        return None
    when = mine.groupdict().get("when") or ""
    rest = when + mine["rest"]
    if greets and (named := _CALLED.fullmatch(rest)):
        return _name_statement(named["v"], subject)
    return _by_rules(rest, clause, subject, at)


def _by_rules(rest: str, clause: StatedClause, subject: str, at: datetime) -> Statement | None:
    for rule in RULES:
        if found := rule.fullmatch(rest):
            return _statement(rule, found, clause, subject)
    ahead = any(
        day.days.first > at.date() and _BEFORE_DAY.fullmatch(rest[: day.start])
        for day in date_mentions(rest, at, zone_of(at))
    )
    if not ahead and _NOW.search("，".join((*clause.before, *clause.after))):
        return None
    for rule in DATED_PLAN if ahead else OPEN_PLAN:
        if found := rule.fullmatch(rest):
            return _statement(rule, found, clause, subject)
    return None


def _statement(rule: Rule, found: re.Match[str], clause: StatedClause, subject: str) -> Statement:
    of = "的" if _RELATIVE.match(found[0]) else ""
    text = f"{subject}{of}{found[0]}{_continued(rule, clause.after)}"
    statement = statement_by(rule, found["v"], text)
    if statement.kind is Kind.LASTING_PREFERENCE and found[0].startswith(("最近", "现在")):
        return replace(statement, kind=Kind.PASSING_PREFERENCE)
    return statement


def _continued(rule: Rule, after: tuple[str, ...]) -> str:
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
    return "".join("，" + part for part in listed) if len(listed) > 1 else ""


def _nickname_statement(name: str, subject: str) -> Statement:
    return Statement(
        text=f"可以叫{subject}{name}",
        value=name,
        slot="nickname",
        kind=Kind.IDENTITY,
    )


def _name_statement(name: str, subject: str) -> Statement:
    return Statement(text=f"{subject}是{name}", value=name, slot="name", kind=Kind.IDENTITY)


def _birthday_statement(when: str, subject: str, at: datetime) -> Statement | None:
    """Name the day by its date; a day to come with its year, or it would mean the last one."""
    for day in date_mentions(when, at, zone_of(at)):
        first = day.days.first
        date = f"{first.month}月{first.day}日"
        coming = f"{when}（{first}）是{subject}的生日"
        text = coming if first > at.date() else f"{subject}的生日是{date}"
        return Statement(text=text, value=date, slot="birthday", kind=Kind.IDENTITY)
    return None


def _without_lead(text: str) -> str:
    while (shorter := _LEAD.sub("", text, count=1)) != text and shorter:
        text = shorter
    return text
