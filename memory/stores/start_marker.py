"""How a folder in which nothing was ever acknowledged is told from one whose files are damaged.

The other files cannot tell: a first line torn by a loss of power, with whatever the disk puts in
place of its end, looks like the only line of a journal that was damaged later. So an empty file
beside them says by its name which of the two it is. It is made durable in this order:

1. ``blank`` is on the disk before the first byte is written to the journal;
2. the first line of the journal is synced;
3. ``blank`` is renamed ``begun`` and the folder synced: one step, so never neither of the two;
4. only then is the first commit acknowledged, and only after that can a snapshot be written.

Hence, whenever and however a process or the power ends, and whatever happens later to the content
of any file:

- With ``blank`` nothing was acknowledged. What is there is half-made, if it cannot be read; a
  first line that can be read is kept, like any commit whose acknowledgement nobody heard. An
  intact line or snapshot that leads nowhere shows that the marker came from elsewhere (files of
  two folders mixed by hand), and then the marker is not believed.
- With ``begun`` alone something was acknowledged: such a folder is never taken for empty, not
  even when its journal is gone or cut to nothing.
- With neither, an earlier program wrote the folder or nobody did: an empty journal, or one cut
  short in its first line, is a start; any other trace of a store that cannot be read is damage.

A commit that is taken back makes ``blank`` again before its line is cut. Then both may exist, and
``blank`` counts, because it is renamed over the other before anything is acknowledged.
"""

from pathlib import Path
from typing import Final

from memory.stores.disk import Disk

BLANK: Final = "blank"
BEGUN: Final = "begun"


def mark_blank(folder: Path, disk: Disk) -> None:
    """Say that nothing was acknowledged, durably; raises OSError."""
    disk.close(disk.open(folder / BLANK))
    disk.sync_folder(folder)


def mark_begun(folder: Path, disk: Disk) -> None:
    """Say that something may be acknowledged from now on, durably; raises OSError."""
    if BLANK in disk.names(folder):
        disk.replace(folder / BLANK, folder / BEGUN)
    else:
        disk.close(disk.open(folder / BEGUN))
    disk.sync_folder(folder)
