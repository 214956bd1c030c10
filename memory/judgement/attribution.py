"""In whose name a memory tells what somebody said."""

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Final

from memory.judgement import wording
from memory.judgement.evidence import LABELS, Evidence
from memory.judgement.permission import is_message_as_name
from memory.model import Message
from memory.offline.persons import is_what_is_shown
from memory.offline.utterances import in_third_person
from memory.text.tokens import is_dense, normalized
from prompts.rendering import one_line


def with_attribution(text: str, speaker: str, evidence: Evidence) -> str:
    """Return ``text`` under the name of who said it, where several people talk.

    In a group a person's own facts begin with their name; everything else is told as "B says".
    Else whatever a model calls the partner, "user", 用户 or 我, is the word for them here.
    """
    # "my friend", as she may call her partner, is no friend of theirs.
    if not any(normalized(each) in normalized(text) for each in {speaker, evidence.partner}):
        text = told_of(text, speaker, evidence)
    # The first to speak in a group is as little alone as the last.
    if not (evidence.in_group or evidence.others - {speaker}):
        return _with_name(text, evidence.partner, _ROLES)
    if is_message_as_name(speaker):
        # However it got into the text, such a name does not stay there.
        text = text.removeprefix(speaker).removeprefix(one_line(speaker))
        return told_by(speaker, _with_name(text, _somebody(text), {evidence.partner} | _ROLES))
    own = _with_name(text, speaker, LABELS | {evidence.partner})
    rest = own[len(speaker) :] if wording.begins_with(normalized(own), normalized(speaker)) else ""
    # Who claims to be the partner's husband says so; it is not what anybody knows.
    claims = any(label in normalized(rest) for label in LABELS | {normalized(evidence.partner)})
    return own if rest and not claims else told_by(speaker, text)


def told_by_whoever_said_it(shown: Message, before: Iterable[Message]) -> str:
    """Return what a message shows as the words of whoever said it among the lines before."""
    words = one_line(shown.quoted)
    said = [x for x in before if x.text and x.speaker and is_what_is_shown(words, x.text)]
    if not said:
        return told_by(_somebody(words), words)
    words = one_line(said[-1].text)
    # The partner's own words, alone with her, are told as such.
    own = said[-1].speaker == shown.speaker and not shown.speaker_id
    return words if own else told_by(said[-1].speaker, words)


def told_by(speaker: str, text: str) -> str:
    """Return a text as the words of somebody, as in 小白说：我住在海边."""
    # 我的代号是 Red_Fox is Chinese, however much else stands in it.
    dense = is_dense(text) or _BEGINS_DENSE.match(text) is not None
    # A name that is a message would put its words into every prompt that shows this memory.
    if is_message_as_name(speaker):
        speaker = _somebody(text)
    return f"{speaker}说：{text}" if dense else f"{speaker} says: {text}"


def _somebody(text: str) -> str:
    return "有人" if is_dense(text) or _BEGINS_DENSE.match(text) else "Somebody"


_BEGINS_DENSE: Final = re.compile(r"[\W\d_]*[一-鿿]")

_ROLES: Final = frozenset({"user", "the user", "用户"})
"""What stands for the partner in a prompt's frame, and never in what they said."""


def _with_name(text: str, speaker: str, labels: AbstractSet[str]) -> str:
    """Return the text with the speaker's name where it begins with a word for the partner."""
    # The longest first, so that "the user" is replaced as a whole.
    for label in sorted(labels, key=len, reverse=True):
        if wording.begins_with(normalized(text), normalized(label)):
            return speaker + text[len(label) :]
    return text


def told_of(words: str, speaker: str, evidence: Evidence) -> str:
    """Return somebody's own words as they are told of them: 主人… for 我…."""
    subject = speaker if evidence.in_group or evidence.others - {speaker} else evidence.partner
    if not words.isascii():
        return in_third_person(words, subject)
    return _SENTENCE.sub(lambda each: in_third_person(each[0], subject), words)


_SENTENCE: Final = re.compile(r"(?:[^.!?]|[.!?](?!\s))+")
"""A sentence of English: each names whom it is about."""
