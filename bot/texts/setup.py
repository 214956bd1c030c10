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
ADDRESS_ALONE: Final = Sentence(
    zh="设置了 WEB_ADDRESS，但没有 WEB_BIND，网页不会开：两个都要写",
    en="WEB_ADDRESS is set but WEB_BIND is not, so there is no page: set both",
)
KEY_ALONE: Final = Sentence(
    zh="设置了 LLM_API_KEY，但没有 LLM_MODEL，这把密钥用不上：把模型的名字也写上",
    en="LLM_API_KEY is set but LLM_MODEL is not, so nothing uses the key: name the model as well",
)
NO_SUCH_ID: Final = Sentence(
    zh="“{entry}”不是编号：要写成 {ways} 这样；名字谁都能取，不能当真",
    en="“{entry}” is no id: write it as {ways}; anybody can take a name",
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

WRONG_SETTING: Final = Sentence(
    zh="设置有误：{faults}（见 {file}）", en="wrong setting: {faults} (see {file})"
)

REFUSALS: Final = (
    # What a setting must be; the longer ones first.
    Sentence(
        zh="{given} 不是时区；写 Asia/Shanghai 或 UTC 这样的",
        en="{given} is no time zone; try Asia/Shanghai or UTC",
    ),
    Sentence(zh="写“主机:端口”，比如 127.0.0.1:8080", en="write host:port, like 127.0.0.1:8080"),
    Sentence(
        zh="写一个整数，至少 {least}，至多 {most}",
        en="write a whole number, at least {least} and at most {most}",
    ),
    Sentence(zh="写一个整数，至少 {least}", en="write a whole number, at least {least}"),
    Sentence(
        zh="写一个数，至少 {least}，至多 {most}",
        en="write a number, at least {least} and at most {most}",
    ),
    Sentence(zh="写一个数，至少 {least}", en="write a number, at least {least}"),
    Sentence(zh="写 true 或 false", en="write true or false"),
    Sentence(
        zh='写一个 JSON 对象，比如 {{"top_p": 0.8}}',
        en='write one JSON object, like {{"top_p": 0.8}}',
    ),
    Sentence(
        zh="写 feishu（国内）或 lark（海外）", en="write feishu (China) or lark (everywhere else)"
    ),
    Sentence(zh="写以 / 开头的路径，比如 /lark", en="write a path that begins with /, like /lark"),
    Sentence(zh="超过 {most} 个字符", en="more than {most} characters"),
    Sentence(zh="引号没有写完", en="No closing quotation"),
    Sentence(
        zh="{names} 不能在这里设置：程序自己会写",
        en="{names} cannot be set here: the program sets it itself",
    ),
    Sentence(
        zh="设置了 {key}，但没有 LLM_MODEL：写上模型的名字",
        en="{key} is set but LLM_MODEL is not: name the model to use",
    ),
    Sentence(
        zh="TRANSCRIPTION_BASE_URL 和 TRANSCRIPTION_MODEL 要一起写",
        en="TRANSCRIPTION_BASE_URL and TRANSCRIPTION_MODEL go together",
    ),
    Sentence(
        zh="VISION_MODEL 是和 LLM_MODEL 一起用的：把后者也写上",
        en="VISION_MODEL is asked beside LLM_MODEL: name that one too",
    ),
    Sentence(
        zh="LARK_APP_ID 和 LARK_APP_SECRET 要一起写",
        en="LARK_APP_ID and LARK_APP_SECRET go together",
    ),
    Sentence(
        zh="应用的 ID 是 cli_a1b2c3… 这样的，在“凭证与基础信息”里",
        en="an app id looks like cli_a1b2c3…, from Credentials & Basic Info",
    ),
    Sentence(
        zh="token 是 @BotFather 给的 123456:ABC-… 这样的",
        en="a token looks like 123456:ABC-…, as @BotFather gave it",
    ),
    Sentence(
        zh="TELEGRAM_WEBHOOK_URL 要以 https:// 开头",
        en="TELEGRAM_WEBHOOK_URL must begin with https://",
    ),
    Sentence(zh="没有 {law} 这种遗忘规律：{laws}", en="{law} is no law: {laws}"),
    Sentence(
        zh="没有 {name} 这一项：是不是想写 {near}？",
        en="{name} can not be set: did you mean {near}?",
    ),
    Sentence(
        zh="没有 {name} 这一项；能写的在 docs/zh/settings.md：{first}、…",
        en="{name} can not be set; what can be is in docs/settings.md: {first}, …",
    ),
    Sentence(zh="{name} 要在 {least} 到 {most} 之间", en="{name} must be {least} to {most}"),
    Sentence(
        zh="{one} 和 {other} 不能是同一个地址和路径",
        en="{one} and {other} cannot be the same address and path",
    ),
    Sentence(
        zh="{one} 和 {other} 不能是同一个地址", en="{one} and {other} cannot be the same address"
    ),
    Sentence(
        zh="WEB_BIND {bind} 别人也连得到：把前面代理的 https 地址写进 WEB_ADDRESS，"
        "或者改用 127.0.0.1",
        en="WEB_BIND {bind} can be reached by others: set WEB_ADDRESS to the https address of the "
        "proxy in front of it, or listen at 127.0.0.1",
    ),
    Sentence(
        zh="WEB_ADDRESS：写 https:// 和主机名，比如 https://page.example",
        en="WEB_ADDRESS: write https:// and a host name, like https://page.example",
    ),
    Sentence(zh="{key} 的 {bind} 听不了：{why}", en="{key} {bind} cannot be listened at: {why}"),
    # Files.
    Sentence(zh="PERSONA_FILE 的 {file} 读不了", en="PERSONA_FILE {file} cannot be read"),
    Sentence(
        zh="钥匙 {file} 是别人的：换成你自己的",
        en="key file {file} belongs to somebody else: make it your own",
    ),
    Sentence(
        zh="钥匙 {file} 别人也能读：chmod 600 {same}",
        en="key file {file} is open to others: chmod 600 {same}",
    ),
    Sentence(
        zh="钥匙 {file} 在数据目录里，谁拿走记忆就一起拿走了：放到别处",
        en="key file {file} is inside the data folder, where whoever takes the memories would"
        " take it along: keep it elsewhere",
    ),
    Sentence(zh="{file} 里没有钥匙", en="key file {file} holds no key"),
    Sentence(zh="钥匙 {file} 读不了：{why}", en="key file {file} cannot be read: {why}"),
    Sentence(zh="钥匙 {file} 建不了：{why}", en="key file {file} cannot be made: {why}"),
    Sentence(zh="钥匙 {file} 写不进去：{why}", en="key file {file} cannot be written: {why}"),
    Sentence(
        zh="{file} 已经在了：钥匙从不覆盖",
        en="{file} is there already: a key is never written over",
    ),
    Sentence(zh="读不了 {file}：{why}", en="cannot read {file}: {why}"),
    Sentence(zh="写不了 {file}：{why}", en="cannot write {file}: {why}"),
    Sentence(zh="{file} 不是文件：{why}", en="{file} is no file: {why}"),
    Sentence(zh="文件夹、管道和设备不能导入", en="folders, pipes and devices are not imported"),
    Sentence(zh="文件夹、管道和设备不能重放", en="folders, pipes and devices are not replayed"),
    Sentence(zh="文件夹、管道和设备带不进来", en="folders, pipes and devices are not brought"),
    Sentence(zh="{file} 超过 {most} MB", en="{file} is larger than {most} MB"),
    Sentence(
        zh="{file} 要以 .svg 或 .png 结尾，或者写一个文件夹",
        en="{file}: name a file that ends in .svg or .png, or a folder",
    ),
    Sentence(
        zh="这个命令不画图：--out 是给 graph 和 curve 用的",
        en="this command draws nothing: --out is for graph and curve",
    ),
    Sentence(
        zh="{name} 不能当记忆的名字：用 1 到 64 个 a-z、0-9、- 和 _，两头是字母或数字",
        en="{name} cannot name an agent: use 1 to 64 of a-z, 0-9, - and _, with a letter or digit "
        "at both ends",
    ),
    Sentence(
        zh="{name} 不能当记忆的名字：用 a-z、0-9、- 和 _，最多 64 个",
        en="{name} is no agent name: use a-z, 0-9, - and _, at most 64 characters",
    ),
    Sentence(zh="不是 UTF-8", en="it is not UTF-8"),
    # Memories and their folders.
    Sentence(zh="没有 #{id} 这条记忆", en="there is no memory #{id}"),
    Sentence(
        zh="{folder} 里没有叫 {agent} 的记忆（有：{agents}）",
        en="no agent {agent} in {folder} (there are: {agents})",
    ),
    Sentence(zh="还没有", en="none yet"),
    Sentence(
        zh="--at 只能用来看：要改的就在现在改",
        en="--at is for looking: what is changed is changed now",
    ),
    Sentence(
        zh="另一个程序正用着 {folder}：先停掉正在跑的 xiaoxiang，或者让它来做",
        en="{folder} is in use by another process: stop the running `xiaoxiang`, or let it do the "
        "work",
    ),
    Sentence(
        zh="{folder} 里什么也读不出来，什么也没有改动：先看 xiaoxiang repair，或者搬回一份备份",
        en="{folder} holds nothing readable: restore a backup, or move the folder away to begin "
        "anew; nothing in it was changed",
    ),
    Sentence(
        zh="没有回答：数据库开着没有，这台机器连得到吗？",
        en="the database of DATABASE_URL does not answer: is the server running, and may this "
        "machine reach it?",
    ),
    Sentence(
        zh="数据库不认 DATABASE_URL 里的用户或密码",
        en="the database refuses the user or the password of DATABASE_URL",
    ),
    Sentence(
        zh="没有这个数据库：建一个（createdb），或者改 DATABASE_URL",
        en="there is no such database: create it (createdb), or mend DATABASE_URL",
    ),
    Sentence(
        zh="数据库没有空的连接了：把 max_connections 调大",
        en="the database has no connection left: raise its max_connections",
    ),
    Sentence(zh="{path} 用不了：{why}", en="{path} cannot be used: {why}"),
    # Why the disk refuses.
    Sentence(zh="磁盘满了：腾出空间再试", en="the disk is full: free some space and try again"),
    Sentence(
        zh="配额用完了：腾出空间再试", en="the quota is used up: free some space and try again"
    ),
    Sentence(
        zh="磁盘是只读的：挂成可写的，或者换一个 DATA_DIR",
        en="the disk is read-only: mount it for writing or choose another DATA_DIR",
    ),
    Sentence(
        zh="磁盘报错：查一查它，另存一份备份",
        en="the disk reports an error: check it, and keep a backup elsewhere",
    ),
    Sentence(zh="没有这个文件或文件夹", en="No such file or directory"),
    Sentence(zh="没有权限", en="Permission denied"),
    Sentence(zh="不允许", en="Operation not permitted"),
    Sentence(zh="那不是文件夹", en="Not a directory"),
    Sentence(zh="那是文件夹", en="Is a directory"),
    Sentence(zh="已经有了", en="File exists"),
    Sentence(zh="磁盘满了", en="No space left on device"),
    Sentence(zh="磁盘是只读的", en="Read-only file system"),
    Sentence(zh="地址已经有人用", en="Address already in use"),
    # Last: it would fit what the others say more of.
    Sentence(zh="写 {choices}", en="write {choices}"),
)
"""What the parts below refuse, in their English words (:func:`bot.texts.retold`)."""
