"""The names of people and animals that a sentence tells: 我家猫叫团子, Jake is my roommate.

A name is known by what tells it (somebody is called it, or is said to be somebody's friend, child
or dog), never by its looks alone. Whom a text
that tells of nobody new may name is read off its looks (:func:`names_somebody`).
"""

import re
from collections.abc import Sequence
from typing import Final

from memory.text.late_pattern import LatePattern
from memory.text.slot_core import KIN_ZH
from memory.text.slot_cues import PERSONS_EN
from memory.text.word_forms import SURNAMES

ROLE_ZH: Final = (
    rf"(?:{KIN_ZH}|[男女]?朋友|好朋友|闺蜜|哥们|兄弟|姐妹|同事|同[学桌]|舍友|邻居|房东|领导|老师|师[父傅兄姐弟妹]"
    r"|教练|学生|徒弟|前任|搭档|网友|亲戚|[舅姑姨叔伯婶嫂]{1,2}|阿姨|宝宝|宠物"
    r"|[猫狗]{2}|[猫狗]咪?|小[猫狗]|兔子?|仓鼠|鹦鹉|乌龟|金毛|柯基|柴犬|泰迪|边牧|哈士奇|布偶|英短|橘猫|龙猫|马|鱼)"
)

ROLE_EN: Final = (
    r"(?:best |old |close |good |little |big |older |younger |twin |elder |ex-?)*"
    r"(?:mother|mom|mum|father|dad|grandma|grandpa|gran|nan|grandmother|grandfather|husband|wife"
    r"|boyfriend|girlfriend|partner|fianc[ée]e?|ex|son|daughter|kid|child|baby|brother|sister|twin"
    r"|uncle|aunt|auntie|cousin|niece|nephew|grandson|granddaughter|friend|mate|bestie|buddy"
    r"|colleague|coworker|co-worker|boss|manager|teacher|classmate|roommate|housemate|flatmate"
    r"|neighbou?r|landlord|landlady|mentor|coach|therapist|student"
    r"|cat|kitten|dog|puppy|rabbit|bunny|hamster|guinea pig|parrot|bird|turtle|tortoise|goldfish"
    r"|fish|lizard|snake|horse|pony|pet)"
)

_NAME_EN: Final = (
    r"(?-i:(?:(?:Dr|Mrs?|Ms|Miss|Prof|Sir)\.? )?([A-Z](?:['’][A-Z])?[a-z'’-]+)(?! [a-z]+ing))"
)

# 叫外卖, 叫停, 叫了三遍: what is called and is no name.
_NO_NAME: Final = (
    "(?:[我你您他她它谁啥这那哪]|主人|什么|怎么|大家|人|外卖|快递|滴滴|出租|网约|救护|车"
    "|[了过不得出来停醒住着做作])"
)

_NOT_FIRST: Final = (
    "尤其|特别|最|还有|就是|主要|比如|今|昨|明|后|旁边|隔壁|楼|对面|前面|后面|照片|新来|老师|医生"
)

NAME_SHAPE_ZH: Final = (
    "(?:阿(?!姨)[一-鿿]|小(?![孩狗猫时学区朋名心姐妹弟哥气猪鱼聚说声事])[一-鿿]|老(?![是公婆板师家爸妈了])[一-鿿])"
    "(?=$|[，,。！!？?、；;\\s昨今明前后要在是说叫和跟去来给也又把被就都还会有不结辞生病搬送做开帮请约的])"
)
"""阿哲, 小林, 老王: what is called so is somebody, with the few that are not taken out."""

_TELLS_ZH: Final = (
    # 我家猫叫团子, 名字是阿哲
    LatePattern(
        rf"(?:{ROLE_ZH}|[只条位匹头]|(?<![书歌片剧店曲])名字?|小名|大名|外号|取名|起名"
        rf"|(?:{ROLE_ZH}|[只条位匹头])[^，,。]{{0,6}}[，,][它他她]?)(?:[就也都]|的?名字)?(?:叫做?|名叫|[叫是](?<=名[叫是]))"
        rf"(?!{_NO_NAME})([一-鿿]{{1,4}}|[A-Za-z][\w'-]+)(?![一-鿿\w])"
    ),
    # 阿哲是我室友, 团子是我养的猫
    LatePattern(
        rf"(?:^|[，,。！!；;\s])(?!{_NOT_FIRST})"
        rf"(?!{_NO_NAME})([一-鿿]{{2,3}}|[A-Z][\w'-]+)是(?:我|咱|主人)们?(?:家|养|认识)?的?(?:那只|最好的|大学|高中|初中|小学)?"
        rf"{ROLE_ZH}(?![一-鿿])"
    ),
    # 同事小林昨天辞职了, 最好的朋友是小雨
    LatePattern(rf"{ROLE_ZH}是?({NAME_SHAPE_ZH})"),
)

_TELLS_EN: Final = (
    # a dog named Biscuit, my cat is called Mochi, her name is Lily
    LatePattern(
        rf"(?:\bnamed|(?<!my )\bnames? (?:is|was|are)|(?<!my )\bname['’]s"
        rf"|\b{ROLE_EN}(?:['’]s| is| are)? called) {_NAME_EN}",
        re.IGNORECASE,
    ),
    # my dog Biscuit, our neighbour is Tom
    LatePattern(
        rf"\b(?:my|our|their|his|her|\w+['’]s) {ROLE_EN}(?:,| is)?"
        rf" {_NAME_EN}",
        re.IGNORECASE,
    ),
    # Jake is my roommate
    LatePattern(
        rf"(?:^|[.,;!] ?){_NAME_EN}(?:['’]s| is) (?:my|our|their|(?:my )?\w+['’]s)"
        rf" {ROLE_EN}\b",
        re.IGNORECASE,
    ),
)

_NO_NAMES_EN: Final = """
he she it this that there here who what today tomorrow yesterday monday tuesday wednesday thursday
friday saturday sunday january february march april may june july august september october november
december christmas easter god i my our english french german spanish italian chinese japanese
korean american british arabic russian portuguese turkish polish hindi welsh irish dutch greek mom
mum dad grandma grandpa
"""

NO_NAMES: Final = frozenset(_NO_NAMES_EN.split())
"""Words with a capital, in small letters, that are nobody's name."""


def names_told(text: str) -> tuple[str, ...]:
    """Return the names that ``text`` tells of people and animals, each once."""
    found = (
        re.sub("['’]s?$", "", found[1])
        for told in (*_TELLS_ZH, *_TELLS_EN)
        for found in told.finditer(text)
    )
    known = ((name, name.casefold()) for name in found if name)
    return tuple(
        dict.fromkeys(
            x for x, told in known if NO_NAMES.isdisjoint({told, told.removesuffix("s")})
        )
    )


_CHILD_ZH: Final = "(?:大|小|二)?(?:女儿|儿子|闺女|丫头|宝宝|孩子|双胞胎|孙子|孙女|外孙女?)"

_OURS_ZH: Final = "(?:[我俺咱]们?)?(?:家里?)?的?"

_MOTHER_ZH: Final = "[我俺]?(?:老婆|媳妇|爱人|太太)"

_BORN_ZH: Final = LatePattern(
    rf"{_OURS_ZH}(?P<child>{_CHILD_ZH})[^，,我你他她]{{0,6}}(?:出生|降生|落地|来报到)"
    rf"|(?:{_OURS_ZH}|刚|终于|{_MOTHER_ZH}){{0,3}}(?:[添得抱]|生(?=了个|了一个))了"
    rf"(?:一?[个位对])?[大胖小]*(?P<given>{_CHILD_ZH})"
    rf"|{_MOTHER_ZH}(?P<mother>生了)(?=$|[，,！!])"
    r"|[我俺](?:终于|要|也)*[当做]上?(?:爸|妈)[爸妈]?了"
    rf"|[我俺](?P<another>{KIN_ZH}[^，,]{{0,4}}生了(?!病|气)|(?:终于|要|也)*[当做]上?"
    r"(?:舅|姨|姑|叔|伯|婶|爷|奶|外公|外婆|姥)[舅妈姨姑叔伯婶爷奶姥]?了)"
)

_OURS_FIRST_ZH: Final = LatePattern(rf"[我俺咱]们?家?的?{_CHILD_ZH}(?!们|和|跟|的)")

GOES_ON_ABOUT_CHILD: Final = LatePattern(
    r"(?:小名|大名|名字|取名|起名)*叫|(?:是个?|一个)?(?:[男女](?:孩|娃|宝|婴)|大胖小子|千金|龙凤胎)|(?:体?重|身[高长])?[\d零一二两三四五六七八九十半]+"
    r"(?:斤|公斤|克|厘米|个月|岁)|母[女子]平安"
)


def newborn(clause: str) -> str | None:
    """Return whose child a clause tells to be born, as the speaker's; None if it tells of none.

    Of the child of somebody else's only that there is one, for nobody could name it: "".
    """
    born = _BORN_ZH.match(clause)
    if born is None or born["another"]:
        return None if born is None else ""
    return f"我{born['child'] or born['given'] or '孩子'}"


def with_births(sentences: Sequence[str]) -> list[str]:
    """Return sentences, with one that goes on about a child joined to the one that tells of it.

    我们家女儿出生了！叫小满，六斤八两: name and weight are the child's.
    """
    found: list[str] = []
    for sentence in sentences:
        before = found[-1].rstrip("。.!！~～ ") if found else ""
        born = newborn(before)
        told = born is not None or _OURS_FIRST_ZH.match(before)
        if told and GOES_ON_ABOUT_CHILD.match(sentence):
            found[-1] = f"{before}，{sentence}"
        else:
            found.append(f"我{sentence}" if born and _CHILD_NAMED_ZH.match(sentence) else sentence)
    return found


_CHILD_NAMED_ZH: Final = LatePattern(f"{_CHILD_ZH}(?:小名|大名|名字|取名|起名)*叫(?![我你])")


_INTRODUCES: Final = LatePattern(
    r"(?P<led>(?:hi+(?:ya)?|hey+a?|hello|yo)(?: there)?[\s,.!]+(?:i['’]?m|i am)"
    r"|(?:(?:hi+(?:ya)?|hey+a?|hello)[\s,.!]+)?"
    r"(?:my name(?: is|['’]?s)|(?:you can |please |just )*call me))"
    r"\s+(?P<word>(?-i:[a-z])[a-z'’-]{1,14})(?=$|[.,!;]| here\b| from\b| and\b)",
    re.IGNORECASE,
)

_NO_NAME_IN_SMALL: Final = LatePattern(
    r"\w+(?:ish|ese|ian|ed|ing|less|ful|ly|ous|able)|an?|the|not|so|just|very|really|in|at|on|off|out"
    r"|up|down|from|with|your|you|me|him|her|it|that|what|who|whatever|gonna|sick|tired|sad|happy|mad"
    r"|angry|hungry|thirsty|sleepy|lonely|busy|dizzy|crazy|cranky|lazy|moody|grumpy|new|back|home"
    r"|here|late|early|later|soon|today|tonight|tomorrow|maybe|when|if|ready|free|alone|lost|broke"
    r"|done|fine|ok|okay|good|great|well|old|young|single|gay|bi|trans|vegan|cold|hot|ill|drunk|high"
    r"|awake|sorry|sure|unsure|glad|afraid|proud|stuck|sore|numb|upset|low|down|blue|poor|rich|dead"
    r"|human|female|male|nobody|someone|again|too|also|still|anytime|stupid|weird|naive|sir|boss"
    r"|baby|dear|mum|mom|dad|names|confused|worn|fed|all|kinda|half|over|under",
    re.IGNORECASE,
)


def with_own_name(sentence: str) -> str:
    """Return a sentence in which the name of whoever introduces themselves is written as one.

    >>> with_own_name("hi im jonas"), with_own_name("hi im hungry")
    ("hi, I'm Jonas", 'hi im hungry')
    """
    sentence = _SURNAME_FIRST_ZH.sub(_full_name, _YEARS_ZH.sub(r"\g<done>", sentence))
    sentence = _NAMED_TWICE_EN.sub(r"I'm \g<full>", sentence)
    aged = _WITH_AGE_EN.match(sentence)
    found = aged or _INTRODUCES.match(sentence)
    if found is None or _NO_NAME_IN_SMALL.fullmatch(found["word"]):
        return sentence
    led = "I'm" if aged else _IM.sub(", I'm", found["led"])
    return f"{led} {found['word'].capitalize()}{sentence[found.end() :]}"


_NAMED_TWICE_EN: Final = LatePattern(
    r"\b(?:[Ii]['’]?m|[Ii] am|[Tt]his is|(?:[Mm]y )?[Nn]ame(?:['’]?s| is)) (?P<one>[A-Z][\w'’-]+)"
    r"(?:,? (?:by the way|btw))?[,.]? (?P<full>(?P=one) [A-Z][\w'’-]+|[A-Z][\w'’-]+ (?P=one)\b)"
)
"""I'm Tom by the way, Tom Hadley."""

_SURNAME_FIRST_ZH: Final = LatePattern(
    r"(?P<who>[我俺])姓(?P<family>[一-鿿])[，, ]*"
    r"(?:单名(?:一个)?(?P<one>[一-鿿])字?|(?:全名|名字|名|大名)?叫做?(?P<called>[一-鿿]{1,3})"
    r"|(?P<full>(?P=family)[一-鿿]{1,2}))(?=$|[，,。.！!；; ])"
)
"""我姓周，叫周建国; 我姓王，单名一个磊字."""

_YEARS_ZH: Final = LatePattern(
    r"(?P<done>(?P<verb>[开做跑干卖教修种养学])[^，,。！!]{1,14})[，,](?:已经|都|也|一共)*"
    r"(?P=verb)了[\d一二两三四五六七八九十几好多]+(?:来|多|几)?年[多了啦]*(?=$|[，,。.！!；;])"
)
"""在城南开一家店，开了二十二年: what for so long, its first clause says."""


def _full_name(found: re.Match[str]) -> str:
    family, given = found["family"], found["one"] or found["called"] or found["full"]
    return f"{found['who']}叫{'' if given.startswith(family) else family}{given}"


_WITH_AGE_EN: Final = LatePattern(
    r"(?:(?:hi+(?:ya)?|hey+a?|hello|yo)[ ,!]*)?(?:i['’]?m|i am|my name['’]?s|my name is)"
    r" (?P<word>(?!(?:pregnant|about|almost|bad|turning)\b)[a-z]{3,12})"
    r"(?=,? (?:1[3-9]|[2-9]\d)(?: ?(?:yo|yrs?|years? old))?(?:,|$| from | and ))",
    re.IGNORECASE,
)
"""im jess, 19, just started an apprenticeship."""


_IM: Final = LatePattern(r"[\s,.!]+i(?:['’]?m| am)$", re.IGNORECASE)


SURNAMED_ZH: Final = LatePattern(
    r"(?!本人|自己|[免贱敝原随跟从其也都就不现]|以前|在下|全家|家[里中]?姓|户口|身份)[^，,我俺咱]{1,10}?"
    rf"姓[{SURNAMES}]|[我俺咱](?:们的?|的)(?![都也全家俩几真])[^，,我俺咱]{{1,8}}?姓[{SURNAMES}]"
)
"""班主任姓马: of whom a family name is told is not the speaker."""

_THIRD_EN: Final = (
    r"(?:is|are|was|were|has|had|does|(?:is|are|was|has|does)n['’]?t"
    r"|(?!(?:always|sometimes|perhaps|besides|thanks|lots|kids|parents|this|his|as|yes)\b)"
    r"[a-z]{3,}(?<![su])s (?!(?:and|or)\b))"
)

APPOSED_EN: Final = LatePattern(
    r"^\W*(?:(?:and|so|but|oh|ok|okay|well|also|because) )*"
    r"(?P<who>(?:(?:one|two|three|both|some) of (?:my|our|the)\b"
    r"|some(?:one|body)\b|(?:my|our|an?|another|this|the) (?:[\w'’-]+ ){0,2}"
    rf"(?:{PERSONS_EN}|tutor|coach|student|\w+(?:er|or|ist|inlaw))\b)[^,.;!?]{{0,30}}),"
    rf"(?:(?= {_THIRD_EN})|(?P<name>(?: [\w.'’-]+){{1,3}}),(?= (?:{_THIRD_EN}"
    r"|(?:can|cannot|can['’]?t|will|won['’]?t|could|never|only|just)(?![\w'’]))))",
    re.IGNORECASE,
)
"""One of my patients, Priti, can't eat gluten: who is named twice is told of, and nobody else."""


_NAME_FIRST_ZH: Final = LatePattern(
    rf"(?!{_NO_NAME}|{_NOT_FIRST})(?P<name>[一-鿿]{{2,3}})是我们?(?:家|养)?的?"
    rf"(?P<role>(?:大学|高中|初中|小学|前)?{ROLE_ZH})[啊呀哦啦]?"
)

_NAME_FIRST_EN: Final = LatePattern(
    rf"(?:^|(?<=[.,;!] )){_NAME_EN}(?:['’]s| is) my ({ROLE_EN})(?=$|[.,;!])", re.IGNORECASE
)


def named_first(clause: str) -> tuple[str, str] | None:
    """Return the name and whose it is of a Chinese clause that begins with it: 阿哲是我室友."""
    found = _NAME_FIRST_ZH.fullmatch(clause)
    return (found["name"], found["role"]) if found else None


def with_names_last(sentence: str) -> str:
    """Return an English sentence with who is told of before the name: my roommate is called Jake.

    Jake is my roommate begins with somebody else, of whom nobody can tell whose they are.
    """
    return _NAME_FIRST_EN.sub(
        lambda found: (
            found[0] if found[1].casefold() in NO_NAMES else f"my {found[2]} is called {found[1]}"
        ),
        sentence,
    )


_POINTED: Final = LatePattern(
    r"^\W*(?:and |so |oh,? |btw,? )*(?:(?P<whose>her|his|its) name(?:['’]s| is)"
    r"|(?P<who>she|he|it)(?:['’]s| is) (?:called|named)"
    r"|we(?:['’]ve| have)? (?:called|named) (?P<whom>her|him|it)) "
    r"(?P<name>(?-i:[A-Z])[\w'’-]*(?: (?-i:[A-Z])[\w'’-]+)?)\W*$"
    r"|^\W*(?P<zh>[他她它])的?(?:名字|小名|全名)?(?:就?叫做?|名叫|(?<=名字)是)(?![我你他她它什谁啥])(?P<name_zh>[一-鿿A-Za-z·]{1,8}?)[啦呀啊哦]?\W*$",
    re.IGNORECASE,
)

_ROLE_TOLD: Final = LatePattern(
    r"\b(?:my|our|(?:has|have|got|adopted|rescued|bought|brought home|took in) an?) (?:new )?"
    rf"(?P<en>baby (?:girl|boy)|{ROLE_EN})\b"
    rf"|(?:[我俺咱]|主人)们?家?的?(?:新|小)?(?P<zh>{ROLE_ZH})(?![哥姐弟妹爸妈])|[养领捡收]了?[^，。]{{0,5}}[只条隻條](?P<pet>[一-鿿]{{0,2}}[猫狗犬])",
    re.IGNORECASE,
)

_FEMALE: Final = LatePattern(
    r"mother|mom|mum|grandma|gran\b|nan|wife|girlfriend|daughter|sister|aunt|niece|[妈媽奶婆妻媳妹姐姨姑婶嫂闺女丫娘](?!婿)|太太|阿嬷",
    re.IGNORECASE,
)

_MALE: Final = LatePattern(
    r"father|dad|grandpa|husband|boyfriend|\bson|brother|uncle|nephew|grandson|[爸爷公夫男哥弟叔舅伯爹]|儿子|孙子|女婿|先生",
    re.IGNORECASE,
)

OF_SEX: Final = {
    **dict.fromkeys(("her", "she", "她"), _MALE),
    **dict.fromkeys(("his", "he", "him"), _FEMALE),
}
"""By the pronoun, of whom it is not said; 他 is written of anybody."""


def with_names_pointed_to(text: str, told: Sequence[str] = ()) -> str:
    """Return a text in which whoever is named by a pronoun is named as whom they are.

    Where the text does not say whom, the last that was ``told`` of a person does.
    """
    text = _NAMED_BEHIND.sub(lambda m: " " if m["en"] else "，", text)
    parts = _PARTS.split(text)
    for place in (n for n in range(0, len(parts), 2) if _POINTED.match(parts[n])):
        before = ["".join(parts[:place])]
        last = next((each for each in (*before, *told) if _ANYBODY.search(each)), "")
        parts[place] = with_name_pointed_to(parts[place], [last])
    return "".join(parts)


_NAMED_BEHIND: Final = LatePattern(
    r"(?<=\w)(?P<en>, )(?=(?:called|named) (?-i:[A-Z]))"
    r"|(?<=[猫狗犬鼠兔鸟龟])[！!。.~～]+\s*"
    r"(?=(?:小名|名字|取名|起名)*叫做?(?![我得了过不个声唤醒喊几半整着])[一-鿿]{1,4}[啦呀哦\W]*$)",
    re.IGNORECASE,
)
"""We adopted a cat, called Biscuit; 领养了一只猫！叫团子: one thing is told of it."""

_PARTS: Final = LatePattern(r"([.!?;,，。！？；\n]+\s*)")

_ANYBODY: Final = LatePattern(
    rf"{ROLE_ZH}|女孩|男孩|女生|男生|姑娘|小伙|帮工|保姆|\b(?:{ROLE_EN}|girl|boy|guy|woman|man|lady|fella|bloke|lad)s?\b",
    re.IGNORECASE,
)


def with_name_pointed_to(clause: str, told: Sequence[str]) -> str:
    """Return a clause that names somebody by a pronoun with whom it means, if ``told`` says whom.

    >>> with_name_pointed_to("her name is Lucy", ["my girlfriend is a nurse"])
    'my girlfriend is called Lucy'
    """
    found = _POINTED.match(clause)
    if found is None:
        return clause
    pronoun = found["whose"] or found["who"] or found["whom"] or found["zh"]
    other = OF_SEX.get(pronoun.casefold())
    roles = {
        (each["en"] or each["zh"] or each["pet"]).casefold(): None
        for text in told
        for each in _ROLE_TOLD.finditer(text)
    }
    meant = [each for each in roles if other is None or not other.search(each)]
    others = {each[0].casefold() for text in told for each in _ANYBODY.finditer(text)}
    within = [each.split() if each.isascii() else each for each in meant]
    if len(meant) != 1 or any(each not in within[0] for each in others - roles.keys()):
        return clause
    if found["zh"]:
        home = "家" if meant[0][-1:] in "猫狗犬" else ""
        return f"我{home}{meant[0]}叫{found['name_zh']}"
    return f"my {meant[0]} is called {found['name']}"
