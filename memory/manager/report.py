"""What one night did, over all its rounds."""

from dataclasses import dataclass

from memory.manager.night import FatePlan


@dataclass(frozen=True, slots=True, kw_only=True)
class NightReport:
    """Counts of what a night compressed, archived, deleted, purged, consolidated and merged.

    ``merged`` counts the memories that each took the place of several that said one thing.
    """

    compressed: int = 0
    archived: int = 0
    deleted: int = 0
    purged: int = 0
    consolidated: int = 0
    merged: int = 0

    def after(self, night: FatePlan) -> "NightReport":
        """Return the report with what one more round did."""
        return NightReport(
            compressed=self.compressed + night.counts.compressed,
            archived=self.archived + night.counts.archived,
            deleted=self.deleted + night.counts.deleted,
            purged=self.purged + night.counts.purged,
            consolidated=self.consolidated + len(night.consolidate),
            merged=self.merged,
        )
