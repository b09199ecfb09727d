# SPDX-License-Identifier: Apache-2.0
"""Makes cocotb tests of functions of a virtual sequence, and lists them without a simulator."""

import hashlib
import importlib
import logging
import pkgutil
import sys
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any, TypeVar

import cocotb
from pyuvm import uvm_root

from configs import UserError
from tb.common.running import settings

FIRST = "smoke"  # runs before all others, for a first verdict soon
TIMEOUT_MS = 50  # of simulated time: five million cycles

_registry: dict[str, "TestCase"] = {}
Body = TypeVar("Body", bound=Callable[..., Coroutine[Any, Any, None]])

_failed: set[int | None] = set()  # mutants, in this simulation
_given: dict[Any, tuple[tuple[Any, ...], dict[str, Any]]] = {}  # by body: what @testcase was given


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
    mutant: int | None = None  # the one to switch on, in a design that holds several (ci/faults/mutants.py)

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
    **attributes: Any,
) -> Callable[[Body], Body]:
    """Decorator: makes a test of a coroutine function, under the function's name.

    The function becomes the ``own_method`` of a virtual sequence, of the class that annotates its first
    parameter; the sequence has these ``attributes``, too. ``needs`` tells for which configurations the test
    applies, ``why`` says so in words; the test is skipped for others.
    """

    def decorate(body: Body) -> Body:
        parameter, *_ = signature(body).parameters.values()
        _given[body] = (needs, why, simulators), attributes
        _declare(body, body.__module__, (parameter.annotation,))
        return body

    return decorate


def register(module: str, sequence: type | tuple[type, ...], *bodies: Body, **attributes: Any) -> None:
    """Tests of ``module``: each runs a body on a ``sequence`` (or of these bases) with these attributes.

    A body that is a test already applies where it did, and its attributes hold, too.
    """
    bases = sequence if isinstance(sequence, tuple) else (sequence,)
    for body in bodies:
        _declare(body, module, bases, **attributes)


def _declare(body: Any, module: str, bases: tuple[type, ...], **more: Any) -> None:
    """A test of ``module``: a virtual sequence with this body, and the pyuvm test that starts it."""
    applies, attributes = _given.get(body, ((lambda cfg: True, "", settings.SIMULATORS), {}))
    name, common = body.__name__, {"__doc__": body.__doc__, "__module__": module}
    sequence: Any = type(name, bases, common | attributes | more)
    setattr(sequence, sequence.own_method, body)
    test_class = type(name, (sequence.test_class,), common | {"sequence": sequence, "test_name": name})
    case = TestCase(name, module, (body.__doc__ or "").strip().split("\n")[0], *applies)
    _registry[f"{module}.{name}"] = case
    current = settings.current() if settings.inside() else None
    skip = current is not None and not case.applies(current.cfg, current.simulator)
    mutants = current.mutants.get(name, [None]) if current else [None]
    for variant in (replace(case, mutant=mutant) for mutant in mutants):
        _make_cocotb_test(variant, test_class, skip)


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
            _forget_loggers()

    run.__module__, run.__doc__ = case.module, case.doc
    stage = 0 if case.name == FIRST else 1
    decorate = cocotb.test(
        name=case.label, skip=skip, stage=stage, timeout_time=TIMEOUT_MS, timeout_unit="ms"
    )
    setattr(sys.modules[case.module], f"cocotb_{case.label}", decorate(run))


def _forget_loggers() -> None:
    """Each component has a logger of its own name, and to make one, logging looks at all there are."""
    known = logging.root.manager.loggerDict
    for name in [name for name in known if name.startswith("uvm.")]:
        del known[name]


def _switch_on(case: TestCase) -> None:
    """Choose the mutant, and take the seed that the test has under its own name."""
    top: Any = cocotb.top
    top.mutant_number.value = case.mutant
    own = hashlib.sha1(f"{case.module}.{case.name}".encode()).hexdigest()  # as cocotb does
    cocotb.RANDOM_SEED = settings.current().seed + int(own, 16)


def modules(block: str) -> list[str]:
    """Names of the modules that hold the tests of ``block``."""
    package = importlib.import_module(f"tb.{block}.tests")
    return [f"{package.__name__}.{module.name}" for module in pkgutil.iter_modules(package.__path__)]


def cases(block: str) -> dict[str, TestCase]:
    """All tests of ``block`` by name, in order. Raises RuntimeError for two of one name."""
    by_name: dict[str, TestCase] = {}
    for module in modules(block):
        importlib.import_module(module)
        for case in (case for case in list(_registry.values()) if case.module == module):
            if case.name in by_name:
                raise RuntimeError(f"two tests called {case.name}: {by_name[case.name].module} and {module}")
            by_name[case.name] = case
    return by_name


def choose(block: str, names: list[str], cfg: Any, simulator: str) -> list[TestCase]:
    """The tests of these names, or all that apply. Raises :class:`UserError` for one that does not."""
    available = cases(block)
    for name in names:
        if name not in available:
            raise UserError(f"unknown test {name!r} of {block}: choose from {', '.join(available)}")
        if not available[name].applies(cfg, simulator):
            need = available[name].why or " or ".join(available[name].simulators)
            raise UserError(f"test {name} does not apply to {cfg.name} on {simulator}: it needs {need}")
    return [available[name] for name in names] or [
        case for case in available.values() if case.applies(cfg, simulator)
    ]
