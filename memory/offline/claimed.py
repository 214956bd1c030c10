"""What a clause claims, and of whom: its frame decides, whatever the words inside are.

我对花生过敏 is told of the speaker. 如果我…, 谁说我…, 梦里我…, 我邻居…, 你…, 养狗的人… are not, though the
same words follow. A frame reaches to the end of its sentence, that of a tale to the end of the
text, and whoever a clause is about stays its subject until another is named.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Final

from memory.offline.understood import BEYOND_LIFE, named_at_head
from memory.offline.vocabulary import is_question
from memory.text.correction_forms import corrects
from memory.text.late_pattern import LatePattern
from memory.text.names import SURNAMED_ZH
from memory.text.slot_core import IN_LAWS_ZH
from memory.text.slot_cues import (
    ACTS_ON_ME,
    FIRST_PERSON,
    GIVES_ME,
    IN_JEST_BEFORE,
    PERSONS_EN,
    PERSONS_ZH,
    ROLE_SELF,
    TOLD_ME,
)
from memory.text.stretches import hangs_on
from memory.text.tokens import tagged_words
from memory.text.word_forms import SURNAMES

_HAN: Final = LatePattern("[一-鿿]")

# A condition, a role, a jest, hearsay: nothing in the sentence is said to be so.
_UNREAL: Final = LatePattern(
    r"如果|要是|假如|假设|假装|万一|倘若|若是|的话|比方说我|比如说我|打个比方|角色扮演|扮演|演的|台词|歌词|小说里|剧本(?!杀(?!里|中))|梦见|梦到|梦[里中裡]|做了?个?梦|歌[里中]唱|(?:大富翁|模拟人生|动森|原神|星露谷|我的世界)[里中裡]|^等[^，,]{0,4}[我俺].*(?:就|才|再)|[我俺](?:才|都|也|真|可|就)*(?:不(?:太|大|敢|肯)?[相]?信|怀疑|不觉得|不认为)|该不会|不会是.*吧|莫非|疑心|(?:^"
    r"|[，,\s])假的(?:$|[，,\s啦哈了])|开玩笑|骗你|骗人的|逗你|才怪|反话|瞎编|是假的|不是真的|我说过|他说|她说|有人说|说我|以为我|好像我|仿佛|搞得我?像?|^[^我，,]{1,8}(?:老是?|总是?|一直|非要?|硬|偏|又|还)(?:说|讲|猜)|^(?:听|据)[^，,]{1,6}(?:讲|说)|我又(?:不|没|无)(?!.*了[。！!~～]*$)|谁说|谁告诉你|[你您](?:猜|是不是)|据说|传说|听说(?!过)|[上下]辈子|前世|来世|难道|几时说|何曾"
    r"|^(?:but |so |and )?you (?:just |once )?(?:said|say|told me|claim(?:ed)?|think) (?:that )?(?:i|my)\b|^你(?:刚才?|上次)?(?:说|讲|告诉)过?我?我|\b(?:if|unless|suppose|imagine|pretend|role-?play|just kidding|jk|lyrics?|dreamt|dreamed|he says|she says|he said|she said"
    r"|they say|as though|as if|would|let'?s (?:say|play)|who (?:says|said|told)|(?:not|isn't|wasn't|never) true|was a lie|am lying|made (?:that|it) up|(?:i )?wish (?:i|my|we|that|\w+ing)|^not (?:that|like|as if) (?:i|my)|(?:my|the|this|a|that|his|her|your"
    r"|their) \w+(?: \w+)? (?:says|reads|claims|thinks|reckons|swears|insists) (?:that )?(?:i|my|we)(?:'\w+)?|never (?:told|said|claimed)|since when|dreams? of (?:\w+ing|an?)|let me be|you(?:'re| are| be) the \w+(?:,| and) i(?:'m| am|'ll)?|(?:great|lovely"
    r"|brilliant|fantastic|marvellous|super),? i (?:just |really |so )?(?:love|adore|enjoy)|(?:never|didn't|did not|not) say(?:ing)? (?:that )?(?:i|my)|don't (?:act|talk) like|never said|play(?:ing|ed)? (?:this|an?|that|some"
    r"|the) (?:\w+ )?game\b[^.]{0,40}\bwhere (?:i|you)\b|keep(?:s|ing)? (?:on )?(?:saying|telling|claiming)|kept (?:on )?(?:saying|telling|claiming)|rumou?r|(?:book|film|movie|show|series|novel|drama|anime|episode)\b[^.,]{0,12} (?:where|in which|about) (?:the"
    r"|this|an?) (?:\w+ )?(?:hero|heroine|main character|protagonist|lead|guy|girl|boy|woman|man|lady|couple|family)|(?:the|her|his) (?:\w+ )?(?:hero(?:ine)?|main character|protagonist|villain|lead actor)(?:'s| is| was| has| had| gets| got| lives| works|,)"
    r"|(?:there is|there's) (?:this|a) song|(?:song|line|verse|chorus|story|book|film)\b[^.]{0,20} (?:goes|starts|begins|opens)|i (?:doubt|suspect|(?:don't|do not|can't|cannot) believe)|at this point$|in (?:another|my last|a past|my past|my next"
    r"|a previous) life|had (?:a|this|the \w+) (?:\w+ )?dream|in (?:my|the|a|our|this|that|some) (?:\w+ )?(?:dreams?|games?|story|novel|sims|movie|scene|play|song))\b|\b(?:actually|wait|oh),? no\b[,.]? (?:that|it)(?:'s| is| was) (?:my|his|her|their)\b|(?:^"
    r"|, (?:and )?)(?:oh,? (?:yes|yeah|sure|great|joy),? i (?:just |really |so )*(?:love|adore|enjoy)|yeah,? right|sure,? sure)\b|^oh,? (?:yes|yeah|sure|great|joy)\b",
    re.IGNORECASE,
)

# Tags ask for confirmation, so the sentence is a question whatever stands before them.
_TAG: Final = LatePattern(
    r"(?:^|[，,\s])(?:对吗|对吧|对不对|是吗|是吧|是不是|不是吗|好吗|记得吗|知道吗)[?？]*$|(?<![不没])对吧[?？]*$"
    r"|\b(?:right|correct|is that)\s*\?$",
    re.IGNORECASE,
)

# What follows is played, made up, sung, or given to be worked on.
_TALE: Final = LatePattern(
    rf"{ROLE_SELF}"
    r"|^(?:我?在|这)?[^，,我]{0,6}(?:游戏|大富翁|副本|剧情|设定|小说|剧本|故事|动漫|动画片|电影|剧|歌|想象|脑海)(?:里|中|裡|的世界)[面头]?[，,：:]?我"
    r"|(?:游戏|大富翁|副本|剧情|设定|小说|剧本|动画片|想象)[里中裡](?:面|头)?(?:[哈啦的]|$)"
    r"|^(?:来|咱们?俩?|我们)?[^，,]{0,4}(?:假装|扮演|演一出|过家家|角色扮演)"
    r"|造(?:个|一个|几个)?句|例句|模板[：:]|主角|[翻改]译?成[^，,]{0,4}[语文]|帮我(?:翻译|改|润色)|翻译一下|(?:歌|首|句)[^，]{0,4}唱(?:的|道)?[：:，,「“]|唱[的道][：:，,「“]"
    r"|第[一二三四五六七八九十\d]+章"
    r"|, (?:please |can you |could you )*(?:write|draft|compose|translate) (?:me|us|an?|this)\b|(?:title|caption|headline|tweet|bio|标题|题目|文案|启事)[：:]"
    r"|^(?:please |can you |could you |kindly )*(?:write|draft|compose|rephrase|paraphrase|reword|summari[sz]e|fill in|make up|give me|list|suggest)\b"
    r"|\b(?:translate|proofread|rewrite|(?<!\ba )convert|sample|sentence with|example sentence|la ?la ?la"
    r"|my character|role-?play|(?:our|my|the) (?:story|novel)\b[^.]{0,20}\bi\b)\b",
    re.IGNORECASE,
)

# A wish reaches on to what is wished; 我想学画画 is a plan, and no wish of this sort.
_WISH: Final = LatePattern(
    r"(?:好|真|多|只|巴)(?:么)?希望|但愿|恨不得|巴不得|(?<![我也还])[好真多](?:么)?想(?![你念他她家])|\b(?:i )?wish (?:i|my|we|that)\b|\bif only\b",
    re.IGNORECASE,
)

_FILLER: Final = LatePattern(
    r", (?:says|said) (?:(?:my|our|the) \w+|(?-i:[A-Z])[\w.]+(?: (?-i:[A-Z])\w+)?)(?=$|[,.!;])|[,\s]*\b(?:would you (?:believe|credit)(?: it)?|can you (?:believe|credit|imagine)(?: (?:it|that))?|you (?:would not|wouldn't) believe|it(?:'s| is) not (?:as if|like) [^,?]++(?=, i(?:'m|'ve| am| have)\b)|if you can (?:believe|credit) it|if you please|if you must know|thank (?:god|heavens|goodness))\b",
    re.IGNORECASE,
)


def _first_unreal(sentence: str) -> int | None:
    """Return where a sentence first claims nothing: a condition, a role, a jest, others' words."""
    frames = (_UNREAL, _TAG, BEYOND_LIFE)
    return min((each.start() for f in frames if (each := f.search(sentence))), default=None)


_POSTED: Final = LatePattern(r"💬|🔁|♪|🎵|@\w{3,}(?: ·|$)|>>")

# 朋友的征婚启事：本人女…: before a colon stands what follows, unless somebody only clears the throat.
_PRESENTED: Final = LatePattern(
    r"^(?!.{0,12}(?:我[跟和对]你|告诉你|坦白|介绍|说实话|更正|补充|情况|关于我|其实|对了|记住|记一下|记得|记下|注意|提醒|总结|结论|基本|说一下|说明|声明|真相|秘密|缺点|优点|爱好|签名))"
    r"[^：:，,]{3,40}[：:]\s*(?:本人|[我俺咱]|(?:i|i'm|im|i've|my)\b)"
    r"|^['‘].*['’][.!…]*$",
    re.IGNORECASE,
)

_PRESENTS_SELF_EN: Final = LatePattern(
    r"^.{0,16}\b(?:about me|intro|myself|confession|fun fact|update|btw|fyi|ps|p\.s|edit|note|truth|fact|remember|remind|so|anyway|summary|correction|basically|status|hi|hello|hey)\b[^:]*:",
    re.IGNORECASE,
)


def claimed(sentences: Sequence[str]) -> list[str]:
    """Return of each sentence what is claimed in it, in order; "" where nothing is.

    体检说我血糖高 is hearsay by its form, and what somebody best knows of themselves; whoever
    corrects themselves says by whom as well.
    """
    found: list[str] = []
    if any(map(_POSTED.search, sentences)):
        return [""] * len(sentences)
    for sentence in (IN_JEST_BEFORE.sub("", each) for each in sentences):
        presented = _PRESENTED.search(sentence) and not _PRESENTS_SELF_EN.match(sentence)
        if presented or _TALE.search(sentence):
            break
        known_best = TOLD_ME.search(sentence) is not None or corrects(sentence)
        own = OF_THE_MOMENT.sub("", sentence if known_best else _own_part(sentence))
        wish = _WISH.search(own)
        found.append(_CLAUSE_BEFORE.sub("", own[: wish.start()]) if wish else own)
    return [*found, *([""] * (len(sentences) - len(found)))]


OF_THE_MOMENT: Final = LatePattern(
    r"(?:^|(?<=[，,；;。！!\s]))[我俺](?:直接|当场|原地|都|人|真的|要|快)+(?:去世|升天|暴毙|归西|嗝屁|没)了?[啊呀啦]*(?:$|[，,；;。！!~～…\s]+)|\bi (?:(?:literally|just|actually|fully|legit|nearly) )*died (?:laughing|inside|of (?:laughter|shame|embarrassment|boredom))\b[^,.;!]*|(?:^|(?<=[，,；;。！!\s]))[我俺]?(?:真是?|都?快|要|简直|好|太|可|特别|很|有点|整个人?|[搞弄]得我?|唉|哎)*(?:头[大秃炸]|心累|无语|崩溃|裂开|抓狂|破防|(?:烦|累|气|笑|困|饿|热|冷|急|吓|乐|美|爽|馋|酸|忙|闷|愁|羡慕|嫉妒|无聊|尴尬|开心)死(?:我|人|个人)?)[了啦啊哈呀咯]*(?:$|[，,；;。！!~～…\s]+)|[我俺]?[把又]*(?:雨?伞|手机|钥匙|钱包|包|外套|电脑|充电[器宝]|耳机|眼镜|水?杯子?"
    r"|饭卡|工牌|书|作业|围巾|帽子|手套)[又都给]*(?:落|忘|丢|拉)在[^，,；;。！!\s]{1,8}了?(?:$|[，,；;。！!~～…\s]+)|\bcall me (?:crazy|mad|silly|stupid|naive|paranoid|weird|boring|old-fashioned|an? \w+)\b[^,.;!]*|\b(?:i )?(?:(?:just|stupidly|accidentally|only) )?(?:left|forgot) (?:my"
    r"|the) (?:\w+ )?(?:umbrella|phone|keys?|wallet|purse|bag|backpack|coat|jacket"
    r"|charger|laptop|glasses|lunch|badge|card|hat|scarf|gloves|headphones|earbuds|bottle|mug|notebook|book) (?:at|in|on|behind)\b[^,.;!]*",
    re.IGNORECASE,
)
"""烦死了, 伞落在公司了, "left my umbrella at work": over before anybody asks of it."""


def _own_part(sentence: str) -> str:
    """Return of a sentence what stands before that which nothing claims, if it stands by itself.

    我有哮喘，要是他再刷漆我就搬走 begins with what is so. A jest or a dream reaches over all of it, a
    condition with nothing behind it ("…, if I can") over the clause before it.
    """
    sentence = _without_pictures(_FILLER.sub("", sentence))
    starts = [0, *(found.end() for found in _COMMA.finditer(sentence))]
    if (apart := _start_of_question(sentence, starts)) is not None:
        sentence, starts = sentence[:apart], [each for each in starts if each < apart]
    unreal = _first_unreal(sentence)
    if unreal is None:
        return sentence
    if any(frame.search(sentence) for frame in (_EMBRACES, _TAG)):
        return ""
    place = bisect_right(starts, unreal) - 1
    after = sentence[starts[place] :]
    if place and (hangs_on(after) or _SAID_BY.search(after)):
        place -= 1
    before = sentence[: starts[place]]
    return before if _first_unreal(before) is None else ""


_COMMA: Final = LatePattern(r"[，,；;]+\s*")

_EMBRACES: Final = LatePattern(
    r"(?:游戏|大富翁|副本|模拟人生|动森|原神|星露谷|我的世界)[里中裡]|歌[里中]唱|假装|扮演|演的|台词|歌词|小说里|剧本(?!杀(?!里|中))|梦见|梦到|梦[里中裡]|做了?个?梦|假的|开玩笑|骗你|骗人的|逗你|才怪|反话|瞎编|不是真的|[上下]辈子|前世|来世|打个比方|比方说我|比如说我|\b(?:imagine|pretend|role-?play|just kidding|jk|lyrics?|dreamt|dreamed|was a lie|am lying"
    r"|made (?:that|it) up|(?:not|isn't|wasn't|never) true|let'?s (?:say|play)|at this point$|dreams? of|rumou?r|song|story|in (?:another|my last|a past|my past|my next|a previous) life|had (?:a|this|the \w+) (?:\w+ )?dream"
    r"|in (?:my|the|a|our|this|that|some) (?:\w+ )?(?:dreams?|games?|novel|sims|movie|scene|play))\b",
    re.IGNORECASE,
)
"""In a jest, a dream, a role or a tale nothing is meant, wherever in the sentence one is owned to."""

_SAID_BY: Final = LatePattern(
    r"^[^，,]{1,6}说(?:的|过)?$"
    r"|^(?:(?:or so )?(?:he|she|they|i) (?:says?|said|think|suppose|doubt)|as (?:he|she|they) say)\b[^,]{0,12}$",
    re.IGNORECASE,
)
"""What somebody is said to have said stands before it."""


def _without_pictures(sentence: str) -> str:
    """Return a sentence without the clauses that liken somebody else to what nobody is."""
    if BEYOND_LIFE.search(sentence) is None:
        return sentence
    clauses = _CLAUSES_AND_COMMAS.split(sentence)
    likened = (_LIKENS.search(each) and not FIRST_PERSON.search(each) for each in clauses)
    return "".join("" if each else clause for each, clause in zip(likened, clauses, strict=True))


_CLAUSES_AND_COMMAS: Final = LatePattern(r"(?<=[，,；;])\s*")

_LIKENS: Final = LatePattern(r"像|似的|一样|\b(?:like|as) an?\b", re.IGNORECASE)


def _start_of_question(sentence: str, starts: Sequence[int]) -> int | None:
    """Return where the last clause begins if it asks something of its own, else None.

    ", am I?" asks whether the clause before it is so.
    """
    last = sentence[starts[-1] :]
    if _ASKS_BACK_EN.fullmatch(last):
        return starts[-2] if len(starts) > 1 else 0
    if len(starts) == 1 or not (
        _ASKS_APART.match(last) and ("?" in last or "？" in last or is_question(last))
    ):
        return None
    return None if _ASKS_OF_IT.search(last) and not _ASKS_WHICH.search(last) else starts[-1]


_ASKS_BACK_EN: Final = LatePattern(
    r"(?:am|is|are|was|were|do|does|did|have|has|had|can|will|should|would|could)(?:n['’]?t)?"
    r" (?:i|it|he|she|they|we|you)\s*\?\W*",
    re.IGNORECASE,
)


_ASKS_APART: Final = LatePattern(
    r"(?:那|所以)?[你您][^，,]{3,}|(?:有没有|怎么|为什么|为啥|咋|哪|谁|什么|几|多少)[^，,]{2,}"
    r"|(?:(?:and|but|so) )?(?:any|(?:where|what|how|why|who|which|when)(?:['’]?(?:s|re|d))?|do|does|did|is|are|was|can|could"
    r"|should|shall|would|will|have|has) (?!i\?).{5,}",
    re.IGNORECASE,
)

_ASKS_WHICH: Final = LatePattern("几[一-鿿]|多少|什么|哪|谁|为什么|为啥")

_ASKS_OF_IT: Final = LatePattern(
    r"信[不吗]|记得|知道[吗不]|猜|[对是真][吗吧不]|(?:觉得|说|看)(?:呢|怎么样|如何|[好行]|可以)|(?:[行好]|可以|怎么样|如何|合适|靠谱)[吗么不呢]*[?？]*$"
    r"|\b(?:right|true|remember|recall|guess|think(?: so)?\W*$|is (?:it|that)\W*$|isn['’]t|correct|know\W*$|ok(?:ay)?\W*$)",
    re.IGNORECASE,
)


_CLAUSE_BEFORE: Final = LatePattern(r"[^，,。.!！;；]*$")


class ClauseSubject(StrEnum):
    """Whom a clause is about, as far as its beginning says."""

    SPEAKER = "speaker"
    THEIRS = "theirs"
    """Somebody or something of the speaker's: 我妈, my dog, Mum."""
    OTHER = "other"
    UNSAID = "unsaid"


PARTS: Final = LatePattern(
    r"[，,；;：。!！]+(?=\s|$|[^\d])|(?<=[一-鿿])\s+|\s+[-–—]+\s+|——|\b(?:and|but|so|cos|because)\s+(?=(?:i|my|we|he|she|they|that)\b)",
    re.IGNORECASE,
)


def subject_of(clause: str) -> ClauseSubject:
    """Return whom a clause is about."""
    if ACTS_ON_ME.search(clause) or GIVES_ME.search(clause):
        # 房东把我撵了, 孙女给换了个华为: what comes of it is the speaker's.
        return ClauseSubject.SPEAKER
    return _subject_zh(clause) if _HAN.search(clause) else _subject_en(clause)


def is_of_another(clause: str, sentence: str) -> bool:
    """Whether a clause is about somebody who is not the speaker, nor the speaker's.

    A clause without a subject has that of the one before it.
    """
    before, _, _ = sentence.partition(clause)
    return subject_after([clause, *reversed(PARTS.split(before))]) is ClauseSubject.OTHER


def subject_after(clauses: Iterable[str]) -> ClauseSubject:
    """Return whom the first of the clauses that says so is about; the nearest stands first."""
    found = (subject_of(each.strip(" 　\t。！!.~～，,；;…")) for each in clauses)
    return next((each for each in found if each is not ClauseSubject.UNSAID), ClauseSubject.UNSAID)


LED_ZH: Final = LatePattern(
    r"^(?:而且|但是?|可是|不过|所以|因为|然后|其实|对了|另外|话说|嗯++|哦|啊|哈++|那|今[天年]|昨[天晚]|前[天年]|最近|现在|目前|如今"
    r"|上周|这周|上个?月|去年|你好|大家好|各位好|您好|[，,、\s])+"
)

_SELF_ZH: Final = LatePattern(r"[我俺咱本]")

_RELATED_ZH: Final = LatePattern(
    rf"(?:[我俺咱]们?家?(?:的|那个?|这个?)?)?(?:新来?的?|那个)?(?:(?:{PERSONS_ZH})的(?:{PERSONS_ZH})"
    r"|邻居|鄰居|隔壁|同[事学學]|房[东東]|客[户戶]|领导|領導|老[师師](?!$)|楼[上下]|(?:班?主任|主管|总监|经理|教练|辅导员|[店组厂部]长)(?![当做干让说叫要给把通催的]|$)"
    rf"|(?:[我俺咱]们?|们)?(?:班|组|部门|单位|公司|学校|小区|办公室|店|厂|宿舍|村)[里上]?[^，我]{{0,8}}(?:生|员|工|人|爷|孩|{PERSONS_ZH})$|[^，我俺咱你]{{0,8}}那[个位][^，]{{0,4}}(?:生|员|工|人|保安|门卫|爷|孩|{PERSONS_ZH})$)"
)
"""我同学的表哥, 我邻居: whoever is not so near that what is so of them is remembered."""

_KIN_ZH: Final = LatePattern(
    rf"{IN_LAWS_ZH}|(?:老)?(?:爸|妈|媽)|父[母亲親]|母[亲親]|爷爷|奶奶|外[公婆]|姥[姥爷]|老[公婆]|丈夫|妻子|媳妇|[男女](?:朋)?友|对象|儿子|女儿|闺女|孩子|娃|哥|姐|弟|妹"
    r"|家里|[猫狗]"
)

_PERSON_ZH: Final = LatePattern(
    rf"(?:{PERSONS_ZH})$|(?:人|者|员|員|師|师|生|手|友|房东|房東|婆|婶|姨|伯|长|東|东|客|们|們|主播|博主|迷|粉|[0０]后|男|女|孩|帅哥|美女|姑娘|小伙子?|店[长員员]|明星|网红|老头|经理|老板娘?|总裁?)$"
)

_HEROES_ZH: Final = "[男女]主(?!人|持|播)角?|[男女][一二三]号?(?=[是叫在])|主人公|主角|反派"

TOPIC_ZH: Final = f"[{SURNAMES}]?[大小老阿]?[一-鿿]?(?:姐|哥|叔|姨|婶|嫂|大妈|大爷|师傅|医生|老师)[我俺咱](?=[^的们])"
_YOU_ZH: Final = LatePattern(
    r"[你您](?:们)?(?!好|看|说|瞧|知道|懂|猜)|有些|有的人?|某|一般人|谁|誰|人家|别人|大家(?!都?[叫喊])|对方|相亲(?:的那个|对象)|[男女](?:的|方)"
    rf"|[^，我你]{{0,6}}?(?:{_HEROES_ZH})(?!演员)"
    r"|(?-i:[A-Z])[a-z]+(?:[也都又刚才已经昨今]天?)*(?:怀孕|[结离订再]婚|嫁|娶|生了|辞|被[裁开]|升职|失[业恋]|[住出]院|去世|走了|搬|分手|脱单)"
    r"|(?!(?:工作|职业|爱好|老家|性格|年[纪龄]|生日|名字|身[高体]|体重|学历|专业|饮食|口味|平时|周末|[今昨明后]天|现在|以[前后]|[早晚中]上|下午)呢)[^，我俺咱你您他她这那]{1,5}呢(?=[一-鿿])"
    rf"|{TOPIC_ZH}"
)
"""Elaine怀孕了, 豆包呢…, 王大妈我辞了: the talk turns to somebody."""

_CALLS_ME: Final = LatePattern("[叫喊唤][我俺]|称呼[我俺]")


def _subject_zh(clause: str) -> ClauseSubject:
    clause = LED_ZH.sub("", clause)
    if _RELATED_ZH.match(clause) or SURNAMED_ZH.match(clause):
        return ClauseSubject.OTHER
    if _SELF_ZH.match(clause):
        return ClauseSubject.SPEAKER
    if _KIN_ZH.match(clause):
        return ClauseSubject.THEIRS
    if named_at_head(clause) and not FIRST_PERSON.search(clause):
        return ClauseSubject.OTHER
    if _YOU_ZH.match(clause) and not _CALLS_ME.search(clause):
        return ClauseSubject.OTHER
    return _named_zh(clause)


def _named_zh(clause: str) -> ClauseSubject:
    """Return whether a person is named before the first verb: 张伟现在住成都, 养狗的人都有耐心."""
    if FIRST_PERSON.search(clause):
        return ClauseSubject.UNSAID
    words = tagged_words(clause[:24])
    for (word, tag), (following, told) in pairwise(words):
        named = _NAME_ZH.fullmatch(word) if tag.startswith("nr") else _PERSON_ZH.search(word)
        if named and told.startswith(_OF_PREDICATES) and following not in _BESIDE:
            return ClauseSubject.OTHER
        if not tag.startswith(_BEFORE_PREDICATES):
            break
    return ClauseSubject.UNSAID


_OF_PREDICATES: Final = ("v", "d", "t", "a", "p", "m")
"""Tags of the words with which what is told of somebody begins."""

_BEFORE_PREDICATES: Final = ("n", "r", "z", "u", "v", "a", "m", "q", "t")
"""Tags of the words that may stand before it, as part of the subject."""

_BESIDE: Final = frozenset("和跟与同被把")

_NAME_ZH: Final = LatePattern(f"[{SURNAMES}][一-鿿]{{1,2}}|[小阿老大][一-鿿]")

_LED_EN: Final = LatePattern(
    r"^(?:(?:and|but|so|well|also|then|now|today|yesterday|lol|haha|hi+(?:ya)?|hey+a?|hello|oh|ok|okay|yes|yeah|no|btw|honestly|actually"
    r"|apparently|because|cos|cause|though|anyway)\b[,.!\s]*)+",
    re.IGNORECASE,
)

_KIN_EN: Final = LatePattern(
    r"(?:my|our)\b(?! (?:name|age|job|birthday|home|house|hobby|hobbies|work|trade)\b)|(?-i:Mum|Mom|Mam|Dad|Nan|Nana|Gran|Granny|Grandma|Grandpa|Mother|Father)\b|(?:mum|mom|dad|nan|gran|grandma|grandpa|hubby)(?:'s)? ",
    re.IGNORECASE,
)

_REMOTE_EN: Final = LatePattern(
    rf"(?:my|our) (?:[\w-]+ )?(?:(?:{PERSONS_EN})'s (?:{PERSONS_EN})|landlord|landlady|neighbou?r|colleague|coworker|co-worker|client|customer|classmate|teacher|postman|barber|hairdresser)s?\b"
    rf"|(?:(?:the|an?|this|that) (?:\w+ )?(?:{PERSONS_EN}|lad|lass|girl|boy|man|woman|lady|student|pupil|patient) (?:that |who |whom )?(?:i|we) (?!married|love)\w+|some(?:one|body) (?:on|in|at|from) (?:my|our) [\w' ]{{2,30}}?|one of (?:my|our) [\w' ]{{2,30}}?) (?:is|was|has|had|can|can't|hates|loves|lives|works)\b",
    re.IGNORECASE,
)

_FINITE_EN: Final = (
    r"(?:'s|'re|'ve|is|are|was|were|has|have|had|lives?|works?|drives?|owns?|likes?|loves?|hates?|needs?|gets?|goes|studies|teaches|plays?"
    r"|speaks?|moved|married|keeps?|runs?|eats?|drinks?|comes?|became|wants?|turned|lost|said|says|never|always|just|can't|don't|doesn't)"
)

_OTHER_EN: Final = LatePattern(
    r"(?:he|she|they|you|it's you|who(?:ever)?|anyone|someone|somebody|nobody|everyone|everybody|one of|people|folks|some|most|many|lots)\b"
    r"|(?:your|his|her|their)\b"
    rf"|(?:(?:that|this|the|an?|some|every|those|these|most|all) )?(?:[\w'-]+ ){{0,4}}?(?:{PERSONS_EN}|men|man|women|woman|lady|ladies|lads?|bloke|girls?|boys?|streamer|intern|mayor"
    r"|president|king|queen|owners?|nurses?|students?|actors?|singers?|drivers?|\w+(?:ists?|ians?))"
    rf"(?: (?:in|at|from|of|with|on|who|next|down|up)\b.{{1,30}}?)? ?{_FINITE_EN}\b",
    re.IGNORECASE,
)

_NAMED_EN: Final = LatePattern(
    r"(?!(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Christmas|Easter|There|Here|That|This|It|What|Birthday|Work|Home|Life|Job|Name|Age|Been|Favou?rite|Just|Never|Still|Also|Only|Even|Almost|Already|Always|Once|Since|Both|Never|Got|Had|Have|Has|Who|\w+(?:ing|ly|day))\b)"
    r"[A-Z][a-z]+(?: (?:at|from|in) (?:the )?\w+)? ?(?:'s|is|was|has|had|got|retired|quit|resigned|proposed|closed|married|divorced|remarried|started (?:at|as|an?|his|her|school|uni|work)|(?:moved|lost|failed|passed|left|sold|bought) (?:to|in|out|back|h[ie][sr]|their|the|an?)|(?:live|work|drive|own|like|love|hate|need|get|play|speak|keep|run|eat|drink|want|say)s|goes|studies|teaches)\b"
)


def _subject_en(clause: str) -> ClauseSubject:
    clause = _LED_EN.sub("", clause.replace("’", "'"))
    if _REMOTE_EN.match(clause):
        return ClauseSubject.OTHER
    if _KIN_EN.match(clause):
        return ClauseSubject.THEIRS
    if re.match(r"(?:i|i'\w+|im|ive|we|we're|we've|me)\b", clause, re.IGNORECASE):
        return ClauseSubject.SPEAKER
    other = _OTHER_EN.match(clause) or _NAMED_EN.match(clause)
    # Whoever does something to the speaker tells of the speaker too.
    if other and not FIRST_PERSON.search(clause):
        return ClauseSubject.OTHER
    return ClauseSubject.UNSAID
