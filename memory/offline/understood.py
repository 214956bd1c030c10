"""Whether a clause is understood whole, or only a word or two of it was recognised.

Where a rule finds its words inside a clause, the rest may turn their sense: 要不我也吃素得了,
"fingers crossed we find a place", "I think I'll keep it". Such a clause is learnt only if it
begins with its speaker or with what is told of them, leans on nothing outside it, and gives no
opinion, wish or advice. All these are closed classes of words; whatever else stands there is a
reason to refuse. Somebody whose name stands at its head is not its speaker, nor is whoever says
"I" in words that are only passed on.
"""

import re
from itertools import pairwise
from typing import Final, Literal

from memory.offline.vocabulary import Sayings
from memory.text import slots_zh
from memory.text.late_pattern import LatePattern
from memory.text.passed_on import own_text
from memory.text.slot_core import KIN_ZH
from memory.text.slot_cues import FIRST_PERSON, PERSONS_EN, PERSONS_ZH
from memory.text.tokens import tagged_words
from memory.text.word_forms import SURNAMES

_HAN: Final = re.compile("[一-鿿]")

_LEADS_EN: Final = re.compile(
    r"(?:\W|\b(?:since \w+|in \d{4}"
    r"|(?:a|an|one|two|three|four|five|six|\d+) (?:days?|weeks?|months?|years?) ago"
    r"|and|but|so|well|also|then|now|lol|haha|hi+(?:ya)?|hey+a?|hello|oh|ok|okay|yes|yeah|yep"
    r"|nah|no|wow|btw|tbh|anyway"
    r"|because|cos|cause|since|though|today|yesterday|these days"
    r"|nowadays|still|just|already"
    r"|always|never|often|even|both|proud|born|raised|started|starting|new|bred"
    r"|went|gone|sorry|wait|look|as|[a-z]+ly"
    r"|(?:this|last|next|every) (?:year|month|week|summer|spring|autumn|fall|winter|morning"
    r"|weekend|\w+day)"
    r"|i'?m|i'?ve|i'?d|we'?re|we'?ve|i|we|me|my|our|mine|myself|us"
    r"|am|are|is|was|were|be|been|have|has|had|having|got|gotten|do|does|did|of|the|a|an|in|on"
    r"|at|to|for|with|from|it's|its)\b)++",
    re.IGNORECASE,
)
"""What may stand before that which was read: connectives, time, the speaker, auxiliaries."""

_KIN_FIRST_EN: Final = re.compile(
    r"\W*(?:(?:and|but|so|well|oh|now) )*(?:(?:my|our) [\w'’-]+(?: [\w'’-]+){0,3} ?"
    r"|(?-i:[A-Z])[a-z]+(?:['’]s)?(?: and)?|twins|(?:mum|mom|dad|nan|gran|the (?:wife|husband"
    r"|kids|missus))\b.*|(?:the |a )?(?:doc|doctor|gp|consultant|specialist|psychiatrist|surgeon)"
    r"|.{0,30}\b(?:me|us|my)\b)\W*",
    re.IGNORECASE,
)
"""My eldest, Priya, they pushed my: somebody or something of the speaker's."""

_OUTSIDE_EN: Final = re.compile(
    r"\b(?:you(?!.* call me\b)|your|yours|you['’]\w+|ya|ur|let['’]?s|it|it['’]s|that['’]s"
    r"|(?:like|about|for|of|to|with|in|on|do|than) that|that(?=\W*$)|these(?! days)|those|them"
    r"|something|(?<!seeing )(?<!dating )some(?:one|body)|anything|things|stuff"
    r"|such an?|(?:so|as) (?:much|many)|a ton|this(?! (?:year|month|week|summer|spring|autumn"
    r"|fall|winter|morning|weekend|term|semester|side|house|place|town|city|country|area"
    r"|\w+day)\b)"
    r"|why|what|whatever)\b|^\W*(?:that|here|there|not|to|as|if|when|while|until|before|after"
    r"|even|all|time)\b|\bhow\b(?! to)|\b(?:too|also) (?=\W*$)",
    re.IGNORECASE,
)
"""Words that point to the one spoken to, or to what was said or shown before."""

_OPINES_EN: Final = re.compile(
    r"\b(?:i|we)(?:['’]ll| will| would| could| should| might| may| must| can['’]?t wait|['’]d)\b"
    r"|\b(?:i|we)(?: \w+ly| just| still| also| really)* (?:think|thought|feel|felt|guess|bet"
    r"|hope|hoped|believe|know(?= (?:it|that|how|what|you|the|some|we|i|he|she|they|this)\b)"
    r"|remember|understand|recomm?end|reccomend|wish|mean"
    r"|admire|appreciate|wonder|suppose|suggest|agree|hear|heard|see|saw|promise|swear|find"
    r"|noticed?|imagine|figured?)\b"
    r"|\b(?:can['’]?t wait|cannot wait|fingers crossed|congrat\w*|thank\w*|good luck|glad"
    r"|hopefully|dying to|gonna|going to try|keep going|not only)\b"
    r"|\b(?:in|on) my (?:head|mind)\b|\b(?:we|they|us|people) (?:all|both)\b|\b(?:all|both) of us\b"
    r"|\b(?:doing|feeling) (?:ok|okay|well|fine|good|great|alright|better|my best|our best)\b"
    r"|\b(?:my|our) best(?=\W*$)|\bin(?:to)? myself\b",
    re.IGNORECASE,
)
"""What gives an opinion, a wish, a greeting, or tells of everybody."""

_DEFINITE_EN: Final = re.compile(
    r"\b(?:love|like|enjoy|adore|appreciate"
    r"|hate)s? (?:the (?-i:[a-z])\w+ (?!of (?:the )?(?-i:[a-z])\w+$)\w+.*|(?:his|her|their|its"
    r"|one)\b.*|to|the (?:idea|way|thought|feeling|fact|look|sound|concept)\b.*)$",
    re.IGNORECASE,
)
"""Love the way the light falls, love his tech: a thing of the talk, and no taste."""

_NO_THING_EN: Final = re.compile(
    r"\b(?:have|['’]ve|has|had|got)(?: got)? (?:an?|the|some|any|no|another|one|two|few|many"
    r"|lots of|my)? ?(?:more |last |final )?(?:[\w-]+ ){0,2}(?:news|stor(?:y|ies)|questions?"
    r"|ideas?|plans?|feelings?"
    r"|chances?|opportunit(?:y|ies)|fun|blast|time|goals?|points?|doubts?|issues?"
    r"|(?<=a )problem|(?<=some )problems|troubles?|energy|surprises?|memories|moments?|way"
    r"|respect|faith|hope|luck|reason|choice|conversation|talk|chat|day-?off|results"
    r"|schedule)\b"
    r"|\b(?:i|we)(?:['’]ve| have)(?: got)? (?!(?:\w+ly |just |now |since )*(?:\w+ed|gone|been)\b)"
    r"[\w -]{1,30} to \w+$",
    re.IGNORECASE,
)
"""What one can have without owning anything."""

_AND: Final = re.compile(
    r"\s(?:and|but)\s(?!(?:my|our|i|me|we|two|three|four|five|one|an?|\d+)\b)", re.IGNORECASE
)

_LEADS_ZH: Final = re.compile(
    r"\W|[\d一二三四五六七八九十两]+[年月日号点岁]?|[我俺咱]们?(?:家|俩)?|本人|自己|个人|也|还|都|就|才|刚刚?|已经|终于|总算|正式|其实|一直|从小"
    r"|打小|现在|目前|如今|眼下"
    r"|[今去前明]年|[今昨前]天|最近|近来|平时|平常|每[天晚周月年早]|天天|周末|以后|往后|后来|结果|又|再|只|光|老|总|经?常|通常|一般|基本|差不多|快"
    r"|马上|特别?|很|超|最|真|贼|巨"
    r"|挺|太|非常|比较|是|在|的|和|跟|与|同|把|被|给|从|到|对了?|因为|所以|而且|然后|但是?|不过|可是?|说实话|老实说|话说|哈++|嗯++|哦|啊|唉|哎|嘿"
    r"|巧了|这|那|[上这下]个?[周月]"
    r"|没|不|别|可以|直接|一个人|全家|一家[人子]?"
)
"""As :data:`_LEADS_EN`."""

_OUTSIDE_ZH: Final = re.compile(
    r"[那这](?:家|边|个|种|款|些|位)?[啊呀吧呢]?$|第[一二三四五六七八九十两\d]+天$"
    r"|(?:每[天周月年晚早]|天天|一天|一周)(?:都|就|要)*[一二两三四五六七八九十几半\d]+[一-鿿]?$"
    r"|老地方|原来(?:的|那个?)(?:地方|单位|公司)"
    r"|^(?:[我俺]|还|都|就|也|一般)*每?(?:周|星期|礼拜)[一二三四五六日天\d、和]+的?(?:[早晚][上晨]?|[上下]午)?$"
)
"""在天钥桥路那家, 入职第二天, 每天一杯."""


def leans_outside(clause: str) -> bool:
    """Tell whether only what stands before a Chinese clause says of what it tells."""
    return _OUTSIDE_ZH.search(clause) is not None


_PROPOSES_ZH: Final = re.compile(
    r"^(?:还是)?算了|^(?:要不|不如|要么|换(?:了|作|成)?你|没有?人|谁都?|人人|哪个|所有人|有的人?|任何|凡是|让我|容我)"
    r"|^(?!.*(?:[叫喊称]|改[成为])).*(?:得了|算了|拉倒|吧)$"
)
"""A proposal, a saying about everybody, a guess: 要不我也吃素得了, 没有人会讨厌放假吧."""

_MOST_LEFT_ZH: Final = 3
"""So many characters before what was read may be unknown: 母胎单身, 奶茶都不碰了."""


_KIN_ZH: Final = re.compile(KIN_ZH)


_LAUGHS: Final = re.compile(
    "哈哈|(?<!了)嘿嘿|嘻嘻|笑死|\\bhh+\\b|233|[😂🤣😆😹😜😝🙃]|\\b(?:lol|lmao|rofl|haha\\w*|hehe\\w*|jk)\\b",
    re.IGNORECASE,
)


def is_in_jest(sentence: str, unread: str = "", clause: str = "") -> bool:
    """Tell whether a clause laughs, or is laughed at, while more is said than was read.

    ``unread`` is what stands behind what was read; im a barista lol is read to its end. A laugh is
    about its own clause, or if it stands alone about the one before it; without a ``clause`` any.
    """
    if _LAUGHS.search(sentence) is None:
        return False
    parts = [each for each in _CLAUSES.split(sentence.strip(" ，,。.!！~～")) if each.strip()]
    if len(parts) == 1:
        return _WORD.search(_LAUGHS.sub("", unread)) is not None
    if not _tells_more(parts[0]):
        return True
    return any(
        (clause in each or each in clause)
        # What stands last turns what stands before it, by a word or of two clauses the first.
        and any(
            map(_LAUGHS.search, (each, "" if _tells_more(after) and len(parts) > _TWO else after))
        )
        for each, after in pairwise((*parts, ""))
    )


_TWO: Final = 2


def _tells_more(part: str) -> bool:
    return _WORD.search(_LAUGHS.sub("", part)) is not None


_CLAUSES: Final = re.compile(r"[，,；;。:：]|(?<=[😂🤣😆😹😜😝🙃])\s*(?=\w)")

_WORD: Final = re.compile("\\w")

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
BEYOND_LIFE: Final = LatePattern(
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


LONGEST_NOTE: Final = 90
"""Who leaves out the "I" writes short lines; in a longer text of English nobody is meant by it."""


def names_nobody(clause: str, said: str) -> bool:
    """Tell whether an English clause without its speaker stands in a text of whole sentences."""
    return not _HAN.search(clause) and len(said) > LONGEST_NOTE and not FIRST_PERSON.search(clause)


def is_understood(clause: str, before: str = "") -> bool:
    """Tell whether a clause says by itself what was read in it, behind ``before``."""
    if _HAN.search(clause):
        led = len(_LEADS_ZH.sub("", before)) <= _MOST_LEFT_ZH or _KIN_ZH.search(before)
        return bool(led) and not _PROPOSES_ZH.search(clause) and not leans_outside(clause)
    # What is told with "and" behind it may lean on what stands before: single and fine with it.
    clause, before = _AND.split(clause.replace("’", "'"))[0], before.replace("’", "'")
    if not _LEADS_EN.fullmatch(f" {before}") and not _KIN_FIRST_EN.fullmatch(before):
        return False
    return not any(
        each.search(clause) for each in (_OUTSIDE_EN, _OPINES_EN, _DEFINITE_EN, _NO_THING_EN)
    )


_TITLES_ZH: Final = (
    "太太|先生|小姐|女士|姐|哥|叔|姨|伯|婶|嫂|爷爷?|奶奶|阿姨|医生|大夫|老师|教授|总|经理|主任"
    "|师傅|老板|同学|教练|护士"
)

_CALLED_AT_HEAD: Final = LatePattern(
    rf"老[{SURNAMES}](?![年家])|[{SURNAMES}][一-鿿]?(?:{_TITLES_ZH})"
    r"|小(?![孩狗猫时学区朋名心姐妹弟哥气猪鱼聚说声事伙吃腿腹肚雨雪县镇村子便程费偷组车型院楼票额店众数的])[一-鿿]"
    r"|阿(?![姨公婆爸妈嬷弥里拉尔根莫])[一-鿿]"
)
"""老吴, 何姐, 小宇, 阿福."""

# Of these characters given names are made, in pairs that are seldom a word.
_GIVEN: Final = frozenset(
    "怡君翰婷梓涵轩琪萱妍妮娜琳琴瑶瑾璇莹莉莎菲薇蓉芳芬芸芝英桂兰淑娟婉媛娥嫣雯雅欣昕晨晗晖昊旭志伟强建军刚勇杰俊峰浩"
    "宇宏鸿鹏翔凯辉磊鑫铭锋彬斌博涛泽润霖森柏楠承诺睿哲思嘉佳丽玲珍珠玉秀艳凤燕梅菊慧惠敏洁倩茜颖诗馨曦冰晓子若明国德全"
    "贵福祥顺兴发财旺源宝"
)

_NO_GIVEN_WORDS: Final = """
宝宝 宝贝 发财 明国 国德 子宝 国宝 财宝 珍珠 宝玉 明子 英国 德国 英明 发明 国军 建国 宝贵 珍宝
国子 思明 福建 明珠 兴旺 强军 佳兴 福州 明智 全国 全明 玉兰 桂玉
"""

_NO_GIVEN: Final = frozenset(_NO_GIVEN_WORDS.split())

_TELLS_OF_ONE: Final = LatePattern(
    r"[在是叫姓有要会想去来回到住做当读上开考升毕结离生怀病走没不也又还都才今昨前明最现已刚快被把给跟和换搬买卖养戒退转调辞"
    r"出进满八一二三四五六七八九十两几\d很太真总老变成得确查怕爱喜从懂长调瘦胖哭笑说]|(?:确诊|怀孕|嫁|娶|属|家|说|近视|远视|发烧|感冒|咳|摔|吐)"
)
"""With these begins what is told of whoever was named."""


_WORKER_ZH: Final = (
    "(?:[^，我俺咱你您是在做当]{0,5}"
    "(?:房|馆|店|楼下|区|司|校|院|园|行|厂|局|所|里|口|心|单位|隔壁|部|社|室|堂|市))的"
    f"(?:那个|这个|新来的|新|老|女|男)?(?:{slots_zh.CORE_WORDS['JOB']}|大[叔爷妈姐哥])"
)
WORKS_THERE: Final = LatePattern(_WORKER_ZH)
"""健身房的教练, by itself, is who works there; who is it says so: 我是健身房的教练."""
MET_THERE: Final = LatePattern(
    f".{{0,6}}(?:认识|遇[见到]|碰[见到上]|见|看[见到]|加|请|找)[了到过]*{_WORKER_ZH}"
)


def named_at_head(clause: str) -> str:
    """Return the name of a person or an animal with which a Chinese clause begins, else "".

    >>> named_at_head("老吴叫吴德全"), named_at_head("工作很忙")
    ('老吴', '')
    """
    called = _CALLED_AT_HEAD.match(clause)
    if called and _TELLS_OF_ONE.match(clause, called.end()):
        return called[0]
    given = clause[:2]
    if _GIVEN.issuperset(given) and given not in _NO_GIVEN and _TELLS_OF_ONE.match(clause, 2):
        return given
    (word, tag), (given, _), *_ = (*tagged_words(clause[:12]), ("", ""), ("", ""))
    word += given if tag == "nr" and len(word) == 1 and len(given) == len("思源") else ""
    is_full = tag.startswith("nr") and _FULL_NAME.fullmatch(word) is not None
    return word if is_full and _TELLS_OF_ONE.match(clause, len(word)) else ""


_FULL_NAME: Final = LatePattern(rf"[{SURNAMES}][一-鿿]{{1,2}}")


def is_anothers_word(said: str, asked: str) -> bool:
    """Tell whether the "I" of a line is another than who asks about themselves: 小芳: 我下周结婚.

    Who is asked about may have said it: "what did my boss say" wants the words of the boss.
    """
    if not _OF_ASKER.search(asked) or not FIRST_PERSON.search(said):
        return False
    own, shown = own_text(said)
    if not FIRST_PERSON.search(shown) or FIRST_PERSON.search(_SPEAKER.sub("", own)):
        return False
    who = _AFTER_SPEAKER.split(said)[0]
    return not any(each in who for each in _WHO.findall(asked))


_OF_ASKER: Final = LatePattern(r"[我俺]|\b(?:i|my|me|mine)\b", re.IGNORECASE)

_SPEAKER: Final = LatePattern(rf"[我俺]们?家?的?(?=隔壁|{PERSONS_ZH})|\bmy\b", re.IGNORECASE)

_AFTER_SPEAKER: Final = LatePattern(r"[：:，,](?!\d\d)|说|讲|\bsa(?:id|ys)\b", re.IGNORECASE)

_WHO: Final = LatePattern(
    rf"{PERSONS_ZH}|[老小阿][一-鿿]|\b(?:{PERSONS_EN})\b|(?-i:\b[A-Z][a-z]+\b)", re.IGNORECASE
)


def answer_to_keeping(text: str) -> Literal["yes", "no", ""]:
    """Return what a line says to the question whether to keep something; "" if it says neither.

    It says nothing else: 要, 留着吧, "yes, keep it"; 不用了, "no need", "let it go".
    """
    told = text.strip()
    if _DROPS_WORD.search(told):
        return "no" if _DROPS.fullmatch(told) else ""
    return "yes" if _KEEPS_WORD.search(told) and _KEEPS.fullmatch(told) else ""


def said_of_keeping(text: str, occasion: str, sayings: Sayings) -> str:
    """Return what a yes or a no to the question whether to keep something is answered."""
    answer = answer_to_keeping(text)
    if answer == "yes" or (not answer and occasion == "ack"):
        return sayings.kept_again
    return sayings.rests_again if answer == "no" else ""


_KEEPS: Final = LatePattern(
    r"(?:[嗯好是对行要那请就先的啊呀吧哦呢啦嘛，,。.!！~～\s]|可以|当然|麻烦|帮我|还是|[留记][着住下]?来?|保留|谢谢"
    r"|它|这个|这件事|那个"
    r"|(?:yes|yeah|yep|yup|sure|ok(?:ay)?|of course|absolutely|definitely|go ahead|do|keep|hold on to"
    r"|remember|it|that|this|so|for me|please|thanks|thank you)\b)+",
    re.IGNORECASE,
)
_KEEPS_WORD: Final = LatePattern(
    r"[嗯好行要留记]|可以|当然|^[是对]"
    r"|\b(?:yes|yeah|yep|yup|sure|ok(?:ay)?|of course|please|keep|absolutely|definitely|go ahead)\b",
    re.IGNORECASE,
)
_DROPS: Final = LatePattern(
    r"(?:[嗯那就了吧啦啊呀哦，,。.!！~～\s]|不用|不要|不必|别|没必要|算了|[留记][着住下]?来?|再|谢谢"
    r"|它|这个|这件事|那个"
    r"|(?:no|nope|nah|not really|not needed|need|do not|don['’]?t|bother|keep|let|it|that|this|go|rest"
    r"|rather not|please|thanks|thank you|there['’]s|to)\b)+",
    re.IGNORECASE,
)
_DROPS_WORD: Final = LatePattern(
    r"不用|不要|不必|别|没必要|算了|\b(?:no|nope|nah|not|don['’]?t|let (?:it|that|this) (?:go|rest))\b",
    re.IGNORECASE,
)


DECIDED: Final = LatePattern(r"[我俺](?:已经|终于)?决定好?了[，,：:\s]+(?=[^我俺你，,。\s]{3,})")


def with_decision(sentence: str) -> str:
    """Return a sentence as one clause that tells what was decided: 我决定了 过年不去厦门."""
    found = DECIDED.match(sentence)
    return f"我决定{'，'.join(sentence[found.end() :].split())}" if found else sentence
