"""We encrypt and sign as Lark does: the library, and Lark's own example, agree."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fakes.cost import times
from tests.fakes.lark_sdk import lark
from tests.fakes.lark_signing import encrypted, request, signature

KNOWN = Path(__file__).parents[3].parent / "shared/data/protocol/lark/known_answer.json"
OURS = "AAECAwQFBgcICQoLDA0OD3cxNJnQhXLkGMR0CgbsArE="  # made with openssl


@pytest.mark.skipif(not KNOWN.is_file(), reason="the protocol samples are not on this machine")
def test_larks_own_example_is_what_we_would_have_made() -> None:
    known = json.loads(KNOWN.read_text(encoding="utf-8"))
    vector = base64.b64decode(known["encrypt"])[:16]
    made = signature(
        known["sign_timestamp"],
        known["sign_nonce"],
        known["encrypt_key"],
        known["sign_body"].encode(),
    )

    assert encrypted(known["plaintext"], known["encrypt_key"], iv=vector) == known["encrypt"]
    assert made == known["signature_sha256_ts_nonce_key_body"]


def test_an_example_of_our_own() -> None:
    assert encrypted("小祥", "key", iv=bytes(range(16))) == OURS


@settings(max_examples=times(15, hunting=150))
@given(st.text(max_size=50), st.text(min_size=1, max_size=9))
def test_the_library_reads_what_we_encrypt(text: str, key: str) -> None:
    cipher = lark().core.utils.decryptor.AESCipher(key)

    assert cipher.decrypt_str(encrypted(text, key)) == text


def test_the_library_believes_what_we_push() -> None:
    sdk = lark()
    heard: list[Any] = []
    handler = (
        sdk.EventDispatcherHandler.builder("key", "token")
        .register_p2_im_message_receive_v1(heard.append)
        .build()
    )
    header = {"event_type": "im.message.receive_v1", "token": "token", "event_id": "e"}
    document = {"schema": "2.0", "header": header, "event": {"message": {"message_id": "om_1"}}}
    asked = sdk.core.model.RawRequest()
    asked.uri = "/"
    asked.body, asked.headers = request(document, "key", timestamp="1", nonce="n")

    assert handler.do(asked).status_code == 200
    assert heard[0].event.message.message_id == "om_1"
