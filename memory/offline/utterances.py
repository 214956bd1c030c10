"""Reading one line: what it says of its speaker, and what it asks to be remembered."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, NamedTuple

from memory.model import Kind, Topic
from memory.offline import chinese, english
from memory.offline.by_slot import changes_told, statements_by_slot, without_quotations
from memory.offline.claimed import (
    IN_LAWS_ZH,
    LED_ZH,
    PARTS,
    ClauseSubject,
    claimed,
    subject_of,
)
from memory.offline.english import to_third_person
from memory.offline.introductions import introduced, lasting
from memory.offline.statements import (
    Statement,
    as_written,
    elaborated,
    in_its_place,
    is_greeting,
    sentences,
    stated_clauses,
    without_opener,
    zone_of,
)
from memory.offline.understood import named_at_head
from memory.text.corrections import right_word, without_slips
from memory.text.late_pattern import LatePattern
from memory.text.names import (
    named_first,
    newborn,
    with_births,
    with_names_last,
    with_names_pointed_to,
    with_own_name,
)
from memory.text.slot_changes import corrects
from memory.text.slot_core import KIN_ZH
from memory.text.slot_cues import ACTS_ON_ME, FIRST_PERSON, GIVES_ME, PERSONS_EN, PERSONS_ZH
from memory.text.slots import slot_claims
from memory.text.slots_zh import CALLS_FOR_ZH
from memory.text.tokens import plainly_written

EXPLICIT: Final = re.compile(
    r"^(?:(?:小祥|好的?|对了|那|嗯+|请|麻烦|拜托|你|您|你?帮我|给我|一定|千万|可|要"
    r"|得)[，,、\s]*)*"
    r"(?:记住|记好|记一下|记下来?|记着|牢记|别忘了?|不要忘(?:了|记)?)(?!了?[吗没])(?:一下|哦|啊"
    r"|了|喽|下)*[，,：:、\s]*(?P<zh>.*)"
    r"|^(?:(?:so|and|also|hey|ok|okay|please|xiaoxiang|can you|could you)[,\s]+)*"
    r"(?:remember|note|don't forget|do not forget|keep in mind)(?: (?:that"
    r"|this))?[,:\s]+(?P<en>.*)",
    re.IGNORECASE,
)
"""A sentence that asks to remember what follows; anchored: 我记住了 and 你还记得 do not match."""

_THIS: Final = re.compile(
    r"(?:这个|这一?点|这件事|这句话?|我(?:刚才?)?说的(?:话)?|this|that|it)?[哦啊吧呀。.!！\s]*",
    re.IGNORECASE,
)

_WORD: Final = re.compile(r"\w")

_ASKED_BACK: Final = re.compile(r"[?？]\s*$|[吗么]$")

_FIRST_PERSON_EN: Final = re.compile(r"\b(?:I|my|me|I'm)\b")


def statements_in(text: str, subject: str, at: datetime) -> list[Statement]:
    """Return what ``text`` says of its speaker, in order: see :func:`told_in`."""
    return told_in(text, subject, at).statements


class ToldOfSelf(NamedTuple):
    """What a text says of its speaker, and what it says to be over."""

    statements: list[Statement]
    over: list[Statement]
    """Worth keeping only if something is known of it."""


def told_in(
    text: str, subject: str, at: datetime, before: Sequence[str] = ()
) -> ToldOfSelf:
    """Return what ``text``, said at ``at`` in the speaker's zone, says of its speaker, in order.

    ``subject`` is the name that stands for the speaker in a statement. What was explicitly asked
    to be remembered keeps its wording, except for the pronouns. ``before`` is what was just told,
    the newest first: "her name is Lucy" may be of whom that was about.
    """
    right = right_word(text)
    if right is not None and right.is_slip and not right.about:
        # 说错了，是6月16 is no statement of its own, whether or not it is known of what.
        return ToldOfSelf([], [])
    text = with_names_pointed_to(without_slips(text, at, zone_of(at)), before)
    read = plainly_written(text)
    whole = with_births([without_opener(with_own_name(each)) for each in sentences(read)])
    said = [with_names_last(each) for each in _all_with_subjects(claimed(whole))]
    found = list(_by_clauses(whole, said, subject, at))
    in_slots = without_quotations(said)
    claims = slot_claims(in_slots)
    found += statements_by_slot(in_slots, claims, subject, at, found)
    told = "\n".join(statement.text for statement in found)
    found += (each for each in introduced(said, subject) if each.value not in told)
    found += (each for each in _named_people(said, subject) if not _is_told(each, found))
    # What is read in part is told whole: 我女儿上小学二年级.
    found += (each for each in lasting(said, subject) if not _is_told(each, found))
    sent = re.compile(rf"{re.escape(subject)}叫(?:{CALLS_FOR_ZH})")
    found = [each for each in found if not sent.fullmatch(plainly_written(each.text))]
    found = _without_repeated([elaborated(each, read, subject) for each in found], subject)
    over = list(changes_told(in_slots, claims, subject, at))
    if read != text:
        found, over = ([as_written(s, read, text) for s in each] for each in (found, over))
    return ToldOfSelf(list({statement.text: statement for statement in found}.values()), over)

def _without_repeated(found: Sequence[Statement], subject: str) -> list[Statement]:
    """Return statements without those that another tells of the same relative in its last clause."""
    tails = [(each.text, each.text.rpartition("，")[2]) for each in found if "，" in each.text]
    return [
        each
        for each in found
        if not any(
            each.text != text and each.text.endswith(tail) and text.startswith(head)
            for text, tail in tails
            if (head := each.text.removesuffix(tail)) not in {each.text, subject}
        )
    ]


def with_subjects(sentence: str) -> str:
    """Return a sentence in which whoever a clause is about is said in it, not only before it.

    我女儿叫朵朵，三岁了 is read as 我女儿叫朵朵，我女儿三岁了. After 我有个哥哥, 老吴叫吴德全 or "I have a dog"
    nobody can tell whose the next ones are; they are left out.
    """
    return _with_subjects_after(sentence, "")[0]


def _all_with_subjects(sentences: Sequence[str]) -> list[str]:
    """Return sentences so; one that plainly goes on about somebody is about who came before."""
    found: list[str] = []
    whose: str | None = ""
    for sentence in sentences:
        goes_on = _GOES_ON_ZH.match(sentence)
        told, whose = _with_subjects_after(sentence, whose if goes_on else "")
        found.append(told)
    return found


def _with_subjects_after(sentence: str, whose: str | None) -> tuple[str, str | None]:
    """Return a sentence with its subjects, and whose the next one is; None: somebody else's."""
    if corrects(sentence) or _NOT_BUT.search(sentence):
        return sentence, ""
    clauses = _COMMAS.split(sentence)
    for place in range(0, len(clauses), 2):
        part, after = clauses[place], "".join(clauses[place + 2 : place + 3])
        led = LED_ZH.sub("", part)
        brought = _BRINGS_IN.match(led) if not place or _GOES_ON_ZH.match(after) else None
        brought = newborn(led) is None and (brought or _is_gone_on_about(led, after))
        said = None if brought else _said_subject(part, led)
        if said and _may_be_anothers(led, whose):
            whose, clauses[place] = None, ""
        elif said is None:
            whose = None
        elif said != _UNSAID:
            whose = said
        elif whose != "" and led.strip():
            is_theirs = whose and not _FELT.match(led) and led != whose
            clauses[place] = f"{whose}{led.strip()}" if is_theirs else ""
    return "".join(clauses), whose


_UNSAID: Final = "…"


def _may_be_anothers(led: str, whose: str | None) -> bool:
    """Whether a relative named without 我 may be that of the one spoken of: 老吴…，老婆前年走了."""
    kin = _KIN_AT_HEAD_ZH.match(led)
    if kin is None or whose == "":
        return False
    return whose is None or bool(
        _SPOUSE_ZH.search(kin[0]) or (_ASIDE_ZH.search(whose) and _CHILD_ZH.search(kin[0]))
    )


_SPOUSE_ZH: Final = LatePattern("媳妇|老[婆公]|太太|妻|爱人|丈夫|先生|对象|男友|女友|朋友")

_CHILD_ZH: Final = LatePattern("儿|女|孩|娃|闺")

_ASIDE_ZH: Final = LatePattern("[哥姐弟妹姨舅姑叔婶嫂]|闺蜜|朋友|同|室友|师")
"""Whose children are not the speaker's."""


def _said_subject(part: str, led: str) -> str | None:
    """Return whose a clause says to be: the speaker's is "", somebody else's None."""
    theirs, born = _ONES_OWN_ZH.match(led), newborn(led)
    if born is not None:
        return born or None
    told_by_me = ACTS_ON_ME.search(part) or GIVES_ME.search(part)
    if _WHO_I_KNOW_ZH.match(led):
        return None
    if theirs and not told_by_me:
        return theirs[0]
    if not told_by_me and not FIRST_PERSON.search(part):
        if named_at_head(led):
            return None
        if kin := _KIN_AT_HEAD_ZH.match(led):
            return kin[0]
    alone = re.fullmatch(KIN_ZH, led)
    subject = subject_of(part)
    if subject is ClauseSubject.OTHER and is_chinese(led) and not _MOVES_OTHERS_ZH.search(part):
        return None
    named = subject is not ClauseSubject.UNSAID or FIRST_PERSON.search(part)
    return "" if named and not alone else _UNSAID


_MOVES_OTHERS_ZH: Final = LatePattern(
    "房[东租]|公司|单位|老板|领导|上司|客户|裁|涨|赶|催|说|[叫让要]|[我俺咱你您]"
)
"""房东涨价，搬走了: what somebody does so may be followed by what comes of it for the speaker."""


def _is_gone_on_about(clause: str, after: str) -> bool:
    """Whether a clause brings in whom or what the next one names: 来了个新同事，叫小林."""
    return _OBJECT_ZH.search(clause) is not None and _GOES_ON_ZH.match(after) is not None


def of_oneself(text: str) -> str:
    """Return what of a text does not tell of somebody or something of the speaker's."""
    clauses = PARTS.split(with_subjects(_WHICH_IS.sub("", text)))
    return "，".join(
        each
        for each in clauses
        if not _ONES_OWN_ZH.match(each) and subject_of(each) is not ClauseSubject.THEIRS
    )


_WHICH_IS: Final = LatePattern(r"\b(?:who|that|which)(?: is| are| was| has|'s) .*", re.IGNORECASE)

_COMMAS: Final = LatePattern(r"([，,；;]+\s*)")

_NOT_BUT: Final = LatePattern("不(?:是|叫|在).*[，,；;](?:而|应该)?[是叫]")

_FELT: Final = LatePattern("特别|很|太|好|真|超|非常|挺|可|有点|多么?")
"""What somebody feels about the one they speak of is told of nobody."""

_PET_ZH: Final = "[一-鿿]?[猫狗犬]|小?(?:猫咪|狗狗|兔子|仓鼠|鹦鹉|乌龟|金毛|柯基|泰迪|橘猫)"

_ONES_OWN_ZH: Final = LatePattern(
    rf"[我俺咱]们?(?:家里?)?(?:的|那个?|这个?)?(?:最好的|大|小|二|三|老)?(?:{PERSONS_ZH}|{IN_LAWS_ZH}|{_PET_ZH})"
    rf"(?!们?家|的|[和跟与同俩]|公司|{PERSONS_ZH})(?=.)"
)
"""我女儿, 我家猫, 我最好的朋友, before what is told of them."""

_KIN_AT_HEAD_ZH: Final = LatePattern(
    rf"(?:大|小|二|三|老)?(?:{IN_LAWS_ZH}|{KIN_ZH})(?![他她它们]|家|的|[和跟与同俩说问让骂催]|公司|今天|昨天|刚才|觉得)(?=[一-鿿])"
)
"""女婿, 前夫: without another's name they are the speaker's."""

_GOES_ON_ZH: Final = LatePattern(
    r"(?:(?:它|她|他)?的?(?:名字|大名|小名|全名|外号|绰号|网名|英文名)|取名|起名)?(?:[就也]?(?:叫做?|名叫|唤作)(?![我得了停不])|姓|就?是[^，]{1,4}人)"
    r"|[他她它]|今年[\d一二三四五六七八九十]|(?:才|刚|快|都|已经|大概|差不多)?[\d一二两三四五六七八九十]+(?:来|多|几)?(?:岁|个月大?|岁半)"
    r"|[\d一二三四五六七八九十]{1,3}(?:出头|多|来)岁?|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]"
)
"""By these a clause tells who somebody is: 叫何姐, 五十岁, 它…."""

_HIRED_ZH: Final = (
    "帮工|保姆|护工|钟点工|学徒|徒弟|司机|店员|伙计|小工|月嫂|家教|教练|律师|中介|助理|实习生|学生|姑娘|小姑娘|小伙子?|丫头|小孩"
    "|男生|女生|男的|女的|女孩子?|男孩子?|网友|室友|租客|房客|老人|老伯|大叔|搭档|同伴|[一-鿿]{0,3}(?:工|员|师傅|老师|医生|阿姨)"
)

_WHO_I_KNOW_ZH: Final = LatePattern(
    rf"[^，]{{0,5}}[我俺][^，]{{1,8}}的[^，]{{0,4}}(?:{PERSONS_ZH}|{_HIRED_ZH}|人)(?:叫|姓|是|今年|快|才|都|已经|\d|[一二三四五六七八九十])"
    rf"|[^，]{{0,5}}[我俺][^，]{{1,8}}的(?:是|叫)[^，]{{1,4}}(?:{_HIRED_ZH}|人)$"
)
"""我教的学生叫陈浩, 给我看病的是李医生."""

_BRINGS_IN: Final = LatePattern(
    rf"(?:[我俺咱]们?)?(?:家里?)?(?:也|还|就|刚|今天|昨天|最近|上周|新|又)*(?:有|养|请|雇|招|找|认识|交|谈|收|收养|领养|领|带|捡|处|相|生|遇到|碰到|碰见|加)(?:了|着|过|到|来|回来?|一下)*(?:[一两二三四五六七八九十几仨]?[个位只条隻條名头匹]|俩|仨)"
    rf"[^，]{{0,4}}(?:{PERSONS_ZH}|{IN_LAWS_ZH}|{_HIRED_ZH}|{_PET_ZH}|人)[^，]{{0,3}}$"
    rf"|(?:[我俺]们?的?)?(?:{PERSONS_ZH}|{_HIRED_ZH})(?:[小老阿大][一-鿿]|[一-鿿][姐哥叔婶])$"
    rf"|(?:i|we)(?: have|'ve| have got|'ve got) (?:an?|one|two|three|four|some) (?:[\w-]+ ){{0,2}}(?:{PERSONS_EN})s?$",
    re.IGNORECASE,
)
"""我养了只猫, "I have a brother": somebody else comes in, of whom the talk may go on."""

_OBJECT_ZH: Final = LatePattern(
    "(?<!是)(?<!是一)(?<!当)(?<!当一)(?<!做)(?<!做一)(?:[一两三几新]?[个位只条隻條名头匹]|(?<=[了着过有来开一两三几新])[家间])(?:[^，是]{1,8})$"
)
"""来了个新同事, 开了家店: what has a name behind it."""


def _by_clauses(
    whole: Sequence[str], said: Sequence[str], subject: str, at: datetime
) -> Iterator[Statement]:
    """Yield what the rules of whole clauses read; ``said`` is what each sentence claims."""
    greeted = False
    before = ""
    for sentence, told in zip(whole, said, strict=True):
        greeting = is_greeting(sentence)
        body = asked_to_remember(sentence, before)
        if body:
            yield _explicit_statement(body, subject, at)
        else:
            yield from _statements_of_sentence(told, subject, at, greets=greeting or greeted)
        greeted, before = greeting, sentence


def _named_people(said: Sequence[str], subject: str) -> Iterator[Statement]:
    """Yield who is said to be somebody of the speaker's, with the name first: 阿哲是我室友."""
    for sentence in said:
        for clause in stated_clauses(sentence):
            if named := named_first(clause.text.strip()):
                name, role = named
                yield Statement(
                    text=f"{name}是{subject}的{role}",
                    value=name,
                    slot=None,
                    kind=Kind.FACT,
                    confidence=0.9,
                )


def _is_told(statement: Statement, found: list[Statement]) -> bool:
    """Whether statements tell it already, in whole or but for a word."""
    return any(
        statement.value in each.text or (each.slot and each.value and each.value in statement.text)
        for each in found
    )


def asked_to_remember(sentence: str, before: str = "") -> str:
    """Return what a sentence asks to remember, or ""; 记住这个 means the sentence ``before``."""
    found = EXPLICIT.match(sentence)
    if found is None or _ASKED_BACK.search(sentence):
        return ""
    body = (found["zh"] or found["en"] or "").strip(" 。.!！~～，,")
    if _ADVICE_EN.match(body) or (_AS_ADVICE_EN.match(sentence) and not FIRST_PERSON.search(body)):
        return ""
    return before.strip(" 。.!！") if _THIS.fullmatch(body) else body if _WORD.search(body) else ""


_AS_ADVICE_EN: Final = re.compile(r"(?:and |but |just )*(?:always )?remember, ", re.IGNORECASE)

_ADVICE_EN: Final = re.compile(
    r"to \w+|(?=.*\b(?:you|your|yourself|you['’]re)\b)(?!.*\b(?:i|my|me)\b)", re.IGNORECASE
)
"""Remember to take care of yourself: a word of comfort, and nothing to keep."""


def _statements_of_sentence(
    sentence: str, subject: str, at: datetime, *, greets: bool
) -> Iterator[Statement]:
    carried = False
    for clause in stated_clauses(sentence):
        if subject_of(clause.text) is ClauseSubject.OTHER:
            continue
        read = chinese.read_clause if is_chinese(clause.text) else english.read_clause
        statement = read(clause, subject, at, carried=carried, greets=greets)
        if statement is not None:
            instead = in_its_place("，".join(clause.after)) if statement.stopped else ""
            told = instead and _in_third_person(instead, subject)
            yield replace(statement, instead=told)
            carried = True


def _explicit_statement(body: str, subject: str, at: datetime) -> Statement:
    """Return what was asked to be remembered, with the kind of a rule that reads all of it."""
    # A rule that reads only a part would lose the rest of what was explicitly asked for.
    for told in _statements_of_sentence(body, subject, at, greets=False):
        if len(told.text) + len("我") >= len(body):
            return replace(told, confidence=0.95)
    return Statement(
        text=_in_third_person(body, subject),
        value=body,
        slot=None,
        kind=Kind.FACT,
        topic=Topic.MEMORY,
        confidence=0.95,
    )


def _in_third_person(body: str, subject: str) -> str:
    if is_chinese(body):
        return re.sub(r"我(?!们)", subject, body)
    return to_third_person(body, subject) if _FIRST_PERSON_EN.search(body) else body


def is_chinese(text: str) -> bool:
    return re.search("[一-鿿]", text) is not None
