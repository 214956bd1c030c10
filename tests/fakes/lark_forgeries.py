"""Requests to a webhook that Lark did not make, or made long ago: none may be believed.

Whoever forges may know the address, an old request, and how everything is done, but neither the
key nor the token. The clock and the token tell apart what a leaked key alone must not open.
"""

import base64
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any, TypeAlias

from tests.fakes.lark_signing import request, sealed_request, signature
from tests.fakes.lark_world import ENCRYPT_KEY

Document: TypeAlias = dict[str, Any]
TIMESTAMP, NONCE, SIGNATURE = (
    "X-Lark-Request-Timestamp",
    "X-Lark-Request-Nonce",
    "X-Lark-Signature",
)


@dataclass(frozen=True, slots=True)
class Forgery:
    """``kind`` names the trick."""

    kind: str
    body: bytes
    headers: dict[str, str]

    def having(self, **headers: str | None) -> "Forgery":
        names = {"timestamp": TIMESTAMP, "nonce": NONCE, "signature": SIGNATURE}
        given = {names[key]: value for key, value in headers.items()}
        kept = {**self.headers, **given}
        return replace(self, headers={k: v for k, v in kept.items() if v is not None})


class Forger:
    """``heard`` is a request that was already taken, ``now`` the time in seconds."""

    def __init__(self, document: Document, heard: Forgery, now: float, chance: Random) -> None:
        self._document = document
        self._heard = heard
        self._now = now
        self._chance = chance

    def forgeries(self, count: int) -> Iterator[Forgery]:
        """Yield so many, every trick in turn, no two the same."""
        tricks: list[Callable[[], Forgery]] = [
            self._replayed,
            self._unsigned,
            self._misspelt,
            self._other_key,
            self._other_body,
            self._turned_bits,
            self._other_time,
            self._odd_time,
            self._in_the_clear,
            self._other_token,
            self._asking,
            self._broken,
        ]
        for number in range(count):
            trick = tricks[number % len(tricks)]
            yield replace(trick(), kind=trick.__name__.strip("_"))

    def _true(self, seconds: float = 0.0, document: Document | None = None) -> Forgery:
        """What Lark itself would have sent, so many seconds from now."""
        document = document or self._renamed()
        timestamp = str(int(self._now + seconds))
        body, headers = request(document, ENCRYPT_KEY, timestamp=timestamp, nonce=self._nonce())
        return Forgery("", body, headers)

    def _replayed(self) -> Forgery:
        return self._heard

    def _unsigned(self) -> Forgery:
        names = self._chance.sample(
            ["timestamp", "nonce", "signature"], self._chance.randint(1, 3)
        )
        return self._true().having(**dict.fromkeys(names))

    def _misspelt(self) -> Forgery:
        """The signature of the request, but for something."""
        true = self._true()
        proof = true.headers[SIGNATURE]
        wrong = (
            proof[:-1],
            proof + "0",
            proof[::-1],
            "0" * 64,
            "",
            "null",
            "é" * 64,
            f"sha256={proof}",
            base64.b64encode(bytes.fromhex(proof)).decode(),
        )
        return true.having(signature=self._chance.choice(wrong))

    def _other_key(self) -> Forgery:
        key = self._chance.choice(["", "key", ENCRYPT_KEY[:-1], ENCRYPT_KEY.upper(), "null"])
        return _signed_with(self._true(), key)

    def _other_body(self) -> Forgery:
        """Somebody else's body under a signature that is Lark's."""
        return replace(self._true(), headers=self._true().headers)

    def _turned_bits(self) -> Forgery:
        """The body Lark sent, changed where a change can be hidden."""
        true = self._true()
        data = bytearray(base64.b64decode(json.loads(true.body)["encrypt"]))
        for _ in range(self._chance.randint(1, 3)):
            data[self._chance.randrange(len(data))] ^= 1 << self._chance.randrange(8)
        return replace(
            true, body=json.dumps({"encrypt": base64.b64encode(data).decode()}).encode()
        )

    def _other_time(self) -> Forgery:
        """What Lark signed, but long ago or in times to come."""
        ages = (-3.15e8, -8.64e4, -3.6e3, -400, 400, 3.6e3, 8.64e4, 3.15e8)
        return self._true(self._chance.choice(ages) * (1 + self._chance.random()))

    def _odd_time(self) -> Forgery:
        """A time that is none, with a signature that fits it."""
        now = str(int(self._now))
        odd = (
            "",
            "now",
            "NaN",
            "inf",
            f"-{now}",
            f"+{now}",
            f"{now}.0",
            f"{now}000",
            f"{now}e0",
            f"0x{int(self._now):x}",
            f"{now[:5]}_{now[5:]}",
            "9" * 400,
        )
        true = self._true().having(timestamp=self._chance.choice(odd))
        return _signed_with(true, ENCRYPT_KEY)

    def _in_the_clear(self) -> Forgery:
        """An event that is signed, but not encrypted."""
        body = json.dumps(self._renamed(), ensure_ascii=False).encode()
        return _signed_with(replace(self._true(), body=body), ENCRYPT_KEY)

    def _other_token(self) -> Forgery:
        """Another app's event, encrypted and signed with the key."""
        document = self._renamed()
        token = document["header"]["token"]
        others = ("", "token", None, True, 0, [token], {"token": token}, token[:-1], "é")
        document["header"]["token"] = self._chance.choice(others)
        return self._true(document=document)

    def _asking(self) -> Forgery:
        """Ask whether the address is ours, without the token; the answer would echo."""
        asked: Document = {"challenge": self._nonce(), "type": "url_verification"}
        token = self._chance.choice([None, "", "token", ["x"], 7])
        asked |= {} if token is None else {"token": token}
        if self._chance.random() < 0.5:
            return self._true(document=asked)
        body = json.dumps(asked).encode()
        return Forgery("", body, {"Content-Type": "application/json"})

    def _broken(self) -> Forgery:
        """Signed with the key, but nothing that could be read."""
        key = ENCRYPT_KEY
        bodies = (
            b"",
            b"null",
            b"[]",
            b"7",
            b'"text"',
            b"{",
            b"[" * 50_000,
            b"\xff\xfe\x00",
            b'{"encrypt": 7}',
            b'{"encrypt": ""}',
            b'{"encrypt": "' + base64.b64encode(b"\x00" * 16) + b'"}',
            b'{"encrypt": "' + base64.b64encode(b"\x00" * 33) + b'"}',
            b'{"encrypt": "' + base64.b64encode(b"\x00" * 64) + b'"}',
            b'{"encrypt": "!!!"}',
            sealed_request("not json", key),
            sealed_request("[1, 2]", key),
            sealed_request("[" * 20_000, key),
            sealed_request(json.dumps(self._renamed()), "another key"),
        )
        return _signed_with(replace(self._true(), body=self._chance.choice(bodies)), key)

    def _renamed(self) -> Document:
        """The event with ids nobody has seen."""
        document: Document = json.loads(json.dumps(self._document))
        document["header"]["event_id"] = self._nonce()
        document["event"]["message"]["message_id"] = f"om_{self._nonce()}"
        return document

    def _nonce(self) -> str:
        return f"{self._chance.getrandbits(128):032x}"


def _signed_with(forgery: Forgery, key: str) -> Forgery:
    given = forgery.headers
    proof = signature(given[TIMESTAMP], given[NONCE], key, forgery.body)
    return forgery.having(signature=proof)
