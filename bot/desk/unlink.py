"""``/unlink``: separates chats that share a memory; the younger one starts empty or with a copy.

The memory stays with the chat that was known first (``docs/decisions/walls.md``).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.conversation.linking import StillBusy
from bot.conversation.messages import CHINESE_NAMES, ConversationKey
from bot.desk import parser
from bot.desk.answers import confirmation_code, one_sentence, stale_note
from bot.desk.command import Argument, Call, Example, Policy, Spec
from bot.desk.documents import Button, Buttons, Document, Text
from bot.desk.link import LinkContext, call_in_chat, chat_name, memory_count, sealed_refusal
from bot.desk.parser import code_token
from bot.texts import Sentence, desk_link
from memory.merging.arrival import CannotReseal

WAYS: Final[dict[str, Sentence]] = {
    "empty": desk_link.START_EMPTY,
    "copy": desk_link.WITH_A_COPY,
}


async def unlink(call: Call) -> Document:
    """Ask which chat leaves and how; carry it out once confirmed."""
    context = LinkContext.of(call)
    # The oldest chat comes first: it keeps the memory and cannot leave.
    chats = await context.linking.chats(call.agent_id)
    if len(chats) == 1:
        return one_sentence(call, desk_link.NOT_LINKED)
    here = replace(context.place, thread="")
    leaving = (here,) if here != chats[0] else chats[1:]
    which = call.given.number("which", 1 if len(leaving) == 1 else 0)
    if not 1 <= which <= len(leaving):
        return _ask_which(call, leaving)
    chat = leaving[which - 1]
    way = call.given.text("way")
    if not way or call.confirmed != confirmation_code(call.agent_id, str(chat), way):
        return _unlink_preview(call, chats[0], chat, which)
    return await _separate(call, context, chats[0], chat, copy=way == "copy")


def _ask_which(call: Call, leaving: Sequence[ConversationKey]) -> Document:
    buttons = tuple(
        Button(_name_of_chat(call, chat), f"/unlink {number}")
        for number, chat in enumerate(leaving, 1)
    )
    return Document((Text(call.say(desk_link.WHICH)), Buttons(buttons, choice=True)))


def _unlink_preview(
    call: Call, stays: ConversationKey, chat: ConversationKey, which: int
) -> Document:
    staying = call.say(
        desk_link.UNLINK_STAYS, count=memory_count(call.state), where=_name_of_chat(call, stays)
    )
    buttons = tuple(
        Button(
            call.say(label),
            f"/unlink {way} {which} {code_token(code)}",
        )
        for way, label in WAYS.items()
        for code in (confirmation_code(call.agent_id, str(chat), way),)
    )
    return Document(
        (
            *stale_note(call),
            Text(call.say(desk_link.UNLINK_TITLE, where=_name_of_chat(call, chat)), title=True),
            Text(staying),
            Text(call.say(desk_link.UNLINK_ASKS)),
            Buttons(buttons, choice=True),
        )
    )


async def _separate(
    call: Call, context: LinkContext, stays: ConversationKey, chat: ConversationKey, *, copy: bool
) -> Document:
    try:
        await context.linking.separate(chat, call.agent_id, context.place, copy=copy)
    except StillBusy as error:
        raise call.refusal(desk_link.STILL_BUSY) from error
    except CannotReseal as error:
        raise sealed_refusal(call, error) from error
    done = desk_link.PARTED_COPY if copy else desk_link.PARTED_EMPTY
    here = replace(context.place, thread="")
    for other in (stays, chat):
        if other != here:
            there = await call_in_chat(call, context, other)
            answer = one_sentence(
                there, done, where=_name_of_chat(there, chat), stays=_name_of_chat(there, stays)
            )
            await context.services.show_in(other, answer)
    return one_sentence(
        call, done, where=_name_of_chat(call, chat), stays=_name_of_chat(call, stays)
    )


def _name_of_chat(call: Call, chat: ConversationKey) -> str:
    place = call.caller.place
    return chat_name(call, place if place and replace(place, thread="") == chat else chat)


SPEC: Final = Spec(
    name="unlink",
    parent="",
    chinese=CHINESE_NAMES["unlink"],
    policy=Policy.BIND,
    help=desk_link.UNLINK,
    run=unlink,
    arguments=(
        parser.WAY,
        Argument(name="which", shown=desk_link.A_NUMBER, kind="number", required=False),
    ),
    examples=(Example("/解除关联", "/unlink"),),
)
