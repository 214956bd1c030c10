"""Reading Telegram updates: what the conversation is told of each. Pure: update in, value out.

Decided here: an edited message is remembered as a correction and never answered; a forwarded text
and a text that is replied to are *quoted*, since the sender did not write them; an attachment that
cannot be opened is named in words; a command for another bot and a service message are ignored;
whoever writes as a bot, a channel or an anonymous admin is marked as no person.
"""

import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, TypeAlias

from telegram import (
    ChatMemberUpdated,
    Message,
    MessageEntity,
    ReactionTypeEmoji,
    Update,
    User,
)
from telegram.constants import ChatMemberStatus, ChatType

from bot.adapters.telegram import NAME
from bot.adapters.telegram.api import key_of
from bot.adapters.telegram.own_messages import author_shown
from bot.conversation.media import CAPTION, DOCUMENT, FILE_NAME, MENTIONS, PHOTO, VOICE
from bot.conversation.messages import (
    ALBUM,
    CHINESE_NAMES,
    EDITS,
    ConversationKey,
    Incoming,
    ParsedCommand,
    Sender,
    is_called_by_name,
    read_command,
    without_call,
)
from bot.texts import Sentence, dialogue, say
from bot.texts import telegram as texts
from memory.model import Language


def attachment_label(message: Message, language: Language) -> str:
    """Name in words what was sent beside text; empty if nothing was."""
    if message.photo:
        return say(language, dialogue.UNSEEN_PICTURE)
    if message.voice or message.audio:
        return say(language, dialogue.UNHEARD_VOICE)
    if message.sticker:
        return say(language, texts.STICKER, emoji=message.sticker.emoji or "…")
    named = _named_attachment(message, language) or say(language, dialogue.UNKNOWN_ATTACHMENT)
    return "" if message.effective_attachment is None else named


def _named_attachment(message: Message, language: Language) -> str:
    """Return what the text beside an attachment says of it; empty if nothing does."""
    if message.contact:
        person = message.contact
        name = " ".join(filter(None, (person.first_name, person.last_name)))
        return say(language, texts.CONTACT, name=name, number=person.phone_number)
    if message.poll:
        options = "；".join(option.text for option in message.poll.options)
        return say(language, texts.POLL, question=message.poll.question, options=options)
    if message.venue:
        return say(language, texts.VENUE, name=message.venue.title, address=message.venue.address)
    if message.location:
        return say(language, texts.LOCATION)
    file = message.document or message.video or message.animation
    if file and file.file_name:
        return say(language, texts.FILE, name=file.file_name)
    return say(language, texts.VIDEO) if message.video_note or message.video else ""


def media_file(message: Message) -> dict[str, object]:
    """Return what is needed to download a picture or recording when a turn begins with it."""
    caption = {CAPTION: message.caption or ""}
    if message.photo:
        album = {ALBUM: message.media_group_id} if message.media_group_id else {}
        # Telegram lists the sizes of a picture from the smallest to the largest.
        return {PHOTO: message.photo[-1].file_id, **caption, **album}
    recording = message.voice or message.audio
    return {VOICE: recording.file_id, **caption} if recording else {}


def replied_picture(message: Message) -> dict[str, object]:
    """Return what is needed to look at the picture that a text replies to."""
    replied = message.reply_to_message
    if replied is None or not replied.photo or not message.text:
        return {}
    return {PHOTO: replied.photo[-1].file_id, CAPTION: message.text}


def command_file(message: Message) -> dict[str, object]:
    """Return what is needed to download the file a command is about, sent or replied to."""
    replied = message.reply_to_message
    document = message.document or (replied.document if replied is not None else None)
    return {DOCUMENT: document.file_id, FILE_NAME: document.file_name or ""} if document else {}


def message_modality(message: Message) -> Literal["text", "image", "audio"]:
    """Return the kind that memory files the message under."""
    if message.photo:
        return "image"
    return "audio" if message.voice or message.audio or message.video_note else "text"


_FOR_WHOM: Final = re.compile(r"\s*/\w+@(?P<bot>\w+)")


@dataclass(frozen=True, slots=True)
class TelegramButtonPress:
    """Somebody pressed a button under one of the bot's messages."""

    query_id: str
    data: str
    chat: int
    message: int
    thread: int | None
    sender: Sender


@dataclass(frozen=True, slots=True)
class GroupIdChange:
    """A group has become a supergroup, which gives it a new id."""

    old: int
    new: int


@dataclass(frozen=True, slots=True)
class JoinedGroup:
    """Somebody added the bot to a group."""

    chat: int
    by: Sender
    at: datetime


TelegramEvent: TypeAlias = Incoming | TelegramButtonPress | GroupIdChange | JoinedGroup | None

_INSIDE: Final = frozenset({ChatMemberStatus.MEMBER, ChatMemberStatus.ADMINISTRATOR})


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramReader:
    """Reads updates for the bot ``id``, which decides whether a message addresses it."""

    id: int
    username: str
    language: Language = "zh"

    def read(self, update: Update) -> TelegramEvent:
        """Return what an update says; None if it says nothing."""
        if update.callback_query is not None:
            return self._button_press(update)
        if update.message_reaction is not None:
            return self._reaction(update)
        if update.my_chat_member is not None:
            return _joined_group(update.my_chat_member)
        if update.edited_message is not None:
            return self._correction(update.edited_message, update.update_id)
        return self._message(update.message) if update.message is not None else None

    def _message(self, message: Message) -> TelegramEvent:
        if message.migrate_from_chat_id is not None:
            return GroupIdChange(message.migrate_from_chat_id, message.chat_id)
        sender = _message_sender(message)
        text = self._words(message)
        if sender is None or text is None:
            return None
        command = read_command(text)
        # Who chose a suggestion of another bot did not word the command.
        suggested = command is not None and message.via_bot is not None
        if suggested or self._is_for_another_bot(message, text, command):
            return None
        forwarded = message.forward_origin is not None
        files = media_file(message)
        files |= command_file(message) if command is not None else replied_picture(message)
        files |= _people_mentioned(message)
        quoted = text if forwarded else _replied_text(message)
        shown_by = author_shown(message, self.id) if quoted else {}
        return Incoming(
            dedupe_key=key_of(message.chat_id, message.message_id),
            conversation=self._conversation_of(message),
            sender=sender,
            at=message.date,
            text=self._sentence(dialogue.FORWARDED) if forwarded else text,
            private=message.chat.type == ChatType.PRIVATE,
            addressed=self._is_addressed(message, text, command),
            quoted=quoted,
            modality=message_modality(message),
            reply_to=_reply_key(message),
            raw=shown_by if forwarded else files | shown_by,
        )

    def _correction(self, message: Message, update: int) -> Incoming | None:
        """Return an edited message as what that says by now; an edited command is ignored."""
        sender, text = _message_sender(message), self._own_words(message)
        if sender is None or not text or read_command(text) is not None:
            return None
        edited = message.edit_date or message.date
        key = key_of(message.chat_id, message.message_id)
        # The update belongs to the key: each edit of one message is an edit of its own, and two
        # may be made within the second that Telegram tells.
        own = key_of(message.chat_id, message.message_id, f"u{update}")
        heard = self._unaddressed(own, self._conversation_of(message), sender, edited, text)
        return replace(heard, raw={EDITS: key})

    def _reaction(self, update: Update) -> Incoming | None:
        """Return an emoji somebody put under a message, as something to remember.

        Only in private: in a group nobody may have meant the bot.
        """
        reacted = update.message_reaction
        if reacted is None or reacted.chat.type != ChatType.PRIVATE:
            return None
        # The update lists all of a person's emoji there, and those of before beside them.
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
            self.conversation(reacted.chat.id),
            sender,
            reacted.date,
            self._sentence(texts.REACTED, emoji="".join(new)),
        )

    def _button_press(self, update: Update) -> TelegramButtonPress | None:
        query = update.callback_query
        if query is None or query.message is None or not query.data:
            return None
        # A message that is too old comes without its content, and so without its topic.
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
        words = self._own_words(message)
        # A file under a command is what the command is about: its name is no part of the command.
        if message.document is not None and read_command(words) is not None:
            return words
        return "\n".join(filter(None, (words, attachment_label(message, self.language)))) or None

    def _own_words(self, message: Message) -> str:
        """Return what somebody wrote, without their call of her."""
        words = message.text or message.caption or ""
        if not self._is_mentioned(message):
            return words
        # Nothing but her mention is calling her by name.
        return without_call(words, f"@{self.username}") or self._sentence(dialogue.HER_NAME)

    def _is_for_another_bot(
        self, message: Message, text: str, command: ParsedCommand | None
    ) -> bool:
        found = _FOR_WHOM.match(text)
        if found is not None:
            return found["bot"].lower() != self.username.lower()
        # In a group a command that she does not know is another bot's, if she is not asked.
        return (
            command is not None
            and message.chat.type != ChatType.PRIVATE
            and command.name not in CHINESE_NAMES
            and not self._is_asked(message)
        )

    def _is_addressed(self, message: Message, text: str, command: ParsedCommand | None) -> bool:
        """Whether the bot is asked: in private, by a command, a reply, a mention or its name."""
        if message.chat.type == ChatType.PRIVATE:
            return True
        # What is forwarded was said to somebody else, whatever it says.
        if message.forward_origin is not None:
            return self._is_answer_to_her(message)
        return command is not None or self._is_asked(message) or is_called_by_name(text)

    def _is_asked(self, message: Message) -> bool:
        return self._is_answer_to_her(message) or self._is_mentioned(message)

    def _is_answer_to_her(self, message: Message) -> bool:
        replied = message.reply_to_message
        writer = replied.from_user if replied is not None else None
        return writer is not None and writer.id == self.id

    def _is_mentioned(self, message: Message) -> bool:
        return any(
            (entity.user is not None and entity.user.id == self.id)
            or text.lower() == f"@{self.username.lower()}"
            for entity, text in _mentions(message).items()
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
            # The ids of groups and channels are negative.
            private=not conversation.chat.startswith("-"),
            addressed=False,
        )

    def _conversation_of(self, message: Message) -> ConversationKey:
        # Replies in a plain group have a thread id too, and are not in a topic.
        thread = message.message_thread_id if message.is_topic_message else None
        return self.conversation(message.chat_id, thread or None)

    def conversation(self, chat: int, thread: int | None = None) -> ConversationKey:
        """Return the conversation of a chat, or of a topic in it."""
        return ConversationKey(
            platform=NAME,
            account=str(self.id),
            chat=str(chat),
            thread="" if thread is None else str(thread),
        )

    def _sentence(self, sentence: Sentence, **values: str) -> str:
        return say(self.language, sentence, **values)


def _joined_group(moved: ChatMemberUpdated) -> JoinedGroup | None:
    """Return that the bot was added to a group; None for whatever else became of it."""
    was, now = (each.status in _INSIDE for each in (moved.old_chat_member, moved.new_chat_member))
    sender = _user_sender(moved.from_user)
    if moved.chat.id > 0 or was or not now or sender is None:
        return None
    return JoinedGroup(moved.chat.id, sender, moved.date)


def _user_sender(user: User | None) -> Sender | None:
    return (
        None if user is None else Sender(id=str(user.id), name=user.full_name, is_bot=user.is_bot)
    )


def _message_sender(message: Message) -> Sender | None:
    """Return who wrote a message; whoever writes as a chat is marked as no person."""
    sender = _user_sender(message.from_user)
    if sender is None or message.sender_chat is None:
        return sender
    # Channels and anonymous admins share one user id each: rights given to it were everybody's.
    return replace(sender, is_bot=True)


def _mentions(message: Message) -> dict[MessageEntity, str]:
    """Return who a message mentions, and by which words of it."""
    kinds: list[str | None] = [MessageEntity.MENTION, MessageEntity.TEXT_MENTION]
    return message.parse_entities(kinds) | message.parse_caption_entities(kinds)


def _people_mentioned(message: Message) -> dict[str, object]:
    """Return who is mentioned by the name they show, which may be that of several people."""
    found = [
        [text, entity.user.full_name, f"{NAME}:{entity.user.id}"]
        for entity, text in _mentions(message).items()
        if entity.user is not None and not entity.user.is_bot
    ]
    return {MENTIONS: found} if found else {}


def _replied_text(message: Message) -> str:
    if message.quote is not None:
        return message.quote.text
    replied = message.reply_to_message
    return (replied.text or replied.caption or "") if replied is not None else ""


def _reply_key(message: Message) -> str:
    replied = message.reply_to_message
    # Everything said in a topic comes as a reply to the message that opened the topic.
    if replied is None or replied.forum_topic_created is not None:
        return ""
    return key_of(replied.chat_id, replied.message_id)
