"""Putting pictures and voice messages into words, once, before a turn begins with them.

The words of a voice message are the partner's own. What a picture shows is not: it is *quoted*, so
that nothing in it becomes a fact about the partner by itself.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from bot.conversation.delivery import ConversationPlatform
from bot.conversation.messages import Incoming
from bot.texts import dialogue, say
from memory.model import Language
from memory.recall.reading import NameIndex
from memory.text.layout import shown_as_said_by

# Keys of ``Incoming.raw``, by which an adapter says what came with a message. They stand in the
# ledger's rows, so they may not change.
PHOTO: Final = "photo"
MORE_PHOTOS: Final = "more_photos"
VOICE: Final = "voice"
CAPTION: Final = "caption"
DOCUMENT: Final = "document"
FILE_NAME: Final = "file_name"
FILE_MESSAGE: Final = "file_message"
MENTIONS: Final = "mentions"
QUOTED_OF: Final = "quoted_of"
HERS: Final = "hers"
# DOCUMENT, FILE_NAME and FILE_MESSAGE describe a file that came with a command: where its platform
# keeps it, what it is called, and in which message it stands if that is another one. MORE_PHOTOS
# are the pictures behind the first of one message, with commas between them. MENTIONS are those
# whom a message mentions: the words it does so by, their display name, and the person. QUOTED_OF
# is who said what it shows: their display name and the person, HERS, or "" for somebody outside.

MOST_PICTURES: Final = 12
"""So many pictures of one message are looked at: each is a call to a model. Of more it is said how
many were not."""


class ImageReader(Protocol):
    """A model that describes pictures; see :class:`bot.llm.auxiliary_models.OpenAIImageReader`."""

    async def describe(self, picture: bytes, question: str) -> str | None:
        """Answer a question about a JPEG, None while nobody can."""


class Transcriber(Protocol):
    """A model that writes down recordings."""

    async def transcribe(self, name: str, voice: bytes) -> str | None:
        """Return the words of a recording, None while nobody can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaReader:
    """Put media into words: with which models, and where each platform keeps its files."""

    image_reader: ImageReader | None = None
    transcriber: Transcriber | None = None
    platforms: Mapping[str, ConversationPlatform] = field(default_factory=dict)
    language: Language = "zh"

    async def put_into_words(self, incoming: Incoming) -> Incoming:
        """Return the message in words; unchanged, with the adapter's own text, if none come."""
        caption = str(incoming.raw.get(CAPTION, ""))
        if PHOTO in incoming.raw and self.image_reader is not None:
            shown = await self._describe_picture(incoming, self.image_reader)
            if shown is not None:
                text = caption or say(self.language, dialogue.SENT_A_PICTURE)
                # Without files the message counts as read and is never put into words again.
                return replace(incoming, text=text, quoted=shown, raw=_rest_of(incoming))
        if VOICE in incoming.raw and self.transcriber is not None:
            words = await self._transcribe_recording(incoming, self.transcriber)
            if words is not None:
                return replace(
                    incoming, text=f"{caption}\n{words}".strip(), raw=_rest_of(incoming)
                )
        return incoming

    async def _describe_picture(self, incoming: Incoming, image_reader: ImageReader) -> str | None:
        more = str(incoming.raw.get(MORE_PHOTOS, "")).split(",")
        keys = list(filter(None, [incoming.raw[PHOTO], *more]))
        question = say(self.language, dialogue.PICTURE_QUESTION)
        lines = []
        for key in keys[:MOST_PICTURES]:
            one = replace(incoming, raw={**incoming.raw, PHOTO: key})
            picture = await self._fetch_file(one)
            shown = await image_reader.describe(picture, question) if picture else None
            if shown:
                lines.append(say(self.language, dialogue.PICTURE_SHOWS, seen=shown))
        if lines and (left := len(keys) - MOST_PICTURES) > 0:
            lines.append(say(self.language, dialogue.PICTURES_LEFT, count=left))
        return "\n".join(lines) or None

    async def _transcribe_recording(
        self, incoming: Incoming, transcriber: Transcriber
    ) -> str | None:
        voice = await self._fetch_file(incoming)
        # Servers tell the format by the file's name; voice messages of both platforms are Opus.
        return await transcriber.transcribe("voice.ogg", voice) if voice is not None else None

    async def _fetch_file(self, incoming: Incoming) -> bytes | None:
        platform = self.platforms.get(incoming.conversation.platform)
        return await platform.fetch(incoming) if platform is not None else None


def _rest_of(incoming: Incoming) -> dict[str, object]:
    return {key: value for key, value in incoming.raw.items() if key == MENTIONS}


async def with_names_here(
    text: str, incoming: Incoming, called: Callable[[str, str], Awaitable[str]]
) -> str:
    """Return a text with the people it mentions under the names that tell them apart here.

    ``called`` returns that name for a display name and a person.
    """
    begin, mentions = 0, incoming.raw.get(MENTIONS)
    for words, name, person in mentions if isinstance(mentions, list) else ():
        at = text.find(words, begin)
        if at >= 0 and words.removeprefix("@") == name:
            shown = words.replace(name, await called(name, person))
            text, begin = f"{text[:at]}{shown}{text[at + len(words) :]}", at + len(shown)
    return text


async def shown_with_author(
    incoming: Incoming, called: Callable[[str, str], Awaitable[str]], language: Language
) -> str:
    """Return what a message shows, below the name of who said it as far as that is known.

    ``called`` as for :func:`with_names_here`.
    """
    match incoming.raw.get(QUOTED_OF):
        case [str(name), str(person)] if incoming.quoted:
            who = say(language, dialogue.HER_NAME)
            if person != HERS:
                # Who is no member has no number here, and is not taken for her either.
                who = await called(name, person) if person else NameIndex().assign(name, name)
            return shown_as_said_by(who, incoming.quoted)
        case _:
            return incoming.quoted
