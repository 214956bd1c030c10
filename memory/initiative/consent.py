"""Whether she may begin: asked once, answered by a button or in words, and taken back in words.

Rules only. 别打扰我 and "leave me alone" are understood at any time, whether she asked or not. By
which words what was asked for is taken back stands here as well: 别再提醒我喝水, "cancel that".
"""

import re
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from memory.initiative.intentions import reply_id
from memory.initiative.manners import hours_asked
from memory.initiative.occasions import occasions_said
from memory.model import Message
from memory.offline.vocabulary import MAY_I_BEGIN
from memory.reminder import Intention
from memory.state import MemoryState
from memory.text.corrections import says_what_is_right
from memory.text.late_pattern import LatePattern
from memory.text.passed_on import own_words_of
from memory.text.requests import LetGo, asks_to_let_go
from memory.text.word_forms import SIMPLIFIED

Choice: TypeAlias = Literal["yes", "no"]

LONGEST: Final = 60
"""Longer messages say more than that, and are answered as such."""

_LEAD_ZH: Final = r"(?:小祥|拜托|求你|求求你|请|你|以后|最近|这几天|那|好了|算了|麻烦|能不能|可不可以|当然|可以|[好行嗯]|[呀啊的吧呢]|先|就|有空|没事|平时|无聊了?|闲了|想聊天?了?|的时候|的话|[，,。！!~～\s])*"
_TAIL_ZH: Final = (
    r"(?:了|的|哈|就[好行]|吧|啦|呀|啊|哦|好吗|好不好|行吗|可以吗|谢谢|[，,。！!~～\s])*"
)
_TALK_ZH: Final = r"(?:聊(?:聊?天|聊|一聊|一下|[一几]?[句会]儿?天?)?|说(?:说话|会儿?话|说|话)|唠(?:唠嗑?|嗑)?|谈谈心|谈心)?"
"""To what end she comes: 找我聊, 找我说说话."""
_NO_ZH: Final = (
    r"(?:别|不要|不用|不许|不准|甭|停止|少)(?:再|老|总|一直|来)*"
    rf"(?:打扰我|烦我|吵我|(?:主动)(?:来)?(?:找我|联系我|发(?:消息|信息)?(?:给我)?|跟我说话|给我发(?:消息|信息)?){_TALK_ZH}"
    rf"|(?:来)?找我{_TALK_ZH}|给我(?:主动)?发(?:消息|信息)|联系我)"
    r"|让我(?:一个人)?(?:静(?:一?静|一下|一会儿?)|待(?:着|会儿?|一会儿?)|清静(?:一下)?)|离我远点|我想一个人(?:静静|待着|待会儿?)"
)
_REACHES_ME: Final = rf"(?:(?:来)?找我|联系我|发(?:消息|信息)(?:给我)?|给我发(?:条|个)?(?:消息|信息)|跟我说话){_TALK_ZH}"
_YES_ZH: Final = (
    # 你能先给我发消息吗 alone asks whether she can.
    rf"(?:准许?|允许|批准|同意|许)你(?:随时|主动|先|来)+{_REACHES_ME}|(?:又|还是|可以|能|欢迎你?|尽管|随时|记得)*主动(?:来)?{_REACHES_ME}|(?:可以|能|欢迎|尽管|随时|[好行嗯])[呀啊的]?[，,\s]*你?(?:随时|尽管|可以|来)*先(?:来)?{_REACHES_ME}"
    rf"|(?:能(?:先|主动){_REACHES_ME}[吗么嘛][，,？?\s]*)?(?:你)?(?:要是)?(?:想我|想聊天?|无聊|闷)了?(?:的话|的时候)?(?:可以|尽管|随时|就|先|主动|直接)+(?:{_REACHES_ME}|发)|"
    rf"(?:又|还是|现在)?(?:可以|能|欢迎你?|尽管|随时|记得|多)(?:再|随时|多|可以)*(?:主动|来|偶尔|开始|重新)+(?:找我|联系我|给我发(?:消息|信息)|问我){_TALK_ZH}"
    rf"|多?主动(?:来)?找我{_TALK_ZH}|(?:又|再)?可以打扰我|(?:多?来|再来|回来)找我{_TALK_ZH}"
)
_NO_EN: Final = (
    r"leave me (?:alone|be)|stop (?:bothering|pestering|messaging|texting|pinging|writing(?: to)?) me"
    r"|(?:do not|don['’]?t|never|please don['’]?t) (?:bother|disturb|pester) me"
    r"|(?:do not|don['’]?t|never) (?:message|text|write(?: to)?|ping|contact) me(?: first| unasked| out of the blue| on your own)?"
    r"|give me (?:some |a bit of )?space|i (?:want|need) to be (?:left )?alone"
)
_WRITES_ME: Final = r"(?:start a (?:chat|conversation|talk) with|reach out to|message|text|write(?: to)?|ping|messaging|texting|contact) me"
_ANY_TIME: Final = r" any ?time| whenever (?:you|u) (?:like|want|feel like it)"
_YES_EN: Final = (
    rf"(?:(?:you|u) (?:can|may)(?: always)?|feel free to|(?:please )?do|please|go ahead and|(?:you(?:['’]re| are) )?welcome to|i(?:['’]d| would) like you to) (?:start )?(?:{_WRITES_ME}(?: first(?: sometimes)?| again| first again| unasked{_ANY_TIME})+|(?:write|text|message) first)"
    rf"|{_WRITES_ME}(?: first)?(?:{_ANY_TIME})+"
)
_END_EN: Final = r"(?: again| any ?more| for now| now| today| please| thanks| ok(?:ay)?|[\s,.!])*"
_SAYS: Final[dict[Choice, LatePattern]] = {
    "no": LatePattern(
        rf"{_LEAD_ZH}(?:{_NO_ZH}){_TAIL_ZH}|(?:xiaoxiang|please|no|nope|ok(?:ay)?|just|can you|could you|so|[\s,])*"
        rf"(?:{_NO_EN}){_END_EN}",
        re.IGNORECASE,
    ),
    "yes": LatePattern(
        rf"{_LEAD_ZH}(?:{_YES_ZH}){_TAIL_ZH}|(?:xiaoxiang|ok(?:ay)?|now|so|ye(?:s|ah|p)|sure|of course|absolutely|please do|[\s,.!])*(?:{_YES_EN}){_END_EN}",
        re.IGNORECASE,
    ),
}

_AGREES: Final = LatePattern(
    r"(?:嗯++|好+|好[的呀啊吧哒]+|可以|行|行[啊呀吧]|没问题|当然|当然可以|是|是的|对|对[的啊呀]|还是|没错|同意|要|想|ok|okay|ye(?:s|ah|p)|sure|of course|fine"
    r"|you may|please do|go ahead|absolutely|definitely|still(?: so| true)?|it is|it does|yes,? (?:it is|you may|please|of course|still))"
    r"[呀啊的吧哦啦，,。.!！~～\s]*(?:可以|好|好的|谢谢|thanks|please)?[。.!！~～\s]*",
    re.IGNORECASE,
)
_DECLINES: Final = LatePattern(
    r"(?:不+|不用了?|不要了?|不必了?|别|不行|不好|不可以|算了(?:吧)?|不是了?|不对|早就?不是了|已经不是了|没有了?|no+|nope|nah|no thanks?|no thank you|not really"
    r"|rather not|please don['’]?t|no longer|not any ?more|no,? (?:not any ?more|thanks?|please don['’]?t))"
    r"[呀啊的吧哦啦，,。.!！~～\s]*(?:谢谢|thanks|thank you)?[。.!！~～\s]*",
    re.IGNORECASE,
)


_THANKS_ZH: Final = 4
_THANKS_EN: Final = 12
"""So many characters are thanks, and no more was said."""
_FIRST_CLAUSE: Final = LatePattern(r"[，,。！!；;]\s*|[.]\s+")
_HEDGES: Final = LatePattern(
    r"但|不过|只是|可是|别|不|算了|\b(?:but|though|only|never ?mind|not|no)\b|n['’]t\b",
    re.IGNORECASE,
)
"""After these a yes is half a no, and is not taken for one."""


def choice_said(
    said: Sequence[Message], before: Sequence[Message], state: MemoryState, *, private: bool
) -> Choice | None:
    """Return whether somebody tells her, in private, that she may begin or may not; else None."""
    if not private:
        return None
    # Whose words they are is dearer to tell, and asked only of what looks like a choice.
    if any(_says(each) is not None for each in said):
        for own in own_words_of(said, before):
            choice = _says(own)
            if choice is not None:
                return choice
    if state.agent_info.settings.begins == "asked" and before and _asks(before[-1]):
        return answer_said(said)
    return None


def quiet_said(
    said: Sequence[Message], before: Sequence[Message], state: MemoryState, *, private: bool
) -> str | None:
    """Return the hours within which somebody tells her, in private, not to write first."""
    known = state.agent_info.settings.quiet_hours
    if not private or not any(_hours_in(_plain(each), known) for each in said):
        return None
    own = (_hours_in(_plain(each), known) for each in own_words_of(said, before))
    return next(filter(None, own), None)


def _hours_in(text: str, known: str) -> str | None:
    """Return the quiet hours a message asks for, be it behind a yes: 可以，但晚上十点后别找我."""
    first, rest = (*_FIRST_CLAUSE.split(text, maxsplit=1), "")[:2]
    behind = _BUT.sub("", rest) if _AGREES.fullmatch(first) else ""
    return hours_asked(text, known) or hours_asked(behind, known)


_BUT: Final = LatePattern(r"^(?:但是?|不过|只是|but|just|only)[\s，,]*", re.IGNORECASE)


def topic_said(
    said: Sequence[Message], before: Sequence[Message], *, private: bool
) -> tuple[LetGo, str] | None:
    """Return what somebody asks her, in private, not to bring up, or to bring up again."""
    if not private or not any(asks_to_let_go(each.text) for each in said):
        return None
    own = [asks_to_let_go(each.text) for each in own_words_of(said, before) if each.role == "user"]
    return next((each for each in own if each and each[0] in {LetGo.LEAVE, LetGo.TAKE_UP}), None)


def _says(message: Message) -> Choice | None:
    text = _plain(message)
    for choice, pattern in _SAYS.items():
        if text and pattern.fullmatch(text):
            return choice
    return None


def _plain(message: Message) -> str:
    text = message.text.strip().translate(SIMPLIFIED)
    return text if message.role == "user" and len(text) <= LONGEST else ""


def _asks(line: Message) -> bool:
    return line.role == "assistant" and line.text.rstrip().endswith(tuple(MAY_I_BEGIN.values()))


_ANY_HOURS: Final = "22-9"  # which ones are known says nothing of whether others are asked for


def answer_said(said: Sequence[Message]) -> Choice | None:
    """Return yes or no where that is said first, and not taken back in the same breath."""
    text = _plain(said[0]) if len(said) == 1 else ""
    first, rest = (*_FIRST_CLAUSE.split(text, maxsplit=1), "")[:2]
    for part in (text, "" if _HEDGES.search(rest) and not _hours_in(text, _ANY_HOURS) else first):
        if _DECLINES.fullmatch(part):
            # 不对，手术是9月16号 puts something right, and declines nothing.
            return None if part != text and says_what_is_right(text) else "no"
        if _AGREES.fullmatch(part):
            return "yes"
    return None


def says_more(message: Message) -> bool:
    """Whether a message goes on after its first clause, beyond thanks: 好，那我先睡了."""
    rest = "".join(_FIRST_CLAUSE.split(message.text.strip(), maxsplit=1)[1:])
    return len(rest) > (_THANKS_EN if rest.isascii() else _THANKS_ZH)


def may_ask(
    said: Sequence[Message], before: Sequence[Message], state: MemoryState, *, private: bool
) -> bool:
    """Whether the reply to this is the one in which she asks whether she may begin.

    Once, in private, when the first occasion comes to come back to something.
    """
    settings = state.agent_info.settings
    if settings.begins or not private or not settings.learning:
        return False
    return bool(occasions_said(said, before, settings.zone))


def review_answered(
    said: Sequence[Message], before: Sequence[Message], state: MemoryState
) -> tuple[Intention, Choice] | None:
    """Return the question whether something still holds, and the yes or no to it, in words."""
    last = before[-1] if before else None
    if last is None or last.role != "assistant":
        return None
    asked = next(
        (e for e in state.intentions.values() if e.kind == "review" and reply_id(e) == last.id),
        None,
    )
    answer = answer_said(said) if asked is not None and asked.answered_at is None else None
    return (asked, answer) if asked is not None and answer else None


_ENDS_ZH: Final = LatePattern(
    r"^(?:算了|小祥|请|麻烦|拜托|那|以后|从今天起|从现在起|现在|已经|都|就|你|[，,、\s])*(?:(?:别|不用|不要|不必|甭|无需|停止|不需要)(?:你|再|总|老|一直|每天|每次|继续)*(?:提醒|叫|喊)(?:我|大家)们?(?P<a>[^，,。！!？?]*)|(?:不用|不要|不必)(?:你|再)*提醒(?![我你您他她它咱人大别])(?P<e>[^，,。！!？?]{1,20}?)(?:了|啦)|(?:把|将)?(?P<b>[^，,。！!？?]{0,20}?)的?(?:那个|这个)?(?:提醒|闹钟)(?:都|全|可以|就)*(?:取消|删|停|关|撤|不要|不用)(?:掉|了|吧|啦)*"
    r"|(?:取消|删掉|删除|停掉|停止|关掉|撤掉|去掉)(?P<c>[^，,。！!？?]{0,20}?)的?(?:那个|这个)?(?:提醒|闹钟)(?:了|吧|啦)*|(?P<d>[^，,。！!？?]{1,20}?)(?:不用|别|不要|不必)(?:你|再)*(?:提醒|叫|喊)我?(?:了|啦|吧)+)[\s，,。！!~～]*$"
)
_ENDS_EN: Final = LatePattern(
    r"^(?:xiaoxiang|please|ok(?:ay)?|hey|never ?mind|nvm|actually|oh|no|wait|sorry|can you|could you|from now on|now|and|so|you can|[,\s])*(?:(?:stop|quit) reminding me(?P<a>[^.!?]*)|(?:don['’]?t|do not|no need to|(?:you )?need(?:n['’]?t| not)|you (?:don['’]?t|do not) (?:need|have) to|there is no need to) (?:keep )?remind(?:ing)? me(?P<b>[^.!?]*)"
    r"|(?:cancel|delete|remove|drop|turn off|end|forget(?: about)?|scrap|scratch|kill|get rid of|clear) (?:(?:the|my|that|this|all(?: the| my)?) ?|(?=(?-i:[A-Z])[\w-]+['’]s ))(?P<c>[^.!?]{0,30}?) ?(?:reminder|alarm)s?(?: (?P<d>(?:for|to|about|of) [^.!?]+))?"
    r")(?:,? please)?[\s.!]*$",
    re.IGNORECASE,
)
_ANY_MORE: Final = LatePattern(
    r"(?:了|啦|吧|的事|这件事|\b(?:any ?more|please|again|thanks|now|from now on))+$|^(?:去|要|该|about|to|of|for|the|my|that|all)\b"
    r"|^(?:去|要|该|那个|这个|所有|全部)",
    re.IGNORECASE,
)
LONGEST_ENDING: Final = 60


def ending_request(text: str) -> str | None:
    """Return which reminder a message asks to end, in its own words, "" for whichever there is.

    None if it asks nothing of the kind: 别提醒他, 妈妈让我别再提醒她, "don't remind me of you".
    """
    plain = text.strip().translate(SIMPLIFIED) if not text.isascii() else text.strip()
    if len(plain) > LONGEST_ENDING:
        return None
    found = _ENDS_ZH.match(plain) or _ENDS_EN.match(plain)
    if found is None:
        return None
    matter = next((each for each in found.groups() if each), "").strip(" ,，、")
    while (shorter := _ANY_MORE.sub("", matter).strip(" ,，、")) != matter:
        matter = shorter
    return matter


_TAKES_BACK: Final = LatePattern(
    r"(?:小祥|哦|啊|嗯|哎呀?|唉|那|还是|就|先|把|刚才|刚刚|[那这][个条]|[，,\s])*(?:(?:算了|取消|撤[了掉]|作废|删[了掉]|当我没说|(?:不用|不要|不必|不需要|别)(?:提醒|叫|记)?[了啦])(?:吧|掉|了|啦|呀|[那这][个条]|刚才那?[个条]|[，,\s])*){1,3}[。.！!~～]*"
    r"|(?:oh|no|ok(?:ay)?|wait|actually|sorry|hm+|well|xiaoxiang|please|[,.\s])*(?:(?:never ?mind|nvm|no need|not needed|don['’]?t bother|i take that back|i (?:don['’]?t|do not) need (?:it|that)"
    r"|(?:cancel|scrap|scratch|forget(?: about)?|drop|delete|remove|ignore|skip) (?:that|it|this)(?: one)?)(?: any ?more| please| then| now|[,.\s])*){1,2}[.!\s]*",
    re.IGNORECASE,
)


def takes_back(text: str) -> bool:
    """Whether a message only takes back what was asked for just before: 算了, "cancel that"."""
    plain = text.strip().translate(SIMPLIFIED)
    if ending_request(text) == "" and _POINTS.search(plain):
        return True
    return len(plain) <= LONGEST_ENDING and _TAKES_BACK.fullmatch(plain) is not None


_POINTS: Final = LatePattern(r"[那这刚][个条才刚]|\b(?:that|this)\b", re.IGNORECASE)


def names_reminder(text: str) -> bool:
    """Whether a message that ends something names a reminder outright, and not only a wish."""
    return _NAMES.search(text.translate(SIMPLIFIED)) is not None


_NAMES: Final = LatePattern(r"(?:提醒|闹钟)(?!我|他|她)|\b(?:reminder|alarm)s?\b", re.IGNORECASE)

END_NTH: Final = LatePattern(
    r"(?:小祥|请|麻烦|帮我|那|就|把|[，,\s])*(?:取消|删掉?|删除|停掉|关掉|去掉|不要)(?P<a>(?:第[一二两三四五六七八九十0-9]{1,2}|最后一)[个条项])[了吧啦。.！!\s]*"
    r"|(?:please |ok(?:ay)?,? |now )*(?:cancel|delete|remove|drop|end) (?P<b>the (?:first|second|third|fourth|fifth|last)|number [0-9]{1,2})(?: one)?(?: please)?[\s.!]*",
    re.IGNORECASE,
)
BACK: Final = LatePattern(
    r"(?:小祥|请|麻烦|帮我|那|还是|[，,\s])*(?:(?:把|将)?(?P<a>[^，,。！!？?]{0,20}?)的?(?:那个|这个)?(?:提醒|闹钟)(?:再|给我|又)*(?:恢复|加回来|找回来|打开|开启)(?:一下)?"
    r"|(?:恢复|找回|重新(?:打开|开启|设上))(?:一下)?(?P<b>[^，,。！!？?]{0,20}?)的?(?:那个|这个)?(?:提醒|闹钟))[了吧啦。.！!\s]*"
    r"|(?:please |can you |could you |ok(?:ay)?,? )*(?:bring back|restore|reinstate|resume|reopen|put back|turn back on)(?: (?:the|my|that))?(?P<c> [^.,!?]{0,30}?)? ?\b(?:reminder|alarm)"
    r"(?: (?:for|to|about|of) (?P<d>[^.!?]{1,30}?))?(?: please)?[\s.!]*",
    re.IGNORECASE,
)


def asks_to_undo(text: str) -> bool:
    """Whether a line asks for the last step back, in words and without saying which.

    >>> asks_to_undo("撤销上一步吧"), asks_to_undo("undo that"), asks_to_undo("undo the top button")
    (True, True, False)
    """
    return bool(_UNDO.fullmatch(text))


_UNDO: Final = re.compile(
    r"(?:请|帮我|小祥|[，,\s])*(?:撤[销回消]|撤銷|撤回)(?:上一步|一下|刚才的|剛才的)?[吧了。.！!\s]*"
    r"|(?:please )?undo(?: (?:that|it|the last (?:step|one|change)))?[\s.!]*",
    re.IGNORECASE,
)


def matter_told(what: str) -> str:
    """Return a matter without the words that name it as something told.

    >>> matter_told("我说的银行卡"), matter_told("that thing I told you about the lease")
    ('银行卡', 'the lease')
    """
    return _SAID_OF_IT.sub("", what) or what


_SAID_OF_IT: Final = re.compile(
    r"^(?:我|之前|以前|刚才|刚刚|昨天|上次|跟你|和你|给你|告诉你?|[说讲提聊]|过|到|起)+的(?=..)"
    r"|^(?:关于|有关)(?=..)"
    r"|^(?:那|这)(?:[件个些张]|回)(?:事情?)?(?=..)|(?<=..)的?(?:那|这)?(?:件|个)?事情?儿?$"
    r"|^(?:(?:the |that )?(?:thing|stuff|bit|part)s? (?:i (?:said|told you) )?about )"
    r"|^what i (?:said|told you) about ",
    re.IGNORECASE,
)
"""What stands around a matter named as something told: 我说的银行卡, 那件打翻花瓶的事."""
