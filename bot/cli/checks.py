"""What ``xiaoxiang doctor`` tries of what is set: whether it can be used, and the models answer.

Of settings the places they name, and the addresses; of models also how fast they are. ``setup``
tries what it was just told in the same way.
"""

import asyncio
import shlex
import shutil
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bot.adapters import PLATFORMS
from bot.adapters.platform import Finding, Platform
from bot.conversation.messages import persona_of
from bot.llm.auxiliary_models import missing_for
from bot.llm.pace import is_local_address
from bot.llm.presets import preset_for
from bot.llm.tokens import InMemoryTokenLedger
from bot.models import Models, missing_library, open_models
from bot.sections import check_copies, check_exports, idle_keys
from bot.settings import Settings
from bot.texts import refusals, say, setup
from bot.texts import shell as texts
from bot.web import host_and_port, is_loopback, page_address
from memory.errors import InputRefused
from memory.ports import (
    Embedder,
    Invalid,
    Outcome,
    Piece,
    Replied,
    StartAgain,
    SystemClock,
    Unavailable,
)
from memory.stores.backups import BACKUPS, Backups
from memory.stores.disk import Disk
from prompts import Compress


def setting_findings(
    settings: Settings, platforms: Collection[Platform] = PLATFORMS
) -> Iterator[Finding]:
    """Yield what a start, a command or a night would refuse of what is set; else nothing."""
    language = settings.language
    for key in ("exports_dir", "backup_copy_dir"):
        yield from folder_findings(settings, key)
    for check in (
        # Allowed, for another disk may be mounted there; but it is lost with the rest if none is.
        lambda: check_copies(settings.backup_copy_dir, settings.data_dir),
        lambda: check_exports(settings.exports_dir, settings.data_dir),
        lambda: persona_of(settings.persona_file),
        lambda: check_own_addresses(settings, platforms),
    ):
        try:
            check()
        except InputRefused as error:
            yield Finding(good=False, text=error.in_language(language))
    for section in (settings, *(settings.section(each.settings) for each in platforms)):
        for key, needs in idle_keys(section):
            text = say(language, setup.SET_ALONE, key=key, needs=needs)
            yield Finding(good=False, text=text)
    command = settings.backup_command
    if command and not shutil.which(shlex.split(command)[0]):
        yield Finding(good=False, text=say(language, setup.NO_COMMAND, command=command))


def copies_findings(settings: Settings, disk: Disk) -> Iterator[Finding]:
    """Say whose copies of backups are not where they were made: their disk may be away."""
    data, rule = settings.data_dir, settings.backup_rule
    with suppress(OSError):  # said of the folder itself
        names = sorted(disk.names(data / BACKUPS))
        away = [n for n in names if Backups(data, n, rule=rule, disk=disk).copies.are_away()]
        if away:
            text = say(
                settings.language,
                setup.COPIES_AWAY,
                folder=str(rule.copies),
                agents=", ".join(away),
            )
            yield Finding(good=False, text=text)


def folder_findings(settings: Settings, key: str) -> Iterator[Finding]:
    """Say what is odd about a setting that names a folder: that nothing can be written there."""
    folder: Path | None = getattr(settings, key)
    if folder is None:
        return
    place = folder.absolute()
    nearest = next(each for each in (place, *place.parents) if each.exists())
    name, path, language = key.upper(), str(place), settings.language
    try:
        with TemporaryDirectory(prefix=".xiaoxiang-", dir=nearest) as tried:
            Path(tried, "file").write_bytes(bytes(_ROOM))
    except OSError as error:
        known = setup.DISK_TROUBLE.get(error.errno or 0)
        why = say(language, known) if known else error.strerror or str(error)
        text = say(language, setup.FOLDER_UNUSABLE, key=name, folder=path, why=why)
        yield Finding(good=False, text=text)
        return
    if key == "backup_copy_dir" and nearest != place:
        # Made in the night it would be on whatever disk is there, if the one meant is away.
        text = say(language, setup.FOLDER_NOT_YET, key=name, folder=path, place=str(nearest))
        yield Finding(good=True, text=text)


_ROOM: Final = 1 << 20
"""Bytes that must fit: the ledger and its log begin with less."""


def check_own_addresses(settings: Settings, platforms: Collection[Platform]) -> None:
    """Raise :class:`InputRefused` for an address of health or the page that is none, or not free.

    What a proxy passes on from the internet is not to reach the numbers; and what is for browsers
    and what is for platforms are apart.
    """
    taken = {
        settings.section(each.settings).listens_at().partition("/")[0]: each.settings.bind_key
        for each in platforms
    }
    for key, bind in (("HEALTH_BIND", settings.health_bind), ("WEB_BIND", settings.web_bind)):
        if not bind:
            continue
        for other in filter(None, taken):
            if _meet(bind, other):
                raise InputRefused(refusals.SAME_ADDRESS, one=key, other=taken[other])
        taken[bind] = key
    if settings.web_bind:
        page_address(settings.web_bind, settings.web_address)


def _meet(one: str, other: str) -> bool:
    """Whether two addresses cannot be listened at side by side."""
    (host, port), (other_host, other_port) = host_and_port(one), host_and_port(other)
    same = host == other_host or (is_loopback(host) and is_loopback(other_host))
    return port == other_port != 0 and (same or any(map(_is_everywhere, (host, other_host))))


def _is_everywhere(host: str) -> bool:
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


class NullTokenLedger(InMemoryTokenLedger):
    """Keeps nothing: the doctor writes nothing into the data folder."""

    async def factor(self, model: str) -> float | None:
        """Return that nothing was learnt about the model."""
        del model
        return None

    async def learn_factor(self, model: str, factor: float) -> None:
        """Learn nothing."""


async def model_findings(settings: Settings) -> list[Finding]:
    """Check that the language model and the embedder answer, as far as there are any."""
    if missing := missing_library(settings):
        return [Finding(good=False, text=missing.in_language(settings.language))]
    models = await open_models(settings, NullTokenLedger(), SystemClock())
    try:
        found = await _reply_findings(settings, models)
        if models.embedder is not None:
            found.append(await _embedder_finding(settings, models.embedder))
        elif settings.embedding_local:
            found.append(_lacking_finding(settings, settings.embedding_local))
        return found
    finally:
        await models.close()


# One short call whose answer is long enough to be timed: a check must cost next to nothing.
_MEASURED: Final = Compress(
    language="en",
    text="They met at the harbour, walked along the old wall to the lighthouse, had tea with the "
    "keeper and his two dogs, and took the last ferry home in the rain.",
    phrase="a walk to the lighthouse",
    keywords=("harbour", "lighthouse", "ferry"),
    characters="90",
)

_USUAL_PROMPT: Final = 2_500
"""Tokens of an ordinary prompt: persona, rules, some thirty lines, memories."""

_USUAL_REPLY: Final = 80
"""Tokens of an ordinary reply."""

_LEAST_WRITING: Final = 0.02
"""An answer whose pieces came within so many seconds was not written while it came."""

_SLOW_SECONDS: Final = 30.0
"""A reply that takes longer is worth a hint."""


async def _reply_findings(settings: Settings, models: Models) -> list[Finding]:
    """Check that the model answers, and measure how fast it reads and writes."""
    if not settings.has_model:
        return [Finding(good=True, text=say(settings.language, texts.NO_MODEL))]
    now = asyncio.get_running_loop().time
    begun, times = now(), list[float]()
    async for event in models.reply.stream(_MEASURED):
        match event:
            case Piece():
                times.append(now())
            case StartAgain():
                begun, times = now(), []
            case outcome:
                waits = [each - begun for each in times]
                return list(_answer_findings(settings, models, outcome, waits))
    return list(_answer_findings(settings, models, Unavailable("connection"), ()))


_SAME_FAULT: Final = {
    **dict.fromkeys(
        ("web_page", "not_an_answer", "unreadable", "no_choices", "too_large"), "unknown_address"
    ),
    "timeout": "connection",
}
"""Reasons of which the same is to be done as of another."""


def _answer_findings(
    settings: Settings, models: Models, outcome: Outcome, waits: Sequence[float]
) -> Iterator[Finding]:
    """Say whether a model answered, and if so how fast; ``waits``: when each piece came."""
    name = settings.llm_model
    match outcome:
        case Replied():
            yield Finding(good=True, text=say(settings.language, texts.MODEL_GOOD, name=name))
            yield from _speed_findings(settings, models, outcome, waits)
            return
        case Unavailable(reason) | Invalid(reason):
            pass
        case other:
            reason = type(other).__name__.lower()
    fault = texts.MODEL_FAULTS.get(_SAME_FAULT.get(reason, reason), texts.MODEL_FAULT)
    why = say(settings.language, fault)
    text = say(settings.language, texts.MODEL_BAD, name=name, reason=reason, why=why)
    yield Finding(good=False, text=text)


def _speed_findings(
    settings: Settings, models: Models, answer: Replied, times: Sequence[float]
) -> Iterator[Finding]:
    """Say how fast a model is, by one answer and when its pieces came, and what to expect."""
    usage = answer.usage
    if times:
        yield Finding(good=True, text=_speed_told(settings, models, answer, times))
    if usage.cached_tokens is not None:
        cached, prompt = usage.cached_tokens, usage.prompt_tokens
        text = say(settings.language, texts.MODEL_CACHES, cached=cached, prompt=prompt)
        yield Finding(good=True, text=text)


def _speed_told(
    settings: Settings, models: Models, answer: Replied, times: Sequence[float]
) -> str:
    usage, first, passed = answer.usage, times[0], times[-1] - times[0]
    written = usage.completion_tokens or models.tokens.count(answer.text)
    if passed < _LEAST_WRITING or written <= 1:
        # Written before it was sent, or not at all: the wait says nothing of how fast it reads.
        return say(settings.language, texts.MODEL_UNMEASURED, first=f"{first:.1f}")
    rate = (written - 1) / passed
    asked = usage.prompt_tokens or models.tokens.count_messages(_MEASURED.messages())
    usual = _expected_first_word(settings, first, asked)
    whole = usual + _USUAL_REPLY / rate
    return say(
        settings.language,
        texts.MODEL_SLOW if whole > _SLOW_SECONDS else texts.MODEL_SPEED,
        first=f"{first:.1f}",
        rate=f"{rate:.0f}",
        usual=f"{usual:.0f}" if usual >= 1 else "< 1",
        whole=f"{whole:.0f}" if whole >= 1 else "< 1",
    )


def _expected_first_word(settings: Settings, measured: float, asked: int) -> float:
    """Return when the first word of a usual reply may be expected, in seconds.

    A model of one's own reads token by token, so it grows with the prompt; of a hosted one nearly
    all of the wait is the way there.
    """
    preset = preset_for(settings)
    if not (preset.is_local or is_local_address(preset.url)):
        return measured
    usual = min(_USUAL_PROMPT, preset.context_tokens)
    return measured * max(1.0, usual / max(asked, 1))


async def _embedder_finding(settings: Settings, embedder: Embedder) -> Finding:
    good = await embedder.embed(["ping"]) is not None
    sentence = texts.EMBEDDER_GOOD if good else texts.EMBEDDER_BAD
    if settings.embedding_local and not good:
        sentence = texts.EMBEDDING_BROKEN
    name = str(settings.embedding_local or settings.embedding_model)
    return Finding(good, say(settings.language, sentence, name=name))


def _lacking_finding(settings: Settings, folder: Path) -> Finding:
    lacking = missing_for(folder)
    sentence = texts.EMBEDDING_NO_LIBRARIES if lacking == "libraries" else texts.EMBEDDING_NO_FILE
    words = say(settings.language, sentence, name=str(folder), file=lacking or "")
    return Finding(good=False, text=words)
