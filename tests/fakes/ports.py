"""An address to listen at."""

import socket


def free_port() -> int:
    """Return a port that is left to whoever listens at it by its number, until this process ends.

    A socket stays bound to it. Otherwise the system gives it to the next connection or test that
    asks for any, before the program it is meant for has begun to listen.
    """
    kept = socket.socket()
    kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    kept.bind(("127.0.0.1", 0))
    port: int = kept.getsockname()[1]
    kept.detach()
    return port
