"""Our frames are the library's frames, byte for byte."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fakes.cost import times
from tests.fakes.lark_frames import DATA, BrokenFrame, Frame, decode, encode, parts
from tests.fakes.lark_sdk import lark

NUMBERS = st.integers(0, 2**63 - 1)
FRAMES = st.builds(
    Frame,
    sequence=NUMBERS,
    log=NUMBERS,
    service=st.integers(0, 2**31 - 1),
    method=st.integers(0, 1),
    headers=st.dictionaries(st.text(min_size=1, max_size=9), st.text(max_size=9), max_size=3),
    payload=st.binary(max_size=60),
)


@settings(max_examples=times(20, hunting=200))
@given(FRAMES)
def test_the_library_reads_our_frames_and_we_read_the_librarys(frame: Frame) -> None:
    theirs = lark().ws.client.Frame()
    theirs.ParseFromString(encode(frame))

    told = (theirs.SeqID, theirs.LogID, theirs.service, theirs.method, theirs.payload)
    assert told == (frame.sequence, frame.log, frame.service, frame.method, frame.payload)
    assert {each.key: each.value for each in theirs.headers} == frame.headers
    assert decode(theirs.SerializeToString()) == frame


@settings(max_examples=times(12, hunting=125))
@given(FRAMES, st.integers(1, 7))
def test_parts_are_the_whole(frame: Frame, count: int) -> None:
    split = parts(replace(frame, method=DATA), count)

    assert len(split) == count
    assert b"".join(part.payload for part in split) == frame.payload


@pytest.mark.parametrize("data", [b"", b"\x08\x01", b"\x08", b"\x08" + b"\xff" * 11, b"\x0d1234"])
def test_what_is_no_frame_is_refused(data: bytes) -> None:
    with pytest.raises(BrokenFrame):
        decode(data)
