"""Links between memories: made, strengthened, followed and, under the law ``network``, worn away.

Everything here is pure: functions of a state and its :class:`memory.network.index.NetworkIndex`
that return links, changes or text. docs/decisions/association.md has the decisions.
"""
