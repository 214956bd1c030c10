"""Reading what stands behind a command: ids, choices, options and free words."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from bot.desk.command import Argument, ParsedArguments, Spec, Value
from bot.texts import Sentence, desk, desk_help, say
from memory.errors import InputRefused
from memory.model import Language

_CODE: Final = re.compile(r"(?:^|\s)ok-(?P<code>[0-9a-f]{8})\s*$")
_ID: Final = re.compile(r"[#＃]?(?P<number>[0-9]{1,12})(?=$|[\s,，、])", re.ASCII)
_NUMBER: Final = re.compile(r"第?(?P<number>[0-9]{1,9})页?$", re.ASCII)
_GAP: Final = re.compile(r"[\s,，、]*")


class ParsedInput(NamedTuple):
    """What a command was given, and the confirmation behind it if there was one."""

    given: ParsedArguments
    code: str


def parse_arguments(spec: Spec, words: str, language: Language) -> ParsedInput:
    """Return what ``words`` give a command; raises :class:`InputRefused`, saying how to write it.

    Options may stand anywhere as ``--name value``; in a command without free words their value
    alone is enough (``/memory list core 2``).
    """
    reader = _ArgumentParser(spec, language)
    confirmed = _CODE.search(words)
    if confirmed:
        words = words[: confirmed.start()]
    words = reader.take_options(words).strip()
    for argument in spec.arguments:
        words = reader.take_argument(argument, words)
    reader.take_rest(words)
    return ParsedInput(ParsedArguments(reader.values), confirmed["code"] if confirmed else "")


class _ArgumentParser:
    """Takes one part after another off the words of a command."""

    def __init__(self, spec: Spec, language: Language) -> None:
        self._spec = spec
        self._language = language
        self.values: dict[str, Value] = {}

    def take_options(self, words: str) -> str:
        """Take ``--name value`` off the words, for the names the command knows."""
        for option in self._spec.options:
            taking = r"" if option.kind == "flag" else r"(?:[=\s]\s*)(?P<value>\S+)"
            found = re.search(rf"(?:^|(?<=\s))--{option.name}{taking}(?=\s|$)", words)
            if found:
                given = "" if option.kind == "flag" else found["value"]
                self.values[option.name] = self._value(option, given)
                words = words[: found.start()] + words[found.end() :]
        return words

    def take_argument(self, argument: Argument, words: str) -> str:
        """Take one argument off the words and return what is left of them."""
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
        """Read bare values as the options they can be; refuse what is none."""
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
            ids = list(_leading_ids(words, most=100))
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
        told = [say(self._language, desk_help.EXAMPLE, examples=each) for each in examples]
        return InputRefused("\n".join((line, usage, *told)))


def code_token(code: str) -> str:
    """Return how a confirmation is written behind a command."""
    return f"ok-{code}"


def find_command(specs: Sequence[Spec], name: str, words: str) -> tuple[Spec | None, str]:
    """Return the command that is meant and the words behind it; None for an unknown verb.

    Behind ``/memory`` stands a verb, in Latin or Chinese, the latter with or without a space. What
    is a command of its own may stand there as well, unless a verb has its name; and a verb may
    stand for itself, unless a command has its name.
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
    """Tell whether words begin with a Chinese verb: no space need stand behind it."""
    return not verb.isascii() and words.startswith(verb)


def named_file(specs: Sequence[Spec], name: str, words: str) -> str:
    """Return the path a command gives for a file; empty if it takes or gives none."""
    spec, rest = find_command(specs, name, words)
    files = [each for each in spec.arguments if each.kind == "file"] if spec else []
    if spec is None or not files:
        return ""
    try:
        return parse_arguments(spec, rest, "zh").given.text(files[0].name)
    except InputRefused:
        return ""


def _leading_ids(words: str, most: int) -> Iterator[tuple[int, int]]:
    """Yield the ids at the beginning of words, each with where it ends."""
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
    if option.kind == "choice":
        lowered = word.lower()
        names = option.choices.items()
        return next((value for value, other in names if lowered in {value, *other}), None)
    if option.kind == "number":
        found = _NUMBER.match(word)
        return int(found["number"]) if found else None
    if option.kind == "word":
        return word or None
    if option.kind == "memory":
        found = _ID.fullmatch(word)
        return int(found["number"]) if found else None
    if option.kind == "flag":
        return True if word.lower().lstrip("-") in {option.name, *option.choices} else None
    return None
