"""The six prompts as values: what is asked, and the template that words it.

Nothing here knows a model or a memory. A value holds only strings, instants and tuples of them, so
that the rule-based model can read it without parsing any wording. The templates are compiled once,
into a sandbox that reads no file afterwards.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from hashlib import blake2s
from importlib.resources import files
from itertools import groupby, takewhile
from typing import Any, ClassVar, Final, Literal, NamedTuple, TypeAlias

from jinja2 import DictLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from prompts.plain import one_line, plain

MESSAGE_TOKENS: Final = 4
"""What the chat format of a model adds to each message, in tokens: its role and its ends."""


class ChatMessage(NamedTuple):
    """One message as a chat-completion server takes it."""

    role: Literal["system", "user", "assistant"]
    content: str


class PromptLine(NamedTuple):
    """One thing that was said, as a prompt shows it. ``quoted`` was shown, not said."""

    role: Literal["user", "assistant"]
    speaker: str
    at: datetime
    text: str
    quoted: str = ""


class PromptMemory(NamedTuple):
    """One memory as a prompt shows it, by its handle (``m1``), valid in that prompt only.

    What was looked up, and a line of the diary, has no handle. ``when`` is the instant it goes
    back to, in the agent's zone; ``past`` marks what no longer holds; ``quote`` are the words it
    rests on; ``reason`` says in a word why it came up.
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


class ReviewSigns(NamedTuple):
    """What is known of a memory under review besides its words.

    ``kind`` is what it was filed as, ``told`` how often the partner said it. ``confirmed``: the
    partner asked for it, corrected it, or said that it is right.
    """

    kind: str = "fact"
    told: int = 1
    confirmed: bool = False


NO_SIGNS: Final = ReviewSigns()


class _RenderedOnce:
    """A prompt that is worded at most once.

    It is counted to fit a budget, counted for the daily limit, sent, and sent again after a
    failure; rendering is most of what each of these would cost.
    """

    _TEMPLATE: ClassVar[str]

    def messages(self) -> tuple[ChatMessage, ...]:
        """Return the prompt as chat messages, worded in its language."""
        return self._messages

    # Kept in the instance's __dict__, so these dataclasses are frozen but have no slots.
    @cached_property
    def _messages(self) -> tuple[ChatMessage, ...]:
        return self._render()

    def _render(self) -> tuple[ChatMessage, ...]:
        """Word a background prompt: the standing instructions, then the material to judge."""
        return (
            ChatMessage("system", self._render_part(f"{self._TEMPLATE}_instructions")),
            ChatMessage("user", self._render_part(f"{self._TEMPLATE}_material")),
        )

    def _render_part(self, template: str, **values: object) -> str:
        return render(template, self.language, p=self, **values)

    language: str


@dataclass(frozen=True, kw_only=True)
class Reply(_RenderedOnce):
    """Answer the partner. ``window`` ends with the line to answer; ``now`` is in their zone.

    ``persona`` is the text of the persona file; see :func:`default_persona`.
    """

    persona: str
    language: str
    partner: str
    now: datetime
    window: tuple[PromptLine, ...]
    memories: tuple[PromptMemory, ...] = ()

    def __post_init__(self) -> None:
        if not self.window:
            raise ValueError("a reply needs a line to answer")

    def _render(self) -> tuple[ChatMessage, ...]:
        """Render persona and rules, the window, and last what came to mind, then the new lines.

        What was remembered never enters the system message: it is data, not a rule. Neighbours
        of one role are joined, since many servers insist on turns.
        """
        new_lines = takewhile(lambda line: line.role == "user", reversed(self.window))
        place = len(self.window) - sum(1 for _ in new_lines)
        said = [
            ChatMessage(line.role, self._render_part("line", line=line)) for line in self.window
        ]
        # Right before the new lines: a model attends best to the end, and a prefix that stays the
        # same from turn to turn (rules, old lines) can be cached by the server.
        said.insert(place, ChatMessage("user", self._render_part("reply_material")))
        rules = ChatMessage("system", self._render_part("reply_instructions"))
        return (rules, *_with_joined_turns(said))


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongLine:
    """What was wrong with one operation of an answer, told to the model when it is asked again.

    ``number`` counts the operations of the answer from 1; 0 is the answer as a whole. ``detail``
    is the handle or the word it is about, as far as there is one.
    """

    number: int
    fault: Literal["handle", "placeholder", "unsaid", "form", "unreadable"]
    detail: str = ""


@dataclass(frozen=True, kw_only=True)
class Monitor(_RenderedOnce):
    """Judge one finished turn: which memories to add, change, confirm or drop.

    ``fresh`` are the handles of what the rules kept of this very turn. ``wrong`` is what was wrong
    with the answer before, when this is the second time it is asked.
    """

    _TEMPLATE = "monitor"

    language: str
    partner: str
    now: datetime
    turn: tuple[PromptLine, ...]
    memories: tuple[PromptMemory, ...] = ()
    fresh: tuple[str, ...] = ()
    wrong: tuple[WrongLine, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Summarize(_RenderedOnce):
    """Cut a part of a conversation into meaningful segments; its lines are counted from 1.

    After source document 002 §9.2.
    """

    _TEMPLATE = "summarize"

    language: str
    partner: str
    now: datetime
    lines: tuple[PromptLine, ...]
    focus: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Review(_RenderedOnce):
    """Decide about one memory that crossed a border of its law, after source document 003.

    ``found`` holds what the model searched for in earlier rounds of the same review, and the
    answers; in the ``last_round`` it may not search again.
    """

    _TEMPLATE = "review"

    language: str
    partner: str
    now: datetime
    task: Literal["promotion", "decay"]
    memory: PromptMemory
    relatives: tuple[PromptMemory, ...] = ()
    found: tuple[tuple[str, tuple[PromptMemory, ...]], ...] = ()
    last_round: bool = False
    signs: ReviewSigns = NO_SIGNS


@dataclass(frozen=True, kw_only=True)
class Compress(_RenderedOnce):
    """Say the same in at most ``characters`` characters, after source document 002 §11.4."""

    _TEMPLATE = "compress"

    language: str
    text: str
    phrase: str
    keywords: tuple[str, ...]
    characters: str


@dataclass(frozen=True, kw_only=True)
class Consolidate(_RenderedOnce):
    """Find the lasting facts in episodes that are about to end."""

    _TEMPLATE = "consolidate"

    language: str
    partner: str
    now: datetime
    lines: tuple[PromptLine, ...]
    memories: tuple[PromptMemory, ...] = ()


Prompt: TypeAlias = Reply | Monitor | Summarize | Review | Compress | Consolidate


def _with_joined_turns(said: list[ChatMessage]) -> list[ChatMessage]:
    """Return the same words with neighbouring messages of one role joined into one."""
    return [
        ChatMessage(role, "\n".join(message.content for message in group))
        for role, group in groupby(said, key=lambda message: message.role)
    ]


TEMPLATE_SUFFIX: Final = ".j2"
LANGUAGES: Final = ("zh", "en")
_WEEKDAYS: Final = {
    "zh": ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"),
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
}


class _Sandbox(ImmutableSandboxedEnvironment):
    """A sandbox although the templates are ours: what they show was written by others."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return an attribute if a template may read it."""
        # The fields of our own values need none of the sandbox's checks, which took half of the
        # time of a prompt. Whatever a field holds is checked as ever.
        match obj:
            case PromptLine() | PromptMemory() if attribute in obj._fields:
                return getattr(obj, attribute)
            case _RenderedOnce() if attribute in vars(obj) and not attribute.startswith("_"):
                return getattr(obj, attribute)
            case _:
                return super().getattr(obj, attribute)


@lru_cache(maxsize=1)
def template_environment() -> ImmutableSandboxedEnvironment:
    """Return the one environment; the first call reads and compiles every template."""
    made = _Sandbox(
        loader=DictLoader(template_sources()),
        undefined=StrictUndefined,  # a missing value is an error, not a gap nobody sees
        autoescape=False,  # plain text for a model, not HTML; values are framed as data
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        plain=plain,
        one_line=one_line,
        seal=_envelope_mark,
        day=_day,
        minute=_minute,
        weekday=_weekday,
    )
    for name in template_sources():
        made.get_template(name)
    return made


@lru_cache(maxsize=1)
def template_sources() -> dict[str, str]:
    """Return the text of every template by its name, ``zh/reply_material`` for example."""
    folder = files(__package__) / "templates"
    return {
        f"{language}/{entry.name.removesuffix(TEMPLATE_SUFFIX)}": entry.read_text(encoding="utf-8")
        for language in LANGUAGES
        for entry in (folder / language).iterdir()
        if entry.name.endswith(TEMPLATE_SUFFIX)
    }


def render(template: str, language: str, **values: object) -> str:
    """Render ``template`` in ``language`` with exactly ``values``; a missing one is an error.

    Any language but Chinese is served in English.
    """
    name = f"{'zh' if language.startswith('zh') else 'en'}/{template}"
    return template_environment().get_template(name).render(values).strip()


@lru_cache(maxsize=len(LANGUAGES))
def default_persona(language: str) -> str:
    """Return the persona of 小祥 in ``language``, used unless a partner wrote another one."""
    name = "zh" if language.startswith("zh") else "en"
    return (files(__package__) / "persona" / f"{name}.md").read_text(encoding="utf-8").strip()


def _envelope_mark(content: object) -> str:
    """Return a mark for the envelope around ``content``: foreign text cannot hold its own digest.

    The same content has the same mark, so that prompts are reproducible.
    """
    return blake2s(repr(content).encode("utf-8", "backslashreplace")).hexdigest()[:8]


def _day(at: datetime, now: datetime) -> str:
    return f"{at.astimezone(now.tzinfo):%Y-%m-%d}"


def _minute(at: datetime, now: datetime) -> str:
    return f"{at.astimezone(now.tzinfo):%Y-%m-%d %H:%M}"


def _weekday(at: datetime, language: str) -> str:
    return _WEEKDAYS[language][at.weekday()]
