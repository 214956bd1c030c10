"""Files that were sent to be taken in, kept until somebody confirms: in this process only."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

UPLOAD_LIFE: Final = timedelta(hours=1)
MOST_UPLOADS: Final = 4
"""So many files, each of at most 20 MB, wait at a time; the eldest makes room."""


@dataclass(frozen=True, slots=True)
class PendingUpload:
    """A file, whole; ``me`` is who its sender said to be in it."""

    name: str
    data: bytes
    me: str = ""


class PendingUploads:
    """The last file of everyone who sent one."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], tuple[datetime, PendingUpload]] = {}

    def keep(self, agent_id: str, person: str, upload: PendingUpload, now: datetime) -> None:
        """Keep a file in place of the one that person sent before."""
        self._drop_stale(now)
        self._kept.pop((agent_id, person), None)
        self._kept[agent_id, person] = (now, upload)
        while len(self._kept) > MOST_UPLOADS:
            del self._kept[next(iter(self._kept))]

    def last(self, agent_id: str, person: str, now: datetime) -> PendingUpload | None:
        """Return the file that person sent last; None if that is too long ago."""
        self._drop_stale(now)
        found = self._kept.get((agent_id, person))
        return found[1] if found else None

    def drop(self, agent_id: str, person: str) -> None:
        """Keep it no longer."""
        self._kept.pop((agent_id, person), None)

    def _drop_stale(self, now: datetime) -> None:
        for key, (since, _) in list(self._kept.items()):
            if now - since > UPLOAD_LIFE:
                del self._kept[key]
