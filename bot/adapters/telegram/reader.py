"""What came from Telegram as the conversation takes it, attachments included.

Pure, update in, value out.

Decided here: an edited message is heard as a correction and never begins a turn; a forwarded text
and a text that is answered to are *quoted*, since the sender did not write them; what she cannot
open is named in words; a command for another bot, a service message and whatever a bot, a channel
or an anonymous admin writes is none of her business.
"""

import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, TypeAlias

from telegram import Message, MessageEntity, ReactionTypeEmoji, Update, User
from telegram.constants import ChatType

from bot.adapters.incoming import is_called_by_name
from bot.adapters.telegram.api import key_of
from bot.adapters.telegram.settings import NAME
from bot.conversation.media import CAPTION, DOCUMENT, FILE_NAME, PHOTO, VOICE
from bot.conversation.messages import ConversationKey, Incoming, Sender, read_command
from bot.texts import Sentence, dialogue, say
from bot.texts import telegram as texts
from memory.model import Language


def attachment_label(message: Message, language: Language) -> str:
    """Name what came and is no text; empty if nothing did."""
    if message.photo:
        return say(language, dialogue.UNSEEN_PICTURE)
    if message.voice or message.audio or message.video_note:
        return say(language, dialogue.UNHEARD_VOICE)
    if message.sticker:
        return say(language, texts.STICKER, emoji=message.sticker.emoji or "…")
    return (
        say(language, dialogue.UNKNOWN_ATTACHMENT)
        if message.effective_attachment is not None
        else ""
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


_FOR_WHOM: Final = re.compile(r"\s*/\w+@(?P<bot>\w+)")


@dataclass(frozen=True, slots=True)
class TelegramButtonPress:
    """Somebody pressed a button under one of her messages."""

    query_id: str
    data: str
    chat: int
    message: int
    thread: int | None
    sender: Sender


@dataclass(frozen=True, slots=True)
class GroupIdChange:
    """A group has become a supergroup."""

    old: int
    new: int


TelegramEvent: TypeAlias = Incoming | TelegramButtonPress | GroupIdChange | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramReader:
    """Who she is on Telegram, which is what decides whether a message is meant for her."""

    id: int
    username: str
    language: Language = "zh"

    def read(self, update: Update) -> TelegramEvent:
        """Return what an update says; None if it says nothing to her."""
        if update.callback_query is not None:
            return self._button_press(update)
        if update.message_reaction is not None:
            return self._reaction(update)
        if update.edited_message is not None:
            return self._correction(update.edited_message)
        return self._message(update.message) if update.message is not None else None

    def _message(self, message: Message) -> TelegramEvent:
        if message.migrate_from_chat_id is not None:
            return GroupIdChange(message.migrate_from_chat_id, message.chat_id)
        sender = _message_sender(message)
        said = self._words(message)
        if sender is None or said is None or self._is_for_another_bot(said):
            return None
        if message.via_bot is not None and read_command(said) is not None:
            return None  # another bot worded it
        forwarded = message.forward_origin is not None
        return Incoming(
            dedupe_key=key_of(message.chat_id, message.message_id),
            conversation=self._conversation_of(message),
            sender=sender,
            at=message.date,
            text=self._sentence(dialogue.FORWARDED) if forwarded else said,
            private=message.chat.type == ChatType.PRIVATE,
            addressed=self._is_addressed(message, said),
            quoted=said if forwarded else _replied_text(message),
            modality=message_modality(message),
            reply_to=_reply_key(message),
            raw={} if forwarded else {**media_file(message), **command_file(message, said)},
        )

    def _correction(self, message: Message) -> Incoming | None:
        """Return an edited message as something heard; an edited command is not obeyed."""
        sender, text = _message_sender(message), message.text or message.caption
        if sender is None or not text or read_command(text) is not None:
            return None
        edited = message.edit_date or message.date
        return self._unaddressed(
            key_of(message.chat_id, message.message_id, f"{edited.timestamp():.0f}"),
            self._conversation_of(message),
            sender,
            edited,
            self._sentence(texts.CORRECTED, text=text),
        )

    def _reaction(self, update: Update) -> Incoming | None:
        """Return an emoji somebody put under a message in a private chat, as something heard."""
        reacted = update.message_reaction
        if reacted is None or reacted.chat.type != ChatType.PRIVATE:
            return None
        before = set(reacted.old_reaction)
        new = [
            each.emoji
            for each in reacted.new_reaction
            if isinstance(each, ReactionTypeEmoji) and each not in before
        ]
        sender = _user_sender(reacted.user)
        if sender is None or not new:
            return None
        return self._unaddressed(
            key_of(reacted.chat.id, reacted.message_id, f"r{update.update_id}"),
            self._conversation_key(reacted.chat.id),
            sender,
            reacted.date,
            self._sentence(texts.REACTED, emoji="".join(new)),
        )

    def _button_press(self, update: Update) -> TelegramButtonPress | None:
        query = update.callback_query
        if query is None or query.message is None or not query.data:
            return None
        thread = query.message.message_thread_id if isinstance(query.message, Message) else None
        is_topic = isinstance(query.message, Message) and query.message.is_topic_message
        sender = _user_sender(query.from_user)
        if sender is None:
            return None
        return TelegramButtonPress(
            query.id,
            query.data,
            query.message.chat.id,
            query.message.message_id,
            thread if is_topic else None,
            sender,
        )

    def _words(self, message: Message) -> str | None:
        """Return what a message says, in words; None for a service message."""
        words = message.text or message.caption or ""
        if message.document is not None and read_command(words) is not None:
            return words
        return "\n".join(filter(None, (words, attachment_label(message, self.language)))) or None

    def _is_for_another_bot(self, said: str) -> bool:
        found = _FOR_WHOM.match(said)
        return found is not None and found["bot"].lower() != self.username.lower()

    def _is_addressed(self, message: Message, said: str) -> bool:
        """Say whether she is asked: always in private, else if mentioned, answered or called."""
        if message.chat.type == ChatType.PRIVATE or read_command(said) is not None:
            return True
        answered = message.reply_to_message
        if answered is not None and answered.from_user and answered.from_user.id == self.id:
            return True
        return self._is_mentioned(message) or is_called_by_name(said)

    def _is_mentioned(self, message: Message) -> bool:
        found = message.parse_entities([MessageEntity.MENTION, MessageEntity.TEXT_MENTION])
        found |= message.parse_caption_entities(
            [MessageEntity.MENTION, MessageEntity.TEXT_MENTION]
        )
        return any(
            (entity.user is not None and entity.user.id == self.id)
            or text.lower() == f"@{self.username.lower()}"
            for entity, text in found.items()
        )

    def _unaddressed(
        self, key: str, conversation: ConversationKey, sender: Sender, at: datetime, text: str
    ) -> Incoming:
        return Incoming(
            dedupe_key=key,
            conversation=conversation,
            sender=sender,
            at=at,
            text=text,
            private=not conversation.chat.startswith("-"),
            addressed=False,
        )

    def _conversation_of(self, message: Message) -> ConversationKey:
        in_topic = message.is_topic_message and message.message_thread_id
        return self._conversation_key(
            message.chat_id, str(message.message_thread_id) if in_topic else ""
        )

    def _conversation_key(self, chat: int, thread: str = "") -> ConversationKey:
        return ConversationKey(platform=NAME, account=str(self.id), chat=str(chat), thread=thread)

    def _sentence(self, sentence: Sentence, **values: str) -> str:
        return say(self.language, sentence, **values)


def _user_sender(user: User | None) -> Sender | None:
    return (
        None if user is None else Sender(id=str(user.id), name=user.full_name, is_bot=user.is_bot)
    )


def _message_sender(message: Message) -> Sender | None:
    """Return who wrote it; a chat that speaks (a channel, a group's admins) is no person."""
    sender = _user_sender(message.from_user)
    if sender is None or message.sender_chat is None:
        return sender
    return replace(sender, is_bot=True)


def _replied_text(message: Message) -> str:
    if message.quote is not None:
        return message.quote.text
    answered = message.reply_to_message
    return (answered.text or answered.caption or "") if answered is not None else ""


def _reply_key(message: Message) -> str:
    answered = message.reply_to_message
    if answered is None or answered.forum_topic_created is not None:
        return ""  # whatever is said in a topic comes as a reply to what opened it
    return key_of(answered.chat_id, answered.message_id)
