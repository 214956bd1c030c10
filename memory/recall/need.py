"""Whether a line needs anything remembered: below a border a prompt is given nothing.

Most lines of a running talk go on from what was just said. What words bring up beside them costs
tokens and leads away, so a line that asks nothing, and speaks of no earlier talk, has to come near
to something, or bring up something new in the talk. Fitted by ``benchmarks/need.py``, and chosen
by people and a kind of talk that were left out (``docs/recall.md``).

Here too: which lines of a window are answered together, and what of them came without any words
(a picture, a recording): it was said by nobody, and is told only to who asks what came. And which
short answers are none: the partner's own line, or what she said twice before.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import islice, takewhile
from typing import Final
from zoneinfo import ZoneInfo

from memory.model import Message
from memory.recall.query import share_asked
from memory.recall.ranking import Hit
from memory.recall.search import asks_about_past
from memory.text.late_pattern import LatePattern
from memory.text.passed_on import sent_in, without_sent
from memory.text.segmentation import letters_of, weight_of
from memory.text.tokens import plainly_written, tokens
from prompts import PromptLine, PromptMemory, Reply
from prompts.rendering import one_line

_I: Final = re.IGNORECASE

NEWNESS_WEIGHT: Final = 0.5
"""How much the newness of a line in its talk counts, beside the relevance of its best hit."""

NEED_BORDER: Final = 0.54
"""The least need of a line that is given anything."""

_LINES_BEFORE: Final = 8


def needs_memory(
    line: str, hits: Sequence[Hit], before: Sequence[str], *, now: datetime, zone: ZoneInfo
) -> bool:
    """Tell whether a line, said after the lines ``before``, is to be given what it brought up.

    ``hits`` are that. The most relevant need not be the first: what is newer of one matter is.
    """
    if not hits or asks_for_memory(line, hits, now=now, zone=zone):
        return True
    nearest = max(hit.relevance for hit in hits)
    return nearest + NEWNESS_WEIGHT * newness(line, before) >= NEED_BORDER


def asks_for_memory(line: str, hits: Sequence[Hit], *, now: datetime, zone: ZoneInfo) -> bool:
    """Tell whether a line is given what it brought up however little that is.

    Whoever asks anything is, and so is whoever speaks of what was said earlier, or of something
    that had to be looked up.
    """
    asks = share_asked(line) > 0.0 or any(hit.looked_up for hit in hits)
    return asks or asks_about_past(line, now, zone) != ""


def newness(line: str, before: Iterable[str]) -> float:
    """Return the share of the words of a line that its talk has not had yet, 0 to 1."""
    words = _words_of(line)
    known = frozenset[str]().union(*map(_words_of, [*before][-_LINES_BEFORE:]))
    return len(words - known) / len(words) if words else 0.0


# Of the lines a turn looks back at, all but two were looked at by the turn before.
@lru_cache(maxsize=64)
def _words_of(line: str) -> frozenset[str]:
    return frozenset(tokens(line))


def lines_answered(window: Sequence[PromptLine], new: int = 0) -> list[PromptLine]:
    """Return the lines at the end of a window that are answered together: the ``new`` ones.

    In a group only what one member wrote in one go is: the rest was said to others. Where nobody
    counted what is new, it is all since her last reply.
    """
    last = window[-1]
    group = any(line.role == "user" and line.speaker != last.speaker for line in window)
    theirs = takewhile(
        lambda x: x.role == "user" and (not group or x.speaker == last.speaker), reversed(window)
    )
    if new and not group:
        return list(islice(theirs, new))[::-1]
    return [x for x in theirs if not group or last.at - x.at <= _IN_ONE_GO][::-1]


_IN_ONE_GO: Final = timedelta(seconds=20)


def said_before(
    window: Sequence[Message], said: Sequence[Message], *, private: bool
) -> tuple[Message, ...]:
    """Return what was said before the lines that are answered, ``said``.

    In private nothing that waits behind them: it was said later, and is answered after them.
    """
    # What was tried before stands in the window; what erasing part of a turn gave back does too.
    answered = {message.id for message in said}
    known = [place for place, line in enumerate(window) if line.id in answered]
    end = len(window)
    if private and known and len(known) == len(answered):
        replies = (place for place, line in enumerate(window) if line.role == "assistant")
        end = max([*known, *replies]) + 1
    return tuple(line for line in window[:end] if line.id not in answered)


def empty_answers(window: Sequence[PromptLine], new: int = 0) -> frozenset[str]:
    """Return the letters of the short answers that say nothing to the last lines of a window.

    Those are the lines themselves, but a greeting or a nod, and what she said twice just before to
    something else.
    """
    lines = [said_in_short(line.text) for line in lines_answered(window, new)]
    before = window[: len(window) - len(lines)]
    hers = [said_in_short(line.text) for line in before if line.role == "assistant"]
    theirs = [said_in_short(line.text) for line in before if line.role == "user"]
    empty = {line for line in lines if not _NODS.fullmatch(line)}
    if hers[-1:] == hers[-2:-1] and theirs[-1:] != lines[-1:]:
        empty.update(hers[-1:])
    return frozenset(line for line in empty if line and not _GREETS.fullmatch(line))


def said_in_short(text: str) -> str:
    """Return the letters of a short text, without the particle at its end; nothing of others."""
    return letters_of(text).rstrip(_PARTICLES) if weight_of(text) < _SHORT else ""


_SHORT: Final = 6.0
_PARTICLES: Final = "啊呀呢哦嘛啦哒"
_NODS: Final = re.compile(
    r"[嗯哈嘿呵嘻哦噢好对是耶哇唉喵汪]+的?|ok(?:ay)?|ye(?:s|ah|p)|no|l+ol|(?:ha)+h?|wow|yay|hm+"
)
"""Said back, these mean the same once more: 嗯, 哈哈."""
_GREETS: Final = re.compile(
    r"[晚早午]安|早上?好?|晚上好|下午好|[你您]好|嗨|哈[喽啰]|再见|拜+|(?:明天|回头|一会儿?)见|.{0,4}快乐"
    r"|加油|干杯|谢谢你?|(?:我也?)?(?:很)?[爱想]你了?|么+哒?|抱抱|亲亲|h(?:ello|i|ey)+|(?:good)?(?:night|morning|evening)"
    r"|good(?:afternoon|bye)|bye(?:bye)?|see(?:you|ya)(?:soon|later|tomorrow)?|happy[a-z]{3,15}|merry(?:christmas|xmas)"
    r"|cheers|(?:i)?(?:love|miss)you(?:too)?|thanks|thankyou|hugs|kisses|sweetdreams|sleepwell"
)
"""What is said to one another, each time anew."""


def without_mentions(window: Sequence[PromptLine]) -> tuple[PromptLine, ...]:
    """Return lines without how she is called in a group: what stands behind it was said."""
    return tuple(line._replace(text=_MENTION.sub("", line.text)) for line in window)


_MENTION: Final = re.compile(r"^\s*@(?:\w*bot(?![a-z])|小祥)[，,：:\s]*(?=\S)", re.IGNORECASE)


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


def is_what_is_shown(shown: str, line: str) -> bool:
    """Whether a text that was shown is a line, in which her call is not kept."""
    text = one_line(line)
    return shown == text or (shown.endswith(text) and len(shown) - len(text) <= _LONGEST_CALL)


_LONGEST_CALL: Final = 40


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
