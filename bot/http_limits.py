"""A limit on how much of a response is read, whichever HTTP library reads it.

Two libraries stream responses here (the SDK's ``httpx`` and the model client's), and their stream
classes have no common base. Only the counting is shared; it imports neither of them, because
neither may be loaded before the first call that needs it.
"""

from collections.abc import AsyncIterator, Callable


async def limited_stream(
    parts: AsyncIterator[bytes], limit: int, too_large: Callable[[], Exception]
) -> AsyncIterator[bytes]:
    """Yield the parts of a body; raise ``too_large()`` once they exceed ``limit`` bytes.

    The part that crosses the limit is not yielded, so a reader never holds more than ``limit``.
    """
    left = limit
    async for part in parts:
        left -= len(part)
        if left < 0:
            raise too_large()
        yield part
