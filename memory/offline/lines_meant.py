"""Which lines a question means that asks for a day, for the talk itself, for a plan or a person.

And how they are told: as what was said, by whom and when. Who somebody is, the line that brings
them in tells.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Final

from memory.offline.answers import Answer, is_about_another, is_of_speaker, is_only_quoted
from memory.offline.by_slot import is_of
from memory.offline.claimed import claimed
from memory.offline.intents import AsksLastTime, AsksMemory, asks_own_name, intent_of
from memory.offline.known_facts import MOST_OF_ALL, best_quote, fitting_facts, is_faded
from memory.offline.likely import is_short, says_it_with_the_answer, sentences_told, whole_or_from
from memory.offline.lines_at_hand import (
    FADED,
    Told,
    is_old_answer,
    names_asked_about,
    names_day,
    said_by_partner,
)
from memory.offline.phrasing import Phrasing, quoted_with_day
from memory.offline.questions import Question, asks_after, introduces
from memory.offline.statements import sentences_of, states
from memory.offline.threads import mourns_for
from memory.offline.utterances import (
    asks_to_keep_what_is_shown,
    statements_in,
)
from memory.offline.vocabulary import EN, Sayings, is_question
from memory.offline.warmth import occasion_of
from memory.offline.weighing import one_form
from memory.recall.need import is_what_is_shown
from memory.recall.query_terms import ASKS_PLANS, telling_terms
from memory.text.corrections import says_what_is_right
from memory.text.dates import Span
from memory.text.late_pattern import LatePattern
from memory.text.layout import head_of_shown
from memory.text.requests import asks_for_reminder, asks_to_let_go
from memory.text.slot_cues import UNDONE, Slot
from memory.text.times import read_day
from memory.text.tokens import as_mandarin, names_somebody, plainly_written, stems, tokens
from prompts import PromptLine, PromptMemory, Reply
from prompts.rendering import one_line


def who_or_how(
    prompt: Reply, asked: str, before: Sequence[PromptLine]
) -> tuple[Told | None, bool]:
    """Return what says who or how somebody asked after is, and whether they were lost."""
    after = asks_after(asked)
    for name in names_asked_about(prompt, asked, before) if after else ():
        told = [x for x in said_by_partner(prompt, before) if name in x.text]
        fitting = told
        if after == "who":
            # Who speaks of somebody first mostly says who that is.
            fitting = ([x for x in told if introduces(name, x.text)] or told)[:1]
        for line in fitting[-1:]:
            sentence = next(x for x in sentences_of(line.text) if name in x).rstrip("。.")
            return Told(sentence, "user", line.at, speaker=line.speaker), mourns_for(
                [x.text for x in told]
            )
    return None, False


_LONG_AGO: Final = timedelta(hours=6)
"""What is longer ago was not "just now"."""


def recent_talk(phrasing: Phrasing, before: Sequence[PromptLine], now: datetime) -> str:
    """Return what was just talked of, else what was talked of before."""
    recent = [line for line in before if now - line.at <= _LONG_AGO]
    if recent:
        head = phrasing.sayings.just_now.format(
            when=phrasing.time_range(recent[0].at, recent[-1].at),
            topics=phrasing.topic_list(recent),
        )
        return head + phrasing.last_quotes(recent)
    return earlier_talk(phrasing, before) if before else phrasing.sayings.nothing_yet


def earlier_talk(phrasing: Phrasing, lines: Sequence[PromptLine]) -> str:
    """Return what the last day of some lines was about, and its last lines."""
    last = lines[-1].at
    day = [line for line in lines if line.at.date() == last.date()]
    return phrasing.sayings.earlier.format(
        when=phrasing.day_name(last),
        clock=phrasing.clock_time(last),
        topics=phrasing.topic_list(day),
    ) + phrasing.last_quotes(day)


def told_on(phrasing: Phrasing, when: str, lines: Sequence[PromptLine]) -> str:
    """Return what was talked about on a day, and its last lines."""
    told = phrasing.sayings.that_day.format(when=when, topics=phrasing.topic_list(lines))
    return told + phrasing.last_quotes(lines)


def last_time(
    phrasing: Phrasing,
    topic: Sequence[str],
    before: Sequence[PromptLine],
    prompt: Reply,
) -> str:
    """Return when a matter was last spoken of, and what was said of it.

    Who asks when they last talked at all means the talk before this one.
    """
    if _OF_TALK.issuperset(topic):
        former = _former_talk(before, prompt.now)
        return earlier_talk(phrasing, former) if former else phrasing.sayings.nothing_yet
    named = phrasing.sayings.between.join(topic) or phrasing.sayings.anything
    spoken = [line for line in before if mentions_topic(line.text, topic)]
    lines = [line for line in spoken if not is_question(line.text)] or spoken
    held = [m for m in prompt.memories if mentions_topic(f"{m.text} {m.quote}", topic)]
    latest = max(held, key=lambda memory: memory.when, default=None)
    if lines and (latest is None or lines[-1].at >= latest.when):
        at, what = lines[-1].at, phrasing.in_quotes(lines[-1].text)
    elif latest is not None:
        at, what = latest.when, phrasing.told_memory(latest)
    else:
        return phrasing.sayings.never.format(topic=named)
    return phrasing.sayings.last_time.format(
        topic=named,
        when=phrasing.day_name(at),
        clock=phrasing.clock_time(at),
        what=what,
    )


_OF_TALK: Final = frozenset({"talk", "speak", "chat", "spoke", "天", "聊", "聊天", "说话", "话"})
_PAUSE: Final = timedelta(minutes=30)


def _former_talk(lines: Sequence[PromptLine], now: datetime) -> Sequence[PromptLine]:
    """Return the lines before the talk that goes on now."""
    end = len(lines)
    while end and now - lines[end - 1].at <= _PAUSE:
        end, now = end - 1, lines[end - 1].at
    return lines[:end]


def is_trace(memory: PromptMemory) -> bool:
    """Whether a memory tells that something is forgotten, which was more than a question."""
    return memory.text.startswith(FADED) and not any(
        map(is_question, re.findall("“([^”]*)”", memory.text))
    )


def what_came(phrasing: Phrasing, at: datetime, what: str) -> str:
    """Return when something came without words, as it is named."""
    when, clock = phrasing.day_name(at), phrasing.clock_time(at)
    return phrasing.sayings.came.format(when=when[:1].upper() + when[1:], clock=clock, what=what)


def hers_of_day(phrasing: Phrasing, lines: Sequence[PromptLine], span: Span) -> str:
    """Return the last two things she said at a time, of some lines; "" if nothing of her own."""
    hers = (x for x in lines if x.role == "assistant" and span.start <= x.at < span.end)
    found = {(x.at, x.text): Told(x.text, x.role, x.at) for x in hers if not is_old_answer(x)}
    told = sorted(found.values(), key=lambda each: each.at)[-2:]
    said = phrasing.sayings.stop.join(quoted_with_day(phrasing, each) for each in told)
    end = "" if phrasing.sayings is EN else "。"
    return f"{said[:1].upper()}{said[1:]}{end}" if said else ""


def says_all(question: Question, told: Told) -> bool:
    """Whether a line of the partner's has every word of a question, and what it is after."""
    kinds, meant = question.kinds, _meant_by(question)
    if told.role != "user" or UNDONE.search(told.text) or not any(claimed([told.text])):
        return False
    lacks = kinds and kinds[0].must and not kinds[0].holds.search(told.text)
    if lacks and not says_it_with_the_answer(question.text, told.text):
        return False
    held, plain = one_form(stems(told.text)), plainly_written(told.text)
    whole = all(each in held or _is_part(each, plain) for each in meant)
    if question.checks and is_only_quoted(question, told.text):
        return False
    theirs = is_of_speaker(question, told) or is_about_another(question, told.text, "user")
    return whole and bool(meant) and not theirs


def only_names(question: Question, told: str) -> bool:
    """Whether of what is asked a text only names of whom it is asked."""
    meant = _meant_by(question)
    shared = meant & one_form(tokens(told))
    names = one_form(tokens(" ".join([*names_somebody(told), *_NAMED_BY])))
    return bool(meant - shared) and (shared & telling_terms(question.text)) <= names


def is_known_of(question: Question, lines: Iterable[PromptLine]) -> bool:
    """Whether one of the lines tells of at least half of the things that a question names."""
    meant = _meant_by(question) - one_form(stems(_OF_ANYBODY))
    told = (one_form(stems(line.text)) for line in lines)
    return bool(meant) and any(2 * len(meant & each) >= len(meant) for each in told)


def _meant_by(question: Question) -> frozenset[str]:
    """Return the words of a question that say what it is about."""
    return one_form(question.words & question.terms)


def _is_part(word: str, plain: str) -> bool:
    """Whether a text has a long Chinese word but for its end or beginning: 咖啡 of 喝咖啡."""
    long = len(word) > _LONG_ZH and not word.isascii()
    return long and (word[1:] in plain or word[:-1] in plain)


_LONG_ZH: Final = 2

_NAMED_BY: Final = ("granny", "mam", "mum", "dad")

_TIME_AND_PLACE: Final = "日期 日子 地点 最后 最终 原来 周几 星期 礼拜 几"
_OF_ANYBODY: Final = f"weather time news year day 天气 时间 新闻 今天 现在 年 天 {_TIME_AND_PLACE}"
"""What is asked of the world, though the partner spoke of it too."""


def own_line(memory: PromptMemory) -> str:
    """Return what the partner said that a fact rests on, as far as it is told, if known."""
    if memory.tier == "diary":
        return memory.text
    line = next((each.text for each in memory.said if each.role == "user"), best_quote(memory))
    told = one_line(line)
    if is_short(told) or memory.tier == "episode":
        return told if is_short(told) else ""
    words = telling_terms(memory.text)
    at = max(sentences_of(told), key=lambda each: len(words & telling_terms(each)), default="")
    return whole_or_from(at, told)


def lines_of(
    speaker: str, before: Sequence[PromptLine], memories: Sequence[PromptMemory]
) -> Iterator[PromptLine]:
    """Yield what that person said, as far as the talk and the memories at hand hold it."""
    yield from (line for line in before if line.role == "user" and line.speaker == speaker)
    for memory in memories:
        yield from (x for x in memory.said if x.role == "user" and x.speaker == speaker)
        if memory.speaker != speaker or memory.past or memory.tier == "episode":
            continue
        for text in dict.fromkeys((own_line(memory), _LABEL.sub("", memory.text))):
            yield PromptLine("user", speaker, memory.when, text)


_LABEL: Final = re.compile(r"^[^\s：:]{1,12}[：:]\s*")
"""主人：陈建国再婚了 is of him and not of the partner."""


def is_to_go(said: str) -> bool:
    """Whether a line asks to have a matter let go or erased."""
    return asks_to_let_go(said) is not None or occasion_of(said) == "forget"


def mentions_topic(text: str, topic: Sequence[str]) -> bool:
    """Whether a text has one of the words of a topic; of no topic anything does."""
    return not topic or any(word.lower() in text.lower() for word in topic)


def without_let_go(lines: Sequence[PromptLine], before: Sequence[PromptLine]) -> list[PromptLine]:
    """Return the lines without what was just asked not to be mentioned: it is not asked after."""
    asked = (asks_to_let_go(line.text) for line in before if line.role == "user")
    left = [each[1] for each in asked if each is not None]
    return [line for line in lines if not any(each in line.text for each in left)]


def lines_of_days(question: Question, told: Iterable[Told], known: str) -> list[Told]:
    """Return what was told of the days a question names, the eldest first, but what is known."""
    spans = spans_ahead(question)
    of_them = {
        x.text: x
        for x in told
        if x.text not in known and not _tells_no_plan(x.text) and _is_of(x, question, spans)
    }
    whole = [x for x in of_them.values() if not any(x.text in y for y in of_them if y != x.text)]
    return whole[:MOST_OF_ALL][::-1]


def _tells_no_plan(said: str) -> bool:
    return asks_for_reminder(said) or says_what_is_right(said)


def _is_of(told: Told, question: Question, spans: Sequence[Span]) -> bool:
    """Whether a sentence is of one of these days: 周四要去看牙 is of the Thursday after it."""
    line = PromptLine("user", "", told.at, told.text)
    to_come = read_day(told.text, told.at.astimezone(question.zone), question.zone)
    ahead = to_come is not None and any(
        x.start.date() <= to_come.day < x.end.date() for x in spans
    )
    return ahead or (to_come is None and names_day(line, question, spans))


def asked_to_be_called(prompt: Reply) -> bool:
    """Whether the partner's name is known from 叫我清清就行: as a fact that reads oddly."""
    told = (m.text for m in prompt.memories if prompt.name in m.text)
    return any(_CALL_ME.search(each) for each in told)


def asks_name_never_told(prompt: Reply, question: Question, before: Sequence[PromptLine]) -> bool:
    """Whether the partner asks what they are called and never said it."""
    unnamed = asks_own_name(question.text) and not prompt.name
    return unnamed and not has_said_name(prompt, before) and not fitting_facts(prompt, question)


def has_said_name(prompt: Reply, before: Sequence[PromptLine]) -> bool:
    """Whether the partner said what they are called, as far as their words are at hand."""
    lines = said_by_partner(prompt, before)
    said = (statements_in(x.text, prompt.partner, x.at) for x in lines)
    return any(each.slot in {Slot.NAME, Slot.NICKNAME} for found in said for each in found)


_CALL_ME: Final = re.compile(r"\bcall (?!me\b)|(?:^|可以|就|都)叫主人")


_WRITTEN_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")


def spans_ahead(question: Question) -> list[Span]:
    """Return the days a question names: asked of plans, a weekday is the one to come."""
    ahead = ASKS_PLANS.search(question.text) and not _GONE_BY.search(question.text)
    return [
        x._replace(start=x.start + _WEEK, end=x.end + _WEEK)
        if ahead and x.end <= question.now
        else x
        for x in question.spans
    ]


_WEEK: Final = timedelta(days=7)

_GONE_BY: Final = LatePattern(r"昨|前天|上个?[周星礼月]|\b(?:last|yesterday|ago)\b", re.IGNORECASE)


def facts_of_days(prompt: Reply, question: Question) -> list[PromptMemory]:
    """Return the facts that name a day the question asks about: 明天我要干嘛, 我有什么计划."""
    spans = spans_ahead(question)
    ahead = not spans and ASKS_PLANS.search(question.text) is not None
    today = question.now.date()
    return [
        memory
        for memory in prompt.memories
        if memory.tier not in {"episode", "diary"} and not memory.past and not is_faded(memory)
        if any(
            (ahead and date.fromisoformat(day) >= today)
            or any(
                span.start.date() <= date.fromisoformat(day) < span.end.date() for span in spans
            )
            for day in _WRITTEN_DAY.findall(memory.text)
        )
    ][:MOST_OF_ALL]


def said_of(question: Question, lines: Iterable[PromptLine], names: frozenset[str]) -> Told | None:
    """Return the last line of the partner's that tells of the matter that is asked about."""
    for line in sorted(lines, key=lambda each: each.at, reverse=True):
        for sentence in sentences_told(line.text, question.text):
            if is_of(question, sentence, names):
                return Told(whole_or_from(sentence, line.text), "user", line.at)
    return None


def is_near_enough(found: Answer | None, question: Question) -> bool:
    """Whether what was found may be offered as the nearest; what is of others seldom may."""
    return found is not None and found.share >= NEAR and (question.checks or not found.theirs)


NEAR: Final = 0.2
"""The share of a question that the nearest thing must account for to be worth offering."""


def noted_as_shown(
    prompt: Reply, asked: str, before: Sequence[PromptLine], sayings: Sayings
) -> str:
    """Return that what a request points at is noted, or ask what it points at.

    Empty if it asks for something else, or points at what its speaker just told.
    """
    if not asks_to_keep_what_is_shown(asked):
        return ""
    (author, shown), asker = head_of_shown(prompt.window[-1].quoted), prompt.window[-1].speaker
    words = one_line(shown)
    if words:
        lines = [x for x in prompt.window[:-1] if x.text and is_what_is_shown(words, x.text)]
        said = [x.speaker for x in lines if x.speaker]
        words = one_line(lines[-1].text) if lines else words
        dense = re.search("[一-鿿]", words)
        who = said[-1] if said else author or ("有人" if dense else "Somebody")
        told = f"{who}说：{words}" if dense else f"{who} says: {words}"
        own = said and said[-1] == asker == prompt.partner
        return sayings.will_note.replace("{body}", (words if own else told).rstrip("。."))
    own_lines = [x.text for x in before if x.role == "user" and x.speaker == asker]
    tells = any(map(states, own_lines[-1:])) and not asks_to_keep_what_is_shown(own_lines[-1])
    return "" if tells else sayings.note_what


def asked_last(new: list[PromptLine]) -> list[PromptLine]:
    """Return the last of several lines alone if it asks for what the others may have told."""
    asks = isinstance(intent_of(as_mandarin(new[-1].text)), AsksMemory | AsksLastTime)
    return new[-1:] if asks and is_question(new[-1].text) else new
