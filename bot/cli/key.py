"""``xiaoxiang key new FILE`` and ``xiaoxiang key rotate``: the key that seals secrets."""

import asyncio
import sys
from argparse import Namespace
from pathlib import Path

from bot.cli import settings_for
from bot.settings import Settings
from bot.texts import say
from bot.texts import shell as texts
from memory.errors import InputRefused
from memory.privacy.vault import Keys
from memory.rotation import rotate


def run_key(options: Namespace) -> int:
    """Make a key file, or seal everything anew with a new key; status 1 if some stays shut."""
    settings = settings_for(options)
    if options.action == "new":
        return _make_key(settings, options.file)
    return _rotate_key(settings)


def _make_key(settings: Settings, path: Path) -> int:
    Keys.create(path, data=settings.data_dir)
    _print_line(say(settings.language, texts.KEY_MADE, file=str(path.absolute())))
    return 0


def _rotate_key(settings: Settings) -> int:
    keys = settings.memory_keys()
    if keys is None or len(keys) == 0 or settings.memory_key_file is None:
        raise InputRefused(say(settings.language, texts.NO_KEY))
    done = asyncio.run(rotate(settings.data_dir, settings.memory_key_file))
    sentence = texts.SOME_SHUT if done.unopened else texts.ROTATED
    _print_line(say(settings.language, sentence, sealed=done.sealed, shut=done.unopened))
    return 1 if done.unopened else 0


def _print_line(line: str) -> None:
    sys.stdout.write(line + "\n")
