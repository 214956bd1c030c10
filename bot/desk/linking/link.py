"""``/link``: one person's chats on two platforms, one memory (DESIGN §9).

A code says which two chats are meant, not that they may be joined: the chat that brought it agrees
first, then the one that gave it out. Of a memory nothing but its size is shown to the other side
before its own side has agreed, so that a stolen code shows nothing.
"""

from collections.abc import Iterator
from typing import Final

from bot.conversation.ledger.links import Offer
from bot.conversation.linking import (
    StillBusy,
    TooManyGuesses,
    UnknownCode,
    looks_like_a_code,
)
from bot.conversation.messages import ConversationKey
from bot.desk.answers import code_of, said
from bot.desk.command import Call
from bot.desk.documents import Block, Button, Buttons, Cell, Document, Facts, Table, Text
from bot.desk.linking.office import Office, call_in, fact, named, person_of, shut, sides
from bot.desk.look import brief
from bot.desk.reading import code_token
from bot.desk.words import LAWS
from bot.texts import desk_link, desk_steer
from memory.background.arriving import StaysShut
from memory.background.uniting import Union
from memory.errors import StoreError, StoreLocked

NO: Final = frozenset({"no", "cancel", "stop", "不", "取消", "算了", "否"})
SHOWN: Final = 8


async def link(call: Call) -> Document:
    """Give out a code; take one; agree, on the side that took it and then where it came from."""
    office = Office.of(call)
    given = call.given.text("code").strip()
    if given.lower() in NO:
        return await _withdrawn(call, office)
    if given:
        return await _brought(call, office, given)
    offer = await office.linking.standing(office.place)
    if offer is not None and offer.guest == office.place:
        return await _guest(call, office, offer)
    if offer is not None and offer.agreed:
        return await _host(call, office, offer)
    code = await office.linking.offer(office.place, person_of(call))
    return said(call, desk_link.NEW_CODE, code=code)


async def _withdrawn(call: Call, office: Office) -> Document:
    offer = await office.linking.standing(office.place)
    if offer is None or not await office.linking.withdraw(office.place):
        return said(call, desk_link.NOTHING_TO_WITHDRAW)
    other = offer.host if offer.guest == office.place else offer.guest
    if other is not None:
        there = await call_in(call, office, other)
        where = named(there, office.place, person_of(call))
        await office.premises.tell(other, said(there, desk_link.DECLINED, where=where))
    return said(call, desk_link.WITHDRAWN)


async def _brought(call: Call, office: Office, code: str) -> Document:
    """Show to whoever brought a code whose chat it came from, and what would become of theirs."""
    if not looks_like_a_code(code):
        raise call.refusal(desk_link.NOT_A_CODE)
    try:
        offer = await office.linking.take(code, office.place, person_of(call))
    except UnknownCode as error:
        raise call.refusal(desk_link.UNKNOWN_CODE) from error
    except TooManyGuesses as error:
        raise call.refusal(desk_link.TOO_MANY) from error
    if offer.host == office.place:
        raise call.refusal(desk_link.OWN_CODE)
    await _still_two(call, office, offer)
    elder, younger = await office.linking.agents_of(offer.host, office.place)
    there, here = [await office.linking.chats(each) for each in (elder, younger)]
    if {chat.platform for chat in there} & {chat.platform for chat in here}:
        await office.linking.withdraw(office.place)
        raise call.refusal(desk_link.SAME_PLATFORM)
    return await _guest(call, office, offer)


async def _still_two(call: Call, office: Office, offer: Offer) -> None:
    """Refuse what is one memory already."""
    elder, younger = await office.linking.agents_of(offer.host, _guest_of(offer))
    if elder == younger:
        await office.linking.withdraw(office.place)
        raise call.refusal(desk_link.ALREADY)


async def _guest(call: Call, office: Office, offer: Offer) -> Document:
    """Ask the side that brought the code; once it agreed, ask the other one."""
    await _still_two(call, office, offer)
    host = await call_in(call, office, offer.host)
    code = code_of(call.agent_id, offer.digest, offer.host_name)
    if call.confirmed != code:
        return await _for_guest(call, host, office, offer, code)
    union = await _union(call, office, offer)
    await office.linking.agree(offer)
    asked = await _for_host(host, office, offer, union)
    reached = await office.premises.tell(offer.host, asked)
    where = named(call, offer.host, offer.host_name)
    lines = [Text(call.say(desk_link.ASKED_THERE, where=where))]
    if not reached:
        lines.append(Text(call.say(desk_link.ASK_YOURSELF)))
    return Document(tuple(lines))


async def _host(call: Call, office: Office, offer: Offer) -> Document:
    """Show the side that gave the code how the two merge; once it agreed, make one of them."""
    await _still_two(call, office, offer)
    union = await _union(call, office, offer)
    if call.confirmed != _host_code(offer, union):
        return await _for_host(call, office, offer, union)
    elder, younger = await office.linking.agents_of(offer.host, _guest_of(offer))
    try:
        await office.linking.join(elder, younger, office.place)
    except StillBusy as error:
        raise call.refusal(desk_link.STILL_BUSY) from error
    except (StoreError, StaysShut):
        return said(call, desk_link.JOINED_LATER)
    guest = await call_in(call, office, _guest_of(offer))
    await office.premises.tell(_guest_of(offer), _joined(guest, offer))
    return _joined(call, offer)


def _joined(call: Call, offer: Offer) -> Document:
    one = named(call, offer.host, offer.host_name)
    other = named(call, _guest_of(offer), offer.guest_name)
    return said(call, desk_link.JOINED, one=one, other=other)


async def _for_guest(call: Call, host: Call, office: Office, offer: Offer, code: str) -> Document:
    """Return what whoever brought a code is shown: whose it is, and no more than its size."""
    elder, _ = await office.linking.agents_of(offer.host, office.place)
    where = named(call, offer.host, offer.host_name)
    facts = [*sides(call, host, where), _stays(call, host, elder, where)]
    secrets = sum(memory.sealed is not None for memory in call.state.memories.values())
    if secrets and elder != call.agent_id:
        facts.append(fact(call, "sealed", desk_link.SECRETS, desk_link.SECRETS_BECOME, secrets))
    blocks = (
        Text(call.say(desk_link.GUEST_TITLE), title=True),
        Facts(tuple(facts)),
        Text(call.say(desk_link.WHOSE)),
        Text(call.say(desk_link.DETAILS_THERE)),
    )
    return _asking(call, blocks, code)


async def _for_host(call: Call, office: Office, offer: Offer, union: Union) -> Document:
    """Return how the two memories merge, for the side that gave the code."""
    guest = await call_in(call, office, _guest_of(offer))
    elder, _ = await office.linking.agents_of(offer.host, _guest_of(offer))
    where = named(call, _guest_of(offer), offer.guest_name)
    first = union.shift + 1
    numbers = call.say(desk_link.NUMBERS_SHIFT, first=first) if union.shift else ""
    facts = [
        *sides(call, guest, where),
        _stays(call, guest, elder, where),
        ("moves", call.say(desk_link.MOVES), call.say(desk_link.COUNTED, count=union.came)),
        *(
            fact(call, name, label, becomes, count)
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
    return _asking(call, blocks, _host_code(offer, union))


def _stays(call: Call, other: Call, elder: str, where: str) -> tuple[str, str, Cell]:
    """Return whose law and settings hold afterwards."""
    chosen = call if call.agent_id == elder else other
    place = call.asking.place
    here = named(call, place) if place else ""
    told = call.say(
        desk_link.OF_THE_ELDER,
        where=here if chosen is call else where,
        law=call.say(LAWS[chosen.settings.law]),
    )
    return ("settings", call.say(desk_link.STAYS), told)


def _contradictions(call: Call, union: Union) -> Iterator[Block]:
    if union.settled:
        rows = tuple(
            (brief(old.words.text, 60), brief(new.words.text, 60))
            for old, new in union.settled[:SHOWN]
        )
        columns = (call.say(desk_link.GIVES_WAY), call.say(desk_link.STANDS))
        yield Table(("gives_way", "stands"), columns, rows, name="contradictions")


def _asking(call: Call, blocks: tuple[Block, ...], code: str) -> Document:
    stale = (Text(call.say(desk_steer.PREVIEW_CHANGED)),) if call.confirmed else ()
    buttons = (
        Button(call.say(desk_steer.CONFIRM), f"/link {code_token(code)}"),
        Button(call.say(desk_link.NOT_ME), "/link no"),
    )
    return Document((*stale, *blocks, Buttons(buttons)))


async def _union(call: Call, office: Office, offer: Offer) -> Union:
    elder, younger = await office.linking.agents_of(offer.host, _guest_of(offer))
    try:
        return await office.linking.agents.union(elder, younger)
    except StoreLocked as error:
        raise call.refusal(desk_link.IN_USE) from error
    except StaysShut as error:
        raise shut(call, error) from error


def _guest_of(offer: Offer) -> ConversationKey:
    assert offer.guest is not None, "nobody took the code"  # noqa: S101 - callers have looked
    return offer.guest


def _host_code(offer: Offer, union: Union) -> str:
    settled = [(old.id, new.id) for old, new in union.settled]
    counts = (union.came, union.known, union.sealed, union.erased, union.shift)
    return code_of(offer.digest, str(offer.guest), repr(settled), repr(counts))
