"""What is offered where nothing plainly answers: the nearest, and what a request needs to know.

Who asks what film to avoid, or wants 一首我爱听的, is told what they last said of the matter
meant: quoted with its day and no more than offered, since only a rule takes it for that.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from memory.offline.answer_kinds import asks_of_former_times
from memory.offline.answers import Answer
from memory.offline.known_facts import shared_facts
from memory.offline.lines_at_hand import Told
from memory.offline.lines_meant import NEAR, lines_of, own_line
from memory.offline.phrasing import Phrasing, quoted_with_day
from memory.offline.questions import Question
from memory.offline.since import ToldWithNews
from memory.offline.vocabulary import EN
from memory.recall.matters_asked import Need, needs_of
from memory.text.slot_cues import Slot
from memory.text.slots import slot_claims
from prompts import PromptLine, PromptMemory, Reply


def told_sideways(
    question: Question, prompt: Reply, before: Sequence[PromptLine], phrasing: Phrasing
) -> str:
    """Return what was last told of what a line needs to know, as what may be meant; often "".

    What is known to be over is told as over, where nothing holds in its place.
    """
    needs = needs_of(question.text)
    of_kin = question.kin and not any(Slot.PARTNER in need.slots for need in needs)
    if not needs or of_kin or asks_of_former_times(question.text):
        return ""
    if prompt.name and any(Slot.NICKNAME in need.slots for need in needs):
        return phrasing.sayings.asked_name.format(name=prompt.name)
    names = frozenset({prompt.partner, prompt.window[-1].speaker})
    news = ToldWithNews(phrasing, question, prompt, before)
    over = [m for m in prompt.memories if m.past and m.tier not in _NO_FACTS]
    lines = lines_of(prompt.window[-1].speaker, before, prompt.memories)
    best = max(_meeting(needs, _still_so(lines, over, prompt), names), key=_when, default=None)
    if best is not None:
        told = Told(own_words(best, prompt.memories), "user", best.at)
        what = news.news_of(told).rstrip(".。") or quoted_with_day(phrasing, told)
        return phrasing.sayings.unsure.format(what=what)
    gone = (PromptLine("user", m.speaker, m.when, m.text) for m in over if m.instead)
    last = max(_meeting(needs, gone, names), key=_when, default=None)
    known = [m for m in over if last and m.text == last.text]
    return news.facts(known[:1]) if known else ""


_NO_FACTS: Final = frozenset({"diary", "episode"})


def _when(line: PromptLine) -> float:
    return line.at.timestamp()


def _still_so(
    lines: Iterable[PromptLine], over: Sequence[PromptMemory], prompt: Reply
) -> Iterator[PromptLine]:
    """Yield lines without those of which all that was learnt is over."""
    holds = {m.when for m in prompt.memories if not m.past and m.tier not in _NO_FACTS}
    gone = {m.when for m in over} - holds
    return (line for line in lines if line.at not in gone)


def _meeting(
    needs: Sequence[Need], lines: Iterable[PromptLine], names: frozenset[str]
) -> Iterator[PromptLine]:
    """Yield the lines that tell something a request needs."""
    for line in lines:
        claims = slot_claims(line.text, names)
        if any(need.is_met_by(claim, line.text) for claim in claims for need in needs):
            yield line


def own_words(line: PromptLine, memories: Sequence[PromptMemory]) -> str:
    """Return the partner's own words for what a rule worded of them."""
    said = (own_line(m) for m in memories if m.text.endswith(line.text) and m.when == line.at)
    return next(filter(None, said), line.text)


def nearest_line(near: Answer, news: ToldWithNews, phrasing: Phrasing) -> str:
    """Return the line that comes nearest, as no more than that; it may be over as well."""
    told = news.news_of(near.best).rstrip(".。") or quoted_with_day(phrasing, near.best)
    say = phrasing.sayings
    if near.holds and near.trust >= _MAY_BE:
        return say.unsure.format(what=told)
    return say.not_known + (" " if say is EN else "") + say.nearest.format(what=told)


def nearest_fact(prompt: Reply, question: Question, news: ToldWithNews, phrasing: Phrasing) -> str:
    """Return the fact that shares most with a question, as far as it may answer it."""
    known, kinds = shared_facts(prompt, question), question.kinds
    if known is None or known[1] < NEAR:
        return ""
    if known[1] < _FULL or (kinds and not kinds[0].holds.search(known[0][0].text)):
        told = news.facts(known[0]).rstrip(".。")
        what = told.removeprefix(phrasing.sayings.known.partition("{")[0])
        return phrasing.sayings.unsure.format(what=what)
    return news.facts(known[0])


_MAY_BE: Final = 0.4
"""How likely what is near must be to be offered as what may be meant."""

_FULL: Final = 0.99
