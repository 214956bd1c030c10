"""The program as it is started, which at its end prints the name of every module it loaded."""

import atexit
import sys


def tell() -> None:
    """Print the names, a line each."""
    sys.stdout.write("\n".join(["loaded:", *sorted(sys.modules)]) + "\n")


if __name__ == "__main__":
    from bot.__main__ import main

    atexit.register(tell)
    sys.exit(main())
