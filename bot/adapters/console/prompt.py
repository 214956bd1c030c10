"""The line a person types in a terminal, and the answer that grows above it meanwhile."""

import re
import select
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import FileHistory
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.patch_stdout import patch_stdout
from rich.cells import cell_len, chop_cells
from rich.console import Console
from rich.text import Text

from bot.adapters.console.terminal import harmless
from bot.desk.command import Spec
from bot.texts import say, shell
from memory.learning.remember_requests import redacted_text
from memory.model import Language, Memory, Sensitivity, Tier

PASTE_SECONDS: Final = 0.01
"""What comes so soon after a return was pasted: nobody types so fast."""

REDRAW_SECONDS: Final = 0.05
"""A growing answer is drawn at most so often."""

LINES_BELOW: Final = 8
"""Lines of the screen that a growing answer leaves to the line being typed and its menu."""


class TerminalPrompt:
    """The prompt as a screen: an answer grows above the line being typed, then scrolls away.

    ``history`` keeps what was typed, mode 0600; ``specs`` and ``memories`` are what Tab completes.
    """

    def __init__(
        self,
        language: Language,
        history: Path,
        *,
        specs: Iterable[Spec],
        memories: Callable[[], Iterable[Memory]] = tuple,
    ) -> None:
        self._language = language
        self._history = history
        self._above = ""
        self._answer = ""
        self._hint = ""
        self._session: PromptSession[str] = PromptSession(
            self._message,
            history=DiscreetHistory(str(history)),
            completer=DeskCompleter(language, specs, memories),
            key_bindings=self._keys(),
            bottom_toolbar=lambda: self._hint or None,
        )
        self._session.app.min_redraw_interval = REDRAW_SECONDS

    async def lines(self) -> AsyncIterator[str]:
        """Yield what a person types, until Ctrl-D, or Ctrl-C on an empty line."""
        # Before prompt_toolkit opens it, which would leave it readable by others.
        self._history.touch(mode=0o600)
        while True:
            try:
                with _above_the_prompt():
                    yield await self._session.prompt_async()
            except (EOFError, KeyboardInterrupt):
                return
            finally:
                self._hint = ""

    def thinking(self) -> None:
        """Show that an answer is on its way."""
        if not self._above:
            self._show(say(self._language, shell.THINKING))

    def begin(self) -> None:
        """Begin an answer with her name."""
        self._answer = ""
        self._show(say(self._language, shell.HER_NAME))

    def write(self, text: str) -> None:
        """Let the answer grow."""
        self._answer += harmless(text)
        self._show(say(self._language, shell.HER_NAME) + self._answer)

    def end(self) -> None:
        """Leave the whole answer above the prompt."""
        if self._answer:
            name = say(self._language, shell.HER_NAME)
            console = Console(highlight=False)
            answer = Text(wrapped(name + self._answer, console.width))
            answer.stylize("bold magenta", 0, len(name))
            # At once: what ends without a line end would be held back above the prompt.
            console.print(answer.append("\n"), soft_wrap=True)
        self._answer = ""
        self._show("")

    def _show(self, above: str) -> None:
        self._above = above
        self._session.app.invalidate()

    def _message(self) -> StyleAndTextTuples:
        you: StyleAndTextTuples = [("", say(self._language, shell.YOU))]
        # What stands there when the line is finished stays: the answer is still to come, whole.
        if not self._above or get_app().is_done:
            return you
        size = get_app().output.get_size()
        lines = [
            piece
            for line in self._above.split("\n")
            for piece in chop_cells(line, size.columns - 1) or [""]
        ]
        shown = "\n".join(lines[-max(size.rows - LINES_BELOW, 1) :])
        return [("", f"{shown}\n\n"), *you]

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("enter")
        def _(event: KeyPressEvent) -> None:
            if event.key_processor.input_queue or _more_is_coming(event.app.input):
                event.current_buffer.insert_text("\n")
            else:
                event.current_buffer.validate_and_handle()

        @keys.add("escape", "enter")
        def _(event: KeyPressEvent) -> None:
            event.current_buffer.insert_text("\n")

        @keys.add("c-c")
        def _(event: KeyPressEvent) -> None:
            if not event.current_buffer.text:
                event.app.exit(exception=KeyboardInterrupt)
                return
            event.current_buffer.append_to_history()
            event.current_buffer.reset()
            self._hint = say(self._language, shell.KEPT_TYPED)

        return keys


class DiscreetHistory(FileHistory):
    """Writes down what was typed without what is secret in it."""

    # Only what goes to the disk is redacted: the arrow keys still bring back what was typed.
    def store_string(self, string: str) -> None:
        """Append a line to the file."""
        super().store_string(redacted_text(string))


class DeskCompleter(Completer):
    """Completes the commands of the desk in both languages, and the ids of memories."""

    def __init__(
        self,
        language: Language,
        specs: Iterable[Spec],
        memories: Callable[[], Iterable[Memory]],
    ) -> None:
        self._language = language
        self._specs = tuple(specs)
        self._memories = memories

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        """Yield what may follow what was typed up to the cursor."""
        del complete_event
        typed = document.text_before_cursor
        if not typed.startswith(("/", "／")):
            return
        yield from self._commands("/" + typed[1:])
        before, _, word = typed.rpartition(" ")
        if word.startswith("#") or (not word and self._takes_an_id(before)):
            yield from self._ids(word)

    def _commands(self, typed: str) -> Iterator[Completion]:
        for spec in self._specs:
            for name in _names(spec, self._language):
                if name.startswith(typed) and name != typed:
                    help_line = say(self._language, spec.help)
                    yield Completion(name, -len(typed), display_meta=help_line)

    def _takes_an_id(self, typed: str) -> bool:
        command = "/" + typed[1:]
        return any(
            argument.kind in {"memory", "memories"}
            for spec in self._specs
            if command in _names(spec, self._language)
            for argument in spec.arguments
        )

    def _ids(self, word: str) -> Iterator[Completion]:
        for memory in sorted(self._memories(), key=lambda memory: memory.id, reverse=True):
            name = f"#{memory.id}"
            if (
                name.startswith(word)
                and memory.nature.tier is not Tier.ENTITY
                and memory.nature.sensitivity is not Sensitivity.SECRET
            ):
                yield Completion(name, -len(word), display_meta=harmless(memory.words.phrase))


_UNITS: Final = re.compile(
    r"\n|[^\S\n]+|[“‘（《「『【]*[\u2e80-\uffef][、。，．：；！？…—”’）》」』】]*|[^\s\u2e80-\uffef]+"
)
"""What a line may be broken between: Chinese characters with their marks, other words, spaces."""


def wrapped(text: str, width: int) -> str:
    """Return a text in lines of at most ``width`` cells; a longer word is left to the terminal.

    Rich takes Chinese for one long word, and begins it and each 。 wherever it falls.
    """
    lines, used = [""], 0
    for unit in _UNITS.findall(text):
        cells = cell_len(unit)
        if unit == "\n" or (used + cells > width and used and not unit.isspace()):
            lines[-1] = lines[-1].rstrip(" ")
            lines, used = [*lines, ""], 0
        if unit != "\n":
            lines[-1] += unit
            used += cells
    return "\n".join(lines)


def _names(spec: Spec, language: Language) -> list[str]:
    latin = [f"/{spec.path}"]
    chinese = [f"/记忆 {name}" if spec.parent else f"/{name}" for name in spec.chinese]
    return [*chinese[:1], *latin] if language == "zh" else [*latin, *chinese[:1]]


def _more_is_coming(typed: Input) -> bool:
    """Return whether more than was read waits in the terminal, as within a paste."""
    return bool(select.select([typed.fileno()], [], [], PASTE_SECONDS)[0])


def _above_the_prompt() -> AbstractContextManager[None]:
    """Let what is printed meanwhile appear above the line being typed."""
    return patch_stdout(raw=True)
