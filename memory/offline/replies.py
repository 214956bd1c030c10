"""Replies without a model: from the window and the memories shown, with dates, or not at all.

A rule cannot know the world, so it answers only what its own words prove and says so otherwise.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import takewhile
from typing import Final, assert_never

from memory.model import Sensitivity
from memory.offline.answers import (
    ENOUGH,
    ENOUGH_OF_WORLD,
    FADED,
    Answer,
    best_answer,
    is_no_news,
    only_asks,
)
from memory.offline.intents import (
    AsksAdvice,
    AsksLastTime,
    AsksMemory,
    AsksPastTalk,
    AsksRecentTalk,
    AsksReminder,
    AsksToForget,
    AsksToRemember,
    AsksWhoSheIs,
    AsksWorld,
    Intent,
    SaysHello,
    TellsSomething,
    intent_of,
)
from memory.offline.known_facts import (
    facts_of_days,
    fitting_facts,
    related_memories,
    shared_facts,
)
from memory.offline.phrasing import (
    Phrasing,
    quoted_with_day,
    told_answer,
    told_of_another_day,
)
from memory.offline.questions import Question
from memory.offline.statements import Statement
from memory.offline.utterances import statements_in
from memory.offline.vocabulary import EN, ZH, is_question, sayings_for
from memory.offline.warmth import (
    ASKED_FOR,
    BAD_NEWS,
    GRAVE_NEWS,
    LISTENING,
    named,
    occasion_of,
    opening,
    thread,
)
from memory.text.announcing import announces
from memory.text.dates import date_spans
from memory.text.passed_on import own_text
from memory.text.slot_cues import Slot
from prompts import PromptLine, Reply

_HOURS: Final = (5, 12, 18, 23)
"""The hours at which morning, afternoon, evening and night begin."""

_SHORTEST_PASTED: Final = 30
"""In characters: a shorter line after "what does that mean" is talk that goes on."""

_JUST_NOW: Final = timedelta(minutes=30)

_LONG_AGO: Final = timedelta(hours=6)
"""What is longer ago was not "just now"."""


def reply_to(prompt: Reply) -> str:
    """Return a reply to the new lines at the end of the window.

    The first reply of a conversation adds that this is the offline mode.
    """
    # What she once answered from memory is no news.
    news = tuple(m for m in prompt.memories if m.tier != "diary" or not is_no_news(m.text))
    prompt = replace(prompt, memories=news)
    # Several lines may have come before this reply; together they are what is answered.
    new = list(takewhile(lambda line: line.role == "user", reversed(prompt.window)))[::-1]
    asked = "\n".join(line.text for line in new)
    answer = _ReplyBuilder(prompt, asked, prompt.window[: len(prompt.window) - len(new)])
    # What is shown to be worked on asks for more than rules can do.
    pasted = len(answer.shown) > _SHORTEST_PASTED
    is_task = pasted and (not answer.told or announces(answer.told))
    intent = AsksWorld() if is_task else intent_of(asked)
    text = answer.answer_to(intent).strip()
    begun = any(line.role == "assistant" for line in prompt.window)
    return text if begun or intent == AsksWhoSheIs() else f"{text}\n{answer.sayings.notice}"


class _SmallTalk:
    """What is said to somebody who tells something: the prompt, and what was said before."""

    def __init__(self, prompt: Reply, asked: str, before: Sequence[PromptLine]) -> None:
        self.prompt = prompt
        self.asked = asked
        # 讲个笑话 announces no text to come: it asked her.
        earlier = [
            line.text
            for line in reversed(before)
            if line.role == "user" and occasion_of(line.text) not in ASKED_FOR
        ]
        self.told, self.shown = own_text(asked, earlier[:2])
        self.before = before
        self.sayings = sayings_for(asked, prompt.language)
        self.phrasing = Phrasing(prompt, self.sayings)
        self.question = Question(asked, prompt.now, self.phrasing.zone)

    def reaction(self, occasion: str) -> str:
        if occasion == "time":
            return self._time()
        stated = statements_in(self.told, self.prompt.partner, self.prompt.now)
        if occasion == LISTENING and not stated and self._is_after_grave_news():
            occasion = "sad"
        # A feeling is answered before a fact.
        if stated and occasion in _AFTER_FACTS:
            answer = self._acknowledgement(stated[0])
        else:
            answer = self._opening(occasion)
        thread = self._thread() if occasion == LISTENING and not stated else ""
        if thread:
            return thread
        remind = occasion not in _NO_REMINDER
        return f"{answer}{self._space}{self._reminder() if remind else ''}".strip()

    def _is_after_grave_news(self) -> bool:
        """Whether what was told just before was grave: it is not over with the next sentence."""
        last = next((line for line in reversed(self.before) if line.role == "user"), None)
        return (
            last is not None
            and self.prompt.now - last.at <= _JUST_NOW
            and occasion_of(last.text) in GRAVE_NEWS
        )

    def _opening(self, occasion: str) -> str:
        said = self.sayings.openings
        spare = () if occasion == LISTENING else said[LISTENING]
        return named(opening(said[occasion], spare, self.before, self.prompt.now), self._name)

    def _time(self) -> str:
        now = self.prompt.now
        date = self.sayings.month_day.format(at=now).removeprefix("on ")
        weekday = "星期" + "一二三四五六日"[now.weekday()] if self.sayings is ZH else f"{now:%A}"
        return self.sayings.clock.format(clock=f"{now:%H:%M}", weekday=weekday, date=date)

    def _thread(self) -> str:
        """Return a question about what was planned for today or yesterday, or nothing."""
        lines = [*self.before, *(line for m in self.prompt.memories for line in m.said)]
        hers = [line.text for line in self.before if line.role == "assistant"]
        return thread(lines, hers, self.prompt.now, self.sayings)

    def _acknowledgement(self, statement: Statement) -> str:
        """Return that a statement was heard, without repeating anything private."""
        if statement.slot in {Slot.NAME, Slot.NICKNAME}:
            return self.sayings.pleased.format(value=statement.value).strip()
        if _is_private(statement):
            return self._opening("private")
        fact = self.phrasing.in_second_person(statement.text)
        if self.sayings is EN and not re.search(r"\byou", fact):
            return self._opening(LISTENING)
        return self._opening("news").replace("{fact}", fact)

    def _reminder(self) -> str:
        """Return a reminder of something of another day the partner told, or nothing."""
        today = self.prompt.now.date()
        for memory in related_memories(self.prompt, self.asked):
            told = told_of_another_day(self.phrasing, memory, self.asked, today)
            if told and not memory.past:
                return self.sayings.reminded.format(what=told)
        return ""

    def _hello(self) -> str:
        """Return a greeting by the hour, and a question: about what was planned, if anything."""
        greeting = self._with_partner_name(self._greeting_by_hour())
        asks = self._thread() or self.sayings.greeting.strip()
        return f"{greeting}{self._space}{asks}"

    def _greeting_by_hour(self) -> str:
        morning, noon, evening, night = _HOURS
        hour = self.prompt.now.hour
        if morning <= hour < noon:
            return self.sayings.morning
        if noon <= hour < evening:
            return self.sayings.afternoon
        return self.sayings.evening if evening <= hour < night else self.sayings.night

    @property
    def _space(self) -> str:
        """What stands between two sentences."""
        return " " if self.sayings is EN else ""

    @property
    def _name(self) -> str:
        """What the partner is called: their name, else as the settings say, if it can be said."""
        if self.prompt.name:
            return self.prompt.name
        return self.prompt.partner if self.sayings is ZH or self.prompt.partner.isascii() else ""

    def _with_partner_name(self, sentence: str) -> str:
        """Return the sentence with the partner's name in it."""
        # Not str.format: what was said may hold braces.
        return named(sentence.replace("{partner}", "{name}"), self._name)


class _ReplyBuilder(_SmallTalk):
    """One reply in the making: the prompt, the question and what was said before it."""

    def answer_to(self, intent: Intent) -> str:
        """Return the reply to what the new lines want."""
        match intent:
            case AsksRecentTalk() | AsksPastTalk() | AsksLastTime() | AsksMemory():
                return self._answer_from_memory(intent)
            case TellsSomething(occasion):
                return self.reaction(occasion)
            case AsksAdvice():
                return self._opening("advice")
            case AsksToRemember(body):
                told = self.phrasing.in_second_person(body.rstrip("。.!！"))
                noted = self._with_partner_name(self.sayings.will_note)
                return noted.replace("{body}", told)
            case AsksToForget() | AsksReminder() | AsksWhoSheIs() | AsksWorld() | SaysHello():
                return self._plain_answer(intent)
            case never:
                assert_never(never)

    def _answer_from_memory(
        self, intent: AsksRecentTalk | AsksPastTalk | AsksLastTime | AsksMemory
    ) -> str:
        match intent:
            case AsksRecentTalk():
                return self._recent_talk()
            case AsksPastTalk():
                return self._talk_of_a_day()
            case AsksLastTime(topic):
                return self._last_time(topic)
            case AsksMemory():
                return self._remembered_answer() or self._nothing_known()
            case never:
                assert_never(never)

    def _plain_answer(
        self, intent: AsksToForget | AsksReminder | AsksWhoSheIs | AsksWorld | SaysHello
    ) -> str:
        match intent:
            case AsksReminder():
                sentence = self.sayings.remind_how
            case AsksToForget():
                sentence = self.sayings.forget
            case AsksWhoSheIs():
                sentence = self.sayings.about
            case AsksWorld(plainly):
                known = "" if plainly else self._remembered_answer(ENOUGH_OF_WORLD)
                if known:
                    return known
                stated = statements_in(self.told, self.prompt.partner, self.prompt.now)
                heard = f"{self._acknowledgement(stated[0])}{self._space}" if stated else ""
                return heard + self.sayings.cannot
            case SaysHello():
                return self._hello()
            case never:
                assert_never(never)
        return self._with_partner_name(sentence)

    def _recent_talk(self) -> str:
        recent = [line for line in self.before if self.prompt.now - line.at <= _LONG_AGO]
        if recent:
            head = self.sayings.just_now.format(
                when=self.phrasing.time_range(recent[0].at, recent[-1].at),
                topics=self.phrasing.topic_list(recent),
            )
            return head + self.phrasing.last_quotes(recent)
        return self._earlier_talk(self.before) if self.before else self.sayings.nothing_yet

    def _earlier_talk(self, lines: Sequence[PromptLine]) -> str:
        last = lines[-1].at
        day = [line for line in lines if line.at.date() == last.date()]
        return self.sayings.earlier.format(
            when=self.phrasing.day_name(last),
            clock=self.phrasing.clock_time(last),
            topics=self.phrasing.topic_list(day),
        ) + self.phrasing.last_quotes(day)

    def _talk_of_a_day(self) -> str:
        spans = date_spans(self.asked, self.prompt.now, self.phrasing.zone)
        if not spans:
            earlier = [x for x in self.before if x.at.date() < self.prompt.now.date()]
            if earlier and _LAST_TALK.search(self.asked):
                return self._earlier_talk(earlier)
            return self._remembered_answer() or self._nothing_known()
        span = spans[0]
        if span.start > self.prompt.now:
            return self._remembered_answer() or self._nothing_known()
        lines = [line for line in self.before if span.start <= line.at < span.end]
        held = [
            m
            for m in self.prompt.memories
            if span.start <= m.when < span.end and m.text not in {line.text for line in lines}
        ]
        if not lines and not held:
            return self.sayings.nothing_then.format(when=self.phrasing.span_name(span))
        told = ""
        if lines:
            topics = self.phrasing.topic_list(lines)
            told = self.sayings.that_day.format(when=self.phrasing.span_name(span), topics=topics)
            told += self.phrasing.last_quotes(lines)
        more = self.phrasing.told_memories(held, gist=True) if held else ""
        told = f"{told}{self._space if told else ''}{more}"
        return told[:1].upper() + told[1:]

    def _last_time(self, topic: Sequence[str]) -> str:
        named = self.sayings.between.join(topic) or self.sayings.anything
        spoken = [line for line in self.before if _mentions_topic(line.text, topic)]
        lines = [line for line in spoken if not is_question(line.text)] or spoken
        held = [m for m in self.prompt.memories if _mentions_topic(f"{m.text} {m.quote}", topic)]
        latest = max(held, key=lambda memory: memory.when, default=None)
        if lines and (latest is None or lines[-1].at >= latest.when):
            at, what = lines[-1].at, self.phrasing.in_quotes(lines[-1].text)
        elif latest is not None:
            at, what = latest.when, self.phrasing.told_memory(latest)
        else:
            return self.sayings.never.format(topic=named)
        return self.sayings.last_time.format(
            topic=named,
            when=self.phrasing.day_name(at),
            clock=self.phrasing.clock_time(at),
            what=what,
        )

    def _remembered_answer(self, least: float = ENOUGH) -> str:
        """Return what answers the question, the right thing first; empty if nothing does."""
        facts = fitting_facts(self.prompt, self.asked) or facts_of_days(self.prompt, self.question)
        if facts:
            return self.phrasing.told_memories(facts)
        found = self._best()
        shared = shared_facts(self.prompt, self.question)
        if shared and (found is None or shared[1] >= max(found.share, ENOUGH)):
            return self.phrasing.told_memories(shared[0])
        if found is None or found.share < least:
            return ""
        return told_answer(self.phrasing, found)

    def _best(self) -> Answer | None:
        told = [line for line in self.before if not self._is_old_answer(line)]
        memories = [
            memory._replace(said=tuple(x for x in memory.said if not self._is_old_answer(x)))
            for memory in self.prompt.memories
        ]
        return best_answer(self.question, told, memories)

    def _is_old_answer(self, line: PromptLine) -> bool:
        """Whether a line is one of her answers from memory, or asks: neither is news."""
        return (line.role == "assistant" and is_no_news(line.text)) or (
            line.role == "user" and only_asks(line.text)
        )

    def _nothing_known(self) -> str:
        """Return that nothing is remembered, with the nearest thing offered as such."""
        faded = [m for m in self.prompt.memories if m.text.startswith(FADED)]
        if faded:
            return self.phrasing.told_memories(faded[:1])
        span = next(iter(self.question.spans), None)
        if span is not None and span.start <= self.prompt.now and not self._best():
            return self.sayings.nothing_then.format(when=self.phrasing.span_name(span))
        near = self._best()
        if near is None or near.share < _NEAR:
            return self._with_partner_name(self.sayings.nothing_known)
        offered = self.sayings.nearest.format(what=quoted_with_day(self.phrasing, near.best))
        return f"{self.sayings.not_known}{self._space}{offered}"


_NEAR: Final = 0.2
"""The share of a question that the nearest thing must account for to be worth offering."""

_AFTER_FACTS: Final = frozenset({LISTENING, "plan", "meal", "home", "weather"})
"""The occasions at which a plain fact is taken up rather than the mood."""

_NO_REMINDER: Final = BAD_NEWS | {"joke", "goodnight", "goodbye", "thanks", "apology", "teasing"}

_LAST_TALK: Final = re.compile("上次|上回|上一次|last time", re.IGNORECASE)


def _is_private(statement: Statement) -> bool:
    return statement.sensitivity > Sensitivity.PUBLIC


def _mentions_topic(text: str, topic: Sequence[str]) -> bool:
    return not topic or any(word.lower() in text.lower() for word in topic)
