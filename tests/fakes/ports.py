"""An address to listen at."""

import socket


def free_port() -> int:
    """Return a port nobody listens at, this moment."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
