"""What is said when a memory is backed up and brought back."""

from typing import Final

from bot.texts.sentence import Sentence

BACKUP_MADE: Final = Sentence(
    zh="备份好了：{count} 条记忆，写完又读回来核对过。",
    en="Memories backed up: {count}; read back and verified.",
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
    en="To go back to one: /restore_backup NUMBER (shown first, done when confirmed).",
)
NUMBER: Final = Sentence(zh="序号", en="no.")
WHEN: Final = Sentence(zh="时间", en="made")
SIZE: Final = Sentence(zh="大小", en="size")
BACKUP_CAUSE: Final = Sentence(zh="为什么", en="why")
BY_HAND: Final = Sentence(zh="要求的", en="asked for")
BEFORE_RESTORE: Final = Sentence(zh="恢复之前", en="before a restore")
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
    zh="{count} 条没有了（那之后才记得的）：", en="take away {count} learnt since:"
)
RESTORE_CHANGES: Final = Sentence(
    zh="{count} 条变回当时的样子：", en="let {count} be as they were then:"
)
RESTORE_SAME: Final = Sentence(
    zh="记忆没有不同，只有最近的对话和设置回到当时。",
    en="No memory differs; only recent conversation and settings go back.",
)
NOTHING_TO_RESTORE: Final = Sentence(
    zh="和现在完全一样，没有什么可恢复的。", en="It is exactly as now: nothing to restore."
)
RESTORE_WITHHELD: Final = Sentence(
    zh="这份备份里有 {count} 条是之后抹去的：抹去的不会回来。",
    en="{count} in this backup were erased since: what was erased does not come back.",
)
BACKUP_FIRST: Final = Sentence(
    zh="确认之前会先把现在的样子另存一份，随时可以回来。",
    en="The present state is backed up first, so that there is a way back.",
)
RESTORED: Final = Sentence(
    zh="回到了 {when} 的样子。刚才的样子存成了第 1 份备份：/restore_backup 1 可以再回去。",
    en="Back to {when}. What was is now backup 1: /restore_backup 1 leads back again.",
)
MINUTES: Final = Sentence(zh="{count} 分钟", en="{count} min")
HOURS: Final = Sentence(zh="{count} 小时", en="{count} h")
DAYS: Final = Sentence(zh="{count} 天", en="{count} days")
