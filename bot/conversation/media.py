"""Turning what is no text into words, once, before a turn begins with it.

What she hears are the partner's own words. What a picture shows is not: it is *quoted*, so that
nothing in it becomes a fact about the partner by itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from bot.conversation.delivery import ConversationPlatform
from bot.conversation.messages import Incoming
from bot.texts import dialogue, say
from memory.model import Language

PHOTO: Final = "photo"
VOICE: Final = "voice"
CAPTION: Final = "caption"
DOCUMENT: Final = "document"
FILE_NAME: Final = "file_name"
FILE_MESSAGE: Final = "file_message"
"""A file that came with a command: where its platform keeps it, what it is called, and in which
message it stands if that is another one."""


class ImageReader(Protocol):
    """Whoever can look."""

    async def describe(self, picture: bytes, question: str) -> str | None: ...


class Transcriber(Protocol):
    """Whoever can listen."""

    async def transcribe(self, name: str, voice: bytes) -> str | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaReader:
    """What she can perceive, and where each platform keeps its files."""

    image_reader: ImageReader | None = None
    transcriber: Transcriber | None = None
    platforms: Mapping[str, ConversationPlatform] = field(default_factory=dict)
    language: Language = "zh"

    async def put_into_words(self, incoming: Incoming) -> Incoming:
        """Return the message in words; as it was, saying so, if she cannot perceive it."""
        caption = str(incoming.raw.get(CAPTION, ""))
        if PHOTO in incoming.raw and self.image_reader is not None:
            seen = await self._describe_picture(incoming, self.image_reader)
            if seen is not None:
                text = caption or say(self.language, dialogue.SENT_A_PICTURE)
                return replace(incoming, text=text, quoted=seen, raw={})
        if VOICE in incoming.raw and self.transcriber is not None:
            heard = await self._transcribe_recording(incoming, self.transcriber)
            if heard is not None:
                return replace(incoming, text=f"{caption}\n{heard}".strip(), raw={})
        return incoming

    async def _describe_picture(self, incoming: Incoming, image_reader: ImageReader) -> str | None:
        picture = await self._fetch_file(incoming)
        if picture is None:
            return None
        seen = await image_reader.describe(picture, say(self.language, dialogue.PICTURE_QUESTION))
        return seen and say(self.language, dialogue.PICTURE_SHOWS, seen=seen)

    async def _transcribe_recording(
        self, incoming: Incoming, transcriber: Transcriber
    ) -> str | None:
        voice = await self._fetch_file(incoming)
        return await transcriber.transcribe("voice.ogg", voice) if voice is not None else None

    async def _fetch_file(self, incoming: Incoming) -> bytes | None:
        platform = self.platforms.get(incoming.conversation.platform)
        return await platform.fetch(incoming) if platform is not None else None
