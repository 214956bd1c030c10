"""Being pushed to by Lark: only what is proven, fresh and new is believed."""

import json
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.adapters.lark.webhook import (
    FRESH_SECONDS,
    LarkWebhook,
    LarkWebhookHandler,
    decrypted,
    is_signed,
    signature,
)
from bot.web import RequestHead
from memory import refusals
from memory.errors import StoreUnwritable
from tests.fakes.clock import FakeClock
from tests.fakes.lark_signing import encrypted

KEY = "encrypt-key-of-nobody"
TOKEN = "verification-token-of-nobody"  # noqa: S105 - nobody's
HOOK = LarkWebhook(path="/lark", bind="127.0.0.1:0", encrypt_key=KEY, verification_token=TOKEN)
NOW = datetime(2026, 9, 21, 14, 0, tzinfo=UTC)
ANSWER = Path(__file__).parents[3].parent / "shared/data/protocol/lark/known_answer.json"


class Kept:
    """What was taken; ``refusals`` come first."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.refusals: list[Exception] = []
        self.gate = LarkWebhookHandler(HOOK, self.take, FakeClock(NOW))

    async def take(self, event: Any) -> object:
        if self.refusals:
            raise self.refusals.pop(0)
        self.taken.append(event["header"]["event_id"])
        return {"toast": {"content": "好"}} if event["event"] else None

    async def status(self, head: RequestHead, body: bytes) -> int:
        return (await self.gate.handle(head, body)).status


def event(number: str = "e1", token: object = TOKEN, **body: object) -> dict[str, Any]:
    return {"schema": "2.0", "header": {"event_id": number, "token": token}, "event": body}


def pushed(
    document: object,
    *,
    seconds: float = 0.0,
    nonce: str = "n",
    key: str = KEY,
    sealed: bool = True,
) -> tuple[RequestHead, bytes]:
    """Return a request as Lark makes it, so many seconds from now."""
    text = json.dumps(document)
    body = json.dumps({"encrypt": encrypted(text, key)}).encode() if sealed else text.encode()
    return headed(body, str(int((NOW + timedelta(seconds=seconds)).timestamp())), nonce, key), body


def headed(body: bytes, timestamp: str, nonce: str, key: str = KEY) -> RequestHead:
    proof = signature(timestamp, nonce, key, body)
    return RequestHead(
        b"/lark",
        b"POST",
        (
            (b"x-lark-request-timestamp", timestamp.encode()),
            (b"x-lark-request-nonce", nonce.encode()),
            (b"x-lark-signature", proof.encode()),
        ),
    )


@pytest.mark.skipif(not ANSWER.exists(), reason="the known answer is not here")
def test_what_the_platform_published_decrypts_and_its_signature_holds() -> None:
    known = json.loads(ANSWER.read_text(encoding="utf-8"))
    body, proof = known["sign_body"].encode(), known["signature_sha256_ts_nonce_key_body"]
    stamp, nonce, key = known["sign_timestamp"], known["sign_nonce"], known["encrypt_key"]

    assert decrypted(known["encrypt"], key).decode() == known["plaintext"]
    assert signature(stamp, nonce, key, body) == proof


def test_a_signature_holds_for_nothing_else() -> None:
    proof = signature("1", "n", KEY, b"body")

    assert is_signed(proof, "1", "n", KEY, b"body")
    for other in ("", proof[:-1], proof.upper(), "é" * 64, "\ud800"):
        assert not is_signed(other, "1", "n", KEY, b"body")
    assert not is_signed(proof, "2", "n", KEY, b"body")
    assert not is_signed(proof, "1", "n", KEY, b"bodx")


@pytest.mark.parametrize("sealed", ["", "!", "QUJD", "QUJDREVGR0hJSktMTU5PUA==", "é"])
def test_what_was_not_encrypted_with_the_key_is_refused(sealed: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        decrypted(sealed, KEY)
    with pytest.raises(ValueError, match=r"."):
        json.loads(decrypted(encrypted('{"a": 1}', "another"), KEY))


async def test_a_push_is_taken_and_answered_with_what_it_asks_for() -> None:
    kept = Kept()
    plain = await kept.gate.handle(*pushed(event("e1")))
    asked = await kept.gate.handle(*pushed(event("e2", press=1)))

    assert (plain.status, json.loads(plain.body)) == (200, {})
    assert json.loads(asked.body) == {"toast": {"content": "好"}}
    assert kept.taken == ["e1", "e2"]


@pytest.mark.parametrize("sealed", [True, False])
async def test_the_question_whether_it_is_ours_is_answered_to_whoever_knows_the_token(
    *, sealed: bool
) -> None:
    kept = Kept()
    question = {"challenge": "3a-\ud800", "token": TOKEN, "type": "url_verification"}
    _, body = pushed(question, sealed=sealed)
    _, foreign = pushed({**question, "token": "x"}, sealed=sealed)
    bare = RequestHead(b"/lark", b"POST", ())

    answer = await kept.gate.handle(bare, body)
    assert json.loads(answer.body) == {"challenge": "3a-\ud800"}
    assert await kept.status(bare, foreign) == 403
    assert not kept.taken


@pytest.mark.parametrize(
    ("head", "body"),
    [
        pytest.param(*pushed(event(), seconds=-FRESH_SECONDS - 1), id="stale"),
        pytest.param(*pushed(event(), seconds=FRESH_SECONDS + 1), id="from the future"),
        pytest.param(*pushed(event(), key="another"), id="another key"),
        pytest.param(*pushed(event(), sealed=False), id="signed, not encrypted"),
        pytest.param(*pushed(event(token="x")), id="another token"),  # noqa: S106
        pytest.param(*pushed(event(token=None)), id="no token"),
        pytest.param(*pushed(event(token=["x"])), id="a token that is none"),
        pytest.param(*pushed([1, 2]), id="no object"),
        pytest.param(headed(b"[]", "1", "n"), b"[]", id="a list"),
        pytest.param(headed(b"\xff", "1", "n"), b"\xff", id="no text"),
        pytest.param(headed(b'{"encrypt": 3}', "1", "n"), b'{"encrypt": 3}', id="a number"),
        pytest.param(headed(b"[" * 9_000, "1", "n"), b"[" * 9_000, id="deep"),
    ],
)
async def test_what_is_not_proven_is_refused_without_a_word(
    head: RequestHead, body: bytes
) -> None:
    kept = Kept()
    answer = await kept.gate.handle(head, body)

    assert answer.status == HTTPStatus.FORBIDDEN
    assert answer.body == b""
    assert not kept.taken


@pytest.mark.parametrize("missing", [0, 1, 2])
async def test_every_part_of_the_proof_is_needed_exactly_once(missing: int) -> None:
    kept = Kept()
    head, body = pushed(event())
    without = tuple(each for at, each in enumerate(head.headers) if at != missing)

    assert await kept.status(RequestHead(b"/lark", b"POST", without), body) == 403
    twice = (*head.headers, head.headers[missing])
    assert await kept.status(RequestHead(b"/lark", b"POST", twice), body) == 403
    assert await kept.status(head, body) == 200


@pytest.mark.parametrize("stamp", ["", "x", "-5", "1e9", "１７９００００", "9" * 5_000, " 1"])
async def test_a_time_that_is_none_is_refused(stamp: str) -> None:
    _, body = pushed(event())
    proof = signature(stamp, "n", KEY, body).encode()
    head = RequestHead(
        b"/lark",
        b"POST",
        (
            (b"x-lark-request-timestamp", stamp.encode()),
            (b"x-lark-request-nonce", b"n"),
            (b"x-lark-signature", proof),
        ),
    )

    assert await Kept().status(head, body) == 403


async def test_the_same_request_is_believed_once() -> None:
    kept = Kept()
    request = pushed(event())
    statuses = [await kept.status(*request) for _ in range(3)]
    again = await kept.status(*pushed(event(), nonce="m", seconds=15))

    assert statuses == [200, 403, 403]
    assert again == 200


async def test_what_could_not_be_kept_is_not_confirmed_and_may_come_again() -> None:
    kept = Kept()
    kept.refusals = [
        StoreUnwritable(refusals.DISK_REFUSES),
        TimeoutError(),
        KeyError("nobody can read it"),
    ]
    request = pushed(event())

    assert [await kept.status(*request) for _ in range(4)] == [503, 503, 200, 403]
    assert kept.gate.acknowledger.skipped == 1
    assert not kept.taken


async def test_two_thousand_forged_requests_are_refused_without_a_word() -> None:
    kept, chance = Kept(), Random(7)
    head, body = pushed(event())
    for number in range(2_000):
        await refused(kept, head, body, chance, number)

    assert not kept.taken
    assert await kept.status(head, body) == 200


async def refused(kept: Kept, head: RequestHead, body: bytes, chance: Random, number: int) -> None:
    """Break one request somewhere: body, proof, key, age or token."""
    at = chance.randrange(len(body))
    match number % 5:
        case 0:
            body = body[:at] + bytes([body[at] ^ 1 + chance.randrange(254)]) + body[at + 1 :]
        case 1:
            name, proof = head.headers[2]
            flipped = bytes([proof[0] ^ 1 + at % 255]) + proof[1:]
            head = RequestHead(b"/lark", b"POST", (*head.headers[:2], (name, flipped)))
        case 2:
            head, body = pushed(event(), key=f"key {number}")
        case 3:
            late = chance.choice([-1, 1]) * (FRESH_SECONDS + 1 + chance.randrange(10**8))
            head, body = pushed(event(), seconds=late)
        case _:
            head, body = pushed(event(token=f"{TOKEN}{number}"))
    answer = await kept.gate.handle(head, body)
    assert answer.status == HTTPStatus.FORBIDDEN
    assert answer.body == b""
