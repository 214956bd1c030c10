"""Which of the memories at hand answer a usual question, or are brought up by what was said."""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from types import MappingProxyType
from typing import Final

from memory.offline.answer_kinds import (
    ASKS_AGE,
    ASKS_BIRTHDAY,
    ASKS_HOME,
    ASKS_STUDY,
    ASKS_WORK,
    asks_of_former_times,
)
from memory.offline.groups import is_of_another_before
from memory.offline.harms import (
    ASKS_WHAT_HARMS,
    TELLS_WHAT_HARMS,
    as_said,
    asks_what_harms,
    asks_what_harms_another,
    may_harm_whom_it_asks,
)
from memory.offline.intents import asks_own_name
from memory.offline.lines_at_hand import FADED
from memory.offline.questions import ASKS_TO_TELL, Question, asks_what_i_have, may_be_of
from memory.offline.statements import states
from memory.offline.vocabulary import WORDS_EN, WORDS_ZH, match_terms, telling_words
from memory.recall.query_terms import NAMES_OF_CHILDREN, asks_for_all, asks_of_family
from memory.recall.slot_index import tells_of_family
from memory.text import slots_en
from memory.text.correction_forms import corrects, tells_of_change
from memory.text.slot_core import WHO_I_KNOW_ZH
from memory.text.slot_cues import ClaimMode, Slot
from memory.text.slots import SlotClaim, slot_claims
from memory.text.tokens import names_somebody, plainly_written
from prompts import PromptMemory, Reply

MOST_MEMORIES_TOLD: Final = 3
MOST_OF_ALL: Final = 6
"""So many memories are told where all are asked for."""
CLEARLY_RELATED: Final = 2
"""How many words a memory must share to be brought up unasked: one may be chance."""

# The usual questions and what an answer must contain: 我住在哪里 shares no word with 搬到上海.
_ASKS_PARTNER: Final = (
    r"我.{0,4}(?:有|谈|交|找)?.{0,3}(?:对象|男朋友|女朋友|男友|女友|单身|脱单|谈恋爱|结婚|订婚|离婚)[了没吗呢么不还在]*[?？]?$"
    r"|我(?:现在)?的?(?:现任)?(?:对象|男朋友|女朋友|男友|女友)(?:现在)?(?:是谁|叫什么)"
    r"|\bam i (?:\w+ )?(?:single|married|engaged|divorced|dating|seeing (?:any|some)"
    r"|with (?:any|some)|in a relationship)"
    r"|\bdo i (?:still )?have an? (?:boyfriend|girlfriend|partner|husband|wife|fianc)"
    r"|\bwho(?:'s| is) my (?:boyfriend|girlfriend|partner|husband|wife)\b"
    r"|\bwho am i (?:dating|seeing|with|married|engaged)"
)

_ASKS_SCHOOL: Final = (
    r"我.{0,4}(?:在哪.{0,3}(?:上学|[读念]书)|(?:还在)?(?:上学|[读念]书|读研|读博)[吗没]|几年级|哪个?学校)"
    r"|\b(?:what|which) (?:school|college|uni|university|year|grade|class) (?:do|am|is)\b"
    r"|\bwhere do i (?:go to|study)|\bam i (?:still )?(?:studying|[ai][tn] (?:school|uni|college))"
)

_KINDS_OF_QUESTION: Final[tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]] = tuple(
    (re.compile(question, re.IGNORECASE), re.compile(answer, re.IGNORECASE))
    for question, answer in (
        (ASKS_WHAT_HARMS, TELLS_WHAT_HARMS),
        (
            r"我(?:叫|的名字|姓)|我是谁|who am i\W*$|my name",
            (
                r"^(?:可以|请)?.{0,6}(?<!朋友)(?<!的)(?:叫|姓)|的?名字|^.{0,4}是[一-鿿]{2,3}$"
                r"|name|\bcall |\bis called |^(?:\S{1,24}|my friend) is "
                r"(?-i:[A-Z][a-z]+(?<!ish)(?<!ese)(?<!ian)(?: [A-Z][\w'’-]+)?)$"
            ),
        ),
        (
            ASKS_HOME,
            r"住|搬|租|家在|liv(?!\w* without)|moved(?! to (?:next|the \d|\w+day))|house|flat",
        ),
        (
            (
                r"(?:跟|和|同)谁.{0,3}住|谁.{0,4}一起住"
                r"|who do i (?:live|share)|my (?:flat|room|house)mates?\b"
            ),
            r"合租|室友|一起住|住在?一起|share a|(?:flat|room|house)mate|live with|lives with",
        ),
        (
            ASKS_AGE,
            (
                r"岁|今年[一二三四五六七八九十\d]{1,3}了?$|\D\d{2}了$|years old|\bturned \d"
                r"|\bis \d{1,3}$"
            ),
        ),
        (
            ASKS_WORK,
            (
                r"工作|上班|职业|辞|离职|失业|退休|[是做].*(?:[师生员]|司机|工人|老板)"
                r"|work|job|retired|laid off"
                rf"|\bis an? (?:[\w-]+ ){{0,2}}(?:{slots_en.CORE_WORDS['TRADE']})\b"
            ),
        ),
        NAMES_OF_CHILDREN,
        (ASKS_BIRTHDAY, r"生日|生辰|[日号]出?生|birth ?day|\bb-?da?ys?\b|\bborn\b"),
        (
            (
                r"(?:猫|狗|宠物).{0,3}(?:叫|名)"
                r"|\b(?:cat|dog|pet)s?\b.*\b(?:called|names?)\b|names? of my"
            ),
            (
                rf"(?=.*(?:{WORDS_ZH['PET']})).*(?:叫|名)"
                r"|(?=.*\b(?:cat|dog|pet)s?\b).*(?:\bcalled|\bnamed|'s name|\b(?:cat|dog) [A-Z])"
            ),
        ),
        (
            r"我.{0,6}(?:猫|狗|宠物)|my (?:cat|dog|pet)|\bpets? (?:do|have) (?:i|we)\b",
            rf"猫|狗|养|pet|\b(?:{WORDS_EN['PET']})\b",
        ),
        (
            r"吃素|素食|吃肉|vegetarian|vegan|eat meat",
            r"吃素|素食|吃肉|vegetarian|vegan|eat meat|plant-based",
        ),
        (
            r"(?:不喜欢|讨厌)|(?:dislike|hate|don't like)",
            r"不喜欢|讨厌|不吃|不爱|dislike|hate|n't like",
        ),
        (
            r"喜欢|爱好|爱[吃喝听看玩]|what do i (?:like|love|enjoy)|hobb",
            r"喜欢|爱|like|love|enjoy|hobb",
        ),
    )
)

_SLOTS_ASKED: Final = (
    (re.compile(ASKS_WORK, re.IGNORECASE), Slot.WORK),
    (re.compile(ASKS_HOME, re.IGNORECASE), Slot.HOME),
    (re.compile(ASKS_AGE, re.IGNORECASE), Slot.AGE),
    (re.compile(ASKS_STUDY, re.IGNORECASE), Slot.SCHOOL),
    (re.compile(_ASKS_SCHOOL, re.IGNORECASE), Slot.SCHOOL),
    (re.compile(_ASKS_PARTNER, re.IGNORECASE), Slot.PARTNER),
)

_OVER: Final = frozenset({ClaimMode.PAST, ClaimMode.STOPPED})


def is_over(memory: PromptMemory, partner: str) -> bool:
    """Whether a memory tells of an end of being together."""
    over = (Slot.PARTNER, ClaimMode.STOPPED)
    return any((c.slot, c.mode) == over for c in slot_claims(memory.text, {partner}))


_ASKS_ALL: Final = re.compile(
    r"\b(?:do|have|did) you (?:know|remember|learn\w*|kept?) (?:\w+ )?about me"
    r"|everything .*about me"
    r"|(?:知道|了解|记得|记住|记着)(?:了)?(?:关于)?我(?:的)?(?:什么|哪些|啥|多少)(?:事|东西)?[呢呀啊了]*[?？]*$"
    r"|对我(?:了解|知道)多少",
    re.IGNORECASE,
)


def all_facts(prompt: Reply, question: Question) -> list[PromptMemory]:
    """Return some facts for who asks what is known at all: of them, or of their family."""
    asked, kin = question.text, question.kin
    facts = [m for m in prompt.memories if m.tier not in {"episode", "diary"} and not m.past]
    facts = [m for m in facts if not is_faded(m)]
    if asks_of_family(asked) or (kin and ASKS_TO_TELL.match(asked)):
        facts = [m for m in facts if tells_of_family(m.text) and may_be_of(m.text, question)]
    elif not _ASKS_ALL.search(asked):
        return []
    return facts[:MOST_OF_ALL]


def fitting_facts(prompt: Reply, question: Question) -> list[PromptMemory]:
    """Return the facts that answer a usual question (what is my name, what do I like).

    They are about whom it asks about: my own age does not say how old my daughter is.
    """
    asked = question.text
    answer, slot = _answer_pattern(asked), slot_asked(asked)
    facts = [m for m in prompt.memories if m.tier not in {"episode", "diary"} and not is_faded(m)]
    facts = [m for m in facts if may_harm_whom_it_asks(as_said(m.text, prompt.partner), asked)]
    kin = question.kin
    # Not by their handles: what a prompt is given besides what was found has none.
    told = {m.text: _told_in(slot, m, prompt.partner, kin) for m in facts} if slot else {}
    fitting = [m for m in facts if told.get(m.text) or (answer and answer.search(m.text))]
    fitting = _of_whom_is_asked(fitting, prompt, question, slot)
    if not fitting:
        return []
    # The partner's name stands in nearly every memory and tells none from another.
    wanted = match_terms(asked) - {prompt.partner}
    former = asks_of_former_times(asked)
    found = _by_relevance(fitting, wanted, told, former=former)
    found = found[: MOST_OF_ALL if asks_for_all(asked) else MOST_MEMORIES_TOLD]
    of_now = told.get(found[0].text) and not _is_over(found[0], told)
    if former and of_now and not _tells_of_former(found[0].text, prompt):
        # Where one lives now does not say where one lived before.
        return []
    if slot is Slot.AGE:
        # An age once told says nothing beside the present one.
        return found[:1]
    if asks_what_harms(asked) or asks_for_all(asked):
        every = fitting if asks_what_harms(asked) else found
        return [m for m in every if not m.past] or found[:1]
    return found if _ASKS_SEVERAL.search(asked) else _with_former(found)


def _of_whom_is_asked(
    fitting: list[PromptMemory], prompt: Reply, question: Question, slot: Slot | None
) -> list[PromptMemory]:
    """Return those of some facts that are about whom a question is about."""
    asked, mine = question.text, asks_what_i_have(question.text)
    if asks_what_harms_another(asked):
        return fitting
    if question.kin and slot is not Slot.PARTNER:
        fitting = [m for m in fitting if may_be_of(m.text, question)]
    elif not _OF_OTHERS.search(asked):
        mine = True
    if mine:
        fitting = [m for m in fitting if not tells_of_another(m.text, prompt.partner)]
        if re.search(r"我.{0,4}生|\bmy b|\bi born", asked.lower()):
            fitting = [m for m in fitting if not is_of_another_before(_BORN.split(m.text)[0])]
    named = [*names_somebody(asked), *_OWNER_ASKED.findall(asked)]
    if named and not asks_what_harms(asked):
        fitting = [m for m in fitting if any(each in plainly_written(m.text) for each in named)]
    if prompt.name and asks_own_name(asked):
        own = [m for m in fitting if prompt.name in m.text]
        return own or [m for m in fitting if not _NAMES_ANOTHER.search(m.text)]
    return fitting


_BORN: Final = re.compile(r"生日|生辰|出生|\bbirth ?day|\bborn\b", re.IGNORECASE)
_OWNER_ASKED: Final = re.compile(
    r"\b(?!(?:What|When|Who|Where|How|It|That|There|Here|He|She|Let)\b)([A-Z][\w-]+)['’]s \w"
)
"""Whose it is that is asked about: Biscuit of "when is Biscuit's birthday"."""
_NAMES_ANOTHER: Final = re.compile(r"\w['’]s name\b|\b(?:called|named) [A-Z]|(?<!主人)的名字")


def _tells_of_former(told: str, prompt: Reply) -> bool:
    """Whether a fact is told as from before (退休前), or took the place of a slip."""
    slips = (x for x in prompt.window if len(x.text) <= _LONGEST_SLIP and corrects(x.text))
    return _FORMERLY.search(told) is not None or any(slips)


_LONGEST_SLIP: Final = 20
"""Who puts right in more words than that names what was wrong."""

_FORMERLY: Final = re.compile(r"(?i)前[是在做]|[以之从]前|原来|\bused to\b|\bformerly\b")


def slot_asked(asked: str) -> Slot | None:
    """Return the slot a usual question asks about: work for "what do I do for a living"."""
    return next((slot for question, slot in _SLOTS_ASKED if question.search(asked)), None)


def _told_in(
    slot: Slot, memory: PromptMemory, partner: str, kin: AbstractSet[str]
) -> SlotClaim | None:
    """Return what a memory tells of a slot, of the partner's or of the ``kin`` asked about.

    "Now a baker" has no word of work.
    """
    claims = slot_claims(memory.text, {partner})
    # 脱单了 and "broke up" tell of their slot by themselves.
    alone = slot is Slot.PARTNER
    theirs = bool(kin) and not alone
    of_slot = (c for c in claims if c.slot is slot and bool(c.whose) is theirs)
    return next((c for c in of_slot if c.value or (alone and c.firm)), None)


_OF_OTHERS: Final = re.compile(
    rf"{WORDS_ZH['FAMILY']}|[堂表][哥姐弟妹]|老伴|孙|女婿|儿?媳|前[夫妻任男女]|对象"
    r"|朋友|同[事学]|老[板师]|邻居|^谁|是谁|孩子|小孩|娃|\b(?:kids|children)\b"
    rf"|\b(?:{WORDS_EN['FAMILY']}|mum|mom|mam|dad|gran|granny|ex|friend"
    r"|boss|colleague|who is|who's)\b",
    re.IGNORECASE,
)


def tells_of_another(text: str, partner: str) -> bool:
    """Whether a text is about somebody of the partner's: 主人的儿子在深圳上班."""
    told = text.removeprefix(partner).removeprefix("的").removeprefix("'s").lstrip(" :：")
    known = _OF_OTHERS.match(_MINE.sub("", told)) or WHO_I_KNOW_ZH.match(f"我{told}")
    return known is not None


_MINE: Final = re.compile(r"^(?:我们?家?的?|my |our )", re.IGNORECASE)


def _with_former(found: Sequence[PromptMemory]) -> list[PromptMemory]:
    """Return the best, and what is past beside it: where one lives now, and lived before."""
    return [found[0], *[m for m in found[1:] if m.past is not found[0].past][:1]]


def shared_facts(prompt: Reply, question: Question) -> tuple[list[PromptMemory], float] | None:
    """Return the fact that shares most with a question, and the share of its words it holds."""
    facts = [
        m
        for m in prompt.memories
        if m.tier not in {"episode", "diary"}
        if not is_faded(m) and may_be_of(m.text, question) and _may_be_of_day(m.text, question)
    ]
    of, partner = question.text, prompt.partner
    facts = [m for m in facts if may_harm_whom_it_asks(as_said(m.text, partner), of)]
    if question.after == "user" and not _OF_OTHERS.search(question.text):
        # What my sister made is not what I made.
        facts = [m for m in facts if not tells_of_another(m.text, prompt.partner)]
    terms = question.terms - {prompt.partner}
    facts = [m for m in facts if all(x in m.text for x in _OWNER_ASKED.findall(question.text))]
    if _ASKS_EVENT.search(question.text):
        facts = [m for m in facts if tells_of_change(m.text) and terms <= match_terms(m.text)]
    if not facts or not terms:
        return None
    shares = [(len(terms & match_terms(m.text)) / len(terms), not m.past, m) for m in facts]
    share, _, best = max(shares, key=lambda each: each[:2])
    return ([best], share) if share else None


def _may_be_of_day(told: str, question: Question) -> bool:
    """Whether a fact may be of the days a question names: 周四要去看牙 is not of the weekend."""
    days = [datetime.fromisoformat(day).date() for day in _WRITTEN_DAY.findall(told)]
    return not question.spans or any(
        span.words in told or any(span.start.date() <= day < span.end.date() for day in days)
        for span in question.spans
    )


_WRITTEN_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")


def is_faded(memory: PromptMemory) -> bool:
    """Whether only a trace of a memory is left."""
    return memory.text.startswith(FADED)


_ASKS_EVENT: Final = re.compile(r"怎么了|出了什么事|what happened|what went wrong", re.IGNORECASE)
"""What happened is told by who told it, not by what is known for long."""

_ASKS_SEVERAL: Final = re.compile(
    r"喜欢|爱好|爱[吃喝听看玩]|讨厌|过敏|哪些|likes?|love|enjoy|hobb|dislike|hate|allerg"
    rf"|{NAMES_OF_CHILDREN[0]}",
    re.IGNORECASE,
)


def related_memories(prompt: Reply, said: str) -> list[PromptMemory]:
    """Return up to three memories clearly related to what was said, best first."""
    wanted = telling_words(said) - {prompt.partner}
    close = [
        m
        for m in prompt.memories
        if len(wanted & telling_words(f"{m.text} {m.quote}")) >= CLEARLY_RELATED
    ]
    return _by_relevance(close, wanted)[:MOST_MEMORIES_TOLD]


def _answer_pattern(asked: str) -> re.Pattern[str] | None:
    """Return what an answer to a usual question must contain; None for any other question."""
    return next((answer for kind, answer in _KINDS_OF_QUESTION if kind.search(asked)), None)


def _by_relevance(
    memories: Sequence[PromptMemory],
    wanted: frozenset[str],
    told: Mapping[str, SlotClaim | None] = MappingProxyType({}),
    *,
    former: bool = False,
) -> list[PromptMemory]:
    """Return the best first: what holds, then statements, then most words shared, come first.

    Asked for ``former`` times, what no longer holds comes first. ``told`` is what memories, by
    text, tell of the slot that is asked of: which work says more than that it is another one.
    """
    return sorted(
        memories,
        key=lambda m: (
            _is_over(m, told) is not former,
            bool(told) and told[m.text] is None,
            not states(best_quote(m)),
            -len(wanted & _memory_terms(m)),
        ),
    )


def _is_over(memory: PromptMemory, told: Mapping[str, SlotClaim | None]) -> bool:
    claim = told.get(memory.text)
    return memory.past or (claim is not None and claim.mode in _OVER)


def best_quote(memory: PromptMemory) -> str:
    """Return the best quotation, not one of hers, that states something; else the best."""
    hers, own = ([x.text for x in memory.said if x.role == r] for r in ("assistant", "user"))
    quotes = [q for q in memory.quote.split(" … ") if not any(q in x for x in hers)] or own
    return next(filter(states, quotes), quotes[0] if quotes else "")


def _memory_terms(memory: PromptMemory) -> frozenset[str]:
    return match_terms(f"{memory.text} {memory.quote}")
