"""Reading a question: what kind of thing it asks for, whose words, and of what day."""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final, Literal
from zoneinfo import ZoneInfo

from memory.offline.vocabulary import KIN
from memory.text.dates import Span, date_mentions, date_spans
from memory.text.late_pattern import LatePattern
from memory.text.tokens import stems, tokens

_I: Final = re.IGNORECASE

# What a question says of asking and telling stands in no answer to it.
_META: Final = LatePattern(
    r"你?还?记得|曾经|曾|告诉过?|分享(?:过|了)?|推过?荐(?:过|了)?|提到过?|提起过?"
    r"|说过|聊过|咨询过?|向你"
    r"|请教过?|问过?你|哪些|哪[个一两几里儿种款本部家位道天]*|什么样?|叫做?|名字"
    r"|多少|多久|怎么样?|如何"
    r"|为什么|为啥|当时|这天|那天|一下|对吗|具体|最近|一些|不少|很多|我们?|你们?|给"
    r"|关于|内容|主要|因此|还"
    r"|一[部本款个道位件次]|[两几]个|时候|遇到了?|是什么|有过?|不"
    r"|\b(?:remember(?:ed)?|mention(?:ed)?|told|tell|shar(?:e|ed)|recommend(?:ed|ations?)?|once"
    r"|ago"
    r"|few|names?|called|specific|some|suggest(?:ed|ions?)?|advice|give|gave|given|ask(?:ed|ing)?"
    r"|consult(?:ed)?|encounter(?:ed)?|please|know|right|things?|topics?|talk(?:ed)?"
    r"|discuss(?:ed)?"
    r"|recently|many|good|what|which|kinds?|types?|genres?|main|content|certain|still|before|old"
    r"|don't"
    r"|doesn't|didn't|exploring|been|did|result|much|lot|happened|happen)\b",
    _I,
)


@dataclass(frozen=True, slots=True)
class AnswerKind:
    """A kind of question, what an answer to it holds, and by how much that counts.

    ``whole``: such an answer takes all that was said in one go, as a recipe does.
    """

    asks: LatePattern
    holds: LatePattern
    worth: float = 0.35
    whole: bool = False


def _kind(asks: str, holds: str, worth: float = 0.35, *, whole: bool = False) -> AnswerKind:
    return AnswerKind(LatePattern(asks, _I), LatePattern(holds, _I), worth, whole)


_NO_PLACE: Final = "morning|afternoon|evening|night|day|week|month|year|bit|mood|end|way|past"

_NO_NAME_EN: Final = (
    r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July"
    r"|August|September|October|November|December|I|AI)\b"
)

_NUMBER: Final = r"(?:\d+|[一二两三四五六七八九十百半几]+)"

_COUNT_EN: Final = (
    r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty"
    r"|forty|fifty|sixty|seventy|eighty|ninety|hundred|half|several|few|couple)"
)

# The most particular first.
_KINDS: Final = (
    # What it was about, not that there was something.
    _kind(
        r"关于什么|什么(?:开心|烦恼|麻烦|问题|困难|烦心|好|难)?的?(?:事|问题|麻烦"
        r"|困难)|是什么问题|因为什么"
        r"|what (?:was|were) (?:it|they|that) about|what was the (?:problem|matter|issue)|caused"
        r"|what trouble"
        r"|specific problems?|encountered something",
        r"^(?!.*(?:(?:一[个些点次]|遇到了?|几个|有些).{0,10}(?:问题|麻烦|困难|事|烦恼)"
        r"|\b(?:a|some|an|any|something) (?:[\w-]+ )?(?:problems?|issues?|troubles?|questions?"
        r"|happy|things?)\b"
        r"|\b(?:some|happy|emotional) (?:[\w-]+ )?(?:problems?|issues?|things)\b)).{10,}",
        0.5,
    ),
    _kind(
        r"多久|多长时间|几个?(?:小时|分钟|天|周|月|年)|how long",
        rf"{_NUMBER}个?(?:多|半)?(?:秒|分钟|刻钟|小时|天|周|星期|礼拜|月|年)"
        rf"|\b(?:an?|{_COUNT_EN})(?: and a half)? (?:seconds?|minutes?|hours?|days?|weeks?"
        rf"|months?|years?)\b",
        0.5,
    ),
    _kind(
        r"几岁|多大(?:年纪|了)?$|年纪|how old",
        rf"{_NUMBER}岁|\b\d+ ?(?:years? old|yo)\b|\b(?:turn(?:ed|ing)?|am|is|'m"
        rf"|aged?) \d{{1,3}}\b",
        0.6,
    ),
    _kind(
        r"几(?!乎|天前|.*哪些)[个位只条人次本件]?|多少|how (?:many|much)",
        rf"{_NUMBER}(?:来|多)?[个位只条人名次本件块元年度分斤]|\d+(?!\d*[月号日岁])|\b{_COUNT_EN}\b",
        0.35,
    ),
    _kind(
        r"做法|怎么[做弄煮烧炒]|如何[做制]|recipe|how .*\b(?:make|cook|made|cooked)\b",
        r"(?:先|再|然后|最后|放|加|切|腌|煎|炸|炒|蒸|淋).*[，,]"
        r"|\b(?:first|then|fry|fried|stir|add(?:ed)?|mix(?:ed)?|marinat\w+|steam\w*|cut"
        r"|pour\w*)\b.*,",
        0.5,
        whole=True,
    ),
    _kind(
        r"(?:内容|讲(?:了|的是|述)|主题|关于).{0,6}(?:什么|啥|是|[?？])|讲了什么"
        r"|what (?:is|was|does|did) it(?:s)? (?:about|content|talk)|content|plot|talk about\?",
        r"讲述|讲的是|关于|主题是|描[写述绘]|包含|故事"
        r"|\b(?:is about|tells|story|describes?|theme (?:is|of)|plot|explor\w+)\b",
        0.45,
    ),
    _kind(
        r"做什么(?:的|工作)?[？?]?$|干(?:什么|啥)的|什么工作|职业|\bwhat do i do\b|my job\b",
        r"工作|上班|在.{2,12}做|是一?名?.{0,6}[师生员工]|退休|\bwork|\bjob\b|\bas an? |'m an? ",
        0.4,
    ),
    _kind(
        r"哪里?的?人|哪儿人|什么地方的?人|老家|\bwhere (?:am|are|is) \w+ from\b|hometown",
        r"[一-鿿]{2,4}人(?![一-鿿])|老家|出生在|来自|\bfrom (?-i:[A-Z])|\bborn in\b|hometown",
        0.6,
    ),
    _kind(
        r"为什么|为啥|为何(?!种)|怎么会|什么(?:原因|缘故)|因为(?:什么|啥)|\bwhy\b|caused?"
        r"|what (?:made|makes)",
        r"因为|由于|所以|压力|有[点些]|感[到觉]|担心|难|疲|累|问题|搬|烦"
        r"|\b(?:because|since|so|due|feel(?:ing)?|felt|stress\w*|issues?|problems?|exhaust\w*"
        r"|tired|worr\w+"
        r"|moving|difficult\w*|anxious|upset)\b",
        0.4,
    ),
    _kind(
        r"心情|情绪|感觉(?:怎么样|如何)|how (?:am|was|were|did) i feel|\bmood\b",
        r"心情|情绪|郁闷|难过|开心|高兴|焦虑|压抑|沮丧|烦|累"
        r"|\b(?:feel(?:ing)?|felt|down|anxious|happy|sad|upset|glad|tired|disappointed)\b",
        0.45,
    ),
    _kind(
        r"(?:名字|叫什么|哪一?[部本首款档]|哪些[书电影歌小说]|哪[两几][部本首]|书目|传记|乐队|节目|电影"
        r"|小说|书籍?|游戏|app)"
        r"|\b(?:name|movies?|films?|books?|novels?|songs?|games?|apps?|shows?|programs?"
        r"|biograph\w+)\b",
        r"《[^》]+》|[“\"][^”\"]{2,60}[”\"]|叫做?|名叫|(?-i:(?<=[a-z,] )(?!"
        + _NO_NAME_EN
        + r")[A-Z][\w'-]+)"
        r"|[A-Za-z]{3,}(?=[\u4e00-\u9fff]|和)"
        r"|\b(?:called|named|such as|like) (?:[\"“]|(?-i:[A-Z]))",
        0.4,
    ),
    _kind(
        r"建议|方法|方式|技巧|办法|意见|推荐|给.{0,4}(?:分享|介绍)|advice|suggest|methods?"
        r"|\bways?\b|tips?"
        r"|techniques?|recommend",
        r"可以|建议|推荐|试试|尝试|不妨|比如|例如|首先|、.*、"
        r"|\b(?:you (?:can|could|may|should)|suggest|recommend|try|such as|for example|like"
        r"|including)\b",
        0.35,
    ),
    _kind(
        r"谁|哪位|\bwho(?:se|m)?\b",
        r"[他她]|朋友|同[事学]|老师|教练|女孩|男孩|妈|爸|姐|哥|弟|妹|叔|姨|叫|的(?:演唱会|生日)"
        r"|主任|经理|[一-鿿]总|医生|大夫|师傅|教授|护士|老板|院长|校长|\d床"
        r"|(?-i:^(?!I\b|My\b|The\b|It\b|We\b|A\b)[A-Z][a-z]+ [a-z])"
        r"|\b(?:he|she|friend|girl|boy|man|woman|mother|father|sister|brother|teacher|stranger"
        r"|called"
        r"|named)\b|'s\b|(?-i:(?<=[a-z] )[A-Z][a-z]+)",
        0.3,
    ),
    _kind(
        r"哪个?(?:国家?|城市|地方|城|省|海滨)|城市|which (?:country|city|place|seaside)"
        r"|\bwhere d\w+ (?:I|we|you) (?:go|travel|visit|fly)|\bcity\b",
        r"(?:[去到回在往飞]|城市)(?!了|过|一些|哪)[\u4e00-\u9fff]{2,5}(?:玩|旅|游|度"
        r"|看看|出差|，|。|？)"
        r"|\b(?:to|in|visit|at|near) (?:the )?(?-i:[A-Z])|\b(?-i:[A-Z][a-z]+), (?:a|the) ",
        0.4,
    ),
    _kind(
        r"哪[些种]?.{0,4}类型|什么(?:样的|类型)|哪些菜系|\bwhat (?:type|kind|genre|style)s?\b",
        r"尤其|特别是|喜欢|主要|更?偏|类型|叫|[一-鿿]{2}(?<![方形正仪公模])[型式]|《[^》]+》|[“‘「][^”’」]{2,20}[”’」]"
        r"|\b(?:especially|prefer|mainly|like|love|favou?rite|genres?|mostly|called|named)\b",
        0.3,
    ),
    _kind(
        r"颜色|colou?r",
        r"[红橙黄绿青蓝紫黑白灰粉棕金银]色?"
        r"|\b(?:red|orange|yellow|green|blue|purple|black|white|gr[ea]y|pink|brown|golden?"
        r"|silver)\b",
        0.5,
    ),
    _kind(
        r"天气|weather",
        r"天气|下.{0,4}[雨雪]|晴|阴|热|冷|\b(?:weather|rain\w*|snow\w*|sunny|hot|cold"
        r"|warm|gloomy)\b",
        0.35,
    ),
    _kind(
        r"喜欢|最爱|爱好|爱[吃喝听看玩]|\b(?:like|love|enjoy|favou?rite|prefer|hobb\w+)\b",
        r"喜欢|最爱|热爱|爱[吃喝听看玩]|兴趣|\b(?:like|love|enjoy|favou?rite|prefer"
        r"|hobb\w+|fan)\b",
        0.35,
    ),
    _kind(
        r"哪[里儿]|[在住放去]哪(?![个家所座条间项些])|什么地方|\bwhere\b"
        r"|which (?:country|city|place)|what places?",
        r"(?:[去到住]|在(?!一起|.{0,4}(?:时候|之前|之后))).{1,14}"
        r"|\b(?:in|to|at|near|from|visit) (?:the )?(?:(?-i:[A-Z])|beaches|mountains)"
        rf"|\b(?:in|at|on|under|behind|beside|near) (?:the|my|our|a) (?!{_NO_PLACE})[a-z]",
        0.3,
    ),
    _kind(
        r"哪些|哪几|\bwhich (?:ones?|were)|\bwhat (?:\w+ )?\w+s (?:did|do|have|has|were)\b",
        r"、.*[、和及或]|[》”][、和及]|像|比如|例如|\bsuch as\b|\w,? and \w|\", ",
        0.3,
    ),
    _kind(
        r"什么时候|哪[天年月]|几[月号点]|何时|日期|\b(?:when|what (?:day|date|time))\b",
        rf"{_NUMBER}[月号日点年]|周[一二三四五六日天末]|星期|[今明昨后前]天|上个?月|下个?月"
        r"|\b(?:on|in|at|last|next|yesterday|today|tomorrow|tonight)\b"
        r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b\d+(?:st|nd|rd|th|[ap]m)\b",
        0.2,
    ),
)

_HERS: Final = LatePattern(
    r"(?!你们?[说讲](?![了过的给什]))你(?:(?!我[^，,。？?]{0,4}你)[^，,。？?]){0,14}?"
    r"(?:推过?荐|告诉|教|建议|介绍|分享|说|提|讲|给|出)(?:了|过"
    r"|给)?(?:我)?[^，,。？?]{0,2}(?:了|过|什么|哪|一)"
    r"|你.{0,6}曾.{0,8}(?:推荐|告诉|教|建议|介绍|分享|说)|(?:^"
    r"|[，,。\s])都?(?:推荐|教|建议|介绍)过"
    r"|\b(?:did|have|has) you (?!(?:ever )?(?:seen|heard|been|know|remember))"
    r"|\byou(?:'ve| have)? (?:ever |once |also )?"
    r"(?:recommended|suggested|told|taught|shared|gave|given|advised|said|mentioned)\b",
    _I,
)

_MINE: Final = LatePattern(
    r"我[^，,。？?你]{0,8}(?:给|和|跟|向|对)你[^，,。？?]{0,8}(?:推过?荐|分享|提|说|讲"
    r"|咨询)(?!.*[，,].*你)"
    r"|\bI (?:once |have |had )?(?:recommend|share|mention|told|tell)\w*",
    _I,
)

_ASKS_ASKED: Final = LatePattern(r"问|请教|咨询|求助|\b(?:ask|consult|question|advice)\w*", _I)

_PLACES_EVENT: Final = LatePattern(
    r"[^\W\d_]{2,}(?:之?后|之前|期间|的时候|[时中上])[，,]|在.{2,14}(?:期间|之后|的时候|时|中)"
    r"|\b(?:when|after|before|during|while) (?:i|my|we|the)\b",
    _I,
)

_NOT_SO: Final = LatePattern(r"不|没|\b(?:not|\w+n't|never)\b", _I)

_CHECKS: Final = LatePattern(
    r"(?:对吗|对吧|是吗|是吧|对不对|是不是)[。?？\"”]*$|\b(?:right|correct)\?[\"”]*$|^\W*(?:do"
    r"|did|am|is|was"
    r"|have) i\b",
    _I,
)


KIN_WORD: Final = LatePattern(
    "|".join(
        rf"\b{word}\b" if word.isascii() else word
        for word in sorted(set().union(*KIN), key=len, reverse=True)
    ),
    _I,
)
"""A word for somebody of the family, or as near."""

OF_ME: Final = LatePattern(r"我|\b(?:I|my|me)\b")


def asks_for_her_words(asked: str) -> bool:
    """Whether a question is after what she said, recommended or taught once."""
    return _HERS.search(asked) is not None


@dataclass(frozen=True)
class Question:
    """A question, seen from the instant it is asked."""

    text: str
    now: datetime
    zone: ZoneInfo

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """The days it names; a vague "a few days ago" is none."""
        found = date_spans(self.text, self.now, self.zone)
        return tuple(
            each
            for each in found
            if (each.end - each.start).days <= _MOST_DAYS
            and not _VAGUE.search(each.words)
            # Of 10月的那个周末 the weekend is none of these days.
            and all(x.start < each.end and each.start < x.end for x in self.months)
        )

    @cached_property
    def months(self) -> tuple[Span, ...]:
        """The weeks and months it names: what is of them is likelier, and nothing more."""
        found = date_spans(self.text, self.now, self.zone)
        return tuple(x for x in found if _MOST_DAYS < (x.end - x.start).days <= _MONTH_DAYS)

    @cached_property
    def _matter(self) -> str:
        text = self.text
        for each in reversed(date_mentions(text, self.now, self.zone)):
            text = f"{text[: each.start]} {text[each.end :]}"
        return _META.sub(" ", text)

    @cached_property
    def terms(self) -> frozenset[str]:
        """What its words are found by, without those that only ask and the days it names."""
        return frozenset(tokens(self._matter))

    @cached_property
    def words(self) -> frozenset[str]:
        """Those of :attr:`terms` that are whole words."""
        return frozenset(stems(self._matter))

    @cached_property
    def kinds(self) -> tuple[AnswerKind, ...]:
        """What kinds of thing it asks for, the most particular first."""
        return tuple(kind for kind in _KINDS if kind.asks.search(self.text))

    @cached_property
    def after(self) -> Literal["user", "assistant", ""]:
        """Whose words it is after; empty if either's."""
        if _MINE.search(self.text) and not _HERS.search(_MINE.sub("", self.text)):
            return "user"
        if asks_for_her_words(self.text):
            return "assistant"
        return "user" if OF_ME.search(self.text) else ""

    @cached_property
    def kin(self) -> frozenset[str]:
        """Every word for those it asks about: 爸 and 父亲 of 我爸多大了; empty for nobody."""
        named = {word.lower() for word in KIN_WORD.findall(self.text)}
        return frozenset().union(*(group for group in KIN if group & named))

    def may_be_of(self, text: str) -> bool:
        """Whether a text may be about those it asks about."""
        return not self.kin or any(w.lower() in self.kin for w in KIN_WORD.findall(text))

    @cached_property
    def denies(self) -> bool:
        """Whether it asks to have it confirmed that something is not so."""
        return self.checks and _NOT_SO.search(_CHECKS.sub("", self.text)) is not None

    @cached_property
    def checks(self) -> bool:
        """Whether it only asks to have something confirmed."""
        return _CHECKS.search(self.text.strip()) is not None


def without_telling(asked: str) -> str:
    """Return a question without "I once told you of it": a film I shared is not thereby mine."""
    return _MINE.sub("", asked)


def asks_what_was_asked(asked: str) -> bool:
    """Whether a question is after what was once asked."""
    return _ASKS_ASKED.search(asked) is not None


def places_event(question: Question) -> bool:
    """Whether a question places what happened once: in September, when I was at the doctor's."""
    placed = question.months or _PLACES_EVENT.search(question.text)
    return bool(placed) and not question.checks and question.after == "user"


_MOST_DAYS: Final = 7

_MONTH_DAYS: Final = 31

_VAGUE: Final = LatePattern("几|最近|近来|few|recent|lately|some", _I)
