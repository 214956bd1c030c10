"""``/help``: what it names, and to whom."""

import pytest

from bot.desk.command import Spec
from bot.desk.help import TOPICS
from bot.desk.registry import SPECS
from bot.identity import AccessLevel
from tests.fakes.desk import DeskSession


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.path)
async def test_help_names_every_command_an_owner_has_in_private(spec: Spec) -> None:
    async with DeskSession() as session:
        assert spec.chinese[0] in await session.says("/help")
        assert f"/{spec.path}" in await session.says(f"/help {TOPICS[spec.policy].zh}")


def test_no_topic_is_called_like_a_command() -> None:
    topics = {name for topic in TOPICS.values() for name in (topic.zh, topic.en)}

    assert topics.isdisjoint({name for spec in SPECS for name in (spec.name, *spec.chinese)})


async def test_the_help_fits_a_screen() -> None:
    async with DeskSession() as session:
        assert len((await session.says("/help")).splitlines()) <= 20


async def test_help_names_only_what_one_may_do() -> None:
    async with DeskSession() as session:
        everything = await session.says("/help")
        in_a_group = await session.says("/help", standing=AccessLevel.ALLOWED, private=False)
        changes = await session.says("/help change", standing=AccessLevel.ALLOWED, private=False)

        assert "改正" in everything
        assert "列表" in in_a_group
        assert "改正" not in in_a_group
        assert "/memory edit" not in changes


async def test_help_about_erasing_is_not_about_putting_away() -> None:
    async with DeskSession() as session:
        for about in ("forget", "/forget", "忘掉"):
            assert "/forget" in (await session.says(f"/help {about}")).splitlines()[0]
        assert "/memory forget" in (await session.says("/help memory forget")).splitlines()[0]
