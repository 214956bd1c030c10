"""Turning "I" into a name and back: a clause as it is told of somebody, and to them.

In a group what a member asks of themselves is answered from what they said, and what others said
of them; "me" in what somebody said is that somebody, whoever reads it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from memory.offline.vocabulary import WORDS_EN
from memory.text.late_pattern import LatePattern
from memory.text.tokens import segmented_words
from memory.text.word_forms import first_person, third_person
from prompts import PromptLine, PromptMemory, Reply
from prompts.rendering import one_line

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
    if not text.startswith(subject):
        # Sam and Anna's mother may be that of both.
        text = re.sub(rf"(?<!\band )(?<!\w){re.escape(subject)}['’]s\b", "your", text)
        return re.sub(rf"(?<!\w){re.escape(subject)}(?!\w|['’])", "you", text)
    clause = _conjugated("¤" + text.removeprefix(subject), "¤", first_person)
    for old, new in (
        ("^¤'s", "your"),
        ("^¤ is ", "you are "),
        ("^¤ was ", "you were "),
        ("^¤ doesn't ", "you don't "),
        ("^¤", "you"),
        (r"\bthemselves\b", "yourself"),
        (r"\btheir\b", "your"),
        (r"\bthey\b", "you"),
    ):
        clause = re.sub(old, new, clause)
    return clause


def as_said_to(said: str) -> str:
    """Return a speaker's own words as they are said back to them: everyone calls you Ollie."""
    for old, new in (
        (r"\bI(?:'m| am)\b", "you are"),
        (r"\bI was\b", "you were"),
        (r"\b(?:I|we)\b", "you"),
        (r"\b(?:my|our)\b", "your"),
        (r"\b(?:my|our)sel(f|ves)\b", r"yoursel\1"),
        (r"\bme\b|(?-i:\bus\b)", "you"),  # and not the US
    ):
        said = re.sub(old, new, said, flags=re.IGNORECASE)
    return said


def _conjugated(clause: str, subject: str, form: Callable[[str], str | None]) -> str:
    """Return the clause with the verb after ``subject`` in its other form, the subject marked."""
    verb = re.compile(
        rf"(?:(?<=\W)|^)(?<!\band ){subject} {HOW}(?P<v>[a-z]{{2,}})\b", re.IGNORECASE
    )
    return verb.sub(
        lambda found: f"¤ {found['a']}{form(found['v'].lower()) or found['v']}", clause
    )


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

THIS_MATTER: Final = re.compile(
    r"(?:这个|这一?点|这件事|这句话?|我(?:刚才?)?说的(?:话)?|this|that|it)?[哦啊吧呀。.!！\s]*",
    re.IGNORECASE,
)


def asks_to_keep_what_is_shown(text: str) -> bool:
    """Whether a text only asks to keep what it points at: remember this."""
    found = EXPLICIT.fullmatch(text.strip())
    return found is not None and bool(THIS_MATTER.fullmatch(found["zh"] or found["en"] or ""))


def is_what_is_shown(shown: str, line: str) -> bool:
    """Whether a text that was shown is a line, in which her call is not kept."""
    text = one_line(line)
    return shown == text or (shown.endswith(text) and len(shown) - len(text) <= _LONGEST_CALL)


_LONGEST_CALL: Final = 40
