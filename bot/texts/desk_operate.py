"""What the operator's commands say."""

from typing import Final

from bot.texts.sentence import Sentence

STATUS: Final = Sentence(zh="现在怎么样", en="How things are")
MODEL: Final = Sentence(zh="语言模型", en="model")
OFFLINE: Final = Sentence(zh="离线（按规则）", en="offline (by rule)")
TOKENS_TODAY: Final = Sentence(zh="今天用了", en="tokens today")
DAILY_LIMIT: Final = Sentence(zh="每日上限", en="daily limit")
NO_LIMIT: Final = Sentence(zh="没有上限", en="none")
WAITING_TURNS: Final = Sentence(zh="等着学的对话", en="turns to judge")
BACKGROUND_TASKS: Final = Sentence(zh="后台任务", en="background tasks")
FAILED_WORK: Final = Sentence(zh="搁置的", en="parked")
LAST_NIGHT: Final = Sentence(zh="上次整理", en="last night settled")
CHANNEL: Final = Sentence(zh="渠道", en="channel")
RECEIVES: Final = Sentence(zh="在听吗", en="hears")
HEALTH_STARTING: Final = Sentence(zh="正在连接", en="connecting")
HEALTH_WELL: Final = Sentence(zh="好", en="well")
HEALTH_TROUBLED: Final = Sentence(zh="听不到", en="not hearing")
HEALTH_STOPPED: Final = Sentence(zh="停了", en="stopped")
HEALTH_SINCE: Final = Sentence(zh="{when} 起", en="since {when}")
UNREACHABLE: Final = Sentence(zh="连不上", en="cannot be reached")
CONFLICT: Final = Sentence(zh="另一个程序在用同一个机器人", en="another program uses this bot")
RATE_LIMITED: Final = Sentence(zh="对方要我等一等", en="asked to wait")
TOKEN_REFUSED: Final = Sentence(zh="钥匙（token）无效", en="the token is not valid")
LAST_ACTIVITY: Final = Sentence(zh="最近一次", en="last")
QUEUE_WAITING: Final = Sentence(zh="等着", en="waiting")
QUEUE_FAILED: Final = Sentence(zh="失败", en="failed")
AGENTS: Final = Sentence(zh="{count} 个记忆", en="Agents: {count}")
AGENT: Final = Sentence(zh="记忆", en="agent")
KNOWS: Final = Sentence(zh="记得几条", en="remembers")
LIMITS: Final = Sentence(zh="每天的用量（上限：{limit}）", en="Tokens a day (limit: {limit})")
