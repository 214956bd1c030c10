"""Cleaning foreign text for prompts, so that a model reads it as words and not as instructions.

Every template uses it, and so does whatever stores text in order to show it later.
"""

import re
from typing import Final

_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)
"""Zero-width, direction and tag characters, which can smuggle text past a human reader.

Joiners have a rule of their own.
"""

_LONELY_JOINER: Final = re.compile(
    "(?<![\u2600-\u27bf\ufe0f\U0001f000-\U0001faff\u0600-\u0dff])\u200d|(?<![\u0600-\u0dff])\u200c"
)
"""U+200D joins emoji and Indic letters, U+200C parts Persian ones; elsewhere they only hide."""

_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""The categories Cc and Cs, which Unicode never changes, but for tab and new line."""

# One kind of line end, so that "at the beginning of a line" means the same in every rule below.
_BREAK: Final = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_ROLE_TOKEN: Final = re.compile(
    r"<\|[^<>|]{0,40}\|>"  # ChatML and Llama 3: <|im_start|>, <|eot_id|>
    r"|<｜[^<>｜]{0,40}｜>"  # DeepSeek
    r"|</?s>|<</?SYS>>|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]"
    r"|</?(?:system|assistant|user|human|tool|instructions?|start_of_turn|end_of_turn)"
    r"(?:\s[^<>]{0,40})?>",
    re.IGNORECASE,
)
_ROLE_HEADING: Final = re.compile(
    r"^[ \t]*#{1,6}[ \t]*(?=(?:system|assistant|user|human|instructions?|系统|指令|助手)\b)"
    r"|^[ \t]*(?=(?:system|assistant|human)[ \t]*[:：])",
    re.IGNORECASE | re.MULTILINE,
)
# The grammar in which background models answer, and the envelopes of our own templates: foreign
# text must be able to begin neither.
_OPERATION: Final = re.compile(
    r"[\[［【](?=\s*(?:ADD|UPDATE|BOOST|DELETE|NEGATE|MERGE|SKIP|SEGMENT|SEARCH|PROMOTE|KEEP"
    r"|TEXT|PHRASE|KEYWORDS)(?![A-Za-z]))",
    re.IGNORECASE,
)
_ENVELOPE: Final = re.compile(
    r"[<＜](?=\s*/?\s*(?:记忆|对话|memor(?:y|ies)|talk)\b)", re.IGNORECASE
)


_SUSPICIOUS: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f\U000e0100-\U000e01ef<＜\\[［【#:：]"
)
"""The characters one of which every pattern above needs; most text has none of them."""


def plain(text: str) -> str:
    """Return ``text`` without anything a model could take for more than words.

    Control, invisible and direction characters are removed, and so are the role tokens of the
    common chat formats. Role headings lose their mark; our own operations and envelopes lose the
    bracket that opens them. Ordinary text in any script, with emoji, is unchanged. Idempotent.
    """
    if not text or not _SUSPICIOUS.search(text):
        return text
    previous = None
    while previous != text:  # a removal may leave a new token behind: <|im_<|x|>start|>
        previous = text
        text = _stripped_once(text)
    return text


def one_line(text: str) -> str:
    """Return ``plain`` text on one line, as a list of memories shows it."""
    return " ".join(plain(text).split())


def _stripped_once(text: str) -> str:
    text = _LONELY_JOINER.sub("", _INVISIBLE.sub("", _BREAK.sub("\n", text)))
    text = _ROLE_HEADING.sub("· ", _ROLE_TOKEN.sub("", _CONTROL.sub("", text)))
    return _ENVELOPE.sub("‹", _OPERATION.sub("(", text))
