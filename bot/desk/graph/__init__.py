"""The picture of the network behind ``/memory graph``: what is on it, where, how it looks."""

from bot.desk.graph.svg import draw_network, to_png

__all__ = ["draw_network", "to_png"]
