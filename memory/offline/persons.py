"""Whose a clause is that does not say so; and turning "I" into a name and back.

A clause is told of somebody where it is kept, and to them where it is answered.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from memory.offline.claimed import LED_ZH, PARTS, TOPIC_ZH, ClauseSubject, subject_of
from memory.offline.harms import ILL_ZH, RESULTS_ZH
from memory.offline.statements import sentences
from memory.offline.understood import MET_THERE, WORKS_THERE, named_at_head
from memory.offline.vocabulary import WORDS_EN
from memory.text import slots_en
from memory.text.correction_forms import corrects
from memory.text.late_pattern import LatePattern
from memory.text.names import named_first, names_told, newborn
from memory.text.slot_core import (
    BRINGS_IN,
    GOES_ON_ZH,
    KIN_AT_HEAD_ZH,
    KIN_ZH,
    OBJECT_ZH,
    ONES_OWN_ZH,
    WHO_I_KNOW_ZH,
)
from memory.text.slot_cues import ACTS_ON_ME, FIRST_PERSON, GIVES_ME, PERSONS_EN
from memory.text.tokens import plainly_written
from memory.text.word_forms import first_person, third_person

_HAN: Final = LatePattern("[一-鿿]")


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


def all_with_subjects(said: Sequence[str], before: Sequence[str] = ()) -> list[str]:
    """Return sentences so; one that plainly goes on about somebody is about who came before.

    Of whom the messages ``before`` told, the newest first, it is told there; here it is of nobody.
    """
    if len(said) > 1 and _BARE_ZH.fullmatch(said[0]):
        return [said[0], *all_with_subjects(said[1:], before)]
    whose, found = _Subjects(), []
    said, led = list(said), _NAMES_FIRST_ZH.match(said[0]) if said else None
    if said and _GOES_ON_APART_ZH.match(said[0][led.end() if led else 0 :]):
        # 豆包, alone, is of whom the line before it was.
        named = [each for each in before[:_LINES_BACK] if not _BARE_ZH.fullmatch(each.strip())]
        for sentence in (each for line in reversed(named) for each in sentences(line)):
            _, now = _with_subjects_after(plainly_written(sentence), whose)
            # 好担心 names nobody, and 我好担心 is of whom it is felt for.
            of_me = FIRST_PERSON.search(sentence) and not _FELT.match(sentence.partition("我")[2])
            whose = now if of_me or now.next != "" else whose
        whose = _Subjects(*("" if each == "" else None for each in whose))
        if led and whose.next is None:
            said[0] = said[0][led.end() :]
    heard = (_tells_of_another_en(each) for each in before[:_LINES_BACK])
    theirs, here = next((each for each in heard if each is not None), False), False
    for sentence in said:
        told, whose = _with_subjects_after(sentence, whose)
        if _HAN.search(sentence):
            theirs, here = whose.next != "", True
        told, theirs, here = _without_anothers_en(told, theirs=theirs, here=here)
        found.append(told)
    return found


_LINES_BACK: Final = 3
_BARE_ZH: Final = LatePattern("[一-鿿]{1,3}[。！!~～]*")
_NAMES_FIRST_ZH: Final = LatePattern("叫?(?![我俺咱])[一-鿿]{1,3}[，,。！!~～\\s]+")
_GOES_ON_APART_ZH: Final = LatePattern(
    "(?:今年|才|快|都|刚)?[\\d一二两三四五六七八九十]{1,2}(?:岁|个月)[了半多大]*(?:[，,。\\s]|$)"
    "|小名|乳名|取名|起名|是?个?[男女](?:孩|宝|娃)|[\\d一二三四五六七八九十]+斤|[他她]?还[养有开]"
    f"|(?:[对對][^，,。我俺咱你]{{1,8}}|(?!{KIN_ZH})[^，,。我俺咱你]{{1,5}})(?:过敏|不耐受)"
    f"|{RESULTS_ZH}|(?!{KIN_ZH})[^，,。我俺咱你]{{0,10}}{ILL_ZH}"
)


def _without_anothers_en(sentence: str, *, theirs: bool, here: bool) -> tuple[str, bool, bool]:
    """Return an English sentence without what may be told of another: three, married, moved out.

    ``theirs``: the one before it was about another, told of in the same message if ``here``, where
    no clause without a subject is surely the speaker's. Returned is what is so behind this one.
    """
    if _HAN.search(sentence):
        return sentence, theirs, here
    clauses, goes_on = _BREAKS_EN.split(sentence), False
    for place in range(0, len(clauses), 2):
        said = _tells_of_another_en(clauses[place])
        if said is not None:
            theirs, here, goes_on = said, True, False
        elif theirs and not _OF_ME_EN.search(clauses[place]):
            goes_on = goes_on or here or _GOES_ON_EN.match(clauses[place]) is not None
            clauses[place] = "" if goes_on else clauses[place]
    return "".join(clauses), theirs, here


_BREAKS_EN: Final = LatePattern(r"([,，;；]+\s*|(?<=[a-z0-9)'’][.!])\s+)")

_OF_ME_EN: Final = LatePattern(
    rf"{FIRST_PERSON.pattern}|\W*(?:(?:and|but|so|also|still|just|now) )*(?:am|have|live|work|love"
    r"|like|hate|need|want|do|don['’]?t|can['’]?t|haven['’]?t)\b",
    re.IGNORECASE,
)
"""A clause with "me" in it, or with a verb as one says it of oneself, is the speaker's."""


def _tells_of_another_en(text: str) -> bool | None:
    """Whether an English text ends as told of somebody who is not its speaker, if it says so."""
    found = None
    for clause in () if _HAN.search(text) else PARTS.split(text):
        subject = subject_of(clause)
        if _OWN_NAME_EN.match(clause):
            found = False
        elif subject is ClauseSubject.OTHER or names_told(clause) or _BRINGS_IN_EN.match(clause):
            found = True
        elif subject is not ClauseSubject.UNSAID:
            found = False
    return found


_OWN_NAME_EN: Final = LatePattern(
    r"\W*(?:(?:my|the) )?name['’]?s? |s?he['’]?s (?:finally )?(?:here|born)\b", re.IGNORECASE
)

_BRINGS_IN_EN: Final = LatePattern(
    r"\W*(?:(?:and|so|but|oh|well) )*(?:(?:(?:i|we)(?:['’]ve| have)? ?)?(?:just |also )?"
    r"(?:got|have|adopted|bought|rescued|keep)? ?(?:an?|one|my|our) |the )"
    rf"(?:[\w-]+ ){{0,2}}?(?:{PERSONS_EN}|{WORDS_EN['PET']})\b"
    rf"|\W*(?:the|my|our) (?:[\w'’-]+ ){{0,2}}?(?:{slots_en.CORE_WORDS['TRADE']}|trainer"
    r"|instructor)(?:\W*$| (?:at|in|from|of|on)\b)"
    r"|.*\b(?:(?:rows?|fight|argument|lunch|dinner|drinks?|coffee|chat|date|words|call) with"
    r"|met(?: up with)?|saw|(?:ran|bumped) into|(?:spoke|talked) (?:to|with)|rang|texted)"
    r" (?-i:[A-Z])[a-z]+\W*$"
    r"|.*\b(?:met|saw|(?:ran|bumped) into|(?:spoke|talked) (?:to|with)) (?:my|our|an?|this|some)"
    rf" (?:[\w-]+ ){{0,2}}?(?:{PERSONS_EN}|woman|man|girl|boy|lady|lad|bloke)\b",
    re.IGNORECASE,
)

_GOES_ON_EN: Final = LatePattern(
    r"\W*(?:\w+[.!] +)?(?:(?:and|but|also|is|just|only|now|about|around|nearly|almost|already"
    r"|turned|very|really|super|so|quite|a bit|sadly|badly|severely|highly) )*"
    r"(?:(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen"
    r"|fourteen|fifteen|sixteen)(?:\W*$| ?(?:and a half|years?|yrs?|months?|weeks?|yo|y/o)\b)"
    r"|(?:(?:lactose |gluten )?intolerant|allergic|diabetic|epileptic|asthmatic|deaf|blind)\b"
    r"|(?:has |got )?(?:an? )?[\w-]+(?: [\w-]+)? (?:allergy|allergies|intolerance)\b|diagnosed\b)",
    re.IGNORECASE,
)
"""By these a clause goes on about whoever came before: how old, and what harms them."""


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
        said = _UNSAID if whose is None and _TO_ME_ZH.match(led) else _said_subject(part, led)
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
_TO_ME_ZH: Final = LatePattern(
    "(?:每次|每回|每天|天天|从来|一直|总是?|老是?|经常|有时|还|也|都|就|又|再|不|没|别)+[^，我俺咱]{1,4}[我俺咱]"
)
"""每次都不收我钱: what somebody does to the speaker is told of them."""
_GIVEN_ZH: Final = LatePattern(
    "(?:安排|介绍|撮合|推荐|张罗|牵的?线|送|买|寄|挑|选|约|做|织|炖|包)(?:给我|我)?的$"
    "|给[^，]{1,3}[报办订买寄换租请找约挂]了?[一两几]?[个辆张箱台条份件套双本门间][^，]+$"
)
"""我妈安排的，是个牙医: what follows is about whom or what they gave."""

_NAMES_ZH: Final = LatePattern("(?:[小乳大全]名|名字|[取起]名)?叫[做作]?(?![我停])|名叫")

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
    if born is not None or WHO_I_KNOW_ZH.match(led) or named_first(led):
        return born or None
    acts = ACTS_ON_ME.search(part) or GIVES_ME.search(part)
    theirs = None if acts else ONES_OWN_ZH.match(led)
    if not acts and not theirs and not FIRST_PERSON.search(part):
        if named_at_head(led) or WORKS_THERE.fullmatch(led):
            return None
        theirs = KIN_AT_HEAD_ZH.match(led)
    return theirs[0] if theirs else _plainly_said_subject(part, led)


def _plainly_said_subject(part: str, led: str) -> str | None:
    subject = subject_of(part)
    is_moved = _MOVES_OTHERS_ZH.search(part) and not re.match(TOPIC_ZH, led)
    if subject is ClauseSubject.OTHER and _HAN.search(led) and not is_moved:
        return None
    named = subject is not ClauseSubject.UNSAID or FIRST_PERSON.search(part)
    return "" if named and not re.fullmatch(KIN_ZH, led) else _UNSAID


_MOVES_OTHERS_ZH: Final = LatePattern(
    "房[东租]|公司|单位|老板|领导|上司|客户|裁|涨|赶|催|说|[叫让要]|[我俺咱你您]"
)
"""房东涨价，搬走了: what somebody does so may be followed by what comes of it."""


def _brings_in(clause: str, after: str, place: int) -> bool:
    """Whether a clause brings in whom or what the next one goes on about: 来了个新同事，叫小林."""
    if newborn(clause) is not None:
        return False
    goes_on = GOES_ON_ZH.match(after) is not None
    met = BRINGS_IN.match(clause) or MET_THERE.fullmatch(clause)
    brought = met is not None and (not place or goes_on)
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
_NOT_BUT: Final = LatePattern("^我[，,]|不(?:是|叫|在).*[，,；;](?:而|应该)?[是叫]")

_FELT: Final = LatePattern("特别|很|太|好|真|超|非常|挺|可|有点|多么?")
"""What somebody feels about the one they speak of is told of nobody."""


HOW: Final = (
    rf"(?P<a>(?:(?:{WORDS_EN['HOW']}|no longer|never|often|sometimes|only|even|both|ever"
    r"|(?!(?:fly|rely|apply|reply|bully)\b)\w+ly) )*)"
)
"""How often or how much, between somebody and what they do."""


def to_third_person(clause: str, subject: str) -> str:
    """Return a first-person clause as one about ``subject``.

    >>> to_third_person("I really like my cat", "Anna")
    'Anna really likes their cat'
    >>> to_third_person("me and my wife run a pub", "Anna")
    'Anna and their wife run a pub'
    >>> to_third_person("the doc has me on iron for my blood", "Anna")
    'the doc has Anna on iron for their blood'
    """
    clause = _WITH_ME.sub(lambda m: f"¤ and their {m['one'] or m['other']}", clause)
    # The name goes in last, as a mark until then: it may itself hold "I", "me" or a verb. Short
    # forms go before the verb, or "I've" would leave "'ve" behind.
    for old, new in (
        (r"^me (?=(?:and|n|&) )", "I "),
        (rf"^(?=(?:wish|hope) i\b|(?:{_DONE_EN}) (?:.* )?my\b)", "I "),
        (r"\bI(?:'?m| am)\b", "¤ is"),
        (r"\bI(?:'?ve| have)\b", "¤ has"),
        (r"\bI'll\b", "¤ will"),
        (r"\bI (?:don't|do not)\b", "¤ doesn't"),
        (r"\bI do\b", "¤ does"),
    ):
        clause = re.sub(old, new, clause, flags=re.IGNORECASE)
    # The second "I" of a clause is "they": Anna works while they study.
    if first := re.search(r"¤|\bI\b", clause):
        rest = clause[first.end() :]
        rest = re.sub(r"(?<=\s)(?:I|¤ (?:is|has))\b", lambda m: _THEY[m[0]], rest)
        clause = clause[: first.end()] + rest
    clause = _conjugated(clause, "I", third_person)
    if not first:
        clause = re.sub(
            r"\bm([ey])\b", lambda m: _NAMED[m[1].lower()], clause, count=1, flags=re.IGNORECASE
        )
    for old, new in (
        (r"\bmyself\b", "themselves"),
        (r"\bmy\b", "their"),
        (r"\bI\b", "¤"),
        (r"\bme\b", "¤" if "call me" in clause.lower() else "them"),
    ):
        clause = re.sub(old, new, clause, flags=re.IGNORECASE)
    return clause.replace("¤", subject)


_DONE_EN: Final = "[a-z]+ed|left|lost|quit|sold|bought|found|took|gave|put|broke|met|told"
_WITH_ME: Final = re.compile(
    r"^(?:(?:me|I) (?:and|n|&) my (?P<one>\w+)|my (?P<other>\w+) (?:and|n|&) (?:me|I))\b",
    re.IGNORECASE,
)
_NAMED: Final = {"e": "¤", "y": "¤'s"}
_THEY: Final = {"I": "they", "¤ is": "they are", "¤ has": "they have"}


def to_second_person(text: str, subject: str) -> str:
    """Return a stored clause about ``subject`` as it is said to them; other texts unchanged.

    >>> to_second_person("Anna really likes their cat", "Anna")
    'you really like your cat'
    >>> to_second_person("Sam and Anna broke up", "Anna")
    'Sam and you broke up'
    """
    begins = text.startswith(subject)
    # Sam and Anna's mother may be that of both.
    marked = rf"(?<!\w){re.escape(subject)}(?!\w)(?<!\band {re.escape(subject)}(?=['’]s))"
    text = f"¤{text.removeprefix(subject)}" if begins else text
    clause = _conjugated(re.sub(marked, "¤", text), "¤", first_person)
    for old, new in (
        (r"¤['’]s\b", "your"),
        (r"¤ is\b", "you are"),
        (r"¤ was\b", "you were"),
        (r"¤ doesn't\b", "you don't"),
        ("¤", "you"),
        *(_THEY_AS_YOU if begins else ()),
    ):
        clause = re.sub(old, new, clause)
    return clause


_THEY_AS_YOU: Final = (
    (r"\bthemselves\b", "yourself"),
    (r"\btheir\b", "your"),
    (r"\bthey\b", "you"),
)


def _conjugated(clause: str, subject: str, form: Callable[[str], str | None]) -> str:
    """Return the clause with the verb after ``subject`` in its other form, the subject marked."""

    def told(found: re.Match[str]) -> str:
        before, how, verb = clause[: found.start()].lower(), found["a"], found["v"]
        if before.endswith("and ") and not _FINITE_EN.search(before):  # my wife and I
            return found[0]
        if how.endswith("do ") and verb.endswith("s"):  # I do days
            return f"¤ {how[:-1]}es {verb}" if form is third_person else found[0]
        return f"¤ {how}{form(verb.lower()) or verb}"

    return re.sub(
        rf"(?<!\w){subject} {HOW}(?P<v>[a-z]{{2,}})\b", told, clause, flags=re.IGNORECASE
    )


_FINITE_EN: Final = LatePattern(
    r"\b(?:ha[sd]|is|was|does|did|gets?|go(?:es)?|lives|works|takes|keeps|runs|drives|sleeps|\w+ed)\b"
)
