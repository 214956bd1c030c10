"""What a line is likely to tell, where no rule knows its words: learnt weights find it.

A question and its answer often share no word, nor do a thing and what ended it. What
``memory.text.matters`` has learnt joins them. What is found so is quoted, in the partner's own
words and with its day: it is never told as a fact.

And what came without any words (a picture, a recording): it was said by nobody, and is told only
to who asks what came.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from memory.offline.claimed import claimed
from memory.offline.lines_at_hand import OF_YOU, Told
from memory.offline.questions import Question, without_telling
from memory.offline.statements import sentences_of, states
from memory.offline.understood import is_anothers_word
from memory.offline.vocabulary import is_question
from memory.text.late_pattern import LatePattern
from memory.text.matters import (
    chance_of_ending,
    chances_of_telling,
    is_of_one_matter,
    likely_matters,
    likeness,
)
from memory.text.passed_on import sent_in, without_sent
from memory.text.tokens import is_dense, plainly_written
from prompts import PromptLine, PromptMemory, Reply

_I: Final = re.IGNORECASE

_LONGEST: Final = 120
"""In characters: a longer sentence is a story, in which a matter is only touched on.

Where words are written in letters it is twice that.
"""

_LIKE: Final = 0.1
"""How likely a line must be of the matter that is asked about to be told as news of it."""

_ENDS: Final = 0.3
"""How likely a line must have ended another to be told before it."""


def is_short(text: str) -> bool:
    """Tell whether a text is told whole."""
    return len(text) <= _LONGEST or (len(text) <= 2 * _LONGEST and not is_dense(text))


def likeliest_line(
    lines: Sequence[PromptLine], asked: Question, *, former: bool, surely: bool
) -> PromptLine | None:
    """Return the line that is likeliest to tell what is asked; often there is none.

    Of what is asked of ``former`` times the elder lines are likelier. ``surely``: it must be
    likelier by far.
    """
    known = {line.text: line for line in sorted(lines, key=lambda each: each.at, reverse=former)}
    chances = chances_of_telling(without_telling(asked.text), [*known])
    if not known or chances.max() < (_SURELY_TELLS if surely else _TELLS):
        return None
    return [*known.values()][int(chances.argmax())]


_TELLS: Final = 0.03
_SURELY_TELLS: Final = 0.1
"""How likely it must be at least; the latter where the question may be about the world."""


def likely_end(known: str, later: Sequence[PromptLine], asked: Question) -> Told | None:
    """Return the later line of the partner's that is likeliest to have ended what was known.

    In a long life many a line seems to end whatever was known: only one that is of the same
    matter, and of what is asked, is told.
    """
    wanted = likely_matters(without_telling(asked.text))
    best, found = _ENDS, None
    for line in {x.text: x for x in later if x.text not in known}.values():
        for sentence in sentences_told(line.text, asked.text):
            chance = chance_of_ending(sentence, known)
            fits = likeness(sentence, wanted) >= _LIKE and is_of_one_matter(sentence, known)
            if fits and chance >= best and not OF_YOU.search(sentence):
                best, found = chance, Told(whole_or_from(sentence, line.text), "user", line.at)
    return found


def sentences_told(line: str, asked: str) -> Iterator[str]:
    """Yield the plain sentences of a line that state something, the last first; no dream.

    What is only passed on in it says nothing of who is ``asked`` about.
    """
    for sentence in reversed(sentences_of(line)):
        plain = is_short(sentence) and states(sentence) and not is_question(sentence)
        if plain and any(claimed([sentence])) and not is_anothers_word(sentence, asked):
            yield sentence


def whole_or_from(sentence: str, line: str) -> str:
    """Return a short line whole, of a longer one a sentence and those after it, as far as told."""
    if is_short(line):
        return line
    told = ""
    for each in sentences_of(line[line.find(sentence) :]):
        if told and not is_short(told + each):
            break
        told += f"{' ' if told and each[:1].isascii() else ''}{each}"
    return told


def spoken(lines: Sequence[PromptLine]) -> tuple[PromptLine, ...]:
    """Return lines without what came without words: that it came is nothing anybody said."""
    return tuple(x._replace(text=own) for x in lines if (own := without_sent(x.text)))


def spoken_memories(memories: Sequence[PromptMemory]) -> Iterator[PromptMemory]:
    """Yield memories with what was said in them, and no line of the diary in which nothing was."""
    for each in memories:
        if each.tier != "diary" or without_sent(each.text):
            quotes = filter(None, map(without_sent, each.quote.split(" … ")))
            yield each._replace(said=spoken(each.said), quote=" … ".join(quotes))


def points_at(asked: str) -> bool:
    """Whether words that came with something are about that: 这是什么花, "who is this"."""
    return _POINTS.search(asked) is not None


_POINTS: Final = LatePattern(r"[这這]|你[看听]|图|照片|\b(?:this|these|it|picture|photo)\b", _I)

_SENT_THINGS: Final = (
    "语音|图片?|照片|相片|文件|文档|报告|视频|表情|贴纸|位置|定位|名片|卡片|红包|东西"
)
_SENT_THINGS_EN: Final = (
    "voice|recording|picture|photo|pic|image|file|document|video|sticker|location|contact|card"
)

_JUST: Final = "刚才?|刚刚|今[早天晚]|昨[天晚]|前天|[早晚]上|[上中下]午|之前|上[次回]|[都又]|一共"

_ASKS_SENT: Final = LatePattern(
    rf"(?:我|{_JUST})(?:{_JUST}){{0,2}}(?:[给跟向]你)?[都刚又]?[发传转]"
    rf"(?:给你|过来|来|过|了|的)+[都是一些个张段条份那]{{0,3}}(?:(?:什么|啥|哪些)(?:{_SENT_THINGS})?"
    rf"(?:来着|[啊呀呢了])*\W*$|(?:{_SENT_THINGS}).*(?:[吗么没呢?？]|什么|啥|来着))"
    rf"|(?:看|听|收|打)[得不]?(?:到|见|懂|开|了)[^，,。]{{0,6}}我[^，,。给跟向]{{0,4}}(?:[给跟向]你)?[发传转]"
    rf"|(?:刚才?|刚刚|上面)[那这的]{{0,2}}[一张段个条份]{{0,2}}(?:{_SENT_THINGS}).*(?:[吗么没呢?？]|什么|啥)"
    r"|\bwhat (?:did|have|was it) i (?:just )?(?:sen[dt]|share[d]?)(?: (?:you|to you|here|just now"
    r"|earlier|today|before))*\W*$"
    r"|\b(?:did|can|could|have) you .{0,16}\b(?:my|i (?:just )?sent)\b.{0,12}"
    rf"\b(?:{_SENT_THINGS_EN})"
    rf"|\b(?:{_SENT_THINGS_EN})\w*(?: \w+)? i (?:just )?sent\b.*\?",
    _I,
)


def sent_before(prompt: Reply, asked: str) -> list[tuple[datetime, str]]:
    """Return when what came without words, where that is asked: of the asked kind, the last few.

    Empty if it is not asked, or nothing is known to have come of who asks.
    """
    if not _ASKS_SENT.search(plainly_written(asked)):
        return []
    speaker = prompt.window[-1].speaker
    lines = [*prompt.window, *(line for m in prompt.memories for line in m.said)]
    lines += [PromptLine("user", m.speaker, m.when, m.text) for m in prompt.memories]
    came = {
        (line.at, what): kind
        for line in lines
        if line.role == "user" and line.speaker == speaker
        for what, kind in sent_in(line.text).items()
    }
    kinds = {kind for names, kind in _KINDS_SENT if names.search(asked)}
    of_kind = [each for each, kind in came.items() if kind in kinds]
    return sorted(of_kind or came)[-_MOST_SENT:]


_MOST_SENT: Final = 5

_KINDS_SENT: Final = tuple(
    (LatePattern(names, _I), kind)
    for names, kind in (
        ("语音|voice|recording", "voice"),
        ("图|照片|相片|pic|photo|image", "picture"),
        ("图|照片|相片|pic|photo|image", "seen"),
        ("文件|文档|报告|file|document", "file"),
        ("视频|video", "video"),
        ("表情|贴纸|sticker", "sticker"),
        ("位置|定位|location", "place"),
        ("名片|contact|card", "contact"),
    )
)
