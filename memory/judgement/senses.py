"""How a folded clause is meant: the marks under which its words do not hold as they stand.

A sentence may be told shorter, but not without what turns its sense: whoever drops 如果, "my
doctor thinks" or "used to" says something else. Each family of marks is a closed class of words.
"""

import re
from collections.abc import Iterator
from typing import Final

from memory.judgement.marks import WORDS, Sense
from memory.offline.claimed import OF_THE_MOMENT
from memory.offline.vocabulary import is_question
from memory.text.late_pattern import LatePattern
from memory.text.slot_cues import FICTION, IN_JEST_BEFORE, JEST, ROLE_SELF
from memory.text.stretches import hangs_on

_ZH: Final = {sense: LatePattern(words) for sense, (words, _) in WORDS.items() if words}
_EN: Final = {sense: LatePattern(words) for sense, (_, words) in WORDS.items() if words}

AHEAD: Final = frozenset({Sense.PAST, Sense.CONDITION, Sense.REPORT, Sense.FRAME})
"""Marks that hold on for the rest of the sentence."""

GOVERNING: Final = frozenset({Sense.FEAR, Sense.WISH, Sense.DOUBT})
"""Marks that are about the next clause where the word for them ends their own."""

_GOVERNS: Final = LatePattern(
    r"(?:担心|擔心|[怕盼想]|希望|以为|以為|觉得|覺得|怀疑|懷疑)$"
    r"|\b(?:hop(?:e|es|ing)|wish(?:es)?|afraid|scared|worr(?:y|ies|ied)|thinks?|thought|suspects?)"
    r"(?: that)?$"
)

AROUND: Final = frozenset({Sense.EXCEPTION})
"""Marks that concern the whole sentence, wherever they stand in it."""

_NOW: Final = LatePattern(
    r"现在|現在|如今|目前|这会儿|今后|从.{1,6}[起开]"
    r"|后来|後來|[0-9一二两三四五六七八九十]年前|去年|今年|\b(?:now|nowadays|these days|today)\b",
    re.IGNORECASE,
)

_JEST: Final = LatePattern(
    r"开玩笑|開玩笑|骗你的|逗你的|瞎编的|我编的|\b(?:just kidding|(?<!am i )kidding|joking|jk)\b"
    # Whoever agrees so loudly with nobody means it the other way: "oh yeah im basically a chef".
    r"|\A\W*(?:oh )?(?:yeah|sure|right),? i['’]?m "
    r"(?:basically|totally|clearly|obviously|definitely|such)\b"
    r"|\A\W*(?:对[，, ]?){2,}[，, ]*我就是|\A\W*(?:是[，, ]?){3,}[，, ]*我就是"
    # *draws sword*: what a player does begins the message.
    r"|\boh (?:sure|joy|great)\b|\byeah,? right\b|\A\s*\*[^*\n]{2,80}\*",
    re.IGNORECASE,
)

DENIED_PLAY: Final = LatePattern(
    r"(?:不是?|没有?|別|别)(?:在|跟你|和你|玩|搞|做){0,2}(?:角色扮演|扮演|假装|开玩笑|演戏)"
    r"|(?:\b(?:not|no|never|stop)|n['’]?t) (?:\w+ ){0,2}?"
    r"(?:role-?play(?:ing)?|pretend(?:ing)?|kidding|joking)\b",
    re.IGNORECASE,
)
"""Words by which somebody says that they mean what they say."""

# What somebody goes on to do for themselves is no longer what they were told.
_REACTS: Final = LatePattern(r"(?:所以|于是|因此)?[我俺](?:就|又|便|只好|只能|现在|赶紧|立马)")

# 叫我阿远吧 asks and doubts nothing.
_BIDS: Final = LatePattern(r"[叫喊][我俺]|称呼[我俺]|(?<!要不)改[成叫为]")

# A clause that says nothing but how sure the rest is.
_HEDGE: Final = LatePattern(
    r"\s*(?:不确定|不太确定|没准|不好说|说不准|谁知道|不知道"
    r"|(?:but |though )?(?:i['’]?m )?(?:not (?:really |quite"
    r" )?sure|unsure)"
    r"|(?:i )?(?:dunno|guess|think|suppose|reckon)|we['’]?ll see|maybe(?: not)?|who knows|not"
    r" sure (?:yet|though|tho)|or not)\s*(?:yet|though|tho|but)?\s*",
    re.IGNORECASE,
)

_UNIVERSAL: Final = LatePattern(
    r"都|所有|全部|每|什么|\b(?:all|every\w*|any\w*|always|both)\b", re.IGNORECASE
)

_CONTRAST: Final = LatePattern(
    r"^(?:但|可是|就是|只是|只有|不过|除了|唯独)|^(?:but|except|only|just not|not)\b",
    re.IGNORECASE,
)

NEGATION: Final = LatePattern(
    r"哪(?=[有能会敢])|谁说|難道|难道|不(?!错|錯|仅|但(?=是|会)|止|断|久|同|管|如|论|过(?!敏|来)|好意思|客气|由得|禁|光|少)"
    r"|没(?!关系|问题|准|事)|沒(?!關係|問題|事)|冇|唔(?!好意思|該|该)|无法|無法|毫无|(?<![特级分性区告差识类鉴送辨离])别(?!人|的|墅|致|名|扭|家|处|说)|勿|未(?!来|來|免"
    r"|婚|必)|戒(?!指)|讨厌|討厭|厌恶"
    r"|反感|受不了|(?<![怨仇恼])恨(?!不)|拒绝|拒絕|不再"
    r"|\b(?:trouble|difficulty|unable|not|no(?!\s+(?:problem|worries|doubt|wonder|idea))|nope"
    r"|nah|never|none|neither|nor|nobody|nothing|who says|as if|without|hardly"
    r"|hates?|hated|hating|dislikes?|disliked|detests?|refus(?:e|es|ed|ing)|avoids?|cannot"
    r"|ain['’]?t"
    r"|(?:ca|do|does|did|wo|is|are|was|were|has|have|had|could|would"
    r"|should)n['’]?t)\b(?!\s+only)|n['’]t\b",
    re.IGNORECASE,
)

NEUTRAL: Final = LatePattern(
    r"忍不住|不得不|差不多|对不起|對不起|了不起|来不及|睡不着(?=觉?[。，]?$)|要不然|不然|不一会|不是吗|对不对|是不是|有没有|要不要|不好意思|唔好意思"
    r"|不是(?:[我俺他她它]|说)?[不没讨]|不是(?=[^，]{1,6}就是)|没有不|不能不|不可能不|(?P<a>[\u4e00-\u9fff])[不没](?P=a)"
    r"|can['’]?t wait|why not|不要紧|没想到"
    r"|不知不觉|不怎么样|不确定|不知道"
    r"|(?:isn['’]?t|not) (?:that|because) (?:\w+ ){1,3}?(?:dislike|hate|don['’]?t|doesn['’]?t)"
    r"|not bad|no longer|not sure|don['’]?t know|nothing but|couldn['’]?t be happier|not"
    r" un\w+|when not|不常|不太|不怎么|不经意|恨不得|巴不得|不见不散"
)
"""Phrases with a negator that deny nothing, or that are another mark."""


_ASKS: Final = LatePattern(
    r"[吗嗎么]$|(?P<a>[\u4e00-\u9fff])[不没沒](?P=a)|是否|^(?:什么|怎么|为什么|谁|哪|多少|几点)"
    r"|^(?:那)?(?!在)[你您]?[\u4e00-\u9fff]{0,3}(?<![着在])呢$|(?:什么|怎么|为什么|谁|哪|多少|几).{0,6}呢$|要不要|该不该|能不能|会不会"
    r"|(?:什么|怎么|为什么|谁|哪里|哪儿|多少)(?:的|了|样|办)?$"
    r"|^(?:do|does|did|is|are|am|was|were|can|could|would|will|should|have|has)(?:n['’]t)?"
    r" (?:i|you|we|he|she|it|they|my|your|his|her|our|their|the|this|that|there|any\w*"
    r"|some\w*|[0-9]+)\b"
    r"|^(?:what|who|where|when|why|how|which)(?:['’]?s| (?:is|are|do|does|did|was|were|will"
    r"|would|can|could|should|about|come|many|much|long|old))\b"
)


_LATIN: Final = LatePattern(r"[a-z]")


def is_jest(text: str) -> bool:
    """Tell whether a message says that it jests: nothing in it is meant."""
    return bool(_JEST.search(DENIED_PLAY.sub(" ", IN_JEST_BEFORE.sub("", text))))


def may_be_play(text: str) -> bool:
    """Tell whether a message shows that it may be a jest, a role or a quotation.

    A lol in passing shows nothing; a loud laugh at the end may.
    """
    meant = DENIED_PLAY.sub(" ", text)
    return is_jest(text) or any(each.search(meant) for each in (JEST, FICTION, _UNMEANT, _ROLE))


def begins_role(text: str) -> bool:
    """Tell whether a message speaks of playing, or in a role."""
    return bool(_ROLE.search(DENIED_PLAY.sub(" ", text)))


_ROLE: Final = LatePattern(
    rf"{ROLE_SELF}|扮演|角色|假装|剧本|人设|台词|对戏|演(?:一?[个段场]|戏|的是)|cosplay"
    r"|\b(?:role-?play\w*|pretend\w*|in character|make-?believe|as if (?:you|i) (?:were|was)"
    r"|you be the|i(?:.ll| will) be the|dungeons?)\b",
    re.IGNORECASE,
)

_UNMEANT: Final = LatePattern(
    r"才怪|假的|骗你|瞎(?:说|编|掰)|胡(?:说|扯)|编的|闹着玩|吹牛|玩梗|段子|狗头|歌词|名言"
    r"|[“”「」『』《》]|(?<!\w)\"[^\"\n]{2,}\"|(?<!\w)/s\b"
    r"|\b(?:psych|sike|april fools?|kidding|joke|joking|jk|made (?:that|it) up|lyrics?"
    r"|messing with you|pulling your leg|teasing you|as (?:the song|they) (?:goes|says?))\b"
    r"|(?:哈{3,}|\bhaha(?:ha)+h?|\b(?:lmao|rofl)|[🤣😂😜😝🙃😏]|\[doge\])[\s。.!！~～哈]*$",
    re.IGNORECASE,
)


def tells_nothing(text: str) -> bool:
    """Tell whether a text states nothing in any clause: it asks, greets, sighs, bids or supposes.

    A small model copies the line it is asked about, whatever that is.
    """
    if _OWNS_TO_JEST.search(text):
        return True
    parts = [each.strip() for each in _PIECES.split(f"{text[:_LONGEST_IDLE]}\n") if each.strip()]
    supposed = bool(parts) and _UNREAL.match(parts[0]) is not None
    return supposed or all(_is_idle(part) or _only_asks(part) for part in parts)


def _is_idle(clause: str) -> bool:
    """Tell whether a clause greets, sighs or takes leave, and nothing else."""
    # Where they left their keys is told of them, however soon it is over.
    clause = clause if "在" in clause else re.sub("^(?:主人|用户)", "我", clause)
    return bool(_IDLE.fullmatch(clause) or OF_THE_MOMENT.fullmatch(clause))


def _only_asks(clause: str) -> bool:
    """Tell whether a clause asks or bids her something; 主人想知道怎么做 tells of who wonders."""
    if _ASKS_HER.match(clause):
        return True
    return (is_question(clause) or bool(_ASKS_AT_END.search(clause))) and not _TELLS.search(clause)


_LONGEST_IDLE: Final = 300

_PIECES: Final = LatePattern(
    r"(?<=[?？])|[，,。！!；;~～…\n]+\s*|\.+(?=\s|$)|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])"
)

_OWNS_TO_JEST: Final = LatePattern(
    r"(?:逗|骗|哄)你(?:的|玩)|(?:^|[，,\s])(?:跟你)?开玩笑(?:的|呢|啦)|\bjust kidding\b|\bjk\b",
    re.IGNORECASE,
)

_ASKS_AT_END: Final = LatePattern(
    r"(?:记得|晓得|知道|认识|听过|[叫是]啥|[叫是]什么)(?:不|没|没有)[呀啊哈]?$|咋(?:整|弄|办)[呀啊]?$"
)

_TELLS: Final = LatePattern(
    r"想知道|想问|在想|没想好|决定|不知道|不晓得|不记得|忘了|好奇|纠结|犹豫|研究|问过|问了|学会"
    r"|多少[年天次遍]了|你自己|^what (?:i|my|we)\b"
)

_ASKS_HER: Final = LatePattern(
    r"(?:那|诶|哎|欸|对了)?[你您](?:猜|能不能|可不可以|会不会|觉得.*(?:怎么样|吗|呢)$)"
    r"|(?:那|诶|哎)?(?:猜猜|猜一下|你说)[^了]*$|[你您]?别[^，]{0,3}[跟像和][^，]{1,8}(?:似的|一样)"
    r"|(?:so |well |ok |hey |and )?(?:guess (?:what|who|where|when|how|which|why|my|the)"
    r"|(?:can|could|would|will|do|did|are|have) you\b)",
    re.IGNORECASE,
)

_UNREAL: Final = LatePattern(
    r"(?:要是|如果|假如|假设|万一|倘若|等)[^，,]{0,6}(?:中了?[^，,]{0,4}(?:奖|彩|[百千万亿])"
    r"|(?:[发有]了?(?:大?财|钱|[^，,]{0,3}[百千万亿]))|能(?:飞|隐身|重来|穿越|回到)|会飞|变成|穿越"
    r"|重来|(?:是|当了)(?:你|皇帝|总统|首富|超人|神仙|[只条]))"
    r"|if (?:i|my friend|the (?:partner|user)|\w+) (?:(?:ever )?(?:won|were|was (?:an? |the )?"
    r"(?:you|king|queen|god|cat|dog|bird|billionaire|millionaire|president|invisible|rich))\b"
    r"|had (?:a |the )?(?:million|billion|superpower|money|wings))",
    re.IGNORECASE,
)
"""Of what would be had they won the lottery nothing is so."""

# Each word is taken whole, so that a long row of them is read once.
_IDLE: Final = LatePattern(
    r"(?>好[啦了的吧嘞呀]|行[了吧]?|晚安|早安|午安|早[啊呀]?|你好|拜拜?|再见|回见|明天见|下次聊|改天聊"
    r"|谢谢你?|辛苦了?|抱抱|么么|爱你|就这样|不聊了|不说了|没事|睡了|睡啦|睡觉了|困了|溜了|撤了|下了"
    r"|天[哪呐啊]|卧槽|救命|[那先嗯哦唉哎哼啊呜哈嘿嗨哇靠切呸呀啦呢喽咯了吧哒~～])+"
    r"|(?:好[啦了]|行了|[那嗯先]){1,4}(?:[我俺]|主人|[\u4e00-\u9fff]{2})?先?[得要该]?[去回]?"
    r"(?:洗澡|洗漱|睡觉?|吃饭|上班|忙|开会|上课|做饭|遛狗|干活|躺|下线|撤)去?[了啦咯喽]{0,2}"
    r"|(?>(?>u+gh+|a+rgh+|mm+|h+mm+|aw+|ah|oh|wow|omg|yay|oops|meh|grr+|ffs|lol|lmao|haha\w*|hey"
    r"|hiya|hi|hello|you|yo|ok(?:ay)?|right|well|so|thanks?|talk (?:soon|later)|tomorrow|then"
    r"|ttyl|ta|cheers|bye|night|nite|nn|morning|good|evening|afternoon|sleep well|sweet dreams"
    r"|see ya|see|later|brb|gtg|love|there|xo(?:xo)*|x+|now|babe)\W*)+"
    r"|(?:right|okay|ok|so|well|anyway|now|\W)*(?:(?:i['’]?m|i am|my friend(?: is|['’]s)|\w+ is)"
    r" )?(?:just )?(?:off|going|heading|gone|popping|nipping) (?:off )?(?:to|into|in|for|out)"
    r"(?: to)?(?: (?:the|a|my|their))? (?:bed|sleep|shower|bath|work|shops?|gym|lunch|dinner"
    r"|run|walk|minute|bit)(?: now| then)?(?: x{1,9})?",
    re.IGNORECASE,
)


def is_negative(clause: str) -> bool:
    """Tell whether a clause denies."""
    return bool(NEGATION.search(NEUTRAL.sub(" ", clause)))


_SO_LONG: Final = LatePattern("(?:都|这都)?多少[年天次遍回]了")


def asks(clause: str, before: str = "") -> bool:
    """Tell whether a clause asks; 怎么说呢 only looks for words, 多少年了 says how long it is.

    ``before`` is the clause before it in its sentence: "who is" behind a noun tells of that.
    """
    if clause == "怎么说呢" or _SO_LONG.fullmatch(clause) or _is_relative(clause, before):
        return False
    return bool(_ASKS.search(clause))


def _is_relative(clause: str, before: str) -> bool:
    """Tell whether a clause says more of somebody the speaker has, plainly told of just before.

    In "I wonder who is coming", "I want a dog who is calm" and "it is not my brother who is ill"
    nothing is stated of anybody.
    """
    return bool(
        clause.startswith("who ") and _OWN_PERSON.fullmatch(before) and not senses_of(before)
    )


_OWN_PERSON: Final = LatePattern(
    r"(?:i|we)(?:['’]ve| have)? (?:have|got|keep|adopted|(?:live|work|share [\w ]+) with|married"
    r"|met|['’]m|am) (?:an?|one|two|three|the|my|our|another) [\w'’ -]+"
    r"|(?:my|our) [\w-]+(?: [\w-]+){0,2}|(?:i|we)['’]ve (?:an?|one|two|three) [\w -]+"
)


def senses_of(clause: str) -> frozenset[Sense]:
    """Return the marks that stand in one clause."""
    clause = DENIED_PLAY.sub(" ", clause)
    # Most clauses are of one script, and searching for both would take twice as long.
    found = set()
    if not clause.isascii():
        plain = clause.rstrip("吧罢") if _BIDS.search(clause) else clause
        found |= {sense for sense, words in _ZH.items() if words.search(plain)}
    if _LATIN.search(clause):
        found |= {sense for sense, words in _EN.items() if words.search(clause)}
    return frozenset(found | ({Sense.NEGATIVE} if is_negative(clause) else set()))


def marks_alone(word: str) -> frozenset[Sense]:
    """Return the marks of a word that is nothing but a mark: 以前, and not 打过仗."""
    marks = _EN if word.isascii() else _ZH
    return frozenset(sense for sense, words in marks.items() if words.fullmatch(word))


def senses_in_sentence(
    clauses: list[str], followed: frozenset[int] = frozenset()
) -> Iterator[frozenset[Sense]]:
    """Yield for every clause of a sentence the marks it stands under, its own and those around.

    ``followed`` are the conditions of which it is plain that what follows them hangs on them.
    """
    own = [senses_of(each) for each in clauses]
    around: set[Sense] = set()
    for number, each in enumerate(clauses):
        around |= own[number] & AROUND
        if number and _CONTRAST.search(each) and _UNIVERSAL.search(clauses[number - 1]):
            around.add(Sense.EXCEPTION)
        if _HEDGE.fullmatch(each):
            around.add(Sense.DOUBT)
    conditional = set(_behind_condition(clauses, followed))
    held: set[Sense] = set()
    governed: frozenset[Sense] = frozenset()
    told_of_speaker = False
    for number, each in enumerate(clauses):
        if _NOW.search(each):
            held.discard(Sense.PAST)
        if (
            _IN_FACT.match(each)
            or _REACTS.match(each)
            or (_OF_SELF.match(each) and not told_of_speaker)
        ):
            held.discard(Sense.REPORT)
        found = own[number] | governed | frozenset(held | around)
        yield found | {Sense.CONDITION} if number in conditional else found
        governed = own[number] & GOVERNING if _GOVERNS.search(each) else frozenset()
        held |= own[number] & AHEAD
        if _UNTOLD.search(each):
            held.discard(Sense.REPORT)
        told = _EN[Sense.REPORT].split(each)[-1].strip()
        reports = Sense.REPORT in own[number] and (not told or _SPEAKER.search(told))
        told_of_speaker = bool(reports or (told_of_speaker and not _HAPPENS.match(each)))


def _behind_condition(clauses: list[str], followed: frozenset[int]) -> Iterator[int]:
    """Yield which clauses a condition that follows them is of: "I'll come, if I can"."""
    for number, each in enumerate(clauses):
        if not number or number in followed or not hangs_on(each):
            continue
        for before in range(number - 1, -1, -1):
            yield before
            # It reaches back to the last clause that names who is meant.
            if _NAMES_WHO.match(clauses[before]):
                break


_NAMES_WHO: Final = LatePattern(
    r"(?:but |so |and )?(?:i|we|he|she|they|you|my \w+)\b|[我俺他她你您咱]"
)

_IN_FACT: Final = LatePattern(
    r"(?:但|可|不过)?(?:其实|其實|实际上)|(?:but )?(?:actually|in fact)\b"
)
"""Who says how it really is no longer tells what others think."""

_UNTOLD: Final = LatePattern(
    r"(?:n['’]t|\bnot|\bnever) (?:\w+ )?(?:told|tell|said|say)\b|嘴上不说|没跟[^，]{1,6}说"
)
"""What was not told is no report of what comes behind it."""

# "Nobody said a word, I'm a Methodist": what was said is told already, and of something else.
_OF_SELF: Final = LatePattern(r"(?:but |so )*(?:i|i['’]?(?:m|ve)|my)\b|我|本人")

# "They said we sang like goats, then we laughed, I sing tenor": what happened next ends the words.
_HAPPENS: Final = LatePattern(
    r"(?:(?:and|so|but|me) )*(?:then"
    r"|(?:i|we|he|she|they|the \w+) (?:just )?(?:had|went|came|\w{3,}ed)) "
    r"|(?:(?:and|but) )?(?:he|she|they) \w{3,}s "
)

_SPEAKER: Final = LatePattern(
    r"\b(?:i|i['’]?(?:m|ve)|me|my|we|our|us|that)\b|[我俺咱]|[：:]"
    r"|(?:说|怀疑|懷疑|觉得|覺得|认为|以为|said|says)$"
)
