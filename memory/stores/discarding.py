"""Letting the folder of an agent go for good, so that it is taken for an agent no more."""

import shutil
from pathlib import Path
from typing import Final

from memory.stores.disk import disk_errors

REMOVAL_PREFIX: Final = ".leaving-"
"""What a folder is called while it goes; no agent has such a name."""


def remove_folder(folder: Path) -> None:
    """Remove a folder nobody owns: for every reader at once, then for good.

    Cut short, it goes on when called again. Raises :class:`memory.errors.StoreUnwritable`.
    """
    leaving = folder.with_name(f"{REMOVAL_PREFIX}{folder.name}")
    with disk_errors(folder):
        if leaving.exists():
            shutil.rmtree(leaving)
        if folder.exists():
            folder.rename(leaving)
            shutil.rmtree(leaving)
