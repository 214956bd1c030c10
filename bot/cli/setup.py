"""``xiaoxiang setup``: asks what she needs to know, tries it, and writes it into ``.env``.

Every question can be skipped, and only what is answered is written, step by step: who stops in
the middle keeps what was said. In a terminal secrets are not shown; through a pipe each line is
one answer, so that a script can do it too.

The file is read key by key, and written without losing a line of it.
"""

import asyncio
import os
import re
import sys
from argparse import Namespace
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from typing import Final

from dotenv import dotenv_values
from dotenv.parser import parse_stream

from bot.adapters import PLATFORMS, read_all_settings
from bot.adapters.platform import Finding, Platform, missing_library
from bot.cli.checks import folder_findings, model_findings
from bot.llm.presets import PRESETS
from bot.sections import Section, fields_of
from bot.settings import EXAMPLE_FILE, Home, Settings, home, is_in_environment, open_env_file
from bot.texts import Sentence, refusals, say, shell
from bot.texts import setup as texts
from memory.errors import InputRefused
from memory.model import Language
from memory.privacy.vault import Keys
from memory.refusals import said_by_system
from memory.sentences import Value
from memory.stores.disk import REAL_DISK, disk_errors, own_as_folder, replace_file

_TAKE_AWAY: Final = "-"
_YES: Final = frozenset({"y", "yes", "是", "好"})
_KEY_FILE: Final = ".xiaoxiang.key"


class SetupStopped(Exception):
    """There are no more answers: the pipe is empty, or somebody pressed Ctrl-D."""


_WHICH_LANGUAGE: Final = "中文还是英文？ Chinese or English? [zh/en]"
"""The one question that is asked before a language is known."""


class SetupDialogue:
    """Asks in one language and keeps the answers in the file of settings."""

    def __init__(self, file: Path, platforms: Collection[Platform]) -> None:
        self._file: Final = file
        self._platforms = platforms
        self._said = read_env(file)
        self.language: Language = "en" if self._said.get("LANGUAGE") == "en" else "zh"

    @property
    def settings(self) -> Settings:
        """The settings as they are now; raises :class:`InputRefused` while something is wrong."""
        return read_all_settings(self._platforms)

    def known(self, key: str) -> str:
        """Return what the file says of a key; empty if nothing."""
        return self._said.get(key, "")

    def tell(self, sentence: Sentence, **values: Value) -> None:
        """Say something."""
        sys.stdout.write(say(self.language, sentence, **values) + "\n")
        sys.stdout.flush()

    def tell_findings(self, findings: Iterable[Finding]) -> bool:
        """Say what a check found; return whether all of it is good."""
        found = list(findings)
        for each in found:
            sys.stdout.write(f"{'✓' if each.good else '✗'} {each.text}\n")
        sys.stdout.flush()
        return all(each.good for each in found)

    def ask(self, sentence: Sentence, *, secret: bool = False, **values: Value) -> str:
        """Return an answer, stripped; empty if it was skipped. Raises :class:`SetupStopped`."""
        return _read_line(say(self.language, sentence, **values), secret=secret)

    def confirm(self, sentence: Sentence, **values: Value) -> bool:
        """Return whether the answer was yes; skipping means no."""
        question = say(self.language, sentence, **values)
        return self.ask(texts.YES_NO, question=question).lower() in _YES

    def ask_for(
        self, key: str, sentence: Sentence, *, secret: bool = False, **values: Value
    ) -> str:
        """Ask for one setting until it is usable or skipped; write it, and return what holds."""
        question = say(self.language, sentence, **values)
        now = self.known(key)
        shown = say(self.language, texts.HIDDEN) if secret else now
        while True:
            given = (
                self.ask(texts.NOW, question=question, value=shown, secret=secret)
                if now
                else _read_line(question, secret=secret)
            )
            if not given or self.put({key: "" if given == _TAKE_AWAY else given}):
                return self.known(key)

    def put(self, values: dict[str, str]) -> bool:
        """Write settings if they are usable together; say why not otherwise."""
        lowered = {key.lower(): value for key, value in values.items() if value}
        try:
            read_all_settings(self._platforms, **lowered)
            write_env(self._file, values)
        except InputRefused as error:
            self.tell(texts.NOT_TAKEN, why=error)
            return False
        self._said = read_env(self._file)
        for key in values:
            if is_in_environment(key):
                self.tell(texts.ENVIRONMENT_WINS, key=key)
        return True

    def add_id(self, key: str, identity: str) -> None:
        """Add somebody to a list of ids unless they are in it."""
        listed = [each.strip() for each in self.known(key).split(",") if each.strip()]
        if identity not in listed:
            self.put({key: ",".join([*listed, identity])})


def run_setup(options: Namespace, platforms: Collection[Platform] = PLATFORMS) -> int:
    """Ask everything once; status 1 if the settings cannot be used at the end."""
    del options
    place = home()
    dialogue = SetupDialogue(place.env_file, platforms)
    try:
        _ask_language(dialogue)
        dialogue.tell(texts.BEGIN, file=str(place.env_file.absolute()))
        _ask_zone(dialogue)
        _ask_model(dialogue)
        for each in platforms:
            if each.ask is None:
                continue
            if missing := each.missing_library():
                sys.stdout.write(missing.in_language(dialogue.language) + "\n")
            else:
                each.ask(dialogue)
        _ask_key(dialogue)
        dialogue.ask_for("WEB_BIND", texts.PAGE_ADDRESS)
        if dialogue.ask_for("BACKUP_COPY_DIR", texts.COPY_FOLDER):
            dialogue.tell_findings(folder_findings(dialogue.settings, "backup_copy_dir"))
    except (SetupStopped, KeyboardInterrupt):
        dialogue.tell(texts.STOPPED)
    read_all_settings(platforms)
    dialogue.tell(texts.DONE, chat="xiaoxiang chat", run="xiaoxiang run")
    return 0


def _ask_language(dialogue: SetupDialogue) -> None:
    given = _read_line(_WHICH_LANGUAGE).lower()
    chosen: Language | None = "en" if given in {"en", "english"} else "zh" if given else None
    if chosen is not None:
        dialogue.put({"LANGUAGE": chosen})
        dialogue.language = chosen


def _ask_zone(dialogue: SetupDialogue) -> None:
    dialogue.ask_for("TIMEZONE", texts.ZONE, guess=dialogue.settings.timezone)


def _ask_model(dialogue: SetupDialogue) -> None:
    """Ask whose model, its key and its name, write them together, and try one call."""
    given = dialogue.ask(texts.PROVIDER, names=" ".join(PRESETS))
    while given not in ("", _TAKE_AWAY) and not _is_provider(given):
        given = dialogue.ask(texts.NO_PROVIDER, given=given, meant=_nearest_provider(given))
    if not given:
        return
    if given == _TAKE_AWAY:
        dialogue.put(dict.fromkeys(("LLM_PROVIDER", "LLM_BASE_URL", "LLM_MODEL"), ""))
        return
    preset = next((one for name, one in PRESETS.items() if name == given.lower()), None)
    where = {
        "LLM_PROVIDER": given.lower() if preset else "",
        "LLM_BASE_URL": "" if preset else given,
    }
    key = "" if preset and preset.is_local else dialogue.ask(texts.API_KEY, secret=True)
    model = dialogue.ask(texts.MODEL) or dialogue.known("LLM_MODEL")
    if not model:
        dialogue.tell(texts.MODEL_WANTED)
        return
    if dialogue.put({**where, "LLM_MODEL": model} | ({"LLM_API_KEY": key} if key else {})):
        dialogue.tell(texts.TRYING)
        dialogue.tell_findings(asyncio.run(model_findings(dialogue.settings)))


def _is_provider(given: str) -> bool:
    return given.lower() in PRESETS or given.lower().startswith(("http://", "https://"))


def _nearest_provider(given: str) -> str:
    """Return the name that was likely meant, or else the first that there is."""
    return next(iter(get_close_matches(given.lower(), PRESETS, n=1)), next(iter(PRESETS)))


def _ask_key(dialogue: SetupDialogue) -> None:
    """Offer to make the key that seals secrets, where there is none."""
    file = _key_folder(home()) / _KEY_FILE
    if dialogue.known("MEMORY_KEY_FILE") or not dialogue.confirm(texts.KEY_WANTED, file=str(file)):
        return
    if missing := missing_library("cryptography", "secrets"):
        dialogue.tell(texts.NOT_TAKEN, why=missing)
        return
    try:
        if not file.exists():
            Keys.create(file, data=dialogue.settings.data_dir)
        own_as_folder(file)
        dialogue.put({"MEMORY_KEY_FILE": str(file)})
    except InputRefused as error:
        dialogue.tell(texts.NOT_TAKEN, why=error)


def _key_folder(place: Home) -> Path:
    """Return where the key is to lie: with whoever sets her up, if they also are who runs her.

    A service with a user of its own, set up by root, can read no other place than its folder.
    """
    beside = place.env_file.absolute().parent
    of_another = beside.is_dir() and beside.stat().st_uid != os.geteuid()
    return beside if of_another else Path.home()


def _read_line(question: str, *, secret: bool = False) -> str:
    """Return one answer; raises :class:`SetupStopped` when there are no more."""
    # Not as part of the prompt, where a line longer than the terminal is cut off.
    sys.stdout.write(question + "\n")
    sys.stdout.flush()
    if sys.stdin.isatty():
        from prompt_toolkit import prompt

        try:
            return prompt("> ", is_password=secret).strip()
        except EOFError as error:
            raise SetupStopped from error
    line = sys.stdin.readline()
    if not line:
        raise SetupStopped
    return line.strip()


_PLAIN: Final = re.compile(r"[A-Za-z0-9_./:@,+=-]*", re.ASCII)
"""A value that means itself without quotes."""

_MODE: Final = 0o600


def known_keys(platforms: Collection[Platform] = PLATFORMS) -> frozenset[str]:
    """Return the name of every setting, as it is written in the file."""
    sections: list[type[Section]] = [Settings, *(each.settings for each in platforms)]
    return frozenset(name.upper() for section in sections for name in fields_of(section))


def read_env(file: Path) -> dict[str, str]:
    """Return what a file sets, by key in capitals; nothing if there is no file.

    Raises :class:`InputRefused` for one that cannot be read.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise InputRefused(refusals.UNREADABLE, file=file, why=said_by_system(error)) from error
    return _values_of(text)


def _values_of(text: str) -> dict[str, str]:
    found = dotenv_values(stream=StringIO(text), interpolate=False)
    return {key.upper(): value for key, value in found.items() if value is not None}


def misspelt_keys(file: Path, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each key of the file that is no setting, and the setting that may be meant, or ""."""
    for key in read_env(file):
        if key not in known:
            near = get_close_matches(key, sorted(known), n=1, cutoff=0.75)
            yield key, near[0] if near else ""


def odd_lines(file: Path) -> Iterator[int]:
    """Yield the number of each line of a file that sets nothing, though it is no comment."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return
    for each in parse_stream(StringIO(text)):
        if each.error or (each.key is not None and each.value is None):
            # What stands before it of empty lines and comments belongs to it.
            blank = each.original.string[: -len(each.original.string.lstrip())].count("\n")
            yield each.original.line + blank


def repeated_keys(file: Path) -> Sequence[str]:
    """Return the keys that a file sets more than once, to different values: the last one holds."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ()
    values: dict[str, set[str]] = {}
    for each in parse_stream(StringIO(text)):
        if each.key and each.value is not None:
            values.setdefault(each.key, set()).add(each.value)
    return [key for key, found in values.items() if len(found) > 1]


def write_env(file: Path, values: Mapping[str, str]) -> None:
    """Set these keys in the file, all or nothing, mode 0600; an empty value takes a key away.

    Everything else stays as it is, comments too. A new file begins as ``.env.example``, where
    each key stands below what it means. Raises :class:`InputRefused` for a value that no line
    can hold and for a file that cannot be read, :class:`StoreUnwritable` if it cannot be written.
    """
    read_env(file)  # what cannot be read is not written over
    text = file.read_text(encoding="utf-8") if file.exists() else _example()
    for key, value in values.items():
        if not value.isprintable():
            raise InputRefused(refusals.CONTROL_CHARACTERS, key=key)
        text = _with_key(text, key, value)
    now = _values_of(text)
    for key, value in values.items():
        if now.get(key, "") != value:
            raise InputRefused(refusals.NO_ONE_LINE, key=key, file=file)
    with disk_errors(file):
        REAL_DISK.make_folder(file.absolute().parent)
        replace_file(REAL_DISK, file.absolute(), text.encode())
        file.chmod(_MODE)


def _example() -> str:
    return EXAMPLE_FILE.read_text(encoding="utf-8") if EXAMPLE_FILE.is_file() else ""


def _with_key(text: str, key: str, value: str) -> str:
    """Return the text with a key set where it stood, else below its comment, else at the end."""
    set_here = re.compile(
        rf"^[ \t]*(?:export[ \t]+)?{key}[ \t]*=.*$", re.MULTILINE | re.IGNORECASE
    )
    explained = re.compile(rf"^#{key}=.*$", re.MULTILINE)
    line = f"{key}={_quoted(value)}" if value else f"#{key}="
    places: list[re.Match[str]] = [*set_here.finditer(text)] or [*explained.finditer(text)][:1]
    if not places:
        ended = text if not text or text.endswith("\n") else text + "\n"
        return f"{ended}{line}\n" if value else text
    *former, last = places
    text = text[: last.start()] + line + text[last.end() :]
    # The last of several lines is the one that holds; the others would only mislead.
    for place in reversed(former):
        text = text[: place.start()] + text[place.end() + 1 :]
    return text


def _quoted(value: str) -> str:
    if _PLAIN.fullmatch(value):
        return value
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def env_findings(settings: Settings, platforms: Collection[Platform]) -> Iterator[Finding]:
    """Check that nobody else can read the keys, and that each line sets one of them."""
    language, path = settings.language, home().env_file
    file = open_env_file()
    if file:
        yield Finding(good=False, text=say(language, shell.ENV_OPEN, file=file))
    for line in odd_lines(path):
        text = say(language, texts.ODD_LINE, file=path.name, line=line)
        yield Finding(good=False, text=text)
    for key in repeated_keys(path):
        yield Finding(good=False, text=say(language, texts.REPEATED_KEY, file=path.name, key=key))
    for key, meant in misspelt_keys(path, known_keys(platforms)):
        sentence = texts.MISSPELT_KEY if meant else texts.UNKNOWN_KEY
        values = {"file": path.name, "key": key} | ({"meant": meant} if meant else {})
        yield Finding(good=False, text=say(language, sentence, **values))
