"""What is said only on Telegram, or about it."""

from typing import Final

from bot.texts import Sentence

# Messages without text, as the model reads them.
STICKER: Final = Sentence(zh="（发来一个贴纸：{emoji}）", en="(sent a sticker: {emoji})")
CONTACT: Final = Sentence(
    zh="（发来一张名片：{name}，{number}）", en="(shared a contact: {name}, {number})"
)
POLL: Final = Sentence(
    zh="（发起投票：{question} 选项：{options}）",
    en="(started a poll: {question} Options: {options})",
)
VENUE: Final = Sentence(
    zh="（发来一个地点：{name}，{address}）", en="(sent a place: {name}, {address})"
)
LOCATION: Final = Sentence(
    zh="（发来一个位置，我打不开地图）", en="(sent a location I cannot open on a map)"
)
VIDEO: Final = Sentence(zh="（发来一段视频，我还看不了）", en="(sent a video I cannot watch yet)")
FILE: Final = Sentence(
    zh="（发来一个文件：{name}，我还打不开）", en="(sent a file I cannot open yet: {name})"
)
REACTED: Final = Sentence(zh="（回应了一个 {emoji}）", en="(reacted with {emoji})")

# Said to the operator at the start.
SETUP: Final = Sentence(
    zh="TELEGRAM_BOT_TOKEN（向 @BotFather 要一个，见 docs/telegram.md）",
    en="TELEGRAM_BOT_TOKEN (ask @BotFather for one, see docs/telegram.md)",
)
LISTENING: Final = Sentence(
    zh="小祥在 Telegram 上了：{name}", en="Xiaoxiang is on Telegram: {name}"
)
PAIRING: Final = Sentence(
    zh="还没有主人。请私聊 {name}，发送这个码来认主：{code}",
    en="There is no owner yet. Send this code to {name} in a private chat: {code}",
)
TOKEN_REFUSED: Final = Sentence(
    zh="Telegram 说这个 TELEGRAM_BOT_TOKEN 无效（可能被撤销了）。向 @BotFather 要新的再启动。",
    en="Telegram says TELEGRAM_BOT_TOKEN is not valid (perhaps revoked). "
    "Ask @BotFather for a new one and start again.",
)

# The doctor.
NO_TOKEN: Final = Sentence(
    zh="没有设置 Telegram（要用：向 @BotFather 要 token，写进 TELEGRAM_BOT_TOKEN）",
    en="Telegram is not configured (to use it: ask @BotFather for TELEGRAM_BOT_TOKEN)",
)
BOT_GOOD: Final = Sentence(zh="Telegram 机器人 {name} 可用", en="the Telegram bot {name} answers")
BOT_BAD: Final = Sentence(
    zh="Telegram 没有应答（{why}）：检查网络、代理和 TELEGRAM_API_BASE",
    en="Telegram does not answer ({why}): check the network, the proxy and TELEGRAM_API_BASE",
)
PRIVACY_ON: Final = Sentence(
    zh="群里的隐私模式开着：她只看得到命令、@她 和回复她的话，听不到别的。想让她旁听："
    "在 @BotFather 里 /setprivacy 选 Disable，再把她移出群重新加入（或设为管理员）",
    en="privacy mode is on in groups: she sees commands, mentions and replies to her, nothing "
    "else. To let her listen: /setprivacy, Disable, at @BotFather, then remove her from the group "
    "and add her again (or make her an admin)",
)
PRIVACY_OFF: Final = Sentence(
    zh="群里的隐私模式关着：她能旁听（不想让她听：GROUP_LISTEN=false）",
    en="privacy mode is off in groups: she can listen (to stop that: GROUP_LISTEN=false)",
)
WEBHOOK_ELSEWHERE: Final = Sentence(
    zh="这个机器人现在把消息推给 {url}；xiaoxiang run 会改成自己来取",
    en="this bot's updates now go to {url}; xiaoxiang run will fetch them itself instead",
)
OWNER_KNOWN: Final = Sentence(zh="Telegram 上有主人", en="there is an owner on Telegram")
OWNER_WANTED: Final = Sentence(
    zh="Telegram 上还没有主人：设置 OWNER_IDS，或运行 xiaoxiang run，把它显示的码私聊发给她",
    en="no owner on Telegram yet: set OWNER_IDS, or start xiaoxiang run and send her the code it "
    "shows",
)

# What its settings are refused for.
WRONG_TOKEN: Final = Sentence(
    zh="token 是 @BotFather 给的 123456:ABC-… 这样的",
    en="a token looks like 123456:ABC-…, as @BotFather gave it",
)
WRONG_BASE: Final = Sentence(
    zh="{given} 不像 https://api.telegram.org", en="{given} is not like https://api.telegram.org"
)
WRONG_WEBHOOK: Final = Sentence(
    zh="TELEGRAM_WEBHOOK_URL 要以 https:// 开头",
    en="TELEGRAM_WEBHOOK_URL must begin with https://",
)
WEBHOOK_SECRET: Final = Sentence(
    zh="TELEGRAM_WEBHOOK_URL 还要 TELEGRAM_WEBHOOK_SECRET：16 到 256 个 A-Z a-z 0-9 _ -",
    en="TELEGRAM_WEBHOOK_URL needs TELEGRAM_WEBHOOK_SECRET: 16 to 256 of A-Z a-z 0-9 _ -",
)
