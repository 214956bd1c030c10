"""``/help``: what it names, and to whom."""

import pytest

from bot.desk.command import Spec
from bot.desk.registry import SPECS
from bot.identity import AccessLevel
from tests.fakes.desk import DeskSession


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.path)
async def test_help_names_every_command_an_owner_has_in_private(spec: Spec) -> None:
    async with DeskSession() as session:
        assert f"/{spec.path}" in await session.says("/help")


async def test_help_names_only_what_one_may_do() -> None:
    async with DeskSession() as session:
        everything = await session.says("/help")
        in_a_group = await session.says("/help", standing=AccessLevel.ALLOWED, private=False)

        assert "/forget" in everything
        assert "/memory list" in in_a_group
        assert "/memory edit" not in in_a_group


async def test_help_about_erasing_is_not_about_putting_away() -> None:
    async with DeskSession() as session:
        for about in ("forget", "/forget", "忘掉"):
            assert "/forget" in (await session.says(f"/help {about}")).splitlines()[0]
        assert "/memory forget" in (await session.says("/help memory forget")).splitlines()[0]
