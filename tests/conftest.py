# SPDX-License-Identifier: Apache-2.0
"""Hooks of the suite: ``-m "not slow"`` is ``make test``, all tests are ``make test FULL=1``."""

import os
import threading
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from utils.keys import ROOT
from utils.processes import use_build
from utils.progress import EVERY

SHORT = "not slow"
LONGEST = Path(__file__).parent / "tb"  # its simulations go out first, where processes share the tests

# on a busy machine, or while a kernel is compiled, an example may take any time
settings.register_profile("full", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("short", settings.get_profile("full"), derandomize=True)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: left to 'make test FULL=1'")
    if config.getoption("markexpr") == SHORT:
        os.environ.setdefault("REPLAY_OPT", "-O1")  # replays are short: -O2 compiles longer than it saves
    # each short run has the same examples, so that only a change makes it fail; each full run has new ones
    settings.load_profile("short" if config.getoption("markexpr") == SHORT else "full")
    if not hasattr(config, "workerinput"):
        use_build(ROOT / "build")
        config.pluginmanager.register(Failures(config))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config
) -> None:
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and config.option.keyword:
        terminalreporter.write_line(
            f"no test has {config.option.keyword!r} in its name, module or marks: "
            "'.venv/bin/python -m pytest --collect-only -q' lists them",
            red=True,
        )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: LONGEST not in item.path.parents)  # stable


class Failures:
    """Names each failure when it happens: a run of an hour that is stopped has said what failed.

    A line says how many tests have ended whenever none has for ten seconds.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.config, self.count, self.over = config, 0, threading.Event()
        self.began = self.latest = time.monotonic()

    def _line(self, text: str, **style: bool) -> None:
        terminal: pytest.TerminalReporter | None = self.config.pluginmanager.get_plugin("terminalreporter")
        if terminal:
            terminal.line("")
            terminal.write_line(text, **style)

    def _tell(self) -> None:
        while not self.over.wait(EVERY):
            now = time.monotonic()
            if now - self.latest >= EVERY:
                self._line(f"{self.count} tests have ended, {now - self.began:.0f} s", light=True)

    def pytest_sessionstart(self) -> None:
        threading.Thread(target=self._tell, daemon=True).start()

    def pytest_sessionfinish(self) -> None:
        self.over.set()

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.latest, self.count = time.monotonic(), self.count + (report.when == "teardown")
        if report.failed:
            self._line(f"FAILED {report.nodeid}", red=True)
