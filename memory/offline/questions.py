"""Reading a question: what kind of thing it asks for, whose words, and of what day."""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final, Literal
from zoneinfo import ZoneInfo

from memory.offline.answer_kinds import KINDS, AnswerKind
from memory.offline.statements import sentences_of, states
from memory.offline.vocabulary import KIN, is_question
from memory.text.dates import Span, date_mentions, date_spans
from memory.text.late_pattern import LatePattern
from memory.text.slot_cues import PERSONS_EN, PERSONS_ZH
from memory.text.tokens import (
    NICKNAMED_ZH,
    names_somebody,
    plainly_written,
    stems,
    tagged_words,
    tokens,
)
from prompts import PromptLine

_I: Final = re.IGNORECASE

# What a question says of asking and telling stands in no answer to it.
_META: Final = LatePattern(
    r"你?还?记得|来着|曾经|曾|告诉过?|分享(?:过|了)?|推过?荐(?:过|了)?|提到过?|提起过?"
    r"|说过|聊过|咨询过?|向你"
    r"|请教过?|问过?你|哪些|哪[个一两几里儿种款本部家位道天]*|什么样?|叫做?|名字"
    r"|多少钱?|多久|怎么样?|如何|姓(?:什么|啥)|(?:怎么|咋)回事|全名"
    r"|为什么|为啥|当时|这天|那天|一下|对吗|具体|最近|一些|不少|很多|我们?|你们?|给"
    r"|关于|内容|主要|因此|还"
    r"|一[部本款个道位件次]|[两几]个|时候|遇到了?|是什么|有过?|不"
    r"|(?:周|星期|礼拜)几|颜色|心情|情绪|日子|现在|目前|\bnow\b|\b(?:colou?rs?|mood|remember(?:ed)?|mention(?:ed)?|told|tell|shar(?:e|ed)|recommend(?:ed|ations?)?|once"
    r"|ago"
    r"|few|names?|called|specific|some|suggest(?:ed|ions?)?|advice|give|gave|given|ask(?:ed|ing)?"
    r"|consult(?:ed)?|encounter(?:ed)?|please|know|right|things?|topics?|talk(?:ed)?"
    r"|discuss(?:ed)?"
    r"|recently|many|good|what|which|kinds?|types?|genres?|main|content|certain|still|before|old"
    r"|don't"
    r"|doesn't|didn't|exploring|been|did|result|much|lot|happened|happen)\b(?:['’]s\b)?",
    _I,
)

_HERS: Final = LatePattern(
    r"(?!你们?[说讲](?![了过的给什]))你(?:(?!我[^，,。？?]{0,4}你)[^，,。？?]){0,14}?"
    r"(?:推过?荐|告诉|教|建议|介绍|分享|说|提|讲|给|出)(?:了|过"
    r"|给)?(?:我)?[^，,。？?]{0,2}(?:了|过|什么|哪|一)"
    r"|你(?:推荐|建议|介绍|教)(?:给我)?的(?!话)|你.{0,6}曾.{0,8}(?:推荐|告诉|教|建议|介绍|分享|说)|(?:^"
    r"|[，,。\s])都?(?:推荐|教|建议|介绍)过"
    r"|\b(?:did|have|has) you (?!(?:ever )?(?:seen|heard|been|know|remember))"
    r"|\byou(?:'ve| have)? (?:ever |once |also )?"
    r"(?:recommended|suggested|told|taught|shared|gave|given|advised|said|mentioned)\b",
    _I,
)

_RECOMMENDS: Final = LatePattern(r"推过?荐|\brecommend", _I)

_ADVISES: Final = LatePattern(r"你(?:推荐|建议|教)我.{0,10}(?:哪|什么|怎么|谁)", _I)

_MINE: Final = LatePattern(
    r"我[^，,。？?你]{0,8}(?:给|和|跟|向|对)你[^，,。？?]{0,8}(?:推过?荐|分享|提|说|讲"
    r"|咨询)(?!.*[，,].*你)"
    r"|\bI (?:once |have |had )?(?:recommend|share|mention|told|tell)\w*",
    _I,
)

_ASKS_ASKED: Final = LatePattern(r"问|请教|咨询|求助|\b(?:ask|consult|question|advice)\w*", _I)

_PLACES_EVENT: Final = LatePattern(
    r"[^\W\d_]{2}(?:之?后|之前|期间|的时候|[时中上])[，,]|在.{2,14}(?:期间|之后|的时候|时|中)"
    r"|\b(?:when|after|before|during|while) (?:i|my|we|the)\b",
    _I,
)

_LOOSE: Final = LatePattern(
    r"[吗呢吧呀啊了]|\b(?:lately|now|today|anymore|any more|really|yet|already|or not|too|much)\b",
    _I,
)

_NOT_SO: Final = LatePattern(r"不|没|\b(?:not|\w+n't|never)\b", _I)

_CHECKS: Final = LatePattern(
    r"\b(?:do|did|am|have|was)n['’]?t i\W*$|\b(?:do|did|am|have|was) i(?: not)?\W*$"
    r"|(?:对吗|对吧|是吗|是吧|对不对|是不是)[。?？\"”]*$|\b(?:right|correct)\?[\"”]*$|^\W*(?:do"
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

_SIBLINGS: Final = frozenset({"哥", "弟", "姐", "妹", "brother", "sister"})

_ASKS_SIBLINGS: Final = LatePattern(r"兄弟姐妹|\bsiblings?\b", _I)

OF_ME: Final = LatePattern(r"[我俺]|\b(?:I|my|me)\b")


def asks_for_her_words(asked: str) -> bool:
    """Whether a question is after what she said, recommended or taught once."""
    return _HERS.search(asked) is not None


def asks_what_she_said(asked: str) -> bool:
    """Whether a question is after what she said on a day: 你昨天跟我说了什么."""
    return _SHE_SAID.search(asked) is not None


_SHE_SAID: Final = LatePattern(
    r"^[^我，,]{0,4}你(?:[昨前今]天|[早晚]上|上周.?|[上\d一二三四五六七八九十]+个?月份?)?(?:都|跟我|和我|对我)*(?:说|讲|回|答|聊)"
    r"|\bwhat did you (?:say|tell me|answer)\b",
    _I,
)


def may_ask_for_her_words(asked: str) -> bool:
    """Whether it asks her for advice that she may have given before: 你建议我怎么缓解."""
    return _ADVISES.search(asked) is not None


@dataclass(frozen=True)
class Question:
    """A question, seen from the instant it is asked; ``others`` speak in the same group."""

    text: str
    now: datetime
    zone: ZoneInfo
    others: frozenset[str] = frozenset()

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
        return tuple(kind for kind in KINDS if kind.asks.search(self.text))

    @cached_property
    def after(self) -> Literal["user", "assistant", ""]:
        """Whose words it is after; empty if either's."""
        if _MINE.search(self.text) and not _HERS.search(_MINE.sub("", self.text)):
            return "user"
        if asks_for_her_words(self.text) or may_ask_for_her_words(self.text):
            return "assistant"
        return "user" if OF_ME.search(self.text) else ""

    @cached_property
    def kin(self) -> frozenset[str]:
        """Every word for those it asks about: 爸 and 父亲 of 我爸多大了; empty for nobody."""
        named = {word.lower() for word in KIN_WORD.findall(self.text)}
        named |= _SIBLINGS if _ASKS_SIBLINGS.search(self.text) else set()
        return frozenset().union(*(group for group in KIN if group & named))

    @cached_property
    def denies(self) -> bool:
        """Whether it asks to have it confirmed that something is not so."""
        return self.checks and _NOT_SO.search(_CHECKS.sub("", self.text)) is not None

    @cached_property
    def checked_of(self) -> str:
        """The last telling word of what is to be confirmed: violin of "do I play the violin"."""
        asked = _LOOSE.sub(" ", _CHECKS.sub(" ", self._matter, count=1))
        return next((word for word in reversed(stems(asked)) if word in self.terms), "")

    @cached_property
    def checks(self) -> bool:
        """Whether it only asks to have something confirmed; "how tall am I" asks for more."""
        text = self.text.strip()
        return _CHECKS.search(text) is not None and not _ASKS_MORE.match(text)


def worded(line: PromptLine, question: Question) -> str:
    """Return a line as it may be found: what another member of a group said, with who did."""
    theirs = line.role == "user" and line.speaker in question.others
    return f"{line.speaker}：{line.text}" if theirs else line.text


def asks_yes_or_no(question: Question) -> bool:
    """Whether yes or no would answer it: 我结婚了吗, "does Kyle owe me money"."""
    return question.checks or _YES_OR_NO.search(question.text.strip()) is not None


_ASKS_MORE: Final = LatePattern(r"\W*(?:how|what|wh(?:o|ere|en|ich|y))\b[^,]*$", _I)

_YES_OR_NO: Final = LatePattern(
    r"^(?!.*记得).*(?<!什)[吗么][?？]*$"
    r"|^\W*(?!do you )(?:do|does|did|am|is|are|was|were|have|has|had)(?:n['’]t)?\b",
    _I,
)


_ASKS_BACK: Final = re.compile(
    r"还?记得|曾经|那天|告诉过|推荐过|(?<!听)说过|聊过|\b(?:remember|did (?:i|we|you)"
    r"|once|told)\b",
    re.IGNORECASE,
)


def only_asks(line: str) -> bool:
    """Whether a line of the partner's asks for what was, or nothing but asks: it is no news."""
    return (is_question(line) and _ASKS_BACK.search(line) is not None) or not any(
        map(states, sentences_of(line))
    )


def names_in(asked: str) -> list[str]:
    """Return what may be names in a question: words with a capital, a noun that begins it."""
    found: list[str] = [*_CAPITALISED.findall(asked), *NICKNAMED_ZH.findall(asked)]
    word, tag = next(iter(tagged_words(asked[:_LONGEST_NAME])), ("", ""))
    begins = tag.startswith(("n", "vn")) and len(word) > 1 and not KIN_WORD.search(word)
    return [*found, word] if begins else found


def told_of_by_name(clause: str) -> str:
    """Return who or what by a name of its own a clause begins with; "" if none.

    >>> told_of_by_name("Sinead's moving to Sydney"), told_of_by_name("moved to Sydney")
    ('Sinead', '')
    """
    clause = _LEADS_IN.sub("", plainly_written(clause))
    named = names_somebody(clause[:_LONGEST_NAME] if _HAN.search(clause) else clause)
    return next((each for each in named if clause.startswith(each)), "")


_HAN: Final = re.compile("[一-鿿]")

_LEADS_IN: Final = LatePattern(
    r"^(?:(?:and|but|so|well|then|now|today|granny|uncle|aunt(?:ie)?|my|our)\b"
    r"|但是?|不过|所以|后来|然后|今天|昨天|最近|现在|听说|[，,\s])+",
    _I,
)


def is_name(word: str, told: str) -> bool:
    """Whether a text has a word as the name of somebody: Kyle, 叫芝麻."""
    if word.isascii():
        return re.search(rf"(?<![\w]){re.escape(word)}\b", told) is not None
    return introduces(word, told) or any(
        each == word and tag.startswith(("nr", "nz")) for each, tag in tagged_words(told)
    )


def introduces(name: str, told: str) -> bool:
    """Whether a text says who somebody is: 闺蜜苏苏, "my brother Kyle", "a dog called Rex"."""
    who = rf"(?:{PERSONS_ZH}|{KIN_WORD.pattern}|\b(?:{PERSONS_EN})\b){_CALLED}"
    name = re.escape(name)
    theirs = rf"叫(?:做|作)?{name}|^{name}(?:叫|就?是)"
    theirs += rf"|\b(?:called|named) {name}\b|{name},? (?:is |was )?my\b"
    return re.search(rf"{who}{name}|{theirs}", told, _I) is not None


def asks_after(asked: str) -> Literal["who", "how", ""]:
    """Return whether a question only asks who somebody is, or how they are; "" if neither."""
    if _ASKS_WHO.search(asked):
        return "who"
    return "how" if _ASKS_HOW.search(asked) else ""


_LONGEST_NAME: Final = 12

_CAPITALISED: Final = LatePattern(
    r"(?<!\bin )(?<!\bat )(?<!\bto )(?<!\bof )(?<!\bon )(?<!from )(?<!before )(?<!after )(?<=\w )"
    r"(?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tues|Wed|Thu|Fri|Sat|Sun)[a-z]*\b"
    r"|I\b)[A-Z][\w-]+|(?<=[一-鿿])[A-Z][a-z]+"
)
"""Where something was or when is not whom it is about."""

_CALLED: Final = r"(?:[，,]?[他她它]?(?:名字)?叫|是|,? (?:is |was )?(?:called |named )?)?"

_ASKS_WHO: Final = LatePattern(
    r"^[^，,]{1,8}是谁[呀啊来着]*[?？]*$|^\W*who(?:['’]s| is| was) \w+\W*$", _I
)

_ASKS_HOW: Final = LatePattern(
    r"^[^，,我]{1,8}(?:现在|最近)*(?:怎么样了?|还好吗|好吗|好点了吗|怎么了)[?？]*$"
    r"|^\W*how(?:['’]s| is) \w+(?: doing| now| these days)*\W*$",
    _I,
)


def may_be_of(text: str, question: Question) -> bool:
    """Whether a text may be about those whom a question asks about."""
    told = KIN_WORD.findall(plainly_written(text)) if question.kin else ()
    return not question.kin or any(word.lower() in question.kin for word in told)


def without_kin_of_others(line: str, question: Question) -> str:
    """Return a line of the partner's without the kin of others (小王他爸), unless asked of."""
    plain = plainly_written(line)
    return plain if _KIN_OF_OTHERS.search(question.text) else _KIN_OF_OTHERS.sub(" ", plain)


_KIN_OF_OTHERS: Final = LatePattern(
    r"(?:[他她]们?家?|人家|朋友|闺蜜|发小|哥们|同[事学桌]|室友|舍友|邻居|隔壁|老板|领导|老师|客户"
    r"|[老小阿](?![公婆爸妈师弟妹姨姑叔舅])[一-鿿])(?:家里?)?的?"
    rf"(?:{KIN_WORD.pattern})"
    r"|\b(?:his|her|their|(?-i:(?!(?:It|He|She|That|There|Here|Who|What|This)\b)[A-Z])\w+['’]s"
    rf"|(?:friend|mate|boss|colleague|neighbou?r)['’]s) (?:\w+ )?(?:{KIN_WORD.pattern})",
    _I,
)


def without_telling(asked: str) -> str:
    """Return a question without "I once told you of it": a film I shared is not thereby mine."""
    return _MINE.sub("", asked)


def asks_what_was_advised(asked: str) -> bool:
    """Whether a question is after what its speaker once recommended to her."""
    told = _MINE.search(asked)
    return told is not None and _RECOMMENDS.search(told[0]) is not None


def asks_what_was_asked(asked: str) -> bool:
    """Whether a question is after what was once asked."""
    return _ASKS_ASKED.search(asked) is not None


def places_event(question: Question) -> bool:
    """Whether a question places what happened once: in September, when I was at the doctor's."""
    placed = (
        question.months
        or (question.spans and not question.terms)
        or _PLACES_EVENT.search(question.text)
    )
    return bool(placed) and not question.checks and question.after == "user"


_MOST_DAYS: Final = 7

_MONTH_DAYS: Final = 31

_VAGUE: Final = LatePattern("几|最近|近来|few|recent|lately|some", _I)


ASKS_TO_TELL: Final = LatePattern(
    r"^(?:小祥|那|再|你|跟我|给我|[，,\s])*(?:说说|讲讲|介绍一下|列一下)(?:关于)?(?:你知道的)?"
    r"我的?(?:家|宠物|[猫狗爸妈]|父母|朋友|工作|同事)[^，,。]{0,6}$"
    r"|^(?:please |can you |could you |so |hey,? )*tell me (?:something |more |what you know )?"
    r"about my [\w' ]{2,24}\W*$",
    _I,
)
"""说说我家人: what asks to be told of one's own, and has no form of a question."""


def asks_what_i_have(asked: str) -> bool:
    """Whether a question is about what the partner has: not answered by what their sister has."""
    return _I_HAVE.search(asked) is not None


_I_HAVE: Final = re.compile(
    r"(?:^|[，,])我(?:们?家)?(?:还|现在|以前)*(?:有|养)(?!没有?说)"
    r"|\b(?:do|did) (?:i|we) (?:have|own|keep)\b|\bhave (?:i|we) got\b",
    re.IGNORECASE,
)
