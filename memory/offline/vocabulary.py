"""Words that tell one subject from another, and those that tell nothing."""

import re
from typing import Final

from memory.text.tokens import tokens, words

_EMPTY_WORDS: Final = """
你好 您好 谢谢 感谢 朋友 知道 觉得 感觉 喜欢 可能 今天 明天 昨天 最近 现在 时间 东西 事情 建议
推荐 分享 非常 特别 一定 希望 真的 好像 还有 一起 已经 开始 需要 可以 应该 如果 比较 一直 有点
有些 不错 尝试 一下 什么 主人 小祥 聊天 再见 明白 没有 一样 这样 例如 以及 其他 一种 方法 帮助
太棒了 太好了 不用谢 没关系 不客气 认识 感到 看看 当然 有没有 方式 了解 问题 期待 变得 确实
其实 考虑 怎么办 为什么 学习 练习 ai 伴侣 的话 很多 不是 还是 只是 就是 或者 不要 我会 不会
高兴 有趣 听听
like thank thanks good great nice know think feel want would could get go make today
tomorrow yesterday lot need time thing things sure really maybe also yes hello hi friend
recommend suggestions suggestion new one i'm it's i've don't
"""
_EMPTY: Final = frozenset(_EMPTY_WORDS.split())
_ASKING_WORDS: Final = """
记得 知道 是否 曾经 你还 告诉 时候 哪些 什么 对吗 分享 推荐 聊过 说过 提到 remember know tell
ever
"""
_ASKING: Final = frozenset(_ASKING_WORDS.split())
_QUESTION: Final = re.compile(r"[?？]\s*$|[吗呢]\s*$")
_NO_SUBJECT: Final = re.compile(
    "[一两二三四五六七八九十几][只个条位次件张家本部场天年]|[还也很就都太挺真].|[0-9]+"
)


def content_words(text: str) -> list[str]:
    """Return the words of ``text`` that tell one subject from another, in order."""
    return [word for word in words(text) if word not in _EMPTY and not _NO_SUBJECT.fullmatch(word)]


def match_terms(text: str) -> frozenset[str]:
    """Return everything a question and a memory may share: words, stems and character pairs."""
    return frozenset(tokens(text)) - _ASKING


def asked_words(text: str) -> frozenset[str]:
    """Return the words of a question but for those that only ask."""
    return frozenset(words(text)) - _ASKING


def is_question(text: str) -> bool:
    """Tell whether a line ends as a question does."""
    return _QUESTION.search(text) is not None
