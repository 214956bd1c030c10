"""``/unlink``: let chats that share a memory part, the younger one empty or with a copy."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.conversation.linking import StillBusy
from bot.conversation.messages import ConversationKey
from bot.desk.answers import code_of, said
from bot.desk.command import Call
from bot.desk.documents import Button, Buttons, Document, Text
from bot.desk.linking.office import Office, call_in, known, named, shut
from bot.desk.reading import code_token
from bot.texts import Sentence, desk_link, desk_steer
from memory.background.arriving import StaysShut

WAYS: Final[dict[str, Sentence]] = {
    "empty": desk_link.START_EMPTY,
    "copy": desk_link.WITH_A_COPY,
}


async def unlink(call: Call) -> Document:
    """Ask which chat parts and how; confirmed, let it."""
    office = Office.of(call)
    chats = await office.linking.chats(call.agent_id)
    if len(chats) == 1:
        return said(call, desk_link.NOT_LINKED)
    here = replace(office.place, thread="")
    leaving = (here,) if here != chats[0] else chats[1:]
    which = call.given.number("which", 1 if len(leaving) == 1 else 0)
    if not 1 <= which <= len(leaving):
        return _which(call, leaving)
    chat = leaving[which - 1]
    way = call.given.text("way")
    if not way or call.confirmed != code_of(call.agent_id, str(chat), way):
        return _asking(call, chats[0], chat, which)
    return await _parted(call, office, chats[0], chat, copy=way == "copy")


def _which(call: Call, leaving: Sequence[ConversationKey]) -> Document:
    buttons = tuple(
        Button(_name(call, chat), f"/unlink {number}") for number, chat in enumerate(leaving, 1)
    )
    return Document((Text(call.say(desk_link.WHICH)), Buttons(buttons)))


def _asking(call: Call, stays: ConversationKey, chat: ConversationKey, which: int) -> Document:
    stale = (Text(call.say(desk_steer.PREVIEW_CHANGED)),) if call.confirmed else ()
    staying = call.say(desk_link.UNLINK_STAYS, count=known(call.state), where=_name(call, stays))
    buttons = tuple(
        Button(
            call.say(label),
            f"/unlink {way} {which} {code_token(code_of(call.agent_id, str(chat), way))}",
        )
        for way, label in WAYS.items()
    )
    return Document(
        (
            *stale,
            Text(call.say(desk_link.UNLINK_TITLE, where=_name(call, chat)), title=True),
            Text(staying),
            Text(call.say(desk_link.UNLINK_ASKS)),
            Buttons(buttons),
        )
    )


async def _parted(
    call: Call, office: Office, stays: ConversationKey, chat: ConversationKey, *, copy: bool
) -> Document:
    try:
        await office.linking.part(chat, call.agent_id, office.place, copy=copy)
    except StillBusy as error:
        raise call.refusal(desk_link.STILL_BUSY) from error
    except StaysShut as error:
        raise shut(call, error) from error
    done = desk_link.PARTED_COPY if copy else desk_link.PARTED_EMPTY
    here = replace(office.place, thread="")
    for other in (stays, chat):
        if other != here:
            there = await call_in(call, office, other)
            told = said(there, done, where=_name(there, chat), stays=_name(there, stays))
            await office.premises.tell(other, told)
    return said(call, done, where=_name(call, chat), stays=_name(call, stays))


def _name(call: Call, chat: ConversationKey) -> str:
    place = call.asking.place
    return named(call, place if place and replace(place, thread="") == chat else chat)
