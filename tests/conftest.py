# SPDX-License-Identifier: Apache-2.0
"""Options of the suite: ``--short`` takes the part that ci/suite.py chose, ``--measure`` writes down
costs, ``--note`` what passes; ``--resume``, which does that too, leaves out what passed before on the same
sources (ci/passed.py)."""

import json
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from ci import suite
from ci.passed import Passed
from configs import UserError
from utils.files import write_atomic
from utils.keys import ROOT
from utils.processes import use_build

# on a busy machine, or while a kernel is compiled, an example may take any time
settings.register_profile("full", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("short", settings.get_profile("full"), derandomize=True)

LONG = 10.0  # seconds of CPU; where several processes share the tests, longer ones go out first
COST = "cpu_seconds"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("cacheforge")
    group.addoption("--short", action="store_true", help="the short suite (docs/testing.md)")
    group.addoption("--note", action="store_true", help="note what passes, for --resume")
    group.addoption("--resume", action="store_true", help="only what has not passed on these sources yet")
    group.addoption("--measure", metavar="FILE", help="write the CPU seconds of each test there")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "full: judges all runs of the regression, which the short suite limits"
    )
    # the same examples in each short run: it fails of what was changed alone; new ones in each full run
    settings.load_profile("short" if config.getoption("short") else "full")
    if hasattr(config, "workerinput"):
        return
    use_build(ROOT / "build")
    config.pluginmanager.register(Failures(config))
    before: dict[str, float] = {}
    if config.getoption("note") or config.getoption("resume"):
        before = noting(config)
    if config.getoption("measure"):
        config.pluginmanager.register(Measurements(Path(config.getoption("measure")), before))


def noting(config: pytest.Config) -> dict[str, float]:
    """Lets what passes be noted; returns what ``--resume`` need not run again, and what each test took.

    Without ``--resume`` sources that git does not know are tested, too, and nothing is noted.
    """
    try:
        noted = Noted(config)
    except UserError:
        if config.getoption("resume"):
            raise
        return {}
    config.stash[NOTED] = noted
    config.pluginmanager.register(noted)
    return noted.before


def pytest_report_header(config: pytest.Config) -> str | None:
    if not config.getoption("short"):
        return None
    out = suite.left_out(suite.seconds_of_tests())
    return f"short suite: {len(out)} tests are left to 'make test FULL=1' (docs/testing.md)"


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
    seconds = suite.seconds_of_tests()
    if config.getoption("short"):
        out, blocks = suite.left_out(seconds), suite.unranked()
        left = [
            item for item in items
            if item.nodeid in out or item.get_closest_marker("full") or suite.simulates(item.nodeid, blocks)
        ]  # fmt: skip
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in set(left)]
    if config.getoption("resume"):
        worker: dict[str, Any] | None = getattr(config, "workerinput", None)
        before = set(worker["passed"]) if worker else config.stash[NOTED].before
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in before])
        items[:] = [item for item in items if item.nodeid not in before]
    if hasattr(config, "workerinput"):
        cost = {item: seconds.get(item.nodeid, 0.0) for item in items}
        items.sort(key=lambda item: -cost[item] if cost[item] > LONG else 0.0)  # stable


def spent() -> float:
    """CPU seconds of this process and of its children that have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    item.stash[BEGAN] = spent()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[Any]:
    if call.when == "teardown" and BEGAN in item.stash:
        item.user_properties.append((COST, round(spent() - item.stash[BEGAN], 2)))
    return (yield)


def cost_of(report: pytest.TestReport) -> float:
    """Seconds of CPU that the test took, from the report of its teardown."""
    return float(dict(report.user_properties)[COST])  # type: ignore[arg-type]


BEGAN = pytest.StashKey[float]()


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


class Measurements:
    """Collects the cost of each test, whichever process ran it, and writes them at the end.

    ``before``: of tests that are not run again.
    """

    def __init__(self, path: Path, before: dict[str, float]) -> None:
        self.path, self.seconds = path, dict(before)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "teardown":
            self.seconds[report.nodeid] = cost_of(report)

    def pytest_sessionfinish(self) -> None:
        write_atomic(self.path, json.dumps(self.seconds, indent=1))


class Noted:
    """Notes the tests that pass, and with ``--resume`` tells all processes of a run which did ``before``."""

    def __init__(self, config: pytest.Config) -> None:
        self.passed = Passed(config.rootpath / "build" / "passed.sqlite", config.rootpath)
        self.before = self.passed.before if config.getoption("resume") else {}
        self.good: dict[str, bool] = {}

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["passed"] = sorted(self.before)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.good[report.nodeid] = self.good.get(report.nodeid, True) and report.passed
        if report.when == "teardown" and self.good.pop(report.nodeid):
            self.passed.note(report.nodeid, cost_of(report))

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        self.passed.write()
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and self.before:
            session.exitstatus = pytest.ExitCode.OK

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.passed.edited:
            terminalreporter.write_line(
                "not noted for RESUME=1: sources were edited under the tests", yellow=True
            )
        if self.before:
            terminalreporter.write_line(
                f"not run again: {len(self.before)} tests that passed before on the same sources"
            )


NOTED = pytest.StashKey[Noted]()
