# SPDX-License-Identifier: Apache-2.0
"""Runs the test or the proof that must detect each fault of a list."""

import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import configs
import rtl
from ci.faults.catalogue import Fault, listed
from ci.faults.choice import choices
from ci.faults.mutants import combine
from ci.faults.verdicts import KILLED, SURVIVED, Verdict
from configs import UserError
from formal import catalogue as proofs
from formal import engine
from tb.common.components import testcase
from tb.common.running import builds, runner

COUNT = 300  # transactions of a volume test
SECONDS = 240
TOGETHER = 10  # faults in one simulation
CHECKERS = {"Mismatch", "AssertionError"}  # any other error is the testbench's own failure
Place = tuple[str, str, str]  # block, configuration, simulator


def place_of(fault: Fault) -> Place:
    """Faults of one place can share a design."""
    return fault.block, fault.cfg.name, fault.simulator


@dataclass(frozen=True)
class Group:
    """Faults of one place that share a simulation."""

    faults: tuple[Fault, ...]

    def judge(self, root: Path) -> dict[str, Verdict]:
        """The verdict on each fault, by its name.

        All faults that can be a choice are in one design. A fault that is not detected there is run alone,
        which decides: some show only in the state after power-up, which earlier tests overwrite.
        Raises RuntimeError if the design itself fails the smoke test, which comes last.
        """
        place = place_of(self.faults[0])
        made, numbers = _design(place, root)
        inside = [fault for fault in self.faults if fault.name in numbers and fault.seed == 1]
        chosen = [replace(case, mutant=numbers[fault.name]) for fault in inside for case in _cases(fault)]
        outcomes: dict[str, runner.Outcome] = {}
        if chosen:
            [smoke] = testcase.choose(place[0], [testcase.FIRST], made.cfg, made.simulator)
            chosen.append(replace(smoke, mutant=0))
            with tempfile.TemporaryDirectory(dir=root / place[0]) as folder:
                run = runner.run(made, chosen, seed=1, count=COUNT, folder=Path(folder), seconds=SECONDS)
            outcomes = {outcome.test: outcome for outcome in run.outcomes}
            itself = outcomes.get(chosen[-1].label)  # a fault before may have ended the simulator
            if itself and itself.verdict == "failed" and itself.error in CHECKERS:
                raise RuntimeError(f"{'-'.join(place)} fails without a fault: {itself.message}")
        verdicts = {}
        for fault in self.faults:
            labels = [f"{test}@{numbers.get(fault.name)}" for test in fault.caught_by]
            together = _verdict([outcomes[label] for label in labels if label in outcomes], len(labels))
            verdicts[fault.name] = together if together.verdict == KILLED else _alone(fault, root)
        return verdicts


def groups(faults: Sequence[Fault]) -> Iterator[Group]:
    """Faults that tests detect, at most ``TOGETHER`` in a simulation."""
    places: dict[Place, list[Fault]] = {}
    for fault in faults:
        if not fault.proof:
            places.setdefault(place_of(fault), []).append(fault)
    for same in places.values():
        yield from (Group(tuple(same[at : at + TOGETHER])) for at in range(0, len(same), TOGETHER))


def _cases(fault: Fault) -> list[testcase.TestCase]:
    return testcase.choose(fault.block, list(fault.caught_by), fault.cfg, fault.simulator)


def _verdict(outcomes: list[runner.Outcome], wanted: int) -> Verdict:
    """KILLED if ``wanted`` tests ended and a checker failed in each."""
    good = [outcome for outcome in outcomes if outcome.verdict != "failed" or outcome.error not in CHECKERS]
    shown = next(iter(good or outcomes), None)
    words = shown.message.strip().partition("\n")[0] if shown else "no test ran"
    verdict = KILLED if len(outcomes) == wanted and not good else SURVIVED
    return Verdict(verdict, f"test {shown.test.partition('@')[0]}" if shown else "", words)


def _alone(fault: Fault, root: Path) -> Verdict:
    """The verdict in a design that has this fault only."""
    folder = fault.write(root / fault.block)
    made = builds.build(fault.cfg, fault.simulator, rtl_dir=folder, root=root)
    run = runner.run(
        made, _cases(fault), seed=fault.seed, count=COUNT, folder=folder.parent / "run", rtl_dir=folder,
        seconds=SECONDS,
    )  # fmt: skip
    return _verdict(run.outcomes, len(fault.caught_by))


@cache
def _faults_of(place: Place) -> tuple[Fault, ...]:
    return tuple(fault for fault in listed(place[0]) if not fault.proof and place_of(fault) == place)


def _design(place: Place, root: Path) -> tuple[builds.Build, dict[str, int]]:
    """The design that holds the listed faults of a place, compiled, and their numbers in it."""
    block, config, simulator = place
    cfg = configs.load(block, config)
    files = rtl.generate(cfg)
    numbered = dict(enumerate(_faults_of(place), 1))
    mutants = choices(numbered, files)
    folder = root / block / f"held-{config}-{simulator}"
    with builds.locked(folder):
        rtl.write_files(folder, combine(files, list(mutants.values()), cfg.top()))
    made = builds.build(cfg, simulator, rtl_dir=folder, root=root)
    return made, {numbered[number].name: number for number in mutants}


@cache
def all_proofs() -> dict[str, tuple[str, proofs.Proof]]:
    """Each proof of the project by its name, with the first block whose own small configuration has it."""
    by_name: dict[str, tuple[str, proofs.Proof]] = {}
    for block in configs.blocks():
        for proof in proofs.proofs(block) if (proofs.ROOT / block / proofs.FILE).is_file() else ():
            if proof.name not in by_name and proof.applies(proof.configuration(block, None, "")):
                by_name[proof.name] = block, proof
    return by_name


def bug_of(fault: Fault) -> proofs.Bug:
    """A fault of a proof as the proof plants it."""
    return proofs.Bug(fault.file, fault.find, fault.replace, fault.assertion, fault.depth, fault.skip)


def prove(fault: Fault) -> Verdict:
    """The verdict of the proof that must fail. Raises :class:`UserError` for an unknown proof."""
    if fault.proof not in all_proofs():
        raise UserError(f"fault {fault.name}: there is no proof {fault.proof!r}")
    block, proof = all_proofs()[fault.proof]
    with tempfile.TemporaryDirectory() as folder:
        result = engine.prove(
            proof, proof.configuration(block, None, ""), Path(folder) / "run", bug_of(fault)
        )
    killed = result.verdict == "fails" and fault.assertion in result.failing
    words = f"{result.shown} {', '.join(result.failing)} {result.words}".strip()
    return Verdict(KILLED if killed else SURVIVED, f"proof {fault.proof}", words)


def judge(faults: Sequence[Fault], root: Path, jobs: int) -> Iterator[dict[str, Verdict]]:
    """Verdicts by the names of the faults, as they come; ``jobs`` simulations or proofs at a time."""
    with ThreadPoolExecutor(jobs) as pool:
        try:
            yield from pool.map(lambda group: group.judge(root), groups(faults))
            yield from pool.map(lambda fault: {fault.name: prove(fault)}, [f for f in faults if f.proof])
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
