"""Whether somebody really said what a model wants to write down, and who it was.

Only what a person said in this turn, in their own words, may become their fact. What was quoted,
forwarded, shown in a picture, said by 小祥 or stands in an older memory is evidence for nothing. A
model cannot argue with this: the check is lexical (docs/decisions/judgement.md).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Final
from zoneinfo import ZoneInfo

from memory.judgement import wording
from memory.judgement.answers import answers, claims_asked, tells_of_asked
from memory.judgement.assertions import Assertion, ParsedMessage, ParsedText
from memory.judgement.claims import claims_of, sentences
from memory.judgement.grounds import LIGHT, Unsaid, grounds_of, said_outright
from memory.judgement.lexicon import SINGLE_VALUED
from memory.judgement.referents import Spoken
from memory.judgement.retellings import told
from memory.judgement.senses import is_jest
from memory.model import Message
from memory.offline.reviews import says_never_so
from memory.text.corrections import is_put_right, right_word
from memory.text.slots import slot_claims

QUOTE_CHARACTERS: Final = 200
"""How much of the words it rests on a memory keeps."""

# What a model may call the person it writes about, whatever name the prompt gave it.
LABELS: Final = frozenset(
    {"主人", "用户", "the partner", "the user", "my partner", "partner", "user", "伙伴"}
)

# Wide on purpose: it only lets a deletion be considered; what is deleted is judged by subject.
_CUE: Final = re.compile(
    r"不|没|别|错|其实|应该是|更正|纠正|改成|改为|忘掉|忘了|忘记|删|戒|已经"
    r"|结束|取消|过去了|搞定|完了"
    r"|\b(?:not|no|never|wrong|incorrect|mistaken?|actually|forget|delete|remove|anymore"
    r"|correction|instead|stopped|quit|over|done|finished|cancell?ed)\b|n['’]t\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What was said in one turn (or one episode) and by whom; ``said`` holds people only.

    ``others`` are the other people known in the conversation; with any it is a group, and
    ``in_group`` says so before a second one spoke. ``talk`` is
    what was said before and between, by 小祥 and everybody: her question may be half of an answer,
    and a pronoun points to somebody named there. By itself nothing of it is evidence.
    """

    turn_id: str
    conversation: str
    at: datetime
    zone: ZoneInfo
    partner: str
    said: tuple[ParsedMessage, ...]
    others: frozenset[str] = frozenset()
    in_group: bool = False
    talk: tuple[Message, ...] = ()
    _read: dict[str, list[Spoken]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def messages(self) -> tuple[Message, ...]:
        """Return what was said, message by message."""
        return tuple(each.message for each in self.said)

    @property
    def speakers(self) -> tuple[str, ...]:
        """Return everyone who speaks in it, in order."""
        return tuple(dict.fromkeys(each.message.speaker for each in self.said))

    @cached_property
    def names(self) -> Mapping[str, wording.Names]:
        """Return for each speaker what stands for them in a text about them."""
        return {each: wording.Names.of(LABELS | {self.partner, each}) for each in self.speakers}

    def spoken(self, speaker: str) -> list[Spoken]:
        """Return what one person states, clause by clause; read once for all operations."""
        if speaker not in self._read:
            self._read[speaker] = _spoken_by(speaker, self)
        return self._read[speaker]

    def states(self, speaker: str) -> tuple[Assertion, ...]:
        """Return what one person states that tells anything; thanks and greetings do not."""
        claims = (each.claim for each in self.spoken(speaker) if not each.retold)
        return tuple(each for each in claims if (each.units or each.days) and _tells(each))

    def by(self, speaker: str) -> tuple[ParsedMessage, ...]:
        """Return what one person said."""
        return tuple(each for each in self.said if each.message.speaker == speaker)


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """Who said it, and in which messages."""

    speaker: str
    messages: tuple[Message, ...]

    @property
    def quote(self) -> str:
        """Return the words it rests on, cut to ``QUOTE_CHARACTERS``."""
        return "\n".join(message.text for message in self.messages)[:QUOTE_CHARACTERS]


def support_for(
    text: ParsedText, evidence: Evidence, standing: ParsedText | None = None
) -> Support | Unsaid:
    """Return who in the turn said all of ``text``, or the word that nobody said.

    Of what a memory says already (``standing``), the new wording of it may keep what it will;
    something of it must still have been said now.
    """
    former = standing or ParsedText("")
    found = [_support_by(speaker, text, evidence, former) for speaker in evidence.speakers]
    said = next((each for each in found if isinstance(each, Support)), None)
    said = said or _put_right(text, evidence, former)
    return said or next((each for each in found if isinstance(each, Unsaid)), Unsaid())


def words_meant(text: ParsedText, evidence: Evidence) -> tuple[str, Support] | None:
    """Return the sentences in which somebody says most of ``text``, as they said them, and who.

    For what a model tells in words nobody said: whoever spoke of the matter told it in their own.
    Of a short message it is all that it states, since its sentences explain each other. None if
    nobody spoke of it in this turn: one word in common may be chance.
    """
    found = [each for speaker in evidence.speakers for each in _meant_by(speaker, text, evidence)]
    return max(found, key=lambda each: each[0])[1:] if found else None


LEAST_MEANT: Final = 0.2
"""The least share of a text's words that whoever is meant by it must have said."""

HALF_MEANT: Final = 0.5
"""That share where it is one word, which may be there by chance."""

SHORT: Final = 160
"""So many characters are a short message: two or three sentences."""


def _meant_by(
    speaker: str, text: ParsedText, evidence: Evidence
) -> Iterator[tuple[float, str, Support]]:
    """Yield what each message of a speaker says of a text: the share of its words, and where."""
    wanted = _wanted_claims(text.text, speaker, evidence)
    units = [unit for claim in wanted for unit in claim.units if unit.key not in LIGHT]
    for message in (each.message for each in evidence.by(speaker)):
        if is_jest(message.text) or wording.is_play(message.text) or _FRAMED.search(message.text):
            continue
        kept: list[str] = []
        covered: set[int] = set()
        for sentence, stated in _stated_sentences(message, evidence.zone):
            said = {n for n, unit in enumerate(units) if any(c.covers(unit) for c in stated)}
            if said or len(message.text) <= SHORT:
                covered |= said
                kept.append(sentence)
        least = LEAST_MEANT if len(covered) > 1 else HALF_MEANT
        if covered and len(covered) >= least * len(units):
            support = Support(speaker=speaker, messages=(message,))
            yield len(covered) / len(units), "".join(kept).strip(), support


def _stated_sentences(
    message: Message, zone: ZoneInfo
) -> Iterator[tuple[str, Sequence[Assertion]]]:
    """Yield the sentences of a message that tell anything, each with the clauses that do."""
    for sentence, mark in sentences(message.text):
        claims = claims_of(sentence, wording.NO_NAMES, message.at, zone, learnt=False)
        stated = [claim for claim in claims if claim.stated and _tells(claim)]
        # 拉面呢 asks and 在吃拉面呢 does not: the verb tells. What only might be is not so.
        asks = _WHAT_OF.search(sentence) and not any(claim.has_verb for claim in claims)
        if stated and not asks and not _IFS.match(claims[0].folded):
            yield f"{sentence}{mark} " if mark.isascii() else f"{sentence}{mark}", stated


# 缩成两行：本人毕业于…: whoever is spoken for by "I" behind a colon or in marks may be another.
_FRAMED: Final = re.compile(
    r"[：:]\s*[‘“'\"「]?(?:[我俺]|本人|i\b)|[‘“'\"](?:i|我)\b|\bin character\b", re.IGNORECASE
)

_IFS: Final = re.compile(r"[哎呀我]*(?:如果|要是|假[如设]|倘若)|(?:if|imagine|suppose|i wish)\b")

_WHAT_OF: Final = re.compile(r"[呢吗嘛]\W*$")


def _put_right(text: ParsedText, evidence: Evidence, standing: ParsedText) -> Support | None:
    """Return who only said the right word, if that is all that is new in what stands already."""
    for each in evidence.said:
        right, speaker = right_word(each.message.text), each.message.speaker
        if right is None:
            continue
        claims = slot_claims(standing.text, {*LABELS, evidence.partner, speaker})
        values = [claim.value for claim in claims]
        if is_put_right(text.text, standing.text, right, values, evidence.at, evidence.zone):
            return Support(speaker=speaker, messages=(each.message,))
    return None


def adds_nothing(text: str, held: Sequence[str], names: wording.Names, evidence: Evidence) -> bool:
    """Tell whether a text says only what some of these texts say, with nothing turned."""
    at, zone = evidence.at, evidence.zone
    known = [
        Spoken(claim, None)
        for each in held
        for claim in claims_of(each, names, at, zone, learnt=False)
    ]
    material = "\n".join(held)
    wanted = claims_of(text, names, at, zone, learnt=True)
    return (
        wording.links_were_said(text, material)
        and any(each.units for each in wanted)
        and all(
            not isinstance(grounds_of(claim, known), Unsaid)
            for claim in wanted
            if claim.units or claim.days
        )
    )


def is_told_by(texts: Sequence[str], speaker: str, evidence: Evidence) -> bool:
    """Tell whether some texts, put together, say all that one person states in the turn.

    What is told of the partner says "their" for what they called "my".
    """
    names, at, zone = evidence.names[speaker], evidence.at, evidence.zone
    told = dict.fromkeys((*texts, *(_THEIR.sub("my", text) for text in texts)))
    known = [
        Spoken(claim, None)
        for text in told
        for claim in claims_of(text, names, at, zone, learnt=False)
    ]
    return all(
        not isinstance(grounds_of(claim, known), Unsaid) for claim in evidence.states(speaker)
    )


def who_speaks_of(text: ParsedText, evidence: Evidence) -> str | None:
    """Return who in the turn speaks of the thing a memory's ``text`` is about, if anyone does."""
    for speaker in evidence.speakers:
        about = text.terms(evidence.names[speaker])
        said = [clause for each in evidence.by(speaker) for clause in each.clauses]
        if any(is_same_subject(t, about) and wording.covers(t, c) for t in about for c in said):
            return speaker
    return None


def takes_something_back(evidence: Evidence) -> bool:
    """Tell whether anyone in the turn denies, corrects or takes something back."""
    return any(_CUE.search(message.text) for message in evidence.messages)


def who_denies(text: ParsedText, evidence: Evidence) -> str | None:
    """Return who plainly says that a memory's ``text`` never was so, if anyone does."""
    said = (e for e in evidence.messages if says_never_so(e.text, text.text, evidence.partner))
    return next((each.speaker for each in said), None)


def is_same_subject(term: str, about: frozenset[str]) -> bool:
    """Tell whether sharing ``term`` means speaking of the same: 猫 does, liking something not."""
    if not wording.is_class(term):
        return True
    return term.partition(":")[2] in SINGLE_VALUED or all(wording.is_class(each) for each in about)


def _support_by(
    speaker: str, text: ParsedText, evidence: Evidence, standing: ParsedText
) -> Support | Unsaid:
    said = evidence.by(speaker)
    # Links admit no near words at all.
    own = "\n".join((*(each.message.text for each in said), standing.text))
    if not wording.links_were_said(text.text, own):
        return Unsaid()
    found = _put_together(text.text, speaker, evidence, standing)
    if isinstance(found, Unsaid) and (run := _outright(text.text, speaker, evidence)):
        return Support(speaker=speaker, messages=tuple(e.message for e in run[:1] if e.message))
    return found


def _put_together(
    text: str, speaker: str, evidence: Evidence, standing: ParsedText
) -> Support | Unsaid:
    """Return what says each claim of a text; another order and other words may say the same."""
    said, names = evidence.by(speaker), evidence.names[speaker]
    wanted = _wanted_claims(text, speaker, evidence)
    kept = (
        claims_of(standing.text, names, evidence.at, evidence.zone, learnt=False)
        if standing.text
        else ()
    )
    spoken = [*evidence.spoken(speaker), *(Spoken(each, None) for each in kept)]
    messages: list[Message] = []
    for claim in wanted:
        grounds = grounds_of(claim, spoken)
        if isinstance(grounds, Unsaid):
            return grounds
        messages += [each.message for each in grounds if each.message is not None]
    if not messages:
        return Unsaid()
    ordered = [each.message for each in said if each.message in messages]
    return Support(speaker=speaker, messages=tuple(ordered))


def _outright(text: str, speaker: str, evidence: Evidence) -> tuple[Spoken, ...]:
    """Return the clauses of a message that are a text word for word, if any are."""
    names, at, zone = evidence.names[speaker], evidence.at, evidence.zone
    wanted = claims_of(text, names, at, zone, learnt=False)
    if any(_AGREES.fullmatch(claim.folded) for claim in wanted):
        return ()
    return said_outright(wanted, evidence.spoken(speaker))


def _wanted_claims(text: str, speaker: str, evidence: Evidence) -> tuple[Assertion, ...]:
    """Return the claims of a text; what a speaker is called may be all it says: 主人是陈阳."""
    for names in (
        evidence.names[speaker],
        wording.Names.of((LABELS | {evidence.partner}) - {speaker}),
    ):
        read = claims_of(text, names, evidence.at, evidence.zone, learnt=True)
        if any(_says_something(claim) for claim in read):
            return tuple(claim for claim in read if claim.units or claim.days)
    return ()


_THEIR: Final = re.compile(r"\btheir\b")

# Who agrees has said nothing: what was agreed to may be another's words.
_AGREES: Final = re.compile(
    r"(?:我|i )?(?:说|答应|同意|says?|said)?[\s“”\"「」]*"
    r"(?:好[的呀啊吧]?|可以|行|嗯+|对|ok(?:ay)?|yes|sure)[\s“”\"「」]*"
)


# Thanks, greetings, assent and the mere wish that it be kept: nothing is stated by them.
_POLITE: Final = re.compile(
    r"[\s，。！~～]*(?:谢谢你?|谢了|多谢|早上?好?|晚安|你好呀?|您好|下午好|晚上好|再见|拜拜|在吗|辛苦了|没事"
    r"|哈+|嘿+|嗯+|哦+|噢+|好[的吧呀啊嘞]?|知道了|明白了?|收到|行|是[的啊]?|对[的啊]?"
    r"|(?:请|你?要)?(?:帮我)?记(?:住|一下|着|好)这?(?:个|件事|一点|点)?[哦啊吧了]?"
    r"|h(?:i|ello|ey)(?: there)?|thanks?(?: you| a lot| so much)?|good (?:night|morning|evening)"
    r"|(?:please )?(?:remember|note|keep in mind)(?: (?:that|this|it))?|bye|ok(?:ay)?|yes|yeah|yep"
    r"|no|sure|great|cool|ha(?:ha)+|lol|got it|i see)[\s，。！~～!.]*"
)


# Who wants something done tells nothing of themselves; 帮我记着 is another matter.
_BIDS: Final = re.compile(
    r"(?:请|麻烦|麻烦你|拜托)?(?:帮我|给我|替我|教我|告诉我|推荐|翻译|讲[个一]|写[个一首封篇])(?!.*[记忘])"
    r"|(?:please |(?:can|could|will|would) you )*(?:translate|recommend|suggest|tell me|give me"
    r"|show me|explain|help me|write)\b(?!.*\b(?:remember|forget|note)\b)"
)


def _tells(claim: Assertion) -> bool:
    idle = _POLITE.fullmatch(claim.folded) or _BIDS.match(claim.folded)
    return not idle and _says_something(claim)


def _says_something(claim: Assertion) -> bool:
    told = (unit.key not in {"is", "have", "zhc_name", "enc_name"} for unit in claim.units)
    return not _AGREES.fullmatch(claim.folded) and any(told)


def _spoken_by(speaker: str, evidence: Evidence) -> list[Spoken]:
    """Return what a speaker states in the turn, each clause with what stands before it."""
    found, earlier = list[Spoken](), list[Assertion]()
    # What they are called is no name for themselves: "my friend" in their mouth is a friend.
    names, zone = wording.NO_NAMES, evidence.zone
    ids = {each.message.id: each for each in evidence.by(speaker)}
    talk = evidence.talk or evidence.messages
    asked = ""
    for message in talk:
        if message.id not in ids:
            if message.role == "assistant":
                asked = message.text
                earlier += claims_asked(asked, message.at, zone)
            elif message.speaker == speaker:
                earlier += claims_of(message.text, names, message.at, zone, learnt=False)
            continue
        text = ids[message.id].message.text
        if not is_jest(text):
            claims = claims_of(text, names, message.at, zone, learnt=False)
            for claim in claims:
                if claim.stated and not tells_of_asked(claim, asked):
                    found += told(claim, ids[message.id].message, tuple(earlier[-8:]))
                earlier.append(claim)
            found += [
                Spoken(claim, ids[message.id].message, tuple(earlier[-8:]), needed)
                for claim, needed in answers(asked, claims)
            ]
        asked = ""
    return found
