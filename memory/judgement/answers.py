"""What the partner says by answering: her question and the answer together are one clause.

你对什么过敏？ 花生 says 我对花生过敏. Only what the answer completes counts: of a question that
asks whether, the answer must be a plain yes or no, or its very verb; whoever goes on otherwise
has not said what she asked.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from memory.judgement import wording
from memory.judgement.assertions import Assertion
from memory.judgement.claims import claims_of
from memory.judgement.lexicon import EN_PERSONS, PERSON_ZH
from memory.judgement.marks import Sense
from memory.judgement.referents import IS_CALLED
from memory.judgement.subjects import Subject, Who, is_person
from memory.text import slots_en, slots_zh
from memory.text.late_pattern import LatePattern
from memory.text.layout import COMMON_SURNAMES
from memory.text.tokens import ends_as_question
from memory.text.word_forms import ASKS_WHAT

_ASKS_WHAT: Final = LatePattern(ASKS_WHAT)

_ASKS_WHETHER: Final = LatePattern(
    r"[吗嗎嘛]|(?P<a>[\u4e00-\u9fff])[不没沒](?P=a)|是不是|有没有|有沒有|[\u4e00-\u9fff]没有?[呀啊呢]?$"
    r"|^(?:so |and |oh )?(?:do|does|did|is|are|am|was|were|can|could|will|would|have|has)\b"
)

_YES: Final = LatePattern(
    r"(?:嗯+|对+|對+|是+|是的|对的|對的|有|有的|没错|yes|yep|yeah|yup|sure"
    r"|i do|i did|i am|i have|we do|we"
    r" did|we are|it is|he does|she does|right|correct)"
    r"[啊呀的哦呢啦]?"
)

_NO: Final = LatePattern(
    r"(?:还没有?|還沒有?|不|不是|没有|沒有|没|沒|从不|冇|no|nope|nah|never"
    r"|not yet|i don['’]?t|i didn['’]?t|i"
    r" haven['’]?t|i can['’]?t|i['’]?m not|not really)"
    r"[啊呀的哦呢啦]?"
)

_TURNED: Final = (
    (LatePattern(r"你们|你們|您|你"), "我"),
    (LatePattern(r"\byou(?:['’]re| are)\b"), "i am"),
    (LatePattern(r"\byour\b"), "my"),
    (LatePattern(r"\byou\b"), "i"),
)

_QUESTION_MARKS: Final = LatePattern(
    r"什么|什麼|啥|哪里|哪裡|哪儿|哪天|哪|谁|誰|几号|几|幾|多少|多久|多大|怎么|怎麼|咋|干嘛|干吗|[吗嗎嘛呢呀啊]$|是不是|有没有|有沒有"
    r"|\b(?:what(?:['’]s)?|when(?:['’]s)?|who(?:['’]s)?|where(?:['’]s)?|how long|how many|how"
    r" much|how old|how|which|do|does|did|ever)\b"
)


LAST_QUESTIONS: Final = 2
"""So many of her last clauses may be what is answered."""

LONGEST_ECHO: Final = 2
"""A verb of so many characters, said alone, says yes to the question it stands in."""


def answers(asked: str, said: Sequence[Assertion]) -> Iterator[tuple[Assertion, frozenset[str]]]:
    """Yield what an answer says with her question, and what of it must be told."""
    statements = [each for each in said if each.stated]
    if not asked or not statements or said[0] is not statements[0]:
        return
    answer = statements[0]
    if answer.at is None or answer.zone is None:
        return
    questions = claims_of(
        asked[-300:].lower(), wording.NO_NAMES, answer.at, answer.zone, learnt=False
    )
    for question in questions[-LAST_QUESTIONS:]:
        about = replace(question, folded=_turned(question.folded))
        yield from _named_further(about, statements)
        yield from _done_by(about, answer)
        if _ASKS_WHAT.search(question.folded) and not _ASKS_WHETHER.search(question.folded):
            if question is questions[-1]:
                yield from _completed(about, answer)
        elif _ASKS_WHETHER.search(question.folded) or _ASKS_WHICH.search(question.folded):
            yield from _confirmed(about, answer, alone=len(questions) == 1)


def claims_asked(asked: str, at: datetime, zone: ZoneInfo) -> tuple[Assertion, ...]:
    """Return what a question of hers is about, as the partner would tell it: 你妹妹 is 我妹妹."""
    read = claims_of(asked[-300:].lower(), wording.NO_NAMES, at, zone, learnt=False)
    bare = (_bare(replace(each, folded=_turned(each.folded))) for each in read)
    # Whom only she has named is nobody yet.
    return tuple(each for each in bare if not IS_CALLED.search(each.folded))


_NAMES: Final = frozenset({"zhc_name", "enc_name"})


def tells_of_asked(claim: Assertion, asked: str) -> bool:
    """Tell whether a bare clause can only be about the one her question asked about.

    取了，叫麦穗, to what the grandson is called: nothing of it is so of the speaker.
    """
    bare = not claim.has_verb or bool(_NAMES & claim.keys)
    return claim.subject.who is Who.NOBODY and bare and whom_asked(asked) is not None


def _named_further(
    question: Assertion, statements: Sequence[Assertion]
) -> Iterator[tuple[Assertion, frozenset[str]]]:
    """Yield what an answer without a subject says the one is called whom she asked about."""
    bare = _bare(question)
    if bare.subject.who is Who.OTHER and not bare.subject.theirs:
        for each in statements:
            if each.subject.who is Who.NOBODY and _NAMES & each.keys:
                yield _both(bare, each, each.senses), frozenset(u.key for u in each.units)


def _done_by(question: Assertion, answer: Assertion) -> Iterator[tuple[Assertion, frozenset[str]]]:
    """Yield what the one does whom an answer names, asked who does it."""
    asked, named = _WHO_DOES.search(question.folded), _NAMES_DOER.match(answer.folded)
    if not asked or not named or answer.at is None or answer.zone is None:
        return
    who, does = named["en"] or named["zh"], asked["en"] or asked["zh"]
    text = f"{'i' if who == 'me' else who} {does}" if named["en"] else f"{who}{does}"
    for read in claims_of(text, wording.NO_NAMES, answer.at, answer.zone, learnt=False)[:1]:
        yield replace(_both(read, answer, answer.senses), subject=read.subject), frozenset({""})


_WHO_DOES: Final = LatePattern(
    r"^(?:so |and )?(?:which (?:one )?of (?:i|us)|who) "
    r"(?P<en>(?!is|was|are|were|did|do|does)[a-z]+ .+)$"
    r"|(?:(?:上[回次]|之前)说的)?(?:那[个天位])?(?P<zh>[\u4e00-\u9fff]{2,14})的(?:那[个位])?(?:人)?是(?:我|谁)"
)

_NAMES_DOER: Final = LatePattern(
    r"(?:(?:that|it)(?:['’]?s| is| was) )?(?P<en>my \w+|me|i)(?=$|,| (?:do|does|did)\b)"
    rf"|是?(?P<zh>我(?:们?家)?(?:{PERSON_ZH.pattern})?)[呀啊的吧]?(?=$|[,，])"
)


def whom_asked(asked: str) -> Subject | None:
    """Return whom or which of theirs a question of hers asks the partner about, if anybody.

    >>> whom_asked("你家猫叫什么？").head, whom_asked("How old is your son?").head
    ('猫', 'son')
    """
    last = next(iter(_SENTENCE.findall(asked[-300:].lower())[-1:]), "")
    found = _OF_YOURS.search(_turned(last))
    if found is None:
        return None
    word = found["zh"] or found["en"] or found["pet"]
    return Subject(Who.OTHER, (word,), own=True, person=is_person(word))


def as_named_by_asked(asked: str) -> str:
    """Return the one a question of hers asks the partner about as the partner's; else "".

    >>> as_named_by_asked("what's the dog called?"), as_named_by_asked("狗叫什么？")
    ('my dog', '我家狗呢')
    """
    whom = whom_asked(asked) if ends_as_question(asked) else None
    if whom is None:
        return ""
    return f"my {whom.head}" if whom.head.isascii() else f"我家{whom.head}呢"


_SENTENCE: Final = LatePattern(r"[^。！!?？.\n]+[?？]?")

_PETS: Final = "[小老大]?[猫狗貓]|兔子|仓鼠|鹦鹉|乌龟|宠物"

_PETS_EN: Final = "cat|dog|puppy|kitten|pet"

_OF_YOURS: Final = LatePattern(
    rf"^\W*(?:那么?|所以|对了|诶|哎)?(?:我(?:们?家)?的?)?(?P<zh>外?孙[子女]?|{PERSON_ZH.pattern}|{_PETS})(?![对给让把帮])"
    r"|\bmy (?:\w+ )?(?P<en>"
    rf"(?:{EN_PERSONS}|niece|nephew|nan|gran|gf|bf|{_PETS_EN})s?)\b"
    rf"|\bthe (?P<pet>(?:{_PETS_EN})s?)\b"
)


def _turned(text: str) -> str:
    """Return her question as the partner would tell it: "your cat" is "my cat"."""
    for words, turned in _TURNED:
        text = words.sub(turned, text)
    return text


def _completed(
    question: Assertion, answer: Assertion
) -> Iterator[tuple[Assertion, frozenset[str]]]:
    """Yield the answer to what, when, where or who."""
    bare = _bare(question)
    if answer.subject.who not in {Who.NOBODY, bare.subject.who} and answer.has_verb:
        return
    needed = frozenset(unit.key for unit in answer.units) or frozenset({""})
    yield _both(bare, answer, answer.senses), needed


def _confirmed(
    question: Assertion, answer: Assertion, *, alone: bool
) -> Iterator[tuple[Assertion, frozenset[str]]]:
    """Yield what a yes, a no or an echo of the verb says."""
    if chosen := _chosen(question, answer):
        yield chosen, frozenset(unit.key for unit in answer.units)
        return
    bare = _bare(question)
    text = answer.folded.strip()
    said_no = bool(_NO.fullmatch(text))
    first, _, rest = text.partition(", ")
    said_yes = bool(_YES.fullmatch(first)) and not (rest and answer.has_verb)
    if (alone and said_yes) or (said_no and alone):
        senses = answer.senses | {Sense.NEGATIVE} if said_no else answer.senses - {Sense.NEGATIVE}
        yield _both(bare, answer, frozenset(senses)), frozenset({""})
        return
    # 抽, 不加, 找到了: the verb of the question alone says yes or no in Chinese.
    echo = re.sub(r"[不没沒还還了啊呀的哦呢啦]", "", first)
    if echo and len(echo) <= LONGEST_ECHO and echo in question.folded and not answer.subject.words:
        senses = answer.senses & (question.senses | _OWN_SENSES)
        yield _both(bare, answer, senses), frozenset({""})
    elif (
        alone
        and not answer.has_verb
        and re.search(r"^我?(?:家)?(?:有|养)", bare.folded)
        and answer.units
    ):
        # 有兄弟姐妹吗？ 一个姐姐.
        yield _both(bare, answer, answer.senses), frozenset(u.key for u in answer.units)


_OWN_SENSES: Final = frozenset(Sense) - {Sense.ENDED}
"""退了, to 退休了吗, ends nothing."""

_ASKS_WHICH: Final = LatePattern(
    r"(?P<zh>[\u4e00-\u9fff]{1,4})还是(?P<or_zh>[\u4e00-\u9fff]{1,4}?)(?:[呢啊呀?？]|$)"
    r"|\b(?P<en>[a-z]+) or (?P<or_en>[a-z]+)\b"
)


def _chosen(question: Assertion, answer: Assertion) -> Assertion | None:
    """Return what an answer says that names one of two, 甜粽 or 咸粽; None if it does not."""
    found = _ASKS_WHICH.search(question.folded)
    said = answer.folded.strip().rstrip("的吧啊呀")
    if found is None or not said or answer.has_verb or answer.at is None or answer.zone is None:
        return None
    one, other = found["zh"] or found["en"], found["or_zh"] or found["or_en"]
    # 喜欢甜粽 stands before 还是: of what is said first only as much is meant as of the other.
    one = one[-len(other) :] if found["zh"] else one
    named = [each for each in (one, other) if each in said or said in each]
    if len(named) != 1:
        return None
    text = f"{question.folded[: found.end() - len(found[0].removesuffix('?'))]}{named[0]}"
    if found["zh"]:
        text = f"{question.folded[: found.start()]}{found['zh'][: -len(one)]}{named[0]}"
    text = re.sub(r"^(?:so |and )?(?:do|does|did|are|is) ", "", text)
    read = claims_of(text, wording.NO_NAMES, answer.at, answer.zone, learnt=False)
    return replace(_both(read[0], answer, answer.senses), folded=text) if read else None


def _bare(question: Assertion) -> Assertion:
    """Return what a question says without what makes it one."""
    text = _QUESTION_MARKS.sub(" ", question.folded)
    text = re.sub(r"(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])", "", text).strip()
    read = (
        claims_of(text, wording.NO_NAMES, question.at, question.zone, learnt=False)
        if question.at and question.zone
        else ()
    )
    return read[0] if read else question


def _both(question: Assertion, answer: Assertion, senses: frozenset[Sense]) -> Assertion:
    subject = question.subject if question.subject.who is not Who.NOBODY else answer.subject
    if subject.who is not Who.OTHER:
        subject = whom_asked(question.folded) or subject
    return replace(
        answer,
        folded=f"{question.folded} {answer.folded}",
        units=(*question.units, *answer.units),
        senses=senses | (question.senses - {Sense.NEGATIVE, Sense.DOUBT}),
        subject=subject,
    )


def told_with_question(asked: str, said: str) -> str:
    """Return what a bare answer says with her question, where it is one of the usual ones; or "".

    >>> told_with_question("Where do you live?", "Leeds"), told_with_question("你住哪？", "杭州")
    ('I live in Leeds', '我住在杭州')
    >>> told_with_question("Where do you live?", "somewhere nice")
    ''
    """
    sentences = [each.strip() for each in _SENTENCE.findall(asked[-300:]) if each.strip()]
    question = sentences[-1] if sentences else ""
    answer = said.strip().strip("。.!！~～ ")
    if not ends_as_question(question) or len(answer) > _LONGEST_ANSWER or _EVADES.search(answer):
        return ""
    for asks, holds, told in _USUAL:
        found = holds.fullmatch(answer) if asks.search(question) else None
        if found is not None:
            return told.format(found["a"].strip())
    return ""


_LONGEST_ANSWER: Final = 40

_EVADES: Final = LatePattern(
    r"[?？你您我他她]|不|没|随便|秘密|保密|什么|哪|谁|猜|怎么|干嘛|为什么|再说|都行|一般|还好"
    r"|\b(?:i|you|he|she|we|they|it|no|not|none|nothing|nowhere|somewhere|guess|why|what|who|never"
    r"|secret|idk|dunno|maybe|lol|haha|anything|everything|any)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Whoever answers so has not said what she asked, or says it in words of their own."""

_CAPITAL: Final = r"(?-i:[A-Z])[\w'’-]+(?:,? (?-i:[A-Z])[\w'’-]+){0,2}"
_JOBS_EN: Final = rf"(?:[\w-]+ ){{0,2}}(?:{slots_en.CORE_WORDS['TRADE']})"
_HAN: Final = "[一-鿿]"
_NO_HOME: Final = ".*(?:家|公司|学校|宿舍|单位|医院|床|路上|外|附近|里$|店|楼|这|那)"

# What she asks, what answers it, and how that is told.
_USUAL_QUESTIONS: Final = (
    (
        r"\bwhere (?:do|are) you (?:live|living|based)\b",
        rf"(?:in )?(?P<a>{_CAPITAL})",
        "I live in {}",
    ),
    (r"\bwhere are you from\b", rf"(?:from )?(?P<a>{_CAPITAL})", "I am from {}"),
    (
        r"\bwhat(?:['’]s| is) your name\b|\bwhat (?:should|can|may|shall|do) i call you\b",
        rf"(?P<a>{_CAPITAL})",
        "My name is {}",
    ),
    (r"\bhow old are you\b", r"(?P<a>\d{1,2})(?: years old)?", "I am {} years old"),
    (
        r"\bwhat do you do\b(?! (?:when|if|on|at|in|to|about))|\bwhat(?:['’]s| is) your job\b",
        rf"(?:an? |as an? )?(?P<a>{_JOBS_EN})",
        "I work as a {}",
    ),
    (
        r"\bwhen(?:['’]s| is) your birthday\b",
        rf"(?:on )?(?P<a>{slots_en.WORDS['DATE']})",
        "My birthday is {}",
    ),
    (
        r"\b(?:are you allergic|(?:have|got) any allergies)|^(?:and |so )?any allergies",
        r"(?:yes,? |to )?(?P<a>(?!ye[sahp]|nah|nope|sure|ok)[a-z]+(?:,?(?: and)? [a-z]+){0,3})",
        "I'm allergic to {}",
    ),
    (
        r"\bany pets\b",
        rf"(?:yes,? )?(?P<a>(?:an?|one|two|three|four|\d) (?:\w+ )?(?:{slots_en.WORDS['PET']})s?)",
        "I have {}",
    ),
    (
        r"你(?:现在|平时)?住(?:在)?(?:哪|什么地方)",
        rf"住?在?(?P<a>(?!{_NO_HOME}){_HAN}{{2,8}})",
        "我住在{}",
    ),
    (r"你(?:老家)?(?:是|在)哪(?:里|儿)?人?", rf"(?P<a>{_HAN}{{2,6}}?)人", "我是{}人"),
    (
        r"你(?:叫什么|的?名字|贵姓)|怎么称呼|(?:该|要)?(?:怎么|如何)叫你",
        rf"叫?(?P<a>[{COMMON_SURNAMES}小阿老]{_HAN}{{1,2}}|{_CAPITAL})",
        "我叫{}",
    ),
    (
        r"你(?:今年)?(?:多大|几岁|多少岁)",
        r"(?P<a>[\d一二三四五六七八九十]{1,3})(?:岁)?了?",
        "我{}岁",
    ),
    (
        r"你(?:现在)?(?:是)?(?:做|干)(?:什么|啥|哪行)|你(?:的)?(?:工作|职业)是",
        rf"(?:做|当|是)?(?P<a>{_HAN}{{0,4}}(?:{slots_zh.CORE_WORDS['JOB']}))",
        "我是{}",
    ),
    (
        r"你(?:的)?生日(?:是|在)?(?:哪|几|什么)",
        r"(?P<a>[\d一二三四五六七八九十]{1,3}月[\d一二三四五六七八九十]{1,3}[号日])",
        "我生日是{}",
    ),
    (
        r"你(?:有没有|有|对)?(?:什么)?[^，。]{0,4}过敏",
        rf"(?:对|有)?(?P<a>(?![有对是嗯好会啊]|.*过敏){_HAN}{{1,6}}(?:[和、]{_HAN}{{1,6}})?)(?:过敏)?",
        "我对{}过敏",
    ),
    (
        r"你(?:养|有)(?:了)?(?:什么|没有|没)?宠物",
        rf"(?:养了|有)?(?P<a>[一两三四五]{_HAN}(?:{slots_zh.WORDS['PET']}))",
        "我养了{}",
    ),
)

_USUAL: Final = tuple(
    (LatePattern(asks, re.IGNORECASE), LatePattern(holds, re.IGNORECASE), told)
    for asks, holds, told in _USUAL_QUESTIONS
)
