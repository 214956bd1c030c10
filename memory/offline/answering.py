"""Answering without a model: from the window and the memories shown, with dates, or not at all."""

import re
from collections.abc import Sequence
from datetime import timedelta
from itertools import takewhile
from typing import Final, assert_never

from memory.model import Sensitivity
from memory.offline.choosing import alike, answers, relevant
from memory.offline.learning import statements
from memory.offline.questions import (
    Greets,
    Intent,
    JustNow,
    Leaves,
    OfMemory,
    OfTheWorld,
    Talked,
    Tells,
    Thanks,
    ToForget,
    ToRemember,
    WhenLast,
    WhoAreYou,
    intent_of,
)
from memory.offline.retelling import Retelling
from memory.offline.sayings import EN, ZH, Sayings
from memory.offline.statements import Statement
from memory.offline.vocabulary import asks
from memory.text.dates import date_spans
from prompts import PromptLine, Reply

_HOURS: Final = (5, 12, 18, 23)
_LONG_AGO: Final = timedelta(hours=6)
"""What is longer past was not "just now"."""


def answered(prompt: Reply) -> str:
    """Return an answer to the new lines at the end of the window.

    The first answer of a conversation says, once, that it is the offline mode.
    """
    new = list(takewhile(lambda line: line.role == "user", reversed(prompt.window)))[::-1]
    asked = "\n".join(line.text for line in new)
    answer = _Answering(prompt, asked, prompt.window[: len(prompt.window) - len(new)])
    intent = intent_of(asked)
    text = answer.to(intent).strip()
    begun = any(line.role == "assistant" for line in prompt.window)
    return text if begun or intent == WhoAreYou() else f"{text}\n{answer.say.notice}"


class _Answering:
    """One answer in the making: the prompt, the question and what was said before it."""

    def __init__(self, prompt: Reply, asked: str, before: Sequence[PromptLine]) -> None:
        self.prompt = prompt
        self.asked = asked
        self.before = before
        self.say = _sayings(asked, prompt.language)
        self.retell = Retelling(prompt, self.say)

    def to(self, intent: Intent) -> str:
        match intent:
            case JustNow() | Talked() | WhenLast() | OfMemory():
                return self._looked_up(intent)
            case Tells(mood):
                return self._tells(mood)
            case (
                ToRemember()
                | ToForget()
                | WhoAreYou()
                | OfTheWorld()
                | Greets()
                | Thanks()
                | Leaves()
            ):
                return self._said(intent)
            case never:
                assert_never(never)

    def _looked_up(self, intent: JustNow | Talked | WhenLast | OfMemory) -> str:
        match intent:
            case JustNow():
                return self._just_now()
            case Talked():
                return self._talked()
            case WhenLast(topic):
                return self._when_last(topic)
            case OfMemory():
                return self._of_memory() or self._filled(self.say.nothing_known)
            case never:
                assert_never(never)

    def _said(
        self, intent: ToRemember | ToForget | WhoAreYou | OfTheWorld | Greets | Thanks | Leaves
    ) -> str:
        match intent:
            case ToRemember(body):
                noted = self._filled(self.say.will_note)
                return noted.replace("{body}", body.rstrip("。.!！"))
            case ToForget():
                sentence = self.say.forget
            case WhoAreYou():
                sentence = self.say.about
            case OfTheWorld():
                told = statements(self.asked, self.prompt.partner, self.prompt.now)
                return (self._heard(told[0]) if told else "") + self.say.cannot
            case Greets():
                sentence = self._time_of_day() + self.say.greeting
            case Thanks():
                sentence = self.say.thanks
            case Leaves():
                sentence = self.say.farewell
            case never:
                assert_never(never)
        return self._filled(sentence)

    def _time_of_day(self) -> str:
        morning, noon, evening, night = _HOURS
        hour = self.prompt.now.hour
        if morning <= hour < noon:
            return self.say.morning
        if noon <= hour < evening:
            return self.say.afternoon
        return self.say.evening if evening <= hour < night else self.say.night

    def _just_now(self) -> str:
        recent = [line for line in self.before if self.prompt.now - line.at <= _LONG_AGO]
        if recent:
            head = self.say.just_now.format(
                when=self.retell.between(recent[0].at, recent[-1].at),
                topics=self.retell.topics(recent),
            )
            return head + self.retell.quotes(recent)
        if self.before:
            last = self.before[-1].at
            return self.say.earlier.format(
                when=self.retell.day(last),
                clock=self.retell.clock(last),
                topics=self.retell.topics([x for x in self.before if x.at.date() == last.date()]),
            )
        return self.say.nothing_yet

    def _talked(self) -> str:
        spans = date_spans(self.asked, self.prompt.now, self.retell.zone)
        if not spans:
            return self._of_memory() or self._just_now()
        span = spans[0]
        lines = [line for line in self.before if span.start <= line.at < span.end]
        held = [m for m in self.prompt.memories if span.start <= m.when < span.end]
        if not lines and not held:
            return self.say.nothing_then.format(when=self.retell.span(span))
        told = ""
        if lines:
            topics = self.retell.topics(lines)
            told = self.say.that_day.format(when=self.retell.span(span), topics=topics)
            told += self.retell.quotes(lines)
        return told + (self.retell.known(held, gist=True) if held else "")

    def _when_last(self, topic: Sequence[str]) -> str:
        named = self.say.between.join(topic) or self.say.anything
        spoken = [line for line in self.before if _speaks_of(line.text, topic)]
        lines = [line for line in spoken if not asks(line.text)] or spoken
        held = [m for m in self.prompt.memories if _speaks_of(f"{m.text} {m.quote}", topic)]
        latest = max(held, key=lambda memory: memory.when, default=None)
        if lines and (latest is None or lines[-1].at >= latest.when):
            at, what = lines[-1].at, self.retell.quoted(lines[-1].text)
        elif latest is not None:
            at, what = latest.when, self.retell.plainly(latest)
        else:
            return self.say.never.format(topic=named)
        return self.say.last_time.format(
            topic=named, when=self.retell.day(at), clock=self.retell.clock(at), what=what
        )

    def _of_memory(self) -> str:
        found = relevant(self.prompt, self.asked)
        if found:
            return self.retell.known(found)
        own = [x for x in self.before if x.role == "user" and not asks(x.text)]
        said = [x for x in own if answers(x.text, self.asked)]
        if not said:
            return ""
        what = self.retell.quoted(said[-1].text)
        when = self.retell.day(said[-1].at)
        return self.say.known.format(what=self.say.dated.format(what=what, when=when))

    def _tells(self, mood: str) -> str:
        told = statements(self.asked, self.prompt.partner, self.prompt.now)
        pool = {"sad": self.say.comfort, "glad": self.say.joy}.get(mood, self.say.listening)
        if told and (not mood or told[0].sensitivity > Sensitivity.PUBLIC):
            answer = self._heard(told[0])
        else:
            answer = self._filled(pool[sum(map(ord, self.asked)) % len(pool)])
        return (answer + self._reminded()).strip()

    def _heard(self, told: Statement) -> str:
        """Say that a statement was heard; private things are not repeated aloud."""
        if told.slot in {"name", "nickname"}:
            return self.say.pleased.format(value=told.value)
        if told.sensitivity > Sensitivity.PUBLIC:
            return self._filled(self.say.gently)
        return self.say.heard.format(fact=self.retell.addressed(told.text))

    def _reminded(self) -> str:
        """Return what it brings back from another day, if that clearly has to do with it."""
        for memory in alike(self.prompt, self.asked):
            if memory.when.date() != self.prompt.now.date() and not memory.past:
                when, what = self.retell.day(memory.when), self.retell.plainly(memory)
                return " " * (self.say is EN) + self.say.reminded.format(when=when, what=what)
        return ""

    def _filled(self, sentence: str) -> str:
        """Put the partner's name in; not ``format``, for what was said may hold braces."""
        return sentence.replace("{partner}", self.prompt.partner)


def _sayings(asked: str, language: str) -> Sayings:
    """Return the sentences in the language of the question, or of the agent if it shows none."""
    if re.search("[一-鿿]", asked):
        return ZH
    if re.search("[A-Za-z]{2}", asked):
        return EN
    return ZH if language.startswith("zh") else EN


def _speaks_of(text: str, topic: Sequence[str]) -> bool:
    return not topic or any(word.lower() in text.lower() for word in topic)
