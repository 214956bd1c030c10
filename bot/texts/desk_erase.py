"""What ``/forget`` says while it erases something for good."""

from typing import Final

from bot.texts import Sentence

# The preview says what is erased and that it cannot be undone, before anything else.
WILL_GO: Final = Sentence(zh="这些会彻底抹去：", en="This will be erased for good:")
ALL_WILL_GO: Final = Sentence(
    zh="我记得的一切都会彻底抹去：", en="Everything I know will be erased for good:"
)
NO_UNDO: Final = Sentence(
    zh="⚠ 这一步没有撤销。只是不想再提起的话，用 /memory forget 放下就好。",
    en="⚠ This cannot be undone. To only put it away, use /memory forget.",
)
ONLY_YOURS: Final = Sentence(
    zh="在群里只动你自己说过的话，和只由它们得来的记忆；别人说的不动。",
    en="In a group only your own words are erased, and what was learnt from them alone. "
    "What others said stays.",
)
NOT_YOURS: Final = Sentence(
    zh="#{id} 不是由你说的话得来的，在群里只有管理员可以抹去它。",
    en="#{id} does not come from your words. In a group only admins can erase it.",
)
AND_MORE: Final = Sentence(zh="……还有 {count} 条。", en="… and {count} more.")
MANIFEST: Final = Sentence(zh="它们在这些地方：", en="It is stored in these places:")
FILES: Final = Sentence(
    zh="日志、快照、它们的上一份、备份和坏掉收起的文件都会重写，里面不再有这些。",
    en="The journal, the snapshots and their earlier copies, backups and set-aside files "
    "are rewritten without it.",
)

# What is not erased, and why.
NOTHING_OF_IT: Final = Sentence(zh="没有找到要抹去的东西。", en="I found nothing to erase.")
TOO_SHORT: Final = Sentence(
    zh="太短了：至少两个字，或者写 #编号。",
    en="Too short: give at least two letters, or an id such as #42.",
)
IS_YOUR_NAME: Final = Sentence(
    zh="“{name}”是我对你的称呼，到处都是。请写得更具体，或者用 /forget 全部。",
    en="“{name}” is what I call you, so it is everywhere. Please be more precise, or use "
    "/forget all.",
)
CHANGED_MEANWHILE: Final = Sentence(
    zh="就在这时记忆又变了，什么都没抹去。请再看一遍预览。",
    en="My memory changed at that very moment, so nothing was erased. Please look at the "
    "preview again.",
)

# The receipt.
ERASED: Final = Sentence(zh="抹去了 {count} 条记忆。", en="Memories erased: {count}.")
SCANNED_CLEAN: Final = Sentence(
    zh="✓ 重新检查了所有文件：{files} 处残留。",
    en="✓ Searched every file again: {files} traces left.",
)
LEFT: Final = Sentence(
    zh="✗ 还有 {files} 处残留，请再执行一次。",
    en="✗ {files} places still hold it. Please run it again.",
)
FINISHED: Final = Sentence(
    zh="刚才抹到一半我被打断了，现在已经做完：没有留下什么。",
    en="I was interrupted while erasing and have finished now. Nothing is left.",
)
TOMBSTONE: Final = Sentence(
    zh="旧的话不会再被学到；以后再说的，算新的。",
    en="I will not learn from the old messages again. What is said again counts as new.",
)

# Names of the places.
IN_MESSAGES: Final = Sentence(zh="说过的话", en="messages")
IN_MEMORIES: Final = Sentence(zh="记忆", en="memories")
IN_LINKS: Final = Sentence(zh="联系", en="links")
IN_WINDOWS: Final = Sentence(zh="最近的对话", en="recent conversation")
IN_DIARY: Final = Sentence(zh="日记", en="diary")
IN_TURNS: Final = Sentence(zh="等着学的对话", en="turns waiting to be learnt")
IN_TASKS: Final = Sentence(zh="后台任务", en="background tasks")
IN_RECEIPTS: Final = Sentence(zh="回答的依据", en="receipts of answers")
IN_REVIEWS: Final = Sentence(zh="等着的评审", en="waiting reviews")
IN_WEIGHT_LOGS: Final = Sentence(zh="权重记录", en="weight logs")
IN_CORRECTIONS: Final = Sentence(zh="改正记录", en="corrections")
IN_FORMER: Final = Sentence(zh="缩短前的原文", en="earlier texts")
IN_UNDOS: Final = Sentence(zh="撤销记录", en="undo entries")
IN_SEEN: Final = Sentence(zh="见过的消息", en="messages seen")
IN_FOCUS: Final = Sentence(zh="正在聊的话题", en="what is talked about")
IN_LEDGER: Final = Sentence(zh="收发账本", en="ledger")
IN_BACKUPS: Final = Sentence(zh="备份", en="backups")
IN_HISTORY: Final = Sentence(zh="终端输入历史", en="terminal history")
IN_FILES: Final = Sentence(zh="文件里从前的样子", en="files with earlier states")
