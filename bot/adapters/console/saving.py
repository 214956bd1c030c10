"""Putting the files of a document into a folder, since a terminal cannot send any."""

import os
from dataclasses import replace
from pathlib import Path

from bot.desk.documents import Document, File
from memory.errors import InputRefused


def save_files(document: Document, folder: Path) -> Document:
    """Return the document with every file of it written and named by its path; blocks.

    A file is for its owner only, and one of that name there before is replaced. Raises
    :class:`InputRefused`.
    """
    return Document(
        tuple(
            replace(block, path=str(write_private_file(folder / block.name, block.data)))
            if isinstance(block, File)
            else block
            for block in document.blocks
        )
    )


def write_private_file(file: Path, content: bytes) -> Path:
    """Write a file that only its owner may read, and return its whole path."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    try:
        descriptor = os.open(file, flags, 0o600)
        with os.fdopen(descriptor, "wb") as out:
            os.fchmod(descriptor, 0o600)
            out.write(content)
        return file.resolve()
    except OSError as error:
        raise InputRefused(f"cannot write {file}: {error.strerror}") from error
