"""What comes with a message besides words."""

from typing import Literal

from telegram import Message

from bot.conversation.commands import read_command
from bot.conversation.perceiving import CAPTION, DOCUMENT, FILE_NAME, PHOTO, VOICE
from bot.texts import media, say
from bot.texts import telegram as texts
from memory.settings import Language


def attachment_label(message: Message, language: Language) -> str:
    """Name what came and is no text; empty if nothing did."""
    if message.photo:
        return say(language, media.UNSEEN_PICTURE)
    if message.voice or message.audio or message.video_note:
        return say(language, media.UNHEARD_VOICE)
    if message.sticker:
        return say(language, texts.STICKER, emoji=message.sticker.emoji or "…")
    return (
        say(language, media.UNKNOWN_ATTACHMENT) if message.effective_attachment is not None else ""
    )


def media_file(message: Message) -> dict[str, object]:
    """Return what is needed to look at or listen to it later, when a turn begins with it."""
    caption = {CAPTION: message.caption or ""}
    if message.photo:
        return {PHOTO: message.photo[-1].file_id, **caption}
    recording = message.voice or message.audio
    return {VOICE: recording.file_id, **caption} if recording else {}


def command_file(message: Message, said: str) -> dict[str, object]:
    """Return what is needed to fetch the file a command is about: its own, or the one answered."""
    if read_command(said) is None:
        return {}
    answered = message.reply_to_message
    document = message.document or (answered.document if answered is not None else None)
    return {DOCUMENT: document.file_id, FILE_NAME: document.file_name or ""} if document else {}


def message_modality(message: Message) -> Literal["text", "image", "audio"]:
    """Return what kind of message memory keeps it as."""
    if message.photo:
        return "image"
    return "audio" if message.voice or message.audio or message.video_note else "text"
