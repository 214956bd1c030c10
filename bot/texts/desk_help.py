"""The one-line help of every command, the names of its arguments, the frame of ``/help``.

Also what is said of everything that can be set.
"""

from typing import Final

from bot.texts import Sentence

# Names of arguments, in capitals in English, as usage lines have them.
A_ID: Final = Sentence(zh="编号", en="#ID")
A_IDS: Final = Sentence(zh="编号…", en="#IDS…")
A_QUERY: Final = Sentence(zh="词", en="WORDS")
A_TEXT: Final = Sentence(zh="内容", en="TEXT")
A_EVENT: Final = Sentence(zh="怎么了", en="EVENT")
A_LAW: Final = Sentence(zh="规律", en="LAW")
A_GRADE: Final = Sentence(zh="几级", en="GRADE")
A_WHAT: Final = Sentence(zh="#编号、词或“全部”", en="#ID, WORDS or all")
A_TIER: Final = Sentence(zh="层级", en="TIER")
A_STANDING: Final = Sentence(zh="状态", en="STANDING")
A_PAGE: Final = Sentence(zh="第几页", en="PAGE")
A_LIMIT: Final = Sentence(zh="几条", en="COUNT")
A_MODE: Final = Sentence(zh="模式", en="MODE")
A_FLAG: Final = Sentence(zh="开", en="ON")
A_BACK: Final = Sentence(zh="倒数第几句", en="HOW-FAR-BACK")
A_FILE: Final = Sentence(zh="文件", en="FILE")
A_NAME: Final = Sentence(zh="名字", en="NAME")
A_ALL: Final = Sentence(zh="全部", en="all")
A_NUMBER: Final = Sentence(zh="序号", en="NUMBER")
A_STEP: Final = Sentence(zh="哪一步", en="STEP")
A_SWITCH: Final = Sentence(zh="开或关", en="on|off")
A_COMMAND: Final = Sentence(zh="命令", en="COMMAND")

# One line for each command. Telegram shows them in its menu and cuts them at 256 characters.
OVERVIEW: Final = Sentence(
    zh="一眼看我记得什么、哪些快忘了", en="what I know at a glance, and what is fading"
)
LIST: Final = Sentence(zh="所有记忆，新的在前", en="all memories, newest first")
SEARCH: Final = Sentence(
    zh="像聊天时那样回想", en="search as a conversation would, with the reasons"
)
RECALL: Final = Sentence(
    zh="从正在聊的事想开去：想起什么，又曾记得什么",
    en="what comes to mind from the topic on, and what was once known",
)
A_RELATION: Final = Sentence(zh="关系", en="RELATION")
A_DEPTH: Final = Sentence(zh="几层", en="DEPTH")
SYSTEM: Final = Sentence(
    zh="设定：主人定下、每次都带着、不会淡忘的（不写内容就列出来）",
    en="lay down what she always has in mind and never forgets (without TEXT: list it)",
)
SHOW: Final = Sentence(
    zh="一条记忆的全部：数值、何时淡忘、来历、原话",
    en="one memory in full: values, forecast, history",
)
HEALTH: Final = Sentence(zh="按强弱看所有记忆", en="all memories by how firm they are")
FADING: Final = Sentence(zh="正在淡忘的", en="what is being forgotten")
ASSOCIATIONS: Final = Sentence(zh="它让我想到什么", en="what it is linked to, as a tree")
GRAPH: Final = Sentence(
    zh="画出记忆的网络（不写编号就画此刻的话题）",
    en="draw the network around a memory or the topic",
)
CURVE: Final = Sentence(zh="画出之后会怎样淡忘", en="draw how memories will fade")
REVIEW: Final = Sentence(zh="发生过什么、改过什么", en="what happened and what changed")
METRICS: Final = Sentence(zh="七项指标", en="the seven metrics")
IMPORT: Final = Sentence(
    zh="导入：我的导出，或 Telegram 的聊天记录（先看后做）",
    en="import an export or a Telegram chat (preview first)",
)
EXPORT: Final = Sentence(
    zh="全部带走：可读的一页和完整的数据", en="get everything as files: to read, and as data"
)
WHY: Final = Sentence(
    zh="刚才那句回答用了哪些记忆", en="which memories an answer used, and how they were found"
)
HELP: Final = Sentence(zh="能做什么", en="what I can do")
REMEMBER: Final = Sentence(zh="一字不差地记住", en="remember word for word")
EDIT: Final = Sentence(zh="改正一条", en="correct a memory")
PIN: Final = Sentence(zh="钉住，不让它淡忘", en="pin it, so that it does not fade")
UNPIN: Final = Sentence(zh="取下钉子", en="unpin it: it may fade again")
MERGE: Final = Sentence(zh="把说同一件事的合成一条", en="merge memories that say the same")
REINFORCE: Final = Sentence(zh="强化一条，看前后变化", en="reinforce it and show before and after")
SENSITIVITY: Final = Sentence(
    zh="改它有多私密（0 到 3，3 是锁起来）", en="how private it is (0 to 3; 3 seals it)"
)
HIDE: Final = Sentence(
    zh="放下：30 天内可以找回（要彻底抹去用 /forget）",
    en="hide it; it can be restored for 30 days (/forget erases)",
)
RESTORE: Final = Sentence(
    zh="找回放下、收起、缩短了的", en="restore what was hidden, put away or shortened"
)
CLEANUP: Final = Sentence(
    zh="现在就整理，先看后做", en="clean up now, not tonight (preview first)"
)
REBUILD: Final = Sentence(zh="重新找一遍记忆之间的联想", en="find the links between memories anew")
LAW: Final = Sentence(
    zh="按什么规律淡忘（先看会变什么）", en="the law by which I forget (preview first)"
)
MODE: Final = Sentence(zh="搜索时看哪些记忆", en="which memories a search looks at")
EDITED_AND_SEALED: Final = Sentence(
    zh="🔒 #{id} 改好了。里面有秘密，从现在起锁着。",
    en="🔒 #{id} is corrected; it tells a secret, so it is sealed from now on.",
)
PAUSE: Final = Sentence(zh="暂停记新的事", en="stop learning for now")
RESUME: Final = Sentence(zh="继续记新的事", en="continue learning")
NOTICE: Final = Sentence(
    zh="学到什么时，要不要轻轻说一声", en="whether I quietly say what I just learnt"
)
DIARY: Final = Sentence(
    zh="我的日记：有多少话、留多久、某一天说了什么",
    en="my diary: how much is in it, how long I keep it, what was said on a day",
)
A_DIARY: Final = Sentence(zh="日期、天数、留着或关", en="DATE, DAYS, keep or off")
RESET: Final = Sentence(
    zh="重新开始这段对话（记得的事都还在）", en="start this conversation over (memories stay)"
)
UNDO: Final = Sentence(zh="撤销上一步（我的或你的）", en="undo the last change")
ERASE: Final = Sentence(
    zh="彻底抹去，到处都不留（先看后做，没有撤销）",
    en="erase for good, everywhere (preview first, no undo)",
)
STOP: Final = Sentence(zh="停下正在说的回答", en="stop the answer under way")
AGAIN: Final = Sentence(zh="刚才那句重新回答", en="give the last answer anew")
PEOPLE: Final = Sentence(
    zh="谁想和我聊、让谁进来", en="who wants to talk with me; let somebody in or not"
)
A_DOOR: Final = Sentence(zh="让进|不让", en="in|out")
A_PERSON: Final = Sentence(zh="编号", en="ID")
STATUS: Final = Sentence(zh="渠道、队列、模型、今天的用量", en="channels, queues, model, tokens")
AGENTS: Final = Sentence(zh="有哪些记忆", en="which agents there are")
BACKUP: Final = Sentence(
    zh="把全部记忆另存一份，写完核对", en="make a verified backup of the whole memory"
)
RESTORE_BACKUP: Final = Sentence(
    zh="有哪些备份；回到某一份（先看会变什么）", en="list backups; go back to one (preview first)"
)
LIMITS: Final = Sentence(zh="每天的用量", en="tokens used each day")
CLOCK: Final = Sentence(
    zh="这台机器现在几点；我怀疑它的时候告诉我对不对",
    en="what time it is for me; say whether that is right when I doubt it",
)
A_VERDICT: Final = Sentence(zh="对|不对", en="right|wrong")

# The frame of /help.
TITLE: Final = Sentence(
    zh="你可以这样看、改、抹去我的记忆：", en="How to see, change and erase what I know:"
)
FIRST: Final = Sentence(zh="最常用", en="Most used")
FIRST_SEE: Final = Sentence(
    zh="看我记得什么，每条有编号", en="see what I remember, each with its id"
)
FIRST_CORRECT: Final = Sentence(zh="改正 3 号", en="correct memory 3")
FIRST_ERASE: Final = Sentence(
    zh="彻底抹去 3 号（先给你看，确认了才抹）", en="erase memory 3 for good (preview first)"
)
FIRST_UNDO: Final = Sentence(zh="上一步不算", en="undo the last step")
HINT: Final = Sentence(
    zh="一类里有哪些：/help 查看。一条怎么用：/help 命令，比如 /help list。",
    en="The commands of a topic: /help look. How one is used: /help COMMAND, as /help list.",
)
TOPIC: Final = Sentence(zh="分类", en="Topics")
COMMANDS: Final = Sentence(zh="有哪些命令", en="their commands")
ANSWERING: Final = Sentence(zh="回答", en="answers")
LOOKING: Final = Sentence(zh="查看", en="look")
STEERING: Final = Sentence(zh="改动", en="change")
ERASING: Final = Sentence(zh="抹去", en="erase")
BINDING: Final = Sentence(zh="账号", en="accounts")
OPERATING: Final = Sentence(zh="管理", en="operate")
DOES: Final = Sentence(zh="做什么", en="what it does")
ALSO: Final = Sentence(zh="也可以写：{names}", en="Also written: {names}")
EXAMPLE: Final = Sentence(zh="例子：{examples}", en="For example: {examples}")
UNKNOWN: Final = Sentence(
    zh="没有“{name}”这个命令。看看 /help。", en="There is no command “{name}”. See /help."
)
PERHAPS: Final = Sentence(
    zh="没有“{name}”。是不是 {names}？", en="There is no “{name}”. Did you mean {names}?"
)
NOT_ALLOWED: Final = Sentence(
    zh="在群里，只有管理员和主人能改我的记忆。你可以看，也可以抹去自己说过的话（/forget）。",
    en="In a group, only its admins and my owner may change what I know. You may look, and erase "
    "your own words (/forget).",
)
"""To a member of a group who would change what the group's memory holds."""

ONLY_OWNER: Final = Sentence(
    zh="这个只有主人能做，而且要在和我的私聊里。",
    en="Only my owner may do that, and in a private chat with me.",
)
IN_PRIVATE: Final = Sentence(
    zh="这个要在和我的私聊里做。", en="That is done in a private chat with me."
)
NO_SUCH: Final = Sentence(zh="没有 #{id} 这条记忆。", en="There is no memory #{id}.")

# What /memory settings and /memory law say of one setting.
SETTINGS: Final = Sentence(
    zh="所有能调的：规律的参数和其他（先看效果，可撤销）",
    en="everything that can be set, and what it is (effect first, undo after)",
)
A_PARAMETER: Final = Sentence(zh="参数", en="NAME")
A_VALUE: Final = Sentence(zh="值或 default", en="VALUE or default")
SETTING: Final = Sentence(zh="参数", en="name")
VALUE_NOW: Final = Sentence(zh="现在", en="now")
VALUE_THEN: Final = Sentence(zh="改后", en="then")
USUAL: Final = Sentence(zh="默认", en="default")
MAY_BE: Final = Sentence(zh="范围", en="range")
MEANS: Final = Sentence(zh="含义", en="meaning")
YOUR_SETTINGS: Final = Sentence(zh="能调的都在这里", en="What can be set")
SET_HOW: Final = Sentence(
    zh="改一个：/memory settings 参数 值；回到默认：把值写成 default。"
    "别的规律的参数：/memory settings {laws}",
    en="To change one: /memory settings NAME VALUE; to go back, VALUE is default. "
    "The parameters of a law: /memory settings {laws}",
)
PARAMETERS_OF: Final = Sentence(zh="“{law}”的参数", en="Parameters of {law}")
NO_SETTING: Final = Sentence(
    zh="没有“{name}”这个参数。是不是 {near}？全部：/memory settings",
    en="There is no setting {name}. Did you mean {near}? All of them: /memory settings",
)
NO_SETTING_AT_ALL: Final = Sentence(
    zh="没有“{name}”这条规律或参数。全部：/memory settings",
    en="There is no law or setting {name}. All of them: /memory settings",
)
NOT_IN_RANGE: Final = Sentence(
    zh="{name} 不能是“{value}”。可以是：{range}",
    en="{name} cannot be {value}. It may be: {range}",
)
NOT_IN_ORDER: Final = Sentence(
    zh="{low}（{low_value}）不能大于 {high}（{high_value}）：先改另一个。",
    en="{low} ({low_value}) may not exceed {high} ({high_value}): change the other one first.",
)
SET_ALREADY: Final = Sentence(zh="{name} 本来就是 {value}。", en="{name} is {value} already.")
SET_TO: Final = Sentence(
    zh="把 {name} 从 {before} 改成 {after}：", en="{name}: {before} → {after}"
)
IS_SET: Final = Sentence(
    zh="{name} 改成了 {value}（原来 {before}）。", en="{name} is now {value} (it was {before})."
)
ALL_USUAL: Final = Sentence(
    zh="“{law}”的参数都回到了默认。", en="All parameters of {law} are at their defaults again."
)
ALL_TO_USUAL: Final = Sentence(
    zh="“{law}”的参数全部回到默认：", en="All parameters of {law} back to their defaults:"
)
OTHER_LAW: Final = Sentence(
    zh="现在按“{now}”淡忘；要等换成“{law}”（/memory law {name}），它才起作用。",
    en="I forget by {now} now: it acts once you choose {law} (/memory law {name}).",
)
NO_CURVE: Final = Sentence(
    zh="单看时间，曲线不变；它管的是：{meaning}。",
    en="The curve over time stays the same. What it decides: {meaning}.",
)
EFFECT_ON: Final = Sentence(
    zh="{life}，{days} 天里还剩多少", en="{life}: how much is retained over {days} days"
)
BY_CYCLES: Final = Sentence(zh="每天一轮", en="one cycle a day")
ASKED_TO_KEEP: Final = Sentence(zh="明说要记的", en="asked to be kept")
LIKE_CHATTER: Final = Sentence(zh="像闲话的", en="like chatter")
LIKE_IT_MATTERS: Final = Sentence(zh="像要紧事的", en="like something that matters")
SURE: Final = Sentence(zh="有把握的", en="well confirmed")
ON_DAY_TEN: Final = Sentence(zh="第十天{event}", en="{event} on day ten")
HAPPENS_ASSOCIATED: Final = Sentence(zh="被联想到", en="brought up by a link")
HAPPENS_TOLD: Final = Sentence(zh="又说了三遍", en="told again three times")
HAPPENS_USED: Final = Sentence(zh="真的用上", en="really used")
HAPPENS_KEPT: Final = Sentence(zh="评审时留下", en="kept by a review")
HAPPENS_PROMOTED: Final = Sentence(zh="评审时记牢", en="kept for good by a review")
HAPPENS_NEGATED: Final = Sentence(zh="被否定", en="negated")
TOLD_AGAIN: Final = Sentence(zh="又提起", en="mentioned again")
GREW_SHORTER: Final = Sentence(zh="夜里缩短", en="shortened at night")
NIGHT_NOW: Final = Sentence(zh="照这样，今晚会：", en="With this, tonight would:")
CLOCK_SHOWS: Final = Sentence(zh="现在是", en="it is now")
ONLY_OURS: Final = Sentence(
    zh="只有“{law}”能按你的回忆拟合：/memory law {name} fit",
    en="Only {law} can be fitted to your own recall history: /memory law {name} fit",
)
FIT_TOO_FEW: Final = Sentence(
    zh="隔半天以上的回忆还只有 {count} 次，至少要 {fewest} 次才拟合。",
    en="So far {count} recollections came half a day or more after the one before; fitting needs "
    "{fewest}.",
)
FIT_NOT_INSTALLED: Final = Sentence(
    zh="拟合要先装上：pip install 'xiaoxiang[fit]'（需要 torch）。",
    en="To fit, install first: pip install 'xiaoxiang[fit]' (it needs torch).",
)
FIT_BROKEN: Final = Sentence(
    zh="这次没有拟合出结果，什么都没有改。", en="The fit came to no end; nothing was changed."
)
FIT_NO_BETTER: Final = Sentence(
    zh="拟合出来的并不更准（最近五分之一的回忆，对数损失 {now} → {then}），什么都没有改。",
    en="What was fitted forecasts no better (log-loss on the last fifth of your recollections: "
    "{now} → {then}); nothing was changed.",
)
FIT_BETTER: Final = Sentence(
    zh="按你的 {count} 次回忆拟合，最近五分之一预测得更准（对数损失 {now} → {then}）：",
    en="Fitted to {count} of your recollections, it forecasts the last fifth better "
    "(log-loss {now} → {then}):",
)
IS_FITTED: Final = Sentence(
    zh="“{law}”现在按你的回忆拟合。", en="{law} is fitted to your own recall history now."
)
SCORE_LEFT: Final = Sentence(zh="还剩 {left} 时，分数乘以", en="score at {left} left, times")

SINCE_START: Final = Sentence(zh="启动以来", en="since the start")
CALLS: Final = Sentence(zh="问了几次", en="calls")
CALLS_FAILED: Final = Sentence(zh="没成的", en="failed")
EACH_TOOK: Final = Sentence(zh="平均", en="each took")
CALLED_FOR: Final[dict[str, Sentence]] = {
    "answer": Sentence(zh="回答", en="answers"),
    "background": Sentence(zh="后台", en="background"),
}
"""What a model is called for, as :class:`bot.models.Models` counts it."""

GRAPH_MORE: Final = Sentence(
    zh="……还有 {count} 行。从一条看起：/memory graph 编号，或 /memory associations 编号",
    en="… {count} more lines. To begin at one: /memory graph #ID, or /memory associations #ID",
)

# What a command found as it was to become, or could not find.
PINNED_ALREADY: Final = Sentence(
    zh="#{id} 已经钉着了，什么也没有变。", en="#{id} is pinned already."
)
NOT_PINNED: Final = Sentence(zh="#{id} 没有钉着，什么也没有变。", en="#{id} is not pinned.")
NO_STEP_OF_THAT_NAME: Final = Sentence(
    zh="没有“{name}”这一步。/undo 撤销最近的一步，再早的一步一步撤。",
    en="“{name}” is no step. /undo takes back the last step, and then the one before it.",
)
SETTINGS_UNDONE: Final = Sentence(
    zh="撤销了“{what}”，设置和原来一模一样。",
    en="“{what}” is undone; the settings are exactly as before.",
)
LET_GO_COMES_BACK: Final = Sentence(
    zh="从那以后因此放下或缩短的 {count} 条也一起回来：",
    en="What was let go or shortened by it since then comes back with it: {count}",
)
LINKS_STAY_WEAK: Final = Sentence(
    zh="这期间变弱的联想不会跟着回来；要找回：/memory rebuild",
    en="Links that grew weaker meanwhile do not come back with it; to have them: /memory rebuild",
)
WHY_SAYS_NOTHING: Final = Sentence(
    zh="{when} 的那句回答没有说到记着的什么。",
    en="The answer at {when} says nothing of what I remember.",
)
WHY_GIVEN: Final = Sentence(
    zh="{when} 的那句回答，当时手边有：", en="For the answer at {when} I had at hand:"
)
WHY_AT_HAND: Final = Sentence(
    zh="手边还有，但没有说进回答里的：", en="Also at hand, but not said in the answer:"
)
FOUND_IN_TALK: Final = Sentence(zh="就在这次聊天里", en="from this talk")
SO_MANY_ANSWERS: Final = Sentence(
    zh="我只说得出最近 {count} 句的来由。", en="I can explain my last {count} answers only."
)
QUITE_ANOTHER: Final = Sentence(
    zh="#{id} 现在是“{before}”，和“{after}”说的不是一回事。真要改成这样吗？",
    en="#{id} says “{before}”, which has nothing in common with “{after}”. Change it to that?",
)
NAMED_ANEW: Final = Sentence(
    zh="还有 {count} 条记着这个名字的，也一起改了。",
    en="Corrected too, as they held the name: {count}.",
)
SPARED: Final = Sentence(
    zh="按“{law}”，敏感的事（敏感度 2 以上）不会放下，也不会缩短，数字再小也一样。",
    en="Under {law} what is sensitive (sensitivity 2 and above) is never put away or shortened, "
    "however small its numbers.",
)
STAYS_HERE: Final = Sentence(zh="不会忘", en="stays")
ONLY_NUMBERS: Final = Sentence(
    zh="其中 {count} 条的话没有变，只是记得多牢、联系这些回到当时。",
    en="Of these, {count} say the same; only how firm they are and the like goes back.",
)
