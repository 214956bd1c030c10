"""Which memories a rule-based reply is about, and the wording of dates and quotations."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Final

from memory.offline.answers import FADED, Answer, Told, sentences_of, states, told_whole
from memory.offline.english import to_second_person
from memory.offline.questions import Question
from memory.offline.statements import zone_of
from memory.offline.summaries import topic_words
from memory.offline.vocabulary import EN, Sayings, asked_words, is_question, match_terms
from memory.text import slots_en
from memory.text.dates import Span
from prompts import PromptLine, PromptMemory, Reply
from prompts.rendering import one_line

MOST_MEMORIES_TOLD: Final = 3

_CLEARLY_RELATED: Final = 2
"""How many words a memory must share to be brought up unasked: one may be chance."""

# The usual questions and what an answer must contain: 我住在哪里 shares no word with 搬到上海.
_ASKS_WHAT_HARMS: Final = (
    r"过敏|(?:不能|不可以|没法)[吃喝碰]|忌口"
    r"|allerg|(?:must|should|can)(?:n't|not)? i (?:not )?(?:eat|drink|touch)\b"
)

_KINDS_OF_QUESTION: Final[tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]] = tuple(
    (re.compile(question, re.IGNORECASE), re.compile(answer, re.IGNORECASE))
    for question, answer in (
        (
            r"我(?:叫|的名字|姓)|我是谁|who am i|my name",
            (
                r"叫|名字|姓|^.{0,4}是[一-鿿]{2,3}$|name"
                r"|^\S{1,24} is (?-i:[A-Z][a-z]+(?<!ish)(?<!ese)(?<!ian))$"
            ),
        ),
        (
            r"我.{0,6}住|where (?:do|did) i (?:use to )?live",
            r"住|搬|租|家在|liv|moved|house|flat",
        ),
        (r"我.{0,4}(?:几岁|多大|年纪)|how old am i", r"岁|years old"),
        (
            r"我.{0,6}(?:工作|职业|做什么的|上班)|what do i do|my job|where (?:do|did) i work",
            (
                r"工作|上班|职业|辞|离职|失业|是.*[师生员]|work|job|retired|laid off"
                rf"|\bis an? (?:[\w-]+ ){{0,2}}(?:{slots_en.CORE_WORDS['TRADE']})\b"
            ),
        ),
        (r"生日|birthday", r"生日|birthday"),
        (r"我.{0,6}(?:猫|狗|宠物)|my (?:cat|dog|pet)", r"猫|狗|养|cat|dog|pet"),
        (
            r"(?:不喜欢|讨厌)|(?:dislike|hate|don't like)",
            r"不喜欢|讨厌|不吃|不爱|dislike|hate|n't like",
        ),
        (
            r"喜欢|爱好|爱[吃喝听看玩]|what do i (?:like|love|enjoy)|hobb",
            r"喜欢|爱|like|love|enjoy|hobb",
        ),
        (
            _ASKS_WHAT_HARMS,
            r"过敏|不能[吃喝碰]|不耐|忌口|素食|allerg|intoleran|vegan|vegetarian|c(?:o)?eliac",
        ),
    )
)


_ASKS_FORMER: Final = re.compile(
    r"以前|之前|从前|原来|used? to\b|\bdid i\b|formerly|before", re.IGNORECASE
)


def fitting_facts(prompt: Reply, asked: str) -> list[PromptMemory]:
    """Return the facts that answer a usual question (what is my name, what do I like)."""
    answer = _answer_pattern(asked)
    facts = [m for m in prompt.memories if m.tier not in {"episode", "diary"}]
    fitting = [m for m in facts if answer and answer.search(m.text) and not _is_faded(m)]
    if not fitting:
        return []
    # The partner's name stands in nearly every memory and tells none from another.
    wanted = match_terms(asked) - {prompt.partner}
    found = _by_relevance(fitting, wanted, former=_ASKS_FORMER.search(asked) is not None)
    several = _ASKS_SEVERAL.search(asked) is not None
    return found if several else _with_former(found)


def _with_former(found: Sequence[PromptMemory]) -> list[PromptMemory]:
    """Return the best, and what is past beside it: where one lives now, and lived before."""
    first = found[0]
    others = [m for m in found[1:] if m.past is not first.past]
    return [first, *others[:1]]


def shared_facts(prompt: Reply, question: Question) -> tuple[list[PromptMemory], float] | None:
    """Return the fact that shares most with a question, and the share of its words it holds."""
    facts = [m for m in prompt.memories if m.tier not in {"episode", "diary"} and not _is_faded(m)]
    terms = question.terms - {prompt.partner}
    if not facts or not terms:
        return None
    shares = [(len(terms & match_terms(m.text)) / len(terms), not m.past, m) for m in facts]
    share, _, best = max(shares, key=lambda each: each[:2])
    return ([best], share) if share else None


def _is_faded(memory: PromptMemory) -> bool:
    return memory.text.startswith(FADED)


_ASKS_SEVERAL: Final = re.compile(
    r"喜欢|爱好|爱[吃喝听看玩]|讨厌|过敏|哪些|likes?|love|enjoy|hobb|dislike|hate|allerg",
    re.IGNORECASE,
)


def related_memories(prompt: Reply, said: str) -> list[PromptMemory]:
    """Return up to three memories clearly related to what was said, best first."""
    wanted = asked_words(said) - {prompt.partner}
    close = [
        m
        for m in prompt.memories
        if len(wanted & asked_words(f"{m.text} {m.quote}")) >= _CLEARLY_RELATED
    ]
    return _by_relevance(close, wanted)


def _answer_pattern(asked: str) -> re.Pattern[str] | None:
    """Return what an answer to a usual question must contain; None for any other question."""
    return next((answer for kind, answer in _KINDS_OF_QUESTION if kind.search(asked)), None)


def _by_relevance(
    memories: Sequence[PromptMemory], wanted: frozenset[str], *, former: bool = False
) -> list[PromptMemory]:
    """Return the best three: what holds, then statements, then most words shared, come first.

    Asked for ``former`` times, what no longer holds comes first.
    """
    return sorted(
        memories,
        key=lambda m: (
            m.past is not former,
            not states(best_quote(m)),
            -len(wanted & _memory_terms(m)),
        ),
    )[:MOST_MEMORIES_TOLD]


def best_quote(memory: PromptMemory) -> str:
    """Return the first quotation of a memory that states something, else the first."""
    # The injector joins them like this, the best first.
    quotes = memory.quote.split(" … ")
    return next((quote for quote in quotes if states(quote)), quotes[0])


def _memory_terms(memory: PromptMemory) -> frozenset[str]:
    return match_terms(f"{memory.text} {memory.quote}")


_STAMP: Final = re.compile(r"^\[\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?\]\s*")


class Phrasing:
    """The wording of one reply: days, quotations and memories, in one language."""

    def __init__(self, prompt: Reply, say: Sayings) -> None:
        self._prompt = prompt
        self.sayings = say
        self.zone = zone_of(prompt.now)

    def day_name(self, at: datetime) -> str:
        """Return a day as people name it: today, yesterday, March 4, with the year if not this."""
        local, now = at.astimezone(self.zone), self._prompt.now.astimezone(self.zone)
        if local.date() == now.date():
            return self.sayings.today
        if local.date() == (now - timedelta(days=1)).date():
            return self.sayings.yesterday
        same_year = local.year == now.year
        return (self.sayings.month_day if same_year else self.sayings.full_date).format(at=local)

    def span_name(self, span: Span) -> str:
        """Return the time a question asks for, with its date unless it is several days."""
        if span.end - span.start > timedelta(days=1):
            return span.words
        local = span.start.astimezone(self.zone)
        date = self.sayings.month_day.format(at=local)
        return (
            span.words
            if date in span.words
            else f"{span.words}（{date}）"
            if self.sayings is not EN
            else f"{span.words} ({date.removeprefix('on ')})"
        )

    def clock_time(self, at: datetime) -> str:
        """Return the time of day in the partner's zone, like 18:05."""
        return f"{at.astimezone(self.zone):%H:%M}"

    def time_range(self, start: datetime, end: datetime) -> str:
        """Return from when to when, or one time if both are in the same minute."""
        first, last = self.clock_time(start), self.clock_time(end)
        return first if first == last else self.sayings.times.format(start=first, end=last)

    def topic_list(self, lines: Sequence[PromptLine]) -> str:
        """Return what lines were about, or the beginning of the first if no word stands out."""
        about = topic_words(lines, 3, ignored=self._prompt.partner)
        return self.sayings.between.join(about) if about else self.in_quotes(lines[0].text)

    def last_quotes(self, lines: Sequence[PromptLine]) -> str:
        """Return quotations of the partner's last two lines, statements rather than questions."""
        own = [line for line in lines if line.role == "user"]
        said = [line for line in own if not is_question(line.text)][-2:] or own[-2:]
        told = (
            self.sayings.said_so.format(clock=self.clock_time(x.at), quote=self.in_quotes(x.text))
            for x in said
        )
        return "".join(("" if self.sayings is not EN else " ") + each for each in told)

    def in_quotes(self, text: str) -> str:
        """Return a text in quotation marks: its first whole sentence that states something."""
        parts = [part for part in sentences_of(one_line(text)) if states(part)]
        cut = told_whole(parts[0] if parts else one_line(text))
        return f"{self.sayings.opening}{cut}{self.sayings.closing}"

    def told_memories(self, memories: Sequence[PromptMemory], *, gist: bool = False) -> str:
        """Return memories in words, each with its date; if only traces are left, say so."""
        traces = [m for m in memories if m.text.startswith(FADED)]
        told = [
            self.sayings.dated.format(
                what=self.told_memory(m, gist=gist), when=self.day_name(m.when)
            )
            for m in memories[:MOST_MEMORIES_TOLD]
            if m not in traces
        ]
        if told:
            return self.sayings.known.format(what=self.sayings.stop.join(told))
        return self.sayings.faded.format(what=traces[0].text.removeprefix(FADED).strip())

    def told_memory(self, memory: PromptMemory, *, gist: bool = False) -> str:
        """Return one memory: a fact as it is stored, marked if past; what was said as a quotation.

        With ``gist`` an episode says first what it was about.
        """
        if memory.tier == "diary":
            said = self.in_quotes(one_line(memory.text))
            return self.sayings.formerly.format(what=said) if memory.past else said
        text = _STAMP.sub("", one_line(memory.text)).removeprefix(FADED).strip(" 。.")
        text = self.in_second_person(text)
        if memory.past:
            text = self.sayings.formerly.format(what=text)
        quote = best_quote(memory)
        if memory.tier == "episode" and quote:
            return (f"{text}{self.sayings.comma}" if gist else "") + self.in_quotes(quote)
        return text

    def in_second_person(self, text: str) -> str:
        """Return a text about the partner as said to them."""
        if self.sayings is EN:
            return to_second_person(text, self._prompt.partner)
        return text.replace(self._prompt.partner, "你") if self._prompt.partner else text


def quoted_with_day(phrasing: Phrasing, told: Told) -> str:
    """Return a sentence as it was said, with who said it and on what day."""
    says = phrasing.sayings.you_said if told.role == "user" else phrasing.sayings.i_said
    quote = f"{phrasing.sayings.opening}{told_whole(told.text)}{phrasing.sayings.closing}"
    return says.format(when=phrasing.day_name(told.at), what=quote)


def told_answer(phrasing: Phrasing, answer: Answer) -> str:
    """Return an answer in words: the sentence whole, with whose it is and its day."""
    told = answer.best
    if answer.second is not None:
        both = sorted((told, answer.second), key=lambda each: each.place)
        told = replace(
            told, text=(" " if phrasing.sayings is EN else "").join(each.text for each in both)
        )
    what = quoted_with_day(phrasing, told)
    if answer.checks:
        form = phrasing.sayings.denies if answer.denies else phrasing.sayings.agrees
        return form.format(what=what)
    return what[:1].upper() + what[1:] + ("" if phrasing.sayings is EN else "。")


def told_of_another_day(phrasing: Phrasing, memory: PromptMemory, said: str, today: date) -> str:
    """Return what a memory tells that has to do with what was said; empty if it is of today.

    Of an episode that is a sentence of the partner's own that shares two words with it.
    """
    if memory.tier not in {"episode", "diary"}:
        if memory.when.date() == today:
            return ""
        when, what = phrasing.day_name(memory.when), phrasing.told_memory(memory)
        return phrasing.sayings.dated.format(what=what, when=when)
    wanted = asked_words(said)
    for line in memory.said:
        if line.role != "user" or line.at.date() == today:
            continue
        for text in filter(states, sentences_of(line.text)):
            if len(wanted & asked_words(text)) >= _CLEARLY_RELATED and text not in said:
                return quoted_with_day(phrasing, Told(text, "user", line.at, 0))
    return ""
