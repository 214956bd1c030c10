"""Do the steps of the Dockerfile in a fresh Debian root, and talk with what comes of them.

sudo .venv/bin/python -m benchmarks.bare_root --root /tmp/root

For a machine without a container engine; needs Linux, root and ``mmdebstrap``. A bare Debian with
Python is made, both stages of the Dockerfile are run in it, and then, with the root read-only and
as the user of the image: ``setup`` answered by a script, a talk over Telegram, an end by SIGTERM,
the same wheel installed over the old one, the talk again, and the same over Lark. The platforms
are those of the tests, on loopback. Prints the seconds of each step, by the clock and of the
processor, and for each platform how long it is from the bare root until she has answered. It is
Debian's Python, not that of the image, and nothing is proven about what only an engine does.
"""

import argparse
import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_world import ANN as LARK_ANN
from tests.fakes.lark_world import APP_ID, APP_SECRET
from tests.fakes.telegram_server import TOKEN, TelegramServer
from tests.fakes.waiting import until

ROOT: Final = Path(__file__).resolve().parents[1]
USER: Final = "10001"
HERE: Final = re.compile(r"(?i)^(pip_|https?_proxy|no_proxy)")
"""What of the environment says how packages are reached from this machine."""

MOUNTED: Final = """
mount --bind "$ROOT" "$ROOT" && mount -o remount,bind,ro "$ROOT"
mount -t tmpfs -o size=64m tmpfs "$ROOT/tmp" && mount --bind "$DATA" "$ROOT/data"
mount -t proc proc "$ROOT/proc" && mount --rbind /dev "$ROOT/dev"
exec chroot --userspec="$USER_ID:$USER_ID" --groups="" "$ROOT" setpriv --no-new-privs "$@"
"""


@dataclass(slots=True)
class Image:
    """What the Dockerfile says, gathered while its steps are done."""

    folder: Path
    workdir: str = "/"
    environment: dict[str, str] = field(default_factory=dict)

    def run(self, command: str) -> None:
        """Run a command as root, as a RUN of the Dockerfile is."""
        path = self.environment.get("PATH", "/usr/local/bin") + ":/usr/bin:/bin:/usr/sbin:/sbin"
        env = {**self.environment, "PATH": path}
        env |= {key: value for key, value in os.environ.items() if HERE.match(key)}
        chroot = ["chroot", str(self.folder), "/bin/sh", "-ec", f"cd {self.workdir}; {command}"]
        subprocess.run(chroot, env=env, check=True, stdout=subprocess.DEVNULL)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, required=True, help="a folder that is made")
    options = parser.parse_args()
    root: Path = options.root.resolve()
    if os.geteuid() != 0 or shutil.which("mmdebstrap") is None:
        print("this needs root, and mmdebstrap: apt install mmdebstrap", file=sys.stderr)
        return 2
    with timed("a bare Debian with Python"):
        _debian(root)
    image = Image(root)
    with timed("the steps of the Dockerfile") as built:
        _build(image)
    for name, platform in (("Telegram", _on_telegram), ("Lark", _on_lark)):
        data = root.with_name(f"{root.name}-data-{name}")
        shutil.rmtree(data, ignore_errors=True)
        data.mkdir(mode=0o700)
        os.chown(data, int(USER), int(USER))
        talking = asyncio.run(platform(image, data))
        whole = built.plus(talking)
        print(f"{whole}  from a bare root with Python until she talks on {name}", flush=True)
    return 0


@dataclass(slots=True)
class Cost:
    """What a step took, in seconds: by the clock, and of the processor by what was started."""

    clock: float = 0.0
    processor: float = 0.0

    def plus(self, other: "Cost") -> "Cost":
        return Cost(self.clock + other.clock, self.processor + other.processor)

    def __str__(self) -> str:
        return f"{self.clock:6.1f} s ({self.processor:.1f} s of the processor)"


@contextmanager
def timed(what: str) -> Iterator[Cost]:
    """Print how long something took; what it yields holds the seconds afterwards.

    The processor's are those of programs that were started and have ended, the platforms' not.
    """
    cost, begun, before = Cost(), time.monotonic(), os.times()
    yield cost
    after = os.times()
    cost.clock = time.monotonic() - begun
    cost.processor = (after.children_user + after.children_system) - (
        before.children_user + before.children_system
    )
    print(f"{cost}  {what}", flush=True)


def _debian(root: Path) -> None:
    packages = "python3,python3-venv,python3-pip,ca-certificates"
    command = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={packages}", "bookworm"]
    subprocess.run([*command, str(root)], check=True)
    # The images of Python call it so, and let pip install beside it.
    (root / "usr/local/bin/python").symlink_to("/usr/bin/python3")
    for managed in root.glob("usr/lib/python3*/EXTERNALLY-MANAGED"):
        managed.unlink()


def _build(image: Image) -> None:
    """Do what the Dockerfile says, both stages in one root."""
    for shared in ("etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt", "etc/pip.conf"):
        if (Path("/") / shared).exists():
            shutil.copy(Path("/") / shared, image.folder / shared)
    text = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        match word:
            case "RUN":
                image.run(rest)
            case "WORKDIR":
                image.workdir = rest
                (image.folder / rest.strip("/")).mkdir(parents=True, exist_ok=True)
            case "ENV":
                pairs = (pair.split("=", 1) for pair in rest.split())
                image.environment |= {key: value.replace(":$PATH", "") for key, value in pairs}
            case "COPY" if not rest.startswith("--from"):
                _copy(image, rest.split()[0])
            case _:
                pass  # FROM, USER, VOLUME and how she is started are done by `_program`


def _copy(image: Image, what: str) -> None:
    """Copy what the repository holds at its last commit."""
    listed = ["git", "-C", str(ROOT), "archive", "HEAD"] + ([] if what == "." else [what])
    archive = subprocess.run(listed, check=True, capture_output=True).stdout
    target = image.folder / image.workdir.strip("/")
    subprocess.run(["tar", "-x", "-C", str(target)], input=archive, check=True)  # noqa: S607 - the user's tar


def _program(image: Image, data: Path, words: Sequence[str]) -> list[str]:
    return ["unshare", "--mount", "/bin/sh", "-ec", MOUNTED, "sh", "xiaoxiang", *words]


def _environment(image: Image, data: Path, more: Mapping[str, str]) -> dict[str, str]:
    mounts = {"ROOT": str(image.folder), "DATA": str(data), "USER_ID": USER}
    path = image.environment["PATH"] + ":/usr/bin:/bin:/usr/sbin:/sbin"
    return {**image.environment, **mounts, "PATH": path, **more}


@asynccontextmanager
async def _running(
    image: Image, data: Path, more: Mapping[str, str]
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run her, and stop her as an engine does."""
    program = await asyncio.create_subprocess_exec(
        *_program(image, data, ["run"]), env=_environment(image, data, more)
    )
    yield program
    begun = time.monotonic()
    program.send_signal(signal.SIGTERM)
    status = await program.wait()
    print(f"        ended with status {status} in {time.monotonic() - begun:.1f} s")
    if status != 0:
        raise SystemExit("she did not end as she should")


async def _set_up(image: Image, data: Path, answers: str, more: Mapping[str, str]) -> None:
    program = await asyncio.create_subprocess_exec(
        *_program(image, data, ["setup"]),
        env=_environment(image, data, more),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
    )
    await program.communicate(answers.encode())
    if program.returncode != 0:
        raise SystemExit("the set-up refused")


def _upgrade(image: Image) -> None:
    install = "/opt/xiaoxiang/bin/pip install -q --force-reinstall --no-deps /wheels/*.whl"
    image.run(install)


SET_UP: Final = "set up, started, talked with on {}, ended by SIGTERM"
UPGRADED: Final = "the wheel installed again, started, asked on {}, ended"


async def _on_telegram(image: Image, data: Path) -> Cost:
    async with TelegramServer() as server:
        where = {"TELEGRAM_API_BASE": server.api_base}
        with timed(SET_UP.format("Telegram")) as talking:
            server.says("是我")
            await _set_up(image, data, f"zh\n\n\n{TOKEN}\ny\n", where)
            async with _running(image, data, where):
                server.says("记住：我对花生过敏")
                await until(lambda: any("花生" in text for text in server.texts()))
        with timed(UPGRADED.format("Telegram")):
            _upgrade(image)
            seen = len(server.texts())
            async with _running(image, data, where):
                server.says("我对什么过敏？")
                await until(lambda: any("花生" in text for text in server.texts()[seen:]))
        return talking


async def _on_lark(image: Image, data: Path) -> Cost:
    async with LarkPlatform() as platform:
        answers = f"zh\n\n\n\nm\n{platform.url}\n{APP_ID}\n{APP_SECRET}\n\n"
        owner = {"OWNER_IDS": f"lark:{LARK_ANN}"}
        with timed(SET_UP.format("Lark")) as talking:
            await _set_up(image, data, answers, {})
            async with _running(image, data, owner):
                await platform.connected()
                platform.say("记住：我对花生过敏")
                await until(lambda: any("花生" in text for text in platform.texts()))
        with timed(UPGRADED.format("Lark")):
            _upgrade(image)
            seen = len(platform.texts())
            async with _running(image, data, owner):
                await platform.connected()
                platform.say("我对什么过敏？")
                await until(lambda: any("花生" in text for text in platform.texts()[seen:]))
        return talking


if __name__ == "__main__":
    sys.exit(main())
