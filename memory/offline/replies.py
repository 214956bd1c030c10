"""Replies without a model: from the window and the memories shown, with dates, or not at all.

A rule cannot know the world, so it answers only what its own words prove and says so otherwise.
"""

import re
from collections.abc import Sequence
from datetime import timedelta
from itertools import takewhile
from typing import Final, assert_never

from memory.model import Sensitivity
from memory.offline.phrasing import Phrasing, may_answer, related_memories, relevant_memories
from memory.offline.statements import Statement
from memory.offline.utterances import (
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
    SaysGoodbye,
    SaysHello,
    SaysThanks,
    TellsSomething,
    intent_of,
    statements_in,
)
from memory.offline.vocabulary import EN, ZH, Sayings, is_question
from memory.text.announcing import announces
from memory.text.dates import date_spans
from memory.text.passed_on import own_text
from memory.text.slot_cues import Slot
from prompts import PromptLine, Reply

_HOURS: Final = (5, 12, 18, 23)
"""The hours at which morning, afternoon, evening and night begin."""

_LONG_AGO: Final = timedelta(hours=6)
"""What is longer ago was not "just now"."""


def reply_to(prompt: Reply) -> str:
    """Return a reply to the new lines at the end of the window.

    The first reply of a conversation adds that this is the offline mode.
    """
    # Several lines may have come before this reply; together they are what is answered.
    new = list(takewhile(lambda line: line.role == "user", reversed(prompt.window)))[::-1]
    asked = "\n".join(line.text for line in new)
    answer = _ReplyBuilder(prompt, asked, prompt.window[: len(prompt.window) - len(new)])
    # What is shown to be worked on asks for more than rules can do.
    is_task = bool(answer.shown) and (not answer.told or announces(answer.told))
    intent = AsksWorld() if is_task else intent_of(asked)
    text = answer.answer_to(intent).strip()
    begun = any(line.role == "assistant" for line in prompt.window)
    return text if begun or intent == AsksWhoSheIs() else f"{text}\n{answer.sayings.notice}"


class _ReplyBuilder:
    """One reply in the making: the prompt, the question and what was said before it."""

    def __init__(self, prompt: Reply, asked: str, before: Sequence[PromptLine]) -> None:
        self.prompt = prompt
        self.asked = asked
        earlier = [line.text for line in reversed(before) if line.role == "user"]
        self.told, self.shown = own_text(asked, earlier[:2])
        self.before = before
        self.sayings = _sayings_for(asked, prompt.language)
        self.phrasing = Phrasing(prompt, self.sayings)

    def answer_to(self, intent: Intent) -> str:
        """Return the reply to what the new lines want."""
        match intent:
            case AsksRecentTalk() | AsksPastTalk() | AsksLastTime() | AsksMemory():
                return self._answer_from_memory(intent)
            case TellsSomething(mood):
                return self._reaction(mood)
            case AsksToRemember(body):
                noted = self._with_partner_name(self.sayings.will_note)
                return noted.replace("{body}", body.rstrip("。.!！"))
            case (
                AsksToForget()
                | AsksReminder()
                | AsksWhoSheIs()
                | AsksWorld()
                | SaysHello()
                | SaysThanks()
                | SaysGoodbye()
            ):
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
                return self._remembered_answer() or self._with_partner_name(
                    self.sayings.nothing_known
                )
            case never:
                assert_never(never)

    def _plain_answer(
        self,
        intent: AsksToForget
        | AsksReminder
        | AsksWhoSheIs
        | AsksWorld
        | SaysHello
        | SaysThanks
        | SaysGoodbye,
    ) -> str:
        match intent:
            case AsksReminder():
                sentence = self.sayings.remind_how
            case AsksToForget():
                sentence = self.sayings.forget
            case AsksWhoSheIs():
                sentence = self.sayings.about
            case AsksWorld():
                stated = statements_in(self.told, self.prompt.partner, self.prompt.now)
                heard = self._acknowledgement(stated[0]) if stated else ""
                return heard + self.sayings.cannot
            case SaysHello():
                sentence = self._greeting_by_hour() + self.sayings.greeting
            case SaysThanks():
                sentence = self.sayings.thanks
            case SaysGoodbye():
                sentence = self.sayings.farewell
            case never:
                assert_never(never)
        return self._with_partner_name(sentence)

    def _greeting_by_hour(self) -> str:
        morning, noon, evening, night = _HOURS
        hour = self.prompt.now.hour
        if morning <= hour < noon:
            return self.sayings.morning
        if noon <= hour < evening:
            return self.sayings.afternoon
        return self.sayings.evening if evening <= hour < night else self.sayings.night

    def _recent_talk(self) -> str:
        recent = [line for line in self.before if self.prompt.now - line.at <= _LONG_AGO]
        if recent:
            head = self.sayings.just_now.format(
                when=self.phrasing.time_range(recent[0].at, recent[-1].at),
                topics=self.phrasing.topic_list(recent),
            )
            return head + self.phrasing.last_quotes(recent)
        if self.before:
            last = self.before[-1].at
            return self.sayings.earlier.format(
                when=self.phrasing.day_name(last),
                clock=self.phrasing.clock_time(last),
                topics=self.phrasing.topic_list(
                    [x for x in self.before if x.at.date() == last.date()]
                ),
            )
        return self.sayings.nothing_yet

    def _talk_of_a_day(self) -> str:
        spans = date_spans(self.asked, self.prompt.now, self.phrasing.zone)
        if not spans:
            return self._remembered_answer() or self._recent_talk()
        span = spans[0]
        lines = [line for line in self.before if span.start <= line.at < span.end]
        held = [m for m in self.prompt.memories if span.start <= m.when < span.end]
        if not lines and not held:
            return self.sayings.nothing_then.format(when=self.phrasing.span_name(span))
        told = ""
        if lines:
            topics = self.phrasing.topic_list(lines)
            told = self.sayings.that_day.format(when=self.phrasing.span_name(span), topics=topics)
            told += self.phrasing.last_quotes(lines)
        return told + (self.phrasing.told_memories(held, gist=True) if held else "")

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

    def _remembered_answer(self) -> str:
        found = relevant_memories(self.prompt, self.asked)
        if found:
            return self.phrasing.told_memories(found)
        own = [x for x in self.before if x.role == "user" and not is_question(x.text)]
        said = [x for x in own if may_answer(x.text, self.asked)]
        if not said:
            return ""
        what = self.phrasing.in_quotes(said[-1].text)
        when = self.phrasing.day_name(said[-1].at)
        return self.sayings.known.format(what=self.sayings.dated.format(what=what, when=when))

    def _reaction(self, mood: str) -> str:
        stated = statements_in(self.told, self.prompt.partner, self.prompt.now)
        pool = {"sad": self.sayings.comfort, "glad": self.sayings.joy}.get(
            mood, self.sayings.listening
        )
        # A feeling is answered before a fact, unless the fact is a private one: then gently.
        if stated and (not mood or stated[0].sensitivity > Sensitivity.PUBLIC):
            answer = self._acknowledgement(stated[0])
        else:
            # Varied by the words, not by chance: the model must be deterministic.
            answer = self._with_partner_name(pool[sum(map(ord, self.asked)) % len(pool)])
        return (answer + self._reminder()).strip()

    def _acknowledgement(self, statement: Statement) -> str:
        """Return that a statement was heard, without repeating anything private."""
        if statement.slot in {Slot.NAME, Slot.NICKNAME}:
            return self.sayings.pleased.format(value=statement.value)
        if statement.sensitivity > Sensitivity.PUBLIC:
            return self._with_partner_name(self.sayings.gently)
        return self.sayings.heard.format(fact=self.phrasing.in_second_person(statement.text))

    def _reminder(self) -> str:
        """Return a reminder of a related memory of another day, or nothing."""
        for memory in related_memories(self.prompt, self.asked):
            if memory.when.date() != self.prompt.now.date() and not memory.past:
                when, what = self.phrasing.day_name(memory.when), self.phrasing.told_memory(memory)
                return " " * (self.sayings is EN) + self.sayings.reminded.format(
                    when=when, what=what
                )
        return ""

    def _with_partner_name(self, sentence: str) -> str:
        """Return the sentence with the partner's name in it."""
        # Not str.format: what was said may hold braces.
        return sentence.replace("{partner}", self.prompt.partner)


def _sayings_for(asked: str, language: str) -> Sayings:
    """Return the sentences in the language of the question, or of the agent if it shows none."""
    if re.search("[一-鿿]", asked):
        return ZH
    if re.search("[A-Za-z]{2}", asked):
        return EN
    return ZH if language.startswith("zh") else EN


def _mentions_topic(text: str, topic: Sequence[str]) -> bool:
    return not topic or any(word.lower() in text.lower() for word in topic)
