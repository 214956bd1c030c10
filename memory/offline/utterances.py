"""Reading one line: what it says of its speaker, and what it asks to be remembered."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, NamedTuple

from memory.model import Kind, Topic
from memory.offline import chinese, english
from memory.offline.by_slot import changes_told, statements_by_slot, without_quotations
from memory.offline.claimed import LED_ZH, PARTS, ClauseSubject, claimed, subject_of
from memory.offline.introductions import introduced, lasting
from memory.offline.persons import to_third_person
from memory.offline.reviews import without_slips
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
from memory.text.corrections import right_word
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
from memory.text.slot_core import (
    BRINGS_IN,
    GOES_ON_ZH,
    KIN_AT_HEAD_ZH,
    KIN_ZH,
    OBJECT_ZH,
    ONES_OWN_ZH,
    WHO_I_KNOW_ZH,
)
from memory.text.slot_cues import ACTS_ON_ME, FIRST_PERSON, GIVES_ME
from memory.text.slots import slot_claims
from memory.text.slots_zh import CALLS_FOR_ZH
from memory.text.stretches import with_commas
from memory.text.tokens import plainly_written

EXPLICIT: Final = re.compile(
    r"^(?:(?:小祥|好的?|对了|那|嗯++|请|麻烦|拜托|你|您|帮我|给我|一定|千万|可|要"
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

_ASKED_BACK: Final = re.compile(r"[?？]\s*$|[吗么]$")

_FIRST_PERSON_EN: Final = re.compile(r"\b(?:I|my|me|I'm)\b", re.IGNORECASE)


def statements_in(text: str, subject: str, at: datetime) -> list[Statement]:
    """Return what ``text`` says of its speaker, in order: see :func:`told_in`."""
    return told_in(text, subject, at).statements


class ToldOfSelf(NamedTuple):
    """What a text says of its speaker, and what it says to be over."""

    statements: list[Statement]
    over: list[Statement]
    """Worth keeping only if something is known of it."""


def told_in(text: str, subject: str, at: datetime, before: Sequence[str] = ()) -> ToldOfSelf:
    """Return what ``text``, said at ``at`` in the speaker's zone, says of its speaker, in order.

    ``subject`` is the name that stands for the speaker in a statement. What was explicitly asked
    to be remembered keeps its wording, except for the pronouns. ``before`` is what was just told,
    the newest first: "her name is Lucy" may be of whom that was about.
    """
    right = right_word(text)
    if right is not None and right.is_slip and not right.about:
        # 说错了，是6月16 is no statement of its own, whether or not it is known of what.
        text = right.rest
    text = with_names_pointed_to(without_slips(text, at, zone_of(at)), before)
    read = plainly_written(text)
    whole = with_births([without_opener(with_own_name(each)) for each in sentences(read)])
    apart = claimed([with_commas(each) for each in whole])
    said = [with_names_last(each) for each in _all_with_subjects(apart, before)]
    found = list(_by_clauses(whole, said, subject, at))
    in_slots = without_quotations(said)
    claims = slot_claims(in_slots)
    found += statements_by_slot(in_slots, claims, subject, at, found)
    told = "\n".join(statement.text for statement in found)
    found += (each for each in introduced(said, subject) if each.value.lstrip("我俺") not in told)
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
    """Return statements without those told already in the last clause of another."""
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

    我女儿叫朵朵，三岁了 is read as 我女儿叫朵朵，我女儿三岁了. After 我有个哥哥, 老吴叫吴德全 or
    "I have a dog" nobody can tell whose the next ones are; they are left out.
    """
    return _with_subjects_after(sentence, _Subjects())[0]


class _Subjects(NamedTuple):
    """Whose a clause is that says no subject; "" is the speaker's, None somebody else's."""

    next: str | None = ""
    """Of whoever was told of last, also as brought in: 我养了只猫，叫团子."""
    of_all: str | None = ""
    """Of whoever the whole is about: 我养了只猫，还养了条狗."""


def _all_with_subjects(said: Sequence[str], before: Sequence[str] = ()) -> list[str]:
    """Return sentences so; one that plainly goes on about somebody is about who came before.

    Of whom the messages ``before`` told, the newest first, it is told there; here it is of nobody.
    """
    found: list[str] = []
    whose = _Subjects()
    if said and _GOES_ON_APART_ZH.match(said[0]):
        for sentence in (each for line in reversed(before[:2]) for each in sentences(line)):
            _, whose = _with_subjects_after(plainly_written(sentence), whose)
        whose = _Subjects(*("" if each == "" else None for each in whose))
    for sentence in said:
        told, whose = _with_subjects_after(sentence, whose)
        found.append(told)
    return found


_GOES_ON_APART_ZH: Final = LatePattern(
    "(?:今年|才|快|都|刚)?[\\d一二两三四五六七八九十]{1,2}(?:岁|个月)[了半多大]*(?:[，,。]|$)"
    "|小名|乳名|取名|起名|是?个?[男女](?:孩|宝|娃)|[\\d一二三四五六七八九十]+斤|[他她]?还[养有开]"
)


def _with_subjects_after(sentence: str, before: _Subjects) -> tuple[str, _Subjects]:
    """Return a sentence with its subjects, and whose the next one is.

    ``before`` is whose the sentence before it was: a name without a subject is theirs.
    """
    if corrects(sentence) or _NOT_BUT.search(sentence):
        return sentence, _Subjects()
    named, of_all = before
    whose = named if GOES_ON_ZH.match(sentence) or _GOES_ON_APART_ZH.match(sentence) else ""
    clauses = _COMMAS.split(sentence)
    for place in range(0, len(clauses), 2):
        part, after = clauses[place], "".join(clauses[place + 2 : place + 3])
        led = LED_ZH.sub("", part)
        said = _said_subject(part, led)
        if said == _UNSAID:
            names = whose == "" and _NAMES_ZH.match(led)
            whose = of_all if _ADDS_ZH.match(part) else named if names else whose
        if said and _may_be_anothers(led, whose):
            whose, clauses[place] = None, ""
        elif said != _UNSAID:
            whose, named = said, ""
        elif whose != "" and led.strip():
            is_theirs = whose and not _FELT.match(led) and led != whose
            clauses[place] = f"{whose}{led.strip()}" if is_theirs else ""
        of_all = whose
        if _brings_in(led, after, place) or (whose and _GIVEN_ZH.search(part)):
            whose = None
    return "".join(clauses), _Subjects(whose, of_all)


_UNSAID: Final = "…"

_GIVEN_ZH: Final = LatePattern(
    "(?:安排|介绍|撮合|推荐|张罗|牵的?线|送|买|寄|挑|选|约|做|织|炖|包)(?:给我|我)?的$"
)
"""我妈安排的，是个牙医: what follows is about whom or what they gave."""

_NAMES_ZH: Final = LatePattern(
    "(?:小名|乳名|大名|全名|名字|取名|起名)?叫(?:做|作)?(?![我停])|名叫"
)

_ADDS_ZH: Final = LatePattern(
    "(?:而且|后来|最后|结果|然后|另外)?[他她]?[还也又](?=[一-鿿])|后来|最后|结果"
)
"""还养了只黑猫 goes on about whom the sentence before it was about."""


def _may_be_anothers(led: str, whose: str | None) -> bool:
    """Whether a relative named without 我 may be the other one's: 老吴…，老婆前年走了."""
    kin = KIN_AT_HEAD_ZH.match(led)
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
    born = newborn(led)
    if born is not None or WHO_I_KNOW_ZH.match(led):
        return born or None
    acts = ACTS_ON_ME.search(part) or GIVES_ME.search(part)
    theirs = None if acts else ONES_OWN_ZH.match(led)
    if not acts and not theirs and not FIRST_PERSON.search(part):
        if named_at_head(led):
            return None
        theirs = KIN_AT_HEAD_ZH.match(led)
    return theirs[0] if theirs else _plainly_said_subject(part, led)


def _plainly_said_subject(part: str, led: str) -> str | None:
    subject = subject_of(part)
    if subject is ClauseSubject.OTHER and _is_chinese(led) and not _MOVES_OTHERS_ZH.search(part):
        return None
    named = subject is not ClauseSubject.UNSAID or FIRST_PERSON.search(part)
    return "" if named and not re.fullmatch(KIN_ZH, led) else _UNSAID


_MOVES_OTHERS_ZH: Final = LatePattern(
    "房[东租]|公司|单位|老板|领导|上司|客户|裁|涨|赶|催|说|[叫让要]|[我俺咱你您]"
)
"""房东涨价，搬走了: what somebody does so may be followed by what comes of it for the speaker."""


def _brings_in(clause: str, after: str, place: int) -> bool:
    """Whether a clause brings in whom or what the next one goes on about: 来了个新同事，叫小林."""
    if newborn(clause) is not None:
        return False
    goes_on = GOES_ON_ZH.match(after) is not None
    brought = BRINGS_IN.match(clause) is not None and (not place or goes_on)
    return brought or (goes_on and OBJECT_ZH.search(clause) is not None)


def of_oneself(text: str) -> str:
    """Return what of a text does not tell of somebody or something of the speaker's."""
    clauses = PARTS.split(with_subjects(_WHICH_IS.sub("", text)))
    return "，".join(
        each
        for each in clauses
        if not ONES_OWN_ZH.match(each) and subject_of(each) is not ClauseSubject.THEIRS
    )


_WHICH_IS: Final = LatePattern(r"\b(?:who|that|which)(?: is| are| was| has|'s) .*", re.IGNORECASE)

_COMMAS: Final = LatePattern(r"([，,；;]+\s*)")

_NOT_BUT: Final = LatePattern("不(?:是|叫|在).*[，,；;](?:而|应该)?[是叫]")

_FELT: Final = LatePattern("特别|很|太|好|真|超|非常|挺|可|有点|多么?")
"""What somebody feels about the one they speak of is told of nobody."""


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
    kept = before.strip(" 。.!！") if _THIS.fullmatch(body) else body
    return kept if re.search(r"\w", kept) else ""


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
        read = chinese.read_clause if _is_chinese(clause.text) else english.read_clause
        statement = read(clause, subject, at, carried=carried, greets=greets)
        if statement is not None:
            instead = in_its_place("，".join(clause.after)) if statement.stopped else ""
            told = instead and in_third_person(instead, subject)
            yield replace(statement, instead=told)
            carried = True


def _explicit_statement(body: str, subject: str, at: datetime) -> Statement:
    """Return what was asked to be remembered, with the kind of a rule that reads all of it."""
    # A rule that reads only a part would lose the rest of what was explicitly asked for.
    for told in _statements_of_sentence(body, subject, at, greets=False):
        if len(told.text) + len("我") >= len(body):
            return replace(told, confidence=0.95)
    return Statement(
        text=in_third_person(body, subject),
        value=body,
        slot=None,
        kind=Kind.FACT,
        topic=Topic.MEMORY,
        confidence=0.95,
    )


def in_third_person(body: str, subject: str) -> str:
    """Return what somebody says of themselves as it is told of them."""
    if _is_chinese(body):
        return re.sub(r"我(?!们)", subject, body)
    return to_third_person(body, subject) if _FIRST_PERSON_EN.search(body) else body


def _is_chinese(text: str) -> bool:
    return re.search("[一-鿿]", text) is not None
