"""``xiaoxiang bring``: takes in a companion or a chat of another program, shown first."""

import asyncio
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

import orjson

from bot.adapters import identities_of
from bot.adapters.console.presenter import write_private_file
from bot.cli import settings_for
from bot.cli.transfer import state_or_empty
from bot.conversation.cards import (
    PNG_SIGNATURE,
    BookEntry,
    CannotBring,
    Card,
    card_of,
    card_of_png,
    filled,
)
from bot.conversation.foreign_chats import ForeignChat, chat_of_json, chat_of_json_lines
from bot.conversation.foreign_texts import DateOrder, chat_of_table, chat_of_text
from bot.conversation.recordings import is_chat_export, read_whole_file
from bot.data_folder import open_data_folder, open_storage
from bot.desk.memory_import import import_tasks
from bot.identity import checked_agent_id
from bot.settings import Settings
from bot.texts import Sentence, bring, refusals, say
from bot.texts.bring import BringFlaw
from memory.agent import AgentMemory
from memory.changes import Change
from memory.errors import InputRefused
from memory.lifecycle.partner_steps import plan_system
from memory.model import Language, Message
from memory.network.index import NetworkIndex
from memory.ports import SystemClock
from memory.privacy.redaction import is_secret
from memory.state import MemoryState
from memory.stores.backups import Backups
from memory.stores.exports import ARCHIVE_SIGNATURES

LARGEST_BROUGHT: Final = 64 * 1024 * 1024  # bytes; what is larger is not read in a second
_MOST_PARTS: Final = 2_000_000
_SHOWN: Final = 8
_BRIEF: Final = 60
_BOMS: Final = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


def run_bring(options: Namespace) -> int:
    """Show what a file holds, or with ``--yes`` bring it in: all of it, or nothing."""
    settings = settings_for(options)
    checked_agent_id(options.agent)
    now = SystemClock().now()
    try:
        found = read_companion(
            _read(options.file), ZoneInfo(settings.timezone), now, options.dates or ""
        )
    except CannotBring as error:
        raise InputRefused(bring.REFUSED, file=options.file, why=error) from error
    brought = Bringing(options, settings, settings.language)
    if isinstance(found, Card):
        return asyncio.run(brought.card(found))
    return asyncio.run(brought.chat(found))


def _read(file: Path) -> bytes:
    too_large = CannotBring(BringFlaw.TOO_LARGE, limit=f"{LARGEST_BROUGHT // 1024**2} MB")
    return read_whole_file(file, LARGEST_BROUGHT, refusals.NO_FILE_TO_BRING, too_large)


def read_companion(
    data: bytes, zone: ZoneInfo, now: datetime, dates: DateOrder = ""
) -> Card | ForeignChat:
    """Return what a file holds, told by its content; raises :class:`CannotBring`."""
    if not data.strip():
        raise CannotBring(BringFlaw.EMPTY_FILE)
    if data.startswith(PNG_SIGNATURE):
        return card_of_png(data)
    if data.startswith(ARCHIVE_SIGNATURES):
        raise CannotBring(BringFlaw.PACKED)
    text = _decoded(data)
    # WhatsApp's brackets hold a date, those of JSON another value or nothing.
    if text[0] == "{" or (text[0] == "[" and text[1:].lstrip()[:1] in {"{", "[", "]", ""}):
        return _of_json(text, zone, now)
    found = chat_of_table(text, zone, now) or chat_of_text(text, zone, now, dates)
    if found is None:
        raise CannotBring(BringFlaw.FOREIGN)
    return found


def _decoded(data: bytes) -> str:
    try:
        text = data.decode(_BOMS.get(data[:2], "utf-8-sig"))
    except UnicodeDecodeError as error:
        raise CannotBring(BringFlaw.ENCODING) from error
    if "\0" in text:
        raise CannotBring(BringFlaw.ENCODING)
    return text.lstrip()


def _of_json(text: str, zone: ZoneInfo, now: datetime) -> Card | ForeignChat:
    # A file of nothing but brackets takes many times its size in memory once parsed.
    if max(text.count("{"), text.count("[")) > _MOST_PARTS:
        raise CannotBring(BringFlaw.TOO_LARGE, limit=f"{_MOST_PARTS} parts")
    try:
        body = orjson.loads(text)
    except ValueError:
        return chat_of_json_lines(_json_lines(text), zone, now)
    found = card_of(body) or chat_of_json(body, zone, now)
    if found is None:
        telegram = isinstance(body, dict) and is_chat_export(body)
        raise CannotBring(BringFlaw.TELEGRAM if telegram else BringFlaw.FOREIGN)
    return found


def _json_lines(text: str) -> list[object]:
    lines: list[object] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                lines.append(orjson.loads(line))
            except ValueError as error:
                raise CannotBring(BringFlaw.BROKEN, place=f"JSON, {number}") from error
    return lines


@dataclass(frozen=True, slots=True)
class Bringing:
    """One file being brought, as the options of the shell say."""

    options: Namespace
    settings: Settings
    language: Language

    async def chat(self, chat: ForeignChat) -> int:
        """Show a chat, or let its messages become episodes and lines of the diary."""
        names = {line.name for line in chat.lines}
        me = self.options.me or ""
        if me and not chat.says_who and me not in names:
            raise InputRefused(bring.NO_SUCH_SPEAKER, file=self.options.file.name, name=me)
        messages = messages_of(chat, me)
        state = await state_or_empty(self.settings, self.options.agent)
        if me or chat.says_who:
            self._refuse_known_otherwise(chat, messages, state)
        self._show_chat(chat, messages, state)
        if not me and not chat.says_who:
            if self.options.yes:
                raise InputRefused(bring.WHO_ARE_YOU)
            self._print(bring.WHO_ARE_YOU)
            return 0
        if not self.options.yes:
            self._print(bring.SAY_YES)
            return 0
        return await self._bring(messages, ())

    def _refuse_known_otherwise(
        self, chat: ForeignChat, messages: Sequence[Message], state: MemoryState
    ) -> None:
        """Raise InputRefused for what is known as another's words, or on days turned round."""
        roles = {each.id: each.role for each in messages}
        others = sum(
            state.diary[each].message.role != role
            for each, role in roles.items()
            if each in state.diary
        )
        turned = chat_turned_round(chat)
        known = sum(each.id in state.diary for each in messages_of(turned, self.options.me or ""))
        same = {line.at for line in turned.lines}
        here = sum(each.id in state.diary for each in messages if _turned(each.at) in same)
        for count, sentence in (
            (others, bring.KNOWN_OTHERWISE),
            (known if known > here else 0, bring.KNOWN_ON_OTHER_DAYS),
        ):
            if count:
                name, agent = self.options.file.name, self.options.agent
                raise InputRefused(sentence, file=name, count=count, agent=agent)

    async def card(self, card: Card) -> int:
        """Show a card, or lay down its world book and write its persona."""
        texts = await self._show_card(card)
        persona = self._persona_path() if card.kind == "card" else None
        if persona is not None and persona.exists():
            raise InputRefused(bring.PERSONA_EXISTS, persona=persona)
        if not self.options.yes:
            if persona is not None:
                self._print(bring.WOULD_WRITE, persona=str(persona))
            self._print(bring.SAY_YES)
            return 0
        # The file first: if it cannot be written, nothing else has changed.
        if persona is not None:
            write_private_file(persona, persona_text(card, self.language).encode())
        try:
            await self._bring((), texts)
        except BaseException:
            if persona is not None:
                persona.unlink(missing_ok=True)
            raise
        if persona is not None:
            self._print(bring.PERSONA_WRITTEN, persona=str(persona))
        return 0

    async def _show_card(self, card: Card) -> list[str]:
        """Show what a card holds; return the entries of its world book as they would be kept."""
        state = await state_or_empty(self.settings, self.options.agent)
        all_texts = [_entry_text(entry, card, self.language) for entry in card.book]
        texts = [text for text in all_texts if not is_secret(text)]
        known = sum(not _is_new(text, state) for text in texts)
        self._print(
            bring.CARD,
            file=self.options.file.name,
            kind=say(self.language, bring.KINDS[card.kind]),
            name=card.name,
            length=len(card.description),
            entries=len(texts),
            known=known,
            skipped=card.skipped + len(all_texts) - len(texts),
        )
        for text in texts[:_SHOWN]:
            self._print(bring.ENTRY, text=_brief(text))
        return texts

    def _persona_path(self) -> Path:
        usual: Path = self.settings.exports_dir / f"{self.options.agent}-persona.md"
        return (self.options.persona or usual).absolute()

    async def _bring(self, messages: Sequence[Message], entries: Sequence[str]) -> int:
        clock = SystemClock()
        async with (
            open_storage(self.settings) as storage,
            open_data_folder(storage, clock, identities_of()) as folder,
        ):
            agent: AgentMemory = await folder.agents.get(self.options.agent)
            now, redacted = clock.now(), agent.redacted(messages)
            before, count = agent.state, 0
            backups = Backups(
                self.settings.data_dir,
                self.options.agent,
                rule=self.settings.backup_rule,
                disk=storage.disk,
            )
            news = any(_is_new_message(each, before) for each in messages)
            if news or any(_is_new(each, before) for each in entries):
                await asyncio.to_thread(backups.write, before, now, "import")

            def plan(state: MemoryState, index: NetworkIndex) -> Sequence[Change]:
                nonlocal count
                count = sum(_is_new_message(each, state) for each in messages)
                changes = list(import_tasks(redacted, state, now)) if messages else []
                for entry in entries:
                    if _is_new(entry, state):
                        more = plan_system(state, entry, _entry_id(entry), now, index=index)
                        state, _ = state.apply(more)
                        changes += more
                        count += bool(more)
                return changes

            await agent.steer(plan)
            # What a card lays down is in place with its commit.
            if messages:
                await agent.background.wait_until_idle()
        self._print(bring.BROUGHT, count=count)
        if count:
            self._print(bring.WAY_BACK, agent=self.options.agent)
        return 0

    def _show_chat(
        self, chat: ForeignChat, messages: Sequence[Message], state: MemoryState
    ) -> None:
        zone = ZoneInfo(self.settings.timezone)
        self._print(
            bring.CHAT,
            file=self.options.file.name,
            kind=say(self.language, bring.KINDS[chat.kind]),
            count=len(messages),
            known=sum(not _is_new_message(each, state) for each in messages),
            start=messages[0].at.astimezone(zone).date().isoformat(),
            end=messages[-1].at.astimezone(zone).date().isoformat(),
        )
        counts = Counter((m.speaker, m.role) for m in messages).most_common()
        for (name, role), count in counts[:_SHOWN]:
            who = say(self.language, bring.YOU if role == "user" else bring.OTHER)
            self._print(bring.SPEAKER, name=_brief(name), count=count, role=who)
        if len(counts) > _SHOWN:
            self._print(bring.MORE_SPEAKERS, count=len(counts) - _SHOWN)

    def _print(self, sentence: Sentence, **values: str | int) -> None:
        sys.stdout.write(say(self.language, sentence, **values) + "\n")


def chat_turned_round(chat: ForeignChat) -> ForeignChat:
    """Return the lines of a chat whose day may be a month, with the two the other way round."""
    lines = [(line, _turned(line.at)) for line in chat.lines]
    return replace(chat, lines=tuple(replace(line, at=at) for line, at in lines if at is not None))


def _turned(at: datetime) -> datetime | None:
    may_be = at.day <= _MONTHS and at.day != at.month
    return at.replace(month=at.day, day=at.month) if may_be else None


_MONTHS: Final = 12


def messages_of(chat: ForeignChat, me: str) -> tuple[Message, ...]:
    """Return the messages of a chat; ``me`` is the partner's name where the file does not say.

    An id is a digest of what was said, when and by whom: the same line always has the same id.
    """
    seen: Counter[str] = Counter()
    messages = []
    for line in chat.lines:
        mine = line.name == me if line.mine is None else line.mine
        said = orjson.dumps([chat.kind, line.at.isoformat(), line.name, line.text])
        digest = blake2b(said, digest_size=12).hexdigest()
        seen[digest] += 1
        again = f"-{seen[digest]}" if seen[digest] > 1 else ""
        messages.append(
            Message(
                id=f"{chat.kind}-{digest}{again}",
                at=line.at,
                speaker=line.name,
                # The words of the assistant are never learnt as facts about the partner.
                role="user" if mine else "assistant",
                text=line.text,
            )
        )
    return tuple(messages)


def persona_text(card: Card, language: Language) -> str:
    """Return the persona of a card as the file that PERSONA_FILE names."""
    partner = say(language, bring.YOUR_PARTNER)

    def parts() -> Iterator[str]:
        yield say(language, bring.PERSONA_DESCRIPTION, name=card.name)
        yield card.description
        for heading, text in (
            (bring.PERSONALITY, card.personality),
            (bring.SCENARIO, card.scenario),
            (bring.GREETING, card.greeting),
            (bring.EXAMPLES, card.examples),
            (bring.NOTES, card.notes),
        ):
            if filled(text, card, partner):
                yield f"## {say(language, heading)}\n\n{text}"

    return "\n\n".join(filled(part, card, partner) for part in parts() if part) + "\n"


def _entry_text(entry: BookEntry, card: Card, language: Language) -> str:
    written = filled(entry.written, card, say(language, bring.YOUR_PARTNER))
    return " ".join(written.split())


def _entry_id(text: str) -> str:
    return f"book-{blake2b(text.encode(), digest_size=12).hexdigest()}"


def _is_new(text: str, state: MemoryState) -> bool:
    """Whether a world-book entry was neither laid down here nor erased."""
    source = _entry_id(text)
    held = any(source in memory.source_ids for memory in state.memories.values())
    return not held and not state.is_erased(source)


def _is_new_message(message: Message, state: MemoryState) -> bool:
    return not (message.id in state.remembered_ids or state.is_erased(message.id))


def _brief(text: str) -> str:
    return text if len(text) <= _BRIEF else f"{text[: _BRIEF - 1]}…"
