"""Replies without a model: from the window and the memories shown, with dates, or not at all.

A rule cannot know the world, so it answers only what its own words prove and says so otherwise.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final, assert_never

from memory.offline.answers import ENOUGH, ENOUGH_OF_WORLD, ENOUGH_SHARED, Answer, best_answer
from memory.offline.groups import as_asked_in_group, without_bare_names, without_blotted
from memory.offline.harms import asks_what_harms
from memory.offline.intents import (
    AsksAdvice,
    AsksLastTime,
    AsksMemory,
    AsksPastTalk,
    AsksRecentTalk,
    AsksReminder,
    AsksToRemember,
    AsksWhoSheIs,
    AsksWorld,
    Intent,
    SaysHello,
    TellsSomething,
    asks_own_name,
    intent_of,
)
from memory.offline.known_facts import (
    MOST_MEMORIES_TOLD,
    MOST_OF_ALL,
    all_facts,
    fitting_facts,
    shared_facts,
)
from memory.offline.lines_at_hand import (
    FADED,
    Told,
    is_old_answer,
    names_asked_about,
    said_by_partner,
    tells_nothing,
    without_slips,
)
from memory.offline.lines_meant import (
    asked_last,
    asked_to_be_called,
    asks_name_never_told,
    earlier_talk,
    facts_of_days,
    hers_of_day,
    is_known_of,
    is_near_enough,
    is_to_go,
    is_trace,
    last_time,
    noted_as_shown,
    only_names,
    recent_talk,
    says_all,
    told_on,
    what_came,
    who_or_how,
)
from memory.offline.phrasing import no_more_than_told, quoted_with_day
from memory.offline.questions import asks_what_she_said
from memory.offline.sideways import nearest_fact, nearest_line, told_sideways
from memory.offline.since import ToldWithNews, days_told
from memory.offline.small_talk import SmallTalk, asked_to_keep
from memory.offline.statements import Statement
from memory.offline.understood import said_of_keeping
from memory.offline.utterances import requested_lines, statements_in
from memory.offline.vocabulary import EN
from memory.offline.warmth import BAD_NEWS, LISTENING, occasion_of
from memory.recall.need import (
    lines_answered,
    points_at,
    sent_before,
    spoken,
    spoken_memories,
    without_mentions,
)
from memory.recall.query_terms import ASKS_PLANS
from memory.recall.said_around import SAID_FIRST
from memory.text.announcing import announces
from memory.text.dates import date_spans
from memory.text.passed_on import sent_in, without_sent
from memory.text.slot_cues import Slot
from memory.text.tokens import as_mandarin
from prompts import PromptMemory, Reply

_SHORTEST_PASTED: Final = 30
"""In characters: a shorter line after "what does that mean" is talk that goes on."""

_LONGEST_LINE: Final = 80
"""In characters: a shorter line that only quotes (the little one said "Nana") is told."""


def reply_to(prompt: Reply) -> str:
    """Return a reply to the new lines at the end of the window.

    The first reply of a conversation adds that this is the offline mode; not where the rules only
    stand in for a model that was asked before.
    """
    began = next((each for each in prompt.memories if each.reason == SAID_FIRST), None)
    # What she once answered from memory is no news, nor is what was asked to be let go: it names
    # the matter. How it all began is told if asked for.
    whole = prompt
    prompt = replace(
        prompt,
        window=without_mentions(prompt.window),
        memories=tuple(
            each._replace(said=tuple(x for x in each.said if not is_to_go(x.text)))
            for each in spoken_memories([x for x in prompt.memories if x is not began])
            if each.tier != "diary" or not (tells_nothing(each.text) or is_to_go(each.text))
        ),
    )
    # Several lines may have come before this reply; together they are what is answered.
    new = asked_last(lines_answered(prompt.window, prompt.new))
    said = "\n".join(line.text for line in new)
    asked = without_sent(said)
    prompt = as_asked_in_group(without_blotted(prompt, len(new)), asked)
    before = spoken(prompt.window[: len(prompt.window) - len(new)])
    before = tuple(x for x in before if x.role != "user" or occasion_of(x.text) != "forget")
    prompt, before = without_bare_names(prompt, before, asked)
    answer = _ReplyBuilder(prompt, asked, before)
    # What is shown to be worked on asks for more than rules can do.
    pasted = len(answer.shown) > _SHORTEST_PASTED
    is_task = pasted and (answer.shown_alone() if not answer.told else announces(answer.told))
    intent = AsksWorld() if is_task else intent_of(as_mandarin(asked))
    if prompt.paused and isinstance(intent, AsksToRemember):
        intent = TellsSomething(LISTENING)
    if answer.wants_another():
        intent = TellsSomething("joke")
    kept = _of_what_was_sent(answer, said, whole) or _how_it_began(answer, intent, began)
    text = (kept or _of_what_she_keeps(answer, intent) or answer.answer_to(intent)).strip()
    begun = prompt.again or any(line.role == "assistant" for line in prompt.window)
    return text if begun or intent == AsksWhoSheIs() else f"{text}\n{answer.sayings.notice}"


class _ReplyBuilder(SmallTalk):
    """One reply in the making: the prompt, the question and what was said before it."""

    def shown_alone(self) -> bool:
        """Whether what is shown, and nothing said with it, is a text to be worked on."""
        if len(self.shown) > _LONGEST_LINE or "\n" in self.shown.strip():
            return True
        lately = next((line.text for line in reversed(self.before) if line.role == "user"), "")
        return announces(lately)

    def answer_to(self, intent: Intent) -> str:
        """Return the reply to what the new lines want."""
        match intent:
            case AsksRecentTalk() | AsksPastTalk() | AsksLastTime() | AsksMemory():
                return self._answer_from_memory(intent)
            case TellsSomething(occasion):
                noted = noted_as_shown(self.prompt, self.asked, self.before, self.sayings)
                asked = asked_to_keep(self.before)
                kept = said_of_keeping(self.asked, occasion, self.sayings) if asked else ""
                tells = any(each.slot is not Slot.PLAN for each in self._states())
                known = "" if noted or occasion in BAD_NEWS or tells else self._sideways()
                return noted or kept or known or self.reaction(occasion)
            case AsksAdvice():
                known = self._sideways()
                return f"{known}{self.space if known else ''}{self.opening('advice')}"
            case AsksToRemember(body):
                return _will_note(self, body)
            case AsksReminder() | AsksWhoSheIs() | AsksWorld() | SaysHello():
                return self._plain_answer(intent)
            case never:
                assert_never(never)

    def _answer_from_memory(
        self, intent: AsksRecentTalk | AsksPastTalk | AsksLastTime | AsksMemory
    ) -> str:
        match intent:
            case AsksRecentTalk():
                return recent_talk(self.phrasing, self.before, self.prompt.now)
            case AsksPastTalk():
                return self._talk_of_a_day()
            case AsksLastTime(topic):
                return last_time(self.phrasing, topic, self.before, self.prompt)
            case AsksMemory(surely):
                if not surely and self._states():
                    return self.reaction(LISTENING)
                known = self._asked_after() or self._remembered_answer()
                return known or (self._nothing_known() if surely else self.reaction(LISTENING))
            case never:
                assert_never(never)

    def _plain_answer(self, intent: AsksReminder | AsksWhoSheIs | AsksWorld | SaysHello) -> str:
        match intent:
            case AsksReminder():
                sentence = self.sayings.remind_how
            case AsksWhoSheIs():
                sentence = self.sayings.about
            case AsksWorld(plainly, surely):
                if not surely and self._states():
                    return self.reaction(LISTENING)
                known = "" if plainly else self._personal_answer()
                known = known or ("" if self._states() else self._sideways())
                if known or (known := self._with_news.of_like_matter(surely=True)):
                    return known
                stated = self._states()
                if not (surely or stated):
                    return self.reaction(LISTENING)
                heard = f"{self.acknowledgement(stated[0])}{self.space}" if stated else ""
                return heard + self.opening("cannot")
            case SaysHello():
                return self.hello()
            case never:
                assert_never(never)
        return self.with_partner_name(sentence)

    def _states(self) -> Sequence[Statement]:
        return statements_in(self.told, self.prompt.partner, self.prompt.now)

    def _personal_answer(self) -> str:
        """Return the answer, or that there is none, where somebody is named whom memory knows."""
        named = names_asked_about(self.prompt, self.asked, self.before) or is_known_of(
            self.question, said_by_partner(self.prompt, self.before)
        )
        # Who asks in a group mostly asks of what was said there.
        near = named or self.question.others
        least = ENOUGH if near else ENOUGH_OF_WORLD
        known = self._asked_after() or self._remembered_answer(least)
        return known or (self._nothing_known() if near else "")

    def _asked_after(self) -> str:
        """Return what harms or names the partner, or who or how somebody is whom they told of."""
        if asks_what_harms(self.question.text):
            return self._with_news.of_harm(fitting_facts(self.prompt, self.question))
        if asks_name_never_told(self.prompt, self.question, self.before):
            return self.opening("no_name")
        if self.prompt.name and asks_own_name(self.asked) and asked_to_be_called(self.prompt):
            return self.sayings.asked_name.format(name=self.prompt.name)
        found, lost = who_or_how(self.prompt, self.asked, self.before)
        comfort = f"{self.space}{self.opening('staying')}" if lost else ""
        return f"{self._whole(found)}{comfort}" if found else ""

    def _whole(self, told: Told) -> str:
        return self._with_news.line(Answer(told, trust=1.0, share=1.0, holds=True))

    def _talk_of_a_day(self) -> str:
        spans = date_spans(self.asked, self.prompt.now, self.phrasing.zone)
        if not spans:
            earlier = [x for x in self.before if x.at.date() < self.prompt.now.date()]
            if earlier and _LAST_TALK.search(self.asked):
                return earlier_talk(self.phrasing, earlier)
            return self._remembered_answer() or self._nothing_known()
        span = spans[0]
        if span.start > self.prompt.now:
            return self._remembered_answer() or self._nothing_known()
        lines = [line for line in self.before if span.start <= line.at < span.end]
        if asks_what_she_said(self.asked):
            said = (*lines, *(x for m in self.prompt.memories for x in m.said))
            told = hers_of_day(self.phrasing, said, span)
            return told or self.sayings.nothing_then.format(when=self.phrasing.span_name(span))
        known = {line.text for line in lines}
        held = [m for m in self.prompt.memories if span.start <= m.when < span.end]
        held = [m for m in held if m.text not in known and not m.is_hers]
        if not lines and not held:
            return self.sayings.nothing_then.format(when=self.phrasing.span_name(span))
        told = told_on(self.phrasing, self.phrasing.span_name(span), lines) if lines else ""
        if held:
            more = self.phrasing.told_memories(held[:MOST_MEMORIES_TOLD], gist=True)
            told += f"{self.space if told else ''}{more}"
        return told[:1].upper() + told[1:]

    def _remembered_answer(self, least: float = ENOUGH) -> str:
        """Return what answers the question, the right thing first; empty if nothing does."""
        prompt, question = self.prompt, self.question
        of_days = facts_of_days(prompt, question)
        asks_plans = ASKS_PLANS.search(question.text) is not None
        plans = days_told(of_days, self._with_news, question, self.phrasing) if asks_plans else ""
        facts = all_facts(prompt, question) or fitting_facts(prompt, question) or of_days
        if plans or facts:
            return plans or self._with_news.facts(facts) + self._had_let_go(facts[0])
        found = self._best
        shared = shared_facts(self.prompt, self.question)
        kinds = self.question.kinds
        lacks = shared and kinds and not kinds[0].holds.search(shared[0][0].text)
        if shared and (lacks or only_names(self.question, shared[0][0].text)):
            # 婴儿车花了多少钱 is not answered by 你买了个婴儿车.
            shared = None
        if shared and (found is None or shared[1] >= max(found.trust, ENOUGH_SHARED)):
            return self._with_news.facts(shared[0]) + self._had_let_go(shared[0][0])
        if found is None or (found.trust < _SURE and not says_all(self.question, found.best)):
            told = self._with_news.lines_told()
            whole = next((x for x in told if says_all(self.question, x)), None)
            if whole is not None:
                return self._whole(whole)
        if found is None or (found.trust < least and not says_all(self.question, found.best)):
            return no_more_than_told(self._with_news.of_matter(), self.phrasing)
        let_go = [m for m in self.prompt.memories if m.let_go and found.best.text in m.text][:1]
        return self._with_news.line(found) + "".join(map(self._had_let_go, let_go))

    @property
    def _with_news(self) -> ToldWithNews:
        return ToldWithNews(self.phrasing, self.question, self.prompt, self.before)

    def _had_let_go(self, memory: PromptMemory) -> str:
        """Return that what was told had been let go, and whether to keep it; else nothing."""
        asks = memory.let_go and not self.prompt.paused
        return f"{self.space}{self.sayings.let_go}" if asks else ""

    @cached_property
    def _best(self) -> Answer | None:
        """What answers the question best, asked up to three times of one reply."""
        told = [x for x in self.before if not is_old_answer(x) and not is_to_go(x.text)]
        told = without_slips(told, self.phrasing.zone)
        memories = [
            memory._replace(said=tuple(x for x in memory.said if not is_old_answer(x)))
            for memory in self.prompt.memories
        ]
        return best_answer(self.question, told, memories)

    def _sideways(self) -> str:
        return told_sideways(self.question, self.prompt, self.before, self.phrasing)

    def _nothing_known(self) -> str:
        """Return that nothing is remembered, with the nearest thing offered as such."""
        near = self._best if is_near_enough(self._best, self.question) else None
        if near is None and (known := self._sideways()):
            return known
        if near is None and (trace := next(filter(is_trace, self.prompt.memories), None)):
            return self.phrasing.told_memories([trace])
        span = next(iter(self.question.spans), None)
        asks_plans = ASKS_PLANS.search(self.asked)
        if span and span.start <= self.prompt.now and not (self._best or asks_plans):
            return self.sayings.nothing_then.format(when=self.phrasing.span_name(span))
        if near is not None:
            return nearest_line(near, self._with_news, self.phrasing)
        return nearest_fact(self.prompt, self.question, self._with_news, self.phrasing) or (
            self._with_news.of_like_matter() or self.opening("unknown")
        )


def _will_note(reply: _ReplyBuilder, body: str) -> str:
    """Return that it is noted; of several lines what each asks for, for that is what is kept."""
    lines = requested_lines(as_mandarin(reply.asked))
    told = [reply.phrasing.in_second_person(x.rstrip("。.!！")) for x in lines or [body]]
    whole = ("; " if reply.sayings is EN else "；").join(told)
    return reply.with_partner_name(reply.sayings.will_note).replace("{body}", whole)


def _how_it_began(reply: _ReplyBuilder, intent: Intent, first: PromptMemory | None) -> str:
    """Return when the two first talked, and of what, where that is asked; else ""."""
    if intent != TellsSomething("first_talk"):
        return ""
    if first is None:
        return reply.opening("unknown") if reply.before else ""
    return reply.sayings.first_talk.format(
        when=reply.phrasing.day_name(first.when),
        clock=reply.phrasing.clock_time(first.when),
        what=reply.phrasing.in_quotes(first.text),
    )


def _of_what_was_sent(reply: _ReplyBuilder, said: str, prompt: Reply) -> str:
    """Return that what came without words cannot be opened, or what came, if that is asked."""
    kinds = {*sent_in(said).values()}
    if not kinds:
        told = sent_before(prompt, reply.asked)
        return reply.space.join(what_came(reply.phrasing, *each) for each in told)
    cannot = reply.opening(f"sent_{kinds.pop()}" if len(kinds) == 1 else "sent_several")
    intent = intent_of(as_mandarin(reply.asked))
    if isinstance(intent, AsksWorld | AsksAdvice | SaysHello) or points_at(reply.asked):
        return cannot
    if isinstance(intent, TellsSomething) and intent.occasion not in BAD_NEWS:
        stated = statements_in(reply.told, prompt.partner, prompt.now)
        return f"{cannot}{reply.space}{reply.acknowledgement(stated[0]) if stated else ''}".strip()
    return f"{cannot}{reply.space}{reply.answer_to(intent)}"


def _of_what_she_keeps(reply: _ReplyBuilder, intent: Intent) -> str:
    """Return a look at what is kept, or what she said last, where that is asked for; else ""."""
    # Asked twice what she said, she does not say that she said so.
    hers = [x for x in reply.before if x.role == "assistant" and not _SAYS_AGAIN.match(x.text)]
    if intent == TellsSomething("her_words") and hers:
        said = quoted_with_day(reply.phrasing, Told(hers[-1].text, "assistant", hers[-1].at))
        return f"{said[:1].upper()}{said[1:]}{'' if reply.sayings is EN else '。'}"
    kept = [m for m in reply.prompt.memories if m.tier not in {"episode", "diary"}]
    known = [m for m in kept if not m.past and not m.text.startswith(FADED)]
    if intent != TellsSomething("kept") or not known:
        return ""
    told = reply.phrasing.told_memories(known[:MOST_OF_ALL])
    return f"{told}{reply.space}{reply.opening('kept_more')}"


_SURE: Final = 0.6
"""A line that is likelier than this the answer is told before one that has all its words."""

_SAYS_AGAIN: Final = re.compile(r"我[^，。]{1,8}跟你说过：|I told you [^.]{2,20}: ")
_LAST_TALK: Final = re.compile("上次|上回|上一次|last time", re.IGNORECASE)
