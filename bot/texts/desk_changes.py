"""What the commands that change something say: changes, secrets, notices, undo, confirmations.

Also what ``/forget`` says while it erases something for good.
"""

from typing import Final

from bot.texts import Sentence

# Previews and confirmations.
UNDO: Final = Sentence(zh="撤销", en="undo")
CONFIRM: Final = Sentence(zh="确认，就这样", en="confirm exactly this")
PREVIEW_CHANGED: Final = Sentence(
    zh="从刚才的预览到现在有了变化，请再看一遍：",
    en="Something has changed since that preview. Please check it again:",
)

# Changing one memory. Each answer names the id, because the next command needs it.
KEPT: Final = Sentence(zh="记住了 #{id}：{text}", en="Remembered as #{id}: {text}")
KNOWN_ALREADY: Final = Sentence(
    zh="这个我已经记得（#{id}），又记牢了一点。",
    en="I knew that already (#{id}); it is firmer now.",
)
NOTHING_TO_KEEP: Final = Sentence(
    zh="这句里没有可以记住的内容。", en="There is nothing in it to remember."
)
LAID_DOWN: Final = Sentence(
    zh="定下了 #{id}：{text}（每次聊都带着，不会淡忘；/memory forget #{id} 拿掉）",
    en="Laid down as #{id}: {text} (always in mind; /memory forget #{id} takes it away)",
)
LAID_DOWN_ALREADY: Final = Sentence(zh="这一条已经定下了。", en="That is laid down already.")
EDITED: Final = Sentence(
    zh="#{id} 改好了：{before} → {after}", en="#{id} is corrected: {before} → {after}"
)
SAYS_SO_ALREADY: Final = Sentence(zh="#{id} 本来就是这么记的。", en="#{id} already says that.")
PINNED: Final = Sentence(
    zh="📌 #{id} 钉住了，不会自己淡忘：{text}", en="📌 #{id} is pinned and will not fade: {text}"
)
UNPINNED: Final = Sentence(
    zh="#{id} 取下了，会像别的一样慢慢淡忘：{text}",
    en="#{id} is unpinned and may fade like the others: {text}",
)
MERGED: Final = Sentence(zh="{ids} 合成了 #{id}：{text}", en="{ids} became #{id}: {text}")
NOT_MERGED: Final = Sentence(
    zh="要合并，至少给两条记得的事实，而且是同一个人说的。",
    en="To merge, give at least two active facts that the same person said.",
)
REINFORCED: Final = Sentence(
    zh="#{id} {event}了，前后对比：", en="#{id}: {event}, before and after:"
)
WAS_BEFORE: Final = Sentence(zh="之前", en="before")
IS_AFTER: Final = Sentence(zh="现在", en="now")
GRADED: Final = Sentence(
    zh="#{id} 的敏感度现在是 {grade}。", en="#{id} now has sensitivity {grade}."
)
HIDDEN: Final = Sentence(
    zh="放下了 #{id}：{text}。30 天内可以找回来。",
    en="#{id} is hidden: {text}. It can be restored for 30 days.",
)
HIDDEN_IS_NOT_ERASED: Final = Sentence(
    zh="（这是放下，不是抹去；要彻底抹去：/forget #{id}）",
    en="(Hidden, not erased. To erase it everywhere: /forget #{id})",
)
HIDDEN_ALREADY: Final = Sentence(zh="#{id} 已经放下了。", en="#{id} is already hidden.")
LACKS_NOTHING: Final = Sentence(
    zh="#{id} 好好的，不用找回。", en="#{id} is complete; there is nothing to restore."
)
FOUND_LET_GO: Final = Sentence(
    zh="已经放下了，还找得回来：/memory restore {what}",
    en="let go, can be brought back: /memory restore {what}",
)
LET_GO: Final = Sentence(
    zh="这件事我已经放下了，还找得回来。要我留着吗？/memory restore #{id}",
    en="I had let this go; it can still be brought back. Shall I keep it? /memory restore #{id}",
)
IS_HIDDEN: Final = Sentence(
    zh="你让我放下了它，我不会提起。想找回来：/memory restore #{id}",
    en="You had me put it away, and I do not bring it up. To have it back: /memory restore #{id}",
)
IS_BACK: Final = Sentence(zh="找回来了 #{id}：{text}", en="#{id} is back: {text}")

# Settings of the agent, and cleaning up.
LAW_IS: Final = Sentence(zh="我按这条规律淡忘：", en="I forget by this law:")
LAW_PREVIEW: Final = Sentence(zh="如果换成“{law}”，今晚会：", en="With {law}, tonight would:")
LAW_FADING: Final = Sentence(
    zh="正在淡忘的：现在 {now} 条，换了以后 {then} 条。",
    en="Fading: {now} now, {then} after the change.",
)
LAW_CHANGED: Final = Sentence(
    zh="从现在起按“{law}”淡忘；今晚之前什么都不会变。",
    en="From now on I forget by {law}. Nothing changes before tonight.",
)
WOULD_COMPRESS: Final = Sentence(zh="缩短 {count} 条", en="shorten {count}")
WOULD_ARCHIVE: Final = Sentence(zh="收起 {count} 条", en="put away {count}")
WOULD_DELETE: Final = Sentence(zh="放下 {count} 条", en="let go of {count}")
WOULD_REVIEW: Final = Sentence(
    zh="再想想 {count} 条还要不要留", en="think over whether to keep {count}"
)
WOULD_DO_NOTHING: Final = Sentence(zh="什么都不变。", en="change nothing.")
MODE_IS: Final = Sentence(zh="搜索模式：{mode}", en="Search mode: {mode}")
PAUSED: Final = Sentence(zh="⏸ 好，从现在起不记新的事。", en="⏸ From now on I learn nothing new.")
RESUMED: Final = Sentence(zh="▶ 又开始记了。", en="▶ I am learning again.")
CLEANUP_PREVIEW: Final = Sentence(zh="整理会：", en="Cleaning up would:")
NOTHING_TO_CLEAN: Final = Sentence(zh="没有要整理的。", en="There is nothing to clean up.")
CLEANED: Final = Sentence(
    zh="整理好了：缩短 {compressed} 条，收起 {archived} 条，放下 {deleted} 条。",
    en="Done: {compressed} shortened, {archived} put away, {deleted} let go of.",
)
THOUGHT_OVER: Final = Sentence(
    zh="还有 {count} 条正在想要不要留，结果看 /memory review。",
    en="{count} more are being thought over; see /memory review for what came of it.",
)
NOTHING_TO_REBUILD: Final = Sentence(
    zh="该有的联想都在，没有要补的。", en="Every link is there; nothing was missing."
)
REBUILT: Final = Sentence(
    zh="重新找了一遍：{count} 条记忆的联想补上或加强了。",
    en="Done: the links of {count} memories were completed.",
)
TOO_SOON: Final = Sentence(
    zh="刚整理过，{when} 以后再来。", en="I cleaned up recently. Try again after {when}."
)

# Starting a conversation over says what stays, since many expect it to erase.
RESET: Final = Sentence(
    zh="好，我们重新开始聊：刚才的 {count} 句我不再接着说，它们会像往常一样收成一段回忆。"
    "记得的事都还在；想彻底抹去，用 /forget。",
    en="All right, we start over. I no longer continue from the last {count} messages; as "
    "usual, they become a memory of that conversation. What I remember stays; /forget "
    "erases for good.",
)
NOTHING_TO_RESET: Final = Sentence(
    zh="这里没有正在聊的话，本来就是新的开始。记得的事都还在。",
    en="There is no conversation to start over: this is a new beginning already. What I "
    "remember stays.",
)
ONLY_IN_CHAT: Final = Sentence(
    zh="重新开始要在聊天里说：这里没有正在进行的对话。",
    en="Start over in the chat itself: there is no conversation here.",
)
LINES_COME_BACK: Final = Sentence(
    zh="接着聊之前的 {count} 句。", en="We continue from the {count} earlier messages."
)
ONLY_IN_PRIVATE: Final = Sentence(
    zh="上一步涉及私密的记忆，请在私聊里撤销。",
    en="The last step concerns something private. Please undo it in our private chat.",
)
TOO_LARGE: Final = Sentence(
    zh="（这一步动了太多，/undo 撤不回；放下、收起、缩短的，30 天内可以用 /memory restore "
    "逐条找回。）",
    en="(This step is too large for /undo. What was put away, hidden or shortened can be "
    "restored one by one with /memory restore for 30 days.)",
)
TOO_LARGE_REBUILD: Final = Sentence(
    zh="（这一步动了太多，/undo 撤不回；联想只多不少，什么都没有丢。）",
    en="(This step is too large for /undo. It only added to the links; nothing was lost.)",
)
TOO_LARGE_IMPORT: Final = Sentence(
    zh="（这次太多，/undo 撤不回；之前的样子在自动留的备份里。）",
    en="(This is too large for /undo. The state before it is in the backup that was just made.)",
)

# Undo.
NOTHING_TO_UNDO: Final = Sentence(zh="没有可以撤销的。", en="There is nothing to undo.")
NO_SUCH_STEP: Final = Sentence(
    zh="没有可撤销的了：这一步已经撤销过，或者太久了。",
    en="There is nothing left to undo: that step was undone already, or it is too old.",
)
STEP_OVERTAKEN: Final = Sentence(
    zh="没有可撤销的了：那时记下的，后来已经改掉或去掉了。现在记着什么，发 /memory list 看。",
    en="There is nothing left to undo: what was noted then has been changed or taken away since. "
    "Send /memory list to see what I know now.",
)
UNDO_PREVIEW: Final = Sentence(zh="撤销“{what}”（{when}）：", en="Undo “{what}” ({when}):")
UNDONE: Final = Sentence(
    zh="撤销了“{what}”，和原来一模一样。",
    en="“{what}” is undone. Everything is exactly as before.",
)
TOUCHED_SINCE: Final = Sentence(
    zh="⚠ 之后又动过 {what}；撤销会盖掉那些变化。",
    en="⚠ {what} has changed since then. Undoing overwrites those changes.",
)
WHAT_HAPPENS: Final = Sentence(zh="会怎样", en="what happens")
COMES_BACK: Final = Sentence(zh="回来", en="comes back")
AS_BEFORE: Final = Sentence(zh="变回原样", en="is changed back")
GOES_AGAIN: Final = Sentence(zh="去掉", en="is removed")
AND_RECORDS: Final = Sentence(
    zh="还有 {count} 条联系和记录一起还原。",
    en="Links and other records restored with it: {count}.",
)
STEP_HIDE: Final = Sentence(zh="放下", en="hide")
STEP_RESTORE: Final = Sentence(zh="找回来", en="bring back")
STEP_REVIEW: Final = Sentence(zh="后台评审", en="background review")
STEP_REMEMBER: Final = Sentence(zh="记住", en="remember")
STEP_MERGE: Final = Sentence(zh="合并", en="merge")
STEP_EDIT: Final = Sentence(zh="改正", en="correct")
STEP_PIN: Final = Sentence(zh="钉住", en="pin")
STEP_UNPIN: Final = Sentence(zh="取下", en="unpin")
STEP_SENSITIVITY: Final = Sentence(zh="改敏感度", en="sensitivity")
STEP_REINFORCE: Final = Sentence(zh="强化", en="reinforce")
STEP_SETTINGS: Final = Sentence(zh="改设置", en="settings")
STEP_RESET: Final = Sentence(zh="重新开始聊", en="start over")
STEP_CLEANUP: Final = Sentence(zh="整理", en="clean up")
STEP_REBUILD: Final = Sentence(zh="重建联想", en="rebuild links")
STEP_IMPORT: Final = Sentence(zh="导入", en="import")
STEP_INITIATIVE: Final = Sentence(zh="主动找你的事", en="writing first")
STEP_REMIND: Final = Sentence(zh="提醒", en="a reminder")
STEP_CONSOLIDATION: Final = Sentence(zh="从情境里提炼", en="facts taken from episodes")
STEP_LEARNT: Final = Sentence(zh="从对话里学到", en="learnt from what was said")

# Secrets. A refusal says that nothing was kept: the partner may have typed a password.
SECRETS_NOT_IN_GROUPS: Final = Sentence(
    zh="机密只在私聊里记，这里不行。", en="I keep secrets in our private chat only, not here."
)
SECRETS_NEED_KEY: Final = Sentence(
    zh="机密只肯锁起来记，可我没有钥匙：先运行 xiaoxiang key new，再设好 MEMORY_KEY_FILE。"
    "什么都没有记。",
    en="I keep secrets only sealed, and I have no key. Run xiaoxiang key new and set "
    "MEMORY_KEY_FILE. Nothing was kept.",
)
STAYS_SHUT: Final = Sentence(
    zh="这条锁着，现在的钥匙打不开它；它还好好的，找到原来的钥匙就行。",
    en="This memory is sealed, and the present key does not open it. Nothing is lost: bring "
    "back the key it was sealed with.",
)
SEALED: Final = Sentence(
    zh="🔒 锁好了 #{id}。只有你在私聊里看得到：/memory show #{id}",
    en="🔒 Sealed as #{id}. Only you can see it, in private: /memory show #{id}",
)
EDITED_SEALED: Final = Sentence(
    zh="🔒 #{id} 改好了，还是锁着的。", en="🔒 #{id} is corrected and still sealed."
)
SEALED_ALREADY: Final = Sentence(zh="#{id} 本来就锁着。", en="#{id} is already sealed.")
NOT_SEALABLE: Final = Sentence(
    zh="名字和系统的记忆不能锁。", en="Names and system memories cannot be sealed."
)
SEALED_NOT_MERGED: Final = Sentence(
    zh="锁着的记忆不合并：先用 /memory sensitivity 打开它。",
    en="Sealed memories cannot be merged. Open them first with /memory sensitivity.",
)
WILL_SEAL: Final = Sentence(zh="要把 #{id} 锁起来吗？", en="Seal #{id}?")
TRACES_GO: Final = Sentence(
    zh="锁起来以后不再用来聊天，只有你在私聊里看得到。它是从哪几句话记下的，"
    "那几句会从最近的对话和情境里抹成 ***；重复这句话的地方也一样，旧的文件会重写。"
    "这一步没有撤销，但可以再打开。",
    en="Once sealed, it is no longer used in conversation, and only you can read it, in "
    "private. The messages it was learnt from become *** in the recent conversation and "
    "in episodes, and so does everything that repeats it; earlier files are rewritten. "
    "This cannot be undone, but the memory can be opened again.",
)
IS_SEALED: Final = Sentence(
    zh="🔒 #{id} 锁好了，别处不再有它的原话。",
    en="🔒 #{id} is sealed. Its words no longer stand anywhere else.",
)
WILL_OPEN: Final = Sentence(
    zh="要打开 #{id}（敏感度变成 {grade}）吗？", en="Open #{id} (its sensitivity becomes {grade})?"
)
OPENING_MEANS: Final = Sentence(
    zh="打开以后，它就和别的记忆一样存在文件里，也会用来聊天（会发给模型）。",
    en="Once open, it is stored in the files like any other memory and used in "
    "conversation, so it is sent to the model.",
)
OPENING_SECRET_MEANS: Final = Sentence(
    zh="⚠ 看起来是密码、证件号这样的机密。打开以后，它会以明文存在文件里，也可能发给模型。",
    en="⚠ This looks like a password or an identity number. Once open, it is stored in the "
    "files in plain text and may be sent to the model.",
)

# Notices of what was learnt. They come unasked, so they are as short as can be.
MODEL_DOUBTED: Final = Sentence(
    zh="后台判断用的模型，最近 {every} 轮里有 {bad} 轮的回答不能采纳或读不懂。该记的仍按规则记着，"
    "不会少；想要记得更细，可以换一个更大的模型（LLM_BACKGROUND_MODEL）。详情：/status",
    en="Of the background model's answers about the last {every} turns, {bad} could not be used. "
    "What the rules learn is kept as before, so nothing is lost; for more than that a larger "
    "model helps (LLM_BACKGROUND_MODEL). Details: /status",
)
NOTICE_ONE: Final = Sentence(zh="记下了：{what}", en="Noted: {what}")
NOTICE_SEVERAL: Final = Sentence(zh="记下了：", en="Noted:")
NOTICE_CHANGED: Final = Sentence(
    zh="改成“{after}”（原来：{before}）", en="{after} (was: {before})"
)
NOTICE_PAST: Final = Sentence(zh="不再是“{text}”", en="no longer “{text}”")
NOTICE_PAST_AND_NOW: Final = Sentence(
    zh="不再是“{before}”，现在：{after}", en="no longer “{before}”, now: {after}"
)
NOTICE_MERGED: Final = Sentence(zh="合成一条：{text}", en="merged: {text}")
NOTICE_HIDDEN: Final = Sentence(zh="放下“{text}”", en="hidden: “{text}”")
NOTICE_PRIVATE: Final = Sentence(
    zh="一件私密的事（#{id}，这里不写出来）", en="something private (#{id}, not shown here)"
)
NOTICES_ON: Final = Sentence(
    zh="从对话里学到什么，我会在私聊里轻轻说一声，可以一键撤销（不想看到：/memory notice off）。",
    en="When I learn something, I say so quietly in our private chat, with a button to undo "
    "it (to stop this: /memory notice off).",
)
NOTICES_OFF: Final = Sentence(
    zh="学到什么我不再说出来；想看随时可以：/memory review（再打开：/memory notice on）。",
    en="I no longer say what I learn. You can see it at any time with /memory review (to "
    "turn notices on again: /memory notice on).",
)


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
SAID_TOO: Final = Sentence(zh="说过的这些话：", en="These lines of our talks:")
NAMES_TOO: Final = Sentence(zh="这些名字：{names}", en="These names: {names}")
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
IN_INTENTIONS: Final = Sentence(zh="主动要提的事", en="what I meant to bring up")
IN_REMINDERS: Final = Sentence(zh="提醒", en="reminders")
IN_UNDOS: Final = Sentence(zh="撤销记录", en="undo entries")
IN_SEEN: Final = Sentence(zh="见过的消息", en="messages seen")
IN_FOCUS: Final = Sentence(zh="正在聊的话题", en="what is talked about")
IN_LEDGER: Final = Sentence(zh="收发账本", en="ledger")
IN_BACKUPS: Final = Sentence(zh="备份", en="backups")
IN_HISTORY: Final = Sentence(zh="终端输入历史", en="terminal history")
IN_FILES: Final = Sentence(zh="文件里从前的样子", en="files with earlier states")

NO_SUCH_PAGE: Final = Sentence(
    zh="没有第 {asked} 页，一共只有 {pages} 页。",
    en="There is no page {asked}, only {pages} in all.",
)

FADING_MOST: Final = Sentence(zh="最先淡忘的", en="Fading most")

SEALED_FOUND: Final = Sentence(
    zh="#{id} {what}，已封存：/memory show #{id} 可看。",
    en="#{id} {what}, sealed: /memory show #{id} shows it.",
)
