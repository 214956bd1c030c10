"""She begins by herself: when her manners allow, in words a model gave or a sentence of her own.

What is said, and whether, is decided by rule before any model is asked. A model only words the one
message, from the facts that go into it; what it says is taken only if it keeps to them.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

from bot.conversation.ledger import Ledger, TurnAnswer
from bot.conversation.messages import ConversationKey
from bot.conversation.reply_text import without_controls
from bot.desk.command import last_spoken
from bot.desk.documents import Adapters, Buttons, Document, Text, owed_json
from bot.desk.initiative import opening_buttons, opening_text
from bot.tasks import Failed, attempt
from bot.texts import initiative as texts
from bot.texts import say
from memory.changes import Used
from memory.initiative.intentions import Beginning, is_private, next_beginning
from memory.initiative.occasions import DELICATE
from memory.model import AgentSettings, Language
from memory.ports import Clock, LanguageModel, Replied
from memory.reminder import Intention
from memory.state import MemoryState
from memory.text.segmentation import has_visible_text
from memory.text.tokens import tokens
from prompts import Begin

LONGEST: Final = 200
"""So many characters an opening has at most; what is longer is not taken from a model."""

_NUMBER: Final = re.compile(r"\d+")
_NAME: Final = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+")
_QUOTED: Final = re.compile(r"[“\"「『]([^”\"」』]+)[”\"」』]")
_HAN: Final = re.compile("[\u4e00-\u9fff]")
_GUILT: Final = re.compile(
    r"怎么(?:都|也)?不理|不理我|不回我|忘了我|不要我|抛弃|冷落|等了你|等你好久|好孤单|好寂寞|伤心"
    r"|\b(?:ignor\w+|forgotten me|forgot me|abandon\w*|lonely|miss(?:ed|ing)? you|waiting for you"
    r"|never (?:write|answer|reply))\b",
    re.IGNORECASE,
)
"""What nobody should be told who did not write."""
_GUESS: Final = re.compile(
    r"恭喜|祝贺|庆祝|节哀|别灰心|没关系的|下次(?:一定|会)"
    r"|\b(?:congrat\w*|well done|sorry (?:to hear|about)|better luck)\b",
    re.IGNORECASE,
)
"""What takes for granted how something went."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where an agent may say something: its chats on the platforms that run."""

    running: tuple[ConversationKey, ...]
    state: MemoryState

    def named(self, conversation: str) -> ConversationKey | None:
        """Return the chat of that name, if it is one of them."""
        return next((each for each in self.running if str(each) == conversation), None)

    @property
    def latest(self) -> ConversationKey | None:
        """The chat in which somebody last wrote; None where there is none."""
        return max(self.running, key=self._last_line, default=None)

    def _last_line(self, place: ConversationKey) -> float:
        window = self.state.windows.get(str(place))
        lines = window.lines if window else ()
        return max((line.at.timestamp() for line in lines if line.role == "user"), default=0.0)


async def place_to_write(
    ledger: Ledger, platforms: Adapters, agent_id: str, state: MemoryState
) -> Places:
    """Return where an agent may say something."""
    places = await ledger.bindings.conversations(agent_id)
    running = (each for each in places if each.platform in platforms)
    return Places(tuple(e for e in running if platforms[e.platform].shows(e)), state)


def due_beginning(state: MemoryState, now: datetime) -> Beginning | None:
    """Return what she may say at ``now``; None where there is nothing, or it has to wait."""
    begun = next_beginning(state, now)
    return begun if begun is not None and begun.at <= now else None


@dataclass(frozen=True, slots=True)
class OpeningWords:
    """Finds the words of what she brings up; ``model`` is None where none is set up."""

    clock: Clock
    model: LanguageModel | None
    persona: Callable[[AgentSettings], str]

    async def answer(self, one: Intention, state: MemoryState) -> TurnAnswer:
        """Return what she says, with its buttons; what is private is not put into words."""
        language = last_spoken(state, one.text)
        hidden = one.kind != "quiet" and is_private(one, state)
        text = (
            say(language, texts.SOMETHING) if hidden else await self._worded(one, language, state)
        )
        if all(each.said_at is None for each in state.intentions.values()):
            text = f"{text}\n{say(language, texts.ONCE_ONLY)}"
        buttons = opening_buttons(one, language, hidden=hidden)
        pressed = (Buttons(buttons, choice=True),) if buttons else ()
        document = owed_json(Document((Text(text), *pressed)))
        return TurnAnswer(
            "reply", text, at=self.clock.now(), used=_used(one, state), document=document
        )

    async def _worded(self, one: Intention, language: Language, state: MemoryState) -> str:
        """Return the words: those of a model that keeps to the facts, else a sentence of hers."""
        settings = state.agent_info.settings
        now = self.clock.now().astimezone(settings.zone)
        draft = opening_text(one, language, now)
        # The sentences about health name nothing; a model would.
        if self.model is None or one.about in DELICATE:
            return draft
        prompt = Begin(
            persona=self.persona(settings),
            language=language,
            partner=settings.partner,
            now=now,
            told_at=one.told_at.astimezone(settings.zone),
            said=one.text,
            draft=draft,
        )
        step = await attempt("wording", partial(_asked, self.model, prompt))
        said = "" if isinstance(step, Failed) else step.value
        return said if keeps_to(said, prompt) else draft


async def _asked(model: LanguageModel, prompt: Begin) -> str:
    outcome = await model.complete(prompt)
    return without_controls(outcome.text).strip() if isinstance(outcome, Replied) else ""


def keeps_to(said: str, prompt: Begin) -> bool:
    """Whether an opening says no more than the facts it was to be made of.

    One short line in the same script; every number, name and quotation stands in the facts; it is
    about them; and it blames nobody.
    """
    facts = f"{prompt.said}\n{prompt.draft}"
    if not has_visible_text(said) or len(said) > LONGEST or "\n" in said or "[" in said:
        return False
    if bool(_HAN.search(said)) != bool(_HAN.search(prompt.draft)):
        return False
    if _GUILT.search(said) or _GUESS.search(said):
        return False
    named = [*_NUMBER.findall(said), *_NAME.findall(said), *_QUOTED.findall(said)]
    about = set(tokens(said)) & set(tokens(facts))
    return all(each in facts for each in named) and bool(about)


def _used(one: Intention, state: MemoryState) -> tuple[Used, ...]:
    """Return what the message rests on, for ``/why``."""
    known = [Used(memory_id=key, score=1.0) for key in one.memory_ids if key in state.memories]
    lines = [each for each in one.message_ids if each in state.diary]
    return (*known, *(Used(memory_id=0, score=1.0, source_ids=(each,)) for each in lines))


def is_kept(begun: Beginning, state: MemoryState) -> bool:
    """Whether nobody stopped or erased it since; the line after a silence has no record yet."""
    one = begun.intention
    return one.kind == "quiet" or state.intentions.get(one.id) == one
