"""A prompt as rules read it: without what tells nothing, and in a group as it is for who asks.

What a member asks of themselves is answered from what they said, and what others said of them;
"me" in what somebody said is that somebody, whoever reads it. Which lines may be of whom or what
is asked is read here as well, and of whom words go on who is not the partner.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from memory.offline import harms
from memory.offline.claimed import PARTS, ClauseSubject, subject_of
from memory.offline.likely import I_SAID, OTHERWISE
from memory.offline.persons import all_with_subjects, to_third_person
from memory.offline.questions import OF_ME, Question, told_of_by_name
from memory.offline.statements import sentences
from memory.recall.telling import is_blotted
from memory.text.late_pattern import LatePattern
from memory.text.names import ROLE_EN, ROLE_ZH
from memory.text.slot_core import WHO_I_KNOW_ZH
from memory.text.slot_cues import FIRST_PERSON, PERSONS_EN, PERSONS_ZH
from memory.text.stretches import with_commas
from memory.text.tokens import (
    NICKNAMED_ZH,
    names_somebody,
    plainly_written,
    segmented_words,
    stems,
)
from prompts import PromptLine, PromptMemory, Reply


def members_of(prompt: Reply) -> frozenset[str]:
    """Return who else has spoken in the same group, as far as a prompt shows; none in private."""
    asker = prompt.window[-1].speaker
    said = {line.speaker for line in prompt.window if line.role == "user"}
    if asker != prompt.partner:
        told = (line for memory in prompt.memories for line in memory.said)
        said |= {line.speaker for line in told if line.role == "user"}
        # Nobody else bears her name: a namesake is 小祥（成员）.
        said |= {memory.speaker for memory in prompt.memories} - {"小祥", "Xiaoxiang"}
    return frozenset(said - {asker, prompt.partner, ""})


def without_blotted(prompt: Reply, new: int) -> Reply:
    """Return a prompt without lines of which nothing is left; the last ``new`` stay: they ask."""
    asked = len(prompt.window) - new
    window = (*_not_blotted(prompt.window[:asked]), *prompt.window[asked:])
    memories = tuple(
        each._replace(said=tuple(_not_blotted(each.said)))
        for each in prompt.memories
        if not is_blotted(each.text)
    )
    return replace(prompt, window=window, memories=memories)


def without_bare_names(
    prompt: Reply, before: Sequence[PromptLine], asked: str
) -> tuple[Reply, tuple[PromptLine, ...]]:
    """Return a prompt and the talk before it without what names what is asked, and no more.

    Whoever asks whether it was said may hear it.
    """
    if _ASKS_WHETHER_SAID.search(asked):
        return prompt, tuple(before)
    memories = tuple(
        each._replace(said=tuple(x for x in each.said if not only_says(x.text, asked)))
        for each in prompt.memories
        if each.tier != "diary" or not only_says(each.text, asked)
    )
    lines = tuple(x for x in before if x.role != "user" or not only_says(x.text, asked))
    return replace(prompt, memories=memories), lines


_ASKS_WHETHER_SAID: Final = LatePattern(
    r"说|提[过到]|讲|写|发[过了]|\b(?:sa(?:y|id)|tell|told|mention\w*|wr[io]te\w*|sent)\b",
    re.IGNORECASE,
)


def only_says(told: str, asked: str) -> bool:
    """Whether a line says a word of a question, once or again and again, and nothing of it.

    >>> only_says("abc abc abc", "who is abc?"), only_says("I like tea", "do I like tea?")
    (True, False)
    """
    if len(told) > _LONGEST_NAME_AGAIN:
        return False
    said, question = (_NO_LETTER.sub("", each.lower()) for each in (told, asked))
    again = (n for n in range(1, len(said)) if said[:n] * (len(said) // n) == said)
    one = len(told.split()) == 1 and len(segmented_words(told.strip())) == 1
    word = said[: next(again, len(said) if one else 0)]
    return bool(word) and word in question


_NO_LETTER: Final = LatePattern(r"[\W_]+")
_LONGEST_NAME_AGAIN: Final = 60


def of_whom_is_asked(
    lines: Iterable[PromptLine], asked: str, partner: str
) -> Iterator[PromptLine]:
    """Yield lines without what I say of myself, which is no news of whom I ask about."""
    whom = NICKNAMED_ZH.findall(asked) or names_somebody(asked)
    whom = [] if OF_ME.search(asked) else whom
    for x in lines:
        plain = I_SAID.sub(" ", x.text)
        of_self = FIRST_PERSON.search(plain) is not None or x.text.startswith(partner)
        of_them = not (whom and of_self) or any(each in x.text for each in whom)
        if of_them and harms.may_harm_whom_it_asks(harms.as_said(x.text, partner), asked):
            yield x


def is_of_event(question: Question) -> bool:
    """Whether a question asks when or where something is, or who has it.

    Only what names it is news of it.
    """
    asked = question.text
    mine = OF_ME.search(asked) or question.kin
    other = _ASKS_WHEN.search(asked) or _ASKS_WHERE.search(asked) or _ASKS_WHO_HAS.search(asked)
    return not mine and other is not None


def may_tell_time_asked(told: str, question: Question) -> bool:
    """Whether a line may be news of when something is, if that is asked; 酒店换了 is none."""
    if not is_of_event(question) or _ASKS_WHEN.search(question.text) is None:
        return True
    return _A_TIME.search(told) is not None or _PUT_OFF.search(told) is not None


def may_change_event(told: str, question: Question) -> bool:
    """Whether a line that does not name an event may be news of it: 日子改到10月3号."""
    if names_somebody(question.text) and told_of_by_name(told) not in question.text:
        return False  # Craig moved to Derby, asked what Ivy does
    changes = _NAMELESS.match(told) and (OTHERWISE.search(told) or _PUT_OFF.search(told))
    return not is_of_event(question) or (bool(changes) and may_tell_time_asked(told, question))


_NAMELESS: Final = LatePattern(
    r"(?:后来|又|那个|现在|不对|更正|[，,\s])*(?:日子|时间|日期|地点|地方|改|推|提前|延|定|换)"
    r"|(?:and |so |sorry,? )?(?:the )?(?:date|day|time|place|venue|it)\b",
    re.IGNORECASE,
)


_A_TIME: Final = LatePattern(
    r"\d|(?:周|星期|礼拜)[一二三四五六日天末]|[明后]天|下个?[周月]|[一二三四五六七八九十]+[月号点]"
    r"|\b(?:tomorrow|next|noon|(?:mon|tues|wednes|thurs|fri|satur|sun)day|half past|o'clock)\b",
    re.IGNORECASE,
)
_ASKS_WHEN: Final = LatePattern(
    r"哪[一]?[天年月]|几[号月点]|什么时候|何时|星期几|周几|\bwhen\b|\bwhat (?:time|date|day)\b",
    re.IGNORECASE,
)
_ASKS_WHO_HAS: Final = LatePattern(
    r"^(?:那|请问)?谁[^是]|^\W*who (?:has|had|can|takes?)\b", re.IGNORECASE
)
_ASKS_WHERE: Final = LatePattern(r"哪[里儿]|在哪|\bwhere\b", re.IGNORECASE)
_PUT_OFF: Final = LatePattern(
    r"取消|不办|[延改]期|推迟|提前"
    r"|\b(?:cancell?ed|called off|postponed|put off|brought forward)\b",
    re.IGNORECASE,
)


def told_after(
    at: datetime, lines: Iterable[PromptLine], known: str, question: Question
) -> list[PromptLine]:
    """Return what was told later and is of nobody else by name, the newest first."""
    named = f"{known} {question.text}" if names_somebody(question.text) else ""
    later = (x for x in lines if x.at > at and may_tell_time_asked(x.text, question))
    ours = (x for x in later if not named or told_of_by_name(x.text) in named)
    return sorted(ours, key=lambda x: x.at, reverse=True)


def _not_blotted(lines: Sequence[PromptLine]) -> Iterator[PromptLine]:
    return (line for line in lines if not is_blotted(line.text))


def as_asked_in_group(prompt: Reply, asked: str) -> Reply:
    """Return a prompt for who asks in a group: what is theirs is the partner's in it.

    Asked of oneself, only that is left, and what others said of them.
    """
    asker, others = prompt.window[-1].speaker, members_of(prompt)
    if asker in {"", prompt.partner}:
        return prompt
    memories = [
        each if each.speaker == asker else _as_told(each, each.speaker) for each in prompt.memories
    ]
    window = prompt.window
    if others and _OF_ONESELF.search(asked) and not any(_names(asked, each) for each in others):
        memories = [
            each._replace(said=tuple(_lines_of(asker, each.said)))
            for each in memories
            if each.speaker in {asker, ""} or _names(each.text, asker)
        ]
        window = (*_lines_of(asker, window[:-1]), window[-1])
    if not _names(asked, asker):
        memories = [_as_partners(each, asker, prompt.partner) for each in memories]
    return replace(prompt, memories=tuple(memories), window=window)


_OF_ONESELF: Final = LatePattern(
    r"(?=.*(?:[?？]|[吗呢么]\s*$|什么|啥|哪|谁|几|多少|怎么|(?:知道|记得|了解)"
    r"|\b(?:wh\w+|how|do|did|am|was|is|are|can|tell|remember)\b)).*"
    r"(?:我(?!们)|\b(?:I|my|me|mine)\b)",
    re.IGNORECASE,
)


def _lines_of(asker: str, lines: Sequence[PromptLine]) -> Iterator[PromptLine]:
    """Yield what somebody said, what she answered them, and where others named them."""
    answered = ""
    for line in lines:
        if line.role == "user":
            answered = line.speaker
        if answered in {asker, ""} or (line.role == "user" and _names(line.text, asker)):
            yield line


def _names(text: str, label: str) -> bool:
    """Whether a text names somebody: 安 is named neither in 安全 nor in 安（2）."""
    if len(label) == 1 and not label.isascii():
        return label in segmented_words(text.replace(f"{label}（", "")) and label in text
    return re.search(rf"(?<![A-Za-z0-9]){re.escape(label)}(?![A-Za-z0-9（]| \()", text) is not None


def _as_told(memory: PromptMemory, speaker: str) -> PromptMemory:
    """Return what somebody said with their name where they said I."""
    head, said = _parted(memory.text, speaker)
    if not head:
        return memory
    if re.search("[一-鿿]", said):
        return memory._replace(text=head + re.sub("我(?!们)", speaker, said))
    told = to_third_person(said, speaker) if _FIRST_EN.search(said) else said
    return memory._replace(text=head + told)


_FIRST_EN: Final = re.compile(r"\b(?:I|my|me|I['’]m)\b", re.IGNORECASE)


def _as_partners(memory: PromptMemory, asker: str, partner: str) -> PromptMemory:
    """Return what is known of who asks as it stands of the partner alone."""
    if memory.speaker != asker:
        return memory
    head, said = _parted(memory.text, asker)
    # What they said of others stays what they said.
    if head and not (_FIRST_EN.search(said) or "我" in said):
        return memory._replace(
            text=f"{'你说过：' if head.endswith('：') else 'as you said: '}{said}"
        )
    text = said if head else memory.text
    text = (
        re.sub(rf"(?<!\w){re.escape(asker)}(?!\w)", partner, text)
        if text.isascii()
        else (text.replace(asker, partner))
    )
    return memory._replace(text=text, speaker=partner)


def _parted(text: str, speaker: str) -> tuple[str, str]:
    """Return "Ann says: " and what she said; nothing and the text where it is told otherwise."""
    for head in (f"{speaker}说：", f"{speaker} says: "):
        if speaker and text.startswith(head):
            return head, text.removeprefix(head)
    return "", text


def is_of_another_before(before: str) -> bool:
    """Whether somebody else is who does what follows these words: 我姐下周要 (做手术), "Tom has".

    Whoever goes along with the partner (跟我姐, "my wife and I") is not.
    """
    if _OWN_EN.search(before):
        return False
    return _ANOTHER_ZH.search(before) is not None or _ANOTHER_EN.search(before) is not None


_OWN_EN: Final = re.compile(r"\b(?:i|i['’]\w+|im|we|we['’]\w+|me|us)\b", re.IGNORECASE)
_ANOTHER_ZH: Final = LatePattern(
    rf"(?<![跟和与同给被对为替让叫找帮请约见去到加看我俺咱的家男女们])(?:[我俺咱]们?家?的?)?(?!公司|大家|客户|医生)"
    rf"(?:(?:{PERSONS_ZH})|[小老阿][一-鿿]{{1,2}}?(?=[今明后下周这要有去在的\d]))"
    r"(?![说让叫约请给帮])[^我俺咱]*$"
)
_ANOTHER_EN: Final = LatePattern(
    rf"\b(?!company|office|letter|bank|team|people|doctor|client)(?:{PERSONS_EN}|he|she|they|his|her|their)\b"
    r"|^(?-i:(?!My|Our|The|There|This|That|It|Today|Tonight|Tomorrow|\w+day\b|Work)[A-Z][a-z]+)"
    r"(?:['’]s| (?:has|have|is|will|got|gets|goes|flies|starts|had))\b",
    re.IGNORECASE,
)


_BESIDE: Final = LatePattern(
    rf"(?P<name>[一-鿿]{{2,3}})(?:[，,\s]+|是)(?P<whose>[我俺]们?家?)的?(?P<who>{ROLE_ZH}|前[夫妻])"
    r"(?=$|[，,。！!～])"
    rf"|(?P<en>[A-Z][a-z'’-]+), (?P<role>my (?!(?:friend|mate|buddy|kid|baby)\b){ROLE_EN})"
    r"(?=$|[,.!])"
)


def told_beside(sentence: str) -> str:
    """Return a sentence that names who is somebody's as one that says so: 大鹏，我男朋友.

    >>> told_beside("大鹏，我男朋友，在银行上班"), told_beside("Thanks, my friend")
    ('大鹏是我的男朋友，在银行上班', 'Thanks, my friend')
    """
    found = _BESIDE.match(sentence)
    name = (found["name"] or found["en"]) if found else ""
    if found is None or names_somebody(name) != [name] or _NO_NAME_EN.fullmatch(name):
        return sentence
    is_whose = f"是{found['whose']}的{found['who']}" if found["name"] else f" is {found['role']}"
    return f"{name}{is_whose}{sentence[found.end() :]}"


_NO_NAME_EN: Final = LatePattern(
    r"(?i)thanks?|sorry|hello|hi+|hey+|well|so|ok(?:ay)?|yes|no|oh|wow|please|congrats|cheers|right"
    r"|sure|true|look|listen|(?:good)?(?:night|morning|evening|bye)|\w+ly"
)


_ONLY_THEN_ZH: Final = LatePattern(
    rf"([一-鿿]{{2,3}})是({ROLE_ZH})[，,\s]+([一-鿿]{{2,3}})才是({ROLE_ZH})[。！!\s]*$"
)


def named_apart(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the name and whose it is of two told apart: 小鹿是闺蜜，大鹏才是男朋友."""
    found = _ONLY_THEN_ZH.match(sentence)
    told = found.groups("") if found else ()
    pairs = zip(told[::2], told[1::2], strict=True)
    yield from ((name, role) for name, role in pairs if names_somebody(name) == [name])


def is_of_others(word: str, text: str) -> bool:
    """Tell whether a word, as its stem, stands only where a text tells of somebody else.

    >>> is_of_others("deaf", "Someone on my team, Bo, is deaf so I sit on his left")
    True
    """
    return word in stems(text) and word not in stems(without_others(text))


def without_others(text: str) -> str:
    """Return what of somebody's words may be told of them, or of whom they call theirs."""
    said = all_with_subjects([with_commas(each) for each in sentences(plainly_written(text))])
    clauses = (part.strip() for each in said for part in PARTS.split(each))
    own = (x for x in clauses if x and not WHO_I_KNOW_ZH.match(x))
    return "，".join(x for x in own if subject_of(x) is not ClauseSubject.OTHER)
