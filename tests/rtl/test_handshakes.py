# SPDX-License-Identifier: Apache-2.0
"""No valid of any block waits for its ready within a cycle; of each that did, the check would say so."""

import re
from pathlib import Path

import pytest

import configs
from ci.lint import main
from configs import BlockConfig
from rtl import generate, handshakes, write_files
from rtl.dataflow import elaborate
from rtl.domains import Domains

CONFIGS: list[BlockConfig] = [configs.load(block) for block in configs.blocks()]
CASES = [(cfg, valid, ready) for cfg in CONFIGS for valid, ready in handshakes.handshakes(cfg)]


def waiting(cfg: BlockConfig, valid: str, ready: str) -> dict[str, str]:
    """The Verilog of ``cfg`` with a valid that is offered only while its ready is high."""
    files = generate(cfg)
    head, end, body = files[f"cacheforge_{cfg.block}.v"].partition("\n);\n")
    own = re.sub(rf"(?<![.\w]){valid}\b", f"own_{valid}", body)
    bad = f"    wire own_{valid};\n    assign {valid} = own_{valid} & {ready};\n"
    return {**files, f"cacheforge_{cfg.block}.v": head + end + bad + own}


@pytest.mark.parametrize("cfg", CONFIGS, ids=lambda cfg: cfg.block)
def test_every_output_that_can_be_held_back_is_looked_at(cfg: BlockConfig) -> None:
    outputs = dict(handshakes.handshakes(cfg))
    streams = [s.name for s in cfg.streams.values() if s.direction == "out" and s.ready]
    assert outputs and {f"{name}_valid" for name in streams} <= set(outputs)
    assert {f"{prefix}_arvalid" for prefix, port in cfg.axi_ports.items() if port.reads} <= set(outputs)
    assert {f"{prefix}_wvalid" for prefix, port in cfg.axi_ports.items() if port.writes} <= set(outputs)
    assert handshakes.check(cfg, generate(cfg)) == []


@pytest.mark.parametrize(
    ("cfg", "valid", "ready"), CASES, ids=[f"{cfg.block}-{valid}" for cfg, valid, _ in CASES]
)
def test_a_valid_that_waits_for_its_ready_is_named(cfg: BlockConfig, valid: str, ready: str) -> None:
    [said] = handshakes.check(cfg, waiting(cfg, valid, ready))
    assert said.startswith(f"{valid} depends on {ready} in the same cycle: {ready} -> ")


def test_lint_says_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(tmp_path, waiting(configs.load("simple"), "res_valid", "res_ready"))
    assert main(["simple", "--rtl-dir", str(tmp_path)]) == 1
    assert "res_valid depends on res_ready in the same cycle" in capsys.readouterr().out


@pytest.mark.parametrize(("preset", "reached"), [("tiny", True), ("conflict-free-tiny", False)])
def test_requests_of_texcache_hang_on_results_where_hits_wait_for_them(preset: str, reached: bool) -> None:
    """Within a cycle: with hits that go into the FIFO nothing but registers and memory's ready counts."""
    cfg = configs.load("texcache", preset)
    sources = Domains(cfg, elaborate(generate(cfg), cfg.top())).sources("req_ready")
    assert ("res_ready" in sources) == reached
    assert "m_axi_arready" in sources
