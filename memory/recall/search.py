"""The search of one agent, the index it keeps in step, and how deep a line has to be looked up.

A line asks for the diary when it speaks of what was said, done or told before and wants an answer,
when it asks of what the partner may have told, or when nothing near came to mind and it has a cue
that the diary knows. All are a few patterns over one sentence at a time, so that every line of a
talk can be asked (docs/nights.md).
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from memory.changes import AgentInfo, Change, Put
from memory.model import Mode
from memory.recall.in_mind import FAR_AND_WIDE, InMind, Reach, without_unmentioned
from memory.recall.index import PassageIndex, follow, settle
from memory.recall.moving import reading_of_texts
from memory.recall.placement import (
    PlacedIndex,
    index_of,
    index_on_pages,
    placed_index,
    unpaged_texts,
)
from memory.recall.query import Query, TalkLine, parse_query
from memory.recall.query_terms import TELLING, telling_terms
from memory.recall.ranking import Hit, Ranking
from memory.recall.reading import Reading, lines_first
from memory.recall.relevance import SignsOfQuery, relevant_passages
from memory.recall.said_around import (
    asks_of_ones_own,
    leans,
    said_since,
)
from memory.recall.weights import Weights, fitted_weights
from memory.state import MemoryState
from memory.text.dates import date_spans
from memory.text.tokens import ends_as_question, is_atomic, tokens

_ASKED: Final = "asked"
_NAMED: Final = "named"
_OWN: Final = "own"
_NOTHING_NEAR: Final = "nothing-near"
_NEARER: Final = "nearer"

_SENTENCE: Final = re.compile(r"[^。！？!?\n]*[。！？!?\n]?")
_NEAR_ENOUGH: Final = 0.1
_STRONG_CUE: Final = 1.3
"""So many times as near to what was let go as to what comes to mind is a line that brings it back
(docs/nights.md)."""

_LONGEST: Final = 4_000
"""Whoever asks something in more characters than this has said it by then."""

_MOST_WORDS: Final = 8
_TOGETHER: Final = 3
_ONE_WEEK: Final = timedelta(days=7)

_TALK: Final = "[说聊讲提谈问教推荐告诉商量约定建议分享咨询讨论答应介绍]"
_EARLIER: Final = "上次|上回|之前|以前|前[几两]天|昨天|那天|那次|刚才|曾经?"
_YOU: Final = "[你您]|我们|咱们?"

_TALK_BEFORE: Final = re.compile(
    r"还记得|记得.{0,40}[吗么?？]|记不记得|来着"
    rf"|(?:{_EARLIER})(?:{_YOU}|我?[跟和同与]你)[^，。！？]{{0,12}}{_TALK}"
    rf"|(?:{_YOU})(?:{_EARLIER})[^，。！？]{{0,12}}{_TALK}"
    rf"|(?:{_EARLIER}|早就)[^，。！？]{{0,4}}[跟和同与对向]你[^，。！？]{{0,4}}{_TALK}"
    r"|\b(?:do|did|don['’]t|can|could) you (?:still |even )?(?:remember|recall)\b|, remember\?"
    r"|\bremind me (?:what|which|who|where|when|why|how|of)\b"
    r"|\bwhat was (?:the|that|his|her|its)\b|\blast time\b"
    r"|\bwe(?:['’]ve| had| have)? (?:last |just |already |previously |originally )?(?:discussed"
    r"|talked|spoke|agreed|decided|worked|planned|went over|covered|settled|set|stopped|did|made"
    r"|drafted|outlined|created|designed|built|finali[sz]ed|identified|chose|picked|established"
    r"|defined|started)\b"
    r"|\bI(?:['’]ve| have)? (?:already |just |once |also )?(?:told|asked|mentioned to|shared with"
    r"|consulted|gave|given) you\b|\bI (?:mentioned|asked for)\b"
    r"|\byou(?:['’]ve| had)? (?:just |once |previously |already )?(?:mentioned|drafted|promised"
    r"|proposed|outlined|prepared|asked for|sent|built|designed|put together|flagged)\b"
    r"|\byou (?:just )?(?:said|brought up|listed|logged|noted)\b"
    r"|\bwe(?:['’]ve| have)? (?:said|done)\b|\b(?:pause|resume) (?:all|the|my|our)\b"
    r"|\blet['’]?s (?:now |just |definitely |quickly )?(?:continue|proceed|go back|get back|focus"
    r"|finali[sz]e|move|lock|execute|stick|go with|build|define|dive|keep|get (?:this|that|it)"
    r"|get started|start with)\b|\bI['’]m (?:now |really |finally )?ready (?:to|for)\b"
    r"|\bnext (?:step|phase|session|task|item|section|critical|priority)s?\b"
    r"|\b(?:the|this|that|our) (?:roadmap|strategy|framework|protocol|itinerary|roadbook|sprint)\b"
    r"|\bwhere were we\b|\bpick(?:ing)? up where\b|\bleft off\b|\bback on track\b",
    re.IGNORECASE,
)
"""Talk of earlier talk: it asks for it even without a question mark."""

_WHICH: Final = "什么|哪|谁|多少|几"

_TOLD_ME: Final = re.compile(
    rf"[你您].{{0,12}}[给跟和向对教]过?了?我.{{0,20}}(?:[过了]|{_WHICH})|[你您]告诉过?我"
    r"|\byou (?:have |had )?(?:once )?(?:recommended|told|taught|suggested|shared|gave|given)\b"
    r"|\b(?:did|have) you\b.*\b(?:told?|given?|sa(?:y|id)|recommend(?:ed)?|suggest(?:ed)?"
    r"|shared?|shown?|taught)\b.*\b(?:me|us)\b",
    re.IGNORECASE,
)
"""What she said to the partner, in a question."""

_OWN_PAST: Final = re.compile(
    # Own deeds: 我…了/过/是在…, and what anybody did who is asked about in the perfective.
    rf"曾经?|那时|当时|(?:{_YOU}|我).{{0,24}}(?:[过了](?![解年])|的时候)"
    rf"|[过了](?:{_WHICH}|多久)|什么时候.*[了过的]|隔了|首次|第一次|最近一次|最后一次"
    rf"|我最近.{{0,12}}(?:{_WHICH})|我.{{0,8}}(?:计划|打算|准备).{{0,6}}(?:{_WHICH})"
    rf"|我们?(?:在|为|与|和|从|因).{{4,}}(?:{_WHICH})|^我.*是[?？]"
    # Own ways and things, asked of somebody who should know them.
    r"|我(?:最|比较|平时|一般|通常|也|不|还|主要|经常)*(?:喜欢|爱|讨厌|怕|想要|常|用|住|养|吃|喝|穿|看|听|有"
    rf"|叫|姓|属|是|在)[^，,？?]{{0,16}}(?:{_WHICH})|我的[^，,？?]{{1,16}}(?:{_WHICH}|怎么样|[是叫][?？])"
    rf"|我(?:通常|平时|一般|主要|经常).*(?:{_WHICH}|如何)"
    r"|^我.*[，,](?:对|是|没错|是不是|是这样)[吧吗么]?[?？]|里面?有多少|我.{0,12}为什么|为什么我?要"
    r"|\b(?:what|when|where|who|whom|whose|which|why|how)\b.*\b(?:did|was|were|had)\b.*"
    r"\b(?:I|me|my|mine|we|us|our)\b"
    r"|\b(?:did|was|were|had) (?:I|we|my|our)\b|\bhave (?:I|we) (?:ever |already |told |\w+ed\b)"
    r"|\bhave (?:I|we)\b.*\b(?:been|had|encountered)\b|\b(?:I|we) (?:once|recently) \w+"
    r"|\bwe (?:talked|discussed|met)\b|\bbefore, "
    r"|\bI (?:recommended|told|shared|mentioned|have watched|went|bought|read|watched)\b"
    r"|\b(?:what|which|who|where|when|why|how (?:many|much|often|old|long))\b.*\bdo I "
    r"(?:usually |often |most |really |always )?(?:like|love|enjoy|prefer|hate|want|have|live|work"
    r"|own|drive|drink|play|go|keep|call|visit)\b"
    r"|\b(?:what|which|who|where|when|how)\b.{0,12}(?:['’]s|\bis|\bare) (?:my|our)\b"
    r"|^\W*(?:what|which|who|when|where|how)\b.*\bmy favou?rite\b|\bare there in it\b"
    r"|^\W*I\b.*, (?:right|correct|isn['’]t it|didn['’]t I|don['’]t I)\?",
    re.IGNORECASE,
)
"""What the partner did or was told, likes or has, in a question."""

_ADVICE: Final = re.compile(
    r"[你您](?:也|还|平时|一般|最|都|自己)*(?:喜欢|觉得|认为|有|能|可|会|知道|呢|想|听说过|看过|听过|了解|去过|做过|尝试过"
    r"|怎么看|相信|愿意)|怎么办|该怎么|该.{0,6}什么|(?:应该|可以|能|要|才能)(?:怎么|如何)|有没有|有什么(?:好|推荐|办法|方法)"
    r"|什么.{0,4}(?:好|合适)[?？呢]|值得|建议[吗么?？]|什么建议|推荐.{0,8}[吗么?？]|适合"
    r"|\bdo you (?:have|like|think|know|enjoy|prefer|want|also|ever|usually)\b"
    r"|\bhave you (?:ever|heard|seen|watched|tried|been|read|played|encountered)\b"
    r"|\b(?:can|could|would|will) you (?!tell me (?:again|what|when|where|who)|remind)"
    r"|\b(?:should|can|could|would|might) (?:I|we)\b|\bwhat about you\b|\byour favou?rite\b"
    r"|\bany (?:good )?(?:suggestions|advice|tips|ideas|recommendations)\b",
    re.IGNORECASE,
)
"""Whoever asks for advice or for her own taste tells of the past only to say why."""


def asks_about_past(text: str, now: datetime, zone: ZoneInfo, names: Collection[str] = ()) -> str:
    """Return why a line asks about the past, "" if it does not.

    ``names`` are those in the line that the diary knows as of somebody who speaks in it.
    """
    if _TALK_BEFORE.search(text[:_LONGEST]):
        return _ASKED
    asking = [each for each in _SENTENCE.findall(text[:_LONGEST]) if ends_as_question(each)]
    if not asking:
        return ""
    if names:
        return _NAMED
    if any(map(_TOLD_ME.search, asking)):
        return _ASKED
    past = (each for each in asking if not _ADVICE.search(each))
    asks = any(_OWN_PAST.search(each) or _names_time_back(each, now, zone) for each in past)
    return _ASKED if asks else ""


def _names_time_back(text: str, now: datetime, zone: ZoneInfo) -> bool:
    """Whether a text names a time that is over, or began more than a week ago."""
    week_ago = now - _ONE_WEEK
    return any(x.end <= now or x.start < week_ago for x in date_spans(text, now, zone))


def names_asked_about(query: Query, partner: str) -> tuple[str, ...]:
    """Return who a line is about: those who speak in the diary, and the partner by name."""
    return (*query.speakers, *([partner] if partner and partner in query.text else []))


_NAME: Final = re.compile(
    r"^([^，,我你您\s]{1,8})(?:是谁|怎么样了|还好吗|怎么了)[?？]*$"
    r"|\b(?i:who|how|does|did|is|was|has)(?:['’]s)? ([A-Z][a-z]+)(?![a-z]* [A-Z])"
)


def _known_names(text: str, index: PassageIndex) -> tuple[str, ...]:
    """Return whom a question asks after that the diary has words of: 芝麻怎么样了."""
    names = (one or other for one, other in _NAME.findall(text[:_LONGEST_ASKED]))
    return tuple(x for x in names if all(index.words.idf(term) > 0.0 for term in tokens(x)))


def _asks_which_of_told(text: str, index: PassageIndex) -> str:
    """Return why a short question asks when, where or who of what was told: 婚礼是哪天.

    Nobody says "my" of the wedding they plan; that what it names was spoken of tells as much.
    """
    if len(text) > _SHORT_QUESTION or not _ASKS_WHICH.search(text) or _ADVICE.search(text):
        return ""
    terms = [x for x in telling_terms(text) if not _ASKS_WHICH.search(x)]
    known = sum(index.words.idf(each) > 0.0 for each in terms)
    return _NAMED if known and known == len(terms) and ends_as_question(text) else ""


_SHORT_QUESTION: Final = 40
_ASKS_WHICH: Final = re.compile(rf"{_WHICH}|\b(?:when|where|who|which|how m\w+)\b", re.IGNORECASE)
_LONGEST_ASKED: Final = 4_000


def has_cue(query: Query, index: PassageIndex) -> bool:
    """Whether the diary knows what a line speaks of: telling words that stand in one scene."""
    words = index.words
    known = [term for term in query.terms if is_atomic(term) and words.idf(term) >= TELLING]
    known.sort(key=lambda term: (-words.idf(term), term))
    together = np.zeros(len(index.layout.verbatim), np.int64)
    for term in known[:_MOST_WORDS]:
        holds = np.zeros(len(together), np.bool_)
        holds[index.layout.scene_of[words.slots_with(term)[0]]] = True
        together += holds
    return int(together.max(initial=0)) >= _TOGETHER


# Slots are not given out again, so an index in which more is dead than alive is built anew; for a
# small one that is not worth a thought.
_REBUILD_ABOVE: Final = 0.5
_LEAST_TO_REBUILD: Final = 1_000


class Found(NamedTuple):
    """What a search found, and the reason why it looked things up as well, "" if it did not."""

    hits: list[Hit]
    deep: str


class Recall:
    """Find passages. The index follows ``note``; it is built by ``build`` or the first search.

    ``weights`` says how much each sign of relevance counts; the default is what was fitted.
    """

    def __init__(self, weights: Weights = fitted_weights) -> None:
        self._weights = weights
        self._index: PassageIndex | None = None

    def build(self, state: MemoryState, known: Reading | None = None) -> bool:
        """Index all of ``state``; may run in a thread, before anything else is called.

        What is ``known`` of its texts is not read again. Returns whether it was known of just
        these texts.
        """
        index = self._index = index_of(state, known)
        return index.was_known

    def rest_on_pages(self, state: MemoryState) -> None:
        """Read what stands in the pages of ``state`` there; the index is one of that state.

        May run in a thread, while nothing is noted.
        """
        if self._index is not None:
            self._index = index_on_pages(self._index, state)

    def lay_out(self) -> None:
        """Bring up to date how passages lie to one another; else the next search does it."""
        if self._index is not None and self._index.words.alive.any():
            _ = self._index.layout

    @staticmethod
    def places(state: MemoryState) -> PlacedIndex:
        """Return the texts :meth:`build` reads for this state, in their places; for a thread."""
        return placed_index(state)

    def reading(self, places: PlacedIndex, snapshot: str = "") -> Reading | None:
        """Return what these texts say that are in no page; None before there is an index.

        With the name of the snapshots they are in also where they stand. Nothing is noted then.
        """
        texts = unpaged_texts(places)
        if self._index is None or texts is None:
            return None
        found = reading_of_texts(self._index, texts, self._index.paged)
        return replace(found, placement=places.placement(snapshot)) if snapshot else found

    def note(self, changes: Iterable[Change], state: MemoryState | None = None) -> None:
        """Follow changes that were applied; before the index is built there is nothing to do.

        Where lines changed that memories rest on, these follow by the ``state`` after them, or by
        the next search. A new time zone, or more taken out than is left, makes it build anew.
        """
        for change in lines_first(changes):
            if self._index is None:
                return
            match change:
                case Put(AgentInfo(settings=settings)):
                    # Every passage is filed under the day it was said on, in that zone.
                    if settings.time_zone != self._index.zone.key:
                        self._index = None
                case _:
                    follow(self._index, change)
        if self._index is None or _needs_rebuild(self._index):
            self._index = None
        elif state is not None:
            settle(self._index, state.memories)

    def search(
        self,
        query: str,
        state: MemoryState,
        *,
        now: datetime,
        k: int = 10,
        reach: Reach = FAR_AND_WIDE,
        context: Sequence[TalkLine] = (),
    ) -> list[Hit]:
        """Return the at most ``k`` best passages for ``query``, best first; writes nothing.

        Ties go to the newer passage, then to the lower memory id.
        """
        hits = self.search_and_say(query, state, now=now, k=k, reach=reach, context=context).hits
        if not (reach.skip and state.agent_info.settings.unmentioned):
            return hits
        # For a reply, what is not to be mentioned stays out of it unless it is asked for.
        lately = [each.text for each in context if not each.assistant][-1:]
        return without_unmentioned(hits, (query, *lately), state)

    def said_since(
        self, query: str, hits: Sequence[Hit], state: MemoryState, *, now: datetime, reach: Reach
    ) -> list[Hit]:
        """Return what was likely said later of what is asked or was found; at most nine."""
        if self._index is None:  # nothing was ever looked for
            return []
        in_mind = InMind(self._index, state, now=now, reach=reach, deep="asked")
        return without_unmentioned(
            said_since(query, hits, self._index, state, in_mind), (query,), state
        )

    def search_and_say(
        self,
        query: str,
        state: MemoryState,
        *,
        now: datetime,
        k: int = 10,
        reach: Reach = FAR_AND_WIDE,
        context: Sequence[TalkLine] = (),
    ) -> Found:
        """Search as :meth:`search` does, and say why things were looked up as well, if so."""
        if self._index is None:
            self.build(state)
        index = self._index
        if index is None or k < 1:
            return Found([], "")
        settle(index, state.memories)
        reach = replace(reach, of_partner=asks_of_ones_own(query, index.words))
        # What says itself of whom it asks is not about what the last question was about.
        alone = reach.of_partner and not leans(query)
        asked_for = parse_query(query, index, now, () if alone else context)
        signs = SignsOfQuery(asked_for, index, both=not ends_as_question(query))

        def ranking(deep: str) -> Ranking:
            return Ranking(index, state, self._weights, now=now, reach=reach, deep=deep)

        def found(deep: str) -> Found:
            return Found(ranking(deep).hits(signs, k), deep)

        if reach.depth == "everyday" or reach.mode is not Mode.NORMAL:
            return found("")
        if reach.depth == "deep":
            return found("asked")
        names = names_asked_about(signs.query, state.agent_info.settings.partner)
        names = names or _known_names(query, index)
        asked = asks_about_past(query, now, index.zone, names) or _asks_which_of_told(query, index)
        if asked or reach.of_partner:
            return found(asked or _OWN)
        everyday = ranking("")
        more = self._wants_more(signs, everyday.nearest(signs))
        return found(more) if more else Found(everyday.hits(signs, k), "")

    def _wants_more(self, signs: SignsOfQuery, nearest: float) -> str:
        """Return why what came to mind is not enough, "" if it is; ``nearest``: how near it is."""
        if nearest < _NEAR_ENOUGH and has_cue(signs.query, signs.index):
            return _NOTHING_NEAR
        if ends_as_question(signs.query.text):
            return ""
        return _NEARER if self._is_strong_cue(signs, nearest) else ""

    def _is_strong_cue(self, signs: SignsOfQuery, nearest: float) -> bool:
        """Whether a line comes much nearer to something let go than to what came to mind."""
        index = signs.index
        in_mind = index.columns.everyday[: len(index)]
        others = np.flatnonzero(index.words.alive & ~in_mind)
        least = _STRONG_CUE * nearest
        # Seldom is anything else near enough to be looked at closely: that doubles the search.
        by_sign = self._weights(signs.query)
        if not len(others) or signs.most_relevance(by_sign, others, least) < least:
            return False
        slots, near = relevant_passages(signs, self._weights)
        return float(near[~in_mind[slots]].max(initial=0.0)) >= max(least, 1e-9)


def _needs_rebuild(index: PassageIndex) -> bool:
    return len(index) > _LEAST_TO_REBUILD and index.words.dead_share > _REBUILD_ABOVE
