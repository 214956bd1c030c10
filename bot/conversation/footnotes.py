"""Footnotes of an answer: that it was cut, and what it says of a promise, a deed or a harm amiss.

A model's words do nothing: what it says that it did, or will do, is owned up to below them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal, TypeAlias, assert_never

from bot.conversation.reply_generator import GeneratedReply, TurnContext
from bot.texts import Sentence, say
from bot.texts import dialogue as texts
from memory.initiative.reminders import promises_in_vain
from memory.offline.harms import harm_made_light_of
from memory.offline.phrasing import spoken_to
from memory.text.late_pattern import LatePattern
from memory.text.segmentation import code_blocks

_TICKS: Final = re.compile(r"(?<!`)`(?!`)")


def cut_with_line(text: str, line: str) -> str:
    r"""Return Markdown that was cut anywhere, with a line below it that says so.

    What the cut left open is closed: else the line would be code, and stars would stay to be seen.

    >>> cut_with_line("所以**注意", "（没说完）")
    '所以**注意**\n\n（没说完）'
    >>> cut_with_line("```py\nx =", "（没说完）")
    '```py\nx =\n```\n\n（没说完）'
    """
    said = text.rstrip()
    blocks = code_blocks(said)
    if blocks and blocks[-1].closing == len(said):
        return f"{said}\n{blocks[-1].marker}\n\n{line}"
    last = said[said.rfind("\n") + 1 :]
    if len(_TICKS.findall(last)) % 2:
        said += "`"
    elif last.count("**") % 2:
        # Also where the cut fell between the two stars that close.
        said, last = said.rstrip("*").rstrip(), last.rstrip("*")
        said += "**" * (last.count("**") % 2)
    return f"{said}\n\n{line}"


def with_footnote(reply: GeneratedReply, line: str) -> GeneratedReply:
    """Return a reply with a line below it, if there is one."""
    return replace(reply, text=cut_with_line(reply.text, line)) if line else reply


Claim: TypeAlias = Literal["erased", "pinned", "changed"]
"""What a reply may say that it did to memory, which words of a model never do."""


def claimed_deed(reply: str, said: Sequence[str]) -> Claim | None:
    """Return what a reply says was done to memory, where the partner asked for just that.

    >>> claimed_deed("好的，全部删除了，一条不留。", ["把你记得的关于我的东西全删了"])
    'erased'
    >>> claimed_deed("删了就好。", ["我把他微信删了"])
    """
    told = _DENIED.sub(" ", reply)
    asked = [each for each in said if not _ASKS.search(each.strip())]
    for deed, (request, claims) in _DEEDS.items():
        if claims.search(told) and any(map(request.search, asked)):
            return deed
    return "pinned" if _PINNED_UNASKED.search(told) else None


_ASKS: Final = re.compile(
    r"(?:了|掉|完)(?:吗|没有?|么)\W*$|^(?:is|are|did|have|has|was|were)\b", re.IGNORECASE
)
"""删了吗 asks whether it was done, and may be right in what it asks."""

_DENIED: Final = LatePattern(
    r"(?:没有?|还没|不能|不会|无法|没法|不了|别|要不要|要我|可以|需要|想|如果|要是)"
    r"[^，。！？\n]{0,12}"
    r"(?:删|清|抹|忘|钉|置顶|改|更正|更新)[^，。！？\n]*|(?:删|清|抹|忘|改)不[了掉完]"
    r"|\b(?:can(?:no|['’])t|(?:could|did|do|have|has|was|were)(?:n['’]t| not)"
    r"|not|never|shall i|should i|do you want|want me to|would you like|if you|you c(?:an|ould))\b"
    r"[^.!?\n]*|[^，。！？!?.\n]{0,60}[?？]",
    re.IGNORECASE,
)
"""What a reply offers, asks or owns that it cannot do is no claim."""

_ERASE: Final = LatePattern(
    r"(?<!我)把[^，。]{1,24}(?:删|清[空除掉理]|抹[掉去]|忘[掉了光])"
    r"|^[^我，。]{0,3}(?:帮我|给我|请|麻烦|你|快)[^，。]{0,24}(?:删|清[空除掉理]|抹[掉去]|忘[掉光])"
    r"|那[条个件句][^，。我]{0,3}(?:我[^，。]{1,6}的)?(?:你)?[删抹]|^(?:都|全部?|全都)?(?:删|清空|抹)[掉了除吧]"
    r"|^\W*(?:(?:please|can you|could you|will you|just|ok|now|and|then|go and|i want you to"
    r"|i['’]d like you to),? )*(?:delete|erase|wipe|forget|remove|clear|scrap)\b(?! to\b)",
    re.IGNORECASE,
)

_ERASED: Final = LatePattern(
    r"(?:已经?|都|全|刚|帮你|给你|替你|为你|彻底|我会|这就|马上)[^，。！？\n]{0,12}(?:删|清[空除掉理]|抹|忘[掉光])"
    r"|^\W*(?:好的?|嗯|行|没问题)?[，,]?(?:删|清空|抹|忘掉)[除掉去]?了"
    r"|^\W*(?:(?:ok(?:ay)?|sure|all),? )?(?:done|deleted|gone|erased|wiped|removed|cleared)\b"
    r"|\bi(?:['’]ve| have|['’]ll| will)?(?: just| already| now)? "
    r"(?:delete|erase|wipe|remove|clear|purge|forg[eo]t)(?:d|ed|ten)?\b"
    r"|\b(?:is|are|has been|have been|it['’]s|everything['’]s|that['’]s|all) (?:now |all )?"
    r"(?:deleted|erased|wiped|removed|cleared|gone|forgotten)\b|\bnothing(?: is|['’]s)? left\b",
    re.IGNORECASE,
)

_PIN: Final = LatePattern(r"置顶|钉住|钉一下|\bpin\b", re.IGNORECASE)

_PINNED: Final = LatePattern(
    r"(?:已经?|都|帮你|给你|这就|好的?，?)[^，。！？\n]{0,10}(?:置顶|钉)"
    r"|\b(?:pinned|i['’]ll pin)\b|^\W*(?:done|好了)\b",
    re.IGNORECASE,
)

_CHANGE: Final = LatePattern(
    r"(?:那条|这条|刚才|之前|记忆|记的|资料)[^，。]{0,8}(?:改|作废|更正|更新)|把[^，。]{1,16}改[成为]"
    r"|\b(?:correct|change|fix|update|scratch) (?:that|it|what|the|your)\b",
    re.IGNORECASE,
)

_CHANGED: Final = LatePattern(
    r"(?:已经?|都|帮你|给你)[^，。！？\n]{0,12}(?:改[好成为了]|更正|更新)"
    r"|^\W*(?:好的?，?)?(?:改好|更正|更新)了|(?:数据库|记忆|资料)[^，。！？\n]{0,4}(?:已更新|更新了)"
    r"|\b(?:corrected|updated)\b|\bi(?:['’]ve| have) (?:changed|fixed)\b",
    re.IGNORECASE,
)

_DEEDS: Final[Mapping[Claim, tuple[LatePattern, LatePattern]]] = {
    "erased": (_ERASE, _ERASED),
    "pinned": (_PIN, _PINNED),
    "changed": (_CHANGE, _CHANGED),
}

_PINNED_UNASKED: Final = LatePattern(
    r"我已经?把[^，。！？\n]{1,12}(?:钉住|置顶|钉)了"
    r"|\bi(?:['’]ve| have) (?:just |already )?pinned (?:it|that)\b",
    re.IGNORECASE,
)


def footnote_of(reply: str, context: TurnContext) -> str:
    """Return what is to stand below a reply where it is not so: a promise, a deed, a harm."""
    told = _harm_denied(reply, context) if context.private else ""
    if told:
        return say(context.spoken, texts.TOLD_OTHERWISE, told=told)
    if promises_in_vain(reply, context.agent.state):
        return say(context.spoken, texts.NO_REMINDER_SET)
    deed = claimed_deed(reply, [each.text for each in context.said])
    return say(context.spoken, _NOT_DONE[deed]) if deed else ""


def _harm_denied(reply: str, context: TurnContext) -> str:
    """Return what the partner told of what harms them, where a reply calls it harmless."""
    known, partner = context.agent.state.memories.values(), context.settings.partner
    asked = "\n".join(each.text for each in context.said)
    fact = harm_made_light_of(reply, asked, known, partner)
    english = context.spoken == "en"
    return spoken_to(fact.words.text, partner, english=english) if fact else ""


_NOT_DONE: Final[Mapping[Claim, Sentence]] = {
    "erased": texts.NOTHING_ERASED,
    "pinned": texts.NOTHING_PINNED,
    "changed": texts.NOTHING_CHANGED,
}


def marked_as_cut(reply: GeneratedReply, context: TurnContext) -> GeneratedReply:
    """Return a reply that is not whole with the offer to go on, others as they are."""
    match reply.cut:
        case "":
            return reply
        case "limit":
            sentence = texts.CUT_AT_LIMIT
        case "filter":
            sentence = texts.CUT_BY_FILTER
        case never:
            assert_never(never)
    # Remembered with its mark, so that "go on" finds what there is to go on with.
    line = say(context.spoken, sentence)
    return replace(reply, text=cut_with_line(reply.text, line))
