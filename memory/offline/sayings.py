"""The sentences of the offline mode, in Chinese and English; ``{…}`` are filled in.

Here and not in templates, because ``prompts`` words what a model is asked and this is an answer.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Sayings:
    """Every sentence and mark of the rule-based replies, in one language."""

    notice: str
    about: str
    forget: str
    will_note: str
    cannot_remind: str
    morning: str
    afternoon: str
    evening: str
    night: str
    greeting: str
    thanks: str
    farewell: str
    comfort: tuple[str, ...]
    joy: tuple[str, ...]
    listening: tuple[str, ...]
    heard: str
    pleased: str
    gently: str
    reminded: str
    cannot: str
    nothing_known: str
    nothing_then: str
    nothing_yet: str
    never: str
    anything: str
    just_now: str
    times: str
    earlier: str
    that_day: str
    last_time: str
    known: str
    formerly: str
    faded: str
    said_so: str
    dated: str
    today: str
    yesterday: str
    month_day: str
    full_date: str
    between: str
    opening: str
    closing: str
    stop: str
    comma: str


ZH: Final = Sayings(
    notice="（我现在是离线模式，没有接上语言模型：能记事、能翻找记忆，别的只会简单应几句。）",
    about=(
        "我是小祥，陪{partner}说话、替{partner}记事的。现在是离线模式"
        "，没有接上语言模型：你说的要紧事我会记下来"
        "，也能答“刚才聊了什么”“昨天聊了什么”“我喜欢什么”。接上模型以后，我就能好好聊天了。"
    ),
    forget="要忘掉什么，请用 /forget 加上那件事，我会先给{partner}看一遍再抹掉。",
    will_note="好的，我这就记下：{body}。",
    cannot_remind="我还不会到点提醒{partner}，这句话我记得，时间要紧的话请另外设个闹钟。",
    morning="早上好，{partner}。",
    afternoon="下午好，{partner}。",
    evening="晚上好，{partner}。",
    night="这么晚了还没睡呀，{partner}。",
    greeting="今天过得怎么样？",
    thanks="不客气，{partner}。",
    farewell="好的，{partner}，下次再聊。我都替你记着。",
    comfort=(
        "听起来真不容易，{partner}。愿意的话，多和我说说。",
        "辛苦了，{partner}。我在这儿听着。",
        "抱抱{partner}。先缓一缓，慢慢说。",
    ),
    joy=("真替{partner}高兴！", "太好了，{partner}，听着我也开心。"),
    listening=("嗯，我听着呢。", "我在听，{partner}，接着说。", "嗯嗯，这样啊。"),
    heard="原来{fact}呀。",
    pleased="很高兴认识你，{value}！",
    gently="我听到了，{partner}。愿意的话，可以慢慢跟我说。",
    reminded="这让我想起{when}的事：{what}。",
    cannot="这个我现在答不好：离线模式下我只会翻找记忆，不会查资料，也不想乱说。",
    nothing_known="这件事我没有记着，不想乱猜。{partner}告诉我，我就记下。",
    nothing_then="{when}的对话，我没有记着。",
    nothing_yet="刚才我们还没有聊别的呢。",
    anything="话",
    never="关于{topic}，我不记得我们聊过。",
    just_now="刚才（{when}）我们聊了{topics}。",
    times="{start} 到 {end}",
    earlier="刚才还没聊别的；上一回是{when} {clock}，聊了{topics}。",
    that_day="{when}我们聊了{topics}。",
    last_time="上次说到{topic}是{when} {clock}：{what}。",
    known="我记得：{what}。",
    formerly="以前{what}，后来变了",
    faded="这件事我只剩一点印象了（{what}），细节已经忘了。",
    said_so="{clock} 你说：{quote}。",
    dated="{what}（{when}）",
    today="今天",
    yesterday="昨天",
    month_day="{at.month}月{at.day}日",
    full_date="{at.year}年{at.month}月{at.day}日",
    between="、",
    opening="「",
    closing="」",
    stop="；",
    comma="，",
)

EN: Final = Sayings(
    notice=(
        "(I am in offline mode, without a language model: I can keep notes and look things up "
        "in my memory, and otherwise say only a little.)"
    ),
    about=(
        "I am Xiaoxiang: I keep {partner} company and keep notes. I am in offline mode now, "
        "without a language model: what matters I write down, and I can answer “what did we "
        "just talk about”, “what did we talk about yesterday” or “what do I like”. With a "
        "model connected I can really talk."
    ),
    forget=(
        "To make me forget something, send /forget with the matter; I will show it to you "
        "before I erase it."
    ),
    will_note="All right, I am noting it down: {body}.",
    cannot_remind="I cannot remind you at a time yet, {partner}. I keep what you said; please set"
    " an alarm as well if the time matters.",
    morning="Good morning, {partner}.",
    afternoon="Good afternoon, {partner}.",
    evening="Good evening, {partner}.",
    night="Still awake so late, {partner}?",
    greeting=" How is your day going?",
    thanks="You are welcome, {partner}.",
    farewell="All right, {partner}, talk to you next time. I will keep it all in mind.",
    comfort=(
        "That sounds hard, {partner}. Tell me more, if you like.",
        "You have been through a lot, {partner}. I am here, listening.",
        "I am sorry, {partner}. Take a breath, and take your time.",
    ),
    joy=("I am so happy for you, {partner}!", "That is wonderful, {partner}!"),
    listening=("I am listening.", "Go on, {partner}, I am listening.", "I see."),
    heard="So {fact}. Good to know. ",
    pleased="I am so glad to meet you, {value}! ",
    gently="I hear you, {partner}. Take your time, if you want to tell me more. ",
    reminded="That reminds me of {when}: {what}.",
    cannot=(
        "I cannot answer that well now: in offline mode I only look things up in my memory, "
        "and I would rather not make things up."
    ),
    nothing_known=(
        "I have nothing about that in my memory, and I do not want to guess. Tell me, and I "
        "will note it down."
    ),
    nothing_then="I remember nothing of what we said {when}.",
    nothing_yet="We have not talked about anything else just now.",
    anything="anything",
    never="I do not remember us talking about {topic}.",
    just_now="Just now ({when}) we talked about {topics}.",
    times="{start} to {end}",
    earlier="Nothing else just now; the last time was {when} {clock}, about {topics}.",
    that_day="{when} we talked about {topics}.",
    last_time="We last spoke of {topic} {when} {clock}: {what}.",
    known="I remember: {what}.",
    formerly="formerly {what}, which has changed since",
    faded="Only a trace of this is left to me ({what}); the details I have forgotten.",
    said_so="At {clock} you said: {quote}.",
    dated="{what} ({when})",
    today="today",
    yesterday="yesterday",
    month_day="on {at:%B} {at.day}",
    full_date="on {at:%B} {at.day}, {at.year}",
    between=", ",
    opening="“",
    closing="”",
    stop="; ",
    comma=", ",
)
