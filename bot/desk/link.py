"""``/link``: one person's chats on two platforms, one memory (DESIGN §9).

A code says which two chats are meant, not that they may be joined: the chat that brought it agrees
first, then the one that gave it out. Of a memory nothing but its size is shown to the other side
before its own side has agreed, so that a stolen code shows nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from bot.conversation.ledger.bindings import Offer
from bot.conversation.linking import (
    Linking,
    StillBusy,
    TooManyGuesses,
    UnknownCode,
    looks_like_a_code,
)
from bot.conversation.messages import ConversationKey
from bot.desk.answers import brief, confirmation_code, law_title, one_sentence
from bot.desk.command import Call, CommandRefused, ParsedArguments
from bot.desk.documents import Block, Button, Buttons, Cell, Document, Facts, Table, Text
from bot.desk.parser import code_token
from bot.desk.services import DeskServices
from bot.texts import Sentence, desk_changes, desk_link
from memory.errors import StoreError, StoreLocked
from memory.merging.arrival import CannotReseal
from memory.merging.union import UnionPlan
from memory.model import Deleted, Tier
from memory.privacy.vault import UnsealFailure
from memory.state import MemoryState

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
        caller=replace(call.caller, place=place),
        given=ParsedArguments(),
        confirmed="",
    )


def chat_name(call: Call, place: ConversationKey, person: str = "") -> str:
    """Return how a chat is called: this one, or whose on which platform."""
    services = call.services
    platform = call.say(services.identities.title(place.platform)) if services else place.platform
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


NO_WORDS: Final = frozenset({"no", "cancel", "stop", "不", "取消", "算了", "否"})

MOST_SHOWN: Final = 8


async def link(call: Call) -> Document:
    """Give out a code; take one; agree, on the side that took it and then where it came from."""
    office = LinkContext.of(call)
    given = call.given.text("code").strip()
    if given.lower() in NO_WORDS:
        return await _withdraw(call, office)
    if given:
        return await _take_code(call, office, given)
    offer = await office.linking.current_offer(office.place)
    if offer is not None and offer.guest == office.place:
        return await _ask_guest(call, office, offer)
    if offer is not None and offer.agreed:
        return await _ask_host(call, office, offer)
    code = await office.linking.offer(office.place, caller_label(call))
    return one_sentence(call, desk_link.NEW_CODE, code=code)


async def _withdraw(call: Call, context: LinkContext) -> Document:
    offer = await context.linking.current_offer(context.place)
    if offer is None or not await context.linking.withdraw(context.place):
        return one_sentence(call, desk_link.NOTHING_TO_WITHDRAW)
    other = offer.host if offer.guest == context.place else offer.guest
    if other is not None:
        there = await call_in_chat(call, context, other)
        where = chat_name(there, context.place, caller_label(call))
        await context.services.show_in(other, one_sentence(there, desk_link.DECLINED, where=where))
    return one_sentence(call, desk_link.WITHDRAWN)


async def _take_code(call: Call, context: LinkContext, code: str) -> Document:
    """Show to whoever brought a code whose chat it came from, and what would become of theirs."""
    if not looks_like_a_code(code):
        raise call.refusal(desk_link.NOT_A_CODE)
    try:
        offer = await context.linking.take(code, context.place, caller_label(call))
    except UnknownCode as error:
        raise call.refusal(desk_link.UNKNOWN_CODE) from error
    except TooManyGuesses as error:
        raise call.refusal(desk_link.TOO_MANY) from error
    if offer.host == context.place:
        raise call.refusal(desk_link.OWN_CODE)
    await _refuse_if_joined(call, context, offer)
    elder, younger = await context.linking.agents_of(offer.host, context.place)
    there, here = [await context.linking.chats(each) for each in (elder, younger)]
    if {chat.platform for chat in there} & {chat.platform for chat in here}:
        await context.linking.withdraw(context.place)
        raise call.refusal(desk_link.SAME_PLATFORM)
    return await _ask_guest(call, context, offer)


async def _refuse_if_joined(call: Call, context: LinkContext, offer: Offer) -> None:
    """Refuse what is one memory already."""
    elder, younger = await context.linking.agents_of(offer.host, _guest_of(offer))
    if elder == younger:
        await context.linking.withdraw(context.place)
        raise call.refusal(desk_link.ALREADY)


async def _ask_guest(call: Call, context: LinkContext, offer: Offer) -> Document:
    """Ask the side that brought the code; once it agreed, ask the other one."""
    await _refuse_if_joined(call, context, offer)
    host = await call_in_chat(call, context, offer.host)
    code = confirmation_code(call.agent_id, offer.digest, offer.host_name)
    if call.confirmed != code:
        return await _guest_preview(call, host, context, offer, code)
    union = await _planned_union(call, context, offer)
    await context.linking.agree(offer)
    asked = await _host_preview(host, context, offer, union)
    reached = await context.services.show_in(offer.host, asked)
    where = chat_name(call, offer.host, offer.host_name)
    lines = [Text(call.say(desk_link.ASKED_THERE, where=where))]
    if not reached:
        lines.append(Text(call.say(desk_link.ASK_YOURSELF)))
    return Document(tuple(lines))


async def _ask_host(call: Call, context: LinkContext, offer: Offer) -> Document:
    """Show the side that gave the code how the two merge; once it agreed, make one of them."""
    await _refuse_if_joined(call, context, offer)
    union = await _planned_union(call, context, offer)
    if call.confirmed != _host_code(offer, union):
        return await _host_preview(call, context, offer, union)
    elder, younger = await context.linking.agents_of(offer.host, _guest_of(offer))
    try:
        await context.linking.join(elder, younger, context.place)
    except StillBusy as error:
        raise call.refusal(desk_link.STILL_BUSY) from error
    except (StoreError, CannotReseal):
        return one_sentence(call, desk_link.JOINED_LATER)
    guest = await call_in_chat(call, context, _guest_of(offer))
    await context.services.show_in(_guest_of(offer), _joined_answer(guest, offer))
    return _joined_answer(call, offer)


def _joined_answer(call: Call, offer: Offer) -> Document:
    one = chat_name(call, offer.host, offer.host_name)
    other = chat_name(call, _guest_of(offer), offer.guest_name)
    return one_sentence(call, desk_link.JOINED, one=one, other=other)


async def _guest_preview(
    call: Call, host: Call, context: LinkContext, offer: Offer, code: str
) -> Document:
    """Return what whoever brought a code is shown: whose it is, and no more than its size."""
    elder, _ = await context.linking.agents_of(offer.host, context.place)
    where = chat_name(call, offer.host, offer.host_name)
    facts = [*size_facts(call, host, where), _settings_fact(call, host, elder, where)]
    secrets = sum(memory.sealed is not None for memory in call.state.memories.values())
    if secrets and elder != call.agent_id:
        facts.append(
            count_fact(call, "sealed", desk_link.SECRETS, desk_link.SECRETS_BECOME, secrets)
        )
    blocks = (
        Text(call.say(desk_link.GUEST_TITLE), title=True),
        Facts(tuple(facts)),
        Text(call.say(desk_link.WHOSE)),
        Text(call.say(desk_link.DETAILS_THERE)),
    )
    return _with_link_buttons(call, blocks, code)


async def _host_preview(
    call: Call, context: LinkContext, offer: Offer, union: UnionPlan
) -> Document:
    """Return how the two memories merge, for the side that gave the code."""
    guest = await call_in_chat(call, context, _guest_of(offer))
    elder, _ = await context.linking.agents_of(offer.host, _guest_of(offer))
    where = chat_name(call, _guest_of(offer), offer.guest_name)
    first = union.id_shift + 1
    numbers = call.say(desk_link.NUMBERS_SHIFT, first=first) if union.id_shift else ""
    facts = [
        *size_facts(call, guest, where),
        _settings_fact(call, guest, elder, where),
        ("moves", call.say(desk_link.MOVES), call.say(desk_link.COUNTED, count=union.came)),
        *(
            count_fact(call, name, label, becomes, count)
            for name, label, becomes, count in (
                ("known", desk_link.SAID_TWICE, desk_link.SAID_TWICE_BECOMES, union.known),
                (
                    "contradict",
                    desk_link.CONTRADICT,
                    desk_link.CONTRADICT_BECOMES,
                    len(union.settled),
                ),
                ("sealed", desk_link.SECRETS, desk_link.SECRETS_BECOME, union.sealed),
                ("erased", desk_link.ERASED_HERE, desk_link.ERASED_STAYS, union.erased),
            )
            if count
        ),
        ("numbers", call.say(desk_link.NUMBERS), numbers or call.say(desk_link.NUMBERS_STAY)),
    ]
    blocks = (
        Text(call.say(desk_link.HOST_TITLE), title=True),
        Facts(tuple(facts)),
        *_contradictions(call, union),
        Text(call.say(desk_link.WHOSE)),
        Text(call.say(desk_link.NO_UNDO)),
    )
    return _with_link_buttons(call, blocks, _host_code(offer, union))


def _settings_fact(call: Call, other: Call, elder: str, where: str) -> tuple[str, str, Cell]:
    """Return whose law and settings hold afterwards."""
    chosen = call if call.agent_id == elder else other
    place = call.caller.place
    here = chat_name(call, place) if place else ""
    told = call.say(
        desk_link.OF_THE_ELDER,
        where=here if chosen is call else where,
        law=law_title(call, chosen.settings.law),
    )
    return ("settings", call.say(desk_link.STAYS), told)


def _contradictions(call: Call, union: UnionPlan) -> Iterator[Block]:
    if union.settled:
        rows = tuple(
            (brief(old.words.text, 60), brief(new.words.text, 60))
            for old, new in union.settled[:MOST_SHOWN]
        )
        columns = (call.say(desk_link.GIVES_WAY), call.say(desk_link.STANDS))
        yield Table(("gives_way", "stands"), columns, rows, name="contradictions")


def _with_link_buttons(call: Call, blocks: tuple[Block, ...], code: str) -> Document:
    stale = (Text(call.say(desk_changes.PREVIEW_CHANGED)),) if call.confirmed else ()
    buttons = (
        Button(call.say(desk_changes.CONFIRM), f"/link {code_token(code)}"),
        Button(call.say(desk_link.NOT_ME), "/link no"),
    )
    return Document((*stale, *blocks, Buttons(buttons)))


async def _planned_union(call: Call, context: LinkContext, offer: Offer) -> UnionPlan:
    elder, younger = await context.linking.agents_of(offer.host, _guest_of(offer))
    try:
        return await context.linking.agents.preview_union(elder, younger)
    except StoreLocked as error:
        raise call.refusal(desk_link.IN_USE) from error
    except CannotReseal as error:
        raise sealed_refusal(call, error) from error


def _guest_of(offer: Offer) -> ConversationKey:
    assert offer.guest is not None, "nobody took the code"  # noqa: S101 - callers have looked
    return offer.guest


def _host_code(offer: Offer, union: UnionPlan) -> str:
    settled = [(old.id, new.id) for old, new in union.settled]
    counts = (union.came, union.known, union.sealed, union.erased, union.id_shift)
    return confirmation_code(offer.digest, str(offer.guest), repr(settled), repr(counts))
