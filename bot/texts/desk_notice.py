"""What is said, quietly, when something was learnt, and about saying it."""

from typing import Final

from bot.texts.sentence import Sentence

NOTICE_ONE: Final = Sentence(zh="记下了：{what}", en="Noted: {what}")
NOTICE_SEVERAL: Final = Sentence(zh="记下了：", en="Noted:")
NOTICE_CHANGED: Final = Sentence(
    zh="改成“{after}”（原来：{before}）", en="{after} (was: {before})"
)
NOTICE_PAST: Final = Sentence(zh="不再是“{text}”", en="no longer “{text}”")
NOTICE_PAST_AND_NOW: Final = Sentence(
    zh="不再是“{before}”，现在：{after}", en="no longer “{before}”, now: {after}"
)
NOTICE_MERGED: Final = Sentence(zh="合成一条：{text}", en="put together: {text}")
NOTICE_HIDDEN: Final = Sentence(zh="放下“{text}”", en="let go of “{text}”")
NOTICE_PRIVATE: Final = Sentence(
    zh="一件私密的事（#{id}，这里不写出来）", en="something private (#{id}, not spelled out here)"
)

NOTICES_ON: Final = Sentence(
    zh="从对话里学到什么，我会在私聊里轻轻说一声，可以一键撤销（不想看到：/memory notice off）。",
    en="When I learn something I say so quietly, in private, with a button to undo it "
    "(to stop that: /memory notice off).",
)
NOTICES_OFF: Final = Sentence(
    zh="学到什么我不再说出来；想看随时可以：/memory review（再打开：/memory notice on）。",
    en="I do not say what I learn. See it at any time with /memory review "
    "(to hear it again: /memory notice on).",
)
