"""What is asked and told of what one must not eat, take or touch, in whatever words it comes."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from memory.model import Memory
from memory.offline.claimed import PARTS, ClauseSubject, subject_of
from memory.offline.vocabulary import KIN, is_question
from memory.recall.query_terms import telling_terms
from memory.text.late_pattern import LatePattern
from memory.text.slot_cues import PERSONS_ZH, ClaimMode
from memory.text.slots import slot_claims
from memory.text.tokens import NICKNAMED_ZH

_HARMED_ZH: Final = (
    "[吃喝碰用服沾抹闻](?![你我他她它]|手机|电脑|钱|力|惯|亏|苦|功|意)|接触|注射|打(?:针|疫苗|麻)"
)

_DOSE_EN: Final = (
    r"(?:any |some |an? |the )?(?:\w+(?:illin|profen|mycin|cetamol)|aspirin|antibiotics?|tablets?"
    r"|pills?|med(?:s|icines?|ication)|painkillers?|(?:pea)?nuts?|milk|(?:shell)?fish|prawns?"
    r"|eggs?|dairy|gluten|wheat)"
)

ASKS_WHAT_HARMS: Final = (
    r"过敏|忌口|忌讳什么|(?:^|[^你您他她它])(?:能不能|可不可以|可以|能|不敢)(?:[吃喝碰]|打针)"
    rf"|(?:^|[^你您他她它])(?:不可以|不能|没法|不该|不宜)(?:{_HARMED_ZH})"
    r"|[要得该]?(?:避开|忌|避免|当心|小心|注意)(?:什么|哪|啥|的(?:药|食物|东西))"
    rf"|(?:什么|哪些|啥)(?:药|吃的|食物|东西)?.{{0,3}}[我俺][^，,]{{0,3}}(?:不能|不可以|得避|要避|忌|不该)"
    rf"|(?:什么|哪些|啥)(?:药|吃的|食物|东西).{{0,6}}(?:不能|不可以|得避|要避|避开|不该)"
    r"|allerg|intoleran"
    r"|\b(?:must|should|can|may|am)(?:n?['’]?t|not)? i (?:not |never )?(?:allowed to |able to )?"
    rf"(?:eat|drink|touch|(?:take|have|use) {_DOSE_EN}"
    r"|(?:avoid|stay away from|steer clear of|be careful (?:with|of))(?=\W*$))\b"
    r"|\b(?:must|should|can|may)(?:n?['’]?t i|not i| i not) (?:take|have|use)(?=\W*$)"
    r"|\bi (?:(?:can|must|should|may)(?:n?['’]?t|not| not| never) (?:eat|drink|touch|take|have"
    r"|use)|(?:have|need|ought) to avoid|should (?:avoid|stay away|steer clear))\b"
    r"(?=[^,.]{0,12}\W*$)"
)
"""What is not to be eaten, taken or touched: 我不能用什么药, "what meds should I avoid"."""

TELLS_WHAT_HARMS: Final = (
    rf"过敏|(?:不能|不可以|不准|不许|别|忌|没法|禁)[^，,。我你]{{0,3}}(?:{_HARMED_ZH})"
    r"|不耐|忌口|忌食|禁忌|素食|吃素|清真|犯哮喘|起疹|休克"
    r"|allerg|intoleran|vegan|vegetarian|co?eliac|halal|kosher|anaphyla|epipen"
    r"|\b(?:can(?:['’]?t|not| not)|must(?:n['’]?t| not)|should(?:n['’]?t| not)"
    r"|not (?:allowed |supposed )?to|don['’]?t|never) (?:eat|drink|touch|take|have|use)\b"
    r"(?! (?:it|that|this|the (?:bus|train|car)|time|care)\b)"
)

_HARMS: Final = LatePattern(ASKS_WHAT_HARMS, re.IGNORECASE)

_TELLS_HARM: Final = LatePattern(TELLS_WHAT_HARMS, re.IGNORECASE)


def asks_what_harms(asked: str) -> bool:
    """Whether a question is after what its speaker must not eat, take or touch."""
    return _HARMS.search(asked) is not None and _OF_WHOM.search(asked) is None


_NO_WHO: Final = (
    "(?:i|im|we|not|never|there|it|in|at|on|any|anything|something|allergies|foods?|meds|things)"
)
_WHO: Final = rf"(?!{_NO_WHO}\b)(?:(?:my|our) )?[\w-]+(?: [A-Z]\w+)?"
_BEFORE_ZH: Final = "(?:那|现在|到底|所以|以前|请问|上次说|还记得)*"

_OF_WHOM: Final = LatePattern(
    r"(?<![吉其])[你他她它]|谁|有没?有人|^那?[老小阿](?![时便])[一-鿿](?!总|是)"
    rf"|^{_BEFORE_ZH}(?P<zh>(?!是不|会不|有没|可能|也|还|都|从|一直|医生|为什么|怎么|什么|哪|有|能|对|不|吃|喝)"
    r"[^我俺，,。对有忌的吃喝]{2,4}?)(?:是不是|会不会|到底|现在|还)*(?:对[^，,。我俺]{1,8}过敏|有(?:什么|啥|哪些)(?:过敏|忌口)|忌口)"
    rf"|^{_BEFORE_ZH}(?P<kin>[我俺][^，,。对有能]{{0,3}}?(?:{PERSONS_ZH}))"
    r"|\bwho(?:['’]s)?\b(?! am i)|\bwhich of (?:my|the|us|them)\b"
    r"|^(?:and |so )?(?:is|does|has|was|can|could|did) (?!i\b|there\b|it\b|my (?:skin|body)\b)\w+"
    r"|\b(?:is|are|was|were|does|do|has|have|can|could|should|must|may)(?:n['’]?t| not)? "
    rf"(?P<en>{_WHO}) (?:still |also |really |have any |have an |have a )*"
    r"(?:allerg|intoleran|not |avoid|eat|drink|touch|take|have)"
    rf"|\bwhat['’]?s (?P<s>{_WHO}) (?:still )?(?:allerg|intoleran)"
    rf"|\b(?P<own>(?!(?:it|what|that|there|who)['’])[\w-]+)['’]s (?:\w+ )?(?:allerg|intoleran)",
    re.IGNORECASE,
)


def asks_what_harms_another(asked: str) -> bool:
    """Whether a question is after what somebody else must not eat: "is chloe allergic to nuts"."""
    return _HARMS.search(asked) is not None and not asks_what_harms(asked)


def asks_of_harm(asked: str) -> bool:
    """Whether a question is after what anybody must not eat, take or touch."""
    return _HARMS.search(asked) is not None


def asks_memory_of_harm(asked: str) -> bool:
    """Whether such a question is of what was told, and not of the world."""
    another = asks_of_harm(asked) and _ASKS_WHICH_OR_WHO.search(asked) is not None
    return another or asks_what_harms(asked)


_ASKS_WHICH_OR_WHO: Final = LatePattern(
    r"什么|啥|哪些?|谁|\b(?:what|which|who)\b|\bmy\b", re.IGNORECASE
)


def may_harm_whom_it_asks(told: str, asked: str) -> bool:
    """Whether a text that tells what harms somebody may tell it of whom a question asks about.

    Of one child it is never told what harms another, nor of oneself what harms a friend.

    >>> told = "My friend Tash has twins, both are allergic to nuts"
    >>> may_harm_whom_it_asks(told, "What is Ivy allergic to?")
    False
    >>> may_harm_whom_it_asks("Ivy is allergic to eggs", "What is Ivy allergic to?")
    True
    """
    if not (asks_of_harm(asked) and (tells_what_harms(told) or denies_harm(told))):
        return True
    found = _OF_WHOM.search(asked)
    clauses = [each for each in PARTS.split(told) if each.strip()]
    harming = [n for n, each in enumerate(clauses) if tells_what_harms(each) or denies_harm(each)]
    subjects = [_subject(clauses[: n + 1]) for n in harming]
    if found is None:
        return any(each in _OWN for each in subjects) or not subjects
    if all(_BY_PRONOUN.match(clauses[n].strip()) for n in harming):
        return True  # of whom, the line before it says
    whom = next(filter(None, found.groupdict().values()), found[0]).split()[-1]
    if _ANYBODY.search(found[0]) or whom in "他她它":
        things = telling_terms(_OF_HARM.sub(" ", asked))
        return not things or bool(things & telling_terms(told))
    if kin := next((each for each in KIN if _words_of(whom) & each), None):
        return any(word in told.lower() for word in kin)
    name = whom.lower().removesuffix("'s").removesuffix("’s")
    return re.search(rf"(?<![a-z]){re.escape(name)}(?![a-z])", told.lower()) is not None


def is_own_harm(told: str, partner: str) -> bool:
    """Whether a fact tells what harms the partner, and nobody of theirs."""
    return may_harm_whom_it_asks(as_said(told, partner), "am i allergic")


def as_said(told: str, partner: str) -> str:
    """Return what is told of the partner by name as they would say it."""
    me = "我" if _HAN.search(told.replace(partner, "")) else "I"
    for label in ("：", ": "):
        told = told.removeprefix(f"{partner}{label}")
    return "my".join(part.replace(partner, me) for part in told.split(f"{partner}'s"))


_HAN: Final = LatePattern("[一-鿿]")
_OF_HARM: Final = LatePattern(
    r"过敏|谁|家里?|有没?有?人|不?能|\ballerg\w*|\bintoleran\w*|\bwho\b|\bwhich\b|\bkids?\b",
    re.IGNORECASE,
)

_ANYBODY: Final = LatePattern(r"谁|人|^who|^which", re.IGNORECASE)
_OWN: Final = frozenset({ClauseSubject.SPEAKER, ClauseSubject.UNSAID})


def _words_of(whom: str) -> frozenset[str]:
    word = whom.lower()
    return frozenset({word, *(x for each in KIN for x in each if x in word and not x.isascii())})


def _subject(clauses: Sequence[str]) -> ClauseSubject:
    """Return whom the last of some clauses is about, as far as one of them says."""
    if _OF_SELF.search(clauses[-1]):
        return ClauseSubject.SPEAKER
    for clause in map(str.strip, reversed(clauses)):
        if _OF_THEIRS.search(clause) or NICKNAMED_ZH.match(clause):
            return ClauseSubject.OTHER
        if (found := subject_of(clause)) is not ClauseSubject.UNSAID:
            return found
    return ClauseSubject.UNSAID


_BY_PRONOUN: Final = LatePattern(r"[他她它]|(?:and |but |so )?(?:he|she|they)\b", re.IGNORECASE)

_OF_SELF: Final = LatePattern(
    rf"[我俺](?!们?家|[^，,。对有能]{{0,3}}?(?:{PERSONS_ZH}))|\b(?:told|asked|advised|warned) me\b"
    r"|\b(?:i|i['’]?m|i['’]ve) (?:am |have |can|must|should|do|don|never|react"
    r"|also |still |really |very |badly |severely |a )*"
    r"(?:allerg|intoleran|['’]?t\b|not\b|an? |eat|drink|take|touch|vega|vege|c[eo])",
    re.IGNORECASE,
)

_OF_THEIRS: Final = LatePattern(
    rf"^(?:[我俺][^，,。对有能]{{0,3}})?(?:{PERSONS_ZH})"
    r"|^([一-鿿])\1对|^one of (?:my|our|the)\b|^an? [\w-]+ of mine\b"
    r"|^(?:but |and |so |turns out |apparently )*"
    r"(?!(?:i|it|this|that|doctor|doc|which|what|both|all|there|milk|is|are|has|have|was)\b)"
    r"(?:(?:my|our) )?[\w-]+(?: [\w-]+)? (?:is|are|has|have|was|reacts?|can['’]?t|cannot) ",
    re.IGNORECASE,
)


def tells_what_harms(told: str, asked: str = "") -> bool:
    """Whether a text tells what somebody must not eat, take or touch.

    ``asked`` is the question it may answer: of an allergy, what is only given up tells nothing.

    >>> told = "I don't drink coffee any more"
    >>> tells_what_harms(told, "what can't I drink?"), tells_what_harms(told, "any allergies?")
    (True, False)
    """
    if _OF_ALLERGY.search(asked):
        told = _GIVEN_UP.sub(" ", told)
    return _TELLS_HARM.search(told) is not None


_OF_ALLERGY: Final = LatePattern("过敏|allerg|intoleran", re.IGNORECASE)
_GIVEN_UP: Final = LatePattern(
    r"\bdon['’]?t (?:eat|drink|take|have|use) [^.,;!?]{1,40}?\bany ?(?:more|longer)\b",
    re.IGNORECASE,
)


def denies_harm(told: str) -> bool:
    """Whether a text tells that something does no harm after all: 医生说我不过敏，那次是误诊."""
    return _NO_HARM.search(told) is not None and _OF_THE_REST.search(told) is None


_OF_THE_REST: Final = LatePattern(
    r"(?:别的|其他|其它|其余|另外)[^，。]{0,6}不|\b(?:anything|nothing|something) else\b",
    re.IGNORECASE,
)
"""Who is allergic to nothing else is allergic to what was told."""

_NO_HARM: Final = LatePattern(
    r"不(?:再|会|是)?过敏|没有?过敏|误诊|脱敏|不(?:用|必)(?:再)?忌口|测错|查错"
    r"|\b(?:not|no longer|never|isn['’]?t|wasn['’]?t) (?:really |actually )?"
    r"(?:allergic|intolerant)"
    r"|\b(?:outgrew|outgrown|misdiagnos\w*)\b"
    r"|\b(?:biopsy|bloods?|tests?|results?|chart|diagnosis|allergy|skin prick)\b[^.!?]{0,16}"
    r"\b(?:wrong|a mistake|an error|clear|negative|normal)\b",
    re.IGNORECASE,
)


def harm_made_light_of(
    reply: str, asked: str, known: Iterable[Memory], partner: str
) -> Memory | None:
    """Return the fact that something harms the partner, where a reply of a model says otherwise.

    It calls safe what harms them, or names something else where they asked what does. What they
    tell themselves to do no harm after all, what others may eat and a warning are no such thing.
    """
    if _REASSURES.search(reply) is None or (denies_harm(asked) and not is_question(asked)):
        return None
    told = [(each, things) for each in known if (things := [*_harmful(each, partner)])]
    for fact, things in told:
        if any(_calls_safe(each, reply, asked) for each in things):
            return fact
    asks = asks_what_harms(asked) and _ASKS_WHICH.search(asked) is not None
    every = [thing for _, things in told for thing in things]
    if not asks or not told or any(each.search(reply) for each in every):
        return None
    return told[-1][0] if _NAMES_OTHER.search(reply) else None


def _harmful(memory: Memory, partner: str) -> Iterator[re.Pattern[str]]:
    """Yield what finds each thing that a fact says harms the partner."""
    text = memory.words.text
    if not memory.is_living_fact or memory.sealed is not None or not tells_what_harms(text):
        return
    if not is_own_harm(text, partner):
        return
    for claim in slot_claims(text, {partner, memory.origin.speaker}):
        if claim.about == "allergy" and claim.is_own and claim.mode is ClaimMode.HOLDS:
            for thing in filter(None, map(str.strip, _AND.split(claim.value))):
                stem = re.escape(thing.lower().removesuffix("s"))
                yield re.compile(rf"\b{stem}s?\b" if thing.isascii() else stem, re.IGNORECASE)


def _calls_safe(thing: re.Pattern[str], reply: str, asked: str) -> bool:
    """Tell whether a reply calls it safe for the partner to eat, take or touch a thing."""
    sentences = [each for each in _SENTENCES.split(reply) if each.strip()]
    about = [each for each in sentences if thing.search(each) and not _OTHERS.search(each)]
    if any(_NOT_ALLERGIC.search(each) for each in about):
        return True
    if _WARNS.search(reply):
        return False
    asks = asks_what_harms(asked) or _MAY_I.search(asked)
    if not about and thing.search(asked) and asks:
        about = [each for each in sentences[:1] if not _OTHERS.search(each)]
    return any(_SAFE.search(each) for each in about)


_MAY_I: Final = LatePattern(
    r"(?:^|[，,。！\s我俺])(?:还|到底)?(?:能不能|可不可以|可以|能)[用吃喝碰打服]"
    r"|\b(?:can|may|should|could) i (?:\w+ )?(?:take|have|eat|drink|use)\b",
    re.IGNORECASE,
)

_AND: Final = re.compile(r"[和与跟、，,/]|\band\b|\bor\b|&")

_SENTENCES: Final = re.compile(r"[。！？!?\n]|\.(?=\s|$)")

_NOT_ALLERGIC: Final = LatePattern(
    r"(?:不会?|没有?)(?:对[^，。]{1,8})?过敏(?!原|药)"
    r"|\b(?:not|n['’]?t|no longer|never) (?:\w+ )?allergic\b",
    re.IGNORECASE,
)

_SAFE: Final = LatePattern(
    r"放心[用吃喝打碰点]|(?:可以|能)(?:放心)?[用吃喝打碰点](?!吗)|没事|没问题|没关系|随便[用吃喝]|尽管[用吃喝]|[用吃喝]吧"
    r"|\b(?:is|are|be|it['’]s|that['’]s) (?:\w+ )?(?:fine|safe|ok(?:ay)?|all right|no problem)\b"
    r"|\bgo ahead\b|\byou can (?:\w+ )?(?:take|have|eat|drink|use)\b|^\W*(?:yes|sure|of course)\b",
    re.IGNORECASE,
)

_REASSURES: Final = LatePattern(f"过敏|allerg|{_SAFE.pattern}", re.IGNORECASE)
"""What any reply has that may make light of something; most have nothing of it."""

_WARNS: Final = LatePattern(
    r"(?<![不没])(?<!不会)(?<!没有)过敏|不能|不可以|不要|别(?!担心|怕|紧张|的)|避开|避免"
    r"|小心|当心|忌|千万|不含|没有|除了|问(?:问|一下)?医生|(?<!not )(?<!n't )(?<!n’t )\ballerg"
    r"|\b(?:can(?:['’]?t|not)|avoid|don['’]?t|shouldn['’]?t|must(?:n['’]?t| not)|careful|unsafe"
    r"|not safe|doctor|pharmacist|instead|without|except|free|no (?!problem|worries|issue))\b",
    re.IGNORECASE,
)

_OTHERS: Final = LatePattern(
    r"(?<![吉其])[他她它]|(?:你|你的)(?:妈|爸|哥|姐|弟|妹|朋友|同事|对象|老[公婆]|孩子|儿子|女儿|室友|奶奶|爷爷|[猫狗])"
    r"|\b(?:he|she|they|his|her|their|your (?!body|doctor|health)\w+)\b",
    re.IGNORECASE,
)

_ASKS_WHICH: Final = LatePattern(r"什么|啥|哪些?|\b(?:what|which|anything)\b", re.IGNORECASE)

_NAMES_OTHER: Final = LatePattern(
    r"你[^，。]{0,4}对[^，。]{1,10}过敏|(?:不会?|没有?)(?:对[^，。]{1,8})?过敏"
    r"|\b(?:you are|you['’]re|youre) (?:\w+ )?allergic to\b|\b(?:no|any) allerg|not allergic",
    re.IGNORECASE,
)


RESULTS_ZH: Final = "[^，,。！!我俺咱你]{0,6}(?:结果|报告)[^，,。！!我俺咱你]{0,4}(?:出来|到|下来)"

AWAITED: Final = LatePattern(
    rf"(?i)\W*(?:{RESULTS_ZH}|(?:the |her |his |their )?(?:test |scan |biopsy )?"
    r"(?:results?|report)(?:['’]s|['’]re| is| are| came| come)? (?:just )?(?:in|back)\b)"
)
"""What was awaited is there: of whom it is was told before, maybe hours ago."""

ILL_ZH: Final = (
    "(?:炎|癌|瘤|[^没生看犯毛]病|症|血[压糖脂]高|高血[压糖脂]|贫血|骨折|结石|息肉|囊肿|结节|溃疡|突出|感染"
    "|[阴阳良恶]性)"
)
"""The ends of what an illness is called: 浅表性胃炎."""
