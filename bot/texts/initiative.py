"""What she says when she begins, asks whether she may, and shows what she has in mind."""

from typing import Final

from bot.texts import Sentence
from memory.offline.vocabulary import MAY_I_BEGIN

# The command.
INITIATIVE: Final = Sentence(
    zh="看我惦记着什么，让我主动或不主动找你",
    en="what I have in mind; let me write first, or not",
)
A_WISH: Final = Sentence(zh="做什么 编号", en="WHAT NUMBER")

# Whether she may.
MAY_I: Final = Sentence(zh=MAY_I_BEGIN["zh"], en=MAY_I_BEGIN["en"])
YES_YOU_MAY: Final = Sentence(zh="可以", en="Yes, do")
NO_YOU_MAY_NOT: Final = Sentence(zh="不用", en="No")
WILL_BEGIN: Final = Sentence(
    zh="好，那我偶尔会主动找你。一天最多两次，{begin} 点到 {end} 点不打扰；不想要了，"
    "说“别主动找我”就行。/initiative 看我惦记着什么。",
    en="All right, I will write first now and then: twice a day at most, and never between "
    "{begin}:00 and {end}:00. Say “leave me alone” and I stop. /initiative shows what I have in "
    "mind.",
)
WILL_NOT_BEGIN: Final = Sentence(
    zh="好，我不主动找你了。你随时可以来找我；你让我提醒的事，到点照样提醒。",
    en="All right, I will not write first. I am here whenever you write; what you asked to be "
    "reminded of still comes at its hour.",
)
RATHER_NOT: Final = Sentence(zh="还是不用了", en="Rather not")
RATHER_DO: Final = Sentence(zh="还是可以找我", en="You may after all")
ONCE_ONLY: Final = Sentence(
    zh="（这是我第一次主动找你。不想要就说“别主动找我”。）",
    en="(This is the first time I write first. If you would rather not, say “leave me alone”.)",
)

# She begins.
WHEN: Final[dict[str, Sentence]] = {
    "today": Sentence(zh="今天", en="today"),
    "yesterday": Sentence(zh="昨天", en="yesterday"),
    "tomorrow": Sentence(zh="明天", en="tomorrow"),
    "then": Sentence(zh="那天", en="that day"),
}
FOLLOW_UP: Final[dict[str, Sentence]] = {
    "interview": Sentence(zh="{day}的{what}怎么样，还顺利吗？", en="How did the {what} go {day}?"),
    "exam": Sentence(zh="{day}的{what}怎么样，感觉还行吗？", en="How did the {what} go {day}?"),
    "health": Sentence(
        zh="{day}那件事还顺利吗？身体感觉怎么样？",
        en="Did it all go well {day}? How are you feeling?",
    ),
    "stage": Sentence(zh="{day}的{what}怎么样？", en="How did the {what} go {day}?"),
    "match": Sentence(
        zh="{day}的{what}怎么样？说来听听。", en="How was the {what} {day}? Tell me about it."
    ),
    "move": Sentence(
        zh="{day}搬家还顺利吗？累坏了吧？", en="How did the move go {day}? You must be tired."
    ),
    "wedding": Sentence(zh="{day}的{what}怎么样？", en="How was the {what} {day}?"),
    "meeting": Sentence(
        zh="{day}怎么样，开心吗？", en="How was it {day}, did you have a good time?"
    ),
    "result": Sentence(zh="结果出来了吗？怎么样？", en="Are the results in yet?"),
    "first_day": Sentence(
        zh="第一天怎么样，还适应吗？", en="How was the first day? Settling in all right?"
    ),
    "trip": Sentence(zh="{day}路上还顺利吗？", en="How was the journey {day}?"),
    "illness": Sentence(zh="今天身体好些了吗？", en="Are you feeling better today?"),
}
OF_ANOTHER: Final = Sentence(
    zh="你跟我说过：“{text}”。后来怎么样了？",
    en="You told me: “{text}” How did it go for them?",
)
PROMISE: Final = Sentence(
    zh="你说过：“{text}”。{day}就到时候了，别忘了哦。",
    en="You told me: “{text}” It is due {day}; just so that it does not slip.",
)
PROMISE_OF_HERS: Final = Sentence(
    zh="我答应过你：“{text}”。现在方便吗？", en="I said: “{text}” Is now a good time?"
)
DAY: Final[dict[str, Sentence]] = {
    "own_birthday": Sentence(
        zh="生日快乐！🎂 愿你这一岁都顺顺心心。",
        en="Happy birthday! 🎂 May it be a good year for you.",
    ),
    "birthday": Sentence(
        zh="今天是{what}，记得送上祝福。", en="Today is {what}. Do send your good wishes."
    ),
    "anniversary": Sentence(
        zh="今天是{what}，祝你们开心。", en="Today is {what}. Have a lovely day."
    ),
    "year_ago": Sentence(
        zh="去年今天你说过：“{text}”。一晃一年了，现在呢？",
        en="A year ago today you told me: “{text}” And now, a year later?",
    ),
}
REVIEW: Final = Sentence(
    zh="你以前跟我说过：“{text}”。现在还是这样吗？",
    en="You once told me: “{text}” Is that still so?",
)
QUIET: Final = Sentence(
    zh="最近怎么样？不急着回，有空的时候想聊就聊。",
    en="How have you been? No hurry at all; whenever you feel like talking.",
)
SOMETHING: Final = Sentence(
    zh="有件你说过的事，我还放在心上。旁边没人的时候点开看看。",
    en="There is something you told me that I have kept in mind. Open it when you are alone.",
)
OPEN: Final = Sentence(zh="看看是什么", en="Show me")
STILL_SO: Final = Sentence(zh="还是这样", en="Still so")
NO_LONGER: Final = Sentence(zh="不是了", en="No longer")
FORGET_IT: Final = Sentence(zh="忘掉它", en="Forget it")
IS_STILL_SO: Final = Sentence(zh="好，我记牢了。", en="Good, I will keep that in mind.")
IS_NO_LONGER: Final = Sentence(
    zh="好，那是以前的事了，我改过来了。", en="All right, that is in the past now."
)

# Why she began.
WHY: Final = Sentence(
    zh="我主动提起，是因为你在 {when} 说过：“{text}”",
    en="I asked because on {when} you said: “{text}”",
)
WHY_HERS: Final = Sentence(
    zh="我主动提起，是因为我在 {when} 答应过：“{text}”",
    en="I asked because on {when} I said: “{text}”",
)
WHY_QUIET: Final = Sentence(
    zh="我主动问一声，是因为从 {when} 起你没再来过。",
    en="I wrote because I had not heard from you since {when}.",
)

# The desk.
TITLE: Final = Sentence(zh="我惦记着的事", en="What I have in mind")
MAY: Final = Sentence(
    zh="现在：可以主动找你。一天最多两次，安静时间 {begin}–{end} 点。",
    en="Now: I may write first, twice a day at most, quiet from {begin}:00 to {end}:00.",
)
MAY_NOT: Final = Sentence(
    zh="现在：不主动找你，要你说可以才会。下面这些我只是记着。",
    en="Now: I do not write first unless you say that I may. These I only keep in mind.",
)
SILENT: Final = Sentence(
    zh="最近 {count} 条你都没回，等你先开口，我再主动找你。",
    en="You did not answer the last {count}, so I wait until you write.",
)
NOTHING: Final = Sentence(zh="眼下没有惦记着什么。", en="There is nothing at the moment.")
EARLIEST: Final = Sentence(zh="最早", en="NOT BEFORE")
KIND: Final = Sentence(zh="类别", en="KIND")
BECAUSE: Final = Sentence(zh="因为", en="BECAUSE")
SAID_ON: Final = Sentence(zh="{when} 说过：{text}", en="{when}: {text}")
SILENCE_SINCE: Final = Sentence(zh="{when} 起没聊过", en="nothing since {when}")
KINDS: Final[dict[str, Sentence]] = {
    "follow_up": Sentence(zh="后续", en="follow-up"),
    "promise": Sentence(zh="约定", en="promise"),
    "day": Sentence(zh="日子", en="day"),
    "review": Sentence(zh="核对", en="review"),
    "quiet": Sentence(zh="问候", en="quiet"),
}
MEANINGS: Final[dict[str, Sentence]] = {
    "follow_up": Sentence(zh="事后问问怎么样了", en="ask how it went"),
    "promise": Sentence(zh="说好的事快到了，提一句", en="before something is due"),
    "day": Sentence(zh="生日、纪念日、去年今天", en="birthdays, anniversaries, a year ago today"),
    "review": Sentence(zh="快淡忘的要紧事，问还是不是", en="whether what fades is still so"),
    "quiet": Sentence(zh="几天没聊，问候一声", en="one line after days of silence"),
}
ON: Final = Sentence(zh="开", en="on")
OFF: Final = Sentence(zh="关", en="off")
HOW: Final = Sentence(
    zh="/主动 开 · /主动 关 · /主动 停 3 · /主动 核对 关 · /主动 安静 23-8",
    en="/initiative on · /initiative off · /initiative stop 3 · /initiative review off · "
    "/initiative quiet 23-8",
)
SWITCH_ON: Final = Sentence(zh="可以主动找我", en="You may write first")
SWITCH_OFF: Final = Sentence(zh="别主动找我", en="Do not write first")
STOPPED: Final = Sentence(
    zh="好，不提了：{what}。", en="All right, I will not bring it up: {what}."
)
KIND_ON: Final = Sentence(zh="“{kind}”开了：{meaning}。", en="“{kind}” is on: {meaning}.")
KIND_OFF: Final = Sentence(zh="“{kind}”关了：{meaning}。", en="“{kind}” is off: {meaning}.")
QUIET_SET: Final = Sentence(
    zh="好，{begin} 点到 {end} 点不主动找你。",
    en="All right, I will not write first between {begin}:00 and {end}:00.",
)
QUIET_TOLD: Final = Sentence(
    zh="好，{begin} 点到 {end} 点不主动找你（你让我提醒的事照样到点提醒）；要改就说，"
    "或用 /主动 安静 {begin}-{end}。",
    en="All right, I will not write first between {begin}:00 and {end}:00 (what you asked to be "
    "reminded of still comes at its hour). To change that, say so, or use "
    "/initiative quiet {begin}-{end}.",
)
NO_QUIET: Final = Sentence(
    zh="好，没有安静时间了：什么钟点都可能主动找你。",
    en="All right, there are no quiet hours any more: I may write first at any hour.",
)
BAD_HOURS: Final = Sentence(
    zh="安静时间写成两个整点，比如 /主动 安静 23-8。",
    en="Write quiet hours as two full hours: /initiative quiet 23-8.",
)
NOT_THERE: Final = Sentence(
    zh="没有 #{which} 这一条。/主动 看全部。", en="There is no #{which}; see /initiative."
)
NOT_KNOWN: Final = Sentence(zh="没看懂。{how}", en="I did not understand that. {how}")
