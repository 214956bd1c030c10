"""Reading what a line wants of her: the intent decides the reply of the offline mode."""

import re
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from memory.offline.harms import asks_memory_of_harm
from memory.offline.questions import ASKS_TO_TELL, asks_for_her_words, may_ask_for_her_words
from memory.offline.statements import QUOTED
from memory.offline.vocabulary import content_words, is_question
from memory.offline.warmth import ASKED_FOR, LISTENING, TO_HER, occasion_of
from memory.recall.query_terms import ASKS_PLANS
from memory.text.matters import likely_asks
from memory.text.requests import asks_for_reminder, requested_text


@dataclass(frozen=True, slots=True)
class AsksToRemember:
    """Asks to have ``body`` remembered."""

    body: str


@dataclass(frozen=True, slots=True)
class AsksReminder:
    """Asks to be reminded at a time."""


@dataclass(frozen=True, slots=True)
class AsksWhoSheIs:
    """Asks who she is, or what she can do."""


@dataclass(frozen=True, slots=True)
class AsksRecentTalk:
    """Asks what was being talked about."""


@dataclass(frozen=True, slots=True)
class AsksPastTalk:
    """Asks what was talked about at the time the question names."""


@dataclass(frozen=True, slots=True)
class AsksLastTime:
    """Asks when something was last spoken of; ``topic`` are its words."""

    topic: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AsksMemory:
    """Asks something a memory may answer, of the partner or of what was said.

    Not ``surely``, where no rule says that it asks at all: it may tell something.
    """

    surely: bool = True


@dataclass(frozen=True, slots=True)
class AsksWorld:
    """Asks something no memory answers; not ``plainly``, if one may after all, or ``surely``."""

    plainly: bool = True
    surely: bool = True


@dataclass(frozen=True, slots=True)
class AsksAdvice:
    """Asks what to do about something of one's own: 我该不该辞职, should I call him."""


@dataclass(frozen=True, slots=True)
class SaysHello:
    """Says hello."""


@dataclass(frozen=True, slots=True)
class TellsSomething:
    """Tells something; ``occasion`` is what kind (:func:`memory.offline.warmth.occasion_of`)."""

    occasion: str


Intent: TypeAlias = (
    AsksToRemember
    | AsksReminder
    | AsksWhoSheIs
    | AsksRecentTalk
    | AsksPastTalk
    | AsksLastTime
    | AsksMemory
    | AsksWorld
    | AsksAdvice
    | SaysHello
    | TellsSomething
)

_LONGEST: Final = 2_000

_I: Final = re.IGNORECASE

_WHO: Final = re.compile(
    r"你(?:叫什么|是谁|是什么(?!时候)|会(?:做|干)?什么|能(?:做|干)什么|有什么(?:功能|本事)"
    r"|是(?:真?人(?:吗|还是)|机器|ai)|叫啥|是真的吗"
    r"|(?:真的?)?(?:能|会|可以)(?:真的)?记(?:住|得)(?:我说的|我的话|多久|东西|事情?|什么)[^，,。]{0,4}(?:吗|么|[?？]))"
    r"|\bcan you (?:actually |really )?remember (?:stuff|things|anything|what i (?:say|tell))\b"
    r"|\b(?:who are you|what are you(?! (?:up to|doing))|what(?:'s| is) your name|what can you do"
    r"|are you (?:real|human|an? (?:bot|robot|ai|person|human|machine|real person)))\b",
    _I,
)

_TALK: Final = re.compile(
    r"(?:聊|谈|说|讲|提)(?:了|过|到|的是|的)*(?:些|哪些|什么|啥|哪)|(?:聊|谈"
    r"|说)过?.{0,4}(?:话题|内容|事)|(?:说|聊)到哪"
    r"|\b(?:what (?:did|were|have) (?:we|i|you) (?:just )?(?:talk|discuss|say|said"
    r"|tell|told|chat|speak|been talking|talking)|what we talked)",
    _I,
)

_AT_A_LOSS: Final = re.compile(
    r"(?:不知道|不晓得|没|不想)[^，,。]{0,4}(?:聊|谈|说|讲)|[想要](?:跟|和|对)你(?:说|讲|聊)"
    r"|\b(?:not sure|don['’]?t know|no idea) what\b|\bto (?:tell|talk to) you\b",
    _I,
)
"""不知道说啥 asks for nothing that was said; who has much to tell tells it."""

_SAID_WHAT: Final = re.compile(
    r"(?:我|你)(?:[昨前今]天|[早晚]上|上周.?|都|跟你|和你|跟我|和我|对你){0,3}(?:说|讲|聊|提)(?:了|过|的是)?(?:些|点|哪些)?(?:什么|啥)(?:话|事|来着|了)?[?？。]*$"
)
"""我昨天说了什么, but not 我说过我喜欢什么."""

_NOW: Final = re.compile(r"刚才|刚刚|方才|\b(?:just now|just|a moment ago|so far)\b", _I)

_WHEN: Final = re.compile(
    r"(?:上次|最近一次|上一次|上回|最后一次).*[聊说提谈讲](?!明|服).*(?:什么时候|何时|哪[天日]|几号|多久)|(?:什么时候"
    r"|哪天|几号|何时).*(?:聊|说|提|谈|讲)过?|(?:聊|说|提|谈|讲)(?:到|过|起).*(?:什么时候|哪天"
    r"|几号|何时)"
    r"|\bwhen (?:did (?:we|i) (?:last )?(?:talk|speak|mention|discuss|tell you|chat)"
    r"|was the last time (?:we|i) (?:talked|spoke|mentioned|discussed|told you|chatted))"
    r"|\bwhen .*\b(?:talk|speak|mention|discuss)\w*.* last\b"
    r"|\blast time (?:we|i) (?:talked|spoke|mentioned|discussed|told you|chatted)\b",
    _I,
)

_TOPIC: Final = re.compile(
    r"(?:聊|说|提|谈|讲)(?:到|起|过|了)*(?P<a>[^，,。？?]{1,16}?)(?:的事情?|的时候)?(?:是|在)?"
    r"(?:什么时候|何时|哪[天日]|几号|多久)"
    r"|(?:什么时候|何时|哪[天日]|几号)(?:聊|说|提|谈|讲)(?:到|起|过|了)*(?P<b>[^，,。？?]{1,16}?)[的了吗]*[。？?]*$"
    r"|\b(?:talk(?:ed)?|speak|spoke|mention(?:ed)?|discuss(?:ed)?)(?: about| of)? (?P<c>[^?.,]+)"
    r"|\blast time (?:we|i) (?P<d>[^?.,]{2,40})",
    _I,
)

_ABOUT_ME: Final = re.compile(
    r"我.*(?:[吗么呢?？]|[不没]\W*$|什么|啥|哪|谁|多[少大久高]|几|怎么|为什么|干嘛|对吧)|(?:记得|知道|记不记得|记着"
    r"|想得起).*(?:吗|么|不|[?？])|你.{0,6}(?:推荐|给我|告诉|教|分享)过|我们.*[?？]"
    r"|\b(?:do|did|am|was|have|were|can|should|will)(?:n['’]t)? (?:i|we)\b"
    r"|\b(?:my|mine)\b.*\?|\bwho am i\b"
    r"|\bI (?:once |have |had )?(?:\w+ed|told|gave|went|said|saw|did|made|read)\b.*\?"
    r"|\bI\b.*\b(?:right|correct)\?|\bdo you remember\b|\bdo you know\b.*\b(?:i|my|me|we|our)\b"
    r"|^(?:\w+[, ]+)?(?:wh\w+|how)\b.*\b(?:i|my|me|we|our)\b",
    _I,
)

# One's own life, though no 我 says so: 妈妈生日是什么时候, 大伟是做什么的, when is the dentist.
_OF_LIFE: Final = re.compile(
    r"^谁|(?:今天|明天|后天|[这下]周|下个?月|周末|最近).*(?:有什么|干嘛|安排|计划|要做|有事)"
    r"|[爸妈爷奶哥姐弟妹娃]|婆婆|公公|岳[父母]|丈母娘|宝宝|母亲|父亲|外[公婆]|姥|老[公婆板]|[妻儿女]子?|孩子|[男女]友|朋友|同[事学]|室友|闺蜜|邻居"
    r"|[猫狗]|生日|纪念日|家里|[\u4e00-\u9fff]{1,3}(?:是做什么|叫什么|在哪|几岁|多大|喜欢什么|住哪)"
    r"|(?:推荐|说|提|去|看|聊|买|吃|送|借|教|约)过|(?:什么时候|哪天|几点|几号)(?:去|看|考|面|回|搬|见|到|走|出|开)"
    r"|\bwhat happened\b"
    r"|\b(?:mom|mum|mother|dad|father|sister|brother|wife|husband|partner|son|daughter|kids?"
    r"|friend"
    r"|roommate|boss|colleague|cat|dog|birthday|anniversary|dentist|appointment|interview"
    r"|wedding)\b",
    _I,
)

_OF_WORLD: Final = re.compile(
    r"首都|定义|什么意思|(?:怎么|如何)(?:写|算|翻译|安装|用|做(?!的))|翻译|公式|新闻|股价|汇率|发明|解释|帮我[写算查]"
    r"|天气预报|原理|历史上|世界上|是哪一?年(?:建|成立|发生)|等于几"
    r"|\b(?:capital of|meaning of|define|translate|explain|how (?:do|does|to)\b|who (?:invented"
    r"|wrote"
    r"|discovered)|forecast|write (?:me )?an?|stock|exchange rate|in the world)\b",
    _I,
)

_WANTS_ADVICE: Final = re.compile(
    r"(?:你|您).{0,4}(?:觉得|认为|有(?:什么|没有)|能不能|可以|推荐(?!过)|建议)|(?:有什么|有没有"
    r"|有哪些).{0,8}(?:推荐|建议|办法|方法|技巧)|我(?:到底|究竟)?(?:该|应该|要不要|还?能不能)(?![吃喝碰])|该怎么|怎么办|你们?说.*(?:好|呢|吗|吧|行|意思|怎么想的?)[?？]*$"
    r"|\b(?:do you think|should i(?! (?:eat|drink|touch)\b)|can you|could you|recommend"
    r"|any (?:advice|suggestions?|ideas)"
    r"|how (?:can|do|should) i(?! (?:usually|normally|often|always|mostly|like|feel|know)\b))\b",
    _I,
)

_OWN_CHOICE: Final = re.compile(
    r"我.{0,6}(?:该|要不要|还?能不能)(?![吃喝碰])|怎么办"
    r"|你们?(?:说|觉得)(?:.*我|.*什么意思|.*怎么想|呢|怎么样|好吗|行吗)"
    r"|\b(?:should|shall) i\b(?! (?:eat|drink|touch)\b)|\bdo you think i\b"
    r"|what (?:do|should|can|shall) i do\b(?! for)"
    r"|^any (?:ideas?|advice|suggestions?|tips)\W*$",
    _I,
)

_ONCE: Final = re.compile(
    r"曾经?|之前|以前|上次|当时|告诉过|推荐过|说过|\b(?:once|earlier|before)\b", _I
)

_ASKS_FOR_WORK: Final = re.compile(
    r"^(?:小祥|那|你|请|能不能|可以|[，,\s])*(?:帮我|给我|替我)(?:写|画|查|算|翻译|找|做|想|编|改)"
    r"|^(?:(?:please|xiaoxiang)[, ]+)*(?:write|draw|translate|calculate|look up|search for)\b",
    _I,
)
"""What only a model or a tool can do."""

_RHETORICAL: Final = re.compile(
    r"凭什么|你说[^，,。]{0,4}(?:是不是|[气烦巧怪]不|离不离谱)|怎么(?:这么|那么|又|老是|能这样)|谁懂|你(?:懂|明白|理解)(?:我|那种|这种)?[^，,]{0,6}[吗吧]|[替为]我[高开骄]"
    r"|你(?:会不会|会|是不是|不会)?(?:觉得|嫌|认为)我[^，,。]{0,6}(?:没用|笨|烦|蠢|矫情|奇怪|差劲|失败|胖|丑|懒)"
    r"|\bdo you think i(?:'m| am) (?:\w+ )?(?:useless|stupid|weird|boring|annoying|lazy|ugly"
    r"|pathetic|a failure|too much)\b"
    r"|(?:有没有人|谁(?:能|来|可以)?)陪我"
    r"|\b(?:how could i|why am i (?:so|such)|aren['’]t you going to"
    r"|isn['’]t that (?:\w+ )?(?:mad|awful|typical|taking)"
    r"|how is that fair|why me|who does that|can you believe|you know what i mean"
    r"|are you (?:happy|proud|glad) (?:for|of) me)\b",
    _I,
)
"""What has the form of a question and wants to be heard, not answered."""
_WHAT_TO_DO: Final = re.compile(
    r"(?:有(?:什么|啥|没有)|干|玩|做)点?(?:什么|啥|好玩)|好玩的"
    r"|\b(?:anything|something) (?:fun|to do)\b"
    r"|\bwhat (?:should|shall|can) i do\b",
    _I,
)
"""好无聊啊有什么好玩的 is boredom first; no rule knows what is on."""

_SAID_TO_HER: Final = frozenset({"affection", "teasing", "thanks"})

_TOLD_BY_ANOTHER: Final = re.compile(
    r"^[^你我]{0,4}[他她]们?[^你我，,。]{0,4}[说讲聊]|^(?:he|she|they) "
    r"|(?<!你)[跟和给][你您][说讲聊提分]享?一?[个件下声]|告诉[你您]一?[个件]",
    _I,
)
"""她还说人没事就好 tells what was said, and 跟你说个事 begins to tell: nothing is asked for."""

_SENTENCES: Final = re.compile(r"(?<=[?？。!！\n])")

_HELLO: Final = re.compile(
    r"^(?:小祥|xiaoxiang)[啊呀]?[，,。.!！~～?？…\s]*$"
    r"|^(?:小祥|xiaoxiang)?[啊呀]?[，,\s]*(?:你好|您好|早上好|早安|早[啊哇呀鸭]?|早早|起(?:床)?[了啦]|嗨嗨"
    r"|下午好|中午好|晚上好|嗨|哈喽"
    r"|哈啰|(?:你?在[吗嘛么不]在?){1,2}|吃(?:饭)?了(?:没有?|吗|么)"
    r"|hi(?:ya)?|hello|hey+a?|howdy|(?:good )?(?:mornin[g'’]?|afternoon|evening)"
    r"|yo)"
    r"[呀啊哦吗\s]*(?:there|u there|dear|love|mate|小祥|xiaoxiang|朋友)?"
    r"(?:[，,。.!！\s]*(?:你?吃(?:[早午晚]?饭)?了(?:没有?|吗|么)"
    r"|have you (?:had|eaten)\b[\w' ]{0,24}))?"
    r"[，,。.!！~～?？\s☀-➿️\U0001f000-\U0001faff]*$",
    _I,
)

_ASKED_BACK: Final = re.compile(
    r"[，,。.!！ ]\s*(?:对了|anyway,? |so |and )?(?:你呢|and you|what about you"
    r"|你们?(?![^，,]*[知记晓说觉看认帮猜能可什啥哪谁几多推])[^我，,]{1,10}(?:[没吗呢不]|[咋怎]么?样)"
    r"|(?:how(?: was|['’]?s| is) your|how are you|have you (?:had|eaten))\b[^,.?]{0,24})[?？]*$",
    _I,
)
"""What is asked of her behind what is told."""


def intent_of(text: str) -> Intent:
    """Return what a line wants: the first intent that fits, from the most particular."""
    # Only its beginning is read: what is longer was pasted, and asks nothing.
    said = _without_hello(text.strip()[:_LONGEST])
    if (body := requested_text(said)) or asks_for_reminder(said):
        return AsksToRemember(body) if body else AsksReminder()
    return (
        _intent_about_herself(said)
        or _intent_about_past(said)
        or _intent_of_question(said)
        or _intent_of_statement(said)
    )


def _without_hello(said: str) -> str:
    """Return lines that came together without those that only greet: 在吗 asks nothing then."""
    lines = [line for line in said.splitlines() if not _HELLO.match(line.strip())]
    return "\n".join(lines) or said


def _intent_about_herself(said: str) -> Intent | None:
    if (asked := occasion_of(said)) in TO_HER:
        return TellsSomething(asked)
    if _WHO.search(said):
        return AsksWhoSheIs()
    return None


def _intent_about_past(said: str) -> Intent | None:
    if _WHEN.search(said):
        return AsksLastTime(_topic_words(said))
    if (
        _TALK.search(said)
        and not _AT_A_LOSS.search(said)
        and not (_TOLD_BY_ANOTHER.search(said) and not is_question(said))
        and not _WANTS_ADVICE.search(said)
        and (
            "我们" in said
            or _SAID_WHAT.search(said)
            or _NOW.search(said)
            or not _ABOUT_ME.search(said)
            or "聊" in said
            or said.isascii()
        )
    ):
        return AsksRecentTalk() if _NOW.search(said) else AsksPastTalk()
    return None


def _topic_words(said: str) -> tuple[str, ...]:
    """Return the words of what a question asks the last time of; none if it names nothing."""
    found = _TOPIC.search(said)
    named = next((each for each in found.groups() if each), "") if found else ""
    return tuple(content_words(named)) or ((named.strip(),) if named.strip() else ())


def _intent_of_question(said: str) -> Intent | None:
    bare = QUOTED.sub("", said)
    # A question may stand in quotation marks as a whole.
    said = bare if re.search(r"\w", bare) else said.strip("\"“”'「」 ")
    if _HELLO.match(said):
        return SaysHello()
    occasion = occasion_of(said)
    # 你喜欢我吗 wants to hear something, and looks for nothing.
    if (
        occasion in ASKED_FOR
        or (occasion in _SAID_TO_HER and not asks_for_her_words(said))
        or (occasion == "bored" and _WHAT_TO_DO.search(said))
    ):
        return TellsSomething(occasion)
    if _ASKS_FOR_WORK.search(said):
        return AsksWorld()
    if _RHETORICAL.search(said):
        return None
    return _by_form(said) or (_by_likelihood(said) if occasion == LISTENING else None)


def _by_form(said: str) -> Intent | None:
    """Return what a line asks that has the form of a question, or asks to be told."""
    if ASKS_TO_TELL.match(said):
        return AsksMemory()
    asks = any(map(is_question, (said, *_SENTENCES.split(said))))
    return _what_is_asked(said) if asks and not _only_asks_back(said) else None


def _by_likelihood(said: str) -> Intent | None:
    """Return what a line likely asks that no rule knows as news, as a jest or as thanks."""
    if not likely_asks(said) or _only_asks_back(said):
        return None
    may = _what_is_asked(said)
    return replace(may, surely=False) if isinstance(may, AsksMemory | AsksWorld) else may


def _only_asks_back(said: str) -> bool:
    back = _ASKED_BACK.search(said)
    return back is not None and not is_question(said[: back.start()])


def _what_is_asked(said: str) -> Intent:
    if asks_memory_of_harm(said) or ASKS_PLANS.search(said):
        return AsksMemory()
    if _WANTS_ADVICE.search(said) and _OWN_CHOICE.search(said) and not _ONCE.search(said):
        return AsksAdvice()
    lived = _ABOUT_ME.search(said) or (_OF_LIFE.search(said) and not _OF_WORLD.search(said))
    if asks_for_her_words(said) or (
        lived and (_ONCE.search(said) or not _WANTS_ADVICE.search(said))
    ):
        return AsksMemory()
    wants_advice = _WANTS_ADVICE.search(said) and not may_ask_for_her_words(said)
    return AsksWorld(plainly=bool(_OF_WORLD.search(said) or wants_advice))


def _intent_of_statement(said: str) -> Intent:
    return TellsSomething(occasion_of(said))


def asks_own_name(asked: str) -> bool:
    """Whether somebody asks what they themselves are called."""
    return _OWN_NAME.search(asked) is not None


_OWN_NAME: Final = re.compile(
    r"我(?:的(?:全)?名字|叫(?!.*的)|姓)|我是谁|who am i\W*$"
    r"|\bmy (?:(?:full|first|last|middle|own|real|sur) ?)?name\b",
    _I,
)
