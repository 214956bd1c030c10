"""The verdict on one memory by rule: careful, and never a search."""

import re
from typing import Final, assert_never

from memory.text.similarity import similarity
from prompts import PromptMemory, Review

_LASTING: Final = re.compile(
    r"名字|叫(?!做自己)|姓|生日|出生|住在?|来自|老家|职业|工作|是.{0,12}(?:老师|医生|护士|律师"
    r"|学生|程序员|工程师|设计师)|女儿|儿子|妈妈|爸爸|妹妹|弟弟|姐姐|哥哥"
    r"|老婆|老公|妻子|丈夫|养|过敏|喜欢|讨厌|最爱|热爱|不吃|不喝|素食|约定|答应"
    r"|\b(?:name|birthday|born|lives? in|from|works?|job|daughter|son|mother|father|sister"
    r"|brother|wife|husband|cat|dog|allergic"
    r"|likes?|loves?|enjoys?|hates?|favou?rite|promised?)\b",
    re.IGNORECASE,
)
_PASSING: Final = re.compile(
    r"今[天晚早]|现在|最近|刚才|这几天|昨天|明天|后天|下周|正在|在准备|打算|计划|有点"
    r"|\d{4}-\d{2}-\d{2}"
    r"|\b(?:today|tonight|now|lately|recently|yesterday|tomorrow|next week|is (?:planning"
    r"|learning|preparing)|plans to)\b",
    re.IGNORECASE,
)
_NEWER: Final = 0.75


def review_verdict(prompt: Review) -> str:
    """Return a reason and a verdict: what lasts is promoted, what passed may go, else KEEP."""
    chinese = prompt.language.startswith("zh")
    memory = prompt.memory
    lasting = _is_lasting(memory)
    match prompt.task:
        case "promotion" if lasting:
            return _verdict_lines("PROMOTE", "长期稳定的事" if chinese else "it is lasting")
        case "promotion":
            return _verdict_lines("KEEP", "可能只是一时" if chinese else "it may be passing")
        case "decay" if memory.past or _is_replaced(prompt):
            return _verdict_lines(
                "DELETE", "已经有更新的说法" if chinese else "something newer stands"
            )
        case "decay" if _PASSING.search(memory.text) and not lasting:
            return _verdict_lines(
                "DELETE", "一时的事，已经过去" if chinese else "it was passing, and is over"
            )
        case "decay":
            return _verdict_lines("KEEP", "也许还有用" if chinese else "it may still be of use")
        case never:
            assert_never(never)


def _is_lasting(memory: PromptMemory) -> bool:
    return (
        not memory.past
        and _LASTING.search(memory.text) is not None
        and _PASSING.search(memory.text) is None
    )


def _is_replaced(prompt: Review) -> bool:
    """Tell whether a relative says the same, later."""
    memory = prompt.memory
    return any(
        other.when > memory.when
        and not other.past
        and other.tier != "episode"
        and similarity(other.text, memory.text) >= _NEWER
        for other in prompt.relatives
    )


def _verdict_lines(verdict: str, why: str) -> str:
    return f"{why}\n[{verdict}]"
