"""Drawing a part of the network, for a file or for a chat."""

from datetime import datetime

from bot.desk.graph.drawing import picture_svg
from bot.desk.graph.surroundings import Shows, surroundings
from memory.network.index import NetworkIndex
from memory.network.walk import is_everyday
from memory.state import MemoryState


def draw_network(
    state: MemoryState,
    centre: int | None,
    now: datetime,
    *,
    index: NetworkIndex | None = None,
    shows: Shows = is_everyday,
) -> str:
    """Return an SVG of what lies around the memory ``centre``, or around the focus if it is None.

    ``shows`` decides which memories may be seen, and ``index`` is the index of ``state``; without
    it one is built. Raises :class:`UnknownMemory` if ``centre`` is none of the agent's.
    """
    picture = surroundings(state, centre, now, index=index, shows=shows)
    return picture_svg(picture, state.agent_info.settings.language)


def to_png(svg: str) -> bytes:
    """Return the SVG as a PNG, for chats that show no SVG.

    The letters are drawn with the fonts of the machine: Chinese needs one (``apt install
    fonts-wqy-microhei`` or ``fonts-noto-cjk``).
    """
    import resvg_py  # noqa: PLC0415 (only a picture needs it)

    return bytes(resvg_py.svg_to_bytes(svg_string=svg))
