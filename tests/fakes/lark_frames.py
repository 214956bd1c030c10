"""The frames of Lark's long connection (``pbbp2.Frame``, proto2), written without protobuf.

::

    Header { required string key=1; required string value=2 }
    Frame  { required uint64 SeqID=1; required uint64 LogID=2; required int32 service=3;
             required int32 method=4; repeated Header headers=5; optional string
             payload_encoding=6; optional string payload_type=7; optional bytes payload=8;
             optional string LogIDNew=9 }
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

CONTROL, DATA = 0, 1
VARINT, BYTES = 0, 2


class BrokenFrame(ValueError):
    """These bytes are no frame."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    sequence: int = 0
    log: int = 0
    service: int = 0
    method: int = CONTROL
    headers: dict[str, str] = field(default_factory=dict)
    payload: bytes = b""


def encode(frame: Frame) -> bytes:
    """Return the frame's bytes; required fields are written even when they are 0."""
    numbers = (frame.sequence, frame.log, frame.service, frame.method)
    parts = [_tag(n, VARINT) + _varint(value) for n, value in enumerate(numbers, 1)]
    parts += [_block(5, _header(key, value)) for key, value in frame.headers.items()]
    if frame.payload:
        parts.append(_block(8, frame.payload))
    return b"".join(parts)


def decode(data: bytes) -> Frame:
    """Raises :class:`BrokenFrame`."""
    numbers: dict[int, int] = {}
    headers: dict[str, str] = {}
    payload = b""
    for number, value in _fields(data):
        if isinstance(value, int):
            numbers[number] = value
        elif number == 5:
            pair = {n: each for n, each in _fields(value) if isinstance(each, bytes)}
            headers[_text(pair, 1)] = _text(pair, 2)
        elif number == 8:
            payload = value
    if missing := {1, 2, 3, 4} - numbers.keys():
        raise BrokenFrame(f"required fields are missing: {sorted(missing)}")
    return Frame(
        sequence=numbers[1],
        log=numbers[2],
        service=numbers[3],
        method=numbers[4],
        headers=headers,
        payload=payload,
    )


def parts(frame: Frame, count: int) -> list[Frame]:
    """Split a data frame's payload into so many, as the platform does with long events."""
    size = max(1, -(-len(frame.payload) // count))
    return [
        replace(
            frame,
            headers={**frame.headers, "sum": str(count), "seq": str(n)},
            payload=frame.payload[n * size : (n + 1) * size],
        )
        for n in range(count)
    ]


def _header(key: str, value: str) -> bytes:
    return _block(1, key.encode()) + _block(2, value.encode())


def _block(number: int, data: bytes) -> bytes:
    return _tag(number, BYTES) + _varint(len(data)) + data


def _tag(number: int, kind: int) -> bytes:
    return _varint(number << 3 | kind)


def _varint(value: int) -> bytes:
    done = bytearray()
    while value > 0x7F:
        done.append(value & 0x7F | 0x80)
        value >>= 7
    done.append(value)
    return bytes(done)


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    place = 0
    while place < len(data):
        tag, place = _read_varint(data, place)
        value, place = _read_varint(data, place)
        if tag & 7 == VARINT:
            yield tag >> 3, value
        elif tag & 7 == BYTES:
            if place + value > len(data):
                raise BrokenFrame("a field ends after the frame")
            yield tag >> 3, data[place : place + value]
            place += value
        else:
            raise BrokenFrame(f"wire type {tag & 7}")


def _read_varint(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if place >= len(data) or shift > 63:
            raise BrokenFrame("a number without an end")
        value |= (data[place] & 0x7F) << shift
        place += 1
        if not data[place - 1] & 0x80:
            return value, place
        shift += 7


def _text(pair: dict[int, bytes], number: int) -> str:
    if number not in pair:
        raise BrokenFrame("a header without a key or a value")
    return pair[number].decode()
