"""What a clause claims, and of whom: its frame decides, whatever the words inside are.

我对花生过敏 is told of the speaker. 如果我…, 谁说我…, 梦里我…, 我邻居…, 你…, 养狗的人… are not, though the
same words follow. A frame reaches to the end of its sentence, that of a tale to the end of the
text, and whoever a clause is about stays its subject until another is named.
"""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Final

from memory.offline.understood import named_at_head
from memory.text.late_pattern import LatePattern
from memory.text.slot_changes import corrects
from memory.text.slot_core import KIN_ZH
from memory.text.slot_cues import (
    ACTS_ON_ME,
    FIRST_PERSON,
    GIVES_ME,
    PERSONS_EN,
    PERSONS_ZH,
    ROLE_SELF,
)
from memory.text.slots import tells_the_speaker
from memory.text.tokens import tagged_words
from memory.text.word_forms import SURNAMES

_HAN: Final = LatePattern("[一-鿿]")

# A condition, a role, a jest, hearsay: nothing in the sentence is said to be so.
_UNREAL: Final = LatePattern(
    r"如果|要是|假如|假设|假装|万一|倘若|若是|的话|比方说我|比如说我|打个比方|角色扮演|扮演|演的|台词|歌词|小说里"
    r"|剧本(?!杀(?!里|中))|梦见|梦到|梦[里中裡]|做了?个?梦"
    r"|^等[^，,]{0,4}[我俺].*(?:就|才|再)|[我俺](?:才|都|也|真|可|就)*(?:不(?:太|大|敢|肯)?[相]?信|怀疑|不觉得|不认为)|该不会|不会是.*吧|莫非|疑心"
    r"|(?:^|[，,\s])假的(?:$|[，,\s啦哈了])|开玩笑|骗你|骗人的|逗你|才怪|反话|瞎编|是假的|不是真的|我说过|他说|她说|有人说|说我|以为我|好像我|仿佛|搞得我?像?"
    r"|^[^我，,]{1,8}(?:老是?|总是?|一直|非要?|硬|偏|又|还)(?:说|讲|猜)|^(?:听|据)[^，,]{1,6}(?:讲|说)|我又(?:不|没|无)(?!.*了[。！!~～]*$)|谁说|谁告诉你|[你您](?:猜|是不是)|据说|传说|听说(?!过)|[上下]辈子|前世|来世|难道|几时说|何曾"
    r"|^(?:but |so |and )?you (?:just |once )?(?:said|say|told me|claim(?:ed)?|think) (?:that )?(?:i|my)\b|^你(?:刚才?|上次)?(?:说|讲|告诉)过?我?我"
    r"|\b(?:if|unless|suppose|imagine|pretend|role-?play|just kidding|jk|lyrics?|dreamt|dreamed"
    r"|he says|she says|he said|she said|they say|as though|as if|would|let'?s (?:say|play)"
    r"|who (?:says|said|told)|(?:not|isn't|wasn't|never) true|was a lie|am lying|made (?:that|it) up|(?:i )?wish (?:i|my|we|that|\w+ing)"
    r"|^not (?:that|like|as if) (?:i|my)|(?:my|the|this|a|that|his|her|your|their) \w+(?: \w+)? (?:says|reads|claims|thinks|reckons|swears|insists) (?:that )?(?:i|my|we)(?:'\w+)?"
    r"|never (?:told|said|claimed)|since when|dreams? of (?:\w+ing|an?)|let me be|you(?:'re| are| be) the \w+(?:,| and) i(?:'m| am|'ll)?"
    r"|(?:great|lovely|brilliant|fantastic|marvellous|super),? i (?:just |really |so )?(?:love|adore|enjoy)"
    r"|(?:never|didn't|did not|not) say(?:ing)? (?:that )?(?:i|my)|don't (?:act|talk) like|never said"
    r"|keep(?:s|ing)? (?:on )?(?:saying|telling|claiming)|kept (?:on )?(?:saying|telling|claiming)|rumou?r"
    r"|(?:there is|there's) (?:this|a) song|(?:song|line|verse|chorus|story|book|film)\b[^.]{0,20} (?:goes|starts|begins|opens)"
    r"|i (?:doubt|suspect|(?:don't|do not|can't|cannot) believe)|at this point$"
    r"|in (?:another|my last|a past|my past|my next|a previous) life|had (?:a|this|the \w+) (?:\w+ )?dream"
    r"|in (?:my|the|a|our|this|that|some) (?:\w+ )?(?:dreams?|games?|story|novel|sims|movie|scene|play|song))\b"
    r"|\b(?:actually|wait|oh),? no\b[,.]? (?:that|it)(?:'s| is| was) (?:my|his|her|their)\b"
    r"|^(?:oh,? (?:yes|yeah|sure|great|joy)|yeah,? right|sure,? sure)\b",
    re.IGNORECASE,
)

# Tags ask for confirmation, so the sentence is a question whatever stands before them.
_TAG: Final = LatePattern(
    r"(?:^|[，,\s])(?:对吗|对吧|对不对|是吗|是吧|是不是|不是吗|好吗|记得吗|知道吗)[?？]*$|(?<![不没])对吧[?？]*$"
    r"|\b(?:right|correct|isn't it|is it|is that|(?:do|don't|am|aren't) (?:I|you))\s*\?$",
    re.IGNORECASE,
)

# What follows is played, made up, sung, or given to be worked on, sentence after sentence.
_TALE: Final = LatePattern(
    rf"{ROLE_SELF}"
    r"|^(?:我?在|这)?[^，,我]{0,6}(?:游戏|大富翁|副本|剧情|设定|小说|剧本|故事|动漫|动画片|电影|剧|歌|想象|脑海)(?:里|中|裡|的世界)[面头]?[，,：:]?我"
    r"|(?:游戏|大富翁|副本|剧情|设定|小说|剧本|动画片|想象)[里中裡](?:面|头)?(?:[哈啦的]|$)"
    r"|^(?:来|咱们?俩?|我们)?[^，,]{0,4}(?:假装|扮演|演一出|过家家|角色扮演)"
    r"|造(?:个|一个|几个)?句|例句|模板[：:]|主角|[翻改]译?成[^，,]{0,4}[语文]|帮我(?:翻译|改|润色)|翻译一下|(?:歌|首|句)[^，]{0,4}唱(?:的|道)?[：:，,「“]|唱[的道][：:，,「“]"
    r"|第[一二三四五六七八九十\d]+章"
    r"|^(?:please |can you |could you |kindly )*(?:write|draft|compose|rephrase|paraphrase|reword|summari[sz]e|fill in|make up|give me|list|suggest)\b"
    r"|\b(?:translate|proofread|rewrite|convert|sample|sentence with|example sentence|la ?la ?la"
    r"|my character|role-?play|(?:our|my|the) (?:story|novel)\b[^.]{0,20}\bi\b)\b",
    re.IGNORECASE,
)

# A wish reaches on to what is wished; 我想学画画 is a plan, and no wish of this sort.
_WISH: Final = LatePattern(
    r"(?:好|真|多|只|巴)(?:么)?希望|但愿|恨不得|巴不得|(?<![我也还])[好真多](?:么)?想(?![你念他她家])|\b(?:i )?wish (?:i|my|we|that)\b|\bif only\b",
    re.IGNORECASE,
)

# Whoever calls themselves one of these speaks in a figure.
_BEASTS_ZH: Final = (
    "猪|狗|猫|熊猫?|驴|牛|马|羊|猴子?|鸡|鸭子?|鹅|鱼|咸鱼|蜗牛|乌龟|兔子?|老虎|狮子|狼|狐狸|鬼|魔鬼|妖精|僵尸|机器人|石头|木头|土豆|白菜|韭菜|柠檬精?|蘑菇|虫|蚂蚁"
    "|仙女|神仙|天使|超人|奥特曼|孙悟空|怪兽|废物|垃圾|幽灵|影子|云|风|星星|太阳|月亮|花|草|树"
)

_BEASTS_EN: Final = (
    "ghost|zombie|vampire|witch|wizard|goblin|gremlin|troll|monster|alien|robot|demon|angel|mermaid|potato|cabbage|sponge|snail|sloth|slug|worm|pig|goat|sheep|cow"
    "|donkey|mule|horse|monkey|gorilla|bear|panda|penguin|duck|goose|chicken|owl|bird|fish|shark|whale|seal|rat|mouse|hamster|cat|kitten|dog|puppy|wolf|fox|lion|tiger"
    "|bunny|rabbit|frog|toad|snake|lizard|bug|spider|bee|butterfly|rock|stone|tree|cloud|vegetable|burrito|marshmallow|millionaire|billionaire|superhero|ninja|pirate|astronaut|spy"
)

# 我家住在宇宙中心, I'm 900 years old: what nobody lives, is or has is said in jest.
_BEYOND_LIFE: Final = LatePattern(
    r"宇宙|银河|月球|月亮上|火星|外星|太阳系|地球(?:上|人)|天宫|秦始皇|玉皇|王母"
    r"|身高(?:[3-9]|[两三四五六七八九])米[一-鿿\d]|(?:1[3-9]\d|[2-9]\d\d|\d{4,})岁|[两二三四五六七八九几]百[多来]?岁|[千万]岁"
    r"|[对對](?:上班|工作|加班|早起|开会|開會|周一|星期一|学习|學習|作业|数学|穷|钱|人类)[過过]敏"
    r"|(?:工作|职业|職業|职位|单位)(?:就)?是?[^，]{0,4}(?:带薪|躺平|摸鱼|睡觉|发呆|床)|提款机|提款機"
    rf"|[我俺](?:就|真|简直|可能|大概|上辈子)*是(?:一)?(?:[只头条匹个])?(?:[小大傻笨懒肥胖]|可爱的)*(?:{_BEASTS_ZH})(?=$|[\s，,。！!~了啊呀吧嘛哈])"
    r"|恐龙|独角兽|神龙|迪士尼城堡|冥币|做梦都想|打工机器|没有感情的|免费(?:的)?(?:保姆|司机|劳力|劳动力|厨师|苦力)|大?冤种|工具人"
    r"|\b(?:unicorn|dragon|dinosaur|walrus|yellow submarine|walking (?:disaster|mess|encyclopa?edia|dictionary|zombie)|married to (?:my|the) (?:job|work)"
    r"|(?:phd|degree|masters?|diploma|doctorate) in (?:napping|sleeping|procrastinat\w+|sarcasm|nonsense|overthinking|snacking|being \w+)"
    r"|in (?:animal crossing|minecraft|fortnite|roblox|stardew valley|skyrim|zelda)|(?:ceo|boss|king|queen|president) of (?:this|the|our) (?:house|sofa|couch|kitchen|bed))\b"
    r"|\b(?:own|live on|live in|from) (?:the )?(?:moon|mars|sun|galaxy|universe|atlantis|hogwarts|narnia)\b"
    r"|\b(?:1[3-9]\d|[2-9]\d\d|\d{4,}) (?:years?|yrs?) old\b|\b(?:[89]|nine|ten|eleven|twelve)[ -](?:foot|feet)\b"
    r"|\ballergic to (?:mondays?|work(?:ing)?|mornings|homework|people|humans|exercise|responsibility|drama|stupidity|adulting|idiots|being \w+)\b"
    r"|\bprofessional (?:napper|sleeper|snacker|procrastinator|overthinker|couch potato|cat herder|worrier)\b"
    rf"|\b(?:i am|i'?m|im)(?: (?:just|basically|literally|practically|actually|such|officially|like|part))* an? (?:\w+ )?(?:{_BEASTS_EN})s?(?=$|\W*$|[.,!?;:]| (?:today|tonight|at|in|with|without|before|until|till|when|lol|haha\w*|and|but|so|now|after|tbh|honestly|rn|again)\b)"
    r"|\b(?:am|'m) (?:the |a )?(?:(?:queen|king|god|emperor|batman|superman|spiderman)\b|over the moon|on cloud nine|all ears|on top of the world|a genius|everyone's)",
    re.IGNORECASE,
)


_FILLER: Final = LatePattern(
    r"[,\s]*\b(?:would you (?:believe|credit)(?: it)?|if you can (?:believe|credit) it|if you please|if you must know)\b",
    re.IGNORECASE,
)
"""With these one says that it is so indeed."""


def _is_unreal(sentence: str) -> bool:
    """Whether a sentence claims nothing: a condition, a role, a jest, or somebody else's words."""
    sentence = _FILLER.sub("", sentence)
    return any(frame.search(sentence) for frame in (_UNREAL, _TAG, _BEYOND_LIFE, _BIDS_REMIND))


_BIDS_REMIND: Final = LatePattern(
    r"^(?:(?:hey|hi|ok|okay|oh|and|also|please|pls|xiaoxiang|can you|could you|will you)[, ]+)*"
    r"(?:remind|wake) me\b|^(?:小祥|请|麻烦|帮我|[，,\s])*(?:你)?每[^，,。我]{1,14}(?:提醒|叫)(?:一下)?我",
    re.IGNORECASE,
)
"""What asks for a reminder tells nothing of who asks."""


# 💬 88 and @somebody · 2h stand around what was posted.
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
    for sentence in sentences:
        presented = _PRESENTED.search(sentence) and not _PRESENTS_SELF_EN.match(sentence)
        if presented or _TALE.search(sentence):
            break
        known_best = tells_the_speaker(sentence) or corrects(sentence)
        if not known_best and _is_unreal(sentence):
            found.append("")
            continue
        wish = _WISH.search(sentence)
        found.append(_CLAUSE_BEFORE.sub("", sentence[: wish.start()]) if wish else sentence)
    return [*found, *([""] * (len(sentences) - len(found)))]


_CLAUSE_BEFORE: Final = LatePattern(r"[^，,。.!！;；]*$")
"""The beginning of the clause that is cut off."""


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
    r"|上周|这周|上个?月|去年|你好|大家好|您好|[，,、\s])+"
)

_SELF_ZH: Final = LatePattern(r"[我俺咱本]")

_RELATED_ZH: Final = LatePattern(
    rf"(?:[我俺咱]们?家?(?:的|那个?|这个?)?)?(?:(?:{PERSONS_ZH})的(?:{PERSONS_ZH})"
    r"|邻居|鄰居|隔壁|同[事学學]|房[东東]|客[户戶]|领导|領導|老[师師](?!$)|楼[上下])"
)
"""我同学的表哥, 我邻居: whoever is not so near that what is so of them is remembered."""

IN_LAWS_ZH: Final = (
    "[孩娃]子?儿?[他她][爸妈]|女婿|儿媳妇?|前(?:夫|妻|男友|女友|任)|公公|婆婆|岳[父母]|丈[人母]娘?|亲家|[堂表][哥姐弟妹]|舅[舅妈]|姑[姑父妈]|姨[妈父]|叔叔|婶婶|嫂子|姐夫|妹夫"
    "|弟媳妇?|孙[子女]|外孙女?|外甥女?|侄[子女儿]|闺蜜|幺[儿妹]|养[父母子女]|继[父母]"
)
"""Whom else one speaks of as one's own."""

_KIN_ZH: Final = LatePattern(
    rf"{IN_LAWS_ZH}|(?:老)?(?:爸|妈|媽)|父[母亲親]|母[亲親]|爷爷|奶奶|外[公婆]|姥[姥爷]|老[公婆]|丈夫|妻子|媳妇|[男女](?:朋)?友|对象|儿子|女儿|闺女|孩子|娃|哥|姐|弟|妹"
    r"|家里|[猫狗]"
)

# Who may be spoken of by a word: a trade, a kinship, a crowd.
_PERSON_ZH: Final = LatePattern(
    rf"(?:{PERSONS_ZH})$|(?:人|者|员|員|師|师|生|手|友|房东|房東|婆|婶|姨|伯|长|東|东|客|们|們|主播|博主|迷|粉|[0０]后|男|女|孩|帅哥|美女|姑娘|小伙子?|店[长員员]|明星|网红|老头|经理|老板娘?|总裁?)$"
)

_YOU_ZH: Final = LatePattern(
    r"[你您](?:们)?(?!好|看|说|瞧|知道|懂|猜)|有些|有的人?|某|一般人|谁|誰|人家|别人|大家(?!都?[叫喊])"
)


_CALLS_ME: Final = LatePattern("[叫喊唤][我俺]|称呼[我俺]")


def _subject_zh(clause: str) -> ClauseSubject:
    clause = LED_ZH.sub("", clause)
    if _RELATED_ZH.match(clause):
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
    r"^(?:(?:and|but|so|well|also|then|now|today|yesterday|lol|haha|hi+|hey|hello|oh|ok|okay|yes|yeah|no|btw|honestly|actually"
    r"|apparently|because|cos|cause|though|anyway)\b[,.!\s]*)+",
    re.IGNORECASE,
)

_KIN_EN: Final = LatePattern(
    r"(?:my|our)\b(?! (?:name|age|job|birthday|home|house|hobby|hobbies|work|trade)\b)|(?-i:Mum|Mom|Mam|Dad|Nan|Nana|Gran|Granny|Grandma|Grandpa|Mother|Father)\b|(?:mum|mom|dad|nan|gran|grandma|grandpa|hubby)(?:'s)? ",
    re.IGNORECASE,
)

_REMOTE_EN: Final = LatePattern(
    rf"(?:my|our) (?:[\w-]+ )?(?:(?:{PERSONS_EN})'s (?:{PERSONS_EN})|landlord|landlady|neighbou?r|colleague|coworker|co-worker|client|customer|classmate|teacher|postman|barber|hairdresser)s?\b",
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
    r"(?!(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Christmas|Easter|There|Here|That|This|It|What|Birthday|Work|Home|Life|Job|Name|Age|Been|Favou?rite|\w+ing)\b)"
    r"[A-Z][a-z]+ ?(?:'s|is|was|has|(?:live|work|drive|own|like|love|hate|need|get|play|speak|keep|run|eat|drink|want|say)s|goes|studies|teaches)\b"
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


_PET_ZH: Final = "[一-鿿]?[猫狗犬]|小?(?:猫咪|狗狗|兔子|仓鼠|鹦鹉|乌龟|金毛|柯基|泰迪|橘猫)"

ONES_OWN_ZH: Final = LatePattern(
    rf"[我俺咱]们?(?:家里?)?(?:的|那个?|这个?)?(?:最好的|大|小|二|三|老)?(?:{PERSONS_ZH}|{IN_LAWS_ZH}|{_PET_ZH})"
    rf"(?!们?家|的|[和跟与同俩]|公司|{PERSONS_ZH})(?=.)"
)
"""我女儿, 我家猫, 我最好的朋友, before what is told of them."""

KIN_AT_HEAD_ZH: Final = LatePattern(
    rf"(?:大|小|二|三|老)?(?:{IN_LAWS_ZH}|{KIN_ZH})(?![他她它们]|家|的|[和跟与同俩说问让骂催]|公司|今天|昨天|刚才|觉得)(?=[一-鿿])"
)
"""女婿, 前夫: without another's name they are the speaker's."""

GOES_ON_ZH: Final = LatePattern(
    r"(?:(?:它|她|他)?的?(?:名字|大名|小名|全名|外号|绰号|网名|英文名)|取名|起名)?(?:[就也]?(?:叫做?|名叫|唤作)(?![我得了停不])|姓|就?是[^，]{1,4}人)"
    r"|[他她它]|今年[\d一二三四五六七八九十]|(?:才|刚|快|都|已经|大概|差不多)?[\d一二两三四五六七八九十]+(?:来|多|几)?(?:岁|个月大?|岁半)"
    r"|[\d一二三四五六七八九十]{1,3}(?:出头|多|来)岁?|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]"
)
"""By these a clause tells who somebody is: 叫何姐, 五十岁, 它…."""

_HIRED_ZH: Final = (
    "帮工|保姆|护工|钟点工|学徒|徒弟|司机|店员|伙计|小工|月嫂|家教|教练|律师|中介|助理|实习生|学生|姑娘|小姑娘|小伙子?|丫头|小孩"
    "|男生|女生|男的|女的|女孩子?|男孩子?|网友|室友|租客|房客|老人|老伯|大叔|搭档|同伴|[一-鿿]{0,3}(?:工|员|师傅|老师|医生|阿姨)"
)

WHO_I_KNOW_ZH: Final = LatePattern(
    rf"[^，]{{0,5}}[我俺][^，]{{1,8}}的[^，]{{0,4}}(?:{PERSONS_ZH}|{_HIRED_ZH}|人)(?:叫|姓|是|今年|快|才|都|已经|\d|[一二三四五六七八九十])"
    rf"|[^，]{{0,5}}[我俺][^，]{{1,8}}的(?:是|叫)[^，]{{1,4}}(?:{_HIRED_ZH}|人)$"
)
"""我教的学生叫陈浩, 给我看病的是李医生."""

BRINGS_IN: Final = LatePattern(
    rf"(?:[我俺咱]们?)?(?:家里?)?(?:也|还|就|刚|今天|昨天|最近|上周|新|又)*(?:有|养|请|雇|招|找|认识|交|谈|收|收养|领养|领|带|捡|处|相|生|遇到|碰到|碰见|加)(?:了|着|过|到|来|回来?|一下)*(?:[一两二三四五六七八九十几仨]?[个位只条隻條名头匹]|俩|仨)"
    rf"[^，]{{0,4}}(?:{PERSONS_ZH}|{IN_LAWS_ZH}|{_HIRED_ZH}|{_PET_ZH}|人)[^，]{{0,3}}$"
    rf"|(?:[我俺]们?的?)?(?:{PERSONS_ZH}|{_HIRED_ZH})(?:[小老阿大][一-鿿]|[一-鿿][姐哥叔婶])$"
    rf"|(?:i|we)(?: have|'ve| have got|'ve got) (?:an?|one|two|three|four|some) (?:[\w-]+ ){{0,2}}(?:{PERSONS_EN})s?$",
    re.IGNORECASE,
)
"""我养了只猫, "I have a brother": somebody else comes in, of whom the talk may go on."""

OBJECT_ZH: Final = LatePattern(
    "(?<!是)(?<!是一)(?<!当)(?<!当一)(?<!做)(?<!做一)(?:[一两三几新]?[个位只条隻條名头匹]|(?<=[了着过有来开一两三几新])[家间])(?:[^，是]{1,8})$"
)
"""来了个新同事, 开了家店: what has a name behind it."""
