"""Wording a prompt: the templates, compiled once into a sandbox that reads no file afterwards.

Foreign text is cleaned on its way in, so that a model reads it as words and not as instructions;
whatever stores text in order to show it later cleans it by the same functions.
"""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property, lru_cache
from hashlib import blake2s
from importlib.resources import files
from itertools import groupby
from typing import Any, ClassVar, Final, Literal, NamedTuple

from jinja2 import DictLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from prompts.notes import PromptLine, PromptMemory, told

_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)
"""Zero-width, direction and tag characters, which can smuggle text past a human reader.

Joiners have a rule of their own.
"""

_LONELY_JOINER: Final = re.compile(
    "(?<![\u2600-\u27bf\ufe0f\U0001f000-\U0001faff\u0600-\u0dff])\u200d|(?<![\u0600-\u0dff])\u200c"
)
"""U+200D joins emoji and Indic letters, U+200C parts Persian ones; elsewhere they only hide."""

_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""The categories Cc and Cs, which Unicode never changes, but for tab and new line."""

_LINE_END: Final = "\x01"
"""Parts what a template words line by line; what was said holds none once it is ``plain``."""

# One kind of line end, so that "at the beginning of a line" means the same in every rule below.
_BREAK: Final = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_ROLE_TOKEN: Final = re.compile(
    r"<\|[^<>|]{0,40}\|>"  # ChatML and Llama 3: <|im_start|>, <|eot_id|>
    r"|<｜[^<>｜]{0,40}｜>"  # DeepSeek
    r"|</?s>|<</?SYS>>|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]"
    r"|</?(?:system|assistant|user|human|tool|instructions?|start_of_turn|end_of_turn)"
    r"(?:\s[^<>]{0,40})?>",
    re.IGNORECASE,
)
_ROLE_HEADING: Final = re.compile(
    r"^[ \t]*#{1,6}[ \t]*(?=(?:system|assistant|user|human|instructions?|系统|指令|助手)\b)"
    r"|^[ \t]*(?=(?:system|assistant|human)[ \t]*[:：])",
    re.IGNORECASE | re.MULTILINE,
)
OPERATION_NAMES: Final = (
    "ADD", "UPDATE", "BOOST", "DELETE", "NEGATE", "MERGE", "UNSAID", "REMIND", "SKIP",
)  # fmt: skip
"""What the background may want done with memories."""

REVIEW_NAMES: Final = ("SEARCH", "PROMOTE", "KEEP", "DELETE")
EPISODE_NAMES: Final = ("SEGMENT",)
COMPRESSION_NAMES: Final = ("TEXT", "PHRASE", "KEYWORDS")

_NAMES: Final = {*OPERATION_NAMES, *REVIEW_NAMES, *EPISODE_NAMES, *COMPRESSION_NAMES}
# The grammar in which background models answer, and the envelopes of our own templates: foreign
# text must be able to begin neither.
_OPERATION: Final = re.compile(
    rf"[\[［【](?=\s*(?:{'|'.join(sorted(_NAMES))})(?![A-Za-z]))", re.IGNORECASE
)
_ENVELOPE: Final = re.compile(
    r"(?i)[<＜](?=\s*/?\s*(?:记忆|对话|memor(?:y|ies)|talk)\b)"
    r"|[(（](?=\s*(?:程序附注|note by the program))"
)

_SUSPICIOUS: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f\U000e0100-\U000e01ef<＜\\[［【#:：(（]"
)
"""The characters one of which every pattern above needs; most text has none of them."""


def plain(text: str) -> str:
    """Return ``text`` without anything a model could take for more than words.

    Control, invisible and direction characters are removed, and so are the role tokens of the
    common chat formats. Role headings lose their mark; our own operations and envelopes lose the
    bracket that opens them. Ordinary text in any script, with emoji, is unchanged. Idempotent.
    """
    if not text or not _SUSPICIOUS.search(text):
        return text
    previous = None
    while previous != text:  # a removal may leave a new token behind: <|im_<|x|>start|>
        previous = text
        text = _stripped_once(text)
    return text


def one_line(text: str) -> str:
    """Return ``plain`` text on one line, as a list of memories shows it."""
    return _short_line(text) if len(text) <= _SHORT else " ".join(plain(text).split())


_SHORT: Final = 1_000


# Of what a prompt shows most stood in the one before; long texts are not held for that.
@lru_cache(maxsize=512)
def _short_line(text: str) -> str:
    return " ".join(plain(text).split())


def _stripped_once(text: str) -> str:
    text = _LONELY_JOINER.sub("", _INVISIBLE.sub("", _BREAK.sub("\n", text)))
    text = _ROLE_HEADING.sub("· ", _ROLE_TOKEN.sub("", _CONTROL.sub("", text)))
    return _ENVELOPE.sub("‹", _OPERATION.sub("(", text))


MESSAGE_TOKENS: Final = 4
"""What the chat format of a model adds to each message, in tokens: its role and its ends."""


class ChatMessage(NamedTuple):
    """One message as a chat-completion server takes it."""

    role: Literal["system", "user", "assistant"]
    content: str


class RenderedPrompt:
    """A prompt that is worded at most once.

    It is counted to fit a budget, counted for the daily limit, sent, and sent again after a
    failure; rendering is most of what each of these would cost.
    """

    _TEMPLATE: ClassVar[str]
    language: str

    def messages(self) -> tuple[ChatMessage, ...]:
        """Return the prompt as chat messages, worded in its language."""
        return self._messages

    # Kept in the instance's __dict__, so these dataclasses are frozen but have no slots.
    @cached_property
    def _messages(self) -> tuple[ChatMessage, ...]:
        return self._render()

    def _render(self) -> tuple[ChatMessage, ...]:
        """Word a background prompt: the standing instructions, then the material to judge.

        Between them stands an example as a turn of its own, which small models follow better than
        any description; it never changes, so that a server can keep what it read of it.
        """
        return (
            ChatMessage("system", self._render_part(f"{self._TEMPLATE}_instructions")),
            *self._example(),
            ChatMessage("user", self._render_part(f"{self._TEMPLATE}_material")),
        )

    def _example(self) -> tuple[ChatMessage, ...]:
        """Return an example question and its answer, if this kind of prompt shows one."""
        return ()

    def in_json(self) -> "RenderedPrompt | None":
        """Return the same question to be answered in JSON; None if it is answered in words."""
        return None

    def _render_part(self, template: str, **values: object) -> str:
        return render(template, self.language, p=self, **values)

    def _render_lines(
        self, template: str, lines: Sequence[Hashable], *, told: Hashable
    ) -> list[str]:
        """Word many lines; ``told`` is all that the template reads besides them.

        Most of them stood in the prompt before, and are worded once.
        """
        keys = [(template, self.language, told, line) for line in lines]
        # Each is looked up once: to hash its instant takes longer than all else about it.
        texts = [_WORDED.get(key) for key in keys]
        new = {
            key: line for key, line, text in zip(keys, lines, texts, strict=True) if text is None
        }
        if new:
            # In one go: to begin a template takes as long as to word a line.
            worded = self._render_part(template, lines=list(new.values()), line_end=_LINE_END)
            texts_of_new = map(str.strip, worded.split(_LINE_END))
            found: dict[Hashable, str] = dict(zip(new, texts_of_new, strict=True))
            if len(_WORDED) + len(new) > _MOST_WORDED:
                _WORDED.clear()
            _WORDED.update(found)
            texts = [
                found[key] if text is None else text for key, text in zip(keys, texts, strict=True)
            ]
        return [text for text in texts if text is not None]


_MOST_WORDED: Final = 2_048
_WORDED: Final[dict[Hashable, str]] = {}
"""The lines of the last prompts as they were worded: those of some forty talks."""


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
        if attribute in _FIELDS.get(type(obj), ()):
            return getattr(obj, attribute)
        match obj:
            case RenderedPrompt() if attribute in vars(obj) and not attribute.startswith("_"):
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
        told=told,
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


class ReplyRole(NamedTuple):
    """What the standing instructions of a reply say, the same turn after turn."""

    persona: str
    partner: str
    name: str
    abilities: tuple[str, ...]
    paused: bool = False
    group: bool = False


_FIELDS: Final[Mapping[type, frozenset[str]]] = {
    kind: frozenset(kind._fields) for kind in (PromptLine, PromptMemory, ReplyRole)
}


@lru_cache(maxsize=32)
def reply_instructions(language: str, role: ReplyRole) -> ChatMessage:
    """Word what stands above every prompt of a talk."""
    return ChatMessage("system", render("reply_instructions", language, p=role))


def with_joined_turns(said: Iterable[ChatMessage]) -> list[ChatMessage]:
    """Return the same words with neighbouring messages of one role joined into one."""
    return [
        ChatMessage(role, "\n".join(message.content for message in group))
        for role, group in groupby(said, key=lambda message: message.role)
    ]


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


@lru_cache(maxsize=1)
def _example_sentences() -> frozenset[str]:
    """Return every sentence that the answers of the examples write, as they write it."""
    answers = (text for name, text in template_sources().items() if name.endswith("_answer"))
    lines = (line for answer in answers for line in answer.splitlines() if line.startswith("["))
    return frozenset(line.partition("]")[2].strip() for line in lines) - {""}


def is_from_example(text: str) -> bool:
    """Tell whether a text was copied word for word from an answer that our prompts show.

    >>> is_from_example("孟岚和老伴在院子里养蜂")
    True
    """
    return text.strip() in _example_sentences()
