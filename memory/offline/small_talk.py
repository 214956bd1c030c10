"""What is said to somebody who tells something: a fitting opening, a thread, a greeting."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from memory.model import Sensitivity
from memory.offline.known_facts import related_memories
from memory.offline.lines_meant import without_let_go
from memory.offline.persons import of_oneself
from memory.offline.phrasing import Phrasing, named, told_in_these_words, told_of_another_day
from memory.offline.phrasing import opening as an_opening
from memory.offline.questions import Question
from memory.offline.statements import Statement
from memory.offline.threads import (
    TalkSoFar,
    is_anothers_plan,
    may_have_moved,
    met_as,
    recovers,
    thread,
)
from memory.offline.utterances import statements_in
from memory.offline.vocabulary import EN, ZH, Sayings, asks_to_keep, is_question, sayings_for
from memory.offline.warmth import (
    ASKED_FOR,
    BAD_NEWS,
    GRAVE_NEWS,
    LISTENING,
    TO_HER,
    occasion_of,
    only_exclaims,
)
from memory.text.correction_forms import takes_back_in_jest
from memory.text.corrections import puts_right, right_word
from memory.text.passed_on import own_text
from memory.text.slot_cues import Slot
from memory.text.word_forms import SIMPLIFIED
from prompts import PromptLine, Reply

_HOURS: Final = (5, 12, 18, 23)
"""The hours at which morning, afternoon, evening and night begin."""

_TURNS_WITHOUT_THE_SAME: Final = 36

_JUST_NOW: Final = timedelta(minutes=30)

_TODAY: Final = timedelta(days=1)

_ILL: Final = frozenset({"illness", "others_ill"})

_ASKS_AFTER: Final = 2
"""After so many replies that asked nothing she may ask how something was."""

_MOURNED: Final = frozenset({"grief", "crisis"})

_LIGHT: Final = frozenset({"joy", "birthday", "laugh"})
"""What is heard out, and not cheered at, while somebody mourns."""

_EXULTS: Final = re.compile(
    r"[!！]|哈哈|耶|太好了|[好真太][开開]心|\b(?:lol|(?:ha){2,}|yay|woo\w*)\b", re.IGNORECASE
)
"""Who says it so is glad all the same, and is met so."""

_AFTER_FACTS: Final = frozenset({LISTENING, "plan", "meal", "weather"})
"""The occasions at which a plain fact is taken up rather than the mood."""

_ONES_OWN: Final = frozenset({"worry", "health", "allergy"})
"""What is met as a mood only where it is the partner's own."""

_UNSPARED: Final = (
    TO_HER
    | {LISTENING, "cannot", "unknown", "hello", "news", "noted"}
    | {each for each in ZH.openings if each.startswith("sent_")}
)
"""What a word that one listens would be no answer to."""

_AGAIN: Final = re.compile(
    r"(?:好[，,])?(?:再(?:来|讲|说)(?:一?个)?|还要)[吧呗！!。~]*$"
    r"|还有(?:没有)?吗?[?？]*$"
    r"|(?:and )?(?:another|one more)(?: one)?\W*$"
    r"|(?:got |have you )?(?:any )?more(?: of (?:those|them))?\W*$"
    r"|again\W*$",
    re.IGNORECASE,
)

_LASTS: Final = GRAVE_NEWS | {"others_ill", "quarrel"}
"""The occasions after which a plain line is met gently."""

_GIVES_REASON: Final = re.compile(
    r"(?:就|只|不就|无非|还不是|仅仅)?(?:是)?(?:因为|为了)|(?:just|all|only|and all)? ?because\b",
    re.IGNORECASE,
)
"""就因为我迟到了五分钟 goes on about what was told to be bad."""

_LINES_OF_A_MATTER: Final = 3

_LINES_OF_THE_ILL: Final = 8

_LINES_OF_MOURNING: Final = 6

_LONGEST_REMARK: Final = 24

_OWN: Final = re.compile(r"我|\b(?:i|i['’]m|my|me)\b", re.IGNORECASE)

_PANNED: Final = re.compile(
    r"冷|烂|不好笑|老掉牙|老梗|土|尬"
    r"|\b(?:terrible|awful|bad|not funny|lame|groan|old one|corny)\b",
    re.IGNORECASE,
)

_GONE: Final = re.compile(
    r"(?:今[早天]|刚才?|昨[晚天])?(?:[他她它]|人)?(?:还是|最后|终究)?(?:走|没|不在)了[。…！!]*$"
    r"|(?:he|she|it|they)(?:['’]s| is| has|['’]re| are)? (?:gone|passed(?: away)?)[.!… ]*$",
    re.IGNORECASE,
)
"""Said of somebody who was ill."""

_NO_REMINDER: Final = (
    (BAD_NEWS | ASKED_FOR)
    | {"goodnight", "notice", "laugh", "goodbye", "thanks", "apology"}
    | {"teasing", "mixed", "staying", "drop"}
)


def _plain(asked: str) -> str:
    return _TO_HER.sub("", asked).translate(SIMPLIFIED).replace("啥", "什么")


def _is_no_feeling(occasion: str, stated: Statement, told: str) -> bool:
    """Whether what is told is no worry of who tells it: of their name, or of a cat's fear."""
    own = occasion not in _ONES_OWN or occasion_of(of_oneself(told)) == occasion
    return stated.slot is Slot.NICKNAME or not own


_TO_HER: Final = re.compile(r"^(?:小祥|xiaoxiang)[，,：:\s]+", re.IGNORECASE)


class SmallTalk:
    """What is said to somebody who tells something: the prompt, and what was said before."""

    def __init__(self, prompt: Reply, asked: str, before: Sequence[PromptLine]) -> None:
        self.prompt = prompt
        self.asked = asked
        # 讲个笑话 announces no text to come: it asked her.
        own = (line.text for line in reversed(before) if line.role == "user")
        earlier = [each for each in own if occasion_of(each) not in ASKED_FOR]
        self.told, self.shown = own_text(asked, earlier[:2])
        self.before = before
        self.sayings = sayings_for(asked, prompt.language)
        self.phrasing = Phrasing(prompt, self.sayings)
        self.question = Question(
            _plain(asked), prompt.now, self.phrasing.zone, self.phrasing.others
        )

    def reaction(self, occasion: str) -> str:
        if at_once := self._at_once(occasion):
            return at_once
        occasion = met_as(occasion, *own_text(self.asked))
        stated = statements_in(self.told, self.prompt.partner, self.prompt.now)
        occasion = self._as_told_before(occasion, 1 if stated else _LINES_OF_A_MATTER)
        if occasion == "plan" and is_anothers_plan(self.told):
            occasion = LISTENING
        if occasion in _LIGHT and not _EXULTS.search(self.told) and self._mourns():
            # 我们结婚四十四年了 is no joy to who told of a death today.
            occasion = "solace"
        if stated and _is_no_feeling(occasion, stated[0], self.told):
            occasion = LISTENING
        # A feeling is answered before a fact.
        if stated and occasion in _AFTER_FACTS:
            named = next((x for x in stated if x.slot is Slot.NAME), stated[0])
            answer = self.acknowledgement(named, occasion)
        else:
            answer = self.opening(occasion)
        thread = self._thread() if occasion == LISTENING and not stated else ""
        if thread:
            # What was just said is met first: it is about something else.
            return f"{answer}{self.space}{thread}"
        if occasion == LISTENING and not stated and self._may_ask_how_it_felt():
            return self.opening("felt")
        remind = occasion not in _NO_REMINDER
        return f"{answer}{self.space}{self._reminder() if remind else ''}".strip()

    def _at_once(self, occasion: str) -> str:
        if occasion == "time":
            return _time_told(self.prompt.now, self.sayings)
        if occasion == "wishes":
            return self.opening(occasion).replace("{wish}", _wish(self.told))
        if occasion == "allergy" and met_as(occasion, *own_text(self.asked)) == LISTENING:
            # What harms a colleague is kept in mind; nobody feels much at it.
            return self.opening("noted")
        right = _put_right(self.told, self.before, self.phrasing.zone, self.prompt.now)
        return self.opening("corrected").replace("{right}", right) if right else ""

    def wants_another(self) -> bool:
        """Whether one more joke is asked for, right after one."""
        return _AGAIN.match(self.asked) is not None and self._told_a_joke()

    def _told_a_joke(self) -> bool:
        """Whether one of her last replies was a joke."""
        return any(said in self.sayings.openings["joke"] for said in self._said_before()[-3:])

    def _as_told_before(self, occasion: str, most: int) -> str:
        """Return the occasion of a line in the light of up to ``most`` lines before it."""
        if occasion in {LISTENING, "sad", "weather"} and self._pans_a_joke():
            return "teasing"
        if recovers(self.told) and self._somebody_is_ill():
            return "relief"
        if only_exclaims(self.told, occasion) and not BAD_NEWS.isdisjoint(
            self._occasions_lately(_LINES_OF_A_MATTER)
        ):
            # 我妈还说我小气！ is no good news of who is being robbed by his brother.
            occasion = LISTENING
        if occasion in {LISTENING, "illness"} and self._tells_of_the_ill():
            return "grief" if _GONE.match(self.told.strip()) else "others_ill"
        if occasion == LISTENING and not takes_back_in_jest(self.told):
            # What was grave is not over with the next sentence.
            lately = self._occasions_lately(most)
            last = next((told for told in lately if told != LISTENING), LISTENING)
            gentle = last in (BAD_NEWS if _GIVES_REASON.match(self.told) else _LASTS)
            return "staying" if gentle else occasion
        return occasion

    def _occasions_lately(self, most: int, within: timedelta = _JUST_NOW) -> list[str]:
        """Return what the partner's last lines told of, the newest first."""
        found: list[str] = []
        since = self.prompt.now
        for line in reversed(self.before):
            if line.role != "user":
                continue
            if len(found) == most or since - line.at > within:
                break
            found.append(met_as(occasion_of(line.text), *own_text(line.text)))
            since = line.at
        # 查出来是肾衰, after 猫吐了: who was ill before is ill still.
        for newer in range(len(found) - 2, -1, -1):
            if found[newer] == "illness" and found[newer + 1] == "others_ill":
                found[newer] = "others_ill"
        return found

    def _pans_a_joke(self) -> bool:
        last = next((line.text for line in self.before[-1:] if line.role == "assistant"), "")
        told = any(joke in last for joke in self.sayings.openings["joke"])
        return told and len(self.told) <= _LONGEST_REMARK and _PANNED.search(self.told) is not None

    def _tells_of_the_ill(self) -> bool:
        """Whether a line that names nobody goes on about somebody who is ill: 查出来是肾衰."""
        if _OWN.search(self.told):
            return False
        ill = occasion_of(self.told) == "illness" or _GONE.match(self.told.strip()) is not None
        return ill and self._somebody_is_ill("others_ill")

    def _somebody_is_ill(self, *whom: str) -> bool:
        """Whether the last illness told of today is one of ``whom``; anybody's by default."""
        lately = self._occasions_lately(_LINES_OF_THE_ILL, _TODAY)
        last = next((told for told in lately if told in _ILL), "")
        return last in (whom or _ILL)

    def _may_ask_how_it_felt(self) -> bool:
        """Whether to ask how it was: where nobody could tell, and she did not ask just now."""
        asked = any(map(is_question, self._said_before()[-_ASKS_AFTER:]))
        return may_have_moved(self.told) and not asked

    def _mourns(self) -> bool:
        """Whether a death was told of a few lines ago: nothing is cheered at lightly after it."""
        theirs = [line for line in self.before if line.role == "user"][-_LINES_OF_MOURNING:]
        lately = [line.text for line in theirs if self.prompt.now - line.at <= _TODAY]
        return any(occasion_of(each) in _MOURNED for each in lately)

    def opening(self, occasion: str) -> str:
        said = self.sayings.openings
        pool, spare = said[occasion], () if occasion in _UNSPARED else said[LISTENING]
        if self.prompt.paused:
            pool, spare = _untold(self.sayings, occasion), ()
        lately = self._said_before()[-_TURNS_WITHOUT_THE_SAME:]
        chosen = an_opening(pool, spare, lately, self.prompt.now)
        return named(chosen, self._name)

    def _said_before(self) -> list[str]:
        """Return her last replies, the eldest first: those of other talks and of this one."""
        shown = [line.text for line in self.before if line.role == "assistant"]
        return [*(said for said in self.prompt.said_lately if said not in shown), *shown]

    def _thread(self) -> str:
        """Return a question about what was planned for today or yesterday, or nothing."""
        lines = [*self.before, *(line for m in self.prompt.memories for line in m.said)]
        said = TalkSoFar(without_let_go(lines, self.before), self.told, self._said_before())
        return thread(said, self.prompt.plans, self.prompt.now, self.sayings)

    def acknowledgement(self, statement: Statement, occasion: str = LISTENING) -> str:
        """Return that a statement was heard, without repeating anything private."""
        if statement.slot in {Slot.NAME, Slot.NICKNAME}:
            if statement.stopped:
                return self.opening("not_called")
            new = statement.slot == Slot.NAME or not self.prompt.name  # others are met already
            greets = self.sayings.pleased if new else self.sayings.called
            return greets.format(value=statement.value).strip()
        if statement.sensitivity > Sensitivity.PUBLIC:
            return self.opening("private")
        fact = self.phrasing.in_second_person(statement.text)
        own = told_in_these_words(fact, self.told)
        if not own:
            return self.opening("noted" if occasion == LISTENING else occasion)
        heard = self.opening("news").replace("{fact}", own)
        # The same fact once more, when every way of taking it up was used.
        return self.opening(LISTENING) if heard in self._said_before() else heard

    def _reminder(self) -> str:
        """Return a reminder of something of another day the partner told, or nothing."""
        today = self.prompt.now.date()
        for memory in related_memories(self.prompt, self.asked):
            told = told_of_another_day(self.phrasing, memory, self.asked, today)
            if told and not memory.past:
                return self.sayings.reminded.format(what=told)
        return ""

    def hello(self) -> str:
        """Return a greeting by the hour, and a question: about what was planned, if anything."""
        greeting = self.with_partner_name(_greeting_by_hour(self.prompt.now, self.sayings))
        asks = self._thread() or self.opening("hello")
        return f"{greeting}{self.space}{asks}"

    @property
    def space(self) -> str:
        """What stands between two sentences."""
        return " " if self.sayings is EN else ""

    @property
    def _name(self) -> str:
        """What the partner is called: their name, else as the settings say, if it can be said."""
        if self.prompt.name:
            return self.prompt.name
        return self.prompt.partner if self.sayings is ZH or self.prompt.partner.isascii() else ""

    def with_partner_name(self, sentence: str) -> str:
        """Return the sentence with the partner's name in it."""
        # Not str.format: what was said may hold braces.
        return named(sentence.replace("{partner}", "{name}"), self._name)


def asked_to_keep(before: Sequence[PromptLine]) -> bool:
    """Whether her last reply asked if something that had been let go is to be kept."""
    return any(line.role == "assistant" and asks_to_keep(line.text) for line in before[-1:])


def _greeting_by_hour(now: datetime, sayings: Sayings) -> str:
    morning, noon, evening, night = _HOURS
    if morning <= now.hour < noon:
        return sayings.morning
    if noon <= now.hour < evening:
        return sayings.afternoon
    return sayings.evening if evening <= now.hour < night else sayings.night


def _put_right(told: str, before: Sequence[PromptLine], zone: ZoneInfo, now: datetime) -> str:
    """Return the right word of a line that only says that, if it puts right what was just told."""
    right = right_word(told)
    if right is None or not right.is_slip:
        return ""
    lately = (line for line in before if now - line.at <= _JUST_NOW)
    fits = any(puts_right(told, line.text, line.at, zone) for line in lately)
    return right.word if fits else ""


def _untold(sayings: Sayings, occasion: str) -> tuple[str, ...]:
    """Return what is said on an occasion, without what says that anything is kept."""
    pool = sayings.openings[occasion]
    true = tuple(each for each in pool if not re.search(sayings.keeps, each))
    return true or (pool if occasion in _UNSPARED - {"noted"} else _untold(sayings, LISTENING))


def _wish(told: str) -> str:
    """Return the wish of a line as it was said: 新年快乐, Happy new year."""
    found = _WISH.search(told)
    wish = found[0] if found else told.strip(" 。.!！~～")
    return f"{wish[:1].upper()}{wish[1:]}"


_WISH: Final = re.compile(
    r"[一-鿿]{2}节?(?:快[乐樂]|愉快|安康|吉祥|大吉)|恭喜[发發][财財]|[过過]年好|新年好"
    r"|\b(?:happy|merry)(?: belated)? [a-z'’-]+"
    r"(?: (?:new )?(?:year|day|festival|eve|autumn festival))?"
    r"|\bhave a (?:nice|good|great|lovely) (?:day|weekend|evening|one)",
    re.IGNORECASE,
)


def _time_told(now: datetime, sayings: Sayings) -> str:
    date = sayings.month_day.format(at=now).removeprefix("on ")
    weekday = "星期" + "一二三四五六日"[now.weekday()] if sayings is ZH else f"{now:%A}"
    return sayings.clock.format(clock=f"{now:%H:%M}", weekday=weekday, date=date)
