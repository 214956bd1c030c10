"""Which reports of its tests a worker of xdist sends.

Of each test there are three: of what it stands on, of itself, and of what is put away after it.
To pack the first and the last, send them and take them in costs both processes half a
millisecond a test, and nearly all say nothing. xdist leaves out what was collected without a
fault in the same way.
"""

from typing import Any, Final

import pytest

SLOW: Final = 0.05
"""Seconds from which what a test stands on is worth a place among the slowest durations."""


def says_something(report: pytest.TestReport) -> bool:
    """Tell whether anybody reads a report in a run that is printed as usual."""
    return (
        report.when == "call"
        or not report.passed
        or report.duration >= SLOW
        or bool(report.sections)
        or bool(report.user_properties)
    )


def send_what_says_something(config: pytest.Config) -> None:
    """Let a worker leave out the other reports; whoever asks for a file of them gets all."""
    if config.getoption("xmlpath", None) or config.getoption("verbose") > 0:
        return
    for plugin in config.pluginmanager.get_plugins():
        if type(plugin).__name__ == "WorkerInteractor":
            _send_less(config.pluginmanager, plugin)


def _send_less(manager: pytest.PytestPluginManager, worker: Any) -> None:
    send = worker.pytest_runtest_logreport

    def pytest_runtest_logreport(report: pytest.TestReport) -> None:
        if says_something(report):
            send(report)

    name = manager.get_name(worker)
    manager.unregister(worker)
    worker.pytest_runtest_logreport = pytest_runtest_logreport
    manager.register(worker, name)
