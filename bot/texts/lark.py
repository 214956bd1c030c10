"""What is said only on Lark, or about it."""

from typing import Final

from bot.texts import Sentence

# Messages without text, as the model reads them.
STICKER: Final = Sentence(zh="（发来一个表情）", en="(sent a sticker)")
FILE: Final = Sentence(
    zh="（发来一个文件：{name}，我还打不开）", en="(sent a file I cannot open yet: {name})"
)
PLACE: Final = Sentence(zh="（发来一个位置：{name}）", en="(sent a place: {name})")
PERSON_CARD: Final = Sentence(zh="（分享了一个人的名片）", en="(shared somebody's card)")
CHAT_CARD: Final = Sentence(zh="（分享了一个群）", en="(shared a group)")
TASK: Final = Sentence(
    zh="（发来一个任务：{summary}，截止 {due}）", en="(sent a task: {summary}, due {due})"
)
VOTE: Final = Sentence(
    zh="（发起投票：{topic} 选项：{options}）", en="(started a vote: {topic} Options: {options})"
)
APPOINTMENT: Final = Sentence(
    zh="（发来一个日程：{summary}，{start} 到 {end}）",
    en="(sent an appointment: {summary}, {start} to {end})",
)
CARD: Final = Sentence(zh="（转来一张卡片）", en="(forwarded a card)")
AGAIN: Final = Sentence(
    zh="（这条也许你已经收到过）\n", en="(you may have had this one already)\n"
)
FORBIDDEN: Final = Sentence(
    zh="（我想说的话，飞书没让发出来）", en="(Lark did not let me send what I wanted to say)"
)
EVERYBODY: Final = Sentence(zh="所有人", en="everybody")
SOMEBODY: Final = Sentence(zh="某人", en="somebody")

# Said in a chat.
PRESSED: Final = Sentence(zh="收到", en="Got it")
PRESS_AGAIN: Final = Sentence(
    zh="刚才没连上，请再按一次。", en="That did not get through; please press again."
)
NOT_FOR_YOU: Final = Sentence(
    zh="这个按钮不是给你的，抱歉啦。", en="This button is not for you, sorry."
)

# Said to the operator at the start.
LISTENING: Final = Sentence(zh="小祥在飞书上了：{name}", en="Xiaoxiang is on Lark: {name}")
PAIRING: Final = Sentence(
    zh="飞书上还没有主人。请私聊 {name}，发送这个码来认主：{code}",
    en="There is no owner on Lark yet. Send this code to {name} in a private chat: {code}",
)
SECRET_REFUSED: Final = Sentence(
    zh="飞书说 LARK_APP_ID 或 LARK_APP_SECRET 不对（也可能 LARK_DOMAIN 该是 feishu 或 lark）。"
    "到开发者后台的“凭证与基础信息”里抄一遍，再启动；详见 docs/lark.md。",
    en="Lark says that LARK_APP_ID or LARK_APP_SECRET is wrong (or LARK_DOMAIN should be the "
    "other of feishu and lark). Copy them again from Credentials & Basic Info in the developer "
    "console and start again; see docs/lark.md.",
)
NO_BOT: Final = Sentence(
    zh="这个飞书应用还没有机器人：在开发者后台“添加应用能力”里加上机器人，"
    "再创建版本并发布；详见 docs/lark.md。",
    en="This Lark app has no bot yet: add the Bot capability in the developer console, then "
    "create a version and publish it; see docs/lark.md.",
)

SETUP: Final = Sentence(
    zh="LARK_APP_ID 和 LARK_APP_SECRET（飞书，见 docs/lark.md）",
    en="LARK_APP_ID and LARK_APP_SECRET (see docs/lark.md)",
)
# The doctor. The names of pages are those of the developer console, so that they can be found.
NOT_SET: Final = Sentence(
    zh="没有设置飞书（要用：见 docs/lark.md，把 LARK_APP_ID 和 LARK_APP_SECRET 写进 .env）",
    en="Lark is not configured (to use it: docs/lark.md, then LARK_APP_ID and LARK_APP_SECRET)",
)
APP_AWAY: Final = Sentence(
    zh="飞书没有正常应答（{why}）：检查网络、代理，以及 LARK_DOMAIN 是 feishu 还是 lark",
    en="Lark does not answer ({why}): check the network, the proxy, and whether LARK_DOMAIN is "
    "feishu or lark",
)
APP_GOOD: Final = Sentence(zh="飞书应用 {name} 可用", en="the Lark app {name} answers")
NOT_ENABLED: Final = Sentence(
    zh="飞书机器人还没有启用：在开发者后台“版本管理与发布”创建版本、发布，并等管理员通过",
    en="the Lark bot is not enabled yet: create a version under Version Management & Release, "
    "publish it, and wait for your admin to approve",
)
NOT_PUBLISHED: Final = Sentence(
    zh="飞书应用还没有发布过：改了权限或事件，要“创建版本”并发布才生效",
    en="the Lark app was never published: scopes and events work only once a version is published",
)
SCOPES_GOOD: Final = Sentence(zh="飞书权限齐全", en="the Lark app has every scope it needs")
SCOPES_MISSING: Final = Sentence(
    zh="飞书缺权限：{scopes}。在开发者后台“权限管理”里开通，然后创建版本并发布",
    en="the Lark app lacks these scopes: {scopes}. Add them under Permissions & Scopes, then "
    "create a version and publish it",
)
SCOPES_UNKNOWN: Final = Sentence(
    zh="飞书没有说有哪些权限；docs/lark.md 里有完整的清单",
    en="Lark does not say which scopes the app has; the complete list is in docs/lark.md",
)
LISTENS: Final = Sentence(
    zh="飞书群里她能旁听（不想让她听：GROUP_LISTEN=false）",
    en="in Lark groups she can listen (to stop that: GROUP_LISTEN=false)",
)
LISTENS_NOT: Final = Sentence(
    zh="飞书群里她只收得到 @她 的话；想让她旁听，开通 im:message.group_msg",
    en="in Lark groups she gets only what mentions her; to let her listen: im:message.group_msg",
)
EVENTS_GOOD: Final = Sentence(
    zh="飞书事件都订阅了", en="the Lark app is subscribed to every event"
)
EVENTS_MISSING: Final = Sentence(
    zh="飞书没有订阅：{events}。在开发者后台“事件与回调”里添加（card.action.trigger 在"
    "“回调配置”），然后创建版本并发布",
    en="the Lark app is not subscribed to: {events}. Add them under Events & Callbacks "
    "(card.action.trigger under Callback Configuration), then create a version and publish it",
)
EVENTS_UNKNOWN: Final = Sentence(
    zh="飞书没有说订阅了哪些事件（要她能查，开通 application:application:self_manage）；"
    "请自己核对“事件与回调”：{events}",
    en="Lark does not say which events the app is subscribed to (with "
    "application:application:self_manage it would); please check Events & Callbacks "
    "yourself: {events}",
)
WAY_OTHER: Final = Sentence(
    zh="飞书后台选的接收方式是 {there}，这里的 LARK_MODE 是 {here}：改成一样的",
    en="the developer console delivers events by {there}, but LARK_MODE is {here}: make "
    "them the same",
)
CONNECTS: Final = Sentence(zh="飞书长连接可以建立", en="Lark accepts a long connection")
CONNECTS_NOT: Final = Sentence(
    zh="飞书不给建长连接：在“事件与回调”里选“使用长连接接收事件”；只有企业自建应用可以",
    en="Lark refuses a long connection: choose to receive events through a persistent "
    "connection under Events & Callbacks; only custom apps can do this",
)
OWNER_KNOWN: Final = Sentence(zh="飞书上有主人", en="there is an owner on Lark")
OWNER_WANTED: Final = Sentence(
    zh="飞书上还没有主人：设置 OWNER_IDS，或运行 xiaoxiang run，把它显示的码私聊发给她",
    en="no owner on Lark yet: set OWNER_IDS, or start xiaoxiang run and send her its code",
)

# What its settings are refused for.
WRONG_DOMAIN: Final = Sentence(
    zh="写 feishu（国内）或 lark（海外）", en="write feishu (China) or lark (everywhere else)"
)
WRONG_PATH: Final = Sentence(
    zh="写以 / 开头的路径，比如 /lark", en="write a path that begins with /, like /lark"
)
ID_WITH_SECRET: Final = Sentence(
    zh="LARK_APP_ID 和 LARK_APP_SECRET 要一起写", en="LARK_APP_ID and LARK_APP_SECRET go together"
)
WRONG_APP_ID: Final = Sentence(
    zh="应用的 ID 是 cli_a1b2c3… 这样的，在“凭证与基础信息”里",
    en="an app id looks like cli_a1b2c3…, from Credentials & Basic Info",
)
WEBHOOK_GUARDS: Final = Sentence(
    zh="LARK_MODE=webhook 还要 LARK_ENCRYPT_KEY 和 LARK_VERIFICATION_TOKEN，"
    "在“事件与回调”的“加密策略”里",
    en="LARK_MODE=webhook needs LARK_ENCRYPT_KEY and LARK_VERIFICATION_TOKEN, from Events & "
    "Callbacks, Encryption Strategy",
)
