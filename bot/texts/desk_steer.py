"""What the desk says when something is changed, taken back, or asks to be confirmed."""

from typing import Final

from bot.texts.sentence import Sentence

UNDO: Final = Sentence(zh="撤销", en="undo")
CONFIRM: Final = Sentence(zh="确认，就这样", en="confirm exactly this")
PREVIEW_CHANGED: Final = Sentence(
    zh="从刚才的预览到现在有了变化，请再看一遍：",
    en="Something changed since that preview. Please look again:",
)

KEPT: Final = Sentence(zh="记住了 #{id}：{text}", en="Remembered as #{id}: {text}")
KNOWN_ALREADY: Final = Sentence(
    zh="这个我已经记得（#{id}），又记牢了一点。", en="I knew that (#{id}); it is firmer now."
)
NOTHING_TO_KEEP: Final = Sentence(
    zh="这句里没有可以记住的内容。", en="There is nothing in it to remember."
)
EDITED: Final = Sentence(
    zh="#{id} 改好了：{before} → {after}", en="#{id} is corrected: {before} → {after}"
)
SAYS_SO_ALREADY: Final = Sentence(zh="#{id} 本来就是这么记的。", en="#{id} says so already.")
PINNED: Final = Sentence(
    zh="📌 #{id} 钉住了，不会自己淡忘：{text}", en="📌 #{id} is pinned and will not fade: {text}"
)
UNPINNED: Final = Sentence(
    zh="#{id} 取下了，会像别的一样慢慢淡忘：{text}", en="#{id} may fade again like others: {text}"
)
MERGED: Final = Sentence(zh="{ids} 合成了 #{id}：{text}", en="{ids} became #{id}: {text}")
NOT_MERGED: Final = Sentence(
    zh="要合并，至少给两条记得的事实，而且是同一个人说的。",
    en="Merging takes at least two active facts of one person.",
)
REINFORCED: Final = Sentence(
    zh="#{id} {event}了，前后对比：", en="#{id}: {event}, before and after:"
)
WAS_BEFORE: Final = Sentence(zh="之前", en="before")
IS_AFTER: Final = Sentence(zh="现在", en="now")
GRADED: Final = Sentence(zh="#{id} 的敏感度现在是 {grade}。", en="#{id}: sensitivity {grade}.")
HIDDEN: Final = Sentence(
    zh="放下了 #{id}：{text}。30 天内可以找回来。",
    en="#{id} is hidden: {text}. It can come back for 30 days.",
)
HIDDEN_IS_NOT_ERASED: Final = Sentence(
    zh="（这是放下，不是抹去；要彻底抹去：/forget #{id}）",
    en="(Hidden, not erased. To erase it everywhere: /forget #{id})",
)
HIDDEN_ALREADY: Final = Sentence(zh="#{id} 已经放下了。", en="#{id} is hidden already.")
LACKS_NOTHING: Final = Sentence(zh="#{id} 好好的，不用找回。", en="#{id} lacks nothing.")
IS_BACK: Final = Sentence(zh="找回来了 #{id}：{text}", en="#{id} is back: {text}")

LAW_IS: Final = Sentence(zh="我按哪条规律淡忘：", en="The law by which I forget:")
LAW_PREVIEW: Final = Sentence(zh="如果换成“{law}”，今晚会：", en="Under {law}, tonight would:")
LAW_FADING: Final = Sentence(
    zh="正在淡忘的：现在 {now} 条，换了以后 {then} 条。", en="Fading: {now} now, {then} then."
)
LAW_CHANGED: Final = Sentence(
    zh="从现在起按“{law}”淡忘；今晚之前什么都不会变。",
    en="From now on I forget by {law}; nothing changes before tonight.",
)
WOULD_COMPRESS: Final = Sentence(zh="缩短 {count} 条", en="shorten {count}")
WOULD_ARCHIVE: Final = Sentence(zh="收起 {count} 条", en="put away {count}")
WOULD_DELETE: Final = Sentence(zh="放下 {count} 条", en="let go of {count}")
WOULD_DO_NOTHING: Final = Sentence(zh="什么都不变。", en="change nothing.")
MODE_IS: Final = Sentence(zh="搜索时看到：{mode}", en="Searching sees: {mode}")
PAUSED: Final = Sentence(zh="⏸ 好，从现在起不记新的事。", en="⏸ From now on I learn nothing new.")
RESUMED: Final = Sentence(zh="▶ 又开始记了。", en="▶ I am learning again.")
CLEANUP_PREVIEW: Final = Sentence(zh="整理会：", en="Cleaning up would:")
NOTHING_TO_CLEAN: Final = Sentence(zh="没有要整理的。", en="There is nothing to clean up.")
CLEANED: Final = Sentence(
    zh="整理好了：缩短 {compressed} 条，收起 {archived} 条，放下 {deleted} 条。",
    en="Done: {compressed} shortened, {archived} put away, {deleted} let go of.",
)
TOO_SOON: Final = Sentence(
    zh="刚整理过，{when} 以后再来。", en="That was done lately; again after {when}."
)

RESET: Final = Sentence(
    zh="好，我们重新开始聊：刚才的 {count} 句我不再接着说，它们会像往常一样收成一段回忆。"
    "记得的事都还在；想彻底抹去，用 /forget。",
    en="All right, we begin anew: I no longer carry on from the last {count} messages; as always, "
    "they become a memory of that talk. What I remember stays; /forget erases for good.",
)
NOTHING_TO_RESET: Final = Sentence(
    zh="这里没有正在聊的话，本来就是新的开始。记得的事都还在。",
    en="Nothing is under way here, so this is a new beginning already. What I remember stays.",
)
ONLY_IN_CHAT: Final = Sentence(
    zh="重新开始要在聊天里说：这里没有正在聊的话。",
    en="Begin anew in the chat itself: nothing is being talked about here.",
)
LINES_COME_BACK: Final = Sentence(
    zh="接着聊之前的 {count} 句。", en="We carry on from the {count} messages before."
)
ONLY_IN_PRIVATE: Final = Sentence(
    zh="上一步涉及私密的记忆，请在私聊里撤销。",
    en="The last step concerns something private: undo it between the two of us.",
)
TOO_LARGE: Final = Sentence(
    zh="（这一步动了太多，/undo 撤不回；放下、收起、缩短的，30 天内可以用 /memory restore 逐条"
    "找回。）",
    en="(Too much moved for /undo. What was put away or shortened can be brought back one by one"
    " for 30 days with /memory restore.)",
)
TOO_LARGE_IMPORT: Final = Sentence(
    zh="（这次太多，/undo 撤不回；之前的样子在自动留的备份里。）",
    en="(Too much for /undo; how it was before is in the backup made just now.)",
)
NOTHING_TO_UNDO: Final = Sentence(zh="没有可以撤销的。", en="There is nothing to undo.")
NO_SUCH_STEP: Final = Sentence(
    zh="没有“{name}”这一步可以撤销：已经撤销过，或者太久了。",
    en="There is no step “{name}” to undo: it was undone already, or is too old.",
)
UNDO_PREVIEW: Final = Sentence(zh="撤销“{what}”（{when}）：", en="Undo “{what}” ({when}):")
UNDONE: Final = Sentence(
    zh="撤销了“{what}”，和原来一模一样。", en="“{what}” is undone, exactly as it was before."
)
TOUCHED_SINCE: Final = Sentence(
    zh="⚠ 之后又动过 {what}；撤销会盖掉那些变化。",
    en="⚠ {what} changed since then; undoing overwrites that.",
)
WHAT_HAPPENS: Final = Sentence(zh="会怎样", en="what happens")
COMES_BACK: Final = Sentence(zh="回来", en="comes back")
AS_BEFORE: Final = Sentence(zh="变回原样", en="as it was")
GOES_AGAIN: Final = Sentence(zh="去掉", en="goes again")
AND_RECORDS: Final = Sentence(
    zh="还有 {count} 条联系和记录一起还原。", en="Links and records that go back with it: {count}."
)
STEP_HIDE: Final = Sentence(zh="放下", en="hide")
STEP_RESTORE: Final = Sentence(zh="找回来", en="bring back")
STEP_REVIEW: Final = Sentence(zh="后台评审", en="review by the background")
STEP_REMEMBER: Final = Sentence(zh="记住", en="remember")
STEP_MERGE: Final = Sentence(zh="合并", en="merge")
STEP_EDIT: Final = Sentence(zh="改正", en="correct")
STEP_PIN: Final = Sentence(zh="钉住", en="pin")
STEP_UNPIN: Final = Sentence(zh="取下", en="unpin")
STEP_SENSITIVITY: Final = Sentence(zh="改敏感度", en="sensitivity")
STEP_REINFORCE: Final = Sentence(zh="强化", en="reinforce")
STEP_SETTINGS: Final = Sentence(zh="改设置", en="settings")
STEP_RESET: Final = Sentence(zh="重新开始聊", en="begin anew")
STEP_CLEANUP: Final = Sentence(zh="整理", en="clean up")
STEP_IMPORT: Final = Sentence(zh="导入", en="import")
STEP_CONSOLIDATION: Final = Sentence(zh="从情境里提炼", en="facts taken from episodes")
STEP_LEARNT: Final = Sentence(zh="从对话里学到", en="learnt from what was said")
