"""The text of a reply: what of it is hers and may be seen.

Platforms cut it into parts (:mod:`bot.adapters.markdown`).
"""

import json
import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final

_INVISIBLE: Final = frozenset("\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad\u3164\u115f\u1160")


def has_visible_text(text: str) -> bool:
    r"""Whether there is anything to see; platforms refuse a message without.

    >>> has_visible_text("好"), has_visible_text(" \u200b\n")
    (True, False)
    """
    return bool("".join(each for each in text if each not in _INVISIBLE).strip())


_ESCAPE_SEQUENCE: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?)")

# Controls but line ends and tabs, and what changes the direction of the text that follows.
_CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def without_controls(text: str) -> str:
    r"""Return a text without anything that steers a terminal or turns the writing around.

    >>> without_controls("a\x00\x1b[31mb\u202ec\r\n")
    'abc\n'
    """
    if text.isprintable() and text.isascii():
        return text
    return _CONTROLS.sub("", _ESCAPE_SEQUENCE.sub("", text))


LATELY: Final = 5
"""In so many lines a form may have been asked for that a reply has, as JSON or a dialogue."""


def bare_reply(text: str, asked: Sequence[str], name: str, *, growing: bool = False) -> str:
    """Return a text without what a model puts around it, unless what is ``asked`` looks so."""
    told = without_machinery(without_controls(text), asked, growing=growing)
    return her_part(unwrapped(told, asked, growing=growing), asked, name, growing=growing)


_IN_CODE: Final = r"```.*?(?:```|\Z)|`[^`\n]*`"
_CONTROL: Final = r"(?:<[|｜][^<>|｜\n]{1,40}[|｜]>|<(?:start|end)_of_turn>|</s>)"
_TOLD: Final = r"(?:ADD|SKIP|UPDATE|BOOST|DELETE|NEGATE|MERGE|UNSAID|PROMOTE|KEEP)"
_ITEM: Final = r"^[ \t]*(?:[-*•][ \t]+)?[\[［【]"
_NOTE: Final = r"[（(](?:程序附注|Note by the program)[^）)\n]{0,300}"
_HANDLES: Final = r"[ \t]?m\d{1,3}(?:[ \t]?(?:[,，、和与及&]|and)[ \t]?m\d{1,3}){0,9}"
_LEADS_IN: Final = (
    r"(?:根据|依据|按照?)(?:我的?)?(?:记忆|笔记|记录)?(?:里的?|中的?)?|(?i:as (?:noted|mentioned|"
    r"recorded|stated|written) in|according to|based on)(?: my| your| the)?"
    r"(?: memor(?:y|ies)| notes?)?"
)
_FOR_MACHINES: Final = re.compile(
    rf"(?P<code>{_IN_CODE})"
    # What a template puts between turns, at an end of a line or several; and behind it the turn
    # of somebody else that is made up.
    rf"|(?P<mark>(?:^(?:{_CONTROL}\s*)+|(?:{_CONTROL}\s*){{2,}}|{_CONTROL}[ \t]*$)"
    r"(?:(?<=>)(?:user|system|human)\b.*\Z|(?<=>)(?:assistant|model)\b\s*)?)"
    r"|\[INST\].*?(?:\[/INST\]|\Z)|\[/INST\]|<<SYS>>.*?(?:<</SYS>>|\Z)"
    r"|<(?P<call>(?:tool|function)_(?:calls?|response))>\s*[\[{<].*?(?:</(?P=call)>|\Z)"
    # The judge's grammar: with a handle, details or the partner it can be nothing else.
    rf"|(?:{_ITEM}|[\[［【])(?:{_TOLD}[ \t]*[:：][ \t]*m\d|{_TOLD}[ \t]+[a-z]+="
    rf"|{_TOLD}[\]］】][ \t]*(?:主人|the partner\b|my friend\b))[^\n]*\n?"
    rf"|{_ITEM}(?P<plain>{_TOLD}[\]］】])[^\n]*\n?"
    # Our own notes, and the handles of memories, which mean nothing outside of a prompt.
    rf"|[ \t]?{_NOTE}(?:[）)]|$)|^m\d{{1,3}} ?[|｜][^\n]*\n?"
    r"|</?(?:记忆|memories) [0-9a-f]{8}>\n?"
    r"|(?<!\d)(?<!面积)(?<!体积)(?<!area)(?<!volume)[ \t]?[（(\[［【]"
    rf"(?:(?:来自|参?见|记忆|笔记|from|see|memory|memories|notes?)[:：]?)?{_HANDLES}[）)\]］】](?![（(])"
    rf"|(?P<lead>(?:{_LEADS_IN}){_HANDLES}(?:的?(?:记忆|笔记|记录|内容))?"
    r"(?:里|中|来看|所?记载|所[述记说]|显示|提到)?[，,：:]?[ \t]?)",
    re.DOTALL | re.MULTILINE,
)
_FOREIGN_ITEM: Final = re.compile(rf"{_ITEM}(?!{_TOLD}\b)[A-Z]{{2,12}}[\]］】]", re.MULTILINE)
_HALF: Final = re.compile(
    rf"(?:(?:{_CONTROL}\s*)+[a-z]{{0,9}}|<[|｜][^<>\n]{{0,42}}|</?[a-z_]{{0,18}}(?:>\s*)?"
    rf"|<<?/?[SY]{{0,3}}>?|\[/?[INST]{{0,4}}"
    rf"|(?:{_ITEM}|[\[［【])[A-Z]{{0,8}}[\]］】 \t:：]*[a-z 主]{{0,16}}"
    rf"|{_NOTE}|[（(\[［【](?:[程来参见记笔Nmfsn][^）)\]］】\n]{{0,18}})?"
    rf"|(?:{_LEADS_IN})[^，,：:。.\n]{{0,30}}|[根依按]|^(?i:as?(?: [nmrsw][a-z]{{0,8}}(?: i?)?)?"
    r"|acc?[a-z]{0,7}(?: t?)?|bas?e?d?(?: o?)?)|^m\d{0,3} ?(?:[|｜][^\n]*)?)\Z",
    re.MULTILINE,
)
"""What may become one of these, at the end of a text that still grows."""

_SPOKEN_OF: Final = re.compile(
    rf"<[|｜/a-z]|[\[［【](?:{_TOLD}\b|/?INST)|程序附注|Note by the program|\bm\d"
)
_MAY_HOLD: Final = re.compile(r"[<\[［【]|程序附注|Note by|m\d|</?(?:记|mem)")
_MAY_BEGIN: Final = re.compile(r"[（(根据依按照]|\bm|^[AaBb]")
_LONGEST_HALF: Final = 60


def without_machinery(text: str, said: Sequence[str], *, growing: bool = False) -> str:
    """Return a text without what a model writes for machines: tokens, tool calls, operations.

    Nor has it what our prompts hold for them: notes of the program, handles of memories. What
    stands in code stays, and everything where the lines ``said`` speak of such things.
    """
    holds = _MAY_HOLD.search(text)
    begins = growing and (holds or _MAY_BEGIN.search(text, max(0, len(text) - _LONGEST_HALF)))
    if not (holds or begins) or any(map(_SPOKEN_OF.search, said)):
        return text
    # Only the end is looked at, so that no text of a mad model takes long.
    whole = f"{text[:-400]}{_HALF.sub('', text[-400:])}" if begins else text
    if not holds:
        return whole
    plain_stays = bool(_FOREIGN_ITEM.search(text))

    def kept(found: re.Match[str]) -> str:
        if found["code"] is not None or (plain_stays and found["plain"] is not None):
            return found[0]
        begins = not found.start() or found.string[found.start() - 1] == "\n"
        return "\n" if found["mark"] and "\n" in found[0] and not begins else ""

    bare = _FOR_MACHINES.sub(kept, whole)
    led_in = (found := _FOR_MACHINES.match(whole)) and found["lead"]
    return f"{bare[:1].upper()}{bare[1:]}" if led_in else bare


_FIELDS: Final = ("reply", "response", "answer", "text", "content", "message", "output", "say")
_FIELDS_ZH: Final = ("回复", "回答", "回应", "内容", "消息", "小祥")
_NAMED: Final = "|".join((*_FIELDS, *_FIELDS_ZH))
_FENCED: Final = re.compile(r"```\w{0,8}[ \t]*\n?(.*?)(?:```)?\Z", re.DOTALL)
_ONE_FIELD: Final = re.compile(
    rf"\{{\s*[\"'](?:{_NAMED})[\"']\s*[:：]\s*([\"'])(.*?)(?:\1\s*,?\s*(?:\}}\s*)?)?\Z", re.DOTALL
)
"""An object of one field, also written a little wrong, or cut."""
_TAGGED: Final = re.compile(
    r"<(reply|response|answer|output|message)>\s*(.*?)\s*(?:</\1>\s*)?\Z", re.DOTALL
)
_MAY_BE_WRAPPED: Final = re.compile(
    r"(?:`{1,3}(?:j(?:s(?:on?)?)?)?\s*)?(?:\{\s*(?:[\"'].*)?)?\Z|<[a-z]{0,8}\Z", re.DOTALL
)
_ASKS_FOR_FORM: Final = re.compile(
    r"json|代码|格式|字段|接口|脚本|code|script|format|ya?ml|xml|html|schema|\bapi\b|dict|[{`<]",
    re.IGNORECASE,
)


def unwrapped(text: str, said: Sequence[str], *, growing: bool = False) -> str:
    r"""Return the reply that a model wrapped: in an object of JSON, a tag, a preface, or quotes.

    Where the lines ``said`` ask for a form, or for words to say, what looks so is what they asked
    for. Nothing is returned of a ``growing`` text that may still turn out to be wrapped.

    >>> unwrapped('```json\n{"reply": "好呀", "mood": "warm"}\n```', ["在吗"])
    '好呀'
    """
    bare = text.strip()
    if not any(map(_ASKS_FOR_FORM.search, said)):
        if growing and _MAY_BE_WRAPPED.match(bare):
            return ""
        fenced = _FENCED.match(bare)
        inner = fenced[1].strip() if fenced else bare
        if inner.startswith("{") and (told := _text_in(inner)) is not None:
            text = told
        elif tagged := _TAGGED.match(bare):
            text = tagged[2]
    if any(map(_ASKS_FOR_WORDS.search, said)):
        return text
    return _without_preface(text, growing=growing)


def _text_in(document: str) -> str | None:
    """Return the text of an object of JSON, None if it has none or is no such object."""
    try:
        found = json.loads(document, strict=False)
    except (ValueError, RecursionError):
        cut = _ONE_FIELD.match(document)
        return cut[2].replace("\\n", "\n").replace('\\"', '"').strip() if cut else None
    for _ in range(_DEEPEST):
        found = next((found[e] for e in (*_FIELDS, *_FIELDS_ZH) if e in found), "")
        if not isinstance(found, dict):
            break
    return (found.strip() or None) if isinstance(found, str) else None


_DEEPEST: Final = 4

_OPENERS: Final = (
    *("好的", "好", "当然可以", "当然", "没问题", "收到", "明白", "Sure thing", "Sure", "Okay"),
    *("OK", "Certainly", "Of course", "Absolutely", "Got it", "Alright"),
)
_OPENER: Final = rf"(?:(?:{'|'.join(_OPENERS)})[，,。.！!~\s]{{0,3}})?"
_PREFACE: Final = re.compile(
    rf"{_OPENER}(?:(?:(?:以下|下面|这)就?是(?:我|小祥)?(?:给你|对你|对主人)?的?(?:简短|温柔|自然)?的?"
    r"(?:回复|回答|回应|答复)|(?:(?:我|小祥)的)?(?:回复|回答|回应)(?:是|如下)"
    r"|(?:here(?:['’]s| is)|below is|this is)(?: the| my| a| your| xiaoxiang['’]s)?"
    r"(?: possible| short| suitable| natural| warm| friendly)?"
    r"(?: response| reply| answer| message)(?: (?:as|from|by|in the voice of) xiaoxiang)?)[：:]"
    r"[ \t]*(?:\n\s*|(?=[\"“「『]|小祥[：:]|xiaoxiang:))"
    r"|(?:response|reply|assistant|ai|回复|助手)[：:]\s*)",
    re.IGNORECASE,
)
_ANNOUNCES: Final = (
    *("以下是", "以下就是", "下面是", "下面就是", "这是我", "这就是我", "回复", "回答", "回应"),
    *("我的回", "小祥的回", "助手", "here's", "here’s", "here is", "below is", "this is"),
    *("response", "reply", "assistant", "ai:", "ai："),
)
_ASKS_FOR_WORDS: Final = re.compile(
    r"回复|回答|答复|回信|怎么[说回写]|[写拟想起].{0,6}[信话词句稿诗]|翻译|哪[句首]|台词|名言|标题|口号"
    r"|repl(?:y|ies)|respon[ds]|answer|draft|write|letter|e-?mail|message|translat|quot|line\b"
    r"|lyric|title|slogan|wording|\bsay\b",
    re.IGNORECASE,
)
_LONGEST_PREFACE: Final = 60
_QUOTES: Final = {'"': '"', "“": "”", "「": "」", "『": "』"}


def _may_be_preface(text: str) -> bool:
    opener = re.match(_OPENER, text, re.IGNORECASE)
    rest = text[opener.end() if opener else 0 :].casefold()
    begun = "\n" not in rest and len(rest) <= _LONGEST_PREFACE
    return any(each.startswith(text) for each in _OPENERS) or (
        begun and any(e.startswith(rest) or rest.startswith(e) for e in _ANNOUNCES)
    )


def _without_preface(text: str, *, growing: bool) -> str:
    """Return a text without the words that announce it, and without quotes around the whole."""
    bare = text.lstrip()
    if growing and _may_be_preface(bare):
        return ""
    preface = _PREFACE.match(bare)
    told = bare[preface.end() :].strip() if preface else bare
    closing = _QUOTES.get(told[:1])
    if closing is None:
        return told if preface else text
    inner, closed, behind = told[1:].partition(closing)
    if growing and not behind:
        return ""
    whole = bool(closed) and not behind.strip() and told[0] not in inner
    if whole and inner.strip() and (preface or inner.rstrip()[-1] in "。！？~…!?."):
        return inner.strip()
    return told if preface else text


_HER_LABEL: Final = re.compile(
    r"\s*(?:小祥|Xiaoxiang|助手|Assistant)(?:（小祥）| \(Xiaoxiang\))?[：:][ \t]*"
)
_LABEL: Final = re.compile(r"\s*([^\s：:，,。.!?！？][^：:，,。.!?！？\n]{0,15})[：:][ \t]*\S")
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
    other = "```" in text or any(map(_ASKS_FOR_TALK.search, said))
    if other or not (growing or re.search("[：:]", text)):
        return text
    lines = text.split("\n")
    speakers = [found[1].casefold() if (found := _LABEL.match(line)) else "" for line in lines]
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
