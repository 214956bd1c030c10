"""Everything about remembering, without a chat platform, HTTP or an environment variable.

The whole public surface is ``from memory import Message, open_memory``.
"""
