# SPDX-License-Identifier: Apache-2.0
"""AXI4 components in both simulators: any burst, cocotbext-axi as second opinion, planted faults."""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tb.common.running import builds
from tests.tb.axi_wires.design import FAULTS, TOP, verilog
from utils.files import write_atomic

ROOT = builds.BUILD / "axi_wires"
MODULE = "tests.tb.axi_wires.tests"
SECONDS = 300


def order(do: str, simulator: str, **more: Any) -> None:
    """Have the simulator build or test."""
    folder = ROOT / simulator
    arguments = builds.VERILATOR_ARGUMENTS if simulator == "verilator" else []
    instructions = {
        "do": do, "parent": os.getpid(), "simulator": simulator, "top": TOP, "folder": str(folder),
        "sources": [str(folder / f"{TOP}.v")], "ports": ["*"], "arguments": arguments, "waves": False,
        **more,
    }  # fmt: skip
    command = [sys.executable, "-m", "tb.common.running.simulate", json.dumps(instructions)]
    env = {name: value for name, value in builds.environment().items() if not name.startswith("PYTEST_")}
    subprocess.run(command, env=env, cwd=builds.ROOT, capture_output=True, timeout=SECONDS)


@cache
def build(simulator: str) -> None:
    """Compile the wires, once."""
    folder = ROOT / simulator
    folder.mkdir(parents=True, exist_ok=True)
    with builds.locked(folder):
        write_atomic(folder / f"{TOP}.v", verilog())
        order("build", simulator)


def run(simulator: str, folder: Path, names: list[str], seed: int = 1) -> dict[str, str]:
    """What each test failed of, or nothing."""
    build(simulator)
    folder.mkdir(parents=True, exist_ok=True)
    wanted = "|".join(f"{re.escape(MODULE)}.{name}" for name in names)
    order(
        "test", simulator, arguments=[], run=str(folder), modules=[MODULE], filter=f"^({wanted})$", seed=seed,
        plusargs=["+verilator+rand+reset+2", f"+verilator+seed+{seed}"] if simulator == "verilator" else [],
        environment={},
    )  # fmt: skip
    messages = {}
    results, log = folder / "results.xml", folder / "simulation.log"
    assert results.exists(), f"no test has run:\n{log.read_text() if log.exists() else 'nor a simulation'}"
    for case in ElementTree.parse(results).iter("testcase"):
        failures = [*case.iter("failure"), *case.iter("error")]
        messages[case.get("name", "")] = failures[0].get("message") or "failed" if failures else ""
    return messages


@pytest.mark.slow
@pytest.mark.parametrize("simulator", builds.SIMULATORS)
def test_any_burst_against_our_memory(simulator: str, tmp_path: Path) -> None:
    assert run(simulator, tmp_path, ["own_master", "errors"]) == {"own_master": "", "errors": ""}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_cocotbext_agrees(seed: int, tmp_path: Path) -> None:
    """On Verilator: cocotbext-axi writes at rising edges, which races with a design on Icarus."""
    names = ["own_master_foreign_memory", "foreign_master"]
    assert run("verilator", tmp_path, names, seed) == dict.fromkeys(names, "")


@pytest.mark.parametrize("simulator", [pytest.param("verilator", marks=pytest.mark.slow), "icarus"])
def test_planted_faults_are_flagged(simulator: str, tmp_path: Path) -> None:
    faults = {f"fault_{fault.name}": fault for fault in FAULTS if simulator in fault.simulators}
    messages = run(simulator, tmp_path, list(faults))
    assert messages.keys() == faults.keys()
    for name, message in messages.items():
        assert re.search(faults[name].says, message), f"{name}: {message or 'passes'}"
