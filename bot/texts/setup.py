"""What ``xiaoxiang setup`` says."""

from errno import EACCES, EDQUOT, ENOENT, ENOSPC, ENOTDIR, EPERM, EROFS
from typing import Final

from bot.texts import Sentence

BEGIN: Final = Sentence(
    zh="一步一步来。每一问都可以直接回车跳过，以后随时再运行 xiaoxiang setup：只改你这次说的。\n"
    "写单个减号（-）表示去掉原来的值。都写在 {file}（只有你能读）。",
    en="One step at a time. Return skips any question; run xiaoxiang setup again whenever you "
    "like: only what you say is changed.\nA single minus (-) takes a value away. It all goes "
    "into {file}, which only you can read.",
)
NOW: Final = Sentence(zh="{question}（现在：{value}）", en="{question} (now: {value})")
HIDDEN: Final = Sentence(zh="已经有了", en="set")
NOT_TAKEN: Final = Sentence(zh="这个不行：{why}", en="That cannot be used: {why}")
ENVIRONMENT_WINS: Final = Sentence(
    zh="注意：环境变量里也有 {key}，它比文件优先。",
    en="Note: {key} is also set in the environment, which goes before the file.",
)
YES_NO: Final = Sentence(zh="{question} [y/回车=不]", en="{question} [y/return = no]")

ZONE: Final = Sentence(
    zh="你在哪个时区？（{guess} 之类）", en="Which time zone are you in? (such as {guess})"
)
PROVIDER: Final = Sentence(
    zh="语言模型用谁的？{names}，或者一个网址（https://…/v1）；跳过就是离线模式",
    en="Whose language model? {names}, or an address (https://…/v1); skipped, she is offline",
)
NO_PROVIDER: Final = Sentence(
    zh="没有叫“{given}”的。写上面的一个名字（比如 {meant}），或者 https:// 开头的网址；回车跳过",
    en='None is called "{given}". A name from above, such as {meant}, or an address that begins '
    "with https://; return skips it",
)
API_KEY: Final = Sentence(zh="API 密钥（不会显示）", en="API key (not shown)")
MODEL: Final = Sentence(zh="模型的名字", en="name of the model")
MODEL_WANTED: Final = Sentence(
    zh="没有模型名字，先不接模型。", en="Without the name of a model, none is used for now."
)
TRYING: Final = Sentence(zh="试一试……", en="Trying it…")

KEY_WANTED: Final = Sentence(
    zh="要造一把封存密码之类秘密用的钥匙吗？放在 {file}，请另存一份",
    en="Make the key that seals secrets such as passwords? It goes to {file}; keep a copy",
)
PAGE_ADDRESS: Final = Sentence(
    zh="想在浏览器里看她的记忆吗？写网页的地址；只给这台机器自己看：127.0.0.1:8090",
    en="Would you like to see her memory in a browser? The address of the page; for this machine "
    "alone: 127.0.0.1:8090",
)
COPY_FOLDER: Final = Sentence(
    zh="每晚自动备份。要不要再抄一份到别的文件夹（比如另一块盘）？写它的路径",
    en="She backs up every night by herself. A second copy in another folder (another disk)? Its "
    "path",
)
DONE: Final = Sentence(
    zh="好了。开始聊：{chat}；上平台：{run}；检查：xiaoxiang doctor",
    en="Done. To talk: {chat}; to be on the platforms: {run}; to check: xiaoxiang doctor",
)
STOPPED: Final = Sentence(
    zh="先到这里；说过的都记下了。", en="That is all for now; what you said is kept."
)

# Telegram.
TELEGRAM: Final = Sentence(
    zh="Telegram：在 Telegram 里找 @BotFather，发 /newbot，把它给的 token 贴在这里（不会显示）",
    en="Telegram: write /newbot to @BotFather and paste the token it gives you (not shown)",
)
BOT_LINK: Final = Sentence(zh="打开她：{link}", en="Open her: {link}")
WRITE_TO_HER: Final = Sentence(
    zh="现在给她发一句话；我等 {seconds} 秒，第一个写的人可以认作主人。",
    en="Now write her a message; I wait {seconds} seconds, and who writes first may be the owner.",
)
IS_IT_YOU: Final = Sentence(
    zh="{name}（{id}）写来了。是你吗？认作主人",
    en="{name} ({id}) wrote. Is that you? Make them the owner",
)
OWNER_MADE: Final = Sentence(zh="{id} 是主人了。", en="{id} is the owner now.")
NOBODY_WROTE: Final = Sentence(
    zh="没有等到。xiaoxiang run 会显示一个认主的码，私聊发给她也行。",
    en="Nobody wrote. xiaoxiang run shows a code; sending it to her in private does the same.",
)
GROUP_SEEN: Final = Sentence(
    zh="她在的群：{name} 是 {id}（要让群里的人都能聊，写进 ALLOWED_IDS）",
    en="A group she is in: {name} is {id} (in ALLOWED_IDS everybody there may talk with her)",
)

# Lark.
LARK: Final = Sentence(
    zh="飞书：用手机扫一下就能建好应用（s），自己在后台建（m），还是跳过？",
    en="Lark: create the app by scanning a link (s), by hand in the console (m), or skip?",
)
LARK_DOMAIN: Final = Sentence(
    zh="feishu（国内）还是 lark（海外）？", en="feishu (China) or lark (elsewhere)?"
)
SCAN: Final = Sentence(
    zh="用飞书打开这个链接（{minutes} 分钟内），确认创建：\n{url}",
    en="Open this link with Lark within {minutes} minutes and confirm:\n{url}",
)
SCANNED: Final = Sentence(zh="应用 {app} 建好了。", en="The app {app} is made.")
NOT_SCANNED: Final = Sentence(
    zh="没有建成（{why}）。可以再来一次，或者在后台建。",
    en="It was not made ({why}). Try again, or make it by hand in the console.",
)
LARK_STEPS: Final = Sentence(
    zh="1. 打开 {console}，创建企业自建应用，“添加应用能力”里加机器人。\n"
    "2. “权限管理”里开通：{scopes}\n"
    "3. “事件与回调”选“使用长连接接收”，添加：{events}\n"
    "4. “版本管理与发布”创建版本并发布。\n"
    "App ID 和 App Secret 在“凭证与基础信息”里。",
    en="1. At {console} create a custom app and add the Bot capability.\n"
    "2. Permissions & Scopes: {scopes}\n"
    "3. Events & Callbacks: persistent connection, and add: {events}\n"
    "4. Version Management & Release: create a version and publish it.\n"
    "App ID and App Secret are under Credentials & Basic Info.",
)
APP_ID: Final = Sentence(zh="应用的 App ID（cli_…）", en="App ID of the app (cli_…)")
APP_SECRET: Final = Sentence(zh="App Secret（不会显示）", en="App Secret (not shown)")
CHECK_AGAIN: Final = Sentence(zh="改好了再查一次？", en="Check once more when that is done?")

# The doctor, about the file of settings.
UNKNOWN_KEY: Final = Sentence(
    zh="{file} 里的 {key} 不是任何设置，没有作用",
    en="{key} in {file} is no setting: it does nothing",
)
MISSPELT_KEY: Final = Sentence(
    zh="{file} 里的 {key} 不是任何设置：是不是想写 {meant}？",
    en="{key} in {file} is no setting: did you mean {meant}?",
)
ODD_LINE: Final = Sentence(
    zh="{file} 的第 {line} 行不是“键=值”，没有作用",
    en="line {line} of {file} is not KEY=value: it does nothing",
)
REPEATED_KEY: Final = Sentence(
    zh="{file} 里 {key} 写了不止一次，值还不一样：算最后一个。留下要的那一行",
    en="{file} sets {key} more than once, to different values, and the last one holds: keep the "
    "line that is meant",
)
FOLDER_UNUSABLE: Final = Sentence(
    zh="{key}={folder} 写不进去（{why}）：改它的权限或腾出空间，或者换一个文件夹",
    en="{key}={folder} cannot be written ({why}): fix its permissions, free some space, or name "
    "another folder",
)
FOLDER_NOT_YET: Final = Sentence(
    zh="{key}={folder} 还不存在，用到时会建在 {place} 里：要是指另一块盘，先把它挂上",
    en="{key}={folder} does not exist yet and would be made inside {place}: if another disk is "
    "meant, mount it first",
)
DISK_TROUBLE: Final = {
    ENOENT: Sentence(zh="那里建不了", en="it cannot be made there"),
    ENOTDIR: Sentence(zh="那不是文件夹", en="that is no folder"),
    EACCES: Sentence(zh="没有权限", en="no permission"),
    EPERM: Sentence(zh="没有权限", en="no permission"),
    ENOSPC: Sentence(zh="磁盘满了", en="the disk is full"),
    EDQUOT: Sentence(zh="配额用完了", en="the quota is used up"),
    EROFS: Sentence(zh="磁盘是只读的", en="the disk is read-only"),
}
"""Why nothing can be written, by the number of the error."""
NO_COMMAND: Final = Sentence(
    zh="BACKUP_COMMAND 的命令找不到：{command}",
    en="the command of BACKUP_COMMAND cannot be found: {command}",
)
SET_ALONE: Final = Sentence(
    zh="设置了 {key}，但没有 {needs}，所以 {key} 不起作用：两个都写上，或者都不写",
    en="{key} is set but {needs} is not, so {key} does nothing: set both or neither",
)
COPIES_AWAY: Final = Sentence(
    zh="BACKUP_COPY_DIR 的 {folder} 里没有以前抄过去的备份（{agents}）：那块盘也许没有挂上；要是"
    "换了文件夹，今晚会重新抄一份",
    en="BACKUP_COPY_DIR {folder} holds none of the copies made before ({agents}): perhaps its "
    "disk is not mounted; if you named another folder, copies are made anew tonight",
)
BAD_IDS: Final = Sentence(zh="{key} 里有写错的：{why}", en="something in {key} is wrong: {why}")
VERSION: Final = Sentence(
    zh="版本 {version}，数据格式 {schema}，Python {python}；设置在 {file}",
    en="version {version}, data schema {schema}, Python {python}; settings in {file}",
)
VERSION_UNSET: Final = Sentence(
    zh="版本 {version}，数据格式 {schema}，Python {python}；还没有设置文件，会写在 {file}",
    en="version {version}, data schema {schema}, Python {python}; no settings file yet, it would "
    "be {file}",
)
FONT_MISSING: Final = Sentence(
    zh="这台机器没有能写汉字的字体，图片里的汉字会是空的："
    "{command}，或者 apt install fonts-wqy-microhei",
    en="this machine has no font with Chinese letters, so pictures lack them: {command}, "
    "or apt install fonts-wqy-microhei",
)
EXTRA_MISSING: Final = Sentence(
    zh="这里没有装 {name}：{command}", en="{name} is not installed here: {command}"
)
