"""The seven prompts as values: what is asked, and the template that words it.

Nothing here knows a model or a memory. A value holds only strings, instants and tuples of them, so
that the rule-based model can read it without parsing any wording.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import takewhile
from typing import Final, Literal, NamedTuple, TypeAlias

from prompts.notes import PromptLine, PromptMemory, PromptPlan, by_name
from prompts.rendering import (
    OPERATION_NAMES,
    ChatMessage,
    RenderedPrompt,
    ReplyRole,
    render,
    reply_instructions,
    with_joined_turns,
)

Ability: TypeAlias = Literal["pictures", "voice", "secrets", "reminders", "initiative"]
"""What she can do where it is set up, beside talking and remembering."""


class ReviewSigns(NamedTuple):
    """What is known of a memory under review besides its words.

    ``kind`` is what it was filed as, ``told`` how often the partner said it. ``confirmed``: the
    partner asked for it, corrected it, or said that it is right.
    """

    kind: str = "fact"
    told: int = 1
    confirmed: bool = False


NO_SIGNS: Final = ReviewSigns()


LONG_PAUSE: Final = timedelta(hours=3)
"""After so long a pause a line is shown with the date and hour it was said."""


@dataclass(frozen=True, kw_only=True)
class Reply(RenderedPrompt):
    """Answer the partner. ``window`` ends with the lines to answer; ``now`` is in their zone.

    ``new`` is how many these are; 0, where nobody counted, is all since her last reply.

    ``persona`` is the text of the persona file; see :func:`default_persona`. ``name`` is what the
    partner is called, if known. What is not among ``abilities`` she says she cannot do. ``again``:
    the answer before said nothing of its own. ``paused``: nothing new is kept. No model is shown
    her last replies ``said_lately``, the eldest first, nor the ``plans`` of today and yesterday,
    which the rules ask after. In a ``group`` what was only overheard is not to be answered.
    """

    persona: str
    language: str
    partner: str
    now: datetime
    window: tuple[PromptLine, ...]
    memories: tuple[PromptMemory, ...] = ()
    name: str = ""
    abilities: tuple[Ability, ...] = ()
    again: bool = False
    said_lately: tuple[str, ...] = ()
    plans: tuple[PromptPlan, ...] = ()
    paused: bool = False
    new: int = 0
    group: bool = False

    def __post_init__(self) -> None:
        if not self.window:
            raise ValueError("a reply needs a line to answer")

    def _render(self) -> tuple[ChatMessage, ...]:
        """Render persona and rules, the window, and last what came to mind, then the new lines.

        What was remembered never enters the system message: it is data, not a rule. Neighbours
        of one role are joined, since many servers insist on turns.
        """
        since = takewhile(lambda line: line.role == "user", reversed(self.window))
        place = len(self.window) - ((self.new * self.group) or sum(1 for _ in since))
        # The hour stands outside the lines, and only where it tells something: a model that reads
        # it in front of every line writes it in front of its own.
        before = [None, *(line.at for line in self.window)]
        before[place] = self.now
        dated = [
            (line, at is None or abs(line.at - at) >= LONG_PAUSE)
            for line, at in zip(self.window, before, strict=False)
        ]
        worded = self._render_lines("lines", dated, told=(self.partner, self.now.tzinfo))
        said = list(map(ChatMessage, (line.role for line in self.window), worded))
        if self.again:
            said.append(ChatMessage("user", self._render_part("reply_again")))
        # Right before the new lines: a model attends best to the end, and a prefix that stays the
        # same from turn to turn (rules, old lines) can be cached by the server.
        memories = tuple(
            by_name(each, self.partner, self.name, self.language)
            for each in self.memories
            if each.told
        )
        material = self._render_part("reply_material", memories=memories)
        said.insert(place, ChatMessage("user", material))
        who = (self.persona, self.partner, self.name, self.abilities)
        role = ReplyRole(*who, self.paused, self.group)
        return (reply_instructions(self.language, role), *with_joined_turns(said))


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongLine:
    """What was wrong with one operation of an answer, told to the model when it is asked again.

    ``number`` counts the operations of the answer from 1; 0 is the answer as a whole. ``detail``
    is the handle or the word it is about, as far as there is one.
    """

    number: int
    fault: Literal["handle", "placeholder", "unsaid", "quoted", "form", "unreadable"]
    detail: str = ""


@dataclass(frozen=True, kw_only=True)
class Monitor(RenderedPrompt):
    """Judge one finished turn: which memories to add, change, confirm or drop.

    ``fresh`` are the handles of what the rules kept of this turn; ``wrong`` is what was wrong with
    the answer before; ``as_json`` means the same; ``before``, for the rules, are the lines before,
    and ``answered`` is what the first line says with her question, if it only answers that.
    """

    _TEMPLATE = "monitor"

    language: str
    partner: str
    now: datetime
    turn: tuple[PromptLine, ...]
    memories: tuple[PromptMemory, ...] = ()
    fresh: tuple[str, ...] = ()
    wrong: tuple[WrongLine, ...] = ()
    as_json: bool = False
    before: tuple[str, ...] = ()
    answered: str = ""

    @property
    def own_lines(self) -> list[PromptLine]:
        """Return what people said, the first line with the question that it answers."""
        own = [line for line in self.turn if line.role == "user"]
        return [x._replace(text=self.answered or x.text) for x in own[:1]] + own[1:]

    def _example(self) -> tuple[ChatMessage, ...]:
        return worked_example(self._TEMPLATE, self.language, as_json=self.as_json)

    def in_json(self) -> "Monitor":
        """Return the same question, to be answered in JSON."""
        return replace(self, as_json=True)


@dataclass(frozen=True, kw_only=True)
class Summarize(RenderedPrompt):
    """Cut a part of a conversation into meaningful segments; its lines are counted from 1.

    After source document 002 §9.2.
    """

    _TEMPLATE = "summarize"

    language: str
    partner: str
    now: datetime
    lines: tuple[PromptLine, ...]
    focus: tuple[str, ...] = ()

    def _example(self) -> tuple[ChatMessage, ...]:
        return worked_example(self._TEMPLATE, self.language)


@dataclass(frozen=True, kw_only=True)
class Review(RenderedPrompt):
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
class Compress(RenderedPrompt):
    """Say the same in at most ``characters`` characters, after source document 002 §11.4."""

    _TEMPLATE = "compress"

    language: str
    text: str
    phrase: str
    keywords: tuple[str, ...]
    characters: str


@dataclass(frozen=True, kw_only=True)
class Consolidate(RenderedPrompt):
    """Find the lasting facts in episodes that are about to end; ``as_json`` as in Monitor."""

    _TEMPLATE = "consolidate"

    language: str
    partner: str
    now: datetime
    lines: tuple[PromptLine, ...]
    memories: tuple[PromptMemory, ...] = ()
    as_json: bool = False

    def _example(self) -> tuple[ChatMessage, ...]:
        return worked_example(self._TEMPLATE, self.language, as_json=self.as_json)

    def in_json(self) -> "Consolidate":
        """Return the same question, to be answered in JSON."""
        return replace(self, as_json=True)


@dataclass(frozen=True, kw_only=True)
class Begin(RenderedPrompt):
    """Word one message that she begins with, from what was ``said`` at ``told_at``.

    What to bring up is decided; ``draft`` says it plainly. ``now`` is in the partner's zone.
    """

    _TEMPLATE = "begin"

    persona: str
    language: str
    partner: str
    now: datetime
    told_at: datetime
    said: str
    draft: str


Prompt: TypeAlias = Reply | Monitor | Summarize | Review | Compress | Consolidate | Begin


class _Life(NamedTuple):
    """A stranger's turn, to show in an example: nobody here knows them."""

    partner: str
    said: str
    answer: str
    known: tuple[str, str]


_EXAMPLE_LIVES: Final = {
    "zh": _Life(
        "孟岚",
        "我从纺织厂退休了，如今和老伴在院子里养蜂。明天要去镇上领蜂箱。",
        "恭喜退休！院子里有蜂，晚上有评弹，真好。",
        ("孟岚在纺织厂上班", "孟岚爱听评弹"),
    ),
    "en": _Life(
        "Dilys",
        "I retired from the woollen mill, and now I keep bees in the yard with my husband."
        " Tomorrow I will fetch a hive in town.",
        "Happy retirement! Bees by day, and your harp in the evening.",
        ("Dilys works at the woollen mill", "Dilys loves the harp"),
    ),
}
EXAMPLE_HANDLES: Final = ("m91", "m92")
"""No real prompt shows so many memories: what is copied from an example names none of them."""

_EXAMPLE_AT: Final = datetime(2019, 6, 11, 15, 20, tzinfo=UTC)


def example_prompt(template: str, language: str) -> Monitor | Consolidate | Summarize:
    """Return what the example of ``monitor``, ``consolidate`` or ``summarize`` asks."""
    life = _EXAMPLE_LIVES["zh" if language.startswith("zh") else "en"]
    talk = (
        PromptLine("user", life.partner, _EXAMPLE_AT, life.said),
        PromptLine("assistant", "小祥", _EXAMPLE_AT + timedelta(minutes=1), life.answer),
    )
    told = _EXAMPLE_AT - timedelta(days=40)
    known = tuple(
        PromptMemory(handle, text, told)
        for handle, text in zip(EXAMPLE_HANDLES, life.known, strict=True)
    )
    who, now = life.partner, _EXAMPLE_AT
    match template:
        case "monitor":
            return Monitor(language=language, partner=who, now=now, turn=talk, memories=known)
        case "consolidate":
            return Consolidate(
                language=language, partner=who, now=now, lines=talk, memories=known[1:]
            )
        case _:
            return Summarize(language=language, partner=who, now=now, lines=talk)


@lru_cache
def worked_example(
    template: str, language: str, *, as_json: bool = False
) -> tuple[ChatMessage, ...]:
    """Return an example question and its answer, as two messages; the answer may be in JSON."""
    asked: RenderedPrompt = example_prompt(template, language)
    answer = render(f"{template}_answer", language, p=asked)
    if as_json:
        asked, answer = asked.in_json() or asked, answer_in_json(answer)
    return (
        ChatMessage("user", render(f"{template}_material", language, p=asked)),
        ChatMessage("assistant", answer),
    )


_EXAMPLE_LINE: Final = re.compile(r"\[([A-Z]+)(?::([^ \]]+))?([^\]]*)\] ?(.*)")


def answer_in_json(answer: str) -> str:
    """Return the answer of an example, spelled as JSON: one object, an operation in each row."""
    reasons, *lines = answer.splitlines()
    rows: list[dict[str, object]] = []
    for line in lines:
        found = _EXAMPLE_LINE.fullmatch(line)
        if found is None:
            raise ValueError(f"an example holds {line!r}")
        name, handles, attributes, text = found.groups()
        row: dict[str, object] = {"op": name}
        if handles:
            row["handles"] = handles.split(",")
        if text:
            row["text"] = text
        for each in attributes.split():
            key, _, value = each.partition("=")
            row[key] = _json_value(key, value)
        rows.append(row)
    told = {"reasons": reasons.partition("：" if "：" in reasons else ":")[2].strip()}
    return json.dumps({**told, "operations": rows}, ensure_ascii=False)


def _json_value(key: str, value: str) -> object:
    match key:
        case "keywords":
            return value.split(",")
        case "confidence" | "sensitivity":
            return float(value) if key == "confidence" else int(value)
        case _:
            return value


UNSAID_REASONS: Final = ("joke", "role_play", "quotation")
"""Why what was said may not have been meant."""

_FACT_KINDS: Final = [
    "identity", "lasting_preference", "passing_preference", "fact", "skill", "lesson", "temporary",
]  # fmt: skip

OPERATIONS_SCHEMA: Final[Mapping[str, object]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["reasons", "operations"],
    "properties": {
        "reasons": {"type": "string"},
        "operations": {
            "type": "array",
            "maxItems": 24,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["op"],
                "properties": {
                    "op": {"enum": list(OPERATION_NAMES)},
                    "handles": {"type": "array", "items": {"type": "string"}},
                    "text": {"type": "string"},
                    "reason": {"enum": list(UNSAID_REASONS)},
                    "kind": {"enum": _FACT_KINDS},
                    "topic": {"enum": ["preference", "personal", "memory", "promise"]},
                    "confidence": {"type": "number"},
                    "sensitivity": {"type": "integer"},
                    "keywords": {"type": "array", "items": {"type": "string"}},
                },
            },
        },
    },
}
"""The JSON schema of an answer in operations, for servers that hold a model to one."""
