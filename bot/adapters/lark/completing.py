"""What an event does not tell: names, whose message is answered, what was forwarded.

Asked for before a message is taken, since it decides whether she is asked; within a time that
leaves most of the three seconds, and without it if Lark does not tell.
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final, TypeAlias

from bot.adapters.lark.directory import Directory
from bot.adapters.lark.reading import LarkMessage, LarkReader, short_name
from bot.conversation.commands import read_command
from bot.conversation.messages import Incoming
from bot.conversation.perceiving import DOCUMENT, FILE_MESSAGE, FILE_NAME

CompletionStep: TypeAlias = Callable[[Incoming, LarkMessage], Awaitable[Incoming]]

LOOKUP_SECONDS: Final = 0.5
"""So long one question may take; there are at most four, and none after one that failed."""

QUOTED_CHARACTERS: Final = 4_000
"""So many characters of other people's words come along."""


class MessageCompleter:
    """Complete messages with what Lark tells about them."""

    def __init__(self, reader: LarkReader, directory: Directory) -> None:
        self._reader = reader
        self._directory = directory

    async def complete(self, spoken: LarkMessage) -> Incoming:
        """Return the message with names, with what it quotes, and meant for her if it is."""
        for person, name in spoken.known_names:
            self._directory.record_name(person, name)
        incoming = spoken.incoming
        if spoken.parent:
            incoming = await self._try_step(self._add_replied_message, incoming, spoken)
        if spoken.is_bundle:
            incoming = await self._try_step(self._add_bundle, incoming, spoken)
        return await self._try_step(self._add_sender_name, incoming, spoken)

    async def _add_replied_message(self, incoming: Incoming, spoken: LarkMessage) -> Incoming:
        """Return an answer with the words it answers to; to hers, it is meant for her.

        The first message of a thread is an answer to the thread's root: everybody sees that, and
        it is quoted no more.
        """
        found = await self._directory.fetch_messages(spoken.parent)
        if not found:
            return incoming
        hers = found[0]["sender"]["id"] in {self._reader.app_id, self._reader.open_id}
        words = "" if spoken.starts_thread or incoming.quoted else self._text_of(found[0])
        return replace(
            incoming,
            addressed=incoming.addressed or hers,
            quoted=incoming.quoted or words[:QUOTED_CHARACTERS],
            raw={**incoming.raw, **_replied_file(found[0], incoming.text)},
        )

    async def _add_bundle(self, incoming: Incoming, spoken: LarkMessage) -> Incoming:
        """Return a bundle with the messages in it, a line each with its speaker."""
        del spoken
        lines = []
        for each in await self._directory.fetch_messages(incoming.dedupe_key):
            if each["message_id"] != incoming.dedupe_key:
                person = str(each["sender"]["id"])
                name = self._directory.known_name(person) or short_name(person)
                lines.append(f"{name}：{self._text_of(each)}")
        return replace(incoming, quoted="\n".join(lines)[:QUOTED_CHARACTERS])

    async def _add_sender_name(self, incoming: Incoming, spoken: LarkMessage) -> Incoming:
        del spoken
        sender, chat = incoming.sender, incoming.conversation.chat
        name = await self._directory.fetch_name(sender.id, chat, private=incoming.private)
        return replace(incoming, sender=replace(sender, name=name)) if name else incoming

    def _text_of(self, told: dict[str, Any]) -> str:
        """Return what a fetched message says; nothing for one that nobody can read."""
        try:
            return self._reader.message_text(told)
        except (KeyError, TypeError, ValueError, AttributeError):
            return ""

    async def _try_step(
        self, step: CompletionStep, incoming: Incoming, spoken: LarkMessage
    ) -> Incoming:
        """Return what a step makes of a message, the message as it is if it makes nothing."""
        return await self._directory.ask_or_default(
            LOOKUP_SECONDS, lambda: step(incoming, spoken), incoming
        )


def _replied_file(told: dict[str, Any], said: str) -> dict[str, object]:
    """Return what is needed to fetch the file that a command answers to."""
    if told.get("msg_type") != "file" or read_command(said) is None:
        return {}
    try:
        content = json.loads(told["body"]["content"])
        key, name = str(content["file_key"]), str(content.get("file_name", ""))
    except (KeyError, TypeError, ValueError):
        return {}
    return {DOCUMENT: key, FILE_NAME: name, FILE_MESSAGE: str(told["message_id"])}
