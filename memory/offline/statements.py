"""Which clauses of a text claim something, and the rules that read a statement out of a clause.

Shared by both languages; their patterns are in :mod:`memory.offline.chinese` and
:mod:`memory.offline.english`. Questions, hypotheticals, quotations, role-play and asides claim
nothing and are left out: a fact missed costs little, a fact invented costs trust.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo

from memory.model import Kind, Sensitivity, Topic
from memory.offline.vocabulary import FILLS, is_question
from memory.text.correction_forms import bids_her
from memory.text.slot_cues import Slot
from prompts.rendering import plain

# What is longer was pasted, not said; only its beginning is read.
_LONGEST_READ: Final = 2_000

# A character for private use, which no keyboard types.
_QUOTE_MARK: Final = "\ue000"

_PASTED: Final = re.compile(r"```.*?(?:```|\Z)|^[ \t]*[>＞|].*$", re.DOTALL | re.MULTILINE)

_ASIDE: Final = re.compile(
    r"[（(](?!\d{1,3}[）)]|成员|member)([^（）()]*)[）)]|【[^【】]*】|\*[^*\n]+\*"
)

QUOTED: Final = re.compile(r"“[^”]*”|「[^」]*」|『[^』]*』|‘[^’]*’|\"[^\"\n]*\"")

# A full stop ends a sentence only before a capital, and not after a title: "3.5" and "Dr. Lee"
# stay whole.
_STOP: Final = re.compile(
    r"(?<=[a-z0-9][.])(?<!\bSt\.)(?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)\s+(?=[A-Z])|\n+"
    r"|(?<=[。！？!?；;…～])|(?<=[a-z]{3}[.])\s+(?=(?:i|i['’]?(?:m|ve)|my|we|our|the|he|she|they|it|so"
    r"|but|and|also)\b)"
)

# Unlike in memory.offline.utterances this judges one clause: the next one may still claim.
_ASKS: Final = re.compile(
    r"[?？]|[吗么]$|什么|怎么|怎样|如何|哪[里儿个些种位一]?|谁|多少|为什么|为啥|是不是|能不能|有没有|会不会|要不要|该不该|好不好|可不可以|(?<!我)还是|是否"
    r"|几[个只岁点号次]|^(?:who|what|when|where|why|how|which|do|does|is|are|can|could|should|will)\b"
    # "did my BTech in Pune", "have two brothers" leave out the I.
    r"|^(?:did|have|has)\b(?! (?:my \w+ (?:in|at)|an?|no|two|three|four|five|been|\w+itis"
    r"|asthma|diabetes|epilepsy)\b)",
    re.IGNORECASE,
)

_COMMA: Final = re.compile(
    r"[，,]\s*(?:and\s+|but\s+)?|\s+(?:and|but)\s+(?=I\b|I'|my\b|(?:work|live|study|teach)\b)"
    r"|\s+-+\s+|——"
)


@dataclass(frozen=True, slots=True)
class StatedClause:
    """One clause that claims something, and the clauses of its sentence around it."""

    text: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


_GREETING: Final = re.compile(
    r"你好|您好|大家好|各位好|嗨|哈喽|认识|第一次|初次|\b(?:hi+(?:ya)?|hello|hey+a?|meet|greetings|introduce)\b|\b(?:i['’]?m"
    r"|i am) (?-i:[A-Z])[\w'’-]+,? (?:by the way|btw)\b"
    r"|\b(?:by the way|btw),? (?:i['’]?m|i am) (?-i:[A-Z])|^(?-i:[A-Z])[a-z'’-]+ here(?=$|[,.!;])",
    re.IGNORECASE,
)


def sentences(text: str) -> list[str]:
    """Return the sentences of what was said, without code, quoted lines and asides.

    An aside in which the speaker tells of themselves stands by itself: (I run a chippy in Whitby).
    """
    said = _PASTED.sub("\n", plain(text[:_LONGEST_READ]).replace(_QUOTE_MARK, ""))
    told = (each[1] for each in _ASIDE.finditer(said) if each[1] and _OF_SELF.match(each[1]))
    parts = [part for each in (_ASIDE.sub(" ", said), *told) for part in _STOP.split(each)]
    return [part.strip() for part in parts if _SAYS.search(part)]


_SAYS: Final = re.compile(r"[\w☀-➿\U0001f000-\U0001faff]")

_OF_SELF: Final = re.compile(
    r"\s*(?:(?:and|by the way|btw|well|yes|because|cos|since) )?"
    r"(?:i|i['’]?(?:m|ve)|my|we|we['’](?:re|ve)|our)\b"
    r"|\s*(?:[我俺]|本人)|[^()]* (?:is|are) my \w+",
    re.IGNORECASE,
)


def without_opener(sentence: str) -> str:
    """Return a sentence without the words that only take the floor: 对了, by the way.

    >>> without_opener("对了我换工作了"), without_opener("oh btw I moved")
    ('我换工作了', 'I moved')

    A family name said before the whole name is in that: 我姓周，叫周建国.
    """
    return _WHOLE_NAME.sub(_with_whole_name, _OPENER.sub("", sentence))


_WHOLE_NAME: Final = re.compile(
    r"^[我俺](?:姓|的姓是)(?P<family>[一-鿿]{1,2})[，,、\s]*(?:名字?|大名|全名)?(?:就?叫做?|名叫|名)"
    r"(?P<name>(?![我你他她作])[一-鿿]{1,4}?)(?=$|[，,。.!！]|我|今年)"
)


def _with_whole_name(found: re.Match[str]) -> str:
    name = found["name"].removeprefix(found["family"])
    return f"我叫{found['family']}{name}"


# Possessive, or a long row of them would be tried in every way.
_OPENER: Final = re.compile(
    r"^(?:(?:[哦噢啊诶欸哎嘿]++|嗯++|那个|话说(?:回来)?|说起来|顺便(?:说|提)(?:一?下|一句)"
    r"|(?:我?跟你|和你)说(?:个事儿?|一声)?"
    r"|告诉你(?:个事儿?|一声)?|对了|那?我先(?:说|来|讲)"
    r"|那)[啊呀哦嘛吧呢]?[，,、：:…\s]*)++(?=[我俺咱])"
    r"|^(?:(?:oh|ah|h(?:ey+a?|i+(?:ya)?|ello)|well|um+|uh+|hm+|okay|ok|by the way|btw|anyways?|fyi"
    r"|you know what|guess what|fun fact)\b[\s,:;!.…-]*)++"
    r"(?:(?:so|and|also)\b[\s,]*)?(?=(?:i|im|ive|my|we|our)\b)",
    re.IGNORECASE,
)


def asks(clause: str) -> bool:
    """Whether a clause asks or bids rather than claims, also without a mark."""
    return bool(_ASKS.search(clause)) or is_question(clause) or bids_her(clause)


def is_greeting(sentence: str) -> bool:
    """Whether people are getting acquainted in the sentence."""
    return _GREETING.search(sentence) is not None


def stated_clauses(sentence: str) -> Iterator[StatedClause]:
    """Yield every clause of a claimed sentence that does not ask, in order."""
    held, quotes = _without_quotes(sentence.rstrip("。.！!；;…~～ "))
    cut = (_with_quotes(part, quotes).strip() for part in _COMMA.split(held))
    parts = [part for part in cut if part]
    for index, part in enumerate(parts):
        if not asks(part):
            yield StatedClause(part, tuple(parts[:index]), tuple(parts[index + 1 :]))


def _without_quotes(sentence: str) -> tuple[str, list[str]]:
    """Return the sentence with a mark for each quotation, and the quotations."""
    # So that nothing in a quotation counts as said, and no comma in it cuts a clause.
    quotes = QUOTED.findall(sentence)
    return QUOTED.sub(_QUOTE_MARK, sentence), quotes


def _with_quotes(part: str, quotes: list[str]) -> str:
    while _QUOTE_MARK in part and quotes:
        part = part.replace(_QUOTE_MARK, quotes.pop(0), 1)
    return part


_IN_ITS_PLACE: Final = re.compile(
    r"(?:现在|如今|以后|改|换|买|提|入手|整了|新|只|天天|我现在)|[^我你]{1,4}给?(?:我)?(?:买|换|整|配|弄)了"
    r"|(?:and |but |so )?(?:i |i've |i'm )?(?:now )?(?:(?:just )?(?:got|took|bought|switched"
    r"|have got|swapped|went for|replaced)"
    r"|now|drive|ride|do|watch|eat|drink|play|use|using|driving|into)\b",
    re.IGNORECASE,
)

_MOST_BETWEEN: Final = 2
"""So far from what is over may stand what took its place, in clauses."""


def in_its_place(after: str) -> str:
    """Return the clause that tells what took the place of what is over, or "".

    ``after`` is what follows: 桑塔纳报废了，换了辆比亚迪; gave up on it. I watch baseball now.
    """
    parts = (part for each in _STOP.split(after) for part in _COMMA.split(each))
    clauses = [part.strip(" ，,。.!！;；~～…") for part in parts]
    near = [each for each in clauses if each][:_MOST_BETWEEN]
    return next((each for each in near if _IN_ITS_PLACE.match(each) and not asks(each)), "")


def zone_of(at: datetime) -> ZoneInfo:
    """Return the zone of an instant; UTC where it has a bare offset only."""
    return at.tzinfo if isinstance(at.tzinfo, ZoneInfo) else ZoneInfo("UTC")


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementSort:
    """What a rule knows of the statements it finds; fields as in :class:`Statement`.

    ``tail`` matches a following clause that belongs to it (…，叫团子; …, such as jazz).
    """

    slot: Slot | None = None
    kind: Kind = Kind.FACT
    topic: Topic = Topic.PERSONAL
    sensitivity: Sensitivity = Sensitivity.PUBLIC
    stopped: bool = False
    moved: bool = False
    tail: re.Pattern[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing a speaker says of themselves, in their own words with their name for "I".

    ``value`` is what is new in it (拉面 of 主人喜欢拉面). ``stopped``: something no longer holds;
    ``moved``: one thing took the place of another; ``instead``: the clause that tells what did, of
    something stopped. ``confidence`` is 0 to 1.
    """

    text: str
    value: str
    slot: Slot | None
    kind: Kind
    topic: Topic = Topic.PERSONAL
    confidence: float = 0.9
    sensitivity: Sensitivity = Sensitivity.PUBLIC
    stopped: bool = False
    moved: bool = False
    instead: str = ""


_ELABORATES: Final = re.compile(
    r"[，,]\s*(?:(?:名字)?叫(?![我你他她人])[^，,。！？!?我你]{1,8}|[当学读报做教卖养开跑写画修](?:的是|的)[^，,。！？!?我你]{1,8}"
    r"|[学读做教卖养开跑写画修][^，,。！？!?我你]{1,8}的)(?=[，,。！!~\n]|$)|[，,\s]+[他她它](?:是|在|叫|今年|当|上|读"
    r"|做)[^，,。！？!?我你\s]{1,12}(?=[，,。！!~\s]|$)|[哈啊呀啦嘿]*[，,\s]+(?:单身|未婚|离异|丧偶)(?=[，,。！!~\s哈]|$)"
    r"|, the (?:youngest|oldest|eldest|other|little one)(?:'s| is) [\w' ]{2,24}(?=[,.!\n]|$)"
    r"|[，,]\s*(?:固定|一般|都|我?是)?每(?:个?(?:周|星期|礼拜|月)|[天晚])[^，,。！!？?我你他她]{0,10}?"
    r"(?:上课|有课|有一?节|训练|排练|练|去|(?<![早晚])上)(?=[，,。！!～~\n]|$)"
    r"|, (?:on|every|each) (?:other )?(?:week|month|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)"
    r"(?: (?:morning|afternoon|evening|night)s?)?(?: at [\w:.]{1,7})?(?=[,.!\n]|$)"
    r"|[，,](?:已经|都|也|一共)*[开做跑干卖教修种养学]了[\d一二两三四五六七八九十几好多]+(?:来|多|几)?年[多了啦]*(?=[，,。.！!；;\n]|$)"
    r"|, (?:and )?(?:her|his|their) birthday(?:['’]s| is)(?: on)? [\w ]{3,20}(?=[,.!\n]|$)"
    r"|, (?:and )?(?:she|he|they)(?:['’]ll be|['’]s(?: turning)?|['’]re| is| are| will be"
    r"| turns?) \d{1,3}(?=[,.!\n]|$)"
    r"|[!.,]+ ?(?:due|expected) (?:in|on) [\w ]{2,16}(?=[,.!\n]|$)",
    re.IGNORECASE,
)


OWN_PART: Final = re.compile(
    r"[，,]\s*我(?:是|去?当|去?做)[^，,。！!？?吗你他她我]{1,8}(?=[，,。！!～\n]|$)"
    r"|, (?:and )?i(?:['’]?m| am) (?:an?|the|her|his|their) [\w ]{3,24}(?=[,.!\n]|$)",
    re.IGNORECASE,
)
"""What part one has in a plan stands in one with it: 小鹿结婚，我是伴娘."""

_MOST_CLOSER: Final = 2
"""So many clauses say it closer at most: her birthday is 3 May, she'll be 78."""


def all_elaborated(found: Iterable[Statement], read: str, subject: str) -> list[Statement]:
    """Return statements told closer, without those that say only what this added."""
    closer = [(each.text, elaborated(each, read, subject)) for each in found]
    added = {f"{subject}{x.text.rpartition('，')[2]}" for text, x in closer if text != x.text}
    return [each for _, each in closer if each.text not in added]


def elaborated(statement: Statement, read: str, subject: str) -> Statement:
    """Return the statement with the next clause of the text, where that only says it closer.

    我大三，学土木的; 我儿子在部队，当的是炮兵.
    """
    own = statement.text.removeprefix(subject).removeprefix("'s").lstrip("：: ")
    # In English the verb changes with whom it is told of.
    worded = (own, own.replace(subject, "我"), statement.value if own.isascii() else "")
    whole = next((each for each in worded if each and each in read), "")
    _, told, after = read.partition(whole) if whole else ("", "", "")
    named = statement.slot in {Slot.NAME, Slot.NICKNAME} or statement.topic is Topic.MEMORY
    text, value = (
        each if named else FILLS.sub("", each) for each in (statement.text, statement.value)
    )
    for _ in range(_MOST_CLOSER if told and text.startswith(subject) else 0):
        if (closer := _ELABORATES.match(after)) is None:
            break
        text, after = text + _LED_BY_FILLING.sub("，", closer[0]), after[closer.end() :]
    return replace(statement, text=text, value=value)


_LED_BY_FILLING: Final = re.compile(r"^[哈啊呀啦嘿]*[，,\s]+(?=单身|未婚|离异|丧偶)")


def as_written(statement: Statement, read: str, written: str) -> Statement:
    """Return the statement in the characters that were written; rules read simplified ones."""
    return replace(
        statement,
        text=_in_characters_of(written, read, statement.text),
        instead=_in_characters_of(written, read, statement.instead),
        value=_in_characters_of(written, read, statement.value),
    )


def _in_characters_of(written: str, read: str, told: str) -> str:
    """Return what is told with every piece of what was ``read`` as it stands in ``written``."""
    pieces: list[str] = []
    start = 0
    while start < len(told):
        end, place = start + 1, -1
        while end < len(told) and (found := read.find(told[start : end + 1])) >= 0:
            end, place = end + 1, found
        pieces.append(told[start] if place < 0 else written[place : place + end - start])
        start = end
    return "".join(pieces)


@dataclass(frozen=True, slots=True)
class Rule:
    """A regular expression over one whole clause, and what sort of statement such a clause is."""

    pattern: str
    sort: StatementSort

    def fullmatch(self, clause: str) -> re.Match[str] | None:
        """Match a whole clause."""
        # Compiled when first needed: all rules at import would slow down every command's start.
        return _compiled(self.pattern).fullmatch(clause)


def rules(
    sort: StatementSort, patterns: str, words: Mapping[str, str], anything: str
) -> tuple[Rule, ...]:
    """Return one rule for each line of ``patterns``.

    A line is a regular expression with three abbreviations: ``<…>`` encloses the value, a word in
    capitals stands for the alternatives ``words`` has under it, a dot for ``anything``.
    """
    return tuple(
        Rule(_written_out(line.strip(), words, anything), sort)
        for line in patterns.splitlines()
        if line.strip()
    )


def statement_by(rule: Rule, value: str, text: str) -> Statement:
    """Return the statement ``text``, found by ``rule``, whose new part is ``value``."""
    sort = rule.sort
    return Statement(
        text=text,
        value=value.strip(),
        slot=sort.slot,
        kind=sort.kind,
        topic=sort.topic,
        sensitivity=sort.sensitivity,
        stopped=sort.stopped,
        moved=sort.moved,
    )


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _written_out(line: str, words: Mapping[str, str], anything: str) -> str:
    line = re.sub(r"(?<!\\)\.", lambda _: anything, line)
    line = re.sub("[A-Z_]{2,}", lambda name: f"(?:{words[name[0]]})", line)
    return re.sub("[<>]", lambda mark: "(?P<v>" if mark[0] == "<" else ")", line)


LONGEST_TOLD: Final = 240
"""A longer sentence is a list or was pasted; it is told up to a clause."""

_SENTENCE: Final = re.compile(
    r"[^。！？!?\n]+?(?:[。！？!?]+[”’」』\"]?|(?<=[a-z0-9)\"'’”])\.(?=\s+[A-Z\"“])|$)", re.DOTALL
)


def sentences_of(line: str) -> list[str]:
    """Return the whole sentences of a line."""
    found = [each.strip() for each in _SENTENCE.findall(line) if each.strip()]
    return found or [line]


CLAUSE_END: Final = re.compile(r"(?<=[，。！？；,.!?;])")

STATEMENT_CHARACTERS: Final = 5


def states(text: str) -> bool:
    """Whether words state something, though they may end in a question."""
    if not is_question(text):
        return True
    parts = CLAUSE_END.split(text)
    return any(len(part) > STATEMENT_CHARACTERS and not is_question(part) for part in parts)


def told_whole(text: str) -> str:
    """Return a sentence as it is told: whole, unless it is very long, then up to a clause."""
    if len(text) <= LONGEST_TOLD:
        return text
    cut = max(text.rfind(mark, 0, LONGEST_TOLD) for mark in "，,；;、")
    return f"{text[: cut if cut > 0 else LONGEST_TOLD]}…"
