"""Reading one line: what it says of its speaker, and what it asks to be remembered."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, NamedTuple

from memory.model import Kind, Topic
from memory.offline import chinese, english
from memory.offline.by_slot import changes_told, statements_by_slot, without_quotations
from memory.offline.claimed import ClauseSubject, claimed, subject_of
from memory.offline.groups import named_apart, told_beside
from memory.offline.introductions import introduced, lasting
from memory.offline.persons import all_with_subjects, to_third_person
from memory.offline.reviews import without_slips
from memory.offline.statements import (
    Statement,
    all_elaborated,
    as_written,
    in_its_place,
    is_greeting,
    sentences,
    stated_clauses,
    without_opener,
    zone_of,
)
from memory.offline.understood import DECIDED, with_decision
from memory.text.correction_forms import her_name_given, told_rightly
from memory.text.corrections import right_word
from memory.text.late_pattern import LatePattern
from memory.text.names import (
    NAME_SHAPE_ZH,
    NO_NAMES,
    ROLE_EN,
    ROLE_ZH,
    named_first,
    with_births,
    with_names_last,
    with_names_pointed_to,
    with_own_name,
)
from memory.text.requests import POLITE_END, THIS_EN, THIS_ZH, only_bids, requested_text
from memory.text.slot_core import KIN_ZH
from memory.text.slot_cues import FIRST_PERSON
from memory.text.slots import slot_claims
from memory.text.slots_zh import CALLS_FOR_ZH
from memory.text.stretches import with_commas
from memory.text.time_parts import with_hour_beside_day
from memory.text.tokens import plainly_written

_ASKED_BACK: Final = re.compile(r"[?？]\s*$|[吗么]$")

_FIRST_PERSON_EN: Final = re.compile(r"\b(?:I|my|me|I'?m|I'?ve)\b", re.IGNORECASE)


def statements_in(text: str, subject: str, at: datetime) -> list[Statement]:
    """Return what ``text`` says of its speaker, in order: see :func:`told_in`."""
    return told_in(text, subject, at).statements


def _without_request(text: str) -> str:
    """Return a text without a request at its end: 我妈住在绍兴，记住."""
    kept = requested_text(text) or text
    return kept if text.startswith(kept) and text[len(kept) :][:1] in "，, " else text


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
    text = with_hour_beside_day(_without_request(text))
    text = with_names_pointed_to(told_rightly(without_slips(text, at, zone_of(at))), before)
    read = plainly_written(text)
    of_self = (each for each in sentences(read) if not her_name_given(each))
    own = [_AT_HOME.sub("我", with_decision(with_own_name(told_beside(x)))) for x in of_self]
    whole = with_births([without_opener(each) for each in own])
    apart = claimed([with_commas(each) for each in whole])
    said = [with_names_last(each) for each in all_with_subjects(apart, before)]
    found = list(_by_clauses(whole, said, subject, at))
    in_slots = without_quotations(said)
    claims = slot_claims(in_slots)
    found += statements_by_slot(in_slots, claims, subject, at, found)
    told = "\n".join(statement.text for statement in found)
    found += (each for each in introduced(said, subject) if each.value.lstrip("我俺") not in told)
    found += [each for each in _named_people(said, subject) if not _is_introduced(each, found)]
    # What is read in part is told whole: 我女儿上小学二年级.
    found += (each for each in lasting(said, subject) if not _is_told(each, found))
    found += (each for each in _people_by_name(said, subject) if not _is_told(each, found))
    sent = re.compile(rf"{re.escape(subject)}(?:叫(?:{CALLS_FOR_ZH})|是[您你]们?的.+)")
    found = [each for each in found if not sent.fullmatch(plainly_written(each.text))]
    found = _without_repeated(all_elaborated(found, read, subject), subject)
    found = [_as_decided(_with_other_name(each, read), read, subject) for each in found]
    over = list(changes_told(in_slots, claims, subject, at))
    if read != text:
        found, over = ([as_written(s, read, text) for s in each] for each in (found, over))
    return ToldOfSelf(list({statement.text: statement for statement in found}.values()), over)


def _as_decided(told: Statement, read: str, subject: str) -> Statement:
    made = f"{subject}决定" if DECIDED.match(read) else ""
    return replace(told, text=told.text.replace(made, f"{made}了，", 1)) if made else told


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


def _by_clauses(
    whole: Sequence[str], said: Sequence[str], subject: str, at: datetime
) -> Iterator[Statement]:
    """Yield what the rules of whole clauses read; ``said`` is what each sentence claims."""
    greeted, before = False, ""
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
        clauses = (named_first(each.text.strip()) for each in stated_clauses(sentence))
        for name, role in (*filter(None, clauses), *named_apart(sentence)):
            text = f"{name}是{subject}的{role}"
            yield Statement(text=text, value=name, slot=None, kind=Kind.FACT, confidence=0.9)


_AT_HOME: Final = re.compile(
    rf"^(?:[我俺]们?)?家里?(?=有[了着]?(?:[一二两三四五六七八九]?[个位只条对]|俩|仨)[^，,。]{{0,8}}?(?:{KIN_ZH}))"
)
"""家里有个女儿: what one has at home one has."""


def _people_by_name(said: Sequence[str], subject: str) -> Iterator[Statement]:
    """Yield who is brought in by role and name, and what lasts of them: 我同事小王在银行上班."""
    for clause in (each.text.strip() for line in said for each in stated_clauses(line)):
        met = _BY_NAME_ZH.fullmatch(clause) or _BY_NAME_EN.fullmatch(clause)
        if met is None or met["name"].casefold() in NO_NAMES:
            continue
        words = _IN_ZH if _is_chinese(clause) else _IN_EN
        for text in _told_of_somebody(met, subject, words):
            yield Statement(
                text=text, value=met["name"], slot=None, kind=Kind.FACT, confidence=0.7
            )


_BY_NAME_ZH: Final = LatePattern(
    rf"(?P<this>[这那]是)?[我俺]们?(?:家|公司|单位|部门|班)?的?(?P<role>{ROLE_ZH})"
    rf"(?P<called>叫做?|名叫|就?是)?(?P<name>{NAME_SHAPE_ZH}|(?![我你他])(?P<twice>[一-鿿])(?P=twice)$)"
    r"(?P<rest>.*)"
)

_BY_NAME_EN: Final = LatePattern(
    rf"(?P<this>(?:this is|meet) )?(?:my|our) (?P<role>{ROLE_EN})"
    r"(?P<called>(?:['’]s| is) (?:called|named)|['’]s name(?: is|['’]s))?"
    # What somebody has just done is no news of one's own.
    r" (?P<name>(?-i:[A-Z])[a-z'’-]+)"
    r"(?P<rest>(?!(?: has|['’]s) (?:just|got|gone|been|\w+ed)\b).*)",
    re.IGNORECASE,
)


class _InWords(NamedTuple):
    """How a language tells who somebody is; ``kin`` stands for them where kin is read."""

    is_whose: str
    whose_is_called: str
    says_of_kin: str
    kin: str
    named: str


_IN_ZH: Final = _InWords(
    "{name}是{subject}的{role}",
    "{subject}的{role}叫{name}",
    "我表弟{rest}",
    "表弟",
    "{role}{name}",
)
_IN_EN: Final = _InWords(
    "{name} is {subject}'s {role}",
    "{subject}'s {role} is called {name}",
    "my cousin{rest}",
    "cousin",
    "{role} {name}",
)


def _told_of_somebody(met: re.Match[str], subject: str, words: _InWords) -> Iterator[str]:
    """Yield who somebody is, or what lasts of them, which is told as of one's kin."""
    said = {**met.groupdict(""), "subject": subject}
    if not met["rest"]:
        if met["this"] or met["called"]:
            yield (words.is_whose if met["this"] else words.whose_is_called).format_map(said)
    elif not met["called"]:
        for each in lasting([words.says_of_kin.format_map(said)], subject):
            yield each.text.replace(words.kin, words.named.format_map(said), 1)


_OTHER_NAME: Final = re.compile(
    r"[，,]\s*(?:大名|全名|学名|小名|乳名)(?:叫|是)?[一-鿿]{2,4}(?=[，,。！!\s]|$)"
    r"|, (?:full|real|proper|pet) name(?: is)? (?-i:[A-Z])[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+)?"
    r"(?=[,.!\s]|$)",
    re.IGNORECASE,
)

_HAS_CALLED: Final = re.compile(
    r"有[^，]*叫(?P<zh>[^，]+)$|ha(?:s|ve) .* called (?P<en>[\w'’-]+)$"
)

_HAS_SEVERAL: Final = re.compile(
    r"(?P<zh>有[两二三四五几][个只条][^，、]{1,4})$"
    r"|(?P<en>\b(?:two|three|four|five) (?:\w+ )?\w+s|\b(?:two|three|four|five) children)$"
)

_NAMED_EACH: Final = re.compile(
    r"(?:[，,]\s*(?:[大小]|老[大二三]|一个|另一个|[哥姐弟妹]{2}|[儿女][子儿])的?叫[一-鿿]{1,4}(?=[，,。！!\s]|$)){2,4}"
    r"|[，,:：]\s*(?:叫)?[一-鿿]{2,3}(?:和|跟|、)[一-鿿]{2,3}(?=[。！!\s]|$)"
    r"|[,:]? [A-Z][\w'’-]+(?:, [A-Z][\w'’-]+){0,3},? (?:and|&) [A-Z][\w'’-]+(?=[,.!]|$)"
)


def _with_other_name(statement: Statement, read: str) -> Statement:
    """Return what tells of whom one has, with what they are called (as well) if that follows."""
    for has, names in ((_HAS_CALLED, _OTHER_NAME), (_HAS_SEVERAL, _NAMED_EACH)):
        found = has.search(statement.text)
        _, told, after = read.partition(found["zh"] or found["en"]) if found else ("", "", "")
        if told and (named := names.match(after)):
            return replace(statement, text=statement.text + named[0])
    return statement


def _is_introduced(statement: Statement, found: list[Statement]) -> bool:
    # 下周六小鹿结婚 tells of her, and not who she is.
    role = statement.text[-2:]
    return any(statement.value in each.text and role in each.text for each in found)


def _is_told(statement: Statement, found: list[Statement]) -> bool:
    """Whether statements tell it already, in whole or but for a word."""
    return any(
        statement.value in each.text or (each.slot and each.value and each.value in statement.text)
        for each in found
    )


_EXPLICIT: Final = re.compile(
    r"^(?:(?:小祥|好的?|对了|那|嗯++|请|麻烦|拜托|你|您|帮我|给我|一定|千万|可|要"
    rf"|得|把?{THIS_ZH})[，,、\s]*)*"
    r"(?:记住|记好|记一下|记下来?|记着|牢记|别忘了?|不要忘(?:了|记)?)(?!了?[吗没])(?:一下|哦|啊"
    r"|了|喽|下)*[，,：:、\s]*(?P<zh>.*)"
    r"|^(?:(?:so|and|also|hey|ok|okay|please|xiaoxiang|can you|could you)[,\s]+)*"
    r"(?:remember|note|don't forget|do not forget|keep in mind)"
    rf"(?:(?! {THIS_EN}) (?:that|this))?[,:\s]+(?P<en>.*)",
    re.IGNORECASE,
)
"""A sentence that asks to remember what follows; anchored: 我记住了 and 你还记得 do not match."""

_THIS_MATTER: Final = re.compile(
    rf"(?:{THIS_ZH}|我(?:刚才?)?说的(?:话)?|{THIS_EN}|this|that|it)?"
    r"(?: for me| for later| please|[哦啊吧呀。.!！\s])*",
    re.IGNORECASE,
)


def asks_to_keep_what_is_shown(text: str) -> bool:
    """Whether a text only asks to keep what it points at: remember this."""
    found = _EXPLICIT.fullmatch(text.strip())
    return found is not None and bool(_THIS_MATTER.fullmatch(found["zh"] or found["en"] or ""))


def asked_to_remember(sentence: str, before: str = "") -> str:
    """Return what a sentence asks to remember, or ""; 记住这个 means the sentence ``before``."""
    found = _EXPLICIT.match(sentence)
    if found is None or _ASKED_BACK.search(sentence):
        return ""
    body = POLITE_END.sub("", (found["zh"] or found["en"] or "").strip(" 。.!！~～，,"))
    if _ADVICE_EN.match(body) or (_AS_ADVICE_EN.match(sentence) and not FIRST_PERSON.search(body)):
        return ""
    kept = before.strip(" 。.!！") if _THIS_MATTER.fullmatch(body) else body
    return kept if re.search(r"\w", kept) else ""


def requested_lines(text: str) -> list[str]:
    """Return what the lines of a message ask to be kept, each by itself.

    Where the request opens a list (记住：…), that is each line of the list; and what is "also"
    behind any request.
    """
    found: list[str] = []
    lists = False
    for number, line in enumerate(map(str.strip, text.strip().splitlines())):
        head, what = _LIST_HEAD.match(line), requested_text(line)
        opens = bool(head and (head["mark"] or not number) and only_bids(head["bids"]))
        item = _BULLET.match(line)
        told = bool(item and item["told"]) and not _AFTER_LIST.search(line)
        lists = opens or (lists and not what and told)
        if item and told and not what and not opens and (lists or (found and item["also"])):
            what = item["told"]
        found += [what] if what else []
    return found


_LIST_HEAD: Final = LatePattern(r"(?P<bids>[^:：]{1,24})(?:(?P<mark>[:：])|$)")

_BULLET: Final = LatePattern(
    r"(?:[-*•·]|\d{1,2}[.、)）]|[①-⑳])?[ \t]*(?P<also>(?:还有|另外|以及|and|also)[，,：:\s]*)?"
    r"(?P<told>.*)",
    re.IGNORECASE,
)

_AFTER_LIST: Final = LatePattern(
    r"[?？]|[吗呢么]\W*$|[累困烦]死?了?[啊呀]*\W*$|^https?:\S+$"
    r"|^(?:谢|多谢|辛苦|晚安|再见|拜拜|好[的了啦吧]|就这[些样]|没了|[哈嗯唉哎哦]|对了)"
    r"|^(?:thanks|thank you|cheers|that['’]s (?:it|all)|good ?night|ok(?:ay)?|please|btw"
    r"|by the way|anyway|so)\b",
    re.IGNORECASE,
)
"""With this a line is talk again, and none of the list."""


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
