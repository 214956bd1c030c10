"""What a prompt words of the notes it is given: one person by one name, and nothing twice.

Rules read the notes as they are; here it is only decided what a model reads of them.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Final, Literal, NamedTuple

_HER_NAMES: Final = frozenset({"小祥", "Xiaoxiang", ""})


class PromptLine(NamedTuple):
    """One thing that was said, as a prompt shows it. ``quoted`` was shown, not said."""

    role: Literal["user", "assistant"]
    speaker: str
    at: datetime
    text: str
    quoted: str = ""

    @property
    def another(self) -> str:
        """Who said it, if that is neither the partner nor she: the other side of another chat."""
        return "" if self.role == "user" or self.speaker in _HER_NAMES else self.speaker


class PromptPlan(NamedTuple):
    """What the partner said they had before them on a day, ``text``; ``what`` names it alone."""

    day: date
    what: str
    text: str


_NOT_WORDED: Final = frozenset({"let_go", "said", "own", "sources", "told"})
_IF_ANY: Final = frozenset({"instead", "passed_on"})


class PromptMemory(NamedTuple):
    """One memory as a prompt shows it, by its handle (``m1``), valid in that prompt only.

    What was looked up, and a line of the diary, has no handle. ``when`` is the instant it goes
    back to, in the agent's zone; ``past`` marks what no longer holds; ``quote`` are the words it
    rests on; ``reason`` says in a word why it came up. ``said`` are the lines it was found by and
    those around them, who said them and when: what rules may quote. No template words them, nor
    ``let_go``: that a law had put it away, so that it had to be looked up. ``instead`` is what
    took the place of something past, as far as that is known and holds. ``own``: the text is what
    somebody said, word for word; ``sources`` are the messages it rests on; what is not ``told``
    only rules read, for it would tell a model nothing. ``passed_on``: mostly words of others.
    """

    handle: str
    text: str
    when: datetime
    tier: str = "fact"
    speaker: str = ""
    past: bool = False
    quote: str = ""
    reason: str = ""
    looked_up: bool = False
    let_go: bool = False
    instead: "PromptMemory | None" = None
    said: tuple[PromptLine, ...] = ()
    own: bool = False
    sources: tuple[str, ...] = ()
    told: bool = True
    passed_on: bool = False

    def __repr__(self) -> str:
        """Return it as it is worded: a mark of what is shown must not hang on what is not."""
        shown = (
            f"{name}={value!r}"
            for name, value in zip(self._fields, self, strict=True)
            if not (name in _NOT_WORDED or (name in _IF_ANY and not value))
        )
        return f"PromptMemory({', '.join(shown)})"

    @property
    def is_hers(self) -> bool:
        """Whether it is a line of the diary that she said: nothing that was told to her."""
        return self.tier == "diary" and any(line.role == "assistant" for line in self.said)


QUOTES_PARTED_BY: Final = " … "

_NOT_THE_PARTNER: Final = {
    # 女主人 and 主人公 are other people; 从小主人就 and 主人公司 are what rules make of 我.
    "主人": (
        r"(?<!(?<!从)小)(?<!(?<![儿子])女)(?<![男老新旧原])",
        r"(?!公(?![司寓婆公积交园务休款])|翁)",
    ),
    # "my friend Ann", "my friend from school": somebody the partner speaks of.
    "my friend": (r"\b", r"(?! (?:(?-i:[A-Z])|(?:of|from|at|who|called|named)\b))\b"),
    "the partner": (r"\b", r"(?! (?:of|in|at|who)\b)\b"),
}
"""What stands before and behind a word for the partner where it means somebody else."""


@lru_cache(maxsize=64)
def _words_for_partner(partner: str, language: str) -> re.Pattern[str]:
    words = [partner] if language.startswith("zh") else [partner, "the partner"]
    edge = r"\b" if partner.isascii() else ""
    around = {word: _NOT_THE_PARTNER.get(word.lower(), (edge, edge)) for word in words}
    parts = (f"{before}{re.escape(word)}{behind}" for word, (before, behind) in around.items())
    return re.compile("|".join(parts), re.IGNORECASE)


def by_name(memory: PromptMemory, partner: str, name: str, language: str) -> PromptMemory:
    """Return a note that calls the partner by name, so that none need guess who it is.

    What somebody said in their own words stays as it was said.

    >>> from datetime import datetime
    >>> note = PromptMemory("m1", "瑜伽主人不练了，女主人也是", datetime.min)
    >>> by_name(note, "主人", "周舟", "zh").text
    '瑜伽周舟不练了，女主人也是'
    """
    if not (name and partner):
        return memory
    instead = memory.instead and by_name(memory.instead, partner, name, language)
    speaker = name if memory.speaker == partner else memory.speaker
    text = memory.text
    # Whatever bids a model do something is shown as it stands: so it is known again in an echo.
    if not memory.own and partner != name and not _BIDS.search(text):
        zh = language.startswith("zh")
        # That Ann's name is Ann would tell nobody who Ann is.
        tells_it = name in text and _TELLS_A_NAME.search(text)
        who = ("对方" if zh else "your partner") if tells_it else name
        own = [memory.quote, *(line.text for line in memory.said if line.role == "user")]
        text = _with_name(text, who, own, _words_for_partner(partner, language))
    return memory._replace(text=text, speaker=speaker, instead=instead)


_BIDS: Final = re.compile(r"请记住|记住主人|系统|\b(?:please remember|system)\b", re.IGNORECASE)

_TELLS_A_NAME: Final = re.compile(
    r"[叫名姓唤称]|\b(?:name|called|goes by)\b|\bis \w+$", re.IGNORECASE
)


def _with_name(text: str, who: str, own: Sequence[str], word: re.Pattern[str]) -> str:
    """Return a text with ``who`` for the word, but where it stands so in somebody's own words."""

    def named(found: re.Match[str]) -> str:
        around = text[max(found.start() - 1, 0) : found.end() + 2]
        return found[0] if any(around in each for each in own) else who

    return word.sub(named, text)


_UNSAID_SIGNS: Final = re.compile(r"\[[0-9: -]{10,16}\]|[（(][0-9~-]{4,21}[）)]|[\W_]")
_PERSONS: Final = re.compile(
    r"\b(?:i|my|me|myself|mine|they|their|them|themselves|am|is|are|i m|s|m|re)\b|your partner"
    r"|对方|[我的了自己]"
)
_SPACES: Final = re.compile(r" +")


def core_of(text: str, speaker: str = "") -> str:
    """Return the words of a statement without signs and without who says it of whom.

    >>> core_of("周舟不吃香菜，一点都闻不得", "周舟") == core_of("我不吃香菜，一点都闻不得")
    True
    """
    text = text.lower()
    if speaker:
        text = text.replace(speaker.lower(), " ")
    read = _UNSAID_SIGNS.sub(" ", text)
    return _SPACES.sub(" ", _PERSONS.sub(" ", read)).strip()


_DENIES: Final = re.compile(r"[不没别未无]|\b(?:not|never|no|t|cannot|without)\b")


def _letters(core: str) -> str:
    return core.replace(" ", "") if not core.isascii() else core


def says_all_of(text: str, part: str, speaker: str = "") -> bool:
    """Tell whether a text holds every word of another, in the same order, and denies no more."""
    whole, sought = core_of(text, speaker), core_of(part, speaker)
    if len(_DENIES.findall(whole)) != len(_DENIES.findall(sought)):
        # "Is not allergic" holds every word of "is allergic".
        return sought in whole
    if whole.isascii() and sought.isascii():
        left: Iterable[str] = iter(whole.split())
        return all(any(_stem(word) == _stem(each) for each in left) for word in sought.split())
    left = iter(_letters(whole))
    return all(any(letter == each for each in left) for letter in _letters(sought))


def _stem(word: str) -> str:
    return word.removesuffix("s")


def told(memories: Iterable[PromptMemory]) -> tuple[PromptMemory, ...]:
    """Return the notes a model reads, each without quotes that say no more than is said there."""
    shown = [each for each in memories if each.told]
    said = {core_of(each.text, each.speaker) for each in shown}
    return tuple(_without_vain_quotes(each, said) for each in shown)


def _without_vain_quotes(memory: PromptMemory, said: set[str]) -> PromptMemory:
    """Return a note without quotes that its text or another says; what is quoted adds to that."""
    if not memory.quote:
        return memory
    kept = []
    for quote in memory.quote.split(QUOTES_PARTED_BY):
        core = core_of(quote, memory.speaker)
        if core not in said and not says_all_of(memory.text, quote, memory.speaker):
            kept.append(quote)
            said.add(core)
    return memory._replace(quote=QUOTES_PARTED_BY.join(kept))
