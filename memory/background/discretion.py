"""What may be written down and shown to a model of what was said: all of it but its secrets.

What somebody asks to be kept and must be sealed is taken out of the talk as a whole; of anything
else only the secret values are blotted out, and nobody repeats them either (DESIGN §8).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from memory.background.blotting import longest_first, redacted
from memory.background.explicit import explicit_requests
from memory.background.privacy import REDACTED, is_secret, masked, secrets_in
from memory.changes import Turn
from memory.model import Message


def redacted_messages(
    messages: Sequence[Message], known: Iterable[str] = ()
) -> tuple[Message, ...]:
    """Return messages of one talk with what is secret in them blotted out, in all of them.

    Also what is ``known`` to be secret already. Anything else comes back as it is; doing it twice
    changes nothing more.
    """
    values = longest_first([*known, *(value for m in messages for value in _secret_values(m))])
    return tuple(
        replace(
            message,
            text=redacted(masked(_without_requested_secrets(message)), values),
            quoted=redacted(masked(message.quoted), values),
        )
        for message in messages
    )


def asks_to_keep_a_secret(said: Sequence[Message]) -> bool:
    """Tell whether anybody asks outright for something to be kept that must be sealed."""
    return any(is_secret(request.text) for request in explicit_requests(said))


def redacted_text(text: str) -> str:
    """Return something somebody said without what is secret in it."""
    at = datetime.fromtimestamp(0, UTC)
    (message,) = redacted_messages([Message(id="-", at=at, speaker="", role="user", text=text)])
    return message.text


def redacted_turn(turn: Turn, known: Iterable[str] = ()) -> Turn:
    """Return a turn with what is secret in it blotted out, in what was said and in the reply."""
    *said, reply = redacted_messages((*turn.said, turn.reply), known)
    return replace(turn, said=tuple(said), reply=reply)


def _without_requested_secrets(message: Message) -> str:
    """Return the text without the secrets somebody asks in it to be kept."""
    text = message.text
    if not is_secret(text):
        return text
    for request in explicit_requests([message]):
        if is_secret(request.text):
            if request.text not in text:
                return REDACTED
            text = text.replace(request.text, REDACTED)
    return text


def _secret_values(message: Message) -> Iterator[str]:
    if not is_secret(message.text) and not is_secret(message.quoted):
        return
    for request in explicit_requests([message]):
        if is_secret(request.text):
            yield request.text
    yield from secrets_in(message.text)
    yield from secrets_in(message.quoted)
