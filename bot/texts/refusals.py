"""What settings, files and the commands of the shell are refused for; names what to do instead.

What the desk refuses is with its area, and what the memory refuses in :mod:`memory.refusals`.
"""

from typing import Final

from bot.texts import Sentence

# The settings. A fault begins with its key, or with the option of a command.
WRONG_SETTINGS: Final = Sentence(
    zh="设置有误：{faults}（见 {file}）", en="wrong setting: {faults} (see {file})"
)
FAULT: Final = Sentence(zh="{key}: {why}", en="{key}: {why}")
TIME_ZONE: Final = Sentence(
    zh="{given} 不是时区；写 Asia/Shanghai 或 UTC 这样的",
    en="{given} is no time zone; try Asia/Shanghai or UTC",
)
BIND_ADDRESS: Final = Sentence(
    zh="写“主机:端口”，比如 127.0.0.1:8080", en="write host:port, like 127.0.0.1:8080"
)
WHOLE_NUMBER: Final = Sentence(
    zh="写一个整数，至少 {least}", en="write a whole number, at least {least}"
)
WHOLE_NUMBER_TO: Final = Sentence(
    zh="写一个整数，至少 {least}，至多 {most}",
    en="write a whole number, at least {least} and at most {most}",
)
NUMBER: Final = Sentence(zh="写一个数，至少 {least}", en="write a number, at least {least}")
NUMBER_TO: Final = Sentence(
    zh="写一个数，至少 {least}，至多 {most}",
    en="write a number, at least {least} and at most {most}",
)
YES_OR_NO: Final = Sentence(zh="写 true 或 false", en="write true or false")
ONE_OF: Final = Sentence(zh="写 {choices}", en="write {choices}")
JSON_OBJECT: Final = Sentence(
    zh='写一个 JSON 对象，比如 {{"top_p": 0.8}}', en='write one JSON object, like {{"top_p": 0.8}}'
)
TOO_LONG: Final = Sentence(zh="超过 {most} 个字符", en="more than {most} characters")
OPEN_QUOTATION: Final = Sentence(
    zh="引号没有写完，或者末尾多了反斜杠",
    en="a quotation has no end, or a backslash stands last",
)
SET_BY_PROGRAM: Final = Sentence(
    zh="{names} 不能在这里设置：程序自己会写",
    en="{names} cannot be set here: the program sets it itself",
)
NEEDS_MODEL: Final = Sentence(
    zh="设置了 {key}，但没有 LLM_MODEL：写上模型的名字",
    en="{key} is set but LLM_MODEL is not: name the model to use",
)
TRANSCRIPTION_PAIR: Final = Sentence(
    zh="TRANSCRIPTION_BASE_URL 和 TRANSCRIPTION_MODEL 要一起写",
    en="TRANSCRIPTION_BASE_URL and TRANSCRIPTION_MODEL go together",
)
VISION_NEEDS_MODEL: Final = Sentence(
    zh="VISION_MODEL 是和 LLM_MODEL 一起用的：把后者也写上",
    en="VISION_MODEL is asked beside LLM_MODEL: name that one too",
)
MODEL_ADDRESS: Final = Sentence(
    zh="模型的网址 {url} 不像 https://host/v1",
    en="the model's address {url} is not like https://host/v1",
)
MODEL_KEY: Final = Sentence(
    zh="模型的密钥里有密钥不会有的字符：再复制一次",
    en="the model's key holds characters that no key has: copy it again",
)
SAME_ADDRESS: Final = Sentence(
    zh="{one} 和 {other} 不能是同一个地址", en="{one} and {other} cannot be the same address"
)
SAME_ADDRESS_AND_PATH: Final = Sentence(
    zh="{one} 和 {other} 不能是同一个地址和路径",
    en="{one} and {other} cannot be the same address and path",
)
OPEN_TO_OTHERS: Final = Sentence(
    zh="WEB_BIND {bind} 别人也连得到：把前面代理的 https 地址写进 WEB_ADDRESS，或者改用 127.0.0.1",
    en="WEB_BIND {bind} can be reached by others: set WEB_ADDRESS to the https address of the "
    "proxy in front of it, or listen at 127.0.0.1",
)
WEB_ADDRESS: Final = Sentence(
    zh="WEB_ADDRESS：写 https:// 和主机名，比如 https://page.example",
    en="WEB_ADDRESS: write https:// and a host name, like https://page.example",
)
CANNOT_LISTEN: Final = Sentence(
    zh="{key} 的 {bind} 听不了：{why}", en="{key} {bind} cannot be listened at: {why}"
)
CONTROL_CHARACTERS: Final = Sentence(
    zh="{key}: 一项设置只有一行，没有控制字符",
    en="{key}: a setting is one line without control characters",
)
NO_ONE_LINE: Final = Sentence(
    zh="{key}: 这个值在 {file} 里一行写不下来",
    en="{key}: this value cannot be written on one line of {file}",
)
NO_SUCH_ID: Final = Sentence(
    zh="“{entry}”不是编号：要写成 {ways} 这样；名字谁都能取，不能当真",
    en="“{entry}” is no id: write it as {ways}; anybody can take a name",
)
NOT_ONE_PERSON: Final = Sentence(
    zh="{entry} 是 {shared}，不是一个人", en="{entry} stands for {shared}, not for one person"
)

# Files.
PERSONA_UNREADABLE: Final = Sentence(
    zh="PERSONA_FILE 的 {file} 读不了", en="PERSONA_FILE {file} cannot be read"
)
UNREADABLE: Final = Sentence(zh="读不了 {file}：{why}", en="cannot read {file}: {why}")
UNWRITABLE: Final = Sentence(zh="写不了 {file}：{why}", en="cannot write {file}: {why}")
CANNOT_KEEP: Final = Sentence(zh="存不下 {file}：{why}", en="cannot keep {file}: {why}")
NO_FILE_TO_REPLAY: Final = Sentence(
    zh="{file} 不是文件：文件夹、管道和设备不能重放",
    en="{file} is no file: folders, pipes and devices are not replayed",
)
NO_FILE_TO_IMPORT: Final = Sentence(
    zh="{file} 不是文件：文件夹、管道和设备不能导入",
    en="{file} is no file: folders, pipes and devices are not imported",
)
NO_FILE_TO_BRING: Final = Sentence(
    zh="{file} 不是文件：文件夹、管道和设备带不来",
    en="{file} is no file: folders, pipes and devices are not brought",
)
FILE_TOO_LARGE: Final = Sentence(
    zh="{file} 超过 {limit} MB", en="{file} is larger than {limit} MB"
)
UPLOAD_UNREADABLE: Final = Sentence(
    zh="读不了 {file}，或者它超过 {limit} MB",
    en="cannot read {file}, or it is larger than {limit} MB",
)

# A recording that is replayed; ``where`` is a file, or a line of one.
RECORDING_TOO_LARGE: Final = Sentence(
    zh="{file}: 超过 {limit} MB，分开来", en="{file}: larger than {limit} MB; split it"
)
RECORDING_EMPTY: Final = Sentence(zh="{file} 里没有消息", en="{file} holds no message")
AT: Final = Sentence(zh="{where}: {why}", en="{where}: {why}")
LINE: Final = Sentence(zh="{file} 第 {line} 行", en="{file}, line {line}")
NO_TEXT: Final = Sentence(
    zh="{where}: {fields} 都要有，而且是文字", en="{where}: {fields} must be there and be text"
)
NO_ROLE: Final = Sentence(
    zh="{where}: role 是 {role}，不是 user 或 assistant",
    en="{where}: role is {role}, not user or assistant",
)
EMPTY_ID: Final = Sentence(zh="{where}: id 是空的", en="{where}: id is empty")
NO_INSTANT: Final = Sentence(
    zh="{where}: at 是 {given}；要像 2026-01-03T18:00:00+08:00 这样",
    en="{where}: at is {given}; it must be like 2026-01-03T18:00:00+08:00",
)
NO_ZONE: Final = Sentence(
    zh="{where}: at 是 {given}，没有时区；加上，比如 +08:00",
    en="{where}: at is {given}, without a zone; add one, like +08:00",
)
NOT_JSON: Final = Sentence(
    zh="{where}: 不是 JSON（{why}）", en="{where}: this is not JSON ({why})"
)
NO_OBJECT: Final = Sentence(
    zh="{where}: 要一个对象，不是 {kind}", en="{where}: an object is wanted, not {kind}"
)
ID_TWICE: Final = Sentence(
    zh="{file}: 编号 {id} 有两次；不能重复",
    en="{file}: the id {id} is there twice; ids must be unique",
)

# The shell, and the running program it asks.
BAD_AGENT_NAME: Final = Sentence(
    zh="{name} 不能做记忆的名字：用 1 到 64 个 a-z、0-9、- 和 _，头尾是字母或数字",
    en="{name} cannot name an agent: use 1 to 64 of a-z, 0-9, - and _, with a letter or digit at "
    "both ends",
)
NO_AGENT_HERE: Final = Sentence(zh="这里没有叫 {agent} 的记忆", en="no agent {agent} here")
ONLY_LOOKED_AT: Final = Sentence(zh="{agent} 只能看", en="{agent} is only looked at")
NO_PICTURE_FILE: Final = Sentence(
    zh="{file}：写一个以 .svg 或 .png 结尾的文件，或者一个文件夹",
    en="{file}: name a file that ends in .svg or .png, or a folder",
)
DRAWS_NOTHING: Final = Sentence(
    zh="这条命令不画图：--out 是给 graph 和 curve 的",
    en="this command draws nothing: --out is for graph and curve",
)
AT_LOOKS_ONLY: Final = Sentence(
    zh="--at 只能用来看：要改的就在现在改",
    en="--at is for looking: what is changed is changed now",
)
BIND_NOT_HERE: Final = Sentence(
    zh="--bind: 这个网页只给这台机器看；写 127.0.0.1:端口",
    en="--bind: this page is for this machine only; write 127.0.0.1:PORT",
)
TOO_MUCH_AT_ONCE: Final = Sentence(
    zh="一次不能超过 {limit} MB", en="this is more than {limit} MB at once"
)
FRAME_TOO_LARGE: Final = Sentence(
    zh="一次 {length} 字节，超过了最多的 {most}",
    en="{length} bytes at once are more than {most}, the most",
)
TOO_MANY_VALUES: Final = Sentence(zh="一次里的值太多了", en="the frame holds too many values")
NO_ANSWER: Final = Sentence(
    zh="正在跑的程序没有回答；到那边看看命令做了没有",
    en="the running program does not answer; check there whether the command was done",
)
NOT_DONE: Final = Sentence(
    zh="正在跑的程序没做成；原因在它的日志里",
    en="the running program could not do it; its log says why",
)
ANSWER_UNREADABLE: Final = Sentence(
    zh="正在跑的程序的回答读不懂", en="the answer of the running program cannot be read"
)
NO_DOCUMENT: Final = Sentence(zh="没有可以显示的", en="no document to show")

# The ledger.
LEDGER_NEWER: Final = Sentence(
    zh="收发记录是更新的版本写的（第 {version} 版，这个程序只认到第 {known} 版）：先升级程序；"
    "什么也没有改动",
    en="the ledger has version {version}, this program knows {known}: please update it",
)
LEDGER_UNUSABLE: Final = Sentence(
    zh="{file} 用不了（{what}）：{advice}", en="{file} cannot be used ({what}): {advice}"
)
LEDGER_DAMAGED: Final = Sentence(
    zh="{file} 坏了，用不了：运行 xiaoxiang repair，它先给你看会做什么",
    en="{file} cannot be used: it is damaged: run `xiaoxiang repair`, which shows first what it "
    "would do",
)
IN_USE: Final = Sentence(
    zh="另一个程序正用着它：先停掉那一个", en="another process is using it: stop that one first"
)
MAKE_ROOM: Final = Sentence(
    zh="腾出磁盘空间，或者让这个用户能写，再试一次",
    en="free some disk space, or let this user write there, and try again",
)
REPAIR_IT: Final = Sentence(
    zh="坏了：运行 xiaoxiang repair，它先给你看会做什么",
    en="it is damaged: run `xiaoxiang repair`, which shows first what it would do",
)
TAKES_NO_MORE: Final = Sentence(
    zh="{folder} 写不进去了；最后说的下次启动时再记住：腾出磁盘空间，或者让这个用户能写，再试一次",
    en="{folder} takes nothing more; what was said last is remembered at the next start: free "
    "some disk space, or let this user write there, and try again",
)

# What the shell cannot read; the English is argparse's own.
ARGUMENTS_MISSING: Final = Sentence(
    zh="还缺 {given}", en="the following arguments are required: {given}"
)
NO_SUCH_CHOICE: Final = Sentence(
    zh="{name} 里没有 {given}，可以是 {names}",
    en="argument {name}: invalid choice: {given} (choose from {names})",
)
ARGUMENTS_UNKNOWN: Final = Sentence(zh="不认识 {given}", en="unrecognized arguments: {given}")
VALUE_EXPECTED: Final = Sentence(
    zh="{name} 后面要跟一个值", en="argument {name}: expected one argument"
)
NO_VALUE_EXPECTED: Final = Sentence(
    zh="{name} 后面不跟值：{given}", en="argument {name}: ignored explicit argument {given}"
)
OPTION_AMBIGUOUS: Final = Sentence(
    zh="{name} 可能是 {names} 里的哪一个，请写全",
    en="ambiguous option: {name} could match {names}",
)
VALUE_WRONG: Final = Sentence(zh="{name}：{why}", en="argument {name}: {why}")
INSTANT_UNREADABLE: Final = Sentence(
    zh="{given} 不是时间，要写成 2023-05-07T20:00+08:00 这样",
    en="{given}: a time like 2023-05-07T20:00+08:00",
)
INSTANT_WITHOUT_ZONE: Final = Sentence(
    zh="{given} 没有时区，后面加上，比如 +08:00", en="{given} has no zone; add one, like +08:00"
)
EXPORTS_INSIDE: Final = Sentence(
    zh="EXPORTS_DIR 的 {folder} 就在 {data} 里：导出的文件会混在她自己的文件中间，忘掉什么也"
    "抹不到它们。换一个数据目录外面的文件夹",
    en="EXPORTS_DIR names {folder}, which lies in {data}: exports would lie among her own files, "
    "and nothing you erase would be erased from them. Name a folder outside of the data",
)
COPIES_INSIDE: Final = Sentence(
    zh="BACKUP_COPY_DIR 的 {folder} 就在 {data} 里：换一个数据目录外面的文件夹，"
    "最好在另一块磁盘上",
    en="BACKUP_COPY_DIR names {folder}, which lies in {data}: name one outside of the data "
    "folder, best on another disk",
)
NOT_YOUR_FOLDER: Final = Sentence(
    zh="{folder} 是用户 {owner} 的，现在的用户（{user}）打不开：用 {owner} 来运行，"
    "或者把它交过来，sudo chown -R {user} {folder}",
    en="{folder} belongs to {owner}, and the present user ({user}) cannot open it: run this as "
    "{owner}, or hand it over with sudo chown -R {user} {folder}",
)
NO_SHELL_COMMAND: Final = Sentence(
    zh="没有 {given} 这个命令，看 xiaoxiang memory --help",
    en="no command {given}; see xiaoxiang memory --help",
)
