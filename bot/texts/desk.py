"""What the commands that look say: names of stored values, memories, reasons, pictures, status."""

from typing import Final

from bot.texts import Sentence

# Lists and pages.
NOTHING: Final = Sentence(zh="还没有记忆。", en="No memories yet.")
NOTHING_FOUND: Final = Sentence(
    zh="没有找到和“{query}”有关的记忆。", en="Nothing found for “{query}”."
)
LISTED: Final = Sentence(zh="{shown} / {total} 条记忆", en="{shown} of {total} memories")
PAGE_OF: Final = Sentence(zh="第 {page} / {pages} 页", en="page {page} of {pages}")
PREVIOUS_PAGE: Final = Sentence(zh="上一页", en="previous page")
NEXT_PAGE: Final = Sentence(zh="下一页", en="next page")
BEFORE: Final = Sentence(zh="以前：{text}", en="before: {text}")

# Names of values. They head the columns of tables, so they are as short as can be.
ID: Final = Sentence(zh="编号", en="id")
TEXT: Final = Sentence(zh="内容", en="memory")
PHRASE: Final = Sentence(zh="短语", en="phrase")
KEYWORDS: Final = Sentence(zh="关键词", en="keywords")
TIER: Final = Sentence(zh="层级", en="tier")
KIND: Final = Sentence(zh="类别", en="kind")
TOPIC: Final = Sentence(zh="主题", en="topic")
LEVEL: Final = Sentence(zh="留存", en="level")
STANDING: Final = Sentence(zh="状态", en="standing")
SENSITIVITY: Final = Sentence(zh="敏感度", en="sensitivity")
PINNED: Final = Sentence(zh="钉住", en="pinned")
VERIFIED: Final = Sentence(zh="确认过", en="confirmed")
MENTIONED: Final = Sentence(zh="提起次数", en="times mentioned")
WEIGHT: Final = Sentence(zh="权重", en="weight")
RETENTION: Final = Sentence(zh="保留", en="retention")
SINCE: Final = Sentence(zh="从", en="since")
CHANGED: Final = Sentence(zh="上次改动", en="last changed")
WHEN: Final = Sentence(zh="时间", en="when")
SPEAKER: Final = Sentence(zh="谁说的", en="who said it")
QUOTE: Final = Sentence(zh="原话", en="exact words")
SOURCES: Final = Sentence(zh="来自消息", en="source messages")
MESSAGES: Final = Sentence(zh="{count} 条消息", en="messages: {count}")
SCORE: Final = Sentence(zh="分数", en="score")
WHY: Final = Sentence(zh="为什么", en="why")
LINEAGE: Final = Sentence(zh="来历", en="lineage")
LAW: Final = Sentence(zh="遗忘规律", en="law")
WAS: Final = Sentence(zh="原来", en="before")
BECAME: Final = Sentence(zh="改成", en="after")

# Links and lineage of one memory.
LINKED_TO: Final = Sentence(zh="想到", en="linked to")
FORGOTTEN: Final = Sentence(zh="[曾记得] 已经忘了的事", en="[once known] something forgotten")
BRINGS_UP_NOTHING: Final = Sentence(
    zh="#{id} 还没有让我想到别的。", en="#{id} is not linked to anything yet."
)
MORE_LINKS: Final = Sentence(
    zh="……还有 {count} 条联系。从其中一条看起：/memory associations 编号",
    en="… {count} more links. To begin at one of these: /memory associations #ID",
)
STRENGTH_FIRST: Final = Sentence(
    zh="前面的数字是联系的强度，从 0 到 1。",
    en="The number in front is the strength of the link, from 0 to 1.",
)
REPLACES: Final = Sentence(zh="代替 #{id}", en="replaces #{id}")
REPLACED_BY: Final = Sentence(zh="被 #{id} 代替", en="replaced by #{id}")
DOUBTED_BY: Final = Sentence(zh="也许被 #{id} 代替", en="perhaps replaced by #{id}")
MERGED_FROM: Final = Sentence(zh="由 {ids} 合成", en="merged from {ids}")
MERGED_INTO: Final = Sentence(zh="并入 #{id}", en="merged into #{id}")
VALID_FROM: Final = Sentence(zh="从 {day} 起", en="from {day}")
VALID_UNTIL: Final = Sentence(zh="到 {day} 为止", en="until {day}")

# Words for stored values. A program is given the stored value instead, in every language.
SYSTEM: Final = Sentence(zh="系统", en="system")
CORE: Final = Sentence(zh="核心", en="core")
FACT: Final = Sentence(zh="事实", en="fact")
EPISODE: Final = Sentence(zh="情境", en="episode")
ENTITY: Final = Sentence(zh="名字", en="entity")
IDENTITY: Final = Sentence(zh="身份", en="identity")
LASTING_PREFERENCE: Final = Sentence(zh="长期喜好", en="lasting preference")
PASSING_PREFERENCE: Final = Sentence(zh="一时喜好", en="passing preference")
PLAIN_FACT: Final = Sentence(zh="事实", en="fact")
SKILL: Final = Sentence(zh="技能", en="skill")
LESSON: Final = Sentence(zh="经验", en="lesson")
TEMPORARY: Final = Sentence(zh="临时", en="temporary")
PREFERENCE: Final = Sentence(zh="偏好", en="preference")
PERSONAL: Final = Sentence(zh="个人", en="personal")
REMEMBERED: Final = Sentence(zh="回忆", en="memory")
PROMISE: Final = Sentence(zh="约定", en="promise")
FULL: Final = Sentence(zh="完整", en="full")
SUMMARY: Final = Sentence(zh="概要", en="summary")
TAG: Final = Sentence(zh="标签", en="tag")
TRACE: Final = Sentence(zh="痕迹", en="trace")
ACTIVE: Final = Sentence(zh="记得", en="active")
ARCHIVED: Final = Sentence(zh="收起", en="archived")
DELETED: Final = Sentence(zh="放下", en="hidden")
MERGED: Final = Sentence(zh="并入", en="merged")
PUBLIC: Final = Sentence(zh="0 公开", en="0 public")
ORDINARY: Final = Sentence(zh="1 一般", en="1 ordinary")
SENSITIVE: Final = Sentence(zh="2 敏感", en="2 sensitive")
SECRET: Final = Sentence(zh="3 机密", en="3 secret")
YES: Final = Sentence(zh="是", en="yes")
NO: Final = Sentence(zh="否", en="no")

# The stored name stands in brackets, because it is what /memory law is given.
# How much is retained, the events that change it, why two memories are linked.
FIRM: Final = Sentence(zh="牢固", en="firm")
FADING: Final = Sentence(zh="正在淡忘", en="fading")
ALMOST_GONE: Final = Sentence(zh="快忘了", en="almost gone")
EVENT_MANUAL: Final = Sentence(zh="复习", en="reviewed")
EVENT_SUCCESS: Final = Sentence(zh="说对", en="it was right")
EVENT_FAILURE: Final = Sentence(zh="说错", en="it was wrong")
EVENT_ACCESS: Final = Sentence(zh="用到", en="used")
LINK_KEYWORD: Final = Sentence(zh="同词", en="same words")
LINK_CO_TURN: Final = Sentence(zh="同时说起", en="said together")
LINK_ONE_STRETCH: Final = Sentence(zh="同一段聊天", en="in one stretch of talk")
LINK_USED_TOGETHER: Final = Sentence(zh="一起用到", en="used together")
LINK_SAME_DAY: Final = Sentence(zh="同一天", en="the same day")
LINK_TEMPORAL: Final = Sentence(zh="一天之内", en="within a day")
LINK_SEMANTIC: Final = Sentence(zh="意思相近", en="similar meaning")
LINK_SEQUENCE: Final = Sentence(zh="前后", en="one after the other")
LINK_FOCUS: Final = Sentence(zh="提到", en="mentions")
LINK_MENTIONED_IN: Final = Sentence(zh="见于", en="mentioned in")
# Forecasts. They promise no more than the law does while nothing happens.
STAYS: Final = Sentence(
    zh="按“{law}”，它不会自己淡忘。", en="Under {law} it does not fade by itself."
)
NOT_SOON: Final = Sentence(
    zh="按“{law}”，三年内不会因为时间淡忘。",
    en="Under {law} it will not fade by time alone within three years.",
)
FADES_AND_STAYS: Final = Sentence(
    zh="按“{law}”，没人提起的话：{fades} 开始淡忘，但不会自动放下或缩短。",
    en="Under {law}, if nothing happens, it starts to fade on {fades} but is never put away "
    "by itself.",
)
FADES_ON: Final = Sentence(
    zh="按“{law}”，没人提起的话：{fades} 开始淡忘，{ends} 放下或缩短。",
    en="Under {law}, if nothing happens, it starts to fade on {fades} and is put away or "
    "shortened on {ends}.",
)

# The overview, health and metrics of a whole memory.
OVERVIEW: Final = Sentence(
    zh="我记得 {count} 件事，{names} 个名字", en="Things I remember: {count}, names: {names}"
)
IN_FOCUS: Final = Sentence(zh="正在聊：{names}", en="Talking about: {names}")
SOON_GONE: Final = Sentence(zh="快要忘了的", en="About to be forgotten")
IS_PAUSED: Final = Sentence(
    zh="⏸ 现在暂停记新的事（/memory resume 恢复）。",
    en="⏸ Learning is paused (/memory resume continues it).",
)
HEALTH: Final = Sentence(zh="{count} 条记忆，最弱的在前", en="Memories, weakest first: {count}")
FADING_ONES: Final = Sentence(zh="{count} 条正在淡忘", en="{count} are fading")
HOLDS_STILL: Final = Sentence(zh="现在还是这样", en="it still holds")
DO_RESUME: Final = Sentence(zh="继续记", en="learn again")
NONE_SUCH: Final = Sentence(zh="没有这样的记忆。", en="There are no such memories.")
NOTHING_FADES: Final = Sentence(zh="没有正在淡忘的记忆。", en="Nothing is fading.")
METRICS: Final = Sentence(zh="七项指标", en="The seven metrics")
METRIC_COMPRESSED: Final = Sentence(zh="被动压缩次数", en="compressed by time")
METRIC_ACTIVATED: Final = Sentence(zh="主人激活次数", en="activated by the partner")
METRIC_NEGATED: Final = Sentence(zh="否定次数", en="negated")
METRIC_FREQUENT: Final = Sentence(zh="频繁强化次数", en="reinforced frequently")
METRIC_MERGED: Final = Sentence(zh="批量合并次数", en="merged in batches")
METRIC_AVERAGE: Final = Sentence(zh="平均权重", en="average weight")
METRIC_SPREAD: Final = Sentence(zh="权重分布", en="distribution of weights")

# Pictures and the timeline.
CURVE: Final = Sentence(
    zh="之后 {days} 天还剩多少", en="How much is retained over the next {days} days"
)
TODAY: Final = Sentence(zh="今天", en="today")
IN_DAYS: Final = Sentence(zh="{days} 天后", en="in {days} days")
NO_GRAPH: Final = Sentence(
    zh="现在没有正在聊的话题可以画。要画一条记忆周围的，写上编号：/memory graph #3",
    en="There is no current topic to draw. To draw what is linked to a memory, give its id: "
    "/memory graph #3",
)
TIMELINE: Final = Sentence(zh="发生过的 {count} 件事", en="Events: {count}")
HAPPENED: Final = Sentence(zh="事件", en="event")
TIMELINE_LEARNT: Final = Sentence(zh="记住了", en="learnt")
TIMELINE_TOLD: Final = Sentence(zh="主人让我记住", en="remembered on request")
TIMELINE_TALKED: Final = Sentence(zh="聊过", en="talked about")
TIMELINE_IMPORTED: Final = Sentence(zh="导入", en="imported")
TIMELINE_CORRECTED: Final = Sentence(zh="改正", en="corrected")
SALIENCE: Final = Sentence(zh="显著度", en="salience")
SALIENCE_REASONS: Final = Sentence(zh="显著度的理由：{reasons}", en="Why that salience: {reasons}")
SALIENCE_SIGNS: Final = {
    "self": Sentence(zh="你是谁", en="who you are"),
    "about": Sentence(zh="说的是你", en="about you"),
    "close": Sentence(zh="亲近的人", en="somebody close"),
    "health": Sentence(zh="健康", en="health"),
    "taste": Sentence(zh="喜好", en="a taste"),
    "habit": Sentence(zh="习惯、本领、家当", en="a habit, skill or possession"),
    "promise": Sentence(zh="约定", en="a promise"),
    "plan": Sentence(zh="打算", en="a plan"),
    "name": Sentence(zh="名字", en="a name"),
    "number": Sentence(zh="数字", en="a number"),
    "first_time": Sentence(zh="第一次", en="a first time"),
    "feeling": Sentence(zh="一时的心情", en="a passing feeling"),
    "question": Sentence(zh="是个问句", en="a question"),
    "correction": Sentence(zh="更正", en="a correction"),
    "mine": Sentence(zh="亲口说自己", en="said of oneself"),
    "length": Sentence(zh="篇幅", en="length"),
    "new": Sentence(zh="新鲜", en="new"),
    "answer": Sentence(zh="是个回答", en="an answer"),
    "asked": Sentence(zh="要我记住的", en="asked to be kept"),
    "time": Sentence(zh="说到时间", en="a time"),
    "past": Sentence(zh="做过的事", en="something done"),
    "other": Sentence(zh="说的是对方", en="said of the other"),
    "early": Sentence(zh="一开口就说", en="said at the beginning"),
}
TIMELINE_REVIEWED: Final = Sentence(zh="评审", en="reviewed")
DECISION_PROMOTE: Final = Sentence(zh="记牢", en="kept for good")
DECISION_KEEP: Final = Sentence(zh="留着", en="kept")
DECISION_DELETE: Final = Sentence(zh="放下", en="let go of")
DECIDED_BY_RULE: Final = Sentence(zh="按规则", en="by rule")
DECIDED_BY_PARTNER: Final = Sentence(zh="主人撤回了后台的决定", en="the decision was taken back")
TIMELINE_ARCHIVED: Final = Sentence(zh="收起", en="put away")
TIMELINE_HIDDEN: Final = Sentence(zh="主人让我放下", en="hidden by request")
TIMELINE_FORGOTTEN: Final = Sentence(zh="忘了", en="forgot")
TIMELINE_MERGED: Final = Sentence(zh="合并", en="merged")
TIMELINE_NEGATED: Final = Sentence(zh="不再如此", en="no longer true")
TIMELINE_WEIGHT: Final = Sentence(zh="权重变化", en="weight changed")
TIMELINE_NIGHT: Final = Sentence(zh="夜间整理", en="nightly run")
TIMELINE_ERASED: Final = Sentence(zh="彻底抹去", en="erased for good")
TIMELINE_SEALED: Final = Sentence(zh="锁起来", en="sealed")

# Receipts: /why.
WHY_TITLE: Final = Sentence(zh="{when} 的那句回答用到了：", en="The answer at {when} used:")
USED_NOTHING: Final = Sentence(zh="手边也没有记忆。", en="No memories were at hand.")
USED_AND_GONE: Final = Sentence(
    zh="手边另外的 {count} 条，这里列不出来。", en="Also at hand: {count}, not listed here."
)
NO_ANSWER_YET: Final = Sentence(
    zh="我还没有答过什么可以解释的话。", en="I have not given an answer yet that I could explain."
)
NOT_EXPLAINED: Final = Sentence(
    zh="这一条我解释不了：它不是我凭记忆答的话，或者太久了。",
    en="I cannot explain that message: it was not an answer from memory, or it is too old.",
)
SAID_AT: Final = Sentence(zh="#{id} 的原话：{link}", en="#{id} was said here: {link}")
SOURCE_LINK: Final = Sentence(zh="原话在", en="said here")
FOUND_BY: Final = Sentence(zh="怎么想起", en="how it was found")
LEARNT_FROM_IT: Final = Sentence(zh="从这句学到：{what}", en="Learnt from it: {what}")

# Buttons. A phone cuts off longer ones.
RIGHT: Final = Sentence(zh="对", en="right")
WRONG: Final = Sentence(zh="不对", en="wrong")
SEE_LIST: Final = Sentence(zh="看全部", en="see all")
SEE_FADING: Final = Sentence(zh="看正在淡忘的", en="see what is fading")
SEE_GRAPH: Final = Sentence(zh="看网络", en="see the network")
DO_RESTORE: Final = Sentence(zh="找回来", en="restore")
DO_PIN: Final = Sentence(zh="钉住", en="pin")
DO_UNPIN: Final = Sentence(zh="取下", en="unpin")
DO_HIDE: Final = Sentence(zh="放下", en="hide")
DO_ERASE: Final = Sentence(zh="彻底抹去", en="erase for good")
DO_KEEP: Final = Sentence(zh="记牢 #{id}", en="keep #{id}")
DO_LET_GO: Final = Sentence(zh="让它去 #{id}", en="let #{id} go")
MISSED_SOON: Final = Sentence(
    zh="快忘了、可能还用得着的：#{id} “{text}”，另外还有 {others} 条。",
    en="About to be forgotten though it may matter: #{id} “{text}”, and {others} more.",
)
MISSED_SOON_ONE: Final = Sentence(
    zh="快忘了、可能还用得着的：#{id} “{text}”。",
    en="About to be forgotten though it may matter: #{id} “{text}”.",
)
NOTHING_MISSED: Final = Sentence(
    zh="没有要紧的事快要忘了。", en="Nothing that may matter is about to be forgotten."
)

RECALLS_NOTHING: Final = Sentence(zh="什么都没想起来。", en="Nothing comes to mind.")

# Arguments that cannot be understood.
MISSING: Final = Sentence(zh="还差：{what}。", en="Missing: {what}.")
NOT_UNDERSTOOD: Final = Sentence(zh="不明白“{what}”。", en="I do not understand “{what}”.")
WRITE_IT: Final = Sentence(zh="这样写：{usage}", en="Usage: {usage}")
ONLY_LOOKING: Final = Sentence(zh="这里只能看，不能改。", en="Memory is read-only here.")

# Why a memory was found, and what was learnt from a turn.
FOUND_WORD: Final = Sentence(zh="词“{what}”", en="word “{what}”")
FOUND_CHARACTER: Final = Sentence(zh="说的是同一件事", en="about the same matter")
FOUND_COSINE: Final = Sentence(zh="意思相近，{what}", en="near in meaning, {what}")
FOUND_DATE: Final = Sentence(zh="日期“{what}”", en="date “{what}”")
FOUND_SPEAKER: Final = Sentence(zh="说话的人“{what}”", en="speaker “{what}”")
FOUND_PATH: Final = Sentence(zh="由 {what} 想到", en="via {what}")
FOUND_BESIDE: Final = Sentence(zh="前后说起，{what}", en="said next to it, {what}")
FOUND_DEEP: Final = Sentence(zh="翻日记找到的", en="looked up in the diary")
IN_THE_DIARY: Final = Sentence(
    zh="日记里，前后是这么说的：", en="In the diary, with what was said around it:"
)
IN_DIARY: Final = Sentence(zh="日记", en="diary")
LEARNT_REVIVED: Final = Sentence(zh="想起来了 {ids}", en="came back {ids}")
LEARNT_RESTS: Final = Sentence(zh="按你说的让它歇着 {ids}", en="at rest again, as told {ids}")
LEARNT_ADDED: Final = Sentence(zh="记住 {ids}", en="learnt {ids}")
LEARNT_AS_TOLD: Final = Sentence(zh="按你说的记住 {ids}", en="remembered as told {ids}")
LEARNT_UPDATED: Final = Sentence(zh="更新 {ids}", en="updated {ids}")
LEARNT_BOOSTED: Final = Sentence(zh="用到并记牢 {ids}", en="used and reinforced {ids}")
LEARNT_MENTIONED: Final = Sentence(zh="又提起 {ids}", en="mentioned again {ids}")
LEARNT_UNSAID: Final = Sentence(zh="不当真 {ids}", en="not meant {ids}")
LEARNT_SEALED: Final = Sentence(zh="封存 {ids}", en="sealed {ids}")
LEARNT_DELETED: Final = Sentence(zh="放下 {ids}", en="put away {ids}")
LEARNT_NEGATED: Final = Sentence(zh="不再如此 {ids}", en="no longer true {ids}")
LEARNT_MERGED: Final = Sentence(zh="合并 {ids}", en="merged {ids}")

# The picture of the network.
GRAPH_AROUND: Final = Sentence(zh="“{name}”让我想起的", en="What “{name}” brings to mind")
GRAPH_TALKED_ABOUT: Final = Sentence(zh="我们正在聊的", en="What we are talking about")
GRAPH_NOW: Final = Sentence(zh="此刻", en="now")
GRAPH_EMPTY: Final = Sentence(zh="这里还没有可以画的记忆", en="There is nothing to draw yet")
GRAPH_ONCE_KNOWN: Final = Sentence(zh="曾记得", en="once known")
GRAPH_STRONGER: Final = Sentence(zh="线越粗，联系越紧", en="thicker line, closer link")

# The state of the program, for its operator.
STATUS: Final = Sentence(zh="运行状态", en="Status")
MODEL: Final = Sentence(zh="语言模型", en="model")
OFFLINE: Final = Sentence(zh="离线（按规则）", en="offline (by rule)")
WORKER = Sentence(zh="这个工作进程", en="This worker")
WORKER_OWNS = Sentence(
    zh="第 {worker} 号，手里 {agents} 段记忆", en="{worker}, owns {agents} memories"
)
TOKENS_TODAY: Final = Sentence(zh="今天用掉的 token", en="tokens today")
DAILY_LIMIT: Final = Sentence(zh="每日上限", en="daily limit")
NO_LIMIT: Final = Sentence(zh="没有上限", en="none")
WAITING_TURNS: Final = Sentence(zh="等着学的对话", en="turns to learn from")
BACKGROUND_TASKS: Final = Sentence(zh="后台任务", en="background tasks")
FAILED_WORK: Final = Sentence(zh="没做成的任务（夜里再试）", en="failed, tried at night")
STAYS_SHUT: Final = Sentence(zh="（打不开：{why}）", en="(does not open: {why})")
SHUT: Final = Sentence(zh="打不开的封存", en="sealed, shut")
SHUT_COUNT: Final = Sentence(
    zh="{count} 条：封存它们的钥匙不在 → xiaoxiang doctor",
    en="{count}: the key they were sealed with is not there → xiaoxiang doctor",
)
CLOCK: Final = Sentence(zh="时钟", en="clock")
CLOCK_NOW: Final = Sentence(zh="我这里现在是 {now}。", en="For me it is {now}.")
CLOCK_TRUSTED: Final = Sentence(zh="没有理由怀疑它。", en="I have no reason to doubt that.")
CLOCK_MOVED: Final = Sentence(
    zh="运行的时候，时钟突然跳了两天以上",
    en="it jumped by more than two days while I was running",
)
CLOCK_PLATFORM: Final = Sentence(
    zh="聊天平台说的时间和它差了两天以上",
    en="the chat platform tells a time more than two days away",
)
CLOCK_GAP: Final = Sentence(
    zh="离我上次运行过了四百多天",
    en="more than 400 days have passed since I last ran",
)
CLOCK_WAITING: Final = Sentence(
    zh="所以我先不忘记、也不清理任何东西，直到弄清楚，或者就这样再运行满七天（已经 {days} 天）。",
    en="Until that is settled, or I have run for seven days like this ({days} so far), I forget"
    " and purge nothing.",
)
CLOCK_QUESTION: Final = Sentence(
    zh="我这里的时间是 {now}，可离我上次运行已经过了四百多天。现在真的是 {year} 年吗？"
    "在你告诉我之前，我什么都不忘。",
    en="My clock says {now}, but more than 400 days have passed since I last ran."
    " Is it really {year}? Until you tell me, I forget nothing.",
)
CLOCK_RIGHT: Final = Sentence(zh="对，是 {year} 年", en="Yes, it is {year}")
CLOCK_WRONG: Final = Sentence(zh="不对", en="No")
CLOCK_CONFIRMED: Final = Sentence(
    zh="好，我按 {now} 算。夜里的整理会照常进行。",
    en="Good, I go by {now}. The nights are lived through as usual.",
)
CLOCK_TO_BE_SET: Final = Sentence(
    zh="那就什么都不动。请把这台机器的时间调对，然后重新启动我。",
    en="Then I leave everything as it is. Please set this machine's clock, then start me again.",
)
LAST_NIGHT: Final = Sentence(zh="上次夜间整理", en="last nightly run")
CHANNEL: Final = Sentence(zh="渠道", en="channel")
RECEIVES: Final = Sentence(zh="接收", en="receiving")
HEALTH_STARTING: Final = Sentence(zh="正在连接", en="connecting")
HEALTH_WELL: Final = Sentence(zh="正常", en="fine")
HEALTH_TROUBLED: Final = Sentence(zh="收不到", en="not receiving")
HEALTH_STOPPED: Final = Sentence(zh="停了", en="stopped")
HEALTH_SINCE: Final = Sentence(zh="{when} 起", en="since {when}")
UNREACHABLE: Final = Sentence(zh="连不上", en="unreachable")
CONFLICT: Final = Sentence(zh="另一个程序在用同一个机器人", en="another program uses this bot")
RATE_LIMITED: Final = Sentence(zh="对方要求稍等", en="rate limited")
TOKEN_REFUSED: Final = Sentence(zh="令牌（token）无效", en="the token is not valid")
LAST_ACTIVITY: Final = Sentence(zh="最近一次", en="last message")
QUEUE_WAITING: Final = Sentence(zh="等着", en="waiting")
QUEUE_FAILED: Final = Sentence(zh="失败", en="failed")
QUEUE_OWED: Final = Sentence(zh="没发出去", en="unsent")
AGENTS: Final = Sentence(zh="{count} 个记忆", en="Agents: {count}")
AGENT: Final = Sentence(zh="记忆", en="agent")
KNOWS: Final = Sentence(zh="记得几条", en="memories")
CACHED: Final = Sentence(
    zh="启动以来，模型服务从缓存里读了 {cached} 个 token（提示词的 {share}%）。",
    en="Since the start the model's server read {cached} tokens from its cache "
    "({share} % of the prompts).",
)
JUDGING: Final = Sentence(zh="后台判断", en="judging")
JUDGED: Final = Sentence(
    zh="最近 50 轮：采纳 {kept}，不能采纳 {refused}，读不懂 {unreadable}",
    en="last 50 turns: {kept} kept, {refused} refused, {unreadable} unreadable",
)
LIMITS: Final = Sentence(zh="每天的用量（上限：{limit}）", en="Tokens per day (limit: {limit})")
