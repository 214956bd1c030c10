"""What of a reply is hers: marks of the program and echoes of what was read are not.

Small models copy what they read: the hour the program notes, a name in front of a line, the
partner's own sentence. None of that is an answer, so marks of ours are cut off and a mere echo is
recognised; it is neither shown nor kept.
"""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import lru_cache
from typing import Final

from bot.conversation.reply_text import (
    unwrapped,
    without_controls,
    without_forms,
    without_machinery,
)
from memory.ports import Invalid, Outcome, Refused, Replied, Truncated
from memory.text.late_pattern import lines_hold
from memory.text.segmentation import beginnings, letters_of, place_behind, weight_of

_HOUR: Final = r"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2})?"

_MARK: Final = re.compile(
    rf"\s*(?:[\[［【]{_HOUR}[\]］】]"
    rf"|[（(](?:程序附注|Note by the program)[^）)\n]*[）)]"
    rf"|[（(](?:said on )?{_HOUR}(?: ?说的)?[：:]?[）)]"
    r"|(?:小祥|Xiaoxiang)(?:（小祥）| \(Xiaoxiang\))?[：:]"
    r"|[<＜]/?(?:记忆|对话|memories|talk)[^>＞\n]{0,20}[>＞]"
    r"|m\d{1,3} ?[|｜][^\n]*(?:\n|$)"
    r"|[^\n]{0,40}(?:，等你回答：|, and waits for your answer:)"
    r"|\d{1,2} ?[|｜] ?" + _HOUR + r" ?[|｜] ?)\s*"
)
"""One mark of the program at the beginning of a text or of a line."""

_MARKS: Final = re.compile(rf"(?:{_MARK.pattern})++")

_LINE_MARK: Final = re.compile(rf"(?<=\n)[ \t]*(?:[\[［【]{_HOUR}[\]］】][ \t]*)+")

_LONGEST_MARK: Final = 200
"""So long a mark of ours may be; what goes on longer without its end is none."""

_OPENS_MARK: Final = re.compile(r"[\[［【（(<＜\dm小X]")
"""The characters one of which every mark begins with."""

_HALF_MARK: Final = re.compile(
    r"[\[［【][\d\- :T]*"
    r"|[（(](?:程序附注|Note by the program|said on|\d)[^）)\n]*"
    r"|[<＜]/?[^>＞\n]{0,30}|m\d{0,3} ?(?:[|｜][^\n]*)?|\d{1,2} ?(?:[|｜][\d\- :T]*)?"
)
"""A mark that has begun and is not at its end."""

_STARTS: Final = (
    "小祥：",
    "小祥:",
    "Xiaoxiang:",
    "（程序附注",
    "(Note by the program",
    "(said on",
)

_SENTENCE_OVER: Final = re.compile(
    r"[^\w\n]*?[.!?。！？…~～\n][.!?。！？…~～\"'”’」』)）]*|[\W_]*$"
)

ECHO_WORDS: Final = 4.0
"""Fewer words may be said back: 晚安, 新年快乐, "good night" are answers to themselves."""


_LONG_OPENING: Final = 12.0
"""Behind so many words an echo is still looked for: "In answer to your question: …"."""


def own_words(reply: str, said: Sequence[str], name: str = "") -> str:
    """Return what of a reply is hers: without our marks, and without the partner's line before it.

    ``said`` are the lines to be answered, and ``name`` what the partner is called: put behind
    their line it makes no answer of it. Empty if nothing is hers: an echo, or only marks.

    >>> own_words("[2026-11-22 14:20] Hello Ann!", ["Hi, I am Ann."])
    'Hello Ann!'
    >>> own_words("[2026-11-22 14:20] Oh, I see! Hi, I am Ann.", ["Hi, I am Ann."])
    ''
    """
    text, echoes = _without_marks(reply), _echoes(tuple(said), name)
    while end := _end_of_echo(text, echoes):
        text = _without_marks(text[end:])
    return "" if _is_mostly_echo(text, echoes) else text


LATELY: Final = 5
"""In so many lines a form may have been asked for that a reply has, as JSON or a dialogue."""


def bare_reply(text: str, asked: Sequence[str], name: str, *, growing: bool = False) -> str:
    """Return a text without what a model puts around it, unless what is ``asked`` looks so."""
    told = without_machinery(without_controls(text), asked, growing=growing)
    told = without_forms(unwrapped(told, asked, growing=growing), asked, growing=growing)
    return her_part(told, asked, name, growing=growing)


NOTHING_OF_HER_OWN: Final = Invalid("echo")
"""The model only said back what it had read."""


def in_her_words(
    outcome: Outcome, text: str, said: Sequence[str], name: str = "", lately: Sequence[str] = ()
) -> Outcome:
    """Return how a stream ended, without our marks; ``text`` is what came before that.

    ``name`` is what the partner is called, if known, ``lately`` what they said before.
    """
    told = outcome.text if isinstance(outcome, Replied | Truncated) else text
    bare = without_handles(bare_reply(told, (*lately, *said), name), (*lately, *said))
    own = own_words(bare, said, name)
    match outcome:
        case Replied():
            if not own or withholds_name(own, said, name):
                return NOTHING_OF_HER_OWN
            return replace(outcome, text=own)
        case Truncated(at_limit=True) if not own and (told.strip() or outcome.endless):
            return NOTHING_OF_HER_OWN
        case Truncated():
            return replace(outcome, text=own)
        case Refused():
            return Refused(own)
        case _:
            return outcome


_HANDLE: Final = (
    r"(?<![A-Za-z0-9_'’./\-])(?<![0-9] )m[1-9][0-9]?(?![A-Za-z0-9_-])"
    # Roads, lines and chips are called so as well.
    r"(?! ?(?:[=+*^]|号|线|路|高速|公路|芯片|地铁|螺|motorway|road|chip|mac|bolt|screw|line|bus))"
)
_HANDLES: Final = rf"{_HANDLE}(?:[ \t]?(?:[,，、/&和与及]|and)[ \t]?{_HANDLE}){{0,9}}"
_CODE: Final = r"(?P<code>```.*?(?:```|\Z)|`[^`\n]*`)"
_SHOWN_HANDLES: Final = re.compile(
    rf"{_CODE}|(?P<before>[ \t]?)(?P<names>{_HANDLES})(?P<after>[ \t]?)", re.DOTALL
)
_LABELS: Final = ("note", "source", "reference", "ref", "附注", "注", "来源", "出处", "依据")
_LABEL: Final = rf"(?i:{'|'.join(_LABELS)})[:：][ \t]*"
_SAYS_SO: Final = (
    r"(?:says? so|said so|confirms? (?:it|this|that)|[都也]?(?:是?这[么样]|如此)[说写记]的?|说的"
    r"|里?有[写记]?|可以作证)"
)
_NAMES_SOURCE: Final = re.compile(
    rf"{_CODE}|(?:^|(?<=[.!?。！？…~\n])|(?<=[.!?…] ))"
    rf"(?:{_LABEL}{_HANDLES}(?:[ \t]*{_SAYS_SO})?|{_HANDLES}(?:[ \t]*{_SAYS_SO})?)"
    r"[ \t]*(?:[.!。！]+|$)[ \t]?",
    re.DOTALL | re.MULTILINE,
)
"""A sentence that tells nothing but by which memory something is known."""

_TELLS: Final = re.compile(
    r"(?:say|tell|mention|note|state|show|record|indicate|confirm|suggest|read)s?\b|said\b"
    r"|(?P<within>[都也]?[说写提记讲])|里|中|显示"
)
_CALLED_SO: Final = re.compile(r"(?:memor(?:y|ies)|notes?|记忆|笔记)$", re.IGNORECASE)
_NO_SOURCE: Final = re.compile(r"(?:\b(?:the|an?|per)|[每平])$", re.IGNORECASE)
_ALSO_OTHERS: Final = frozenset({"m2", "m3", "m8"})  # of a flat, and a mate
_LEADING_NOTE: Final = re.compile(
    r"\s*(?:[（(\[［【](?:程序)?附注[）)\]］】]"
    r"|[(\[](?:program )?note(?: by the program)?[)\]])[：:\s]*",
    re.IGNORECASE,
)
_HALF_NOTE: Final = re.compile(r"\s*[（(\[［【](?:程?序?附?注?|[A-Za-z ]{0,19})")
_SENTENCE_BEGINS: Final = re.compile(r".*[.!?。！？…~\n]", re.DOTALL)
_HALF_HANDLE: Final = re.compile(r"(?<![A-Za-z0-9_'’./\-])m(?:[1-9][0-9]?)?(?![A-Za-z0-9_-])")
_SPEAKS_OF_NOTES: Final = re.compile(r"附注|\bnotes?\b", re.IGNORECASE)
_SPEAKS_OF_HANDLES: Final = re.compile(r"(?<![A-Za-z])m\d", re.IGNORECASE)


def without_handles(text: str, said: Sequence[str], *, growing: bool = False) -> str:
    """Return a text without the short names that memories have in a prompt, nor a note's label.

    A sentence that only names one as its source goes; elsewhere it is her memory that is meant.
    All stays where the lines ``said`` speak of such things, and what stands in code.

    >>> without_handles("m1 says you like tea. Note: m2.", [])
    'My memory says you like tea. '
    """
    if not lines_hold(said, _SPEAKS_OF_NOTES):
        if growing and _HALF_NOTE.fullmatch(text):
            return ""
        text = _LEADING_NOTE.sub("", text, count=1) if _LEADING_NOTE.match(text) else text
    if lines_hold(said, _SPEAKS_OF_HANDLES):
        return text
    if growing:
        text = _before_a_handle(text)
    if not _HALF_HANDLE.search(text):
        return text
    told = _NAMES_SOURCE.sub(lambda found: found["code"] or "", text)
    return _SHOWN_HANDLES.sub(_her_memory, told)


def _her_memory(found: re.Match[str]) -> str:
    """Return what stands in place of handles: her memory, where they are none of other things."""
    text, start, end = found.string, *found.span("names")
    if found["code"]:
        return found[0]
    before, tells = (
        text[max(0, start - 12) : start].rstrip(),
        _TELLS.match(text[end:].lstrip(" \t")),
    )
    if _NO_SOURCE.search(before) or (found["names"] in _ALSO_OTHERS and not tells):
        return found[0]
    if _CALLED_SO.search(before):
        return found["after"]
    if re.search("[一-鿿]", text):
        return "记忆里" if tells and tells["within"] else "记忆"
    word = "my memory" if found["names"].isalnum() else "my memories"
    first = not before or before[-1] in ".!?…\n"
    return f"{found['before']}{word[0].upper() + word[1:] if first else word}{found['after']}"


def _before_a_handle(text: str) -> str:
    """Return a growing text up to where a handle may stand in the sentence at its end."""
    begun = _SENTENCE_BEGINS.match(text)
    start = begun.end() if begun else 0
    last = text[start:]
    half = _HALF_HANDLE.search(last)
    head = (last[: half.start()] if half else last).strip().casefold().rstrip(":：")
    if head in _LABELS or (not half and any(each.startswith(head) for each in _LABELS)):
        return text[:start].rstrip()
    return text[: start + half.start()].rstrip() if half else text


_ASKS_NAME: Final = re.compile(
    r"我(?:[叫姓](?:什么|啥)(?:名字?)?|是谁|的名字是?(?:什么|啥))(?=来着|\W|[呢啊呀吗嘛]|$)"
    r"|\bwhat(?:['’]?s| is) my name\b|\b(?:who am i|what am i called)\W*$",
    re.IGNORECASE,
)

_AS_HERS: Final = re.compile(
    r"(?:我(?:叫|姓|是)|我的名字(?:是|叫)|\b(?:i am|i['’]m|my name is|this is)\s)\s*$",
    re.IGNORECASE,
)


def withholds_name(reply: str, said: Sequence[str], name: str) -> bool:
    """Tell whether a known name is asked for and not told, or told as if it were hers.

    Small models take "my name" for their own.

    >>> withholds_name("My name is Ann.", ["What is my name?"], "Ann")
    True
    >>> withholds_name("You are Ann, and I am glad of it.", ["What is my name?"], "Ann")
    False
    """
    if not name or not lines_hold(said, _ASKS_NAME):
        return False
    before, told, _ = reply.partition(name)
    return not told or bool(_AS_HERS.search(before))


def surely_own(
    growing: str, said: Sequence[str], name: str = "", lately: Sequence[str] = ()
) -> str:
    """Return the part of a growing reply that can be shown by now: what :func:`own_words` keeps.

    Nothing yet while it may still turn out to be a mark or an echo.
    """
    growing = bare_reply(growing, (*lately, *said), name, growing=True)
    growing = without_handles(growing, (*lately, *said), growing=True)
    rest, echoes = growing[_end_of_marks(growing) :].lstrip(), _echoes(tuple(said), name)
    # Not at the front: there, one line said back may be the first of several.
    while (start := _start_of_echo(rest, echoes)) != 0 and (end := _end_of_echo(rest, echoes)):
        rest = rest[end:]
        rest = rest[_end_of_marks(rest) :].lstrip()
    if _may_be_mark(rest):
        return ""
    if start is not None:
        return own_words(rest[:start], said, name)
    text = own_words(growing, said, name)
    # A later line may begin with a mark as well.
    start = text.rfind("\n") + 1
    half = start and re.fullmatch(r"[ \t]*[\[［【][\d\- :T]*", text[start:])
    return text[:start].rstrip() if half else text


def _without_marks(reply: str) -> str:
    return _LINE_MARK.sub("", reply[_end_of_marks(reply) :]).strip()


def _end_of_marks(text: str) -> int:
    found = _MARKS.match(text)
    return found.end() if found else 0


def _may_be_mark(text: str) -> bool:
    if not text:
        return True
    if len(text) > _LONGEST_MARK or not _OPENS_MARK.match(text):
        return False
    return bool(_HALF_MARK.fullmatch(text)) or any(each.startswith(text) for each in _STARTS)


# It is asked anew with each piece of an answer.
@lru_cache(maxsize=16)
def _echoes(said: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Return the lines, all together and each, as they would read if they were said back."""
    long = [line for line in said if weight_of(line) >= ECHO_WORDS]
    # Several short lines, named once more, are an answer: what each of them says is short.
    lines = [letters_of(line) for line in ("\n".join(said), *long)] if long else []
    called = [f"{line}{letters_of(name)}" for line in lines if line]
    return tuple(line for line in dict.fromkeys((*called, *lines)) if line)


def _end_of_echo(text: str, echoes: Sequence[str]) -> int:
    """Return where the sentences end that only say a line back, 0 if a text begins otherwise."""
    if not any(map(letters_of(text).__contains__, echoes)):
        return 0  # as of nearly every answer
    for start in beginnings(text, ECHO_WORDS):
        head = _head(text, start, echoes)
        bare = letters_of(head)
        for echo in echoes:
            end = start + place_behind(head, len(echo)) if bare.startswith(echo) else 0
            if end and (over := _SENTENCE_OVER.match(text, end)):
                return over.end()
    return 0


def _start_of_echo(text: str, echoes: Sequence[str]) -> int | None:
    """Return where what may still go on as an echo begins; None if nothing of a text may."""
    for start in beginnings(text, _LONG_OPENING) if echoes else ():
        bare = letters_of(_head(text, start, echoes))
        if bare and any(echo.startswith(bare) for echo in echoes):
            return start
    return None


def _head(text: str, start: int, echoes: Sequence[str]) -> str:
    """Return as much of a text from there on as an echo may take, with signs between letters."""
    return text[start : start + 3 * max(map(len, echoes)) + _LONGEST_MARK]


def _is_mostly_echo(text: str, echoes: Sequence[str]) -> bool:
    """Tell whether a text ends with an echo, and has no more words before it than that."""
    bare = letters_of(text) if echoes else ""
    return any(bare.endswith(echo) and len(bare) <= 2 * len(echo) for echo in echoes)


_HER_LABEL: Final = re.compile(
    r"\s*(?:小祥|Xiaoxiang|助手|Assistant)(?:（小祥）| \(Xiaoxiang\))?[：:][ \t]*"
)
_SPEAKER: Final = re.compile(r"\s*([^\s：:，,。.!?！？][^：:，,。.!?！？\n]{0,15})[：:][ \t]*\S")
_USERS: Final = frozenset({"用户", "user", "human", "the user"})
_OTHERS: Final = _USERS | {"主人", "my friend", "对方"}
_ASKS_FOR_TALK: Final = re.compile(
    r"对话|剧本|台词|段子|小品|相声|聊天记录|扮演|模拟|练习|故事|翻译"
    r"|dialog|script|skit|scene|role.?play|conversation|interview|story|translat|practi[cs]e",
    re.IGNORECASE,
)


def her_part(text: str, said: Sequence[str], name: str, *, growing: bool = False) -> str:
    r"""Return what is hers of a made-up talk, up to the first line that is put into other mouths.

    ``name`` is what the partner is called, as far as it is known.

    >>> her_part("安：我妈又催我了。\n小祥：别急嘛。\n安：可是我烦。", ["又催婚"], "安")
    '别急嘛。'
    """
    other = "```" in text or lines_hold(said, _ASKS_FOR_TALK)
    if other or not (growing or re.search("[：:]", text)):
        return text
    lines = text.split("\n")
    speakers = [found[1].casefold() if (found := _SPEAKER.match(line)) else "" for line in lines]
    hers = [place for place, line in enumerate(lines) if _HER_LABEL.match(line)]
    first = hers[0] if hers and speakers[0] else 0
    # 主人：… alone may as well call the partner.
    names = {*(_OTHERS if hers else _USERS), name.casefold(), speakers[0] if first else ""} - {""}
    begun = speakers[0] in names or (len(lines) == 1 and _may_be_label(text, names))
    if growing and not first and begun:
        return ""
    # Who only writes a list may name the partner in it, beside others.
    listed = not hers and any(each and each not in names for each in speakers)
    theirs = (n for n in range(first + 1, len(lines)) if speakers[n] in names)
    end = len(lines) if listed else next(theirs, len(lines))
    kept = [_HER_LABEL.sub("", line, count=1) if hers else line for line in lines[first:end]]
    if growing and len(kept) > 1 and end == len(lines) and _may_be_label(kept[-1], names):
        kept.pop()
    return "\n".join(kept)


def _may_be_label(line: str, names: AbstractSet[str]) -> bool:
    begun = line.strip().casefold().replace(":", "：")
    return any(f"{each}：".startswith(begun) for each in (*names, "小祥", "xiaoxiang"))
