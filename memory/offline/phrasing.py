"""The wording of a rule-based reply: days, quotations, memories."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Final

from memory.offline.answers import Answer, with_range_in_words
from memory.offline.claimed import claimed
from memory.offline.english import as_said_to
from memory.offline.groups import members_of
from memory.offline.known_facts import CLEARLY_RELATED, best_quote
from memory.offline.lines_at_hand import FADED, Told
from memory.offline.persons import to_second_person
from memory.offline.statements import sentences, sentences_of, states, told_whole, zone_of
from memory.offline.summaries import STAMP, topic_words
from memory.offline.vocabulary import EN, Sayings, content_words, is_question, telling_words
from memory.text.dates import Span
from memory.text.late_pattern import LatePattern
from memory.text.passed_on import own_text
from memory.text.requests import asks_for_reminder
from prompts import PromptLine, PromptMemory, Reply
from prompts.rendering import one_line


def _asks(text: str) -> bool:
    """Whether a line wants something and tells nothing."""
    return is_question(text) or asks_for_reminder(text)


_TELLING: Final = 3  # words of a subject make a line as telling as it need be


class Phrasing:
    """The wording of one reply: days, quotations and memories, in one language."""

    def __init__(self, prompt: Reply, say: Sayings) -> None:
        self._prompt = prompt
        self.sayings = say
        self.zone = zone_of(prompt.now)
        self.others = members_of(prompt)

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
        if date in span.words or date.removesuffix("日") in span.words:
            return span.words
        plain = self.sayings is not EN
        return f"{span.words}（{date}）" if plain else f"{span.words} ({date.removeprefix('on ')})"

    def clock_time(self, at: datetime) -> str:
        """Return the time of day in the partner's zone, like 18:05."""
        return f"{at.astimezone(self.zone):%H:%M}"

    def time_range(self, start: datetime, end: datetime) -> str:
        """Return from when to when, or one time if both are in the same minute."""
        first, last = self.clock_time(start), self.clock_time(end)
        return first if first == last else self.sayings.times.format(start=first, end=last)

    def topic_list(self, lines: Sequence[PromptLine]) -> str:
        """Return what lines were about, or the beginning of the first if no word stands out."""
        own = [line for line in lines if line.role == "user" and not _asks(line.text)]
        about = topic_words(
            own or [x for x in lines if x.role == "user"], 3, ignored=self._prompt.partner
        )
        return self.sayings.between.join(about) if about else self.in_quotes(lines[0].text)

    def last_quotes(self, lines: Sequence[PromptLine]) -> str:
        """Return quotations of the partner's last two lines, statements rather than questions."""
        own = [line for line in lines if line.role == "user"]
        said = [line for line in own if not _asks(line.text)]
        # Those that tell most; of those alike, the later.
        telling = sorted(said, key=lambda line: min(len(content_words(line.text)), _TELLING))
        said = sorted(telling[-2:], key=lambda line: line.at)
        told = (
            self.sayings.said_so.format(
                who=x.speaker if x.speaker in self.others else self.sayings.you,
                clock=self.clock_time(x.at),
                quote=self.in_quotes(x.text),
            )
            for x in said
        )
        return "".join(("" if self.sayings is not EN else " ") + each for each in told)

    def in_quotes(self, text: str) -> str:
        """Return a text in quotation marks: its first whole sentence that states something."""
        parts = [part for part in sentences_of(one_line(text)) if states(part)]
        return _quoted(parts[0] if parts else one_line(text), self.sayings)

    def told_memories(self, memories: Sequence[PromptMemory], *, gist: bool = False) -> str:
        """Return memories in words, each with its date; if only traces are left, say so."""
        told = listed_memories(self, memories, gist=gist)
        if told:
            return self.sayings.known.format(what=told)
        return self.sayings.faded.format(what=memories[0].text.removeprefix(FADED).strip(" 。"))

    def told_memory(self, memory: PromptMemory, *, gist: bool = False) -> str:
        """Return one memory: a fact as it is stored, marked if past; what was said as a quotation.

        With ``gist`` an episode says first what it was about.
        """
        if memory.tier == "diary":
            said = self.in_quotes(one_line(memory.text))
            return self.sayings.formerly.format(what=said) if memory.past else said
        text = STAMP.sub("", one_line(memory.text)).removeprefix(FADED).strip(" 。.")
        text = text if memory.speaker in self.others else self.in_second_person(text)
        text = self._with_days(text)
        if memory.past:
            text = self.sayings.formerly.format(what=_NOW.sub("", text))
        quote = best_quote(memory)
        if memory.tier == "episode" and quote:
            return (f"{text}{self.sayings.comma}" if gist else "") + self.in_quotes(quote)
        return text

    def _with_days(self, text: str) -> str:
        """Return a text that names the day it means where it says 今天 or "last night"."""

        def day(told: re.Match[str]) -> str:
            at = datetime.fromisoformat(told["zh"] or told["en"]).replace(hour=12)
            return self.day_name(at.replace(tzinfo=self.zone))

        return _MEANT_DAY.sub(day, text)

    def in_second_person(self, text: str) -> str:
        """Return a text about the partner as said to them."""
        return spoken_to(text, self._prompt.partner, english=self.sayings is EN)


def _quoted(text: str, sayings: Sayings) -> str:
    """Return a text in quotation marks, those in it the inner ones."""
    return f"{sayings.opening}{told_whole(text).translate(_INNER_MARKS)}{sayings.closing}"


_INNER_MARKS: Final = str.maketrans("「」“”", "『』‘’")


def spoken_to(text: str, partner: str, *, english: bool) -> str:
    """Return a text about the partner as said to them."""
    text = _LED_IN.sub("", text)
    if english or not _HAN.search(text.replace(partner, "")):
        said = text.removeprefix(f"{partner}: ")
        told = to_second_person(said, partner)
        return as_said_to(said) if told == said else told
    text = text.removeprefix(f"{partner}：") if partner else text
    own = rf"{re.escape(partner)}(?:的(?=[爸妈爷奶哥姐弟妹]))?"
    told = re.sub(own, "你", text) if partner else text
    # What was asked to be kept stands in the partner's own words, and 主人妈来看我 in part.
    return re.sub("我(?!们)", "你", _OURS.sub("你们", told))


_NOW: Final = re.compile(r"(?<=你)(?:现在|目前|如今)|\b(?:currently|now) ", re.IGNORECASE)
"""以前你现在住杭州 is said by nobody."""

_LED_IN: Final = re.compile(
    r"^(?:(?:哦|噢|啊|嗯|哎|诶)?[，,]?(?:对了|话说|另外|顺便说一?[句下])"
    r"|(?:oh|by the way|btw)\b)[，,：:\s]*",
    re.IGNORECASE,
)

_MEANT_DAY: Final = re.compile(
    r"(?:[今昨明前后後]天|[今昨明][早晚])（(?P<zh>\d{4}-\d{2}-\d{2})）"
    r"|\b(?:today|tonight|yesterday|tomorrow|last night|this (?:morning|afternoon|evening))"
    r" \((?P<en>\d{4}-\d{2}-\d{2})\)"
)

_HAN: Final = re.compile("[一-鿿]")

_OURS: Final = re.compile("我们|咱们?")


def listed_memories(
    phrasing: Phrasing, memories: Sequence[PromptMemory], *, gist: bool = False
) -> str:
    """Return memories in a row, each with its date; empty if only traces are left."""
    told = (
        _dated(phrasing, phrasing.told_memory(m, gist=gist), phrasing.day_name(m.when))
        for m in memories
        if not m.text.startswith(FADED)
    )
    return phrasing.sayings.stop.join(told)


def _dated(phrasing: Phrasing, what: str, when: str) -> str:
    """Return what was told with its day, in one bracket where it ends in one."""
    what = with_range_in_words(what) if phrasing.sayings is EN else what
    if what.endswith((")", "）")):
        return f"{what[:-1]}{phrasing.sayings.stop}{when}{what[-1]}"
    return phrasing.sayings.dated.format(what=what, when=when)


def quoted_with_day(phrasing: Phrasing, told: Told) -> str:
    """Return a sentence as it was said, with who said it and on what day."""
    says = phrasing.sayings.you_said if told.role == "user" else phrasing.sayings.i_said
    who = told.speaker if told.role == "user" and told.speaker in phrasing.others else told.another
    says = phrasing.sayings.they_said if who else says
    quote = _quoted(told.text, phrasing.sayings)
    return says.format(when=phrasing.day_name(told.at), what=quote, who=who)


def told_answer(phrasing: Phrasing, answer: Answer) -> str:
    """Return an answer in words: the sentence whole, with whose it is and its day."""
    told = answer.best
    space = " " if phrasing.sayings is EN else ""
    if answer.second is not None:
        both = sorted((told, answer.second), key=lambda each: each.place)
        told = replace(told, text=space.join(each.text for each in both))
    what = quoted_with_day(phrasing, told)
    if answer.rival is not None:
        other = quoted_with_day(phrasing, answer.rival)
        if answer.rival.role == told.role == "user" and answer.rival.at > told.at:
            # What was said last may have changed what was said before.
            what, other = other, what
        return phrasing.sayings.two.format(one=what, other=other)
    meant = not own_text(told.text)[1] and all(claimed(sentences(told.text)))
    plain = meant and not told.another and not _TURNED.search(told.text)
    if answer.confirms and (answer.denies or plain):
        form = phrasing.sayings.denies if answer.denies else phrasing.sayings.agrees
        return form.format(what=what)
    return what[:1].upper() + what[1:] + ("" if phrasing.sayings is EN else "。")


_TURNED: Final = re.compile(
    r"不|没|讨厌|戒|以前|曾经|原来|想要?|打算|考虑|还在|计划|要是|如果|也许|可能"
    r"|n't\b|\b(?:not|never|no longer|used to|quit|stopped|hate|can't stand"
    r"|think(?:ing)? (?:of|about)|consider(?:ing)?|whether|tr(?:y|ying) to|looking for"
    r"|want(?:ed)? to|wish|hop(?:e|ing)|plan(?:ning)?|might|maybe"
    r"|would|if)\b",
    re.IGNORECASE,
)
"""Where one of these stands, what was said is told without a yes: it may mean no, or not yet.

So is what was said in jest, or by another: I told Dave "I'm moving to Berlin".
"""


def no_more_than_told(told: str, phrasing: Phrasing) -> str:
    """Return what was told last of a matter, not as the answer: it may be another's, or part."""
    told = told.removeprefix(phrasing.sayings.known.partition("{what}")[0]).rstrip(".。")
    told = f"you {told[4:]}" if told.startswith("You ") else told
    return phrasing.sayings.unsure.format(what=told) if told else ""


def told_of_another_day(phrasing: Phrasing, memory: PromptMemory, said: str, today: date) -> str:
    """Return what a memory tells that has to do with what was said; empty if it is of today.

    Of an episode that is a sentence of the partner's own that shares two words with it.
    """
    if memory.tier not in {"episode", "diary"}:
        if memory.when.date() == today:
            return ""
        when, what = phrasing.day_name(memory.when), phrasing.told_memory(memory)
        return phrasing.sayings.dated.format(what=what, when=when)
    wanted = telling_words(said)
    for line in memory.said:
        if line.role != "user" or line.at.date() == today:
            continue
        for text in filter(states, sentences_of(line.text)):
            if len(wanted & telling_words(text)) >= CLEARLY_RELATED and text not in said:
                return quoted_with_day(phrasing, Told(text, "user", line.at))
    return ""


def told_in_these_words(fact: str, told: str) -> str:
    """Return a fact, worded as said to the partner, as far as they told it of themselves so.

    Empty if they did not: what was read in part, or is somebody else's, makes no sentence if it is
    repeated to them (原来你不去了呀, 你小宇满九岁).
    """
    if told.isascii():
        said = _FIRST_EN.sub(_turned, told)
    else:
        said = _MINE.sub("你", _OURS.sub("你们", told))
    for words in (fact.rstrip("。.!！"), re.split("[，,]", fact)[0]):
        if _ASIDE.search(words) or len(words) > _LONGEST_ECHO or not _OF_YOU.match(words):
            continue
        own = re.escape(re.sub("^你的?", "", words))
        clause = rf"(?:^|[，,。.!！；;\s]){_LED}({'' if told.isascii() else '你的?'}{own})"
        if found := re.search(rf"{clause}(?=$|[，,。.!！；;~～])", said, re.IGNORECASE):
            return found[1][:1].lower() + found[1][1:]
    return ""


_LONGEST_ECHO: Final = 60

_ASIDE: Final = re.compile(
    r"by the way|\b(?:btw|lol|haha\w*|tbh|honestly|anyway)\b|[（(]", re.IGNORECASE
)

_LED: Final = (
    r"(?:(?:其实|对了|然后|另外|嗯|那|哦|啊|hi|hey|and|so|well|but|also|btw|oh)[，,\s]*)*"
)

_OF_YOU: Final = re.compile("你|you(?:r|['’]re|['’]ve)?\\b", re.IGNORECASE)

_MINE: Final = re.compile("[我俺]")

_FIRST_EN: Final = re.compile(
    r"\b(?:I['’]m|I am|im|I['’]ve|I['’]d|I['’]ll|I was|I|my|me|mine|myself|we['’]re|we|our|us)\b",
    re.IGNORECASE,
)

_TURNED_EN: Final = {
    "i'm": "you are",
    "i am": "you are",
    "im": "you are",
    "i've": "you have",
    "i'd": "you'd",
    "i'll": "you will",
    "i was": "you were",
    "i": "you",
    "my": "your",
    "me": "you",
    "mine": "yours",
    "myself": "yourself",
    "we're": "you are",
    "we": "you",
    "our": "your",
    "us": "you",
}


def _turned(word: re.Match[str]) -> str:
    return _TURNED_EN[word[0].lower().replace("’", "'")]


def opening(
    pool: Sequence[str], spare: Sequence[str], said_before: Sequence[str], now: datetime
) -> str:
    """Return one of ``pool`` that she did not say lately; one of ``spare`` if all of them were.

    ``said_before`` are her last replies, the eldest first; with the ``spare`` ones there are more
    openings than that. After a question of hers, one that asks nothing is preferred: nobody likes
    to be examined.
    """
    last_used = _last_uses(tuple(pool), said_before)
    latest = max(last_used)
    # On from the one said last, or from the minute of the day, so that a pool is gone through
    # before anything comes again.
    start = last_used.index(latest) + 1 if latest >= 0 else int(now.timestamp()) // 60
    order = [(start + step) % len(pool) for step in range(len(pool))]
    fresh = [place for place in order if last_used[place] < 0]
    if not fresh:
        oldest = pool[min(order, key=lambda place: last_used[place])]
        return opening(spare, (), said_before, now) if spare else oldest
    if said_before and is_question(said_before[-1]):
        fresh = [place for place in fresh if not is_question(pool[place])] or fresh
    return pool[fresh[0]]


def _last_uses(pool: tuple[str, ...], said_before: Sequence[str]) -> list[int]:
    """Return for each opening the place of the last reply with it as a sentence, or -1."""
    found = [-1] * len(pool)
    for place, said in enumerate(said_before):
        for number in _openings_in(said, pool):
            found[number] = place
    return found


@lru_cache(maxsize=1 << 8)  # it is asked of a reply at each of the thirty turns after it
def _openings_in(said: str, pool: tuple[str, ...]) -> tuple[int, ...]:
    """Return the places of the openings that stand in a reply as a sentence."""
    return tuple(number for number, text in enumerate(pool) if _filled_in(text).search(said))


_NAME: Final = LatePattern(r"[，,]\s*\{name\}(?=\W)|\{name\}[，,]\s*|\s?\{name\}")

_FILLED: Final = LatePattern(rf"(?:{_NAME.pattern})|\{{\w+\}}")


@lru_cache(maxsize=1_024)
def _filled_in(text: str) -> LatePattern:
    """Return what an opening looks like with anything for its placeholders, or nothing."""
    fixed = (re.escape(part) for part in _FILLED.split(text))
    return LatePattern(r"(?:^|[。？！.?!]\s*)" + ".*?".join(fixed), re.IGNORECASE)


def named(sentence: str, name: str) -> str:
    """Return a sentence with the name it calls the partner by, or without any."""
    if name:
        called = sentence.replace("{name}", name)
        return called[:1].upper() + called[1:]
    bare = _NAME.sub("", sentence)
    return bare[:1].upper() + bare[1:]
