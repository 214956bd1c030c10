"""Reading one line: what it says of its speaker, what it asks to be remembered, what it wants.

The statements feed learning, the intent decides the reply of the offline mode.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple, TypeAlias

from memory.model import Kind, Topic
from memory.offline import chinese, english
from memory.offline.by_slot import statements_by_slot, things_over, without_quotations
from memory.offline.claimed import ClauseSubject, claimed, subject_of
from memory.offline.english import to_third_person
from memory.offline.introductions import introduced, lasting
from memory.offline.questions import OF_LIFE, OF_WORLD, asks_for_her_words
from memory.offline.statements import (
    QUOTED,
    Statement,
    as_written,
    elaborated,
    in_its_place,
    is_greeting,
    sentences,
    stated_clauses,
)
from memory.offline.vocabulary import content_words
from memory.offline.warmth import ASKED_FOR, occasion_of
from memory.text.requests import asks_for_reminder, requested_text
from memory.text.slots import slot_claims
from memory.text.tokens import plainly_written

EXPLICIT: Final = re.compile(
    r"^(?:(?:小祥|好的?|对了|那|嗯+|请|麻烦|拜托|你|您|你?帮我|给我|一定|千万|可|要"
    r"|得)[，,、\s]*)*"
    r"(?:记住|记好|记一下|记下来?|记着|牢记|别忘了?|不要忘(?:了|记)?)(?!了?[吗没])(?:一下|哦|啊"
    r"|了|喽|下)*[，,：:、\s]*(?P<zh>.*)"
    r"|^(?:(?:so|and|also|hey|ok|okay|please|xiaoxiang|can you|could you)[,\s]+)*"
    r"(?:remember|note|don't forget|do not forget|keep in mind)(?: (?:that"
    r"|this))?[,:\s]+(?P<en>.*)",
    re.IGNORECASE,
)
"""A sentence that asks to remember what follows; anchored: 我记住了 and 你还记得 do not match."""

_THIS: Final = re.compile(
    r"(?:这个|这一?点|这件事|这句话?|我(?:刚才?)?说的(?:话)?|this|that|it)?[哦啊吧呀。.!！\s]*",
    re.IGNORECASE,
)

_WORD: Final = re.compile(r"\w")

_ASKED_BACK: Final = re.compile(r"[?？]\s*$|[吗么]$")

_FIRST_PERSON_EN: Final = re.compile(r"\b(?:I|my|me|I'm)\b")


def statements_in(text: str, subject: str, at: datetime) -> list[Statement]:
    """Return what ``text`` says of its speaker, in order: see :func:`told_in`."""
    return told_in(text, subject, at).statements


class Told(NamedTuple):
    """What a text says of its speaker, and what it says to be over."""

    statements: list[Statement]
    over: list[Statement]
    """Worth keeping only if something is known of it."""


def told_in(text: str, subject: str, at: datetime) -> Told:
    """Return what ``text``, said at ``at`` in the speaker's zone, says of its speaker, in order.

    ``subject`` is the name that stands for the speaker in a statement. What was explicitly asked
    to be remembered keeps its wording, except for the pronouns.
    """
    read = plainly_written(text)
    whole = sentences(read)
    said = claimed(whole)
    found = list(_by_clauses(whole, said, subject, at))
    in_slots = without_quotations(said)
    claims = slot_claims(in_slots)
    found += statements_by_slot(in_slots, claims, subject, at, found)
    told = "\n".join(statement.text for statement in found)
    found += (each for each in introduced(said, subject) if each.value not in told)
    # What is read in part is told whole: 我女儿上小学二年级.
    found += (each for each in lasting(said, subject) if not _is_told(each, found))
    found = [elaborated(each, read, subject) for each in found]
    over = list(things_over(in_slots, claims, subject))
    if read != text:
        found, over = ([as_written(s, read, text) for s in each] for each in (found, over))
    return Told(list({statement.text: statement for statement in found}.values()), over)


def _by_clauses(
    whole: Sequence[str], said: Sequence[str], subject: str, at: datetime
) -> Iterator[Statement]:
    """Yield what the rules of whole clauses read; ``said`` is what each sentence claims."""
    greeted = False
    before = ""
    for sentence, told in zip(whole, said, strict=True):
        greeting = is_greeting(sentence)
        body = asked_to_remember(sentence, before)
        if body:
            yield _explicit_statement(body, subject, at)
        else:
            yield from _statements_of_sentence(told, subject, at, greets=greeting or greeted)
        greeted, before = greeting, sentence


def _is_told(statement: Statement, found: list[Statement]) -> bool:
    """Whether statements tell it already, in whole or but for a word."""
    return any(
        statement.value in each.text or (each.value and each.value in statement.text)
        for each in found
    )


def asked_to_remember(sentence: str, before: str = "") -> str:
    """Return what a sentence asks to remember, or ""; 记住这个 means the sentence ``before``."""
    found = EXPLICIT.match(sentence)
    if found is None or _ASKED_BACK.search(sentence):
        return ""
    body = (found["zh"] or found["en"] or "").strip(" 。.!！~～，,")
    return before.strip(" 。.!！") if _THIS.fullmatch(body) else body if _WORD.search(body) else ""


def _statements_of_sentence(
    sentence: str, subject: str, at: datetime, *, greets: bool
) -> Iterator[Statement]:
    carried = False
    for clause in stated_clauses(sentence):
        if subject_of(clause.text) is ClauseSubject.OTHER:
            continue
        read = chinese.read_clause if _is_chinese(clause.text) else english.read_clause
        statement = read(clause, subject, at, carried=carried, greets=greets)
        if statement is not None:
            instead = in_its_place("，".join(clause.after)) if statement.stopped else ""
            told = instead and _in_third_person(instead, subject)
            yield replace(statement, instead=told)
            carried = True


def _explicit_statement(body: str, subject: str, at: datetime) -> Statement:
    """Return what was asked to be remembered, with the kind of a rule that reads all of it."""
    # A rule that reads only a part would lose the rest of what was explicitly asked for.
    for told in _statements_of_sentence(body, subject, at, greets=False):
        if len(told.text) + len("我") >= len(body):
            return replace(told, confidence=0.95)
    return Statement(
        text=_in_third_person(body, subject),
        value=body,
        slot=None,
        kind=Kind.FACT,
        topic=Topic.MEMORY,
        confidence=0.95,
    )


def _in_third_person(body: str, subject: str) -> str:
    if _is_chinese(body):
        return re.sub(r"我(?!们)", subject, body)
    return to_third_person(body, subject) if _FIRST_PERSON_EN.search(body) else body


def _is_chinese(text: str) -> bool:
    return re.search("[一-鿿]", text) is not None


@dataclass(frozen=True, slots=True)
class AsksToRemember:
    """Asks to have ``body`` remembered."""

    body: str


@dataclass(frozen=True, slots=True)
class AsksToForget:
    """Asks to have something forgotten."""


@dataclass(frozen=True, slots=True)
class AsksReminder:
    """Asks to be reminded at a time."""


@dataclass(frozen=True, slots=True)
class AsksWhoSheIs:
    """Asks who she is, or what she can do."""


@dataclass(frozen=True, slots=True)
class AsksRecentTalk:
    """Asks what was being talked about."""


@dataclass(frozen=True, slots=True)
class AsksPastTalk:
    """Asks what was talked about at the time the question names."""


@dataclass(frozen=True, slots=True)
class AsksLastTime:
    """Asks when something was last spoken of; ``topic`` are its words."""

    topic: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AsksMemory:
    """Asks something a memory may answer, of the partner or of what was said."""


@dataclass(frozen=True, slots=True)
class AsksWorld:
    """Asks something no memory answers; not ``plainly``, if one may after all."""

    plainly: bool = True


@dataclass(frozen=True, slots=True)
class SaysHello:
    """Says hello."""


@dataclass(frozen=True, slots=True)
class TellsSomething:
    """Tells something; ``occasion`` is what kind (:func:`memory.offline.warmth.occasion_of`)."""

    occasion: str


Intent: TypeAlias = (
    AsksToRemember
    | AsksToForget
    | AsksReminder
    | AsksWhoSheIs
    | AsksRecentTalk
    | AsksPastTalk
    | AsksLastTime
    | AsksMemory
    | AsksWorld
    | SaysHello
    | TellsSomething
)

_LONGEST: Final = 2_000

_I: Final = re.IGNORECASE

_FORGET: Final = re.compile(
    r"^(?:小祥|请|帮我|你|把|麻烦|please|can you|could you|[，,\s])*(?:忘掉|忘了(?!吗|么)"
    r"|忘记(?!了)|删掉|删除|抹掉|forget\b|erase\b)",
    _I,
)

_WHO: Final = re.compile(
    r"你(?:叫什么|是谁|是什么(?!时候)|会(?:做|干)?什么|能(?:做|干)什么|有什么(?:功能|本事)"
    r"|是(?:机器人|人工智能|ai)吗|叫啥)"
    r"|\b(?:who are you|what are you|what(?:'s| is) your name|what can you do|are you (?:a"
    r"|an) (?:bot|robot|ai))\b",
    _I,
)

_TALK: Final = re.compile(
    r"(?:聊|谈|说|讲|提)(?:了|过|到|的是|的)*(?:些|哪些|什么|啥|哪)|(?:聊|谈"
    r"|说)过?.{0,4}(?:话题|内容|事)|(?:说|聊)到哪"
    r"|\b(?:what (?:did|were|have) (?:we|i|you) (?:just )?(?:talk|discuss|say|said|chat|speak"
    r"|been talking|talking)|what we talked)",
    _I,
)

_NOW: Final = re.compile(r"刚才|刚刚|方才|\b(?:just now|just|a moment ago|so far)\b", _I)

_WHEN: Final = re.compile(
    r"(?:上次|最近一次|上一次|上回|最后一次).*(?:什么时候|何时|哪[天日]|几号|多久)|(?:什么时候"
    r"|哪天|几号|何时).*(?:聊|说|提|谈|讲)过?|(?:聊|说|提|谈|讲)(?:到|过|起).*(?:什么时候|哪天"
    r"|几号|何时)"
    r"|\b(?:when (?:did|was) (?:we|i|the last time)|when .* last|last time (?:we|i))\b",
    _I,
)

_TOPIC: Final = re.compile(
    r"(?:聊|说|提|谈|讲)(?:到|起|过|了)*(?P<a>[^，,。？?]{1,16}?)(?:的事情?|的时候)?(?:是|在)?"
    r"(?:什么时候|何时|哪[天日]|几号|多久)"
    r"|(?:什么时候|何时|哪[天日]|几号)(?:聊|说|提|谈|讲)(?:到|起|过|了)*(?P<b>[^，,。？?]{1,16}?)[的了吗]*[。？?]*$"
    r"|\b(?:talk(?:ed)?|speak|spoke|mention(?:ed)?|discuss(?:ed)?)(?: about| of)? (?P<c>[^?.,]+)"
    r"|\blast time (?:we|i) (?P<d>[^?.,]{2,40})",
    _I,
)

_ABOUT_ME: Final = re.compile(
    r"我.*(?:[吗么?？]|什么|哪|谁|多少|几|怎么|为什么|对吧)|(?:记得|知道|记不记得|记着"
    r"|想得起).*(?:吗|么|不|[?？])|你.{0,6}(?:推荐|给我|告诉|教|分享)过|我们.*[?？]"
    r"|\b(?:do|did|am|was|have|were) (?:i|we)\b|\b(?:my|mine)\b.*\?|\bwho am i\b"
    r"|\bI (?:once |have |had )?(?:\w+ed|told|gave|went|said|saw|did|made|read)\b.*\?"
    r"|\bdo you (?:remember|know)\b|\bwhat.*\b(?:i|my)\b.*\?",
    _I,
)

_WANTS_ADVICE: Final = re.compile(
    r"(?:你|您).{0,4}(?:觉得|认为|有(?:什么|没有)|能不能|可以|推荐(?!过)|建议)|(?:有什么|有没有"
    r"|有哪些).{0,8}(?:推荐|建议|办法|方法|技巧)|我该|我应该|该怎么|怎么办"
    r"|\b(?:do you think|should i|can you|could you|recommend|any (?:advice|suggestions?|ideas)"
    r"|how (?:can|do|should) i)\b",
    _I,
)

_ONCE: Final = re.compile(
    r"曾经?|之前|以前|上次|当时|告诉过|推荐过|说过|\b(?:once|earlier|before)\b", _I
)

_ASKS: Final = re.compile(
    r"[?？]|[吗么]\s*[。~～!！]*$|什么|怎么|为什么|哪[里儿个些]|谁|多少|是不是|能不能|有没有"
    r"|^(?:who|what|when|where|why|how|which)\b",
    _I,
)

_HELLO: Final = re.compile(
    r"^(?:小祥|xiaoxiang)?[，,\s]*(?:你好|您好|早上好|早安|早啊?|下午好|中午好|晚上好|嗨|哈喽"
    r"|哈啰|在吗|在不在|hi|hello|hey|good (?:morning|afternoon|evening)|yo)"
    r"[呀啊哦吗\s]*(?:there|小祥|xiaoxiang|朋友)?[，,。.!！~～?？\s☀-➿️\U0001f000-\U0001faff]*$",
    _I,
)

_AND_YOU: Final = re.compile(r"[，,。.!！ ]\s*(?:你呢|and you|what about you)[?？]*$", _I)


def intent_of(text: str) -> Intent:
    """Return what a line wants: the first intent that fits, from the most particular."""
    # Only its beginning is read: what is longer was pasted, and asks nothing.
    said = text.strip()[:_LONGEST]
    if body := requested_text(said):
        return AsksToRemember(body)
    if asks_for_reminder(said):
        return AsksReminder()
    return (
        _intent_about_herself(said)
        or _intent_about_past(said)
        or _intent_of_question(said)
        or _intent_of_statement(said)
    )


def _intent_about_herself(said: str) -> Intent | None:
    if _FORGET.search(said):
        return AsksToForget()
    if _WHO.search(said):
        return AsksWhoSheIs()
    return None


def _intent_about_past(said: str) -> Intent | None:
    if _WHEN.search(said):
        return AsksLastTime(_topic_words(said))
    if _TALK.search(said) and (
        "我们" in said
        or _NOW.search(said)
        or not _ABOUT_ME.search(said)
        or "聊" in said
        or said.isascii()
    ):
        return AsksRecentTalk() if _NOW.search(said) else AsksPastTalk()
    return None


def _topic_words(said: str) -> tuple[str, ...]:
    """Return the words of what a question asks the last time of; none if it names nothing."""
    found = _TOPIC.search(said)
    named = next((each for each in found.groups() if each), "") if found else ""
    return tuple(content_words(named)) or ((named.strip(),) if named.strip() else ())


def _intent_of_question(said: str) -> Intent | None:
    bare = QUOTED.sub("", said)
    # A question may stand in quotation marks as a whole.
    said = bare if re.search(r"\w", bare) else said.strip("\"“”'「」 ")
    if _HELLO.match(said):
        return SaysHello()
    if occasion_of(said) in ASKED_FOR:
        return TellsSomething(occasion_of(said))
    if not _ASKS.search(said) or _AND_YOU.search(said):
        return None
    lived = _ABOUT_ME.search(said) or (OF_LIFE.search(said) and not OF_WORLD.search(said))
    if asks_for_her_words(said) or (
        lived and (_ONCE.search(said) or not _WANTS_ADVICE.search(said))
    ):
        return AsksMemory()
    return AsksWorld(plainly=bool(OF_WORLD.search(said) or _WANTS_ADVICE.search(said)))


def _intent_of_statement(said: str) -> Intent:
    return TellsSomething(occasion_of(said))
