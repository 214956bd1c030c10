"""Footnotes of an answer: that it was cut, and what it says of a promise, a deed or a harm amiss.

A model's words do nothing: what it says that it did, or will do, is owned up to below them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal, TypeAlias, assert_never

from bot.conversation.reply_generator import GeneratedReply, TurnContext
from bot.texts import Sentence, reminders, say
from bot.texts import dialogue as texts
from memory.initiative.reminders import promises_in_vain
from memory.offline.harms import harm_made_light_of
from memory.offline.phrasing import spoken_to
from memory.text.late_pattern import LatePattern
from memory.text.segmentation import code_blocks

_TICKS: Final = re.compile(r"(?<!`)`(?!`)")


def cut_with_line(text: str, line: str) -> str:
    r"""Return Markdown that was cut anywhere, with a line below it that says so.

    What the cut left open is closed: else the line would be code, and stars would stay to be seen.

    >>> cut_with_line("所以**注意", "（没说完）")
    '所以**注意**\n\n（没说完）'
    >>> cut_with_line("```py\nx =", "（没说完）")
    '```py\nx =\n```\n\n（没说完）'
    """
    said = text.rstrip()
    blocks = code_blocks(said)
    if blocks and blocks[-1].closing == len(said):
        return f"{said}\n{blocks[-1].marker}\n\n{line}"
    last = said[said.rfind("\n") + 1 :]
    if len(_TICKS.findall(last)) % 2:
        said += "`"
    elif last.count("**") % 2:
        # Also where the cut fell between the two stars that close.
        said, last = said.rstrip("*").rstrip(), last.rstrip("*")
        said += "**" * (last.count("**") % 2)
    return f"{said}\n\n{line}"


def with_footnote(reply: GeneratedReply, line: str) -> GeneratedReply:
    """Return a reply with a line below it, if there is one."""
    return replace(reply, text=cut_with_line(reply.text, line)) if line else reply


Claim: TypeAlias = Literal["erased", "pinned", "changed"]
"""What a reply may say that it did to memory, which words of a model never do."""


def claimed_deed(reply: str, said: Sequence[str]) -> Claim | None:
    """Return what a reply says was done to memory, where the partner asked for just that.

    >>> claimed_deed("好的，全部删除了，一条不留。", ["把你记得的关于我的东西全删了"])
    'erased'
    >>> claimed_deed("删了就好。", ["我把他微信删了"])
    """
    told = _DENIED.sub(" ", reply)
    asked = [each for each in said if not _ASKS.search(each.strip())]
    for deed, (request, claims) in _DEEDS.items():
        if claims.search(told) and any(map(request.search, asked)):
            return deed
    return "pinned" if _PINNED_UNASKED.search(told) else None


_ASKS: Final = re.compile(
    r"(?:了|掉|完)(?:吗|没有?|么)\W*$|^(?:is|are|did|have|has|was|were)\b", re.IGNORECASE
)
"""删了吗 asks whether it was done, and may be right in what it asks."""

_DENIED: Final = LatePattern(
    r"(?:没有?|还没|不能|不会|无法|没法|不了|别|要不要|要我|可以|需要|想|如果|要是)"
    r"[^，。！？\n]{0,12}"
    r"(?:删|清|抹|忘|钉|置顶|改|更正|更新)[^，。！？\n]*|(?:删|清|抹|忘|改)不[了掉完]"
    r"|\b(?:can(?:no|['’])t|(?:could|did|do|have|has|was|were)(?:n['’]t| not)"
    r"|not|never|shall i|should i|do you want|want me to|would you like|if you|you c(?:an|ould))\b"
    r"[^.!?\n]*|[^，。！？!?.\n]{0,60}[?？]",
    re.IGNORECASE,
)
"""What a reply offers, asks or owns that it cannot do is no claim."""

_ERASE: Final = LatePattern(
    r"(?<!我)把[^，。]{1,24}(?:删|清[空除掉理]|抹[掉去]|忘[掉了光])"
    r"|^[^我，。]{0,3}(?:帮我|给我|请|麻烦|你|快)[^，。]{0,24}(?:删|清[空除掉理]|抹[掉去]|忘[掉光])"
    r"|那[条个件句][^，。我]{0,3}(?:我[^，。]{1,6}的)?(?:你)?[删抹]|^(?:都|全部?|全都)?(?:删|清空|抹)[掉了除吧]"
    r"|^\W*(?:(?:please|can you|could you|will you|just|ok|now|and|then|go and|i want you to"
    r"|i['’]d like you to),? )*(?:delete|erase|wipe|forget|remove|clear|scrap)\b(?! to\b)",
    re.IGNORECASE,
)

_ERASED: Final = LatePattern(
    r"(?:已经?|都|全|刚|帮你|给你|替你|为你|彻底|我会|这就|马上)[^，。！？\n]{0,12}(?:删|清[空除掉理]|抹|忘[掉光])"
    r"|^\W*(?:好的?|嗯|行|没问题)?[，,]?(?:删|清空|抹|忘掉)[除掉去]?了"
    r"|^\W*(?:(?:ok(?:ay)?|sure|all),? )?(?:done|deleted|gone|erased|wiped|removed|cleared)\b"
    r"|\bi(?:['’]ve| have|['’]ll| will)?(?: just| already| now)? "
    r"(?:delete|erase|wipe|remove|clear|purge|forg[eo]t)(?:d|ed|ten)?\b"
    r"|\b(?:is|are|has been|have been|it['’]s|everything['’]s|that['’]s|all) (?:now |all )?"
    r"(?:deleted|erased|wiped|removed|cleared|gone|forgotten)\b|\bnothing(?: is|['’]s)? left\b",
    re.IGNORECASE,
)

_PIN: Final = LatePattern(r"置顶|钉住|钉一下|\bpin\b", re.IGNORECASE)

_PINNED: Final = LatePattern(
    r"(?:已经?|都|帮你|给你|这就|好的?，?)[^，。！？\n]{0,10}(?:置顶|钉)"
    r"|\b(?:pinned|i['’]ll pin)\b|^\W*(?:done|好了)\b",
    re.IGNORECASE,
)

_CHANGE: Final = LatePattern(
    r"(?:那条|这条|刚才|之前|记忆|记的|资料)[^，。]{0,8}(?:改|作废|更正|更新)|把[^，。]{1,16}改[成为]"
    r"|\b(?:correct|change|fix|update|scratch) (?:that|it|what|the|your)\b",
    re.IGNORECASE,
)

_CHANGED: Final = LatePattern(
    r"(?:已经?|都|帮你|给你)[^，。！？\n]{0,12}(?:改[好成为了]|更正|更新)"
    r"|^\W*(?:好的?，?)?(?:改好|更正|更新)了|(?:数据库|记忆|资料)[^，。！？\n]{0,4}(?:已更新|更新了)"
    r"|\b(?:corrected|updated)\b|\bi(?:['’]ve| have) (?:changed|fixed)\b",
    re.IGNORECASE,
)

_DEEDS: Final[Mapping[Claim, tuple[LatePattern, LatePattern]]] = {
    "erased": (_ERASE, _ERASED),
    "pinned": (_PIN, _PINNED),
    "changed": (_CHANGE, _CHANGED),
}

_PINNED_UNASKED: Final = LatePattern(
    r"我已经?把[^，。！？\n]{1,12}(?:钉住|置顶|钉)了"
    r"|\bi(?:['’]ve| have) (?:just |already )?pinned (?:it|that)\b",
    re.IGNORECASE,
)


LINES_OF_PLAY: Final = 8
"""So far back it is looked whether a part is played, or a story told."""


def claims_errand(reply: str, said: Sequence[str], lately: Sequence[str] = ()) -> bool:
    """Tell whether a reply says that she booked, called, paid, ordered or sent something.

    She has no hands for it. ``said`` are the lines answered, ``lately`` those before. What somebody
    else did, what is quoted, played, wished or asked is no claim.

    >>> claims_errand("已经帮你挂好号了。", ["帮我挂个号"])
    True
    >>> claims_errand("You booked the table, well done.", ["I booked the table"])
    False
    """
    if not _ERRAND.search(reply) or any(map(_PLAYS.search, (*lately, *said))):
        return False
    told = [each for each in said if _ERRAND_TOLD.search(each)]
    asked = any(_ASKS_ERRAND.search(each) for each in said if each not in told)
    claims = (
        _BY_HER.search,
        *([] if told else [_FOR_YOU.match]),
        *([_DONE_AS_ASKED.match] if asked else []),
    )
    sentences = _SENTENCES.findall(_SHOWN.sub(" ", reply))
    return any(
        _is_claimed(each, found) for each in sentences for found in (c(each) for c in claims)
    )


def _is_claimed(sentence: str, found: re.Match[str] | None) -> bool:
    """Whether what was found in a sentence is said to be so: not asked, wished or denied."""
    if found is None or _ASKED_BACK.search(sentence):
        return False
    return not _NO_CLAIM.search(_SOOTHES.sub("", sentence[: found.end()]))


_ERRAND: Final = LatePattern(
    r"[挂订定买点叫打拨付转交充发寄退]|预约|下单|联系|请[好了]?假|报[好了]?[名警]|\b(?:book|reserv|order|pa(?:id|y)|call|phone|rang"
    r"|ring|bought|buy|mail|e-?mail|text|sent|send|appointment|contact|transfer|wired|cancel|schedul)",
    re.IGNORECASE,
)
_PLAYS: Final = re.compile(
    r"扮演|角色|假装|假设|剧本|台词|演[一个段]|[编写讲].{0,3}(?:故事|小说|段子|笑话)|练习|模拟|翻译|造句|你(?:现在)?(?:是|当)(?!不是|说)"
    r"|role.?play|\bpretend|\bplay\b|\bstory\b|\bscript|\bscene\b|\bact (?:as|like)|\bimagine|translat|practi[cs]e"
    r"|\byou are (?:an?|the)\b",
    re.IGNORECASE,
)
_SHOWN: Final = re.compile(
    r"“[^”]*”|「[^」]*」|『[^』]*』|\"[^\"\n]*\"|\*[^*\n]+\*|```.*?(?:```|\Z)", re.DOTALL
)
_SENTENCES: Final = re.compile(r"[^。！？!?\n；;]+[？?]?(?:(?<=\w)\.(?=\w))?")
_NO_CLAIM: Final = re.compile(
    r"[没不别]|如果|要是|假如|[等先](?:你|我)|的话|可以|[能会想该]|打算|需要|准备|好像|仿佛|梦|比如|例如"
    r"|\b(?:if|when|once|would|could|can|should|shall|might|wish|as though|never|not|nothing|dreamt|dreamed|says?|said)\b"
    r"|n['’]t\b|['’]d\b",
    re.IGNORECASE,
)
_ASKED_BACK: Final = re.compile(r"[?？]\s*$|[吗么]\s*$")
_SOOTHES: Final = re.compile(r"没问题|没事|没关系|别[怕急担心慌]+|不用(?:谢|担心)|不客气|不着急")
_THING: Final = (
    r"(?:机票|车票|火车票|高铁票|电影票|门票|[两三一]?张?票|座位?|位[子置]|酒店|房间?|餐厅|饭店|包间|专家?号|号|外卖|奶茶|咖啡|晚饭|午饭|餐|车"
    r"|电费|水费|话费|房租|学费|账单|钱|款|药|快递|邮件|短信|体检|医生|电话)"
)
_DID: Final = (
    rf"(?:(?:挂|订|定|预订|抢|买)(?:[好到上了]{{1,2}})(?:了?[^，,]{{0,6}}{_THING}|了)|(?:预约|挂号|下单)[好上了到成功]{{1,3}}|下好?了单"
    r"|点(?:[好了]{1,2})(?:[^，,]{0,4}(?:外卖|餐|饭|奶茶|咖啡|披萨))|叫(?:[好了到]{1,2})(?:[^，,]{0,3}(?:车|外卖|救护车|120|代驾))"
    r"|(?:打|拨)[过通好了]{1,2}了?(?:个|一个)?(?:电话|120|110)|联系[好上过了]{1,2}|请[好了]{1,2}假|报[好了上]{1,2}[名警]"
    r"|(?:付|转|交|缴|充)[好完过了清]{1,2}(?:了?[^，,]{0,3}(?:款|钱|账|费|租|值))|(?:付款|转账|缴费|充值|付钱)(?:了|好了|成功|给)"
    r"|(?:发|寄)(?:出去?|[了好过]|走了|给)[^，,你]{0,8}(?:邮件|短信|快递|信(?![息号心]))|(?:发|寄)(?:出去|走|好)了|取消[好了]{1,2}[^，,]{0,6}(?:订单|预约|预订|航班|机票))"
)
_THINGS_FIRST: Final = (
    rf"{_THING}(?:我|也|都|已经?|刚才?|[帮给替为][你您])*+"
    r"(?:挂|订|定|预订|抢|买|点|叫|交|缴|付|转|充|发|寄|约|打)(?:[好到上完过了走]{1,2}|出去?)了?"
)
_TO_DO: Final = (
    rf"(?:去)?(?:帮|给|替|为)[你您](?:去)?(?:挂号|预约|预订|下单|叫(?:辆?车|外卖|救护车)|点(?:份|个)?外卖|付款|转账"
    rf"|(?:订|买|抢|定)[^，,]{{0,4}}{_THING}|打[^，,]{{0,3}}电话|发[^，,]{{0,3}}邮件)"
)
_ADVERBS: Final = r"(?:已经?|刚才?|都|也|就|现在|今天|早上)*+"
_WHOM: Final = r"(?:(?:帮|给|替|为|跟|和)[^，,]{1,6}?)?(?:把[^，,]{1,10})?"
_NOW: Final = r"(?:这就|马上|现在就|立刻|立马)"
_OPENS: Final = r"[\s，,]*(?:(?:好[的呀啊]*|嗯+|行|没问题|放心|搞定|别怕|OK|收到|当然|主人|小祥)[了吧啦！!～~，,：:\s]+)*+"
_WHO_EN: Final = (
    r"(?:(?:your|his|her|their|the) (?:mum|mom|mother|dad|father|sister|brother|boss|doctor|dentist|landlord|landlady|bank"
    r"|office|school|wife|husband|partner|friend|vet|gp|insurance|hotel|restaurant|clinic|police|airline|hospital|pharmacy"
    r"|surgery|company|shop|teacher|manager|garage|plumber)|(?:him|her|them)(?=\s*(?:[.,!]|$|for you|about|back|and|just|now"
    r"|already|this|right))|an? (?:taxi|cab|plumber|doctor|ambulance|uber)|an ambulance|911|999|112)"
)
_GOODS_EN: Final = (
    r"(?:the|your|a|an|some|two|three|four|us|it|that|everything|both|tickets|dinner|lunch)\b"
)
_DID_EN: Final = (
    rf"(?:(?:booked|reserved|ordered|pre-?ordered) (?:you )?{_GOODS_EN}"
    r"|scheduled (?:the|your|an?) (?:[a-z]+ )?(?:appointment|call|meeting|visit|delivery)"
    r"|paid (?:for )?(?:off )?(?:the|your) (?:[a-z]+ )?(?:bills?|rent|invoice|deposit|fees?|fine|tickets?|order|taxes|electricity|gas|water|bill)"
    rf"|(?:called|phoned|rang|telephoned|contacted|e-?mailed|texted|messaged|notified) {_WHO_EN}"
    rf"|(?:spoke|talked|got off the phone) (?:to|with) {_WHO_EN}"
    r"|bought (?:you |us )?(?:the |your |two |three |four |a |some )?(?:[a-z]+ )?(?:tickets?|medicine|pills|groceries)"
    r"|(?:transferred|wired) (?:the|your|some|[$€£]?[0-9])"
    r"|sent (?:off )?(?:the|your|an|him|her|them) (?:an? |the |your )?(?:e-?mail|application|letter|invoice|form|parcel|package|money|payment|text)"
    r"|(?:made|placed|submitted|filed) (?:you )?(?:the|your|an?) (?:reservation|booking|appointment|payment|order|application|claim|call to)"
    r"|(?:cancelled|canceled) (?:the|your) (?:[a-z]+ )?(?:booking|order|subscription|appointment|flight|reservation|tickets?))"
)
_BY_HER: Final = LatePattern(
    rf"(?:(?<![你他她它们])|^)我(?!们)(?:{_ADVERBS}{_WHOM}{_ADVERBS}{_DID}|{_NOW}{_TO_DO})|{_THING}我(?:已经?|刚才?|都|也|[帮给替]你)*+(?:挂|订|定|买|抢|点|叫|交|付|转|发|寄|约)[好到上完过了走出去]{{1,3}}"
    rf"|\bi(?:['’]ve| have)?(?: just| already| now| also| even| gone ahead and| went ahead and)* {_DID_EN}"
    rf"|\bi(?:['’]ll| will| am going to|['’]m going to) (?:just |now |go ahead and )?(?:(?:book|reserve|order) {_GOODS_EN}|(?:call|phone|ring|e-?mail|text|contact) {_WHO_EN}"
    r"|pay (?:the|your) (?:bill|rent|invoice|fee))",
    re.IGNORECASE,
)
_FOR_YOU: Final = LatePattern(
    rf"{_OPENS}(?:{_ADVERBS}(?:帮|给|替|为)[你您][^，,]{{0,8}}{_DID}|{_THING}(?:也|都|已经?|刚才?)*+(?:帮|给|替|为)[你您]{_ADVERBS}[^，,]{{0,3}}[好到上完过了走出去]{{1,3}}"
    rf"|{_NOW}{_TO_DO})",
    re.IGNORECASE,
)
"""Nobody is named who did it: she, where nobody else was told of."""

_DONE_AS_ASKED: Final = LatePattern(
    rf"{_OPENS}(?:{_ADVERBS}(?:[挂订定买点叫约付交转发寄办]|预约|预订|下单)[好完出去]{{1,2}}了|{_THINGS_FIRST}"
    r"|(?:(?:ok(?:ay)?|sure|done|great|yes|all set)[\s,.!—-]*)*+(?:(?:all |now |it['’]s |that['’]s |everything['’]s |they['’]re )*+(?:booked|ordered|paid|reserved|sent)\b"
    r"|(?:your|the) [a-z ]{2,20} (?:is|are|has been|have been) (?:now |all )?(?:booked|ordered|paid|reserved|placed|sent|confirmed|cancelled)\b))",
    re.IGNORECASE,
)
_ASKS_ERRAND: Final = LatePattern(
    r"(?:[帮给替]我|麻烦|请|你[去给帮]|能不能|可不可以|可以)[^，,。]{0,16}(?:挂|预约|订|定|买|下单|点|叫|打|付|转|交|充|发|寄|联系|取消)|^(?:订|定|给|叫|约)[个张辆份房我]"
    r"|(?:^|\bplease\b|\b(?:can|could|will|would) you\b)[^.?!]{0,12}\b(?:book|reserve|order|pay|call|phone|ring|e-?mail|text|send|buy|get|schedule|cancel|transfer|make an?)\b",
    re.IGNORECASE,
)
_ERRAND_TOLD: Final = LatePattern(
    r"(?:挂|订|定|买|点|叫|打|付|转|交|发|寄|约|预约)[^，,。]{0,4}[好到过完了]|\b(?:booked|ordered|paid|called|reserved|sent|bought|phoned|texted|emailed)\b",
    re.IGNORECASE,
)


def footnote_of(reply: str, context: TurnContext) -> str:
    """Return what is to stand below a reply where it is not so: a promise, a deed, a harm."""
    told = _harm_denied(reply, context) if context.private else ""
    if told:
        return say(context.spoken, texts.TOLD_OTHERWISE, told=told)
    if named := _named_otherwise(reply, context):
        return say(context.spoken, texts.NAMED_OTHERWISE, told=named)
    if promises_in_vain(reply, context.agent.state):
        return say(context.spoken, reminders.NO_REMINDER_SET)
    said = [each.text for each in context.said]
    if deed := claimed_deed(reply, said):
        return say(context.spoken, _NOT_DONE[deed])
    lately = [each.text for each in context.before[-LINES_OF_PLAY:] if each.role == "user"]
    errand = claims_errand(reply, said, lately)
    return say(context.spoken, texts.NO_ERRAND_RUN) if errand else ""


def _harm_denied(reply: str, context: TurnContext) -> str:
    """Return what the partner told of what harms them, where a reply calls it harmless."""
    known, partner = context.agent.state.memories.values(), context.settings.partner
    asked = "\n".join(each.text for each in context.said)
    fact = harm_made_light_of(reply, asked, known, partner)
    english = context.spoken == "en"
    return spoken_to(fact.words.text, partner, english=english) if fact else ""


def _named_otherwise(reply: str, context: TurnContext) -> str:
    """Return what was told of a name that is asked for, where a reply gives another."""
    asks = filter(None, (_ASKS_WHOSE_NAME.search(each.text) for each in context.said))
    if not context.private or (asked := next(asks, None)) is None:
        return ""
    partner, english = context.settings.partner, asked["zh"] is None
    facts = (m for m in context.agent.state.memories.values() if m.is_living_fact and not m.sealed)
    known = [spoken_to(each.words.text, partner, english=english) for each in facts]
    whose = (asked["zh"] or asked["en"]).lower()
    return name_given_otherwise(reply, [each for each in known if whose in each.lower()])


def name_given_otherwise(reply: str, told: Sequence[str]) -> str:
    """Return what tells the name of the one who is asked for, where a reply gives another.

    ``told`` is all that is known of any such one: of several nobody knows who is meant. A part of
    the name, or what begins alike, is no other.

    >>> name_given_otherwise("他叫小强。", ["你弟弟叫小刚"])
    '你弟弟叫小刚'
    >>> name_given_otherwise("Tommy, he is called Tommy.", ["your brother is called Tom"])
    ''
    """
    named = {found["zh"] or found["en"]: found[0] for x in told if (found := _TELLS_NAME.match(x))}
    given = [found["zh"] or found["en"] for found in _GIVES_NAME.finditer(reply)]
    if len(named) != 1 or not given or any(map(_SEVERAL.search, told)):
        return ""
    ((name, fact),) = named.items()
    alike = name in reply or any(_is_alike(each, name) for each in given)
    return "" if alike else fact


def _is_alike(name: str, other: str) -> bool:
    if name.isascii():
        return name[:2].casefold() == other[:2].casefold()
    return not {*name.lstrip(_BEFORE_NAMES)}.isdisjoint(other.lstrip(_BEFORE_NAMES))


_BEFORE_NAMES: Final = "小阿老大"
_KIN_ZH: Final = (
    "(?:弟弟|哥哥|妹妹|姐姐|老公|丈夫|老婆|妻子|女朋友|男朋友|妈妈|爸爸|儿子|女儿|室友|老板|猫|狗)"
)
_KIN_EN: Final = (
    "(?:brother|sister|husband|wife|girlfriend|boyfriend|mum|mom|mother|dad|father|son|daughter"
    "|flatmate|roommate|boss|cat|dog)"
)
_ASKS_WHOSE_NAME: Final = LatePattern(
    rf"(?<![你他她它])我(?:家)?的?(?P<zh>{_KIN_ZH})(?:的?名字)?(?:是|叫)(?:什么|啥)"
    rf"|\bwhat(?:['’]?s| is) my (?P<en>{_KIN_EN})(?:['’]s name| called| named)\b",
    re.IGNORECASE,
)
_NAME_ZH: Final = "(?P<zh>(?![什啥我你他她它])[一-鿿]{2,4}?)"
_NAME_EN: Final = "(?P<en>[A-Z][a-z]+)"
_TELLS_NAME: Final = LatePattern(
    rf"(?:你家?的?{_KIN_ZH}(?:的?名字)?|你(?:有|养了?)一?[个只条]{_KIN_ZH}，?)(?:是|名?叫做?){_NAME_ZH}$"
    rf"|(?i:your {_KIN_EN}(?:['’]s name is| is called| is named)|you have an? {_KIN_EN},? (?:called|named)) {_NAME_EN}$"
)
_GIVES_NAME: Final = LatePattern(
    rf"(?:[他她它]|你家?的?{_KIN_ZH})(?:就|是|的名字)?(?:名?叫做?|(?<=名字)是){_NAME_ZH}(?=[呀啊呢哦吧嘛啦]*(?:[，,。！!~～\s]|$))"
    rf"|\b(?i:(?:he|she|it|your {_KIN_EN})(?:['’]s| is) (?:called|named)|(?:his|her|its|your {_KIN_EN}['’]s) name(?:['’]s| is)) {_NAME_EN}\b"
)
_SEVERAL: Final = re.compile(
    r"[两三四几二2-9][个只条]|俩|们|[大小二]弟|以前|曾|前任|\b(?:two|three|used to|former|ex)\b|\w{2}(?:ers|sons|cats|dogs)\b"
)
"""Words of more than one, or of one before."""


_NOT_DONE: Final[Mapping[Claim, Sentence]] = {
    "erased": texts.NOTHING_ERASED,
    "pinned": texts.NOTHING_PINNED,
    "changed": texts.NOTHING_CHANGED,
}


def marked_as_cut(reply: GeneratedReply, context: TurnContext) -> GeneratedReply:
    """Return a reply that is not whole with the offer to go on, others as they are."""
    match reply.cut:
        case "":
            return reply
        case "limit":
            sentence = texts.CUT_AT_LIMIT
        case "filter":
            sentence = texts.CUT_BY_FILTER
        case never:
            assert_never(never)
    # Remembered with its mark, so that "go on" finds what there is to go on with.
    line = say(context.spoken, sentence)
    return replace(reply, text=cut_with_line(reply.text, line))
