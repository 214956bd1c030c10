"""From the files of a folder to its last good state, for its owner and for those who only look.

This module never writes. There are two snapshots, each with a previous generation, and a journal
that leads on from the older one. Every record is put whole, so the journal replayed from the
older of two snapshots gives the right state whatever is in the younger one, provided it leads at
least as far as that: every key touched in between gets its last value again, and the others are
alike in both.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import product
from operator import attrgetter
from pathlib import Path
from typing import Final

from memory import refusals
from memory.errors import StoreDamaged, StoreFromFuture
from memory.state import MemoryState
from memory.stores.codec import (
    FIRST_WITH_DIARY,
    SCHEMA,
    decode_commit,
)
from memory.stores.disk import REAL_DISK, TEMPORARY, Disk, disk_errors
from memory.stores.journal import JOURNAL_FILE, JournalLines, JournalText, read_text
from memory.stores.journal_file import BEGUN, BLANK, reached_by
from memory.stores.pages import is_page, open_page
from memory.stores.paging import documents_of
from memory.stores.shapes import BadDocument
from memory.stores.snapshot import (
    EMPTY_SNAPSHOT,
    PREVIOUS_SUFFIX,
    SNAPSHOT_FILES,
    Snapshot,
    read_snapshot,
)
from memory.stores.tables import (
    RecordTables,
    add_missing_lines,
    apply_change,
    read_tables,
    salvage_page_into,
    state_of,
)

DAMAGED_MARK: Final = ".damaged-"
"""What follows the name of a damaged file that was kept aside: this and a number."""

HALF_MADE: Final = ".half-made-"
"""The same for a file of which nothing was ever acknowledged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreDamage:
    """What was wrong with the files of a folder when it was opened; false if nothing was.

    ``lost`` counts the commits that cannot be read and were passed over, or with which the
    journal once went on behind its present end; ``healed`` those of which one bit was turned back.
    ``journal_missing`` says that there were snapshots but no journal, so that whatever was said
    after them is gone. ``unusable_files`` were kept aside; ``returned`` counts the lines of a page
    among them that came back from a backup.
    """

    lost: int = 0
    healed: int = 0
    journal_missing: bool = False
    unusable_files: tuple[str, ...] = ()
    returned: int = 0

    @property
    def pages(self) -> tuple[str, ...]:
        """The pages of the diary that cannot be used, or are gone."""
        return tuple(filter(is_page, self.unusable_files))

    def __bool__(self) -> bool:
        return self != StoreDamage()


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoredState:
    """The last good state of a folder.

    ``sequence`` counts the commits in it, ``folded`` those that both snapshots hold.
    ``unusable_files`` names the files that are not as they were written or lead elsewhere,
    ``half_made`` those in a folder where nothing was acknowledged yet: whoever writes to the
    folder keeps both aside first. ``needs_fold`` says that new snapshots are due, because another
    mishap would cost something or a file has an older schema.
    ``damage`` is what somebody should be told of. ``journal`` is the text of the journal as it was
    read, for whoever owns the folder and goes on writing. ``pages`` are
    those the snapshot names.
    """

    state: MemoryState
    sequence: int
    folded: int
    unusable_files: tuple[str, ...] = ()
    half_made: tuple[str, ...] = ()
    needs_fold: bool = False
    damage: StoreDamage = StoreDamage()
    journal: JournalText | None = None
    pages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _SnapshotSource:
    """A snapshot that can be read, and the name of its file; "" for one never written."""

    snapshot: Snapshot
    name: str = ""

    @property
    def sequence(self) -> int:
        return self.snapshot.meta.sequence


@dataclass(frozen=True, slots=True)
class _SnapshotPair:
    """The snapshots a state is restored from.

    ``folded`` is the last commit both hold, ``last`` the one the journal leads to from there.
    """

    sources: tuple[_SnapshotSource, ...]
    folded: int
    last: int

    @property
    def name(self) -> str:
        """The name of the snapshots if they hold all there is, else ""."""
        names = (source.snapshot.name for source in self.sources)
        return "/".join(names) if self.folded == self.last else ""

    @property
    def pages(self) -> tuple[str, ...]:
        """The pages of the diary, which the first of the snapshots holds."""
        return self.sources[0].snapshot.meta.pages

    @classmethod
    def of(
        cls, sources: tuple[_SnapshotSource, ...], lines: JournalLines
    ) -> "_SnapshotPair | None":
        """Return the pair with what the journal adds; None if they make no whole state."""
        sequences = [source.sequence for source in sources]
        last = lines.last_reachable(min(sequences))
        return cls(sources, min(sequences), last) if last >= max(sequences) else None


def restore(folder: Path, disk: Disk) -> RestoredState:
    """Return the last good state of a folder; a new one holds the empty state.

    Raises :class:`StoreDamaged` when no state can be trusted and :class:`StoreFromFuture` when a
    newer program wrote one.
    """

    def source(name: str) -> _SnapshotSource | None:
        snapshot = read_snapshot(disk.read(folder / name) or b"")
        return _SnapshotSource(snapshot, name) if snapshot else None

    # The owner may be at work while somebody looks on, so the order counts. The journal is read
    # after the newest snapshots: a fold in between cannot open a gap then. The names are read
    # last: what says that nothing was acknowledged said so when there was nothing to read.
    # How far the journal went is read before it, for the same reason.
    newest = tuple(found for name in SNAPSHOT_FILES if (found := source(name)))
    reached = reached_by(disk.read(folder / BEGUN) or b"")
    journal = read_text(folder / JOURNAL_FILE, disk)
    _, lines = journal
    names = disk.names(folder)
    whole = _SnapshotPair.of(newest, lines) if len(newest) == len(SNAPSHOT_FILES) else None
    chosen = whole or _best_pair(source, lines, names)
    if chosen is None:
        raise StoreDamaged(refusals.NOTHING_READABLE, folder=folder)
    try:
        with paused_garbage_collector():
            pages = [(name, open_page(folder, name, disk)) for name in chosen.pages]
            there = [page for _, page in pages if page is not None]
            damaged = tuple(name for name, page in pages if page is None)
            tables = read_tables([(each.snapshot, each.name) for each in chosen.sources], there)
            for name in damaged:
                salvage_page_into(tables, disk.map(folder / name))
            restored = _replayed_state(chosen, lines, names, tables)
            restored = _without_pages(restored, damaged) if damaged else restored
            if reached > chosen.last and BLANK not in names:
                restored = _cut_short(restored, range(chosen.last + 1, reached + 1), lines, names)
            return replace(restored, journal=journal, pages=chosen.pages)
    except BadDocument as error:
        raise StoreFromFuture(refusals.NEWER_FOLDER, folder=folder, why=str(error)) from error


@contextmanager
def paused_garbage_collector() -> Iterator[None]:
    """Make many objects that the cycle collector does not go through, now or later.

    Whoever lets go of them as a whole thaws them (``gc.unfreeze``), so that what has cycles goes.
    """
    # Records hold no cycles, and looking for some took a third of the time a large agent needs to
    # open. Each full collection would go through them again, and nobody is answered meanwhile:
    # 0.4 s with ten thousand memories.
    at_work = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if at_work:
            gc.freeze()
            gc.enable()


def _best_pair(
    source: Callable[[str], _SnapshotSource | None], lines: JournalLines, names: frozenset[str]
) -> _SnapshotPair | None:
    """Return the snapshots from which the journal leads furthest, newer ones before older.

    None if no combination makes a whole state.
    """
    found = [
        [snapshot for name in (file, file + PREVIOUS_SUFFIX) if (snapshot := source(name))]
        for file in SNAPSHOT_FILES
    ]
    new = not any(found) and _is_new(lines, names)
    # A journal that still holds line 1 needs no snapshot at all.
    nothing = [_SnapshotSource(EMPTY_SNAPSHOT)] if new or lines.last_reachable(0) else []
    generations = [snapshots + nothing for snapshots in found]
    pairs = [
        pair
        for sources in product(*generations)
        if (pair := _SnapshotPair.of(sources, lines)) is not None
    ]
    # max() takes the first of equals, and the newer generations come first.
    return max(pairs, key=attrgetter("last"), default=None)


def _is_new(lines: JournalLines, names: frozenset[str]) -> bool:
    """Return whether nothing was ever acknowledged here, given that no snapshot can be read.

    Only then may a folder be found empty. The proof is in ``memory.stores.disk``.
    """
    if lines.by_sequence:
        return False
    traces = (*SNAPSHOT_FILES, JOURNAL_FILE + DAMAGED_MARK, BEGUN)
    return BLANK in names or not (
        lines.damaged
        or any(
            name.startswith(traces) and not name.endswith(TEMPORARY) and HALF_MADE not in name
            for name in names
        )
    )


def _without_pages(found: RestoredState, damaged: tuple[str, ...]) -> RestoredState:
    """Return what was restored without some pages: the folder is to be written anew so."""
    files = (*found.unusable_files, *damaged)
    damage = replace(found.damage, unusable_files=files)
    return replace(
        found,
        # What is kept of the index is of a diary that is whole.
        state=replace(found.state, read_from=""),
        unusable_files=files,
        damage=damage,
        needs_fold=True,
    )


def _cut_short(
    found: RestoredState, gone: range, lines: JournalLines, names: frozenset[str]
) -> RestoredState:
    """Return what was restored where the journal ends before those commits, once acknowledged."""
    lost = found.damage.lost + sum(number not in lines.lost for number in gone)
    journal = {JOURNAL_FILE} & names
    files = tuple(dict.fromkeys((*found.unusable_files, *journal)))
    damage = replace(found.damage, lost=lost, unusable_files=files)
    return replace(found, unusable_files=files, damage=damage, needs_fold=True)


def _replayed_state(
    pair: _SnapshotPair, lines: JournalLines, names: frozenset[str], tables: RecordTables
) -> RestoredState:
    """Return what the snapshots and the journal after them add up to.

    Raises :class:`BadDocument` for a document this program cannot read.
    """
    metas = [source.snapshot.meta for source in pair.sources]
    next_id, schemas = max(meta.next_id for meta in metas), {meta.schema for meta in metas}
    for payload in lines.payloads(pair.folded + 1, pair.last):
        commit = decode_commit(payload)
        # Before the first commit that knows the diary: what that commit drops had a line by then.
        if max(schemas) < FIRST_WITH_DIARY <= commit.schema:
            add_missing_lines(tables)
        for change in commit.changes:
            apply_change(tables, change)
        next_id = max(next_id, commit.next_id)
        schemas.add(commit.schema)
    if pair.last == 0 and not any(source.name for source in pair.sources):
        half_made = _half_made(lines, names)
        return RestoredState(state=MemoryState(), sequence=0, folded=0, half_made=half_made)
    if max(schemas) < FIRST_WITH_DIARY:
        add_missing_lines(tables)
    state = state_of(tables, next_id, max(meta.last_line for meta in metas))
    # What is kept of the index beside pages fits no diary that was read out of them.
    name = pair.name if not pair.pages or documents_of(state.diary) is not None else ""
    unfit = _unusable_files(pair, lines, names)
    return RestoredState(
        state=replace(state, read_from=name),
        sequence=pair.last,
        folded=pair.folded,
        unusable_files=unfit,
        needs_fold=bool(unfit or lines.healed)
        or min(schemas) < SCHEMA
        or not _has_spare(pair, lines, names),
        damage=StoreDamage(
            lost=sum(number > pair.folded for number in lines.lost),
            healed=sum(number > pair.folded for number in lines.healed),
            journal_missing=JOURNAL_FILE not in names,
            unusable_files=unfit,
        ),
    )


def _has_spare(pair: _SnapshotPair, lines: JournalLines, names: frozenset[str]) -> bool:
    """Return whether both snapshots were written by one fold and the journal leads up to now.

    Where there are none because they were damaged, the journal is all there is.
    """
    if len({source.sequence for source in pair.sources}) > 1:
        return False
    if pair.last == 0:
        return True
    alone = pair.folded == 0 and any(DAMAGED_MARK in name for name in names)
    return pair.last in lines.by_sequence and not alone


def _unusable_files(
    pair: _SnapshotPair, lines: JournalLines, names: frozenset[str]
) -> tuple[str, ...]:
    """Return the files that were passed over, and the journal unless it ends with the state."""
    unfit = []
    for file, chosen in zip(SNAPSHOT_FILES, pair.sources, strict=True):
        generations = ["", file + PREVIOUS_SUFFIX, file]
        newer = generations[generations.index(chosen.name) + 1 :]
        unfit += [name for name in newer if name in names]
    if lines.damaged or (lines.by_sequence and max(lines.by_sequence) != pair.last):
        unfit.append(JOURNAL_FILE)
    return tuple(unfit)


def _half_made(lines: JournalLines, names: frozenset[str]) -> tuple[str, ...]:
    """Return every file of a start that was cut short, except an empty journal: that is fine."""
    files = [JOURNAL_FILE, *SNAPSHOT_FILES, *(file + PREVIOUS_SUFFIX for file in SNAPSHOT_FILES)]
    files += [file + TEMPORARY for file in (JOURNAL_FILE, *SNAPSHOT_FILES)]
    if not (lines.unfinished or lines.damaged):
        files.remove(JOURNAL_FILE)
    return tuple(name for name in files if name in names)


_READ_ATTEMPTS: Final = 5


def read_agent_state(folder: Path, *, disk: Disk = REAL_DISK) -> MemoryState:
    """Return the state of an agent as of its last commits; blocks, writes nothing, locks nothing.

    An agent that never was has the empty state. Raises :class:`StoreDamaged`,
    :class:`StoreFromFuture`, and :class:`StoreUnwritable` where reading is not allowed.
    """
    with disk_errors(folder):
        # A fold of the owner may exchange the files between two reads: what looks damaged, or
        # passed over, is then read again.
        for _ in range(_READ_ATTEMPTS):
            try:
                restored = restore(folder, disk)
            except StoreDamaged:
                continue
            if not restored.unusable_files:
                return restored.state
        return restore(folder, disk).state
