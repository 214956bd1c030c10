"""A platform, and somebody who calls it through the real library."""

from collections.abc import AsyncIterator

import pytest

from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_sdk import Caller, calling


@pytest.fixture
async def platform() -> AsyncIterator[LarkPlatform]:
    async with LarkPlatform() as platform:
        yield platform


@pytest.fixture
async def caller(platform: LarkPlatform) -> AsyncIterator[Caller]:
    async with calling(platform) as caller:
        yield caller
