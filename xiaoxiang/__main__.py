"""``python -m xiaoxiang``, and what the command ``xiaoxiang`` starts."""

import sys

from bot.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
