"""The picture of the network (DESIGN §10, ``/memory graph``)."""

from bot.desk.graph.draw import draw, to_png

__all__ = ["draw", "to_png"]
