"""Weighing the lines at hand as answers to one question, and their sentences.

A sentence counts by the words it shares with the question, itself or in what stands before it, and
by whether it holds the kind of thing that is asked for.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from memory.offline.answer_kinds import AnswerKind
from memory.offline.lines_at_hand import SAME_TALK, Line, Told, is_of_time
from memory.offline.questions import (
    OF_ME,
    Question,
    asks_what_was_asked,
    may_be_of,
    places_event,
    worded,
)
from memory.offline.statements import LONGEST_TOLD, sentences_of, states
from memory.offline.vocabulary import content_words, is_question
from memory.text.announcing import takes_up
from memory.text.line_salience import ASIDE
from memory.text.tokens import tokens
from prompts import PromptLine

_I: Final = re.IGNORECASE


class Weighing:
    """The weights of some lines, and of their sentences, as answers to one question."""

    def __init__(self, question: Question, lines: Sequence[Line]) -> None:
        self._question = question
        self._lines = lines
        self._terms = one_form(question.terms) | ({_WHO} if question.kin else set())
        self._held = [_words_in(worded(each.said, question), question) for each in lines]
        self._claimed = [
            held
            if asks_what_was_asked(question.text)
            else held & _words_claimed(each.said.text, question)
            for held, each in zip(self._held, lines, strict=True)
        ]
        counts = Counter(term for held in self._held for term in held & self._terms)
        total = len(lines) + 1
        weights = {term: math.log(1 + total / (0.5 + counts[term])) for term in self._terms}
        known = [weights[term] for term in counts] or [1.0]
        usual = sum(known) / len(known)
        # A pair of characters across two words means nothing unless somebody wrote it so.
        self._meant = one_form(question.words) | (self._terms & {_WHO})
        for term in self._terms - self._meant:
            weights[term] *= _PAIR if counts[term] else 0.0
        for term in (self._meant & self._terms) - counts.keys():
            weights[term] = usual * _UNKNOWN
        whole = sum(weights.values()) or 1.0
        self._weights = {term: weight / whole for term, weight in weights.items()}

    def _share(self, held: frozenset[str]) -> float:
        """Return the share of the question's words, by weight, that some words account for."""
        return sum(self._weights[term] for term in held & self._terms)

    def _near(self, place: int, *steps: int) -> frozenset[str]:
        """Return the words of the lines so many steps away that belong to the same talk."""
        at = self._lines[place].said.at
        others = (place + step for step in steps if 0 <= place + step < len(self._lines))
        return frozenset().union(
            *(self._held[x] for x in others if abs(self._lines[x].said.at - at) < SAME_TALK)
        )

    def _shares(self, place: int) -> tuple[float, float, float]:
        """Return the share of a line itself, of what led to it, and of what came of it."""
        own = self._held[place]
        if self._question.checks:
            return self._share(own), 0.0, 0.0
        claimed, led = self._share(self._claimed[place]), self._near(place, -2, -1)
        # What the same person said just before may be about something else, but not for a "she".
        leans = _LEANS.match(self._lines[place].said.text)
        apart = not leans and _follows_itself(self._lines, place, self._question)
        return (
            claimed + _ONLY_ASKED * (self._share(own) - claimed),
            (_BY_THE_SAME if apart else 1.0) * self._share(led - own),
            self._share(self._near(place, 1) - led - own),
        )

    def share_asked(self, place: int) -> float:
        """Return the share of the question's words that the other asked about right before."""
        before, line = self._lines[place - 1].said, self._lines[place].said
        soon = place > 0 and abs(before.at - line.at) < SAME_TALK
        if not soon or _follows_itself(self._lines, place, self._question):
            return 0.0
        asked = " ".join(filter(is_question, sentences_of(before.text)))
        return self._share(one_form(tokens(asked)))

    def ranked(self) -> list[tuple[int, float]]:
        """Return the places of the lines, the best first, and how likely each is the answer."""
        worth = [
            -math.inf if each.only_asks else self._worth(place)
            for place, each in enumerate(self._lines)
        ]
        most = max(worth)
        odds = [math.exp(_SHARPNESS * (each - most)) for each in worth]
        # What shares nothing with the question is no rival, however much of it there is.
        whole = sum(x for place, x in enumerate(odds) if x == 1 or any(self._shares(place)))
        ranked = sorted(range(len(worth)), key=lambda place: -worth[place])
        return [(place, odds[place] / whole) for place in ranked]

    def told_of(self, place: int) -> tuple[Told, Told | None]:
        """Return the sentence of a line to be told, and another one if the first may lack it."""
        kind = self._question.kinds[0] if self._question.kinds else None
        weighed = sorted(
            self._sentences(place),
            key=lambda each: _LACKS * _lacks(kind, each[0].text) - each[1],
        )
        best = weighed[0][0]
        if kind is not None and kind.whole:
            return replace(best, text=self._lines[place].said.text), None
        if self._question.checks:
            return best, None
        others = (told for told, _ in weighed[1:] if states(told.text))
        if kind is not None and kind.holds.search(best.text):
            others = (told for told in others if kind.holds.search(told.text))
        second = next((told for told in others if not ASIDE.search(told.text)), None)
        if second is not None and len(best.text) + len(second.text) > LONGEST_TOLD:
            holds = kind is not None and kind.holds.search(second.text)
            if holds and kind is not None and not kind.holds.search(best.text):
                return second, None
            second = None
        return best, second

    def _worth(self, place: int) -> float:
        line = self._lines[place]
        own, led, after = self._shares(place)
        worth = own + _LED * led + _AFTER * after + _RANK * line.rank + _FOUND * line.found
        worth += _KIND * _kind_worth(line.said.text, self._question)
        worth += _ASKED * self.share_asked(place)
        by_whom = _HERS if self._question.after == "assistant" else _ROLE
        worth += by_whom * _role(line.said, self._question)
        if self._question.months:
            of_it = is_of_time(line.said, self._question, self._question.months)
            worth += _MONTH if of_it else -_MONTH
        if _is_of_past(self._question) and line.said.at < self._question.spans[0].start:
            # What was said before a day can only have been planned for it.
            worth -= _ONLY_PLANNED
        parts = sentences_of(line.said.text)
        if not any(map(states, parts)) or all(map(ASIDE.search, parts)):
            worth -= _ASIDE_COSTS
        if line.said.role == "user" and not self._question.checks:
            worth -= _REACTS * takes_up(parts[0])
        worth += _NEWS * self.tells_news(place)
        return worth - (_PAST if line.past else 0.0)

    def tells_news(self, place: int) -> bool:
        """Whether the question is of an event, and a line tells of what has just happened."""
        line = self._lines[place].said
        if line.role != "user" or not places_event(self._question):
            return False
        return any(_NEW.search(x) for x in sentences_of(line.text) if not only_asks_for(x))

    def _sentences(self, place: int) -> Iterator[tuple[Told, float]]:
        """Yield every sentence of a line with its weight."""
        line = self._lines[place].said
        for number, text in enumerate(sentences_of(line.text)):
            held = _words_in(text, self._question)
            worth = self._share(held) + _KIND * _kind_worth(text, self._question)
            worth += 0.2 * min(len(held - self._terms) / _TELLING, 1.0)
            if self._question.checks and OF_ME.search(text):
                worth += 0.2
            if not states(text):
                worth -= 0.4
            elif is_question(text):
                worth -= _ALSO_ASKS
            if number == 0 and takes_up(text):
                worth -= _ALSO_ASKS
            if ASIDE.search(text):
                worth -= 0.55
            yield Told(text, line.role, line.at, number, line.speaker, line.another), worth

    def share_of(self, place: int) -> float:
        """Return the share of the question's words that a line and what led to it account for."""
        own, led, _ = self._shares(place)
        return own + led

    def says_all(self, told: Told) -> bool:
        """Whether a sentence has every word of the question."""
        meant = one_form(self._question.words)
        return bool(meant) and meant <= _words_in(told.text, self._question)

    def share_told(self, told: Told, *, of_matter: bool = False) -> float:
        """Return the share of a question a sentence holds, ``of_matter`` without whom it is of."""
        held = _words_in(told.text, self._question)
        return self._share(held - {_WHO} if of_matter else held)

    def confirms(self, told: Told) -> bool:
        """Whether a sentence may confirm or deny a question: it has of what, and most else."""
        # Of the violin nothing is said by "I play the piano".
        of = one_form({self._question.checked_of} - {""})
        held = _words_in(told.text, self._question)
        return of <= held and self._share(held) >= _LEAST_CHECKED

    def signs(self, place: int, sure: float, *, fits: bool) -> dict[str, float]:
        """Return what speaks for a line as the answer, by name, each 0–1, or -1 for the other's.

        ``sure``: how likely it is among those at hand; ``fits``: it has the kind of thing asked.
        """
        line, asked = self._lines[place], self._question
        best, second = self.told_of(place)
        told = best.text + (second.text if second else "")
        new = sum(not one_form(tokens(word)) & self._terms for word in content_words(told))
        own, led, _ = self._shares(place)
        sure = min(sure, 1.0)
        return {
            "sure": sure,
            "sure_own": sure * own,
            "sure_near": sure * (own + led),
            "asked": self.share_asked(place),
            "rank": line.rank,
            "role": _role(line.said, asked) or _EITHER,
            # What only says the question again answers nothing.
            "new": min(new / _TELLING, 1.0),
            "kind": float(fits and bool(asked.kinds)),
            "dated": float(bool(asked.spans or asked.months)),
            "checks": float(asked.checks),
        }


def _follows_itself(lines: Sequence[Line], place: int, question: Question) -> bool:
    said, before = lines[place].said, lines[place - 1].said
    # In a group one member may answer what another asks.
    other = question.others and before.speaker != said.speaker
    return place > 0 and before.role == said.role and not (other and is_question(before.text))


def likelihood(signs: Mapping[str, float]) -> float:
    """Return how likely what has these signs is the answer, 0–1."""
    odds = _ODDS + sum(_SPEAKS[name] * held for name, held in signs.items())
    return 1 / (1 + math.exp(-odds))


def _kind_worth(text: str, question: Question) -> float:
    """Return what it counts that a text holds the kinds of thing a question asks for."""
    held = [kind.worth if kind.holds.search(text) else 0.0 for kind in question.kinds]
    return sum(held[:1]) + _OTHER_KINDS * sum(held[1:_MOST_KINDS])


def _role(said: PromptLine, question: Question) -> float:
    """Return 1 if a question is after the words of who said this, -1 if of somebody else's."""
    theirs = said.role == question.after and not said.another
    return 0.0 if not question.after else 1.0 if theirs else -1.0


_LEANS: Final = re.compile(r"[他她它]|(?:he|she|they|it|his|her|its|their)\b", _I)

_NEW: Final = re.compile(
    r"今[天早晚晨]|昨[天晚]|刚刚?(?!好|才好)|上午|下午|中午|周末|前[天几]"
    r"|\b(?:today|yesterday|just|this (?:morning|afternoon|evening)|last (?:night|week\w*)"
    r"|the other day)\b",
    _I,
)
"""What happened is told like this on its day."""

_ASKS_HER: Final = re.compile(
    r"你(?!帮)[^，,]{0,10}(?:[吗呢]|怎么[看样想]|如何|好不好)[?？]?$|\byou\b[^,.]{0,30}\?$", _I
)
"""我在看《百年孤独》，你听说过吗？ tells something and asks after her."""


def only_asks_for(text: str) -> bool:
    """Whether a sentence asks for something and tells nothing beside it."""
    return is_question(text) and not (_ASKS_HER.search(text) and states(text))


def _lacks(kind: AnswerKind | None, text: str) -> bool:
    """Whether a sentence lacks what was asked for, or only greets or asks."""
    if kind is None:
        return False
    return not kind.holds.search(text) or bool(ASIDE.search(text)) or only_asks_for(text)


def _is_of_past(question: Question) -> bool:
    """Whether a question names a day that is over, and asks for no plan."""
    over = bool(question.spans) and question.spans[0].end <= question.now
    return over and not _PLANNED.search(question.text)


_PLANNED: Final = re.compile("打算|计划|准备|安排|提醒|plan|going to|remind|schedule", _I)


def _words_in(text: str, question: Question) -> frozenset[str]:
    who = {_WHO} if question.kin and may_be_of(text, question) else set()
    return one_form(tokens(text)) | who


def _words_claimed(text: str, question: Question) -> frozenset[str]:
    """Return the words of what a text states, without what it only asks."""
    claimed = " ".join(x for x in sentences_of(text) if not only_asks_for(x))
    return _words_in(claimed, question)


_WHO: Final = "who"
"""Stands for whoever is asked about, by any word for them: 爸 and 父亲."""

# What speaks for a line as an answer, in shares of the question's words. Fitted as a conditional
# logit on LoCoMo's first five people and the open ones of MemoryBank and LifeBench; rounded.
_SHARPNESS: Final = 4.0
_LED: Final = 0.85
_BY_THE_SAME: Final = 0.4
_AFTER: Final = 0.25
_RANK: Final = 0.75
_FOUND: Final = 0.35
_KIND: Final = 1.2
_ROLE: Final = 0.42
_HERS: Final = 0.63
_ASKED: Final = 0.55
_OTHER_KINDS: Final = 0.15
_MONTH: Final = 0.42
_ASIDE_COSTS: Final = 0.5
_REACTS: Final = 0.3
_ONLY_PLANNED: Final = 0.8
_ALSO_ASKS: Final = 0.2
_PAST: Final = 0.15
_LEAST_CHECKED: Final = 0.6  # below it a sentence is no answer to what is to be confirmed

_LACKS: Final = 0.5
"""What it costs a sentence, beside the others of its line, that it lacks what was asked for."""

# How likely that what is told is the answer: a logistic fit on LoCoMo's first five people and the
# open ones of MemoryBank and LifeBench, ``python -m benchmarks.offline_trust``; rounded.
_ODDS: Final = -5.6
_SPEAKS: Final[Mapping[str, float]] = {
    "sure": 1.6,
    "sure_own": 1.7,
    "sure_near": 1.5,
    "asked": 0.65,
    "rank": 1.0,
    "role": 1.5,
    "new": 0.7,
    "kind": 0.5,
    "dated": 1.1,
    "checks": 0.25,
}
_EITHER: Final = 0.7

_MOST_KINDS: Final = 3
_TELLING: Final = 6
"""So many words that a question has not got make a sentence as telling as can be."""

_NEWS: Final = 0.45
_ONLY_ASKED: Final = 0.5
"""What a word counts that a line only asks with: what is asked is not told."""

_PAIR: Final = 0.6
"""What a pair of characters counts beside a word: it may stand across two."""

_UNKNOWN: Final = 0.6
"""What a word that nobody said counts, beside the usual one: people ask in words of their own."""

_SAME: Final = """
go went gone, buy bought purchase, see saw seen, come came, give gave given gift, find found
think thought, tell told, feel felt, leave left, meet met, bring brought, begin began begun start
write wrote written writer, run ran runner, speak spoke spoken, eat ate eaten
drive drove driven driver, know knew known, grow grew grown, sing sang sung singer
swim swam swum swimmer, dance dancer, bake baker, paint painter, fly flew flown, wear wore worn
win won, lose lost, sell sold, send sent, spend spent, teach taught teacher, catch caught
choose chose chosen pick, break broke broken, fall fell fallen, build built, sleep slept
keep kept, hear heard, hold held, pay paid, ride rode ridden, drink drank drunk, draw drew drawn
drum drummer, guitar guitarist, piano pianist, throw threw thrown, wake woke woken, become became
forget forgot forgotten, stand stood, understand understood, lead led
steal stole stolen, hide hid hidden, sit sat, take took taken
make made cook, get got gotten receive, child children kid, man men, woman women, foot feet
tooth teeth, mother mom mum, father dad, job work, movie film, marry married wedding
move moved relocate, doctor physician, photo picture pic, favorite favourite fave
car vehicle, shop store, trip journey travel, bike bicycle, scared afraid, sick ill, tv television
妈 妈妈 母亲 老妈, 爸 爸爸 父亲 老爸, 老公 丈夫 先生, 老婆 妻子 太太, 买 购买 选购 购置, 建议 推荐
孩子 小孩 娃, 爸妈 父母 双亲, 吃 品尝 用餐 就餐 进食, 电影 影片, 医生 大夫, 做 制作, 办 举办 举行
开 驾驶, 住 居住, 搬 搬迁, 送 赠送, 写 撰写, 聊 交流 交谈 谈话, 花 花费, 怕 害怕, 累 疲惫 疲劳
取 领取, 高兴 开心 愉快, 难过 伤心 悲伤, 生气 愤怒, 看病 就诊 就医, 手术 开刀, 病人 患者
女朋友 女友, 男朋友 男友, 大儿子 长子, 小儿子 次子, 减肥 减重 瘦身, 锻炼 健身, 旅行 旅游 出游
餐厅 餐馆 饭店 饭馆, 酒店 宾馆, 书 书籍 图书, 照片 相片, 老师 教师, 朋友 好友 友人, 房子 住房 房屋
礼物 礼品, 早饭 早餐, 午饭 午餐 中饭, 晚饭 晚餐, 办法 方法 方式, 告诉 告知, 参加 参与, 推迟 延期
"""

# The Chinese dictionary is not loaded for this: these are words as they are cut.
_ONE_FORM: Final[Mapping[str, str]] = {
    term: group[0]
    for each in re.split(r"\s*[,\n]\s*", _SAME.strip())
    for group in [tokens(each) if each.isascii() else each.split()]
    for term in group
}


def one_form(terms: Iterable[str]) -> frozenset[str]:
    """Return terms of a text with the forms of a verb, and words for one thing, made the same."""
    return frozenset(_ONE_FORM.get(term, term) for term in terms)
