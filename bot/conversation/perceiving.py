"""Turning what is no text into words, once, before a turn begins with it.

What she hears are the partner's own words. What a picture shows is not: it is *quoted*, so that
nothing in it becomes a fact about the partner by itself.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Protocol, TypeAlias

from bot.conversation.messages import Incoming, Platform
from bot.texts import media, say
from memory.settings import Language

PHOTO: Final = "photo"
VOICE: Final = "voice"
CAPTION: Final = "caption"
DOCUMENT: Final = "document"
FILE_NAME: Final = "file_name"
FILE_MESSAGE: Final = "file_message"
"""A file that came with a command: where its platform keeps it, what it is called, and in which
message it stands if that is another one."""

Fetch: TypeAlias = Callable[[Incoming], Awaitable[bytes | None]]
"""Return the file of a message, from the platform itself; None if it is too large or gone."""


class Eyes(Protocol):
    """Whoever can look."""

    async def look(self, picture: bytes, question: str) -> str | None: ...


class Ears(Protocol):
    """Whoever can listen."""

    async def listen(self, name: str, voice: bytes) -> str | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Senses:
    """What she can perceive, and where each platform keeps its files."""

    eyes: Eyes | None = None
    ears: Ears | None = None
    files: Mapping[Platform, Fetch] = field(default_factory=dict)
    language: Language = "zh"

    async def perceived(self, incoming: Incoming) -> Incoming:
        """Return the message in words; as it was, saying so, if she cannot perceive it."""
        caption = str(incoming.raw.get(CAPTION, ""))
        if PHOTO in incoming.raw and self.eyes is not None:
            seen = await self._seen(incoming, self.eyes)
            if seen is not None:
                text = caption or say(self.language, media.SENT_A_PICTURE)
                return replace(incoming, text=text, quoted=seen, raw={})
        if VOICE in incoming.raw and self.ears is not None:
            heard = await self._heard(incoming, self.ears)
            if heard is not None:
                return replace(incoming, text=f"{caption}\n{heard}".strip(), raw={})
        return incoming

    async def _seen(self, incoming: Incoming, eyes: Eyes) -> str | None:
        picture = await self._file(incoming)
        if picture is None:
            return None
        seen = await eyes.look(picture, say(self.language, media.QUESTION))
        return seen and say(self.language, media.SEEN, seen=seen)

    async def _heard(self, incoming: Incoming, ears: Ears) -> str | None:
        voice = await self._file(incoming)
        return await ears.listen("voice.ogg", voice) if voice is not None else None

    async def _file(self, incoming: Incoming) -> bytes | None:
        fetch = self.files.get(incoming.conversation.platform)
        return await fetch(incoming) if fetch is not None else None
