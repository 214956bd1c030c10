"""``/link``: joins the private chats of one person on two platforms into one memory.

A code says which two chats are meant, not that they may be joined: the chat that brought the code
agrees first, then the chat that gave it out. Until its own side has agreed, nothing of a memory
but its size is shown to the other side, so that a stolen code shows nothing. Why it takes two
confirmations is in ``docs/decisions/walls.md``.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.conversation.ledger.ledger import Offer
from bot.conversation.linking import (
    Linking,
    StillBusy,
    TooManyGuesses,
    UnknownCode,
    looks_like_a_code,
)
from bot.conversation.messages import ConversationKey
from bot.desk import answers
from bot.desk.command import Call, CommandRefused, ParsedArguments
from bot.desk.documents import Block, Button, Buttons, Cell, Document, Facts, Table, Text
from bot.desk.parser import code_token
from bot.desk.services import DeskServices
from bot.texts import Sentence, desk_changes, desk_link
from memory.errors import StoreError, StoreLocked
from memory.merging.arrival import CannotReseal
from memory.merging.union import UnionPlan
from memory.model import Deleted, Memory, Tier
from memory.privacy.vault import UnsealFailure
from memory.state import MemoryState

LONGEST_NAME: Final = 24

# Parentheses are for the id alone, and the marks that turn the direction of writing could show an
# id backwards.
_MISLEADING: Final = re.compile("[()（）\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""The characters with which a name could pretend to be an id."""


@dataclass(frozen=True, slots=True)
class LinkContext:
    """What ``/link`` and ``/unlink`` work with: the chat they were given in, and the linking."""

    place: ConversationKey
    linking: Linking
    services: DeskServices

    @classmethod
    def of(cls, call: Call) -> "LinkContext":
        """Return the context of a call. Raises :class:`CommandRefused` outside a chat."""
        services, place = call.services, call.caller.place
        if services is None or services.linking is None or place is None:
            raise call.refusal(desk_link.ONLY_IN_A_CHAT)
        return cls(place, services.linking, services)


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinPlan:
    """Who would be joined: the two sides of an offer and their agents, read once per command.

    ``host`` gave out the code and ``guest`` brought it; each is the call as that side would see
    it, in its language. The ``older`` agent is kept and the ``younger`` one moves into it.
    """

    offer: Offer
    older: str
    younger: str
    host: Call
    guest: Call
    guest_place: ConversationKey


def caller_label(call: Call) -> str:
    """Return who gave the command, for the other side to see: the name and the whole id.

    A name proves nothing, so the id stands beside it. The name is cut, and loses whatever could
    make it look like an id.
    """
    _, _, number = call.caller.person.partition(":")
    name = answers.brief(_MISLEADING.sub(" ", call.caller.name), LONGEST_NAME)
    return f"{name} ({number})" if name else number


async def call_in_chat(
    call: Call, context: LinkContext, place: ConversationKey, agent_id: str = ""
) -> Call:
    """Return the call as if it were given in another chat: with its memory and its language.

    ``agent_id`` is the agent of that chat, as far as the caller has looked it up already.
    """
    if not agent_id:
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
    """Return what a chat is called: this chat, or whose chat on which platform."""
    services = call.services
    platform = (
        call.say(services.ledger.identities.title(place.platform)) if services else place.platform
    )
    if place == call.caller.place:
        return call.say(desk_link.THIS_CHAT, platform=platform)
    if not person:
        return platform
    return call.say(desk_link.THAT_CHAT, platform=platform, person=person)


def memory_count(state: MemoryState) -> int:
    """Return the number of memories, without names and without hidden ones."""
    return sum(
        memory.nature.tier is not Tier.ENTITY and not isinstance(memory.standing, Deleted)
        for memory in state.memories.values()
    )


def size_facts(call: Call, other: Call, where: str) -> Iterator[tuple[str, str, Cell]]:
    """Yield how many memories there are on the other side and on this one."""
    for key, label, state, name in (
        ("there", desk_link.THERE, other.state, where),
        ("here", desk_link.HERE, call.state, ""),
    ):
        count = call.say(desk_link.COUNTED, count=memory_count(state))
        yield key, call.say(label), f"{name} · {count}" if name else count


def count_fact(
    call: Call, name: str, label: Sentence, becomes: Sentence, count: int
) -> tuple[str, str, Cell]:
    """Return the line that says what becomes of ``count`` memories."""
    return (name, call.say(label), call.say(becomes, count=count))


def sealed_refusal(call: Call, error: CannotReseal) -> CommandRefused:
    """Return the refusal that says why secrets cannot be sealed again, and what to do."""
    if error.why is UnsealFailure.NO_KEY:
        return call.refusal(desk_link.SHUT_NO_KEY)
    return call.refusal(desk_link.SHUT_OTHER, why=error.why.value)


NO_WORDS: Final = frozenset({"no", "cancel", "stop", "不", "取消", "算了", "否"})

MOST_SHOWN: Final = 8


async def link(call: Call) -> Document:
    """Give out a code, take one, or agree: first where it was taken, then where it came from."""
    context = LinkContext.of(call)
    given = call.given.text("code").strip()
    if given.lower() in NO_WORDS:
        return await _withdraw(call, context)
    if given:
        return await _take_code(call, context, given)
    offer = await context.linking.current_offer(context.place)
    if offer is not None and offer.guest == context.place:
        return await _ask_guest(context, await _join_plan(call, context, offer))
    if offer is not None and offer.agreed:
        return await _ask_host(context, await _join_plan(call, context, offer))
    code = await context.linking.offer(context.place, caller_label(call))
    return answers.one_sentence(call, desk_link.NEW_CODE, code=code)


async def _withdraw(call: Call, context: LinkContext) -> Document:
    offer = await context.linking.current_offer(context.place)
    if offer is None or not await context.linking.withdraw(context.place):
        return answers.one_sentence(call, desk_link.NOTHING_TO_WITHDRAW)
    other = offer.host if offer.guest == context.place else offer.guest
    if other is not None:
        there = await call_in_chat(call, context, other)
        where = chat_name(there, context.place, caller_label(call))
        await context.services.show_in(
            other, answers.one_sentence(there, desk_link.DECLINED, where=where)
        )
    return answers.one_sentence(call, desk_link.WITHDRAWN)


async def _take_code(call: Call, context: LinkContext, code: str) -> Document:
    """Take a code, and show whose chat it came from and what would become of this side."""
    # A word that cannot be a code is no guess: typing errors do not use up the few guesses.
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
    plan = await _join_plan(call, context, offer)
    older, younger = [await context.linking.chats(each) for each in (plan.older, plan.younger)]
    # Two accounts on one platform are most likely two people: the code is void at once.
    if {chat.platform for chat in older} & {chat.platform for chat in younger}:
        await context.linking.withdraw(context.place)
        raise call.refusal(desk_link.SAME_PLATFORM)
    return await _ask_guest(context, plan)


async def _join_plan(call: Call, context: LinkContext, offer: Offer) -> JoinPlan:
    """Return who would be joined. Raises :class:`CommandRefused` if they are joined already."""
    # A plan is made only after somebody took the code, who is then the guest.
    guest_place = offer.guest or context.place
    older, younger = await context.linking.agents_of(offer.host, guest_place)
    if older == younger:
        await context.linking.withdraw(context.place)
        raise call.refusal(desk_link.ALREADY)
    other_agent = younger if call.agent_id == older else older
    if context.place == offer.host:
        guest = await call_in_chat(call, context, guest_place, other_agent)
        sides = (call, guest)
    else:
        sides = (await call_in_chat(call, context, offer.host, other_agent), call)
    return JoinPlan(
        offer=offer,
        older=older,
        younger=younger,
        host=sides[0],
        guest=sides[1],
        guest_place=guest_place,
    )


async def _ask_guest(context: LinkContext, plan: JoinPlan) -> Document:
    """Ask the side that brought the code; once it agreed, ask the other one."""
    call, offer = plan.guest, plan.offer
    code = answers.confirmation_code(call.agent_id, offer.digest, offer.host_name)
    if call.confirmed != code:
        return _guest_preview(plan, code)
    # Before the guest's yes is noted: what cannot be joined (a lost key, a memory in use) is
    # found out while nothing has been promised.
    union = await _planned_union(call, context, plan)
    await context.linking.agree(offer)
    reached = await context.services.show_in(offer.host, _host_preview(plan, union))
    where = chat_name(call, offer.host, offer.host_name)
    lines = [Text(call.say(desk_link.ASKED_THERE, where=where))]
    if not reached:
        lines.append(Text(call.say(desk_link.ASK_YOURSELF)))
    return Document(tuple(lines))


async def _ask_host(context: LinkContext, plan: JoinPlan) -> Document:
    """Show the side that gave the code how the two merge; once it agreed, join them."""
    call = plan.host
    union = await _planned_union(call, context, plan)
    if call.confirmed != _host_code(plan.offer, union):
        return _host_preview(plan, union)
    try:
        await context.linking.join(plan.older, plan.younger, context.place)
    except StillBusy as error:
        raise call.refusal(desk_link.STILL_BUSY) from error
    except (StoreError, CannotReseal):
        # The decision is in the ledger by now, and the next start carries it out.
        return answers.one_sentence(call, desk_link.JOINED_LATER)
    # Looked up again: the guest's chat belongs to the older agent now.
    guest = await call_in_chat(call, context, plan.guest_place)
    await context.services.show_in(plan.guest_place, _joined_answer(guest, plan))
    return _joined_answer(call, plan)


def _joined_answer(call: Call, plan: JoinPlan) -> Document:
    one = chat_name(call, plan.offer.host, plan.offer.host_name)
    other = chat_name(call, plan.guest_place, plan.offer.guest_name)
    return answers.one_sentence(call, desk_link.JOINED, one=one, other=other)


def _guest_preview(plan: JoinPlan, code: str) -> Document:
    """Return what the guest is shown of the host: whose chat it is, and no more than its size."""
    call = plan.guest
    where = chat_name(call, plan.offer.host, plan.offer.host_name)
    facts = [*size_facts(call, plan.host, where), _settings_fact(call, plan.host, plan, where)]
    secrets = sum(memory.sealed is not None for memory in call.state.memories.values())
    if secrets and plan.older != call.agent_id:
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


def _host_preview(plan: JoinPlan, union: UnionPlan) -> Document:
    """Return how the two memories merge, for the side that gave the code."""
    call = plan.host
    where = chat_name(call, plan.guest_place, plan.offer.guest_name)
    first = union.id_shift + 1
    numbers = call.say(desk_link.NUMBERS_SHIFT, first=first) if union.id_shift else ""
    facts = [
        *size_facts(call, plan.guest, where),
        _settings_fact(call, plan.guest, plan, where),
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
    return _with_link_buttons(call, blocks, _host_code(plan.offer, union))


def _settings_fact(call: Call, other: Call, plan: JoinPlan, where: str) -> tuple[str, str, Cell]:
    """Return whose law and settings hold afterwards."""
    chosen = call if call.agent_id == plan.older else other
    place = call.caller.place
    here = chat_name(call, place) if place else ""
    value = call.say(
        desk_link.OF_THE_ELDER,
        where=here if chosen is call else where,
        law=answers.law_title(call, chosen.settings.law),
    )
    return ("settings", call.say(desk_link.STAYS), value)


def _contradictions(call: Call, union: UnionPlan) -> Iterator[Block]:
    def table(settled: Sequence[tuple[Memory, Memory]]) -> Table:
        rows = tuple(
            tuple(answers.brief(each.words.text, answers.PREVIEW_LENGTH) for each in pair)
            for pair in settled
        )
        columns = (call.say(desk_link.GIVES_WAY), call.say(desk_link.STANDS))
        return Table(("gives_way", "stands"), columns, rows, name="contradictions")

    yield from answers.first_of(call, union.settled, table, MOST_SHOWN)


def _with_link_buttons(call: Call, blocks: tuple[Block, ...], code: str) -> Document:
    buttons = (
        Button(call.say(desk_changes.CONFIRM), f"/link {code_token(code)}"),
        Button(call.say(desk_link.NOT_ME), "/link no"),
    )
    return Document((*answers.stale_note(call), *blocks, Buttons(buttons, choice=True)))


async def _planned_union(call: Call, context: LinkContext, plan: JoinPlan) -> UnionPlan:
    """Return how the two memories would merge. Raises :class:`CommandRefused` if they cannot."""
    try:
        return await context.linking.agents.preview_union(plan.older, plan.younger)
    except StoreLocked as error:
        raise call.refusal(desk_link.IN_USE) from error
    except CannotReseal as error:
        raise sealed_refusal(call, error) from error


def _host_code(offer: Offer, union: UnionPlan) -> str:
    """Return the code that confirms this union; it changes with whatever the preview counts."""
    settled = [(old.id, new.id) for old, new in union.settled]
    counts = (union.came, union.known, union.sealed, union.erased, union.id_shift)
    return answers.confirmation_code(offer.digest, str(offer.guest), repr(settled), repr(counts))
