"""Tests of what only root can do."""

import os
from typing import Final

import pytest

AS_ROOT: Final = pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can give files to somebody else"
)
"""For what root does for a user of the service: nobody else can set the scene.

The kernel lets root alone change whose a file is. Whoever is not root never gets into this code
either; `.ci/run` in a container is root, and does.
"""
