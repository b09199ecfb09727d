# SPDX-License-Identifier: Apache-2.0
"""Hooks of the suite: ``-m "not slow"`` is ``make test``, all tests are ``make test FULL=1``."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from utils.keys import ROOT
from utils.processes import use_build

SHORT = "not slow"
LONGEST = Path(__file__).parent / "tb"  # its simulations go out first, where processes share the tests

# on a busy machine, or while a kernel is compiled, an example may take any time
settings.register_profile("full", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("short", settings.get_profile("full"), derandomize=True)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: left to 'make test FULL=1'")
    if config.getoption("markexpr") == SHORT:
        os.environ.setdefault("REPLAY_OPT", "-O0")  # replays are short: compiling costs more
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
    """Names each failure when it happens: a run of an hour that is stopped has said what failed."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        terminal: pytest.TerminalReporter | None = self.config.pluginmanager.get_plugin("terminalreporter")
        if report.failed and terminal:
            terminal.line("")
            terminal.write_line(f"FAILED {report.nodeid}", red=True)
