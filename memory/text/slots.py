"""Reading a sentence as answers to questions a life has: where one lives, works, whom one loves.

A slot is *whose* and *what about*. Two statements in one slot may speak of the same thing without
sharing a word (我住在北京, 搬家了), so that a change of life is noticed by rule. The words stand in
:mod:`memory.text.slots_zh` and :mod:`memory.text.slots_en`.

Lexical and careful: what somebody else did, wished, dreamt, asked or nearly did claims nothing for
the speaker; it is still read, so that a judge may be shown what is known of the matter.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, islice
from typing import Final

from memory.text import slots_en, slots_zh
from memory.text.slot_cues import REAL, ClaimMode, Slot, tables
from prompts.plain import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotClaim:
    """One clause read as an answer.

    ``whose`` is empty for the speaker, else the word for somebody else. ``about`` says more
    closely what is meant (``employer``, ``smoke``, ``phone``), ``value`` is the new part in the
    speaker's words. ``firm``: plain enough to end what was said before. ``denies``: a dislike.
    ``sentence`` is what it stands in, ``rest`` the clause without the words that were read.
    """

    slot: Slot
    mode: ClaimMode
    value: str
    text: str
    sentence: str
    rest: str = ""
    whose: str = ""
    about: str = ""
    firm: bool = True
    denies: bool = False

    @property
    def is_own(self) -> bool:
        """Whether the speaker says it of themselves as something that is so."""
        return not self.whose and self.mode in REAL


_HAN: Final = re.compile("[\u4e00-\u9fff]")

_LATIN: Final = re.compile(r"[a-z0-9]")

_LATIN_WORD: Final = re.compile(r"[A-Za-z]{3,}")

LONGEST_READ: Final = 600
"""So many characters of a text are read: what is longer was pasted."""

MOST_CLAUSES: Final = 24

_SENTENCE_END: Final = re.compile(
    r"(?<=[。！？!?；;…])|\n+|(?<=[a-z0-9)][.])(?<!\bSt\.)(?<!\bDr\.)(?<!\bMr\.)\s+"
)

_CLAUSE_END: Final = re.compile(
    r"[，,；;：。.!！]+(?=\s|$|[^\d])|[：:](?=\s)|\s[-–—]+\s|——"
    r"|\b(?:and|so|cos|because|then)\s+(?=(?:i|we|my|our|now|as|it)\b|i')|\bbut\s+"
    r"|(?<=了)(?=现在|如今)|但是?|不过(?!敏)|所以|因为|后来|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])"
    r"|[\u2600-\u27bf\U0001f300-\U0001faff]+",
    re.IGNORECASE,
)

# Of a whole message: what it tells happened on a screen, on a page, in sleep or in jest.
_FICTION: Final = re.compile(
    r"开玩笑|骗你|逗你|哄你|愚人节|梦见|梦到|梦里|做了?个?.{0,4}梦|游戏里|电影里|电视剧|小说|视频里"
    r"|刷到|剧里|动漫|角色|博主"
    r"|\b(?:kidding|joking|jk|just a joke|april fool|dream(?:t|ed)?|film|movie|novel|sitcom|tv show"
    r"|in the (?:game|sims|book|show|video)|video game|d&d|character|podcast|lyrics?|fictional)\b",
    re.IGNORECASE,
)

# Of a sentence: nothing in it is said to be so.
_SUPPOSED: Final = re.compile(
    r"如果|要是|假如|假设|万一|倘若|的话|除非|好像要|[?？]|(?:吗|么)[。！~]*$"
    r"|\b(?:if|unless|suppose|imagine|would|wouldn't|could i|what if|as though)\b|i'd\b",
    re.IGNORECASE,
)

# Of a clause: wished, planned, nearly done, tried in vain, or denied to have changed.
_UNDONE: Final = re.compile(
    r"(?<![思理梦感联回猜幻设不])想(?![不念起到着吐听看吃喝玩])|希望|打算|考虑|也许|可能|说不定|犹豫"
    r"|纠结|差点|差一点|险些|几乎要|忍住|劝我|让我(?!推)|应该(?:去|搬|换|辞)|要(?=搬|换工作|换房|辞职|离职|离婚|分手|移民)|嘴上|谣|据说|听说|网上"
    r"|没(?:有)?(?:搬|换|离|辞|分|改|变|动|搬成|卖|戒)|不(?:搬|换|分|离婚|辞|改)|照常|还是老|照旧|不变|替|代班|一天(?!天)"
    r"|借(?!口)|试驾|路过|出差|旅游|旅行|度假|开会|参观|两[晚天]|几天|酒店"
    r"|\b(?:want|wanna|wish|hop(?:e|ing)|plan(?:s|ning)? to|thinking|thought|consider(?:ing|ed)?|whether|might|maybe"
    r"|perhaps|should|could|nearly|almost|tempted|tried to|trying to|refused|rejected|offer in"
    r"|haven't|hasn't|didn't|not (?:moving|leaving|quitting|changing|divorced)|never (?:moved|left)"
    r"|no slots|stays?(?:ing)? (?:put|as)|visit(?:ing|ed)?|holiday|vacation|conference|trip|for a day"
    r"|filled in|covering for|borrowed|rental|test[- ]drove|pretend|rumou?r|apparently|supposedly"
    r"|for the (?:weekend|week|night)|next door|viewing|looking (?:for|at))\b",
    re.IGNORECASE,
)

# What makes a plan does not unmake it.
_PLANNED: Final = re.compile(
    r"打算|计划|可能|\b(?:want|plan(?:s|ning)? to|hop(?:e|ing)|trip|holiday|vacation)\b",
    re.IGNORECASE,
)

# Said of one day it is no habit and no taste, unless something begins on it.
_JUST_TODAY: Final = re.compile(
    r"(?<!从)今[天晚](?!起|开始)|\b(?:today|tonight|right now)\b(?! i)", re.IGNORECASE
)

_FORMER: Final = re.compile(
    r"以前(?!的)|从前|曾经?|小时候|那时候?|当年|那会儿|年轻时|原来(?=[是在住叫做])|当过|做过|住过|干过|养过"
    r"|\b(?:used to|formerly|as a (?:kid|child|boy|girl|student)|back (?:then|when)|in those days"
    r"|years ago|grew up|once (?:was|lived|worked)|my old)\b",
    re.IGNORECASE,
)

_PERSONS_ZH: Final = (
    "爸妈|父母|妈妈|母亲|老妈|妈|爸爸|父亲|老爸|爸|爷爷|奶奶|外公|外婆|姥姥|姥爷|老公|丈夫|老婆|妻子|媳妇"
    "|男朋友|女朋友|男友|女友|前任|对象|儿子|女儿|闺女|孩子|娃|哥哥|哥|姐姐|姐|弟弟|弟|妹妹|妹|叔叔?|阿姨|舅舅?|姑姑?"
    "|表[哥姐弟妹]|堂[哥姐弟妹]|侄[子女]|外甥|朋友|闺蜜|哥们|同事|老板|上司|领导|老师|同学|室友|舍友|邻居|客户|亲戚"
    "|家人|医生|网友|别人|人家|有人|大家|客人|师傅|博主|明星|偶像|发小|前男友|前女友|丈母娘|婆婆|公公|岳[父母]"
    "|孙[子女]|楼上|楼下|隔壁|他们|她们|他|她|它们?|公司|小哥|大爷|大妈|教授"
)

_PERSONS_EN: Final = (
    r"mother|mom|mum|father|dad|parents|grandma|grandpa|gran|nan|granny|grandmother|grandfather"
    r"|husband|wife|boyfriend|girlfriend|partner|ex|son|daughter|kids?|child|children|brother"
    r"|sister|siblings?|twin|uncle|aunt|auntie|cousin|niece|nephew|friends?|mates?|bestie|buddy"
    r"|colleagues?|coworkers?|boss|manager|teacher|classmates?|roommates?|housemates?|flatmates?"
    r"|neighbou?rs?|client|doctor|people|someone|somebody|everyone|landlord|in-laws|mother-in-law"
    r"|granddaughter|grandson|guy|cat|dog|fella|team|company|office|letter|bank"
)

_OTHER_ZH: Final = re.compile(
    rf"^(?:(?:今天|昨天|昨晚|前天|刚才|刚刚|最近|上周|听说|而|但|那个?|这个?|连|我们?|咱们?|俺们?|家里?|一[个位]|有[个位]|几[个位]|某个?|的|给|帮|跟)*)"
    rf"(?P<who>{_PERSONS_ZH})(?!说我|在一起)"
)

_OTHER_EN: Final = re.compile(
    r"^(?:and|but|so|now|then|well|oh|today|yesterday|lol|haha|the|a|an|some|our|my|his|her|their"
    r"|your|that|this|one of my|even|\s)*\b"
    rf"(?P<who>(?:[\w-]+ )?(?:{_PERSONS_EN}))\b(?! and i\b)"
    r"|^(?:and |but |so |now )*(?P<pro>he|she|they|he's|she's|they're)\b"
    r"|^(?P<named>(?-i:[A-Z])[a-z]+)(?:'s)? (?:has |just |have |is |was )*(?:moved|lives|works|quit|got"
    r"|left|broke|wants|says|loves|hates|likes|thinks|studies|turned|bought|sold)\b",
    re.IGNORECASE,
)

# Doctors and tests tell the speaker about themselves.
_TOLD_ME: Final = re.compile(
    r"(?:医生|大夫|医院|体检|检查|化验)[^，。]{0,4}说我?|\b(?:doc|doctor|gp|allergist|surgeon|consultant)\b.{0,12}\b(?:me|i'm)\b",
    re.IGNORECASE,
)

_FIRST_PERSON: Final = re.compile(
    r"[我俺咱]|\b(?:i|i'm|i've|i'll|me|my|we|we're|we've|our|us)\b", re.IGNORECASE
)

_ALL: Final = re.compile(r"大家|朋友|同事|everyone|everybody|people|friends", re.IGNORECASE)

_PETS: Final = re.compile(r"(?:\w+ )?(?:cat|dog)", re.IGNORECASE)

_SPOUSES: Final = re.compile(
    rf"(?:{slots_zh.WORDS['SPOUSE']})|\b(?:{slots_en.WORDS['SPOUSE']})\b", re.IGNORECASE
)


def slot_claims(text: str, names: Iterable[str] = ()) -> tuple[SlotClaim, ...]:
    """Return what a text says of slots, clause by clause.

    ``names`` stand for the speaker in it, as in a memory: 主人住在上海 is 我住在上海.
    """
    said = _in_first_person(plain(text[:LONGEST_READ]), names)
    fiction = _FICTION.search(said) is not None
    found: list[SlotClaim] = []
    for sentence in islice(filter(None, map(str.strip, _SENTENCE_END.split(said))), MOST_CLAUSES):
        unreal = fiction or _SUPPOSED.search(sentence) is not None
        found += _claims_of_sentence(sentence, unreal=unreal)
    return tuple(found)


def lines_by_slot(texts: Iterable[tuple[str, Iterable[str]]]) -> Mapping[Slot, set[int]]:
    """Return for each slot the places of the texts, with their names, that may speak of it.

    More than do: looking for single words in all at once takes a tenth of reading each.
    """
    lines = [
        _in_first_person(plain(text[:LONGEST_READ]), names).lower().replace("\n", " ")
        for text, names in texts
    ]
    found: dict[Slot, set[int]] = {}
    for language, written in (("zh", _HAN), ("en", _LATIN)):
        numbers = [number for number, line in enumerate(lines) if written.search(line)]
        joined = "\n".join(lines[number] for number in numbers)
        ends = list(accumulate(len(lines[number]) + 1 for number in numbers))
        for slots, word in tables()[language].words:
            places = {numbers[place] for place in _lines_with(word, joined, ends)}
            for slot in slots if places else ():
                found.setdefault(slot, set()).update(places)
    return found


def _lines_with(word: str, joined: str, ends: Sequence[int]) -> Iterator[int]:
    place = joined.find(word)
    while 0 <= place < len(joined):
        line = bisect_right(ends, place)
        yield line
        place = joined.find(word, ends[line])


def _claims_of_sentence(sentence: str, *, unreal: bool) -> Iterator[SlotClaim]:
    someone = ""
    for clause in islice(_clauses(sentence), MOST_CLAUSES):
        other = _someone_else(clause)
        if other or _FIRST_PERSON.search(clause):
            someone = other
        for claim in _claims_of_clause(clause, sentence):
            yield _as_meant(claim, someone, unreal=unreal)


def _clauses(sentence: str) -> Iterator[str]:
    parts = (part.strip(' \t。！!.~～，,；;"“”…') for part in _CLAUSE_END.split(sentence))
    return (part for part in parts if part)


def _claims_of_clause(clause: str, sentence: str) -> Iterator[SlotClaim]:
    han, latin = _HAN.search(clause), _LATIN_WORD.search(clause)
    languages = [name for name, there in (("zh", han), ("en", latin or not han)) if there]
    seen: set[tuple[Slot, str]] = set()
    for cue in chain.from_iterable(tables()[name].fitting(clause) for name in languages):
        key = (cue.slot, cue.about)
        if key in seen:
            continue
        match = cue.search(clause)
        if match is not None:
            seen.add(key)
            value = next((each for each in match.groups() if each), "").strip()
            yield SlotClaim(
                slot=cue.slot,
                mode=cue.mode,
                value=cue.fixed or value,
                text=clause,
                sentence=sentence,
                about=cue.about,
                firm=cue.firm,
                denies=cue.denies,
                rest=clause[: match.start()] + " " + clause[match.end() :],
            )


def _as_meant(claim: SlotClaim, someone: str, *, unreal: bool) -> SlotClaim:
    """Return a claim with whom it is about, and no real one where nothing is said to be so."""
    # 我老公 is how the speaker is married, and a doctor tells the speaker of the speaker.
    own = (
        not someone
        or (claim.slot is Slot.PARTNER and _SPOUSES.fullmatch(someone))
        or (claim.slot is Slot.NICKNAME and _ALL.fullmatch(someone))
        or (claim.slot is Slot.POSSESSION and _PETS.fullmatch(someone))
    )
    if not own:
        claim = replace(claim, whose=someone)
    undone = _UNDONE.search(claim.text)
    if undone and claim.slot is Slot.PLAN and _PLANNED.search(claim.text):
        undone = None
    if unreal or undone:
        return replace(claim, mode=ClaimMode.UNREAL)
    if claim.slot in {Slot.TASTE, Slot.HABIT} and _JUST_TODAY.search(claim.text):
        return replace(claim, mode=ClaimMode.UNREAL)
    if claim.mode is not ClaimMode.STOPPED and _FORMER.search(claim.text):
        return replace(claim, mode=ClaimMode.PAST)
    return claim


def tells_the_speaker(text: str) -> bool:
    """Tell whether it is what a doctor or a test told the speaker of themselves."""
    return _TOLD_ME.search(text) is not None


def _someone_else(clause: str) -> str:
    """Return who a clause is about if that is not the speaker; empty for the speaker."""
    if tells_the_speaker(clause):
        return ""
    if found := _OTHER_ZH.match(clause):
        return found["who"]
    found = _OTHER_EN.match(clause)
    return (found["who"] or found["pro"] or found["named"]) if found else ""


_ATTRIBUTED: Final = re.compile(r"^(?P<who>[^：:\n]{1,24}?)(?:说：|says: |：|: )")


def _in_first_person(text: str, names: Iterable[str]) -> str:
    stands = [name for name in names if name and name in text]
    for name in sorted(stands, key=len, reverse=True):
        if name not in text:
            continue
        led = _ATTRIBUTED.match(text)
        if led and led["who"] == name:
            text = text[led.end() :]
        rest = text.replace(name, "")
        mine = "我" if _HAN.search(rest) or not re.search("[A-Za-z]", rest) else "I"
        if mine == "我" and not _OF_ENGLISH.search(text):
            text = text.replace(name, mine)
            continue
        # A name written in Latin letters stands apart; 安 may stand before any word.
        named = re.escape(name) if mine == "我" else rf"(?<!\w){re.escape(name)}"
        for third, first in (
            (rf"{named}['’]s\b", "my"),
            (rf"{named} is\b", "I'm"),
            (rf"{named}(?!\w)" if mine == "I" else named, mine),
        ):
            text = re.sub(third, first, text)
        text = _THIRD_PERSON.sub(_in_base_form, text) if mine == "I" else text
    return re.sub(r"\btheir\b", "my", text) if "their" in text else text


_OF_ENGLISH: Final = re.compile(r"['’]s\b| is\b")

_THIRD_PERSON: Final = re.compile(r"\b(I (?:\w+ly |also |still |now )?)(\w+s|doesn't)\b")


def _in_base_form(found: re.Match[str]) -> str:
    """Return "I live" for "I lives", as a name was replaced by I."""
    verb = found[2]
    if verb in {"was", "is", "as"}:
        return found[0]
    known = {"has": "have", "does": "do", "goes": "go", "doesn't": "don't"}
    bare = re.sub(r"(?<=ch|sh|ss)es$|(?<!s)s$", "", re.sub("ies$", "y", verb))
    return found[1] + known.get(verb, bare)
