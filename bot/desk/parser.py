"""The parser of commands: which command is meant, and what it was given.

A chat and the shell are read by the same rules. :func:`shell_command` takes the words behind
``xiaoxiang memory`` (Latin names, Chinese names and aliases alike), :func:`resolve` finds the
declaration, once per command, and :func:`parse_arguments` reads the words that are left.

The arguments and options that several commands share are declared at the end; the registry uses
them by their names here. The other names of a choice are what people type in Chinese.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.conversation.messages import ParsedCommand, read_command
from bot.desk.command import Argument, Example, ParsedArguments, Policy, Spec, Value
from bot.texts import Sentence, Worded, desk, desk_help, desk_link, say
from bot.texts import desk_help as h
from memory.errors import InputRefused
from memory.laws.registry import LAWS
from memory.model import Language

_UNSEEN: Final = re.compile("[\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
"""What shows nothing, and what turns round the line it stands in."""

_CODE: Final = re.compile(r"(?:^|\s)ok-(?P<code>[0-9a-f]{8}(?:-[0-9]{1,15}){0,2})\s*$")
_ID: Final = re.compile(r"[#＃]?(?P<number>[0-9]{1,12})(?=$|[\s,，、])", re.ASCII)
_NUMBER: Final = re.compile(r"第?(?P<number>[0-9]{1,9})页?$", re.ASCII)
_GAP: Final = re.compile(r"[\s,，、]*")

_MOST_IDS: Final = 100


_RANKED: Final = frozenset({Policy.STEER, Policy.ERASE, Policy.ANSWER})
"""Policies by which an admin of a group may do more than a member."""


@dataclass(frozen=True, slots=True)
class ResolvedCommand:
    """Which command was meant: ``spec`` is None for an unknown one.

    ``words`` is what stands behind the name and the verb, and is still to be parsed.
    """

    name: str
    spec: Spec | None
    words: str

    @property
    def is_urgent(self) -> bool:
        """Return whether the command may not wait behind a reply, and may safely run twice."""
        spec = self.spec
        return spec is not None and (spec.policy is Policy.ERASE or spec.urgent)

    @property
    def passes_answers(self) -> bool:
        """Return whether the command shows only what no reply that is under way adds to."""
        return self.spec is not None and self.spec.passes_answers

    @property
    def depends_on_rank(self) -> bool:
        """Return whether a group's admin may do more with it, or its answer, than a member."""
        return self.spec is not None and (self.spec.policy in _RANKED or self.spec.steers)


class ParsedInput(NamedTuple):
    """What a command was given, and the confirmation code behind it (empty without one)."""

    given: ParsedArguments
    code: str


def shell_command(arguments: Sequence[str]) -> ParsedCommand:
    """Return the command that the words behind ``xiaoxiang memory`` give, as a chat reads it.

    A verb stands by itself; a command of its own keeps its slash, because ``forget`` hides and
    ``/forget`` erases. Chinese names and aliases are understood, with either kind of slash.

    >>> shell_command(["列表", "核心"])
    ParsedCommand(name='memory', words='列表 核心')
    >>> shell_command(["/忘掉", "#3"])
    ParsedCommand(name='forget', words='#3')
    """
    line = " ".join(arguments)
    return read_command(line) or ParsedCommand("memory", line.strip())


def parse_arguments(spec: Spec, words: str, language: Language) -> ParsedInput:
    """Return what ``words`` give a command.

    Options may stand anywhere as ``--name value``; in a command without free words their value
    alone is enough (``/memory list core 2``). Raises :class:`InputRefused`, which says how the
    command is written.
    """
    parser, words = _ArgumentParser(spec, language), _UNSEEN.sub("", words)
    # The code is cut off first: free words would swallow it, and it would be learnt or erased.
    confirmed = None if spec.word_for_word else _CODE.search(words)
    if confirmed:
        words = words[: confirmed.start()]
    words = parser.take_options(words).strip()
    for argument in spec.arguments:
        words = parser.take_argument(argument, words)
    parser.take_rest(words)
    return ParsedInput(ParsedArguments(parser.values), confirmed["code"] if confirmed else "")


class _ArgumentParser:
    """Takes one part after another off the words of a command and collects the values."""

    def __init__(self, spec: Spec, language: Language) -> None:
        self._spec = spec
        self._language = language
        self.values: dict[str, Value] = {}

    def take_options(self, words: str) -> str:
        """Take ``--name value`` off the words, for the names the command knows.

        Unknown ones stay: behind ``/memory search`` they are words to search for.
        """
        for option in self._spec.options:
            taking = r"" if option.kind == "flag" else r"(?:[=\s]\s*)(?P<value>\S+)"
            found = re.search(rf"(?:^|(?<=\s))--{option.name}{taking}(?=\s|$)", words)
            if found:
                given = "" if option.kind == "flag" else found["value"]
                self.values[option.name] = self._value(option, given)
                words = words[: found.start()] + words[found.end() :]
        return words

    def take_argument(self, argument: Argument, words: str) -> str:
        """Take one argument off the words and return what is left."""
        if argument.kind in {"words", "file"}:
            if argument.required and not words:
                raise self._refusal(desk.MISSING, what=say(self._language, argument.shown))
            if words:
                self.values[argument.name] = words
            return ""
        found, rest = self._leading_value(argument, words)
        if found is None:
            if argument.required and not words:
                raise self._refusal(desk.MISSING, what=say(self._language, argument.shown))
            if argument.required:
                raise self._refusal(desk.NOT_UNDERSTOOD, what=words.split(maxsplit=1)[0])
            return words
        self.values[argument.name] = found
        return rest

    def take_rest(self, words: str) -> None:
        """Read bare values as the first free option they fit; refuse what fits none."""
        for word in words.split():
            for option in self._spec.options:
                found = _option_value(option, word)
                if found is not None and option.name not in self.values:
                    self.values[option.name] = found
                    break
            else:
                raise self._refusal(desk.NOT_UNDERSTOOD, what=word)

    def _leading_value(self, argument: Argument, words: str) -> tuple[Value | None, str]:
        if argument.kind == "memory":
            ids = list(_leading_ids(words, most=1))
        elif argument.kind == "memories":
            ids = list(_leading_ids(words, most=_MOST_IDS))
        else:
            word, _, rest = words.partition(" ")
            return _option_value(argument, word), rest.strip()
        if not ids:
            return None, words
        rest = words[ids[-1][1] :].strip()
        numbers = tuple(dict.fromkeys(number for number, _ in ids))
        return (numbers[0] if argument.kind == "memory" else numbers), rest

    def _value(self, option: Argument, given: str) -> Value:
        if option.kind == "flag":
            return True
        found = _option_value(option, given)
        if found is None:
            raise self._refusal(desk.NOT_UNDERSTOOD, what=given)
        return found

    def _refusal(self, sentence: Sentence, **values: str) -> InputRefused:
        line = say(self._language, sentence, **values)
        usage = say(self._language, desk.WRITE_IT, usage=self._spec.usage(self._language))
        examples = [each.in_language(self._language) for each in self._spec.examples[:1]]
        shown = [say(self._language, desk_help.EXAMPLE, examples=each) for each in examples]
        return InputRefused(Worded("\n".join((line, usage, *shown))))


def code_token(code: str) -> str:
    """Return how a confirmation code is written behind a command."""
    return f"ok-{code}"


def resolve(specs: Sequence[Spec], command: ParsedCommand) -> ResolvedCommand:
    """Return which of ``specs`` a command means, and the words behind it."""
    spec, words = _find_spec(specs, command.name, command.words)
    return ResolvedCommand(command.name, spec, words)


def _find_spec(specs: Sequence[Spec], name: str, words: str) -> tuple[Spec | None, str]:
    """Return the command that is meant and the words behind it, or None for an unknown verb.

    Behind ``/memory`` stands a verb, in Latin or in Chinese, the latter with or without a space. A
    command of its own may stand there as well, unless a verb has its name. A verb may stand
    without ``/memory``, unless a command of its own has its name.
    """
    top = next((spec for spec in specs if not spec.parent and spec.name == name), None)
    verbs = [spec for spec in specs if spec.parent == name]
    words = words.strip()
    if top is None:
        return next((spec for spec in specs if spec.parent and name in spec.names), None), words
    if not verbs or not words:
        return top, words
    first, _, rest = words.partition(" ")
    for spec in verbs:
        if first.lower() in spec.names:
            return spec, rest.strip()
    # Words that begin with a verb come after words that are one, and of several verbs that fit
    # ("改" begins "改正" too) the longest is meant.
    joined = [
        (verb, spec) for spec in verbs for verb in spec.names if _begins_with_verb(words, verb)
    ]
    if joined:
        verb, spec = max(joined, key=lambda pair: len(pair[0]))
        return spec, words.removeprefix(verb).strip(" ：:，,")
    for spec in specs:
        if not spec.parent and first.lower() in spec.names:
            return spec, rest.strip()
    return None, words


def _begins_with_verb(words: str, verb: str) -> bool:
    """Return whether the words begin with a Chinese verb: Chinese puts no space behind it."""
    return not verb.isascii() and words.startswith(verb)


def named_file(command: ResolvedCommand) -> str:
    """Return the path that a command gives for a file; empty if it takes or gives none."""
    spec = command.spec
    files = [each for each in spec.arguments if each.kind == "file"] if spec else []
    if spec is None or not files:
        return ""
    try:
        return parse_arguments(spec, command.words, "zh").given.text(files[0].name)
    except InputRefused:
        # The desk parses the words again and refuses them in the agent's language.
        return ""


def _leading_ids(words: str, most: int) -> Iterator[tuple[int, int]]:
    """Yield the ids at the beginning of the words, each with the index where it ends."""
    place = 0
    for _ in range(most):
        gap = _GAP.match(words, place)
        place = gap.end() if gap else place
        found = _ID.match(words, place)
        if found is None:
            return
        place = found.end()
        yield int(found["number"]), place


def _option_value(option: Argument, word: str) -> Value | None:
    """Return the value that a word gives an option, or None if it gives none."""
    if option.kind == "choice":
        lowered = word.lower()
        names = option.choices.items()
        return next((value for value, other in names if lowered in {value, *other}), None)
    if option.kind == "number":
        # There is no page 0, and no page of no rows.
        found = _NUMBER.match(word)
        return (int(found["number"]) or None) if found else None
    if option.kind == "word":
        return word or None
    if option.kind == "memory":
        found = _ID.fullmatch(word)
        return int(found["number"]) if found else None
    if option.kind == "flag":
        return True if word.lower().lstrip("-") in {option.name, *option.choices} else None
    return None


ID: Final = Argument(name="id", shown=h.A_ID, kind="memory")
IDS: Final = Argument(name="ids", shown=h.A_IDS, kind="memories")
LIMIT: Final = Argument(name="limit", shown=h.A_LIMIT, kind="number")
PAGE: Final = Argument(name="page", shown=h.A_PAGE, kind="number")
MODE: Final = Argument(
    name="mode",
    shown=h.A_MODE,
    kind="choice",
    choices={"normal": ("普通",), "review": ("回顾",), "debug": ("调试",)},
)
TIER: Final = Argument(
    name="tier",
    shown=h.A_TIER,
    kind="choice",
    choices={
        "system": ("系统",),
        "core": ("核心",),
        "fact": ("事实",),
        "episode": ("情境",),
        "entity": ("名字",),
    },
)
STANDING: Final = Argument(
    name="standing",
    shown=h.A_STANDING,
    kind="choice",
    choices={
        "active": ("记得",),
        "archived": ("收起",),
        "deleted": ("放下",),
        "merged": ("并入",),
    },
)
PINNED: Final = Argument(name="pinned", shown=h.A_FLAG, kind="flag", choices={"钉住": ()})
FADING: Final = Argument(name="fading", shown=h.A_FLAG, kind="flag", choices={"淡忘": ()})

VERDICT: Final = Argument(
    name="verdict",
    shown=h.A_VERDICT,
    kind="choice",
    required=False,
    choices={"right": ("对", "yes", "是"), "wrong": ("不对", "no", "不是")},
)

TEXT: Final = Argument(name="text", shown=h.A_TEXT, kind="words")
NEW_TEXT: Final = Argument(name="text", shown=h.A_TEXT, kind="words", required=False)
EVENT: Final = Argument(
    name="event",
    shown=h.A_EVENT,
    kind="choice",
    required=False,
    choices={
        "manual": ("复习",),
        "success": ("对", "right"),
        "failure": ("不对", "wrong"),
        "access": ("用到",),
    },
)
LAW: Final = Argument(
    name="law",
    shown=h.A_LAW,
    kind="choice",
    required=False,
    choices={law.name: law.also for law in LAWS},
)
SETTING: Final = (
    Argument(name="name", shown=h.A_PARAMETER, kind="word", required=False),
    Argument(name="value", shown=h.A_VALUE, kind="words", required=False),
)
SET_A_PARAMETER: Final = Example(
    "/记忆 规律 tiers fact_decay 0.97", "/memory law tiers fact_decay 0.97"
)
LINK_CODE: Final = Argument(name="code", shown=desk_link.A_CODE, kind="words", required=False)
WAY: Final = Argument(
    name="way",
    shown=desk_link.A_WAY,
    kind="choice",
    required=False,
    choices={"empty": ("空白",), "copy": ("副本",)},
)
GRADE: Final = Argument(
    name="grade",
    shown=h.A_GRADE,
    kind="choice",
    choices={"0": ("公开",), "1": ("一般",), "2": ("敏感",), "3": ("机密",)},
)
STEP: Final = Argument(name="step", shown=h.A_STEP, kind="words", required=False)
SWITCH: Final = Argument(
    name="switch",
    shown=h.A_SWITCH,
    kind="choice",
    required=False,
    choices={"on": ("开", "打开"), "off": ("关", "关掉")},
)
DIARY: Final = Argument(name="diary", shown=h.A_DIARY, kind="words", required=False)
DOOR: Final = Argument(
    name="verdict",
    shown=h.A_DOOR,
    kind="choice",
    required=False,
    choices={"in": ("让进", "让进来", "允许"), "out": ("不让", "拒绝")},
)
WHO: Final = Argument(name="who", shown=h.A_PERSON, kind="words", required=False)
DEEP: Final = Argument(name="deep", shown=h.A_FLAG, kind="flag", choices={"翻日记": ()})
RELATION: Final = Argument(name="relation", shown=h.A_RELATION, kind="word", required=False)
DEPTH: Final = Argument(name="depth", shown=h.A_DEPTH, kind="number", required=False)
DRY: Final = Argument(name="dry-run", shown=h.A_FLAG, kind="flag", choices={"预览": ()})
EVERY: Final = Argument(
    name="which",
    shown=h.A_ALL,
    kind="choice",
    required=False,
    choices={"all": ("全部", "所有")},
)
FILE: Final = Argument(name="file", shown=h.A_FILE, kind="file", required=False)
ME: Final = Argument(name="me", shown=h.A_NAME, kind="word", required=False)
