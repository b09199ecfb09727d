# SPDX-License-Identifier: Apache-2.0
"""Every proof holds on the design; tests/ci/test_faults.py has the faults that it must detect."""

from pathlib import Path

import pytest

import configs
from formal import catalogue, engine
from formal.catalogue import Proof

# parts that several blocks use are proved once here, with the first of them
SEEN: set[str] = set()
CASES: list[tuple[str, Proof]] = []
for _block in configs.blocks():
    if (catalogue.ROOT / _block / catalogue.FILE).is_file():
        for _proof in catalogue.proofs(_block):
            if _proof.name not in SEEN and _proof.applies(_proof.configuration(_block, None, "")):
                SEEN.add(_proof.name)
                CASES.append((_block, _proof))


@pytest.mark.parametrize(
    ("block", "proof"),
    [pytest.param(*case, marks=[pytest.mark.slow] if case[1].slow else []) for case in CASES],
    ids=lambda value: getattr(value, "name", value),
)
def test_holds(block: str, proof: Proof, tmp_path: Path) -> None:
    result = engine.prove(proof, proof.configuration(block, None, ""), tmp_path / "run")
    assert result.good, f"{proof.name} {result.shown}: {result.failing} {result.words}"
    if proof.method == "cover":
        assert result.traces and all(path.stat().st_size for path in result.traces)


def test_every_part_is_seen() -> None:
    for block in configs.blocks():
        for proof in catalogue.proofs(block):
            assert proof.name in SEEN, f"{proof.name} applies to no small configuration"


def test_a_name_is_that_of_one_proof() -> None:
    """Else only the first block's would be looked at here."""
    chosen = {proof.name: (block, proof) for block, proof in CASES}
    for block in configs.blocks():
        for proof in catalogue.proofs(block):
            first, other = chosen[proof.name]
            assert block == first or (proof.says, proof.method) == (other.says, other.method), proof.name


def test_a_solver_that_is_killed_is_no_open_induction(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    runs = iter(
        [engine.SolverRun("##  Status: PASSED", True), engine.SolverRun("##  Trying induction", True)]
    )
    monkeypatch.setattr(engine, "_run", lambda *_: next(runs))
    proof = next(proof for _, proof in CASES if proof.method == "induction")
    verdict, *_, words = engine._check(proof, tmp_path)
    assert verdict == "undecided" and words.startswith("the solver was killed")
