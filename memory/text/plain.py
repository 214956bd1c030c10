"""Making foreign text harmless before a prompt shows it: words to read, never orders to follow."""

import re
import unicodedata
from typing import Final

_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Zero-width, bidirectional override and tag characters; the two joiners are judged apart."""

_LONELY_JOINER: Final = re.compile(
    "(?<![\u2600-\u27bf\ufe0f\U0001f000-\U0001faff\u0600-\u0dff])\u200d|(?<![\u0600-\u0dff])\u200c"
)
"""U+200D joins emoji and Indic letters, U+200C parts Persian ones; elsewhere they only hide."""

_ROLE_TOKENS: Final = re.compile(
    r"<\|[^<>|]{0,40}\|>"  # ChatML and Llama 3: <|im_start|>, <|eot_id|>
    r"|<｜[^<>｜]{0,40}｜>"  # DeepSeek
    r"|</?s>|<</?SYS>>|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]"
    r"|</?(?:system|assistant|user|human|tool|instructions?|memor(?:y|ies)|start_of_turn|end_of_turn)"
    r"(?:\s[^<>]{0,40})?>",
    re.IGNORECASE,
)
_ROLE_HEADING: Final = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]*)(?=(?:system|assistant|user|human|instructions?|系统|指令|助手)\b)"
    r"|^[ \t]*(?=(?:system|assistant|human)[ \t]*[:：])",
    re.IGNORECASE | re.MULTILINE,
)
_OPERATION: Final = re.compile(
    r"[\[［【]\s*(?=(?:ADD|UPDATE|BOOST|DELETE|NEGATE|MERGE|SKIP|SEARCH|PROMOTE|KEEP|SEGMENT"
    r"|TEXT|PHRASE|KEYWORDS)\b)([^\]］】\n]{0,200})[\]］】]?",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """Return ``text`` with everything taken out that a model could read as more than words.

    Control, zero-width and bidirectional characters go; role tokens of the common chat formats
    go; role headings lose their mark; our own operations (``[DELETE:m1]``) lose their brackets.
    Ordinary text in any script, emoji included, comes back unchanged. Idempotent.
    """
    previous = None
    while previous != text:  # what is taken out may leave a new token behind: <|im_<|x|>start|>
        previous = text
        text = _once(text)
    return text


def one_line(text: str) -> str:
    """Return ``plain`` text on one line, as a list of memories shows it."""
    return " ".join(plain(text).split())


def _once(text: str) -> str:
    text = _LONELY_JOINER.sub("", _INVISIBLE.sub("", text))
    text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in {"Cc", "Cs"})
    text = _ROLE_TOKENS.sub("", text)
    text = _ROLE_HEADING.sub("· ", text)
    return _OPERATION.sub(lambda found: f"({found[1].strip()})", text)
