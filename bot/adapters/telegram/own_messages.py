"""Which messages are the bot's own: by their ids, and of what another message shows.

By what is known of the ids one whose answer got lost is found.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from telegram import Message

from bot.adapters.telegram import NAME
from bot.adapters.telegram.api import SUPERGROUP, key_of, message_of, placed_message
from bot.conversation.media import HERS, QUOTED_OF

OWN_KEPT: Final = 64
"""How many of the bot's newest messages are known of each chat."""

HEARD_KEPT: Final = 256
"""How many of the newest messages, whoever wrote them, are known of those counted together."""


class OwnMessages:
    """The ids of the newest messages that are known to be the bot's, chat by chat.

    Telegram counts the messages of each supergroup apart, and those of all other chats together:
    what anybody writes tells how far it has come, and which ids are no message of the bot's.
    """

    def __init__(self) -> None:
        self._ids: dict[int, deque[int]] = {}
        self._heard: dict[int, deque[int]] = {}
        self._newest: dict[int, int] = {}

    def note(self, chat: int, message: int) -> None:
        """Note that a message is the bot's."""
        self._ids.setdefault(chat, deque(maxlen=OWN_KEPT)).append(message)
        self.note_any(chat, message)

    def note_any(self, chat: int, message: int) -> None:
        """Note that there is a message, whoever wrote it."""
        counted = _counted_with(chat)
        self._heard.setdefault(counted, deque(maxlen=HEARD_KEPT)).append(message)
        self._newest[counted] = max(message, self._newest.get(counted, 0))

    def unknown(self, chat: int, after: int, beyond: int) -> Iterator[int]:
        """Yield the ids after one of which it is not known whose messages they are.

        Up to the newest that is known, and so many ``beyond`` it.
        """
        candidate = after
        # Asked anew each time: what people wrote may be heard only while the first are tried.
        while candidate < max(after, self.newest(chat)) + beyond:
            candidate += 1
            heard = self._heard.get(_counted_with(chat), ())
            if candidate not in self._ids.get(chat, ()) and candidate not in heard:
                yield candidate

    def newest(self, chat: int) -> int:
        """Return the newest id among those that Telegram counts with the chat's; 0 for none."""
        return self._newest.get(_counted_with(chat), 0)


def _counted_with(chat: int) -> int:
    """Return by what the messages of a chat are counted: itself, or 0 for all that share one."""
    return chat if str(chat).startswith(SUPERGROUP) else 0


_DOUBT: Final = "?"


def doubt_key(chat: int, after: int) -> str:
    """Return what stands for a message that may have been sent after the one with this id."""
    return key_of(chat, after, _DOUBT)


def doubted_after(key: str) -> int | None:
    """Return the id after which a message may have been sent; None if the key is no doubt."""
    return message_of(key) if key.endswith(f":{_DOUBT}") else None


LOST_PLACE: Final = 1_000_000
"""Where, behind all the messages of an answer, stands what :func:`lost_key` returns."""

_LOST: Final = "??"


def lost_key(chat: int, after: int) -> str:
    """Return what stands for messages after this id that were not found, if they were sent."""
    return key_of(chat, after, _LOST)


def lost_after(key: str) -> int | None:
    """Return the id after which messages may be lost; None if the key says nothing of them."""
    return message_of(key) if key.endswith(f":{_LOST}") else None


class Pieces(NamedTuple):
    """What is durable of the messages of one answer.

    ``doubts`` are the ids after which a message may have been sent that nobody knows of, by its
    number; ``lost`` is the id after which such messages were looked for in vain, None for none.
    """

    messages: list[int]
    doubts: dict[int, int]
    lost: int | None


def read_pieces(keys: Sequence[str]) -> Pieces:
    """Return what the keys of an answer's pieces say, in their order."""
    lost = next(filter(None, map(lost_after, keys)), None)
    pieces = [each for each in keys if lost_after(each) is None]
    known = [each for each in pieces if each and doubted_after(each) is None]
    doubts = enumerate(map(doubted_after, pieces))
    return Pieces(
        [placed_message(each) for each in known],
        {number: after for number, after in doubts if after is not None},
        lost,
    )


def author_shown(message: Message, own: int) -> dict[str, object]:
    """Return who said what a message shows; whose words are forwarded is no person here.

    ``own`` is the bot's id.
    """
    origin, replied = message.forward_origin, message.reply_to_message
    writer = replied.from_user if replied is not None else None
    if origin is None and writer is not None:
        person = HERS if writer.id == own else f"{NAME}:{writer.id}"
        return {QUOTED_OF: [writer.full_name, person]}
    told = ("sender_user", "sender_user_name", "sender_chat", "chat")
    found = next(filter(None, (getattr(origin, each, None) for each in told)), "")
    name = getattr(found, "full_name", None) or getattr(found, "effective_name", found)
    return {QUOTED_OF: [name, ""]} if isinstance(name, str) and name else {}
