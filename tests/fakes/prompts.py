"""A turn and memories to make prompts of, and a prompt for tests that are not about prompts."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from prompts import PromptLine, PromptMemory, Reply
from tests.fakes.clock import NOON

SHANGHAI = ZoneInfo("Asia/Shanghai")
EVENING = datetime(2026, 3, 4, 20, 0, tzinfo=SHANGHAI)

TURN = (
    PromptLine("user", "主人", EVENING, "我明天要去面试，\n有点紧张"),
    PromptLine("assistant", "小祥", EVENING + timedelta(minutes=1), "别这么绷着，主人。"),
)
MEMORIES = (
    PromptMemory(
        "m1", "主人喜欢拉面", EVENING - timedelta(days=3), speaker="主人", quote="我爱吃拉面"
    ),
    PromptMemory(
        "m2", "主人住在北京", EVENING - timedelta(days=200), tier="core", past=True, reason="#1→#2"
    ),
)


def reply_prompt(text: str = "你好呀，今天 ramen 🍜 怎么样？") -> Reply:
    """Return the prompt to answer ``text`` with."""
    line = PromptLine(role="user", speaker="主人", at=NOON, text=text)
    return Reply(persona="小祥", language="zh", partner="主人", now=NOON, window=(line,))
