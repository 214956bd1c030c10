"""One person's chats on two platforms, one memory: ``/link`` and ``/unlink`` (DESIGN §9)."""
