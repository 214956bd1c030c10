"""What in a message is the speaker's own, and what they only pass on: quoted, pasted, reported.

A platform marks quotations and forwards. People also paste: 帮我翻译：…, 老板说：…, a block of
code, a line after ``>``, a long passage in quotation marks. None of that is said by them.
"""

import re
from dataclasses import replace
from typing import Final

from memory.model import Message

LONGEST_QUOTED_NAME: Final = 8
"""Up to so many characters in quotation marks are a name or a title: 我叫“阿明”."""

MOST_QUOTED_WORDS: Final = 5
"""So many words, English, are still a title; a sentence has more."""

_PASSED_ON: Final = re.compile(
    r"(?P<fence>```.*?(?:```|\Z))"
    r"|(?P<line>^[ \t]*>[^\n]*)"
    r"|(?:翻译|润色|改写|总结|概括|校对|解释|分析|朗读|复述|重复|看看|读一下|摘要|转发|原文|内容如下"
    r"|translate|summari[sz]e|proofread|rewrite|explain|paraphrase|repeat|read|forwarded?|quote"
    r"|what (?:does|do)|look at)[^：:\n]{0,20}[：:](?P<task>.+)\Z"
    r"|(?:^|(?<=[，。,.!！?？\n]))[^我，。,\n：:]{1,12}?(?:说|告诉我|问我?|回复|写道|留言|发来|来信"
    r"|says?|said|wrote|told me|writes|asked)[：:,，]?[ \t]*[：:](?P<said>[^\n]*)"
    rf"|“(?P<zh>[^“”\n]{{{LONGEST_QUOTED_NAME + 1},}})”|「(?P<corner>[^「」\n]{{{LONGEST_QUOTED_NAME + 1},}})」"
    rf"|『(?P<double>[^『』\n]{{{LONGEST_QUOTED_NAME + 1},}})』"
    rf"|(?<![\w\"])\"(?P<en>(?:[^\"\s]+[ \t]+){{{MOST_QUOTED_WORDS},}}[^\"\s]+)\"",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)


def own_words(message: Message) -> Message:
    """Return the message with what its speaker only passes on moved from ``text`` to ``quoted``.

    Total; a message in the speaker's own words comes back as it is.
    """
    text, quoted, end = [], [message.quoted] if message.quoted else [], 0
    for found in _PASSED_ON.finditer(message.text):
        group = found.lastgroup
        if group is None:
            continue
        text.append(message.text[end : found.start(group)])
        quoted.append(found[group].strip())
        end = found.end(group)
    if end == 0:
        return message
    text.append(message.text[end:])
    return replace(message, text=" ".join(text).strip(), quoted="\n".join(quoted))
