"""What somebody asks outright to be remembered, or not: 记住…, remember that; 别记这个.

It bids, before the matter, behind it or within it; 我记得 and "remember when" do not.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache, lru_cache
from typing import Final

from memory.text.late_pattern import LatePattern
from memory.text.slot_cues import PERSONS_ZH
from memory.text.word_forms import SIMPLIFIED

# What may stand before a request: names, please, "I want you to", "next time".
_BEFORE_ZH: Final = (
    r"(?:[嗯呃额哦喔]++|那个|就是|…++|\.{2,}+|(?>[^，,。]{0,16}?(?:反正|总之|所以|不过|但是))|(?:下[次回]|[以往今]后)[^，,。]{1,12}?(?=别忘|记)|[一-鿿]{2,3}(?=你记)|烦请|你?脑子里"
    r"|小祥|请|麻烦|拜托|帮我|帮忙|帮|替我|给我|跟你说个?事|你(?!们)|你要|你可|可得|可(?=别)|一定|务必|千万|要(?!求)|都|我(?:想|要|希望|需要)你|[以往今]后|下[次回]|从现在起|从今以后|这[个点条句]|这件事|这一点|而且|而|也|知道"
    r"|(?:我)?[同跟和]你[说讲]|[很挺特非]?常?别?(?:重要|要紧|关键)(?:的是|的)?|听[好着](?:了|哈)?|最好|把(?:这|它|下面|以下)[个件事点条句话些的]{0,3}|拿[小个]?本[本子]"
    r"|划重点|敲黑板|重点|能不能|可以|可不可以|再|先|顺便|必须|好好|给|别(?=不)|我说|btw|[a-z一-鿿]{0,2}[儿啊呀诶欸喂][，,]?|\s){0,8}"
)
_BEFORE_EN: Final = (
    r"(?:\W|hey|hi|to(?= memor)|you(?:['’]re| are)(?= never to)|ok(?:ay)?|so|and|but|please|pls|plz|kindly|just|also|always|do|love|bot|btw|now"
    r"|can you|could you|would you|will you|you (?:should|must|have to|need to)|from now on|i(?:['’]d| would)? (?:want|need|like) you to|next time|xiaoxiang|小祥|do(?= bear))*"
)
# Asking for it to be kept. What may tell as well needs what asks: 帮我记下, and 记得 me behind it.
_ASKING_ZH: Final = r"(?<=[请烦托我你定必要得万忙给])"
_NOTES_ZH: Final = r"(?:你的?|您的?)?(?:小?本[本子]|小?脑[子袋海瓜]|记忆|心[里上头]?|备忘录|笔记|档案|数据库|日记|手账|账)(?:[里上中库本])?"
_KEEP_ZH: Final = (
    rf"(?:存|记|写|刻|印|放|收|录|加|装|塞|搁|揣|记录|登记)[进到在入]?{_NOTES_ZH}(?!的)|记录(?:一下|下来?|在案|(?=[:：]))|存(?:一下|下来?|起来|好|档)|备忘(?:一下)?|录入|入库|(?:切|谨|铭)记|记[实紧低]"
    r"|留个[底档心神位]|mark(?:一下|下)?(?![a-z]| (?!(?:that|this|it|down|my)\b)[a-z])|(?:可|千万)?(?:不能|不准|不可以?)忘[了记]?|忘不得|记得(?=[啊呀哦喔噢嘛哈吧呢!！。~～\s]*$)|心里有个?数|记下记下|记住记住|记一记|记(?=[！!]{2,})"
    rf"|(?:记住|记好|记牢|牢记)(?!了(?!$))|记一下|记一笔|(?:往)?心里记|别又?忘了?|别忘记|{_ASKING_ZH}(?:记下来|记下|记着|记到起?|记起来)(?!了)"
    r"|(?<=[请烦托定必得要可])记得(?!了)|^记得(?=[^，,。]{0,6}我)|不要忘[了记]|不许忘|勿忘|备注(?=$)|(?<=以后)注意|以后[^，。,.]{0,10}(?:注意|记得)(?=[，,：: ]|点|一点|$)|(?:remember|note)一下"
)
_NOTES_EN: Final = (
    r"(?:(?:in|into|to|on|onto|under|away in) (?:your |the |my )?(?:long[- ]term )?(?:memory|memories|notes?|notebook|head|brain|mind|file|files|records?"
    r"|database|diary|list|log|vault|bank|profile)(?: banks?| list)?)"
)
THIS_ZH: Final = "这(?:[个话事些]|一?[句点条段]|件事)(?:话|事|内容|消息)?"
THIS_EN: Final = r"th(?:is|at) (?:one|bit|message|line)(?=\W*$|\s*[:：,.!]|\s+(?:for me|for later|please|pls|plz|too|in your|in mind)\b)"
"""What a request points at: 记住这句话, remember this one."""
_IT_EN: Final = rf"(?:{THIS_EN}|this|that|it|these|the following|one|this one|that one|this bit|a note|one thing)"
_STORE_EN: Final = r"(?:save|store|keep|file|log|record|put|note|jot|write|tuck|stash|lock|pop|stick|add|commit|burn|etch|bank|scribble|pin|hold|retain|register|enter|stow|squirrel|pencil|get|take)"
_KEEP_EN: Final = (
    r"(?:re?me?m?be?r|memori[sz]e)\b|for later\b(?=[:,]|$)|(?:don['’]?t|do not|never) let me forget\b|from now on\b(?=,|$)"
    r"|(?:don['’]?t|do not|never|not to|never to) (?:you |ever |you dare |you ever |let yourself |go and )?forget\b|(?:don['’]?t|never) let (?:this|that|it) (?:slip|go)"
    rf"(?: (?:out of )?your (?:mind|head|memory))?\b|h[oa](?:ld|ng) on ?to (?:{_IT_EN}|the fact that)\b|hold {_IT_EN} for me\b|lock {_IT_EN} in\b|fyi\b(?: for [^:,.]{{1,40}})?"
    rf"|bear (?:it |this |that )?in mind|mind you note|{_STORE_EN} (?:{_IT_EN} )?(?:down|away|on record|on file|on board|somewhere safe|safe|for later|for next time|{_NOTES_EN})\b"
    rf"|(?:save|store|log|record|file|pin|retain|register|bank|note) {_IT_EN}\b|(?:make|take|keep) (?:a |a mental |mental )?note(?: of)?|note to you\b|note(?= (?:that|this|it|:)|[:：])"
    r"|for (?:your |future |the )(?:future )?(?:reference|records?|notes|files)"
)
# What may stand after it without being the matter: 记住这一点啊, remember that, okay?
_ALONE_ZH: Final = rf"(?:{THIS_ZH}(?=[啊哦哈吧呀了，,。.！!；;：:\s我]|$))"
_AFTER_ZH: Final = rf"(?:{_ALONE_ZH}|这(?:一点|点|个|件事|些|(?!一?[句条段]))|它|[了哦喔啊呀咯喽哈吧呢嘛起来点一下]|就行|就好|\s|[!！~～。.，,：:]|[\U0001f300-\U0001faff])*"
# "that" is the matter itself only where nothing but such words follow it.
_END_EN: Final = r"that(?=\W*$|\W+(?:when|for|in|okay?|ok|please|pls|plz|thanks|thx|so|because|too|mate|love|[.!,:：]))"
_AFTER_EN: Final = (
    rf"(?:\W*(?:{THIS_EN}|(?:of )?(?:this|it)|something|{_END_EN})\b)?(?:\s*(?:down|away|somewhere(?: safe)?|for me|for later|for next time|for (?:the )?future(?: reference)?"
    r"|please|pls|plz|thanks|thx|ty|okay?|ok|yeah|love|mate|babe|hun|too|will you|in that head of yours)\b)*"
    r"(?:\s*(?:when|so(?: that)? (?:you|i|we|it)|because|cos|in case|before) [^.!?,，。]{1,60})?\W*(?:that\s+(?=\S))?"
)


@cache
def _request() -> LatePattern:
    """Return what a clause must match to be a request; its group is what else stands in it."""
    return LatePattern(
        rf"^{_BEFORE_ZH}(?:{_KEEP_ZH}){_AFTER_ZH}(?P<zh>.*)$|^{_BEFORE_EN}(?:{_KEEP_EN}){_AFTER_EN}(?P<en>.*)$",
        re.IGNORECASE | re.DOTALL,
    )


# 你记住了吗 asks; 帮我存一下，万一呢 asks for it to be kept.
_ASKS_ITSELF: Final = LatePattern(r"[吗呢么]\s*[。！!]*$")

# "remember when we" shares a memory, 提醒我 wants a reminder: nothing to keep.
_ASKS_NOTHING: Final = LatePattern(
    r"[?？]|[吗么]\s*[。！!]*$|记住了没|不用记|别记|没记住|记不住|记不得|还记得|^我(?:还|只|就)?记得|提醒我?|叫我起|喊我|(?:记得|别忘[了记]?)(?:要|再)?(?:(?:[跟和]我[说讲提]|(?:告诉|通知|联系)我)(?!.{0,3}的)|(?:叫|问|找)我(?=[一，,。！!]|$))|remind me|wake me|\bremember\s+(?:when|how|the (?:time|smell|day|way|look)|me\b|to\b)|\bnote to self\b"
    r"|\b(?:can['’]?t|cannot|couldn['’]?t|didn['’]?t|don['’]t (?:need to|have to)|do you|does|did) (?:\w+ )?remember"
    r"|\bforget the (?:bit|part|time|scene|one|day) (?:where|when|that|with)\b"
    r"|\bforget to\b|^\W*i['’]ll never forget",
    re.IGNORECASE,
)

# 我妈提醒我带伞, 老板又喊我加班: who does it is named, so nothing is asked of her.
_REMINDS: Final = (
    r"(?:^|[，,。！!；;\s])(?:我|昨[天晚]|今[天早]|刚才|刚刚|早上|晚上|最近|每[天次回]|还是|是)*"
    rf"(?:{PERSONS_ZH}|[他她它]们?|老板娘?|领导|上司|主管|甲方|客户|医生|护士|大夫|闹钟|手机|系统|软件)"
    r"(?:[又也还都总老就刚才常天给来打电话昨今晚早上发微信特意地经直一个]|刚刚|半夜){0,8}(?:提醒我|喊我|叫醒我|叫我起)"
)

_CALLS_OUT: Final = (
    r"(?<![^，,。！!；;\s:：你您请祥烦得时点候再就也可能要帮会儿等下待钟头分后前天早上午晚整刻半\d])(?<![以往今]后)喊我"
    r"(?!(?:[老小阿][一-鿿]|[一-鿿]{1,3}(?:姐|哥|叔|姨|婶|嫂|爷|妈|总|老师|师傅))(?:[嘛吧哈哦呀啦]|就[行好]|[，,。！!]|$))"
)
"""A clause in which nobody but her is to call: 明天七点喊我; 刘敏喊我 and 你喊我桂芳姐 tell."""

_BIDS_ME: Final = r"(?:^|[，,。！!；;\s])(?!我|你|您|小祥|跟你|和你)[^，,。！!；;你您]{1,8}(?:说|讲|叫我|让我|告诉我|嘱咐|交[代待]|劝)[^。！!；;]{0,30}[，,](?:又|还|也|并)?喊我"
"""医生说…，喊我少搬面粉: who says so bids it, and no hour is named."""

_REMINDER: Final = LatePattern(
    rf"^(?!.*{_REMINDS})(?!.*{_BIDS_ME})"
    rf"(?!.*(?:多亏|幸亏|幸好|还好|谢谢|感谢)[^，,]{{0,4}}提醒)[^。！!？?\n]{{0,30}}?(?:提醒我|叫我起床|叫醒我|{_CALLS_OUT})"
    r"|(?<!had to )(?<!has to )(?<!have to )(?<!they )(?<!photos )(?<!songs )"
    r"\b(?:remind me\b(?!,? (?:of|what|who|where|how|which|why|whether|if)\b)|wake me\b|set (?:an? )?(?:alarm|reminder))",
    re.IGNORECASE,
)


def asks_for_reminder(text: str) -> bool:
    """Tell whether somebody asks to be reminded, or woken, at a time."""
    plain = text.translate(SIMPLIFIED)
    return bool(_REMINDER.search(plain)) and not asks_whether_reminded(plain)


def asks_whether_reminded(plain: str) -> bool:
    """Tell whether simplified text asks if, or of what, she reminded or is to remind."""
    return _WHETHER_REMINDED.search(plain) is not None


_WHETHER_REMINDED: Final = LatePattern(
    r"(?i)提醒(?:过我?|我)[^，。！？?\n]{0,12}(?:了|过)(?:吗|么|没有?)\W*$|(?:有没有|是不是)[^，。]{0,6}提醒|(?:提醒|[叫喊])我(?:什么|[些点]?啥|谁|哪[些几]个?)(?:事|的|了|来着|呢|啊|吗)*\W*$"
    r"|\b(?:did|have) you (?:not |ever |already )*remind"
)
"""昨天你提醒我了吗 asks what was, not for anything to come."""
_POLITE_QUESTION: Final = LatePattern(
    r"(?i)^\W*(?:can|could|would|will) you\b|,? (?:okay|ok|please|will you|would you)\?$"
)
_SENTENCE: Final = LatePattern(r"(?:[^。！!？?\n.]|\.(?!\s|$))+[。！!？?.]*")
_CLAUSE: Final = LatePattern(r"(?:(?!\s[-–—]+\s|——|—)[^，,；;：:（）()])+")
_LEAST_MATTER: Final = 5
"""Fewer characters beside a request that stands after the matter are an aside: 别笑."""
_POINTS_BACK: Final = LatePattern(rf"(?i)(?:\b(?:it|that|this|{THIS_EN}.*)|{_ALONE_ZH}|它)\W*$")
"""A request that ends so means what was said before it."""
_ANSWERS: Final = LatePattern(r"(?<!忘)了[\s：:，,；;—–\-（）()!！~～。.]*$")
_ASIDE: Final = LatePattern(
    r"(?:\s|[这這](?:[个個]|件?事|一?[点點]))(?=你?[可千万萬一定]*(?:[别別]|不[要许許能])忘|你要[记記][住着著好得])"
)
_OPEN_BRACKET: Final = LatePattern(r"[(（][^()（）]*$")
_MARKS: Final = " ：:，,；;—–-（）()!！~～"
# What she is bidden to do with it is no part of it: …，你帮我存一下; …，你给她的资料里改一下.
_BIDDEN: Final = (
    r"[，,；;。]\s*(?=[你请帮替给麻])(?:请|麻烦)?你?(?:[帮替给]我|给[他她它][^，,]{0,6}|在[^，,我]{1,8}里|把[这它他她])?"
    r"(?:[记存改写]|更新|备注|登记)(?:一下|一笔|上|进去|下来|好)"
)
POLITE_END: Final = LatePattern(
    rf"(?i)(?:[，,]?\s*(?:okay|ok|please|好吗|好不好|谢谢)|{_BIDDEN})\s*[吧哦啊?？!！.。]*$"
)


def requested_text(text: str) -> str:
    """Return what a line asks to be kept; nothing if it asks nothing of the kind.

    The matter stands behind the request, before it or around it; if its sentence says nothing
    else, in those after it (记住：…) or in the one before (…。帮我记着).
    """
    text = _ASIDE.sub(lambda gap: "，" * len(gap[0]), text)
    sentences = [found[0] for found in _SENTENCE.finditer(text)]
    for place, sentence in enumerate(sentences):
        # One character for one: what is cut off the one is cut off the other.
        read = sentence.translate(SIMPLIFIED)
        if _ASKS_NOTHING.search(read) and not _POLITE_QUESTION.search(read):
            continue
        for clause in _CLAUSE.finditer(read):
            asked = _request().fullmatch(clause[0].strip())
            # 3-2-1原则，记住了 answers; 我对花生过敏，记住了 asks, for it speaks of the speaker.
            answers = _ANSWERS.search(clause[0]) is not None and "我" not in sentence
            if asked is not None and not answers and not _ASKS_ITSELF.search(clause[0]):
                rest = len(asked["zh"] or asked["en"] or "")
                found = _matter_of(sentences, place, clause.span(), rest)
                return _without_marks(POLITE_END.sub("", " ".join(map(str.strip, found))))
    return ""


def only_bids(words: str) -> bool:
    """Tell whether words ask for something to be kept and say nothing of it: 帮我记一下."""
    asked = _request().fullmatch(words.translate(SIMPLIFIED).strip())
    return asked is not None and not (asked["zh"] or asked["en"])


def _without_marks(text: str) -> str:
    """Return a text without marks around it; what closes a bracket inside belongs to it."""
    kept = text.strip(_MARKS)
    closing = text.partition(kept)[2][:1] if kept and _OPEN_BRACKET.search(kept) else ""
    return f"{kept}{closing}"


def _matter_of(sentences: list[str], place: int, clause: tuple[int, int], rest: int) -> list[str]:
    """Return what is to be kept, by the clause that asks; its last ``rest`` characters tell."""
    sentence, (start, stop) = sentences[place], clause
    # With the gap behind it: a bracket that follows stands apart.
    own = sentence[start + len(sentence[start:stop].rstrip()) - rest : stop] if rest else ""
    before, after = sentence[:start], own + sentence[stop:]
    matter = after if _says_something(own) else f"{before.rstrip(_MARKS)}{after}"
    opens = not place and not before.strip()
    aside = bool(place) and len(matter.strip(_MARKS)) < _LEAST_MATTER
    found = [matter] if _says_something(matter) and not aside else []
    if place and not before.strip() and _POINTS_BACK.search(sentence[:stop]):
        return [each.strip(f"{_MARKS}。.") for each in (sentences[place - 1], *found)]
    # Who begins with the request means all that follows.
    if opens or not (found or aside):
        found += sentences[place + 1 :]
    return found or [each.rstrip("。.!！ ") for each in sentences[max(place - 1, 0) : place]]


def _says_something(text: str) -> bool:
    return sum(map(str.isalnum, text)) > 1


class NotKept(StrEnum):
    """Which words are not to be kept, as somebody asks."""

    THIS = "this"
    """The message itself: 别记这个：…, "off the record, …"."""
    BEFORE = "before"
    """What was said before it: 刚才那句别记, "don't write that down"."""
    BOTH = "both"
    """What was said before it, and what it says of that: "don't save that, she'd kill me"."""
    NEXT = "next"
    """What is said after it: 下面的话别记, "off the record:"."""


_THIS_ZH: Final = (
    r"这(?:[个话事些]|一?[句点条段]|件事|事儿)(?:话|事|内容)?(?=[啊哦哈了，,。.！!；;：:\s我]|$)"
)
# At the head of a clause, with no other subject or thing: 你别记这个, 刚才那句话不要记.
_HEAD_ZH: Final = (
    r"(?:^|[，,。.！!？?；;：:（(\s])(?:小祥|[你您请就可先那都也的但嗯哦啊，,\s]|千万|拜托|麻烦|给我|帮我|一定|绝对"
    r"|把|我(?=[刚说讲上下接])|刚才?|上面?|下面|接下来|以下|要?[说讲]的|这|一|最后|[几句个件段条些点]|话|事[情儿]?|内容|秘密)*"
)
_NOTED_ZH: Final = r"(?:进去|小?本子[里上]|[进到在入][你您的]{0,2}(?:心|脑|日记|本|记忆|账|笔记|档案|任何|哪)[^，,。]{0,3})"
_ENDED_ZH: Final = r"[了啊哦喔哈呀吧嘛啦]*(?:[好行]吗|好不好|可以吗)?(?=$|[^\w“「『《])"
_UNHEARD_ZH: Final = rf"当[作做]?(?:我没[说讲]过?|你?没有?[听看](?:[见到]过?|过)){_ENDED_ZH}"
_NOT_EN: Final = r"(?:do ?n['’]?t|do not|never|(?:you )?(?:must(?: not|n['’]?t)|better not|(?:are|['’]re) not to)|(?:can|could|will|would) (?:you|u) (?:please )?not|i(?:['’]d| would) rather (?:you|u) did(?: not|n['’]?t)|i (?:do ?n['’]?t|do not) want (?:you|u) to)(?: (?:you|u|dare|ever|even|go and))* "
_SAID_EN: Final = r"(?:(?:any of )?(?:this|that|it)(?: (?:last )?(?:one|bit|part|thing))?|what i\b[^.,;:!?]{0,60}?|the following)"
_BOOK_EN: Final = r"(?:your|ur|the|any|a) (?:long[- ]term )?(?:memory|memories|notes?|notebook|diary|journal|records?|head|brain|files?|database|logs?|vault)"
_WHERE_EN: Final = (
    rf"(?:,? (?:down|to memory|on (?:the record|record|file)|as (?:a )?(?:memory|fact|note)|(?:in|into|to|on|from) {_BOOK_EN}|in writing|anywhere|ever|at all|either|for (?:me|later|good)|please|pls|plz|ok(?:ay)?|though|tho|yeah|alright|mate|love|hun|pal|babe|thanks|thx|lol|will (?:you|ya)))*"
    r"(?=\s*(?:$|[^\w\s])|\s+(?:and|but|so|because|cos|coz|cuz|since|if|or|it['’]?s)\b)"
)

_NOT_KEPT: Final = LatePattern(
    rf"{_HEAD_ZH}(?:别|不要|不用|不必|不许|不准|不能|甭|勿)(?:给我|帮我|再|都|去)*(?:往[你的]{{0,2}}(?:心|小?本|日记|记忆|笔记)[^，,。记写存]{{0,2}}|把(?:[这它那]|刚才?|上面)[^，,。把别记写存录留]{{0,6}})?(?:给我|再|都)*"
    rf"(?:记(?:住|着|录下?来?|下来?|{_NOTED_ZH})?|存(?:下来?|起来|档)?|(?<!先别)写(?:下来?|{_NOTED_ZH})|保存(?:下来)?|留(?:下任何)?(?:记录|底|痕迹|档))"
    rf"(?:我?(?:刚才?|刚刚)?[说讲]的[这那]?[些句个]?话?)?(?:{_ENDED_ZH}|{_THIS_ZH}|(?<!写下)(?=我(?!的|仇)))"
    rf"|(?<![^，,。.！!？?；;：:\s])(?=[^，,。]{{0,12}}(?:这|刚|[说讲]的)){_HEAD_ZH}{_UNHEARD_ZH}|^(?:小祥|[你就都，,\s哎呀唉]|全部?)*当[作做]?你?没有?[听看][见到]过?{_ENDED_ZH}(?=\W*$)"
    r"|^(?:[你请把就快，,]|小祥)*(?:忘[掉了]|忘记)(?:吧)?我(?:刚才?|刚刚)?[说讲]的(?:这|那)?[句些]?话?[吧啊哦]?(?=$|[，,。！!])"
    # The same in English; "I don't remember this" and "don't keep this to yourself" are others.
    r"|(?:^|[.,;:!?—–-]\s*|\b(?:and|but|so)\s+)(?:(?:please|pls|plz|just|ok|okay|hey|oh|now|so|but|and|well|actually|wait|omg|god|um|mate|love|btw|xiaoxiang|you)[\s,]+)*"
    rf"(?:{_NOT_EN}(?:(?:remember|memori[sz]e) (?:(?:any of )?(?:this|that)(?! (?:at all|tbh|any ?more|though|tho|ever))|what i\b[^.,;:!?]{{0,60}}?|the following){_WHERE_EN}|(?:remember|memori[sz]e)(?=\s*[:—])"
    rf"|(?:save|store|record|log|note|jot|write|file|commit(?= \w+ to)|keep(?! it\b(?! (?:in|on|as)\b))|put(?= \w+ (?:down )?(?:in|into|on)\b)) {_SAID_EN}{_WHERE_EN}|(?:keep|make|take) (?:any |an? )?(?:records?|notes?) of {_SAID_EN}{_WHERE_EN})|(?:keep|leave) {_SAID_EN} out of {_BOOK_EN}"
    rf"|(?:i (?:do ?n['’]?t|do not) want {_SAID_EN}|(?:this|that|it)(?:['’]?s| is| must| should) ?n(?:ot|['’]?t)) (?:to be |be )?(?:(?:written|noted|jotted) down|saved|kept|stored|recorded|remembered|logged|on record){_WHERE_EN}"
    # "Between you and me", as 别告诉别人, asks that nobody else be told: a friend keeps it in mind.
    r"|(?:keep |leave |can )?(?:(?:(?:all (?:of )?)?(?:this|that|it)|what i (?:just )?(?:said|told you)|everything i said|(?:this|that) (?:next |last )?(?:bit|part|one|thing))(?:['’]?s| is| was| stays| stay| must stay)? )?(?:strictly |totally |completely |all |just )?off (?:the )?record\b(?![ -](?:players?|shops?|stores?|labels?))"
    r"|(?:forget (?:that )?i|pretend i (?:never|did ?n['’]?o?t)) (?:ever |just |even )?(?:said|say|told you|tell you|mentioned) (?:that|this|it|anything)\b"
    r"|pretend (?:you|u) (?:never|did ?n['’]?t|did not) (?:hear|heard|read|see|saw) (?:any of )?(?:that|this|it)\b|forget what i (?:just )?(?:said|told you)\b)",
    re.IGNORECASE,
)

_ANNOUNCES: Final = LatePattern(
    r"下面|接下来|以下|[：:]\s*$|following|^(?!.*\b(?:that|it|keep|leave|stays?|i)\b)(?!.*\bthats\b).*off (?:the )?record",
    re.IGNORECASE,
)
_POINTS_BEFORE: Final = LatePattern(r"刚|上[一面]|那|\b(?:that(?:['’]?s)?|it|i)\b", re.IGNORECASE)
_AFRAID: Final = LatePattern(
    r"怕|万一|知道了|看[见到]|发现|传出去|丢人|丢死人|尴尬|羞|完蛋|打死|骂死|\b(?:kill|murder|sack|fire|leave|hate) (?:me|us)\b|\b(?:find|finds|found) out\b|\bif (?:he|she|they|my \w+|anyone|anybody) |\b(?:embarrass\w*|ashamed|mortified|sacked|fired|in trouble)\b",
    re.IGNORECASE,
)
"""What is said of a matter told before: why it is to stay nowhere."""
_BESIDES: Final = LatePattern(
    r"[也更还]?(?:别|不[要许能])(?:再|去|都)?(?:[告跟和同对][诉]?[^，,。！!]{1,6}?[说讲提]?|(?:往外|到处)[说讲传]|传|说)(?:[说讲传]?出去)?(?=[了啊哦喔哈吧呀]*(?:\W|$))|保密|这[事话]儿?|你?(?:自己)?(?:知道|听听)就[行好]|烂在?肚子里|只跟你说|求(?:求|你|了)+|拜托|千万|谢谢|对了|[好行][吗吧]|知道[吗没]|听到没|哎呀?|唉|[哈呵嘿]{2,}|笑死|(?:听我|我[跟和]你|我)[说讲](?=\W|$)|[啊哦喔哈呀吧嘛啦呃嗯那了]"
    r"|\b(?:(?:do ?n['’]?t|do not|never) tell (?:anyone|anybody|a soul|no ?(?:one|body)|him|her|them|my \w+)(?: else)?(?: (?:about )?(?:it|this|that))?|tell no ?(?:one|body)|(?:just )?between (?:us|you and me)|(?:it|that|this)(?:['’]?s| is| stays) (?:private|a secret|secret|personal)|promise(?: me)?|i mean it|i said|i mean|by the way|btw|(?:this|that|it) (?:is|was)"
    r"|please|pls|plz|ok(?:ay)?|oh|god|omg|wait|actually|seriously|lol|lmao|(?:ha)+h?|hey|so|and|but|well|now|um|sorry|thanks?(?: you)?|thx|xiaoxiang|you|yeah|right|obviously|mate|love|anyone|else)\b",
    re.IGNORECASE,
)
"""What stands beside such a wish and tells nothing: 也别告诉别人, "promise me"."""
_SAID_BY_OTHERS: Final = LatePattern(
    r"(?<![跟和同对]你)(?<!听我)(?<!^我)(?<![，,\s]我)(?<!随[口便意])(?<![就也]是)(?<![往另]外)(?<!到处)(?<!别)(?:(?<![说讲])[说讲道喊]|吩咐|嘱咐|交代|告诉[我他她]|叫我|让我)[^\w]*$"
    r"|(?<!\bi )\b(?:said|says|goes|went|was like|yelled|whispered|replied|(?:told|tells|asked|warned|texted) (?:me|him|her|them|us|my \w+))\W*$",
    re.IGNORECASE,
)
_THEY_SAID: Final = LatePattern(
    r"\W*(?:he|she|they|(?:my|the) \w+) (?:said|says|goes|told)\b", re.IGNORECASE
)

_EDGE: Final = 500
"""In characters: who asks for it does so where a message begins or ends."""


def not_to_be_kept(text: str) -> NotKept | None:
    """Return what somebody asks not to be remembered by a message; None if they ask nothing.

    别忘了 and 别记错 ask for the contrary, 我不记得 asks nothing.

    >>> not_to_be_kept("off the record, I hate my job"), not_to_be_kept("don't forget this")
    (<NotKept.THIS: 'this'>, None)
    """
    cut = len(text) > 2 * _EDGE
    return _wish_of(f"{text[:_EDGE]}\n{text[-_EDGE:]}" if cut else text)


# A turn asks it several times of each line before it, and the next turn of most of them again.
@lru_cache(maxsize=128)
def _wish_of(text: str) -> NotKept | None:
    plain = text.translate(SIMPLIFIED)
    found = _NOT_KEPT.search(plain)
    if found is None:
        return None
    before, after = plain[: found.start()], plain[found.end() :]
    if _SAID_BY_OTHERS.search(before) or _THEY_SAID.match(after):
        return None
    if _says_something(_BESIDES.sub(" ", before)):
        return NotKept.THIS
    if _says_something(_BESIDES.sub(" ", after)):
        told_before = _POINTS_BEFORE.search(found[0]) or _AFRAID.search(after)
        return NotKept.BOTH if told_before else NotKept.THIS
    return NotKept.NEXT if _ANNOUNCES.search(text) else NotKept.BEFORE


class LetGo(StrEnum):
    """What somebody asks to be done with a matter they name."""

    EVERYTHING = "everything"
    """把你记得的全删了, "delete everything you know about me"."""
    ERASE = "erase"
    """忘掉老吴, "forget that I smoked"."""
    LEAVE = "leave"
    """别再提我前夫, "don't mention granny again"."""
    TAKE_UP = "take up"
    """可以再提我前夫了, "you can mention granny again"."""


_MATTER: Final = r"(?P<what>[^，,。！!？?；;\n]{1,40}?)"
_LEAD_ZH: Final = r"(?:小祥|请|麻烦|拜托|帮我|给我|你|以后|从今以后|那|就|[，,\s])*"
_ENDS_ZH: Final = r"(?:的?(?:这[件个]|那[件个])?(?:事情?|人|名字))?[了吧啦呀啊哈哦噢喔嘛哟呗好吗行可以谢\s。.！!~～]*$"
_LEAD_EN: Final = r"(?:xiaoxiang|please|hey|ok(?:ay)?|just|can you|could you|now|[,\s])*"
_ENDS_EN_ASKED: Final = r"(?:,? (?:again|any ?more|ever again|to me|please|for me|ok(?:ay)?|thanks|hey|eh|yeah|mate|will you|alright))*[\s.!]*$"
_TO_ME: Final = r"(?:跟我|和我|同我|对我|在我面前)?"
_ALL_ZH: Final = r"(?:(?:你?(?:记得|记住|记着|知道|存着?|记)的?)?(?:(?:关于|有关|跟)?我)?的?(?:所有|全部|一切)?的?(?:东西|记忆|事情?|资料|数据|信息|内容|一切|全部))"
_LETS_GO: Final[Mapping[LetGo, tuple[str, ...]]] = {
    LetGo.EVERYTHING: (
        rf"^(?=.*(?:全|都|所有|一切|清空|统统|通通))(?=.*[我你记]){_LEAD_ZH}把?你?(?P<what>{_ALL_ZH})(?:都|全|全部|统统|通通|彻底|给我)*(?:忘|删|抹|清)[掉光除空去了]*{_ENDS_ZH}",
        rf"^(?=.*(?:全|都|所有|一切|清空|统统|通通))(?=.*[我你记]){_LEAD_ZH}(?:都|全|全部|统统|通通|彻底)*(?:忘掉|删掉|删除|抹掉|抹去|清空|清除)(?P<what>{_ALL_ZH}){_ENDS_ZH}",
        rf"^{_LEAD_EN}(?:forget|erase|delete|wipe|clear|remove) (?P<what>(?:all|everything)(?: of it)?(?: (?:that )?you(?:['’]?ve)? (?:know|remember|have|got|kept|saved|stored|wrote)(?: down)?(?: (?:about|on|of) (?:me|us))?| (?:about|on) me| (?:of )?(?:my|your) (?:data|memory|memories)(?: (?:of|about) me)?)){_ENDS_EN_ASKED}",
    ),
    # 忘了带伞 tells what the speaker forgot; 忘了…这件事 and 忘掉 ask.
    LetGo.ERASE: (
        rf"^{_LEAD_ZH}(?:忘掉|忘记掉|删掉|删除|抹掉|抹去){_MATTER}{_ENDS_ZH}",
        rf"^{_LEAD_ZH}(?:忘了|忘记){_MATTER}(?:这件?事情?|的事情?|吧)[了吧吗好\s。.！!]*$",
        rf"^(?=小祥|请|帮我|你|麻烦){_LEAD_ZH}(?:忘了|忘记){_MATTER}{_ENDS_ZH}",
        rf"^{_LEAD_ZH}把{_MATTER}(?:的?这?件?事情?)?(?:都|全|给|从记忆里|彻底)*(?:忘了|忘掉|忘记|删了|删掉|抹掉)[了吧吗好\s。.！!]*$",
        rf"^{_LEAD_EN}(?:forget|erase|delete)(?: (?:about|that|everything (?:about|on)|all about|what i (?:said|told you) about))?\s+(?P<what>[^,.!?;\n]{{2,60}}?){_ENDS_EN_ASKED}",
    ),
    LetGo.LEAVE: (
        rf"^{_LEAD_ZH}(?:别|不要|不许|甭|不想(?:再)?听你)(?:再|老|总)*{_TO_ME}(?:提起|提到|谈起|谈到|聊起|提(?!前(?!夫|妻|任|男|女|老|公|同|领)|交|醒|供|出|升|高|早|包|款|现|速|问|案|议|示|拔|取|多|有)|谈(?!恋)|聊){_MATTER}{_ENDS_ZH}",
        rf"^{_LEAD_EN}(?:(?:don['’]?t|do not|never)(?: ever)? (?:mention|bring up|talk (?:to me )?about|speak (?:to me )?(?:of|about))|(?:stop|no more) (?:mentioning|bringing up|talking about))\s+(?P<what>[^,.!?;\n]{{2,40}}?){_ENDS_EN_ASKED}",
        rf"^{_LEAD_EN}(?:don['’]?t|do not|never)(?: ever)? bring (?P<what>[^,.!?;\n]{{2,40}}?) up{_ENDS_EN_ASKED}",
    ),
    LetGo.TAKE_UP: (
        rf"^{_LEAD_ZH}(?:又|现在)?可以(?:再|重新|跟我)*(?:提起?|谈起?|聊起?){_MATTER}{_ENDS_ZH}",
        rf"^{_LEAD_EN}(?:you (?:can|may) )(?:mention|bring up|talk about|speak of)\s+(?P<what>[^,.!?;\n]{{2,40}}?) (?:again|now)[\s.!]*$",
    ),
}

_NO_MATTER: Final = LatePattern(
    r"(?:我|你|他|她|它|[这那](?:[个些事人]|件事?)?|话|自己|一切|所有|全部|过去|[他她它]们|了|吧)+"
    r"|(?:it|that|this|me|him|her|them|you|us|to .*|about it|all|everything|the past|what .*|how .*|when .*|if .*|i said.*|i told.*)",
    re.IGNORECASE,
)
"""What names nothing by itself, or asks something else: forget it, forget what I said."""

_LONGEST_WISH: Final = 80
_OWNER: Final = LatePattern(r"^(?:我们?家?的?|my |our |the )", re.IGNORECASE)


_LETTING_GO: Final = tuple(
    (way, LatePattern(each, re.IGNORECASE)) for way, every in _LETS_GO.items() for each in every
)


def asks_to_let_go(text: str) -> tuple[LetGo, str] | None:
    """Return what a line asks to be done with a matter, and the matter; None if it asks nothing.

    >>> asks_to_let_go("别再提我前夫"), asks_to_let_go("forget about it")
    ((<LetGo.LEAVE: 'leave'>, '前夫'), None)
    """
    said = text.strip()
    if len(said) > _LONGEST_WISH or said.endswith(("?", "？")):
        return None
    plain = said.translate(SIMPLIFIED)
    for way, pattern in _LETTING_GO:
        found = pattern.search(plain)
        if found is not None:
            # One character for one: the matter is named as it was written.
            begin, end = found.span("what")
            what = _OWNER.sub("", said[begin:end].strip(" “”\"「」'"))
            return None if not what or _NO_MATTER.fullmatch(plain[begin:end]) else (way, what)
    return None
