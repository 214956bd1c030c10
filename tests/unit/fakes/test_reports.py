"""Which reports of its tests a worker sends."""

from typing import Any

import pytest

from tests.fakes.reports import SLOW, says_something, send_what_says_something


def a_report(**fields: object) -> pytest.TestReport:
    of_a: dict[str, Any] = {"nodeid": "a", "location": ("a", 1, "a"), "keywords": {}}
    usual = {"longrepr": None, "outcome": "passed", "when": "setup", "duration": 0.0}
    return pytest.TestReport(**{**of_a, **usual, **fields})


@pytest.mark.parametrize("when", ["setup", "teardown"])
def test_what_a_test_stands_on_says_nothing_when_all_is_well(when: str) -> None:
    assert not says_something(a_report(when=when))


@pytest.mark.parametrize(
    "fields",
    [
        {"when": "call"},
        {"when": "setup", "outcome": "failed"},
        {"when": "setup", "outcome": "skipped"},
        {"when": "teardown", "outcome": "failed"},
        {"when": "setup", "duration": SLOW},
        {"when": "teardown", "sections": [("Captured stderr teardown", "alas")]},
        {"when": "teardown", "user_properties": [("a", 1)]},
    ],
)
def test_whatever_somebody_reads_is_sent(fields: dict[str, object]) -> None:
    assert says_something(a_report(**fields))


class WorkerInteractor:
    """As xdist's, which every process of a run has under this name."""

    def __init__(self) -> None:
        self.sent: list[pytest.TestReport] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.sent.append(report)


class Options:
    def __init__(self, verbose: int = 0, xmlpath: str | None = None) -> None:
        self.pluginmanager = pytest.PytestPluginManager()
        self._given = {"verbose": verbose, "xmlpath": xmlpath}

    def getoption(self, name: str, default: object = None) -> object:
        return self._given.get(name, default)


@pytest.mark.parametrize(
    ("options", "sent"),
    [
        (Options(), ["call"]),
        (Options(verbose=1), ["setup", "call", "teardown"]),
        (Options(xmlpath="a.xml"), ["setup", "call", "teardown"]),
    ],
)
def test_a_worker_leaves_out_what_nobody_reads(options: Options, sent: list[str]) -> None:
    worker = WorkerInteractor()
    options.pluginmanager.register(worker)

    send_what_says_something(options)  # type: ignore[arg-type]
    for when in ("setup", "call", "teardown"):
        options.pluginmanager.hook.pytest_runtest_logreport(report=a_report(when=when))

    assert [each.when for each in worker.sent] == sent
