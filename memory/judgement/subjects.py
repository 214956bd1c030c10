"""Whom or what a clause is about: its subject, as far as words alone tell.

A learnt sentence must be about the one the words were about: 我嫂子的妹妹 is not 我嫂子, "my
brother's wife" not my brother, and what is said of anybody else is not said of the speaker.
"""

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from memory.judgement.lexicon import (
    NO_NOUNS,
    PERSON_EN,
    PERSON_ZH,
    QUALITIES,
)
from memory.judgement.noun_phrases import (
    MOST_WORDS,
    is_name_first,
    noun_phrase,
    relative_to_me,
    two_names,
)
from memory.text.late_pattern import LatePattern
from memory.text.names import SURNAMED_ZH
from memory.text.slot_core import WHO_I_KNOW_ZH
from memory.text.tokens import tagged_words


class Who(Enum):
    """What kind of subject a clause has."""

    NOBODY = auto()
    """None is named: the one before it, or the speaker."""
    SPEAKER = auto()
    PRONOUN = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a clause. ``words`` name it, the last one is what it is.

    ``own`` tells whether it is the speaker's (我妈, my dog); ``theirs`` whether it is known to be
    somebody else's (她老公, her husband). ``person`` tells a person from a thing.
    """

    who: Who
    words: tuple[str, ...] = ()
    own: bool = False
    theirs: bool = False
    person: bool = False

    @property
    def head(self) -> str:
        """Return what the subject is: 妹妹 in 我嫂子的妹妹."""
        return self.words[-1] if self.words else ""


NOBODY: Final = Subject(Who.NOBODY)

# Words that may come before the subject: 但是我妈 is still about my mother.
_LEAD_ZH: Final = LatePattern(
    r"(?:新来的(?=[\u4e00-\u9fff]{2})|原本|本来|本來|原先|心里|嘴上|最后|换(?=[爸妈]|老[公婆])|[0-9一二两三四五六七八九十]年前|然后|但是|但|而且|因为|所以|其实|不过|可是|就是|后来|后來|另外|对了|对|嗯|啊|哦|哎|唉|哈|说真的|說真的|告诉你|反正|结果|原来|虽然|好像"
    r"|可能|也许|差点儿?|差一点|险些|连着|接连|一连|(?:结论|事实|重点|关键|意思|真相)就?是(?=[我俺])"
    r"|昨[天晚日]|今[天晚早日年]|明[天晚早年兒儿日]|前[天年]|后天|去年|最近|刚|现在|現在|目前|如今|以前|从前|小时候|小時候|早就|已经|终于|还"
    r"|還|也|又|就|都|才|再|正|一直|平时|每[天周月年]"
    r"|[上下这這本]个?(?:周|星期|礼拜|週)[一二三四五六日天末]?|[上下这這本]个?[月年]|(?:周|星期|礼拜|週)[一二三四五六日天末]|早上|上午|中午|下午"
    r"|晚上|凌晨|夜里|半夜"
    r"|[0-9一二三四五六七八九十]+[点點月号號日](?:半|[0-9一二三四五六七八九十]+分)?|[五六十]一|[0-9-]|的时候|时|說|说|是不是|应该"
    r"|(?:家里|家中)(?=[有养共就只]|[0-9一两俩三仨四五几])|如果|要是|等|的话|[\s（）()，,：:《》“”\"'!！])+"
)

_SPEAKER_ZH: Final = LatePattern(
    r"(?:我|俺|咱|偶(?![尔像遇然数])|本人|吾|私|僕|나는|저는|אני|أنا|я|мне)"
)

_TOGETHER: Final = LatePattern(
    r"(?:们|們|俩|倆)?(?:和|跟|与|與|同(?![事学學桌伴])|陪|带|帶|给|給|帮|幫|送|约|約|把|被|让|讓|对(?!象|门)|對(?!象)|在|去|要)"
)

_THEN_ZH: Final = LatePattern(r"(?:小时候|小時候|从前|當年|当年|年轻时|那时候|上学时)(?!的)")

_PRONOUN_ZH: Final = LatePattern("[他她它牠这那這][们們俩]?[里裡边邊儿兒位只个個]?")

_NOUN_TAGS: Final = """
n nr ns nt nz nrt nrfg ng vn an x eng zg s g j l i
"""

_NOUNS: Final = frozenset(_NOUN_TAGS.split())

_MEASURE: Final = LatePattern(
    r"[那这這哪一两几][个個位只條条张張辆輛把本家间間件台部头頭双雙対]?|个(?=..)"
)

_VERB_ZH: Final = LatePattern(
    r"[是叫在有没沒不也都就还還会會能要想住去来來做当當开開说說给給把被让讓从從对對和跟与與得了着過过才又再很太最真好老总總经经常刚剛已快爱愛喜讨討怕吃喝买買养養係属屬生考学學教工退出上下打看搬得患怀懷离離结結订訂嫁娶认認帮幫嫌骂罵夸送寄带帶找换換丢丟死走跑睡病疼痛摔撞坏壞]"
)


def is_person(word: str) -> bool:
    """Tell whether a word is one for a person."""
    return bool(PERSON_ZH.search(word) or PERSON_EN.search(word))


_NAME_ZH: Final = LatePattern(r"(?!老家|小[区学时])[小老阿][\u4e00-\u9fff]")

_CALLED_ZH: Final = LatePattern(
    r"(?!老家|小[区学时孩]|老[板师公婆人大二三小是想去在要说跟就也都]|小[的是在])[小老阿][\u4e00-\u9fff](?=[要在去说就也都又还想是会把被给让])"
)


def subject_of(folded: str) -> Subject:
    """Return the subject of a folded clause, in which the speaker is 我 or "i"."""
    start = folded.lstrip("「『《“\"' ")
    if not start:
        return NOBODY
    if _is_latin(start):
        return _english(start)
    found = _chinese(start)
    return found if found.who in {Who.OTHER, Who.PRONOUN} else _told_apart(start) or found


def _told_apart(text: str) -> Subject | None:
    """Return who is told of by what they are to the speaker: 班主任姓马, 我写的主角怕水."""
    if named := SURNAMED_ZH.match(text):
        role = re.sub("^[我俺咱]们?的?", "", named[0].rpartition("姓")[0])
        return Subject(Who.OTHER, (role,), own=not named[0].startswith(role), person=True)
    known = WHO_I_KNOW_ZH.match(text)
    whom = known and (known["who"] or known["called"])
    return Subject(Who.OTHER, (whom,), own=True, person=True) if whom else None


def _is_latin(text: str) -> bool:
    words = len(re.findall(r"[a-z]+", text))
    return bool(words) and 2 * words >= len(re.findall(r"[\u3400-\u9fff]", text))


def _chinese(text: str) -> Subject:
    if lead := _LEAD_ZH.match(text):
        text = text[lead.end() :]
    if re.match(r"[我俺](?:这|這)(?:个|個)?人|[这那這](?:就|都|也)?是[我俺]", text):
        return Subject(Who.SPEAKER)
    text = _CLEFT_ZH.sub("", text)
    speaker = _SPEAKER_ZH.match(text)
    if speaker is None:
        if re.match(r"[他她它牠]|[这那這](?![个個位只辆条家])", text):
            return _of_pronoun(text)
        called = _CALLED_ZH.match(text)
        return Subject(Who.OTHER, (called[0],), person=True) if called else _named(text)
    return _behind_me(text[speaker.end() :])


def _behind_me(said: str) -> Subject:
    """Return the subject of a clause that begins with 我 and goes on so."""
    if (abroad := _LATIN_WORD.match(said)) and is_person(abroad[0]):
        return Subject(Who.OTHER, (abroad[0],), own=True, person=True)
    if _TOGETHER.match(said) or _THEN_ZH.match(said):
        return Subject(Who.SPEAKER)
    rest = re.sub(
        r"^(?:们|們)?(?:家|班|们家)?(?:的|那|这|這|嗰)?(?:[个個位只辆輛条])?", "", said, count=1
    )
    found = _named(rest, own=True)
    # 我右耳 and 我妈 begin with what is mine, 我明天 and 我喜欢 do not.
    if (
        found.head in _NAMING
        or found.who is not Who.OTHER
        or (rest == said and not (found.person or _is_noun_first(rest)))
    ):
        return Subject(Who.SPEAKER)
    return found


_LATIN_WORD: Final = LatePattern(r"[a-z]+")

_CLEFT_ZH: Final = LatePattern(r"^是(?=[\u4e00-\u9fff]{2,6}[不没]?[\u4e00-\u9fff]{1,3}了$)")

_NAMING: Final = frozenset({"名字", "小名", "全名", "大名", "姓名", "名", "name", "nickname"})
"""My name is X says who I am."""


_OBJECT_FIRST: Final = LatePattern(r"[这那](?:个|种|些)?(?:玩意|东西)?[我俺](?![的们家])")


def _of_pronoun(text: str) -> Subject:
    """Return the subject that begins with a pronoun: 她, or 她老公."""
    if _OBJECT_FIRST.match(text):
        return Subject(Who.SPEAKER)
    found = _PRONOUN_ZH.match(text)
    rest = text[found.end() :] if found else text
    named = _named(rest.removeprefix("的"), theirs=True)
    if (
        named.who is Who.OTHER
        and named.head not in _NAMING
        and (named.person or rest.startswith("的"))
    ):
        return named
    return Subject(Who.PRONOUN)


def _is_noun_first(text: str) -> bool:
    tagged = tagged_words(text[:12])
    return (
        len(tagged) > 1
        and len(tagged[0][0]) > 1
        and tagged[0][1] in {"n", "nz", "ng"}
        and tagged[0][0] not in NO_NOUNS
        and not _VERB_ZH.match(text)
    )


def _named(text: str, *, own: bool = False, theirs: bool = False) -> Subject:
    """Return the subject that nouns at the beginning of a text name, if any do."""
    words: list[str] = []
    joint: re.Match[str] | None = None
    rest = _MEASURE.sub("", text, count=1) if _MEASURE.match(text) else text
    while rest and len(words) < MOST_WORDS:
        rest = rest.lstrip()
        person = PERSON_ZH.match(rest)
        word = person[0] if person else _next_noun(rest)
        # 老家河南: a place behind a noun is what is told of it.
        if not word or (words and not person and joint is None and _is_place(word)):
            break
        words.append(word)
        rest = rest[len(word) :]
        joint = re.match(r"(?:的|家的?|和|跟|与|、|们|們|之)", rest)
        rest = rest[joint.end() :] if joint else rest
        if person and not joint and not PERSON_ZH.match(rest):
            break
    # 狗咬人: what stands last and is read as a noun is what it does.
    if not rest and len(words) > 1 and "的" in text:
        rest = words.pop()
    # 真香了 is a verdict, not a thing called 真香.
    if not re.sub(r"[了啊呀的吧哦啦嘛呢]+", "", rest) and len(words) == 1:
        return NOBODY
    if not words or not rest or (words[0].isascii() and rest[0] in "到在"):  # relocate到新加坡
        return NOBODY
    # 水果我都吃: what is eaten stands first, and I am who eats.
    if _SPEAKER_ZH.match(rest):
        return Subject(Who.SPEAKER)
    is_person = bool(PERSON_ZH.search(words[-1]) or _NAME_ZH.fullmatch(words[-1]))
    return Subject(Who.OTHER, tuple(words), own=own, theirs=theirs, person=is_person)


def _is_place(word: str) -> bool:
    return [tag for _, tag in tagged_words(word)] == ["ns"]


def _next_noun(text: str) -> str:
    """Return the noun at the beginning of a text, or nothing."""
    word, tag = next(iter(tagged_words(text[:16])), ("", ""))
    word = word.strip()
    # 领养了一只: what was done to so many is a deed, whatever it is read as.
    rest = text.lstrip()[len(word) :]
    deed = len(word) > 1 and re.match("了[一两二三四五六七八九十几0-9]", rest)
    if tag not in _NOUNS or deed or (len(word) == 1 and _VERB_ZH.match(word)):
        return ""
    # 阿茂老 and 小王说: a name that was cut too long ends before the next verb or adverb.
    cut = (
        next((n for n in range(2, len(word)) if _VERB_ZH.match(word[n])), None)
        if tag == "nr"
        else None
    )
    return word[:cut]


_LEAD_EN: Final = LatePattern(
    r"(?:(?:and|but|so|well|then|yesterday|today|tonight|tomorrow|now|actually|also|oh|ok"
    r"|okay|omg|yeah|yes|yep|lol|ha+|haha|hey|hi|hello|basically|apparently|honestly|anyway|btw"
    r"|currently|recently|lately|still|just|maybe|perhaps|sometimes|usually|often|always"
    r"|because|although|though|while|if|unless|when|that|guess what|believe it or not"
    r"|all|most|some|both|neither|none|either|half|many|few|a few|a couple|one|two|three|each"
    r"|every|any)(?:\s+of)?"
    r"|(?:last|this|next)\s+\w+|on \w+day|in \w+|at \w+|as i may have told you|if i remember"
    r"|according to [\w ]+?(?= (?:i|he|she)\b)|[0-9]+|[,\s(\"'!?.:-])(?![\w'’])\W*",
    re.IGNORECASE,
)

# It's my eyes that are going, 是眼睛不行了: of the eyes. 那玩意我不吃: what is not eaten leads.
_CLEFT_EN: Final = LatePattern(
    r"(?:it|that)['’]?s (?=(?:my|our|his|her|the) [\w ]{2,20} (?:that|who) )"
)

_I: Final = LatePattern(r"(?:i|im|ive|i['’]\w+|me|we|we['’]\w+|us|myself)(?![\w'’-])")

_HE: Final = LatePattern(
    r"(?:he|she|it|they|hers|theirs|this|that|these|those|hes|shes|thats|theyre"
    r"|its(?= (?:the|an?|not|my|on|in|[0-9]))|(?:he|she|it|they"
    r"|that)['’]\w+)(?![\w'’-])"
)

_DETERMINER: Final = LatePattern(
    r"(?P<own>my|our)|(?P<theirs>his|her|their|your|its)|(?:the|a|an|this|that|these|those"
    r"|another)"
)


_WORD: Final = LatePattern(r"[^\W_]+(?:['’-][^\W_]+)*|&")


def _english(text: str) -> Subject:
    while (lead := _LEAD_EN.match(text) or _CLEFT_EN.match(text)) and lead.end():
        text = text[lead.end() :]
    if _HE.match(text):
        return Subject(Who.PRONOUN)
    # "How many sisters have I got", her question turned, is about who has them.
    if _I.match(text) or _OF_QUESTION.search(text):
        return Subject(Who.SPEAKER)
    words = [] if _THERE.match(text) or _AMOUNT.match(text) else _WORD.findall(text[:120])
    first = _DETERMINER.fullmatch(words[0]) if words else None
    names = noun_phrase(words[1:] if first else words)
    if both := two_names(text):
        return Subject(Who.OTHER, both, person=True)
    if not names or (first is None and not is_name_first(words, names)):
        return NOBODY
    return _of_names(names, words, first)


def _of_names(names: list[str], words: list[str], first: re.Match[str] | None) -> Subject:
    """Return the subject that a clause of these words begins with, behind "my", "her" or "the"."""
    if first and (whom := relative_to_me(names)):
        return _of_phrase(whom, first)
    if names[-1] in _NAMING and first is not None and first["own"]:
        # "My daughter's name is Fay" is about the daughter.
        of_another = any(_OWNER.search(each) for each in words[: len(names)])
        return _of_phrase(names[:-1], first) if of_another else Subject(Who.SPEAKER)
    if "i" in names:
        return Subject(Who.SPEAKER)
    alone = len(names) + bool(first) >= len(words) and not re.search(r"['’]s$", words[-1])
    if alone and first and first["theirs"] and names[0] not in _NAMING:
        return Subject(Who.OTHER, (names[0],), theirs=True)
    return NOBODY if alone else _of_phrase(names, first)


_OWNER: Final = LatePattern(r"['’]s$")

_OF_QUESTION: Final = LatePattern(
    r"^(?:\w+ ){0,3}(?:have|had|do|did|am|was|will|can|could|would) i (?!.*\bi\b)"
)

_AMOUNT: Final = LatePattern(
    r"(?:[0-9.]+|(?:one|two|three|four|five|six|seven|eight|nine|ten|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)"
    r"(?:[ -]\w+)?) (?:years?|months?|weeks?|days?|nights?|mornings?|evenings?|hours?"
    r"|minutes?|yrs|times)\b"
)

_THERE: Final = LatePattern(r"there(?:['’]?s| )")


def _of_phrase(names: list[str], first: re.Match[str] | None) -> Subject:
    """Return the subject that a noun phrase names, behind "my", "her" or "the"."""
    if names[-1] in _NAMING:
        return Subject(Who.PRONOUN)
    phrase = tuple(each for each in names if each not in QUALITIES) or tuple(names)
    return Subject(
        Who.OTHER,
        phrase,
        own=bool(first and first["own"]),
        theirs=bool(first and first["theirs"]),
        person=bool(PERSON_EN.search(phrase[-1])),
    )
