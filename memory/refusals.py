"""Everything this package refuses, in both languages: what an error of :mod:`memory.errors` says.

A sentence names what is wrong and says what to do. What the operating system says is at the end.
"""

import errno
from typing import Final

from memory.sentences import Sentence, Value

# What was asked of a memory.
NO_SUCH_MEMORY: Final = Sentence(zh="没有 #{id} 这条记忆", en="there is no memory #{id}")
STAYS_SEALED: Final = Sentence(
    zh="#{id} 这条记忆还封着：{why}", en="memory #{id} stays sealed: {why}"
)
NONE_OF: Final = Sentence(zh="{given} 不在这些里：{choices}", en="{given} is none of {choices}")
NEGATIVE_DEPTH: Final = Sentence(
    zh="depth 是 {depth}；要 0 或更大", en="depth is {depth}; it must be 0 or more"
)
MERGES_TWO: Final = Sentence(
    zh="合并要至少两条记忆，而且都是有效的事实",
    en="merging takes at least two memories, all of them active facts",
)
MERGES_NO_SEALED: Final = Sentence(zh="封存的记忆不合并", en="sealed memories are not merged")
MERGES_ONE_PERSON: Final = Sentence(
    zh="不同的人的记忆不合并", en="memories of different people are not merged"
)
STOPPED: Final = Sentence(zh="后台已经停了", en="the background was stopped")

CLOSED: Final = Sentence(
    zh="这份记忆已经关上了，什么也没有记：在 open_memory 的 async with 里面调用",
    en="this memory is closed and nothing was taken: call it inside the `async with` of "
    "open_memory",
)

# What a program that embeds the memory gives to remember, and to open it with.
NO_MESSAGES: Final = Sentence(
    zh="remember 要一列 Message，给的是 {given}：写成 remember([Message(…)])",
    en="remember takes a list of Message, not {given}: write remember([Message(…)])",
)
BAD_MESSAGE: Final = Sentence(
    zh="第 {number} 条消息（id 是 {id}）没有记，{field} {why}。这次不能记的有 {count} 条，"
    "别的都记下了；改好的那条再给一次就行",
    en="message {number} (id {id}) was not taken: {field} {why}. Not taken in this call: {count}; "
    "all others were. Put it right and give it again",
)
BAD_TYPE: Final = Sentence(zh="要 {wanted}，不能是 {given}", en="must be {wanted}, not {given}")
NO_ID: Final = Sentence(zh="是空的：每条要有自己的 id", en="is empty: each needs an id of its own")
HALF_CHARACTER: Final = Sentence(
    zh="里有半个字符（lone surrogate），存不下来：先用 "
    "text.encode('utf-16', 'surrogatepass').decode('utf-16', 'replace') 换掉",
    en="holds half a character (a lone surrogate), which cannot be stored: replace it with "
    "text.encode('utf-16', 'surrogatepass').decode('utf-16', 'replace')",
)
TOO_MUCH_TEXT: Final = Sentence(
    zh="有 {length} 个字符，最多 {most}：分成几条",
    en="has {length} characters, at most {most}: make several messages of it",
)
ONE_OF: Final = Sentence(zh="只能是 {choices}", en="must be one of {choices}")
NO_ZONE: Final = Sentence(
    zh="没有时区：写成 datetime(…, tzinfo=UTC)", en="has no zone: write datetime(…, tzinfo=UTC)"
)
FAR_DATE: Final = Sentence(
    zh="是 {year} 年，要在 {first} 到 {last} 年之间：给出话是什么时候说的，不知道就用收到的时间",
    en="is in the year {year}, it must be from {first} to {last}: give when it was said or, if "
    "that is not known, when it came",
)
NO_PART: Final = Sentence(
    zh="{name} 要是 {wanted}（docs/decisions/embedding.md），给的是 {given}",
    en="{name} must be {wanted} (docs/decisions/embedding.md), not {given}",
)

# Agents and their folders.
NO_AGENT_NAME: Final = Sentence(
    zh="{given} 不能做记忆的名字：用 a-z、0-9、- 和 _，最多 64 个字符",
    en="{given} is no agent name: use a-z, 0-9, - and _, at most 64 characters",
)
NO_SUCH_AGENT: Final = Sentence(
    zh="{folder} 里没有叫 {agent} 的记忆（有：{agents}）",
    en="no agent {agent} in {folder} (there are: {agents})",
)
NO_AGENTS: Final = Sentence(zh="还没有", en="none yet")
NEWER_SETTINGS: Final = Sentence(
    zh="这份记忆的设置，这个程序不认识：{why}",
    en="the settings of this agent are unknown here: {why}",
)
FOLDER_IN_USE: Final = Sentence(
    zh="另一个程序正用着 {folder}：先停掉正在跑的 xiaoxiang，或者让它来做",
    en="{folder} is in use by another process: stop the running `xiaoxiang`, or let it do the "
    "work",
)
NOTHING_READABLE: Final = Sentence(
    zh="{folder} 里什么也读不出来，什么也没有改动：先看 xiaoxiang repair，或者搬回一份备份",
    en="{folder} holds nothing readable: restore a backup, or move the folder away to begin "
    "anew; nothing in it was changed",
)
NEWER_FOLDER: Final = Sentence(
    zh="{folder} 是好的，但这个程序读不了（{why}）：先升级程序；里面什么也没有改动",
    en="{folder} is intact, but this program cannot read it ({why}): update the program; nothing "
    "in the folder was changed",
)
NEWER_PART: Final = Sentence(
    zh="数据库里的 {part} 是更新的版本写的（第 {version} 版，这个程序只认到第 {known} 版）："
    "先升级程序；什么也没有改动",
    en="the {part} in the database have version {version}, this program knows {known}: please "
    "update it",
)
CHANGED_FILE: Final = Sentence(zh="{file} 和写下时不一样了", en="{file} is not as it was written")
CHANGED_LINE: Final = Sentence(
    zh="{table} 里有一行和写下时不一样了", en="a line of {table} is not as it was written"
)
COMMITS_LOST: Final = Sentence(
    zh="{file} 少了几次提交：重启一次就会修好", en="{file} has lost commits: restart to repair it"
)
NOT_LOADED: Final = Sentence(zh="{folder} 还没有打开", en="{folder} is not open: load it first")
SYMBOLIC_LINK: Final = Sentence(
    zh="{file} 是符号链接：删掉它", en="{file} is a symbolic link: remove it"
)
UNUSABLE: Final = Sentence(zh="{path} 用不了：{why}", en="{path} cannot be used: {why}")

# Backups and exports.
NO_BACKUP_NAME: Final = Sentence(zh="{given} 不是备份", en="{given} is no backup")
NO_SUCH_BACKUP: Final = Sentence(zh="没有 {name} 这份备份", en="there is no backup {name}")
BACKUP_UNREADABLE: Final = Sentence(
    zh="备份写下后读不回来：{why}", en="a backup could not be read again: {why}"
)
BACKUP_CHANGED: Final = Sentence(
    zh="{file} 没有照原样写下", en="{file} was not written as it should be"
)
EXPORT_TOO_LARGE: Final = Sentence(zh="太大了", en="it is too large")
EXPORT_PACKED: Final = Sentence(zh="是压缩包，先解开", en="it is compressed; unpack it first")
EXPORT_NOT_JSON: Final = Sentence(zh="不是 JSON", en="it is not JSON")
EXPORT_FOREIGN: Final = Sentence(zh="不是小祥的导出", en="it is not an export of Xiaoxiang")
EXPORT_CHANGED: Final = Sentence(
    zh="坏了或者被改过，校验对不上", en="it is damaged or was changed: the checksum does not match"
)
EXPORT_NEWER: Final = Sentence(
    zh="是更新版本的程序写的，先升级", en="it was made by a newer version; update this program"
)
EXPORT_UNREADABLE: Final = Sentence(zh="里面有读不懂的东西", en="it contains something unreadable")
EXPORT_UNDATED: Final = Sentence(zh="没写是什么时候导出的", en="it does not say when it was made")
EXPORT_MISCOUNTED: Final = Sentence(zh="编号对不上", en="its ids are inconsistent")
WITH_DETAIL: Final = Sentence(zh="{what}（详情：{detail}）", en="{what} ({detail})")
SHUT: Final = Sentence(zh="有封存的打不开（{why}）", en="something sealed stays shut ({why})")

# Laws and settings.
NO_SUCH_LAW: Final = Sentence(zh="没有 {law} 这种遗忘规律：{laws}", en="{law} is no law: {laws}")
NO_SUCH_PARAMETER: Final = Sentence(zh="没有 {name} 这个参数", en="{name} is no law parameter")
OUT_OF_RANGE: Final = Sentence(
    zh="{name} 是 {value}，只能是 {range}", en="{name} is {value}, it must be {range}"
)
EXCEEDS: Final = Sentence(
    zh="{low} 是 {value}，不能超过 {high} 的 {most}",
    en="{low} is {value}, it may not exceed {high}, which is {most}",
)
FROM_TO: Final = Sentence(zh="{low} 到 {high}", en="{low} to {high}")
MUST_BE: Final = Sentence(zh="{name} 只能是 {range}", en="{name} must be {range}")
SETTING_MEANT: Final = Sentence(
    zh="没有 {name} 这一项：是不是想写 {near}？",
    en="{name} can not be set: did you mean {near}?",
)
NO_SUCH_SETTING: Final = Sentence(
    zh="没有 {name} 这一项；能写的在 docs/zh/settings.md：{first}、…",
    en="{name} can not be set; what can be is in docs/settings.md: {first}, …",
)

# The key that seals secrets.
NO_KEY: Final = Sentence(
    zh="没有用来封存的钥匙：设置 MEMORY_KEY_FILE",
    en="there is no key to seal with: set MEMORY_KEY_FILE",
)
KEY_IN_DATA: Final = Sentence(
    zh="钥匙 {file} 在数据目录里，谁拿走记忆就一起拿走了：放到别处",
    en="key file {file} is inside the data folder, where whoever takes the memories would take "
    "it along: keep it elsewhere",
)
KEY_FOREIGN: Final = Sentence(
    zh="钥匙 {file} 是别人的：换成你自己的",
    en="key file {file} belongs to somebody else: make it your own",
)
KEY_OPEN: Final = Sentence(
    zh="钥匙 {file} 别人也能读：chmod 600 {file}",
    en="key file {file} is open to others: chmod 600 {file}",
)
KEY_EMPTY: Final = Sentence(zh="{file} 里没有钥匙", en="key file {file} holds no key")
KEY_BROKEN: Final = Sentence(
    zh="钥匙 {file} 里有一行不是 {bytes} 字节的钥匙",
    en="key file {file} holds a line that is no key of {bytes} bytes",
)
KEY_EXISTS: Final = Sentence(
    zh="{file} 已经在了：钥匙从不覆盖", en="{file} is there already: a key is never written over"
)
KEY_UNREADABLE: Final = Sentence(
    zh="钥匙 {file} 读不了：{why}", en="key file {file} cannot be read: {why}"
)
KEY_NOT_MADE: Final = Sentence(
    zh="钥匙 {file} 建不了：{why}", en="key file {file} cannot be made: {why}"
)
KEY_UNWRITABLE: Final = Sentence(
    zh="钥匙 {file} 写不进去：{why}", en="key file {file} cannot be written: {why}"
)

# The database.
NO_DATABASE_URL: Final = Sentence(
    zh="DATABASE_URL 要写成 postgresql://用户:密码@主机/数据库",
    en="DATABASE_URL is not postgresql://user:password@host/database",
)
DATABASE_SILENT: Final = Sentence(
    zh="没有回答：数据库开着没有，这台机器连得到吗？",
    en="the database of DATABASE_URL does not answer: is the server running, and may this "
    "machine reach it?",
)
DATABASE_USER: Final = Sentence(
    zh="数据库不认 DATABASE_URL 里的用户或密码",
    en="the database refuses the user or the password of DATABASE_URL",
)
DATABASE_MISSING: Final = Sentence(
    zh="没有这个数据库：建一个（createdb），或者改 DATABASE_URL",
    en="there is no such database: create it (createdb), or mend DATABASE_URL",
)
DATABASE_CROWDED: Final = Sentence(
    zh="数据库没有空的连接了：把 max_connections 调大",
    en="the database has no connection left: raise its max_connections",
)
DATABASE_FULL: Final = Sentence(
    zh="数据库的磁盘满了：腾出空间", en="the disk of the database is full: free some space"
)
DATABASE_RIGHTS: Final = Sentence(
    zh="DATABASE_URL 的用户在数据库里没有这个权限：给它一个自己的数据库",
    en="the user of DATABASE_URL may not do that in the database: let it own one",
)
DATABASE_SLOW: Final = Sentence(
    zh="数据库一步用了 30 秒以上", en="the database took longer than 30 s for one step"
)
DATABASE_OWNED: Final = Sentence(
    zh="有个程序要独占这个数据库", en="a program that wants everything to itself has the database"
)
TAKEN_OVER: Final = Sentence(
    zh="另一个 xiaoxiang 接手了：数据库找不到这一个了，它不再往里写",
    en="another `xiaoxiang` has taken over from this one, which the database lost sight of: this "
    "one writes nothing there any more",
)
OWNED_ELSEWHERE: Final = Sentence(
    zh="{folder} 现在归另一个 xiaoxiang 管",
    en="{folder} belongs to another `xiaoxiang` at the moment",
)
STILL_IN_DATABASE: Final = Sentence(
    zh="删掉的还留在数据库的文件里：之前开始的一个事务或导出可能还看得到。会再试",
    en="what was deleted is still in the files of the database: a transaction that began before "
    "it, or a dump, may look at it. It is tried again",
)

# Why the disk refuses, and what to do.
DISK_REFUSES: Final = Sentence(zh="磁盘不肯", en="the disk refuses")
DISK_ADVICE: Final = {
    errno.ENOSPC: Sentence(
        zh="磁盘满了：腾出空间再试", en="the disk is full: free some space and try again"
    ),
    errno.EDQUOT: Sentence(
        zh="配额用完了：腾出空间再试", en="the quota is used up: free some space and try again"
    ),
    errno.EROFS: Sentence(
        zh="磁盘是只读的：挂成可写的，或者换一个 DATA_DIR",
        en="the disk is read-only: mount it for writing or choose another DATA_DIR",
    ),
    errno.EIO: Sentence(
        zh="磁盘报错：查一查它，另存一份备份",
        en="the disk reports an error: check it, and keep a backup elsewhere",
    ),
}

NOT_UTF_8: Final = Sentence(zh="不是 UTF-8", en="it is not UTF-8")
SYSTEM: Final = {
    errno.ENOENT: Sentence(zh="没有这个文件或文件夹", en="No such file or directory"),
    errno.EACCES: Sentence(zh="没有权限", en="Permission denied"),
    errno.EPERM: Sentence(zh="不允许", en="Operation not permitted"),
    errno.ENOTDIR: Sentence(zh="那不是文件夹", en="Not a directory"),
    errno.EISDIR: Sentence(zh="那是文件夹", en="Is a directory"),
    errno.EEXIST: Sentence(zh="已经有了", en="File exists"),
    errno.ENOSPC: Sentence(zh="磁盘满了", en="No space left on device"),
    errno.EROFS: Sentence(zh="磁盘是只读的", en="Read-only file system"),
    errno.EADDRINUSE: Sentence(zh="地址已经有人用", en="Address already in use"),
}
"""What the operating system says, by the number of the error."""


def said_by_disk(error: OSError) -> Value:
    """Return why the disk refuses, with what to do where that is known."""
    return DISK_ADVICE.get(error.errno or 0) or (
        said_by_system(error) if error.strerror else DISK_REFUSES
    )


def said_by_system(error: OSError | UnicodeError) -> Value:
    """Return why a file or an address cannot be used; as the system says it, if that is rare."""
    if isinstance(error, UnicodeError):
        return NOT_UTF_8
    return SYSTEM.get(error.errno or 0, error.strerror or str(error))
