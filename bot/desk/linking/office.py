"""What ``/link`` and ``/unlink`` share: where they reach, and how chats are named."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from bot.conversation.linking import Linking
from bot.conversation.messages import ConversationKey
from bot.desk.command import Call, CommandRefused, ParsedArguments
from bot.desk.documents import Cell
from bot.desk.look import brief
from bot.desk.premises import DeskServices
from bot.texts import Sentence, desk_link
from memory.background.arriving import CannotReseal
from memory.model import Deleted, Tier
from memory.state import MemoryState
from memory.vault import UnsealFailure

PLATFORM_NAMES: Final[dict[str, Sentence]] = {
    "telegram": desk_link.TELEGRAM,
    "lark": desk_link.LARK,
    "console": desk_link.TERMINAL,
}
LONGEST_NAME: Final = 24

_MISLEADING: Final = re.compile("[()（）\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What a name could pretend to be an id with: brackets, and what turns the order of letters."""


@dataclass(frozen=True, slots=True)
class LinkContext:
    """What the two commands reach: where they were given, and who can join chats."""

    place: ConversationKey
    linking: Linking
    services: DeskServices

    @classmethod
    def of(cls, call: Call) -> "LinkContext":
        """Return it; refuses outside a chat, where there is nothing to join."""
        premises, place = call.services, call.caller.place
        if premises is None or premises.linking is None or place is None:
            raise call.refusal(desk_link.ONLY_IN_A_CHAT)
        return cls(place, premises.linking, premises)


def caller_label(call: Call) -> str:
    """Return who asks, for showing: a name proves nothing, so the id stands beside it, whole.

    Of the name only so much is shown, and nothing of it in brackets: those are for the id.
    """
    _, _, number = call.caller.person.partition(":")
    name = brief(_MISLEADING.sub(" ", call.caller.name), LONGEST_NAME)
    return f"{name} ({number})" if name else number


async def call_in_chat(call: Call, context: LinkContext, place: ConversationKey) -> Call:
    """Return the call as if it were given in another chat: its memory, its language."""
    agent_id, _ = await context.linking.agents_of(place, place)
    agent = await context.linking.agents.get(agent_id)
    return replace(
        call,
        agent_id=agent_id,
        state=agent.state,
        agent=agent,
        asking=replace(call.caller, place=place),
        given=ParsedArguments(),
        confirmed="",
    )


def chat_name(call: Call, place: ConversationKey, person: str = "") -> str:
    """Return how a chat is called: this one, or whose on which platform."""
    platform = call.say(PLATFORM_NAMES[place.platform])
    if place == call.caller.place:
        return call.say(desk_link.THIS_CHAT, platform=platform)
    if not person:
        return platform
    return call.say(desk_link.THAT_CHAT, platform=platform, person=person)


def memory_count(state: MemoryState) -> int:
    """Return how many memories there are, names and what was put away left out."""
    return sum(
        memory.nature.tier is not Tier.ENTITY and not isinstance(memory.standing, Deleted)
        for memory in state.memories.values()
    )


def size_facts(call: Call, other: Call, where: str) -> Iterator[tuple[str, str, Cell]]:
    """Yield how much is known over there and here."""
    for key, label, state, name in (
        ("there", desk_link.THERE, other.state, where),
        ("here", desk_link.HERE, call.state, ""),
    ):
        count = call.say(desk_link.COUNTED, count=memory_count(state))
        yield key, call.say(label), f"{name} · {count}" if name else count


def count_fact(
    call: Call, name: str, label: Sentence, becomes: Sentence, count: int
) -> tuple[str, str, Cell]:
    """Return what becomes of so many memories."""
    return (name, call.say(label), call.say(becomes, count=count))


def sealed_refusal(call: Call, error: CannotReseal) -> CommandRefused:
    """Return the refusal that says why secrets cannot be sealed anew, and what to do."""
    if error.why is UnsealFailure.NO_KEY:
        return call.refusal(desk_link.SHUT_NO_KEY)
    return call.refusal(desk_link.SHUT_OTHER, why=error.why.value)
