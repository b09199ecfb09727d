# SPDX-License-Identifier: Apache-2.0
"""Makes cocotb tests of pyuvm test classes, and lists them without a simulator."""

import hashlib
import importlib
import pkgutil
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from inspect import signature
from types import FunctionType
from typing import Any, TypeVar

import cocotb
from pyuvm import uvm_root, uvm_test

from configs import UserError
from tb.common.running import settings

FIRST = "smoke"  # runs before all others, for a first verdict soon
TIMEOUT_MS = 50  # of simulated time: five million cycles

_registry: dict[str, "TestCase"] = {}
Test = TypeVar("Test", bound=Callable[..., Any])


_failed: set[int | None] = set()  # mutants, in this simulation


@dataclass(frozen=True)
class TestCase:
    """A test: its name on the command line, where it stands, and for which configurations it makes sense."""

    __test__ = False  # not one of pytest's

    name: str
    module: str
    doc: str
    needs: Callable[[Any], bool]
    why: str
    simulators: tuple[str, ...]
    mutant: int | None = None  # the one to switch on, in a design that holds several (ci/mutate/mutants.py)

    @property
    def label(self) -> str:
        """Its name in a run that may have it several times."""
        return self.name if self.mutant is None else f"{self.name}@{self.mutant}"

    def applies(self, cfg: Any, simulator: str) -> bool:
        """Whether ``cfg`` can show what the test is about, and ``simulator`` run it."""
        return self.needs(cfg) and simulator in self.simulators


def testcase(
    needs: Callable[[Any], bool] = lambda cfg: True,
    why: str = "",
    simulators: tuple[str, ...] = settings.SIMULATORS,
) -> Callable[[Test], Test]:
    """Decorator: registers a pyuvm test under its class's name in snake case.

    Of a virtual sequence it makes the test that starts it: one of the sequence's ``test_class``; and of a
    coroutine function such a sequence, with the function as its ``body``: its parameter's type says which.
    ``needs`` tells for which configurations the test applies, ``why`` says so in words; it is skipped for
    others.
    """

    def decorate(test: Test) -> Test:
        cls: type = _of_function(test) if isinstance(test, FunctionType) else test  # type: ignore[assignment]
        test_class = cls if issubclass(cls, uvm_test) else _starting(cls)
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
        case = TestCase(
            name, cls.__module__, (cls.__doc__ or "").strip().split("\n")[0], needs, why, simulators
        )
        _registry[f"{case.module}.{name}"] = case
        test_class.test_name = name  # type: ignore[attr-defined]
        current = settings.current() if settings.inside() else None
        skip = current is not None and not case.applies(current.cfg, current.simulator)

        mutants = current.mutants.get(name, [None]) if current else [None]
        for variant in (replace(case, mutant=mutant) for mutant in mutants):
            _make_cocotb_test(variant, test_class, skip)
        return test

    return decorate


def _make_cocotb_test(case: TestCase, test_class: type, skip: bool) -> None:
    """Let cocotb find the test, under its label, in the module that it stands in."""

    async def run(_dut: Any) -> None:
        verdict, current = "failed", settings.current()
        try:
            if current.once and case.mutant in _failed:
                verdict = "skipped"
                return
            if case.mutant is not None:
                _switch_on(case)
            test_class.label = case.label  # type: ignore[attr-defined]
            await uvm_root().run_test(test_class)
            verdict = "passed"
        finally:
            if verdict == "failed":
                _failed.add(case.mutant)
            current.note(case.label, verdict)

    run.__module__, run.__doc__ = case.module, case.doc
    stage = 0 if case.name == FIRST else 1
    made = cocotb.test(name=case.label, skip=skip, stage=stage, timeout_time=TIMEOUT_MS, timeout_unit="ms")
    setattr(sys.modules[case.module], f"cocotb_{case.label}", made(run))


def _switch_on(case: TestCase) -> None:
    """Choose the mutant, and take the seed that the test has under its own name."""
    top: Any = cocotb.top
    top.mutant_number.value = case.mutant
    own = hashlib.sha1(f"{case.module}.{case.name}".encode()).hexdigest()  # as cocotb does
    cocotb.RANDOM_SEED = settings.current().seed + int(own, 16)


def _of_function(body: FunctionType) -> type:
    [parameter] = signature(body).parameters.values()
    return running(body, parameter.annotation)


def running(body: Callable[..., Any], sequence: type, **attributes: Any) -> type:
    """The virtual sequence of class ``sequence`` that runs a function; it has these attributes too."""
    inside = {"body": body, "__doc__": body.__doc__, "__module__": body.__module__, **attributes}
    return type(body.__name__, (sequence,), inside)


def _starting(sequence: type) -> type:
    """The test that starts a virtual sequence."""
    test_class: type = sequence.test_class  # type: ignore[attr-defined]
    inside = {"sequence": sequence, "__doc__": sequence.__doc__, "__module__": sequence.__module__}
    return type(sequence.__name__, (test_class,), inside)


def modules(block: str) -> list[str]:
    """Names of the modules that hold the tests of ``block``."""
    package = importlib.import_module(f"tb.{block}.tests")
    return [f"{package.__name__}.{found.name}" for found in pkgutil.iter_modules(package.__path__)]


def cases(block: str) -> dict[str, TestCase]:
    """All tests of ``block`` by name, in order. Raises RuntimeError for two of one name."""
    known: dict[str, TestCase] = {}
    for module in modules(block):
        importlib.import_module(module)
        for case in (case for case in _registry.values() if case.module == module):
            if case.name in known:
                raise RuntimeError(f"two tests called {case.name}: {known[case.name].module} and {module}")
            known[case.name] = case
    return known


def choose(block: str, names: list[str], cfg: Any, simulator: str) -> list[TestCase]:
    """The tests of these names, or all that apply. Raises :class:`UserError` for one that does not."""
    known = cases(block)
    for name in names:
        if name not in known:
            raise UserError(f"unknown test {name!r} of {block}: choose from {', '.join(known)}")
        if not known[name].applies(cfg, simulator):
            need = known[name].why or " or ".join(known[name].simulators)
            raise UserError(f"test {name} does not apply to {cfg.name} on {simulator}: it needs {need}")
    return [known[name] for name in names] or [
        case for case in known.values() if case.applies(cfg, simulator)
    ]
