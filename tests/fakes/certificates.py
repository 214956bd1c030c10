"""The certificates of the machine, read once: no server of a test asks for any.

Every client of HTTP reads the whole bundle for a context of its own, which takes longer than most
tests.
"""

import ssl
from functools import cache

import pytest


def read_once(patch: pytest.MonkeyPatch) -> None:
    """Let everybody who asks for the same default context get the same one."""
    patch.setattr(ssl, "create_default_context", cache(ssl.create_default_context))
