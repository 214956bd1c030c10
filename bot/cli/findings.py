"""What a check comes to."""

from dataclasses import dataclass

from bot.access import parsed_ids
from bot.adapters.pairing import paired_owner
from bot.conversation.messages import Platform
from bot.settings import Settings


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked, and what came of it."""

    good: bool
    text: str


def has_owner(settings: Settings, platform: Platform) -> bool:
    """Say whether she has an owner on a platform, set or paired."""
    owners = parsed_ids(settings.owner_ids) | paired_owner(settings.data_dir, platform)
    return any(each.platform == platform for each in owners)
