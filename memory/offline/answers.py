"""Finding the sentence that answers a question, among what was said and what is known.

A question is read for what kind of thing it asks (a title, a person, a length of time, a reason,
advice …), whose words it is after and which day it names; every whole sentence at hand is weighed
by the words it shares with it, and by whether it holds that kind of thing.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final, Literal
from zoneinfo import ZoneInfo

from memory.offline.vocabulary import EN, ZH, is_question
from memory.text.dates import Span, date_mentions, date_spans
from memory.text.tokens import tokens
from prompts import PromptLine, PromptMemory

_I: Final = re.IGNORECASE

ENOUGH: Final = 0.34
"""The share of a question's words, by weight, that an answer must account for."""

ENOUGH_OF_WORLD: Final = 0.6
"""The same where nothing says that the question is about what was lived or said."""

_LONGEST: Final = 240
"""A longer sentence is a list or was pasted; it is told up to a clause."""

_SENTENCE: Final = re.compile(
    r"[^。！？!?\n]+?(?:[。！？!?]+[”’」』\"]?|(?<=[a-z0-9)\"'’”])\.(?=\s+[A-Z\"“])|$)", re.DOTALL
)

_ASIDE: Final = re.compile(
    r"\b(?:do|did|can|could|have|would) you\b.*\?|^(?:hi|hello|hey|sure|of course|thank|okay|ok)\b"
    r"|^(?:你好|您好|嗨|谢谢|好的|不用谢|不客气|当然)[^《“]{0,14}$",
    _I,
)

# What a question says of asking and telling stands in no answer to it.
_META: Final = re.compile(
    r"你?还?记得|曾经|曾|告诉过?|分享(?:过|了)?|推过?荐(?:过|了)?|提到过?|提起过?|说过|聊过|咨询过?|向你"
    r"|请教过?|问过?你|哪些|哪[个一两几里儿种款本部家位道天]*|什么样?|叫做?|名字|多少|多久|怎么样?|如何"
    r"|为什么|为啥|当时|这天|那天|一下|对吗|具体|最近|一些|不少|很多|我们?|你们?|给|关于|内容|主要|因此|还"
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
class _Kind:
    """A kind of question, what an answer to it holds, and by how much that counts."""

    asks: re.Pattern[str]
    holds: re.Pattern[str]
    worth: float = 0.35


def _kind(asks: str, holds: str, worth: float = 0.35) -> _Kind:
    return _Kind(re.compile(asks, _I), re.compile(holds, _I), worth)


_NUMBER: Final = r"(?:\d+|[一二两三四五六七八九十百半几]+)"

_COUNT_EN: Final = (
    r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|half|several)"
)

# The most particular first.
_KINDS: Final = (
    _kind(
        r"多久|多长时间|几个?(?:小时|分钟|天|周|月|年)|how long",
        rf"{_NUMBER}个?(?:多|半)?(?:秒|分钟|刻钟|小时|天|周|星期|礼拜|月|年)"
        rf"|\b(?:an?|{_COUNT_EN})(?: and a half)? (?:seconds?|minutes?|hours?|days?|weeks?"
        rf"|months?|years?)\b",
        0.5,
    ),
    _kind(
        r"几岁|多大(?:年纪|了)?$|年纪|how old",
        rf"{_NUMBER}岁|\b\d+ ?(?:years? old|yo)\b|\b(?:turn(?:ed|ing)?|am|is|'m|aged?) \d{{1,3}}\b",
        0.6,
    ),
    _kind(
        r"几(?!乎|天前)[个位只条人次本件]?|多少|how (?:many|much)",
        rf"{_NUMBER}(?:来|多)?[个位只条人名次本件块元]|\b{_COUNT_EN}\b",
        0.35,
    ),
    _kind(
        r"做法|怎么[做弄煮烧炒]|如何[做制]|recipe|how .*\b(?:make|cook|made|cooked)\b",
        r"(?:先|再|然后|最后|放|加|切|腌|煎|炸|炒|蒸|淋).*[，,]"
        r"|\b(?:first|then|fry|fried|stir|add(?:ed)?|mix(?:ed)?|marinat\w+|steam\w*|cut"
        r"|pour\w*)\b.*,",
        0.5,
    ),
    _kind(
        r"(?:内容|讲(?:了|的是|述)|主题|关于).{0,6}(?:什么|啥|是|[?？])|讲了什么"
        r"|what (?:is|was|does|did) it(?:s)? (?:about|content|talk)|content|plot|talk about\?",
        r"讲述|讲的是|关于|主题|描[写述绘]|包含|故事"
        r"|\b(?:is about|tells|story|describes?|theme|plot|explor\w+)\b",
        0.45,
    ),
    _kind(
        r"为什么|为啥|为何|怎么会|什么(?:原因|缘故)|因为(?:什么|啥)|\bwhy\b|caused?|what (?:made|makes)",
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
        r"(?:名字|叫什么|哪一?[部本首款档]|哪些[书电影歌小说]|哪[两几][部本首]|书目|节目|电影|小说|书籍?|游戏|app)"
        r"|\b(?:name|movies?|films?|books?|novels?|songs?|games?|apps?|shows?|programs?"
        r"|biograph\w+)\b",
        r"《[^》]+》|[“\"][^”\"]{2,60}[”\"]|叫做?|名叫|[A-Za-z]{3,}(?=[\u4e00-\u9fff]|和)"
        r"|\b(?:called|named|such as|like) [\"“A-Z]",
        0.4,
    ),
    _kind(
        r"建议|方法|方式|技巧|办法|意见|推荐|给.{0,4}(?:分享|介绍)|advice|suggest|methods?|\bways?\b|tips?"
        r"|techniques?|recommend",
        r"可以|建议|推荐|试试|尝试|不妨|比如|例如|首先|、.*、"
        r"|\b(?:you (?:can|could|may|should)|suggest|recommend|try|such as|for example|like"
        r"|including)\b",
        0.35,
    ),
    _kind(
        r"谁|哪位|\bwho(?:se|m)?\b",
        r"[他她]|朋友|同[事学]|老师|教练|女孩|男孩|妈|爸|姐|哥|弟|妹|叫|的(?:演唱会|生日)"
        r"|\b(?:he|she|friend|girl|boy|man|woman|mother|father|sister|brother|teacher|stranger"
        r"|called"
        r"|named)\b|'s\b|(?<=[a-z] )[A-Z][a-z]+",
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
        r"天气|下.{0,4}[雨雪]|晴|阴|热|冷|\b(?:weather|rain\w*|snow\w*|sunny|hot|cold|warm|gloomy)\b",
        0.35,
    ),
    _kind(
        r"喜欢|最爱|爱好|爱[吃喝听看玩]|\b(?:like|love|enjoy|favou?rite|prefer|hobb\w+)\b",
        r"喜欢|最爱|热爱|爱[吃喝听看玩]|兴趣|\b(?:like|love|enjoy|favou?rite|prefer|hobb\w+|fan)\b",
        0.35,
    ),
    _kind(
        r"哪[里儿]|哪个(?:地方|国家|城市)|什么地方|去哪|\bwhere\b|which (?:country|city|place)|what places?",
        r"[去在到住].{1,14}|\b(?:in|to|at|near|from|visit) (?:the )?(?:[A-Z]|beaches|mountains)",
        0.3,
    ),
    _kind(
        r"什么时候|哪[天年月]|几[月号点]|何时|日期|\b(?:when|what (?:day|date|time))\b",
        rf"{_NUMBER}[月号日点年]|周[一二三四五六日天末]|星期|[今明昨后前]天|上个?月|下个?月"
        r"|\b(?:on|in|at|last|next|yesterday|today|tomorrow|tonight)\b",
        0.2,
    ),
)

_HERS: Final = re.compile(
    r"你(?:(?!我[^，,。？?]{0,4}你)[^，,。？?]){0,14}?"
    r"(?:推过?荐|告诉|教|建议|介绍|分享|说|提|讲|给|出)(?:了|过|给)?(?:我)?[^，,。？?]{0,2}(?:了|过|什么|哪|一)"
    r"|你.{0,6}曾.{0,8}(?:推荐|告诉|教|建议|介绍|分享|说)|(?:^|[，,。\s])都?(?:推荐|教|建议|介绍)过"
    r"|\b(?:did|have|has) you (?!(?:ever )?(?:seen|heard|been|know|remember))"
    r"|\byou(?:'ve| have)? (?:ever |once |also )?"
    r"(?:recommended|suggested|told|taught|shared|gave|given|advised|said|mentioned)\b",
    _I,
)

_MINE: Final = re.compile(
    r"我[^，,。？?你]{0,8}(?:给|和|跟|向|对)你[^，,。？?]{0,8}(?:推过?荐|分享|提|说|讲|咨询)(?!.*[，,].*你)"
    r"|\bI (?:once |have |had )?(?:recommend|share|mention|told|tell)\w*",
    _I,
)

_NOT_SO: Final = re.compile(r"不|没|\b(?:not|\w+n't|never)\b", _I)

_CHECKS: Final = re.compile(
    r"(?:对吗|对吧|是吗|是吧|对不对|是不是)[。?？\"”]*$|\b(?:right|correct)\?[\"”]*$|^\W*(?:do|did|am|is|was"
    r"|have) i\b",
    _I,
)


_OF_ME: Final = re.compile(r"我|\b(?:I|my|me)\b")


def asks_for_her_words(asked: str) -> bool:
    """Whether a question is after what she said, recommended or taught once."""
    return _HERS.search(asked) is not None


@dataclass(frozen=True, slots=True)
class Told:
    """One sentence that may be an answer: who said it and when, and the line it stands in."""

    text: str
    role: Literal["user", "assistant"]
    at: datetime
    line: int
    past: bool = False
    rank: float = 0.0
    place: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """The best answer to a question, or the nearest thing to one.

    ``enough`` says which of the two it is. ``second`` continues it. ``denies`` and ``agrees`` are
    set where the question asked to have something confirmed.
    """

    best: Told
    enough: bool
    share: float
    second: Told | None = None
    denies: bool = False
    checks: bool = False


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
            if (each.end - each.start).days <= _MOST_DAYS and not _VAGUE.search(each.words)
        )

    @cached_property
    def terms(self) -> frozenset[str]:
        """What its words are found by, without those that only ask and the days it names."""
        text = self.text
        for each in reversed(date_mentions(text, self.now, self.zone)):
            text = f"{text[: each.start]} {text[each.end :]}"
        return frozenset(tokens(_META.sub(" ", text)))

    @cached_property
    def kinds(self) -> tuple[_Kind, ...]:
        """What kinds of thing it asks for, the most particular first."""
        return tuple(kind for kind in _KINDS if kind.asks.search(self.text))

    @cached_property
    def after(self) -> Literal["user", "assistant", ""]:
        """Whose words it is after; empty if either's."""
        if _MINE.search(self.text) and not _HERS.search(_MINE.sub("", self.text)):
            return "user"
        if asks_for_her_words(self.text):
            return "assistant"
        return "user" if _OF_ME.search(self.text) else ""

    @cached_property
    def checks(self) -> bool:
        """Whether it only asks to have something confirmed."""
        return _CHECKS.search(self.text.strip()) is not None


_MOST_DAYS: Final = 7

_VAGUE: Final = re.compile("几|最近|近来|few|recent|lately|some", _I)


def best_answer(
    question: Question, before: Sequence[PromptLine], memories: Sequence[PromptMemory]
) -> Answer | None:
    """Return what answers a question best; None if there is nothing near it at all."""
    lines = list(_lines(question, before, memories))
    weighed = sorted(_Weighing(question, lines).all(), key=lambda each: -each[1])
    if not weighed:
        return None
    best, worth, share = weighed[0]
    second = next(
        (
            each
            for each, other, _ in weighed[1:]
            if each.line == best.line and other >= _SECOND * worth
        ),
        None,
    )
    denies = question.checks and bool(_NOT_SO.search(_CHECKS.sub("", question.text)))
    return Answer(best, share >= ENOUGH, share, second, denies, question.checks)


_SECOND: Final = 0.85
"""How good the next sentence of the same line must be, beside the best, to be told as well."""


def _lines(
    question: Question, before: Sequence[PromptLine], memories: Sequence[PromptMemory]
) -> Iterator[tuple[PromptLine, bool, float]]:
    """Yield the lines an answer may stand in, in the order of time, whether past, and a rank."""
    seen: dict[tuple[datetime, str], tuple[PromptLine, bool, float]] = {}
    for line in before:
        seen[line.at, line.text] = (line, False, 1.0)
    for place, memory in enumerate(memories):
        rank = 1 - place / max(len(memories), 1)
        for line in memory.said:
            seen.setdefault((line.at, line.text), (line, memory.past, rank))
    spans = question.spans
    for line, past, rank in sorted(seen.values(), key=lambda each: each[0].at):
        if not spans or any(each.start <= line.at < each.end for each in spans):
            yield line, past, rank


class _Weighing:
    """The weights of the sentences of some lines as answers to one question."""

    def __init__(
        self, question: Question, lines: Sequence[tuple[PromptLine, bool, float]]
    ) -> None:
        self._question = question
        self._lines = lines
        self._held = [frozenset(tokens(line.text)) for line, _, _ in lines]
        counts = Counter(term for held in self._held for term in held & question.terms)
        total = len(lines) + 1
        self._weights = {
            term: math.log(1 + total / (0.5 + counts[term])) for term in question.terms
        }
        known = [self._weights[term] for term in counts] or [1.0]
        usual = sum(known) / len(known)
        for term in question.terms - counts.keys():
            self._weights[term] = usual * _UNKNOWN

    def _shares(self, place: int) -> Iterator[tuple[frozenset[str], float]]:
        """Yield what a line's surroundings hold, and how much of a share that counts.

        What answers a question stands right after it, and after what is spoken of.
        """
        yield self._held[place], 0.85
        for back in (1, 2):
            if place >= back:
                asked = back == 1 and is_question(self._lines[place - 1][0].text)
                yield self._held[place - back], 0.8 if asked else 0.7
        if place + 1 < len(self._held):
            yield self._held[place + 1], 0.5

    def all(self) -> Iterator[tuple[Told, float, float]]:
        """Yield every sentence with its weight and the share of the question it accounts for."""
        whole = sum(self._weights.values()) or 1.0
        for place, (line, past, rank) in enumerate(self._lines):
            around = list(self._shares(place))
            for number, text in enumerate(sentences_of(line.text)):
                told = Told(text, line.role, line.at, place, past, rank, number)
                own = frozenset(tokens(text))
                share = sum(
                    weight
                    * max((1.0 if term in own else 0.0, *(f for h, f in around if term in h)))
                    for term, weight in self._weights.items()
                )
                share = share / whole if self._weights else _NO_WORDS
                if self._question.spans:
                    share = min(share + _OF_THE_DAY, 1.0)
                yield told, share + self._fitness(told), share

    def _fitness(self, told: Told) -> float:
        """Return what speaks for and against a sentence besides the words it shares."""
        worth = 0.08 * told.rank
        for place, kind in enumerate(self._question.kinds[:_MOST_KINDS]):
            if kind.holds.search(told.text):
                worth += kind.worth / (1 + place)
        if self._question.after:
            worth += 0.3 if told.role == self._question.after else -0.3
        new = len(frozenset(tokens(told.text)) - self._question.terms)
        worth += 0.2 * min(new / _TELLING, 1.0)
        if is_question(told.text):
            worth -= 0.4
        if _ASIDE.search(told.text):
            worth -= 0.2
        return worth - (0.15 if told.past else 0.0)


_OF_THE_DAY: Final = 0.25
"""What it counts, as a share of the question, to be of the very day that is asked about."""

_NO_WORDS: Final = 0.3
"""The share where a question has no word of its own."""

_MOST_KINDS: Final = 2

_TELLING: Final = 8
"""So many words that the question has not got make a sentence tell as much as one can."""

_UNKNOWN: Final = 0.6
"""What a word that nobody said counts, beside the usual one: people ask in words of their own."""


def sentences_of(line: str) -> list[str]:
    """Return the whole sentences of a line."""
    found = [each.strip() for each in _SENTENCE.findall(line) if each.strip()]
    return found or [line]


def told_whole(text: str) -> str:
    """Return a sentence as it is told: whole, unless it is very long, then up to a clause."""
    if len(text) <= _LONGEST:
        return text
    cut = max(text.rfind(mark, 0, _LONGEST) for mark in "，,；;、")
    return f"{text[: cut if cut > 0 else _LONGEST]}…"


def is_from_memory(said: str) -> bool:
    """Whether a line of hers is an answer from memory, by how it begins."""
    return _FROM_MEMORY.match(said) is not None


def _beginnings() -> Iterator[str]:
    for say in (ZH, EN):
        templates = (
            say.known, say.faded, say.nothing_known, say.nothing_then, say.nothing_yet, say.never,
            say.just_now, say.earlier, say.that_day, say.last_time, say.you_said, say.i_said,
            say.agrees, say.denies, say.not_known, say.let_go, say.cannot, say.reminded,
        )  # fmt: skip
        for template in templates:
            # What is filled in may be anything short: a day, a topic.
            yield re.sub(r"\\\{\w+\\\}", ".{0,40}?", re.escape(template.split("{what}")[0]))


_FROM_MEMORY: Final = re.compile(
    "|".join(each for each in _beginnings() if len(each.replace(".{0,40}?", "")) >= 2), _I
)
