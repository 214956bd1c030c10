"""What the operator's commands say."""

from typing import Final

from bot.texts.sentence import Sentence

STATUS: Final = Sentence(zh="现在怎么样", en="How things are")
MODEL: Final = Sentence(zh="语言模型", en="model")
OFFLINE: Final = Sentence(zh="离线（按规则）", en="offline (by rule)")
TOKENS: Final = Sentence(zh="今天用了", en="tokens today")
LIMIT: Final = Sentence(zh="每日上限", en="daily limit")
NO_LIMIT: Final = Sentence(zh="没有上限", en="none")
TURNS: Final = Sentence(zh="等着学的对话", en="turns to judge")
TASKS: Final = Sentence(zh="后台任务", en="background tasks")
PARKED: Final = Sentence(zh="搁置的", en="parked")
NIGHT: Final = Sentence(zh="上次整理", en="last night settled")
CHANNEL: Final = Sentence(zh="渠道", en="channel")
LAST: Final = Sentence(zh="最近一次", en="last")
WAITING: Final = Sentence(zh="等着", en="waiting")
FAILED: Final = Sentence(zh="失败", en="failed")
AGENTS: Final = Sentence(zh="{count} 个记忆", en="{count} agents")
AGENT: Final = Sentence(zh="记忆", en="agent")
KNOWS: Final = Sentence(zh="记得几条", en="remembers")
LIMITS: Final = Sentence(zh="每天的用量（上限：{limit}）", en="Tokens a day (limit: {limit})")
