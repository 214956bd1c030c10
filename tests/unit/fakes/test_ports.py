"""A port that was handed out is for the program it was handed out for."""

import socket

import pytest

from tests.fakes.ports import free_port


def test_whoever_is_told_of_it_can_listen_and_before_that_nobody_does() -> None:
    there = ("127.0.0.1", free_port())
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(there)

    with socket.create_server(there):
        socket.create_connection(there).close()


def test_the_system_gives_it_to_nobody_else() -> None:
    port = free_port()

    with socket.socket() as other, pytest.raises(OSError, match="in use"):
        other.bind(("127.0.0.1", port))
