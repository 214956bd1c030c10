"""Importing of ``lark_oapi`` what is used, and all of it only where that cannot be done.

``import lark_oapi`` runs star imports of every interface of the platform: ten thousand modules,
seconds of processor time and over 100 MB. They are asked for by the ``__init__`` of a package and
by the dispatcher of events, neither of which is used. So modules that run nothing stand in their
places when ``core`` and ``ws`` are imported: docs/decisions/lark-sdk.md.
"""

import gc
import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final

log = logging.getLogger(__name__)

KNOWN_VERSION: Final = "1.7.5"
"""The version whose parts are known to work without the rest; of any other all is imported."""

USED_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "core.enum": ("AccessTokenType", "HttpMethod", "LogLevel"),
    "core.model": ("BaseRequest", "Config", "RequestOption"),
    "core.utils": ("Files",),
    "core.http.transport": ("Transport", "httpx"),
    "ws.client": ("Client", "_new_ping_frame", "loop"),
}
"""What is used, by the module it is in."""

_PACKAGE: Final = "lark_oapi"

_BARE_PACKAGES: Final = ("", "ws", "ws/pb/google")
"""The packages, as folders of the SDK, whose ``__init__`` imports much and brings nothing."""

_EMPTY_MODULES: Final[Mapping[str, Mapping[str, object]]] = {
    # Only the annotation of a parameter names it: events are handled by our own handler.
    "event.dispatcher_handler": {"EventDispatcherHandler": object},
    # It decrypts what a webhook is sent, by another library; bot.adapters.lark.webhook does so.
    "core.utils.decryptor": {"__all__": []},
}
"""The modules that would import much for what is not used, and the names they are asked for."""


@dataclass(frozen=True, slots=True)
class LarkSdk:
    """The parts of the SDK. ``whole`` is the package, if all of it was imported."""

    enums: Any
    model: Any
    utils: Any
    transport: Any
    connection: Any
    whole: Any = None


def import_sdk(known_version: str = KNOWN_VERSION) -> LarkSdk:
    """Import the parts, or the whole SDK if it is another version or a used name is missing.

    Also the whole if it is imported already, by whomever: then nothing can be saved.
    """
    if _PACKAGE in sys.modules:
        return _import_whole()
    try:
        return _import_parts(known_version)
    except (ImportError, AttributeError) as error:
        log.warning("lark: all of lark-oapi is imported, which takes seconds: %s", error)
    _forget_modules()
    return _import_whole()


def _import_parts(known_version: str) -> LarkSdk:
    installed = version("lark-oapi")
    if installed != known_version:
        raise ImportError(f"version {installed}, and only {known_version} is known by its parts")
    _place_stand_ins()
    for module, names in USED_NAMES.items():
        part = import_module(f"{_PACKAGE}.{module}")
        for name in names:
            getattr(part, name)
    return _imported_parts()


def _place_stand_ins() -> None:
    """Place packages that find their modules and run nothing, and modules that hold nothing."""
    spec = find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ImportError("lark-oapi is not installed")
    root = Path(spec.submodule_search_locations[0])
    for folder in _BARE_PACKAGES:
        package = ModuleType(".".join((_PACKAGE, *Path(folder).parts)))
        package.__path__ = [str(root / folder)]
        sys.modules[package.__name__] = package
    for below, names in _EMPTY_MODULES.items():
        module = ModuleType(f"{_PACKAGE}.{below}")
        vars(module).update(names)
        sys.modules[module.__name__] = module


def _import_whole() -> LarkSdk:
    with _without_garbage_collection():
        return _imported_parts(import_module(_PACKAGE))


def _imported_parts(whole: ModuleType | None = None) -> LarkSdk:
    enums, model, utils, transport, connection = (
        import_module(f"{_PACKAGE}.{module}") for module in USED_NAMES
    )
    return LarkSdk(enums, model, utils, transport, connection, whole)


def _forget_modules() -> None:
    """Take out the stand-ins and what was imported beside them: the whole has its own."""
    for name in list(sys.modules):
        if name == _PACKAGE or name.startswith(f"{_PACKAGE}."):
            del sys.modules[name]


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Run an import whose many objects stay, without the garbage collector looking at them.

    Each collection would stop every thread for 0.3–0.5 s, here and later; so the objects are also
    frozen, which takes them out of every full collection to come.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
