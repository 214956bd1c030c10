"""A prompt as rules read it: without what was blotted out, and in a group as it is for who asks.

What a member asks of themselves is answered from what they said, and what others said of them;
"me" in what somebody said is that somebody, whoever reads it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from memory.offline.claimed import PARTS, ClauseSubject, subject_of
from memory.offline.persons import all_with_subjects, to_third_person
from memory.offline.statements import sentences
from memory.recall.telling import is_blotted
from memory.text.late_pattern import LatePattern
from memory.text.slot_core import WHO_I_KNOW_ZH
from memory.text.stretches import with_commas
from memory.text.tokens import plainly_written, segmented_words, stems
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
