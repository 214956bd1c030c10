"""The picture of the network (DESIGN §10, ``/memory graph``)."""

from bot.desk.graph.svg import draw_network, to_png

__all__ = ["draw_network", "to_png"]
