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
from functools import cache
from typing import Final, TypeAlias

from memory.model import Message
from memory.text.announcing import (
    OF_ONESELF,
    announces,
    is_chinese,
    is_name_of_text,
    speaks_of_text,
    tells_about_self,
)
from memory.text.tokens import SIMPLIFIED

Span: TypeAlias = tuple[int, int]
"""The first character of a stretch of text, and the one after its last."""

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
    text, shown = own_text(message.text, _lines_of(message.speaker, before))
    if not shown:
        return message
    return replace(message, text=text, quoted="\n".join(filter(None, (message.quoted, shown))))


def own_text(text: str, before: Sequence[str] = ()) -> tuple[str, str]:
    """Return what of a text is its author's own, and what is only passed on.

    ``before`` are the author's lines before it, the newest first.
    """
    spans = _merged(_shown_spans(text, before))
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


def _lines_of(speaker: str, before: Sequence[Message]) -> list[str]:
    """Return the last two lines of the same person, the newest first."""
    own = [each.text for each in before if each.role == "user" and each.speaker == speaker]
    return own[:-3:-1]


def _shown_spans(text: str, before: Sequence[str]) -> Iterator[Span]:
    """Yield every stretch that is shown, in no order; they may overlap."""
    # One character for one: what is found in the one stands in the other.
    read = text[:_LONGEST_READ].translate(SIMPLIFIED)
    if len(read) < len(text):
        yield len(read), len(text)
    if not read.strip():
        return
    if _is_played(read, before) or _was_announced(before):
        yield 0, len(read)
        return
    yield from _marked_spans(read)
    yield from _transcript_spans(read)
    yield from _announced_spans(read)


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, stop in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        elif start < stop:
            merged.append((start, stop))
    return merged


# --- By its form -----------------------------------------------------------------------------

# Repetitions are bounded or exclude their own end, so that long hostile text is parted quickly.
_MARKED: Final = (
    r"(?P<fence>```.*?(?:```|\Z))",
    r"(?P<blank>^[^\n]*(?:_{3,}|＿{3,}|\[[A-Z]{3,}\])[^\n]*)",
    (
        r"(?:翻译|润色|改写|(?:帮我|给我|替我|(?<!我))总结(?!起来|下来|来说|一下就是)|概括|校对|解释|分析|朗读|复述"
        r"|重复|看看|读一下|摘要|转发|原文|内容如下|续写"
        r"|translate|summari[sz]e|proofread|rewrite|explain|paraphrase|repeat|read|forwarded?|quote"
        r"|what (?:does|do)|look at)[^：:\n]{0,20}[：:](?P<task>.+)\Z"
    ),
    r"(?P<line>^[ \t]*[>＞][^\n]*)",
    (
        r"(?:^|(?<=[，。,.!！?？\n]))[^我，。,\n：:]{1,12}?(?:说|告诉我|问我?|回复|写道|留言|发来|来信"
        r"|says?|said|wrote|told me|writes|asked)[：:,，]?[ \t]*[：:](?P<said>[^\n]*)"
    ),
    # 他跟我讲，我住在火星: whoever is reported speaks of themselves as I.
    (
        r"(?:^|(?<=[，。,.!！?？\n]))(?:我们?)?[^我，。,\n：:]{1,14}(?:跟我|跟人|对我|对人)(?:说"
        r"|讲)[，,：: ]*(?P<reported>[我俺][^。！？!?\n]*)"
    ),
    rf"“(?P<zh>[^“”]{{{LONGEST_QUOTED_NAME + 1},2000}})”",
    rf"「(?P<corner>[^「」]{{{LONGEST_QUOTED_NAME + 1},2000}})」",
    rf"『(?P<double>[^『』]{{{LONGEST_QUOTED_NAME + 1},2000}})』",
    rf"(?<![\w\"])\"(?P<en>(?:[^\"\s]+\s+){{{MOST_QUOTED_WORDS},400}}[^\"\s]+)\"",
    # Short, but somebody speaks in it: "I am a teapot" is no title.
    r"[“「『\"](?P<speech>(?:我|咱|俺|本人|I['’ ]|my )[^“”「」『』\"\n]{2,40})[”」』\"]",
)


@cache
def _marked() -> re.Pattern[str]:
    return re.compile("|".join(_MARKED), re.IGNORECASE | re.MULTILINE | re.DOTALL)


def _marked_spans(text: str) -> Iterator[Span]:
    """Yield what stands in marks: quotations, code, quoted lines, what somebody is said to say."""
    for found in _marked().finditer(text):
        if found.lastgroup:
            yield found.span(found.lastgroup)


_SELF: Final = r"我|俺|咱|本人|自己|me|i|myself|us|also me"

# A name in front of a line: up to a few words, nothing that makes it a sentence.
_LABEL: Final = (
    r"^[ \t]*(?:[-*•][ \t]+|\d{1,3}楼[ \t]*|\[[^\]\n]{1,30}\][ \t]*)?"
    r"(?P<name>[^\s：:，。,.!?！？、“”\"()（）][^：:，。,.!?！？“”\"\n]{0,24}?)"
    r"[ \t]*[：:](?!//)[ \t]*\S"
)

# A name and a time on a line of its own, or a time in brackets before a name.
_CLOCK: Final = r"\d{1,2}[:：]\d{2}(?:[:：]\d{2})?(?:[ \t]*[AaPp]\.?[Mm]\.?)?"

_HEADER: Final = (
    rf"^(?=[^\n]{{3,80}}$)(?=[^\n]*[^\W\d_])[^\n。！？!?]{{0,60}}{_CLOCK}[)\]】）]?[ \t]*$"
    rf"|^[ \t]*[\[(【（][^\])】）\n]{{0,24}}{_CLOCK}[\])】）][ \t]*[^\s：:]"
    r"[^：:\n.!?。！？]{0,30}[：:]"
    r"|^[^\n]{3,80}(?:wrote|写道|写到)[ \t]*[：:][ \t]*$"
    r"|^(?:From|To|Sent|Subject|Cc|Re|发件人|收件人|发送时间|主题|抄送)[ \t]*[：:](?=[^\n]{2})"
)

# What begins a document: a title in brackets or capitals, a part of a song or a book.
_TITLE: Final = (
    r"^[ \t]*(?:[\[【《（(][^\]】》）)\n]{1,24}[\]】》）)][ \t]*"
    r"(?:[:：]?\d{1,2}:\d{2})?[ \t]*(?=\n)"
    r"|[\[【](?=[^\]】\n]*[^\W\d])[^\]】\n]{1,16}[\]】](?=[ \t]*\S)|(?-i:(?:(?:[A-Z][A-Z0-9'’/&]+"
    r"|[—–-])[ \t]*){2,12})(?=\n)"
    r"|(?:chapter|part|scene|act|exercise|question)[ \t]+\w{1,10}\b[ \t]*[.:：]?"
    r"|第[一二三四五六七八九十百0-9]{1,4}[章节幕回集]|文[／/]|转发自|转自"
    r"|\d{1,2}[ \t]*\n\d{2}:\d{2}:\d{2}"
    r"|\d{1,3}楼[ \t]|delivered[ \t]*\n|ticket[ \t]*#|(?://|#[ \t]|/\*)|[★☆⭐]{2,}"
    r"|(?:kind|best|warm)[ \t]+(?:regards|wishes)|dear\b[^\n]{0,30},|尊敬的|亲爱的|親愛的|谢邀)"
)


@cache
def _line_patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    flags = re.IGNORECASE | re.MULTILINE
    return re.compile(_LABEL, flags), re.compile(_HEADER, flags), re.compile(_TITLE, flags)


_MYSELF: Final = re.compile(rf"(?:{_SELF})", re.IGNORECASE)


def _transcript_spans(text: str) -> Iterator[Span]:
    """Yield what has the form of a log, a mail, a form or a document of any kind."""
    label, header, title = _line_patterns()
    if tells_about_self(text):
        return
    begun = title.match(text.lstrip())
    headers = [found.start() for found in header.finditer(text)]
    labels = [found for found in label.finditer(text) if not _MYSELF.fullmatch(found["name"])]
    if begun:
        yield 0, _end_of_document(text, 0)
    for start in headers:
        yield start, _end_of_block(text, start)
    if len(labels) > 1:
        for found in labels:
            yield found.start(), _end_of_line(text, found.end())
    for found in labels[:1] if len(labels) == 1 else ():
        if _names_somebody(found["name"]):
            yield found.end() - 1, _end_of_line(text, found.end())


def _end_of_line(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _end_of_block(text: str, start: int) -> int:
    """Return where the paragraph ends that begins at ``start``."""
    found = re.compile(r"\n[ \t]*\n").search(text, start)
    return found.start() if found else len(text)


def _end_of_document(text: str, start: int) -> int:
    """Return where a document ends: a last paragraph of one line may be a question about it."""
    body = text.rstrip()
    last = body.rfind("\n\n")
    comment = body[last + 2 :]
    asks = last > start and "\n" not in comment and not OF_ONESELF.search(comment)
    return last if asks else len(text)


# The hundred most common only, unlike in the offline rules: with the rare ones 时间：, 单位： and
# 安排： would be people.
_SURNAMES: Final = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕"
    "丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严"
)

# Not \w: a single word before a colon is a name if it is one; these open a sentence of one's own.
_OPENERS: Final = re.compile(
    r"notes?|ps|nb|btw|fyi|update|news|fact|confession|question|truth|reason|result|joke|today"
    r"|tonight|yesterday|tomorrow|now|later|anyway|so|well|ok|okay|yes|no|listen|look|guess"
    r"|warning|reminder|remember|correction|edit|problem|issue|situation|context|background|plan"
    r"|verdict|summary|conclusion|mood|status|answer",
    re.IGNORECASE,
)

_MOST_NAME_WORDS: Final = 2


def _names_somebody(label: str) -> bool:
    """Tell whether what stands before a colon is somebody: 王伟, 阿杰, 老板, Tom."""
    if re.fullmatch(
        rf"(?:[{_SURNAMES}][一-鿿]{{1,2}}|[阿小老][一-鿿]{{1,2}}|[一-鿿]{{0,3}}"
        r"(?:妈妈?|爸爸?|姨|姑|叔|伯|爷爷?|奶奶?|哥哥?|姐姐?|弟弟?|妹妹?|老板|同事|室友|朋友|客户"
        r"|经理|老师|医生|楼主|主持人|甲|乙))",
        label.strip(),
    ):
        return True
    words = label.split()
    return (
        1 <= len(words) <= _MOST_NAME_WORDS
        and all(word[:1].isupper() and word.isascii() for word in words)
        and not _OPENERS.fullmatch(words[0])
    )


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    start: int
    stop: int


_SENTENCE: Final = re.compile(r"(?:[^\n。！？!?.]|\.(?!\s|$))+[。！？!?….]*")


def _sentences(text: str) -> list[_Sentence]:
    return [
        _Sentence(found[0], *found.span())
        for found in _SENTENCE.finditer(text)
        if found[0].strip()
    ]


_LATIN_RUN: Final = re.compile(r"[A-Za-z][A-Za-z'’,.\- ]{20,}")


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
        yield first.start + colon, len(text)
    elif len(text[first.stop :].strip()) >= _LEAST_SHOWN:
        yield first.stop, len(text)
    if len(text[last.stop :].strip()) < _SHORT_ASIDE:
        yield 0, last.start
    # 英译汉：My father is a blacksmith – the text itself stands in the sentence that announces it.
    for each in found:
        for run in _LATIN_RUN.finditer(each.text) if is_chinese(each.text) else ():
            yield each.start + run.start(), each.start + run.end()


def _stands_apart(sentence: _Sentence, text: str) -> bool:
    """Tell whether a line break parts a sentence from what is before it or after it."""
    before, after = text[: sentence.start].rstrip(" \t（("), text[sentence.stop :].lstrip(" \t)）")
    return before.endswith("\n") or after.startswith("\n")


def _colon_in(sentence: _Sentence) -> int | None:
    """Return where in an announcing sentence that begins which it announces."""
    found = re.compile(r"[：:—–]|\s-\s").search(sentence.text)
    if found is None or len(sentence.text) - found.end() < _LEAST_SHOWN:
        return None
    return found.end() if announces(sentence.text[: found.end()]) else None


_PLAY: Final = re.compile(
    r"演(?:一|个|一个)[段出场]|玩个?(?:角色扮演|游戏[，,：:])|[你我]来?(?:扮演|演)(?!什么)"
    r"|^角色扮演[：:]|role-?play|\blet['’]s play\b|\bpretend\b"
    r"|\byou(?:['’]re| are| be) the\b.{1,40}\bi(?:['’]m| am|['’]ll be) the\b",
    re.IGNORECASE,
)

_SUPPOSED: Final = re.compile(
    r"^.{0,6}(?:假如|倘若|假设我)|\b(?:imagine|suppose|supposing|hypothetically|what if)\b",
    re.IGNORECASE,
)


def _is_played(text: str, before: Sequence[str]) -> bool:
    """Tell whether a game is played, or everything is only supposed, here or since just before."""
    played = any(_PLAY.search(line) and not _REFUSES.search(line) for line in (text, *before))
    return played or bool(_SUPPOSED.search(text[:20]))


_REFUSES: Final = re.compile(
    r"不是在演|不玩|不演|没在演|\b(?:don['’]t|not|no|stop)\b", re.IGNORECASE
)


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
