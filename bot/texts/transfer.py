"""What is said about backups, exports and imports, by the desk and by the shell.

And what the places are called where something may stand: an erasure names them.
"""

from typing import Final

from bot.texts import Sentence, desk_changes

# Backups.
BACKUP_MADE: Final = Sentence(
    zh="备份好了：连名字和放下的 {count} 条记忆，写完又读回来核对过。",
    en="Memories backed up, names and what was let go included: {count}; read back and verified.",
)
BACKUPS_MADE: Final = Sentence(
    zh="{agents} 个记忆都备份好了，写完又读回来核对过。",
    en="All {agents} agents are backed up, read back and verified.",
)
BACKUP_LIST: Final = Sentence(
    zh="有 {count} 份备份，新的在前", en="Backups, newest first ({count})"
)
NO_BACKUP: Final = Sentence(
    zh="还没有备份。发 /backup 做一份。", en="There is no backup yet. /backup makes one."
)
HOW_TO_RESTORE: Final = Sentence(
    zh="回到某一份：/restore_backup 序号（先看会变什么，确认了才变）。",
    en="To go back to one: /restore_backup NUMBER (preview first).",
)
NUMBER: Final = Sentence(zh="序号", en="no.")
WHEN: Final = Sentence(zh="时间", en="made")
SIZE: Final = Sentence(zh="大小", en="size")
BACKUP_CAUSE: Final = Sentence(zh="为什么", en="why")
BY_HAND: Final = Sentence(zh="要求的", en="asked for")
BEFORE_RESTORE: Final = Sentence(zh="恢复之前", en="before a restore")
BY_NIGHT: Final = Sentence(zh="每晚的", en="every night")
LAST_BACKUP: Final = Sentence(zh="最近的备份", en="last backup")
BEFORE_IMPORT: Final = Sentence(zh="导入之前", en="before an import")
AGENT: Final = Sentence(zh="记忆", en="agent")
KNOWS: Final = Sentence(zh="几条", en="memories")
NO_SUCH_BACKUP: Final = Sentence(
    zh="没有第 {which} 份备份，/restore_backup 看有哪些。",
    en="There is no backup {which}; /restore_backup lists them.",
)
BACKUP_BROKEN: Final = Sentence(
    zh="第 {number} 份备份读不出来（{why}），什么都没有变。试试别的一份。",
    en="Backup {number} cannot be read ({why}). Nothing was changed; try another.",
)
RESTORE_PREVIEW: Final = Sentence(
    zh="回到 {when}（{age}前）的样子，会这样变：", en="Going back to {when} ({age} ago) would:"
)
RESTORE_BRINGS_BACK: Final = Sentence(zh="{count} 条回来：", en="bring back {count}:")
RESTORE_TAKES_AWAY: Final = Sentence(
    zh="{count} 条没有了（那之后才记得的）：", en="remove {count} learnt since then:"
)
RESTORE_CHANGES: Final = Sentence(
    zh="{count} 条变回当时的样子：", en="change {count} back to what they were:"
)
RESTORE_SAME: Final = Sentence(
    zh="记忆没有不同，只有最近的对话和设置回到当时。",
    en="No memory differs; only the recent conversation and the settings go back.",
)
NOTHING_TO_RESTORE: Final = Sentence(
    zh="和现在完全一样，没有什么可恢复的。",
    en="It is exactly the same as now: there is nothing to restore.",
)
RESTORE_WITHHELD: Final = Sentence(
    zh="这份备份里有 {count} 条是之后抹去的：抹去的不会回来。",
    en="{count} in this backup were erased since then and do not come back.",
)
RESTORE_TOO_OLD: Final = Sentence(
    zh="这份备份里有 {count} 句话比日记现在留的更早：它们不会回来。",
    en="{count} lines in this backup are older than the diary keeps now and do not come back.",
)
BACKUP_FIRST: Final = Sentence(
    zh="确认之前会先把现在的样子另存一份，随时可以回来。",
    en="The present state is backed up first, so that you can come back to it.",
)
RESTORED: Final = Sentence(
    zh="回到了 {when} 的样子。刚才的样子存成了第 1 份备份：/restore_backup 1 可以再回去。",
    en="Restored the state of {when}. The state before that is now backup 1: "
    "/restore_backup 1 brings it back.",
)
MINUTES: Final = Sentence(zh="{count} 分钟", en="{count} min")
HOURS: Final = Sentence(zh="{count} 小时", en="{count} h")
DAYS: Final = Sentence(zh="{count} 天", en="{count} days")

# Files that cannot be imported. Each reason says what to do, as far as there is something.
SEND_FILE: Final = Sentence(
    zh="把文件发给我，说明写 /memory import（或者回复那个文件发 /memory import）。"
    "可以是我导出的 .json，也可以是 Telegram 的聊天记录 result.json。在终端里：/memory "
    "import 路径",
    en="Send me the file with the caption /memory import, or reply to the file with it. It "
    "can be the .json I exported, or Telegram's result.json. In a terminal: /memory "
    "import PATH",
)
NOT_THERE: Final = Sentence(
    zh="拿不到这个文件：不在了，或者大过 20 MB。更大的用 xiaoxiang import。",
    en="I cannot get this file: it is gone, or larger than 20 MB. For larger files: "
    "xiaoxiang import.",
)
FILE_REFUSED: Final = Sentence(
    zh="这个文件我没有导入：{why}。什么都没有变。",
    en="I did not import this file: {why}. Nothing was changed.",
)
FOREIGN_IN_SHELL: Final = Sentence(
    zh="不是小祥的导出。聊天记录用 xiaoxiang memory import 导入，"
    "别的程序的人设和记忆用 xiaoxiang bring",
    en="it is not an export of Xiaoxiang. `xiaoxiang memory import` takes in a chat, and "
    "`xiaoxiang bring` what another program kept",
)
FLAW_AT: Final = Sentence(zh="{why}（第 {place} 条）", en="{why} (entry {place})")
FOREIGN: Final = Sentence(
    zh="不是小祥的导出，也不是 Telegram 的聊天记录",
    en="it is neither an export of Xiaoxiang nor of a Telegram chat",
)
NO_CHAT: Final = Sentence(
    zh="不是 Telegram 的聊天记录（里面没有消息）",
    en="it is not a Telegram chat export (no messages in it)",
)
ACCOUNT: Final = Sentence(
    zh="是整个账号的导出，请只导出一个聊天",
    en="it is the export of a whole account; export a single chat",
)
EMPTY: Final = Sentence(zh="里面没有人说话", en="nobody wrote anything in it")
TOO_MANY: Final = Sentence(zh="超过二十万条消息", en="over 200,000 messages")
WRONG: Final = Sentence(zh="有一条不是 Telegram 的格式", en="an entry is not in Telegram's format")
NO_DATE: Final = Sentence(
    zh="有一条没有时间，用新版 Telegram 再导出一次",
    en="an entry has no time; export again with a newer Telegram",
)
TWICE: Final = Sentence(zh="同一条出现了两次", en="an entry appears twice")

# Importing.
WHO_ARE_YOU: Final = Sentence(
    zh="这段聊天里哪一位是你？别人说的话不会当成你的。",
    en="Which of these people are you? What others said is never taken as yours.",
)
SEVERAL_OF_NAME: Final = Sentence(
    zh="里面有 {count} 个人叫“{name}”。说编号才知道是哪一个：{ids}",
    en="There are {count} people called “{name}” in it. Say which by the id: {ids}",
)
NO_SUCH_PERSON: Final = Sentence(zh="这里面没有“{name}”。", en="There is no “{name}” in it.")
NAME: Final = Sentence(zh="名字", en="name")
SAID: Final = Sentence(zh="几条", en="messages")
IS_ME: Final = Sentence(zh="我是 {name}", en="I am {name}")
FROM_EXPORT: Final = Sentence(
    zh="{agent} 的导出，{when}：会导入这些",
    en="Export of {agent}, {when}. This would be imported:",
)
FROM_CHAT: Final = Sentence(
    zh="Telegram 聊天“{name}”：会导入这些", en="Telegram chat “{name}”. This would be imported:"
)
NEW: Final = Sentence(zh="新的", en="new")
KNOWN: Final = Sentence(zh="这里已经有", en="known already")
CONFLICTS: Final = Sentence(zh="和这里说法不同", en="different here")
CANNOT: Final = Sentence(
    zh="不能导入（抹去过或封存的）", en="cannot be imported (erased or sealed)"
)
SPAN: Final = Sentence(zh="时间", en="from … to")
PEOPLE: Final = Sentence(zh="谁说的", en="said by")
YOU: Final = Sentence(zh="你是", en="you are")
HERE: Final = Sentence(zh="这里", en="here")
THERE: Final = Sentence(zh="文件里", en="in the file")
IN_CUT: Final = Sentence(zh="留下、但少了些话的记忆", en="memories that stay, with less said")
MAY_BE_GONE: Final = Sentence(
    zh="这些比上一次抹去还早。要是当时改正过、撤销过，我认不出来，请先看一眼：",
    en="These are from before something was erased here. If they had been put right or taken "
    "back by then, I cannot tell. Please look first:",
)
BOTH_STAND: Final = Sentence(
    zh="说法不同的会都留着，你再决定哪条对：",
    en="Where they differ, both are kept for you to decide:",
)
IMPORT_PARTS: Final = Sentence(
    zh="会分成 {count} 段，在后台慢慢读完，变成情境。别人说的话不会当成你的事实。",
    en="It is read in {count} parts in the background and becomes episodes. What others "
    "said does not become a fact about you.",
)
NOTHING_NEW: Final = Sentence(
    zh="里面没有新的：{known} 条这里已经有，{refused} 条不能导入（抹去过或封存的）。",
    en="Nothing in it is new: {known} are known already, {refused} cannot be imported "
    "(erased or sealed).",
)
IMPORT_IS_SAFE: Final = Sentence(
    zh="确认之后才导入，要么全部、要么一点不导；之前会先备份。",
    en="Nothing is imported before you confirm. Then all of it is, or nothing; a backup is "
    "made first.",
)
IMPORTED: Final = Sentence(
    zh="导入了 {count} 条。之前的样子存成了备份，主人可以用 /restore_backup 1 回去。",
    en="{count} imported. The state before is backed up: an owner can go back with "
    "/restore_backup 1.",
)

# The shell's export and import.
WRITTEN: Final = Sentence(zh="写好了 {file}（{bytes} 字节）", en="wrote {file} ({bytes} bytes)")
WOULD_TAKE_IN: Final = Sentence(
    zh="会导入 {new} 条；{known} 条这里已经记得，{refused} 条不能导入（抹去过或封存的）。",
    en="{new} would be imported; {known} are known already, {refused} cannot be imported "
    "(erased or sealed).",
)
TAKEN_IN: Final = Sentence(
    zh="导入了 {new} 条；{known} 条本来就记得，{refused} 条没有导入（抹去过或封存的）。",
    en="{new} imported; {known} were known already, {refused} were not imported (erased or "
    "sealed).",
)
WHOLE: Final = Sentence(
    zh="这里还什么都不记得，所以是原样搬来：编号、设置、最近的对话都一样。",
    en="Nothing was known here, so everything is taken over as it was: ids, settings, "
    "recent conversation.",
)
SAY_YES: Final = Sentence(
    zh="这只是预览。确定的话加上 --yes。", en="This is a preview. To do it, add --yes."
)

# The page of an export, and handing it over.
EXPORT_TITLE: Final = Sentence(zh="小祥记得的（{agent}）", en="What Xiaoxiang remembers ({agent})")
EXPORTED_AT: Final = Sentence(
    zh="{at} 导出，连名字和放下的 {count} 条。完整的数据在同名的 .json 里。",
    en="Exported at {at}: {count} memories, names and what was let go included. The complete data "
    "is in the .json of the same name.",
)
BRINGS_UP: Final = Sentence(zh="想到", en="linked to")
TAKE_ALONG: Final = Sentence(
    zh="你的全部记忆，连名字和放下的 {count} 条，都在这里",
    en="Everything I know about you: {count} memories, names and what was let go included",
)
KEEP_SAFE: Final = Sentence(
    zh="一份给人读（.md），一份完整的数据（.json，带校验，可以再带回来）。里面是私事，"
    "收好它；之后用 /forget 抹去的，抹不到你带走的文件里。",
    en="A page to read (.md) and the complete data (.json, with a checksum, to be imported "
    "again). It is private: keep it safe. What you erase with /forget later stays in "
    "these files.",
)
STAYS_SEALED: Final = Sentence(
    zh="封存的还是封着的：没有钥匙谁也打不开。",
    en="What is sealed stays sealed: nobody can open it without the key.",
)
ONLY_TO_ITS_OWN: Final = Sentence(
    zh="全部记忆只交给它的主人，不会发到群里。请私聊我，发 /memory export 带走你自己的；"
    "群的记忆由管理这台机器的人用 xiaoxiang export 带走。",
    en="Everything I know goes only to the person it belongs to, never into a group. Send "
    "me /memory export in private to get yours; for a group's, whoever runs this machine "
    "uses xiaoxiang export.",
)
NOT_HANDED_OVER: Final = Sentence(
    zh="{file}（{size}）在这里发不出来。在终端里可以拿到：xiaoxiang export --agent {agent}"
    "（放到别的文件夹：加 --out 文件夹）",
    en="{file} ({size}) cannot be sent here. In the shell: xiaoxiang export --agent {agent} (into "
    "another folder: add --out FOLDER)",
)
SEALED: Final = Sentence(zh="（封存的）", en="(sealed)")

DIARY_HOLDS: Final = Sentence(
    zh="日记里有 {count} 句话，最早是 {since} 的。",
    en="The diary has {count} lines, since {since}.",
)
DIARY_EMPTY: Final = Sentence(zh="日记里还没有话。", en="The diary has no lines yet.")
DIARY_KEEPS: Final = Sentence(
    zh="说过的话一直留着。", en="What was said is kept for as long as I am here."
)
DIARY_KEEPS_DAYS: Final = Sentence(
    zh="说过的话留 {days} 天，之后只剩记住的要点。",
    en="Days for which what was said is kept: {days}. After that only what I made of it stays.",
)
DIARY_OFF: Final = Sentence(
    zh="不写日记：说过的话 {days} 天后就没有了，只剩记住的要点。",
    en="I keep no diary: words are gone after {days} days; only what I made of them stays.",
)
DIARY_WOULD_DROP: Final = Sentence(
    zh="今晚会丢掉 {count} 句 {before} 以前的话，找不回来。",
    en="Tonight {count} lines from before {before} would go, for good.",
)
DIARY_WOULD_CUT: Final = Sentence(
    zh="有 {count} 条记忆引用了更早的原话：要点留着，原话不留。",
    en="{count} memories quote older words: what I made of them stays, the words do not.",
)
DIARY_IN_BACKUPS: Final = Sentence(
    zh="有 {count} 份备份里也有：今晚一起重写，里面不再有这些话。",
    en="{count} backups hold such words as well: they are rewritten without them tonight.",
)
COPIES_ELSEWHERE: Final = Sentence(
    zh="够不着的：你导出或拷到别处的文件、聊天平台上的记录、发给过模型服务商的话。那些要你自己去删。",
    en="Out of my reach: files you exported or copied elsewhere, the chat on the platform, and "
    "what was sent to the provider of the model. Those are yours to delete.",
)
COPIES_OF_DATABASE: Final = Sentence(
    zh="数据库这边够不着的：归档的预写日志（WAL）、还没跟上的副本、pg_dump 的转储。",
    en="Of the database, out of my reach: archived write-ahead log (WAL), replicas that have not "
    "caught up, dumps.",
)
DIARY_OF: Final = Sentence(
    zh="{day} 说的话（{count} 句）", en="What was said on {day} ({count} lines)"
)
DIARY_NOTHING_ON: Final = Sentence(zh="{day} 的日记是空的。", en="The diary has nothing of {day}.")
DIARY_NOT_READ: Final = Sentence(
    zh="“{what}”我看不懂。写一个日期（2026-03-04）、天数、“留着”或“关”。",
    en="I do not understand {what}. Give a date (2026-03-04), a number of days, keep or off.",
)

# The keys are the table names of the state (``Erasure.places``) and those of ``count_outside``.
# A test compares them with the tables, so that a new one cannot be a KeyError in /forget.
PLACE_NAMES: Final[dict[str, Sentence]] = {
    "messages": desk_changes.IN_MESSAGES,
    "memories": desk_changes.IN_MEMORIES,
    "cut": IN_CUT,
    "links": desk_changes.IN_LINKS,
    "windows": desk_changes.IN_WINDOWS,
    "diary": desk_changes.IN_DIARY,
    "turns": desk_changes.IN_TURNS,
    "tasks": desk_changes.IN_TASKS,
    "receipts": desk_changes.IN_RECEIPTS,
    "reviews": desk_changes.IN_REVIEWS,
    "weight_logs": desk_changes.IN_WEIGHT_LOGS,
    "corrections": desk_changes.IN_CORRECTIONS,
    "previous_texts": desk_changes.IN_FORMER,
    "undos": desk_changes.IN_UNDOS,
    "reminders": desk_changes.IN_REMINDERS,
    "intentions": desk_changes.IN_INTENTIONS,
    "remembered_ids": desk_changes.IN_SEEN,
    "agent_infos": desk_changes.IN_FOCUS,
    "ledger": desk_changes.IN_LEDGER,
    "backups": desk_changes.IN_BACKUPS,
    "history": desk_changes.IN_HISTORY,
    "files": desk_changes.IN_FILES,
}

ONLY_THEIRS: Final = Sentence(
    zh="只动这个成员自己说过的话，和只由它们得来的记忆；别人说的不动。",
    en="Only the words of that member are erased, and what was learnt from them alone. "
    "What others said stays.",
)
WORDS_ONLY: Final = Sentence(
    zh="抹的是提到“{name}”的话。要抹去一个成员说过的一切：/forget 名字说的话",
    en="This erases what mentions “{name}”. To erase all that a member said: "
    "/forget everything by NAME",
)
