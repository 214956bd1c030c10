"""What in a message is its speaker's own, and what they only pass on.

A platform marks quotations and forwards. People also paste: a letter to be corrected, a chat log,
a post they saw, lyrics, the words of a colleague. None of that is said by them. It shows in three
ways, each a rule of its own here:

- by its form: quotation marks, code, lines with a name in front, headers with a time, titles;
- by a sentence that announces it or asks for work on it, before or after, in this message or in
  the one before;
- by a frame: a game, a joke, somebody else's report.

In doubt a text is shown, not said: what is not learnt can be said again, what was never said
should not be known (docs/decisions/judgement.md).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice
from typing import Final

from memory.model import Message
from memory.text.announcing import (
    announces,
    asks_what_it_says,
    is_chinese,
    is_heading,
    is_name_of_text,
    is_played,
    is_remark_on_text,
    names_text,
    speaks_of_text,
    tells_about_self,
)
from memory.text.late_pattern import Alternatives, LatePattern
from memory.text.layout import Span, layout_spans, led_into
from memory.text.word_forms import SIMPLIFIED

LONGEST_QUOTED_NAME: Final = 8
"""Up to so many characters in quotation marks are a name or a title: 我叫“阿明”."""

MOST_QUOTED_WORDS: Final = 5
"""So many words, English, are still a title; a sentence has more."""

_LONGEST_READ: Final = 8_000
"""Beyond so many characters a message is a document: the rest of it is shown."""


_SHORT_ASIDE: Final = 16
"""Up to so many characters after the last announcing sentence are an aside: 拜托啦."""

_LEAST_SHOWN: Final = 6
"""So many characters beside an announcing sentence are worth being what it announces."""


def own_words(message: Message, before: Sequence[Message] = ()) -> Message:
    """Return the message with what its speaker only passes on moved from ``text`` to ``quoted``.

    ``before`` are the lines of the conversation before it, oldest first: one of the same speaker
    may have announced it. Total; a message in the speaker's own words comes back as it is.
    """
    asked = before[-1].text if before and before[-1].role == "assistant" else ""
    text, shown = _own_text(message.text, _lines_of(message.speaker, before), asked)
    if not shown:
        return message
    return replace(message, text=text, quoted="\n".join(filter(None, (message.quoted, shown))))


def own_text(text: str, before: Sequence[str] = ()) -> tuple[str, str]:
    """Return what of a text is its author's own, and what is only passed on.

    ``before`` are the author's lines before it, the newest first.
    """
    return _own_text(text, tuple(before), "")


# A turn asks it of the same message for each thing that may be wanted of it.
@lru_cache(maxsize=16)
def _own_text(text: str, before: tuple[str, ...], asked: str) -> tuple[str, str]:
    spans = _merged(_shown_spans(text, before, asked))
    if not spans:
        return text, ""
    own, shown, end = [], [], 0
    for start, stop in spans:
        own.append(text[end:start])
        shown.append(text[start:stop].strip())
        end = stop
    own.append(text[end:])
    # A space, not nothing: what stood on both sides of a quotation must not become one word.
    return " ".join(own).strip(), "\n".join(filter(None, shown))


def own_words_of(said: Sequence[Message], before: Sequence[Message] = ()) -> tuple[Message, ...]:
    """Return the messages of one talk, each with what is only passed on set apart.

    ``before`` are the lines before the first of them, oldest first.
    """
    return tuple(
        own_words(message, (*before, *said[:place])) if message.role == "user" else message
        for place, message in enumerate(said)
    )


def _lines_of(speaker: str, before: Sequence[Message]) -> tuple[str, ...]:
    """Return the last two lines of the same person, the newest first."""
    own = (each for each in reversed(before) if each.role == "user" and each.speaker == speaker)
    return tuple(each.text for each in islice(own, 2))


def _shown_spans(text: str, before: Sequence[str], asked: str) -> Iterator[Span]:
    """Yield every stretch that is shown, in no order; they may overlap."""
    # One character for one: what is found in the one stands in the other.
    read = text[:_LONGEST_READ].translate(SIMPLIFIED)
    if len(read) < len(text):
        yield len(read), len(text)
    # First, and blanked: what came without words announces nothing, here or before.
    yield from (found.span() for found in _sent().finditer(read))
    read = _sent().sub(lambda found: " " * len(found[0]), read)
    before = [own for each in before if (own := without_sent(each))]
    if not read.strip():
        return
    if is_played(read, before) or _was_announced(before) or _is_asked_text(asked, before):
        yield 0, len(read)
        return
    yield from _marked_spans(read)
    yield from layout_spans(read)
    yield from _announced_spans(read)
    yield from _remarked_spans(read)
    led = led_into(read)
    if led is not None and not tells_about_self(read):
        yield led


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, stop in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        elif start < stop:
            merged.append((start, stop))
    return merged


# --- What came without words -----------------------------------------------------------------

# As the adapters name it (``bot.texts``), in either language, each on a line of its own. Of two
# that begin alike the longer is first.
_SENT: Final = {
    "picture": "发来一张图片，|sent a picture I cannot",
    "seen": "发来一张图片|sent a picture",
    "voice": "发来一段语音|sent a voice note",
    "video": "发来一段视频|sent a video",
    "sticker": "发来一个(?:贴纸|表情)|sent a sticker",
    "place": "发来一个(?:地点|位置)|sent a (?:place|location)",
    "file": "发来一个文件|sent a file",
    "contact": "发来一张名片|分享了一个|shared (?:a contact|somebody's card|a group)",
    "vote": "发起投票|started a (?:poll|vote)",
    "plan": "发来一个(?:任务|日程)|sent (?:a task|an appointment)",
    "forward": "转发了一段话|转来一张卡片|forwarded (?:something|a card)",
    "reaction": "回应了一个|reacted with",
    "thing": "发来一样|sent something I cannot",
}


@cache
def _sent() -> LatePattern:
    kinds = "|".join(f"(?P<{kind}>{begins})" for kind, begins in _SENT.items())
    return LatePattern(rf"^[（(](?:{kinds})[^\n]*[）)][ \t]*$", re.MULTILINE)


def sent_in(text: str) -> dict[str, str]:
    r"""Return what a text says to have come without words: each as it is named, and its kind.

    >>> sent_in("看\n（发来一个文件：体检.pdf，我还打不开）")
    {'发来一个文件：体检.pdf，我还打不开': 'file'}
    """
    found = _sent().finditer(text)
    return {each[0].strip()[1:-1]: each.lastgroup or "" for each in found}


def without_sent(text: str) -> str:
    r"""Return a text without what it says to have come without words.

    >>> without_sent("看\n（发来一段语音，我还听不了）"), without_sent("（发来贺电）")
    ('看', '（发来贺电）')
    """
    # Most lines are looked at for nothing: no pattern runs over what cannot be one.
    return _sent().sub("", text).strip() if "（" in text or "(" in text else text


# --- By its form -----------------------------------------------------------------------------

# Repetitions are bounded or exclude their own end, so that long hostile text is parted quickly.
_MARKED: Final = (
    r"(?P<fence>```.*?(?:```|\Z))",
    r"(?P<blank>^[^\n]*(?:_{3,}|＿{3,}|\[[A-Z]{3,}\])[^\n]*)",
    (
        r"(?:翻译|润色|改写|(?:帮我|给我|替我|(?<!我))总结(?!起来|下来|来说|一下就是)|概括|校对"
        r"|解释|分析|朗读|复述"
        r"|重复|看看|读一下|摘要|转发|原文|内容如下|续写"
        r"|translate|summari[sz]e|proofread|rewrite|explain|paraphrase|repeat|read|forwarded?"
        r"|(?<!I )quote"
        r"|what (?:does|do)|look at)[^：:\n]{0,20}[：:](?P<task>.+)\Z"
    ),
    r"(?P<line>^[ \t]*[>＞][^\n]*)",
    # 转贴：【淡水区公所】…, 房东发的：…, "fwd: …": a head that says whose the rest is not.
    (
        r"\A\s*(?:(?:[^：:\n，。,我]{0,8}(?:转[贴帖载发播]|搬运|发来的?|发的"
        r"|[群圈]里?(?:说|发|贴)?的)|转)(?:一下|一条|一个)?"
        r"|(?:紧急|重要|学校|物业|社区|公司)*(?:通知|公告)(?=[ \t]*[：:](?![ \t]*[我俺咱])))"
        r"[ \t]*[：:](?P<posted>(?s:.+))\Z"
    ),
    (
        r"\A\s*(?:(?:fwd?|forward(?:ed)?|copied|pasted|repost(?:ed)?|shared)\b[^：:\n]{0,30}"
        r"|from (?:the|our|my) (?:school|landlord|office|gp|council|group|chat|company|boss|work"
        r"|neighbou?r)\w*)"
        r"[：:](?P<passed>(?s:.+))\Z"
    ),
    (
        r"(?:^|(?<=[，。,.!！?？\n]))[^我，。,\n：:]{1,12}?(?:说|告诉我|问我?|回复|写道|留言"
        r"|发来|来信"
        r"|says?|said|wrote|told me|writes|asked)[：:,，]?[ \t]*[：:](?P<said>[^\n]*)"
    ),
    # Aloud, or as good as: nobody shouts "I" of another. To the comma: the rest may be their own.
    (
        r"(?<![A-Za-z])(?:mum|mom|dad|nan|sister|brother|cousin|aunt\w*|uncle|friend|mate|kid"
        r"|son|daughter"
        r"|flatmate|roommate|neighbou?r|guy|man|woman|lady|girl|someone|he|she"
        r"|they)(?:\s\w+){0,4}?\s"
        r"(?:saying|says|going|goes|shouting|yelling|screaming)\s(?P<aloud>i(?:['’](?:m|ve)"
        r"|\s(?:was|am|have|had)"
        r"|\sused)(?![a-z])[^,.!?\n]*)"
    ),
    (
        r"(?:^|(?<=[，。,.!！?？\n]))[^我，。,\n：:]{2,14}(?:喊|嚷|念叨|吵"
        r"|闹)着?(?P<aloud_zh>我[要想是有会能][^，。！？!?\n]*)"
    ),
    # 他跟我讲，我住在火星: whoever is reported speaks of themselves as I.
    (
        r"(?:^|(?<=[，。,.!！?？\n]))(?:我们?)?[^我，。,\n：:]{1,14}(?:跟我|跟人|对我|对人)(?:说"
        r"|讲)[，,：: ]*(?P<reported>[我俺][^。！？!?\n]*)"
    ),
    # "she goes, I …": whoever is told to speak so directly, comma and all, says I of themselves.
    (
        r"(?<![A-Za-z])(?!I\s|we\s|you\s|me\s)(?:[A-Za-z'’]+\s){0,4}?(?:(?<!I )(?<!we )(?:goes"
        r"|went|(?:is|was|be|being|['’]s|were)\s"
        r"(?:all\s|just\s|straight\sup\s)?like)[,:]?|(?<!I )(?<!we )(?:says?|said|sez"
        r"|told\s(?:me|us)|tells\s(?:me|us)|texts?(?:\sme)?|texted(?:\sme)?"
        r"|writes|wrote|replied|shouts?|yells?|announced?s?|mutters?|muttered|whispers?"
        r"|whispered|pipes\sup)[,:])\s+"
        r"(?P<direct>[\"“'‘]?(?:I|I['’](?:m|ve|d|ll)|my|we|we['’]re|mine|me)(?![A-Za-z])[^.!?\n]*)"
    ),
    (
        r"(?:^|(?<=[，。,.!！?？\n]))(?![跟和对向同给](?!我)|[^，。,\n：:]{0,14}(?:[你您咱听真]"
        r"|实话|句话|来[说讲]|这么|所以|要[说讲]|据说|虽说|再说|总的|也就是))"
        r"[^我，。,\n：:]{1,14}(?:说|讲|念叨|嚷嚷?|喊|吼|吹|嘀咕|开口|来了?一?句|回了?一?句"
        r"|哭着|笑着)(?:了|道)?"
        r"[，,：:][ \t]*(?P<direct_zh>(?:我|俺|咱|本人|老子|老娘)[^。！？!?\n]*)"
    ),
    # "ok so in game I'm a cleric and I live in a tower": to the end of the sentence it is played.
    r"(?:\A|(?<=[.!?\n]))(?P<game>[^.!?\n]{0,30}\b[Ii]n[- ]game,? (?:I|i|my)\b[^.!?\n]*)",
    # "I was born blind, says Marlowe, and …": who is named behind it says I of themselves.
    (
        r"(?:\A|(?<=[.!?\n]))(?P<inverted>[^.!?\n]{3,200}?,[\"”’']? ?(?:says|said|cried|cries"
        r"|whispers|whispered|asks|asked|replies|replied|mutters|muttered) (?!(?:Dr|Doc|GP|Nurse"
        r"|Mum|Mom|Dad|Nan|Gran|Prof|I|My|The|\w+days?)\b)(?-i:[A-Z])[^.!?\n]*)"
    ),
    rf"“(?P<zh>[^“”]{{{LONGEST_QUOTED_NAME + 1},2000}})”",
    rf"「(?P<corner>[^「」]{{{LONGEST_QUOTED_NAME + 1},2000}})」",
    rf"『(?P<double>[^『』]{{{LONGEST_QUOTED_NAME + 1},2000}})』",
    rf"(?<![\w\"])\"(?P<en>(?:[^\"\s]+\s+){{{MOST_QUOTED_WORDS},400}}[^\"\s]+)\"",
    # A whole message between single marks; within a sentence they are apostrophes.
    r"\A\s*['‘](?P<single>[^\n]{12,2000})['’][.!?…]*\s*\Z",
    # Short, but somebody speaks in it: "I am a teapot" is no title.
    r"[“「『\"](?P<speech>(?:我|咱|俺|本人|I['’ ]|my )[^“”「」『』\"\n]{2,40})[”」』\"]",
)


@cache
def _marked() -> Alternatives:
    return Alternatives(_MARKED, re.MULTILINE | re.DOTALL)


def _marked_spans(text: str) -> Iterator[Span]:
    """Yield what stands in marks: quotations, code, quoted lines, what somebody is said to say."""
    for found in _marked().finditer(text):
        if found.lastgroup:
            yield found.span(found.lastgroup)


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    start: int
    stop: int


_SENTENCE: Final = LatePattern(r"(?:[^\n。！？!?.]|\.(?!\s|$))+[。！？!?….]*")


def _sentences(text: str) -> list[_Sentence]:
    return [
        _Sentence(found[0], *found.span())
        for found in _SENTENCE.finditer(text)
        if found[0].strip()
    ]


_LATIN_RUN: Final = LatePattern(r"[A-Za-z][A-Za-z'’,.\- ]{20,}")


def _announced_spans(text: str) -> Iterator[Span]:
    """Yield what a sentence of the message announces: what follows it, else what precedes it."""
    every = _sentences(text)
    found = [each for each in every if announces(each.text) or _colon_in(each) is not None]
    # On a line of its own a mere question about a text is enough.
    apart = [each for each in every if _stands_apart(each, text) and speaks_of_text(each.text)]
    found = sorted({*found, *apart}, key=lambda each: each.start)
    if not found:
        return
    first, last = found[0], found[-1]
    colon = _colon_in(first)
    if colon is not None:
        yield (first.start if is_heading(first.text[:colon]) else first.start + colon), len(text)
    elif len(text[first.stop :].strip()) >= _LEAST_SHOWN:
        yield first.stop, len(text)
    if len(text[last.stop :].strip()) < _SHORT_ASIDE:
        yield 0, last.start
    # 英译汉：My father is a blacksmith – the text itself stands in the sentence that announces it.
    for each in found:
        for run in _LATIN_RUN.finditer(each.text) if is_chinese(each.text) else ():
            yield each.start + run.start(), each.start + run.end()


def _remarked_spans(text: str) -> Iterator[Span]:
    """Yield the rest of a message whose first or last line is a remark on a text."""
    lines = list(re.finditer(r"[^\n]+", text.rstrip()))
    if len(lines) == 1:
        return
    first, last = lines[0], lines[-1]
    if is_remark_on_text(last[0]) and len(text[: last.start()].strip()) >= _LEAST_REMARKED:
        yield 0, last.start()
    if is_remark_on_text(first[0]) and len(text[first.end() :].strip()) >= _LEAST_REMARKED:
        yield first.end(), len(text)


_LEAST_REMARKED: Final = 8


def _stands_apart(sentence: _Sentence, text: str) -> bool:
    """Tell whether a line break parts a sentence from what is before it or after it."""
    before, after = text[: sentence.start].rstrip(" \t（("), text[sentence.stop :].lstrip(" \t)）")
    return before.endswith("\n") or after.startswith("\n")


def _colon_in(sentence: _Sentence) -> int | None:
    """Return where in an announcing sentence that begins which it announces."""
    found = LatePattern(r"[：:—–]|\s-\s").search(sentence.text)
    if found is None or len(sentence.text) - found.end() < _LEAST_SHOWN:
        return None
    return found.end() if announces(sentence.text[: found.end()]) else None


def _is_asked_text(asked: str, before: Sequence[str]) -> bool:
    """Tell whether she just asked what a text says of which the same person spoke."""
    return asks_what_it_says(asked) and any(map(names_text, before[:1]))


def _was_announced(before: Sequence[str]) -> bool:
    """Tell whether a line of the same person announced what comes, and did not hold it."""
    for place, line in enumerate(before):
        sentences = _sentences(line)
        if not sentences or len(sentences) > 2 + place:
            return False
        if any(announces(each.text) and _colon_in(each) is None for each in sentences):
            return True
        if is_name_of_text(line):
            return True  # tape 2, 下一段
    return False
