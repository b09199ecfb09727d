# SPDX-License-Identifier: Apache-2.0
"""Views of waveforms: what they name is in the wave file, and bit by bit what the stream says."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
import pywellen
from vcd.gtkw import decode_flags

import rtl
from configs import BlockConfig, base, load
from rtl.verilog import stream_signals
from rtl.wrapper import top_ports
from tb.common.components import testcase
from tb.common.running import builds, runner, wave_views

CONFIGS = [(block, preset, ()) for block in base.blocks() for preset in base.presets(block)] + [
    ("simple", "base", ("axi.id_bits=1",)),
    ("texunit", "paper", ("observe=false",)),
]
TRACE = re.compile(r"(?:\+\{(?P<name>\w+)\} )?(?:\((?P<bit>\d+)\))?(?P<path>[\w.]+)(?:\[(?P<msb>\d+):0\])?")


@dataclass(frozen=True)
class Shown:
    """A row of GTKWave's file: ``bits`` from the most significant one, numbered as in Verilog."""

    group: str
    name: str
    path: str
    width: int
    bits: tuple[int, ...]
    format: frozenset[str]
    names: str

    def value(self, word: int) -> int:
        number = 0
        for bit in self.bits:
            number = number << 1 | word >> bit & 1
        signed = "signed" in self.format and number >> len(self.bits) - 1
        return number - (1 << len(self.bits)) if signed else number


def rows(text: str) -> list[Shown]:
    """What GTKWave's file ``text`` shows."""
    shown, groups, flags, names = [], [""], frozenset[str](), ""
    for line in text.splitlines():
        if line.startswith("@"):
            flags = frozenset(decode_flags(line))
        elif line.startswith("^"):
            names = line.split(" ", 1)[1]
        elif line.startswith("-"):
            if "grp_begin" in flags:
                groups.append(line[1:])
            elif line != "-group_end":
                assert groups.pop() == line[1:]
        elif line.startswith(("+", "#", "(")):
            head = re.match(r"#\{(\w+)\} ", line)
            parts = line[head.end() :].split(" ") if head else [line]
            traces = [match for part in parts if (match := TRACE.fullmatch(part))]
            assert len(traces) == len(parts), line
            first = traces[0]
            width = int(first["msb"] or 0) + 1
            assert {(trace["path"], trace["msb"]) for trace in traces} == {(first["path"], first["msb"])}
            bits = [int(trace["bit"]) for trace in traces if trace["bit"]] or range(width)
            shown.append(
                Shown(
                    groups[-1], head[1] if head else first["name"], first["path"], width,
                    tuple(width - 1 - bit for bit in bits), flags, names if "ftranslated" in flags else "",
                )
            )  # fmt: skip
    assert groups == [""]
    return shown


@pytest.mark.parametrize(("block", "preset", "changes"), CONFIGS)
def test_every_port_has_its_row_and_every_field_its_bits(
    block: str, preset: str, changes: tuple[str, ...], tmp_path: Path
) -> None:
    cfg = load(block, preset, changes)
    wave_views.write(cfg, tmp_path)
    shown = rows((tmp_path / "waves.gtkw").read_text())
    ports = {port.name: port.width for port in top_ports(rtl.generate(cfg)[f"{cfg.top()}.v"], cfg.top())}
    covered: dict[str, list[int]] = {}
    for row in {(row.group, row.name, row.path): row for row in shown}.values():
        top, signal = row.path.split(".")
        assert top == cfg.top() and row.width == ports[signal], row
        covered[signal] = sorted(covered.get(signal, []) + list(row.bits)) if row.width > 1 else [0]
    for signal, bits in covered.items():
        assert bits == list(range(ports[signal])), signal
    described = [
        *map(stream_signals, cfg.streams.values()),
        *(port.signals for port in cfg.axi_ports.values()),
    ]
    clocks = {name for clock in cfg.clocks for name in (clock, clock.replace("clk", "rst"))}
    assert set(covered) == clocks | {signal.name for signals in described for signal in signals}
    for stream in cfg.streams.values():
        fields = [row for row in shown if row.group == stream.name and row.path.endswith("_data")]
        assert [row.name for row in fields] == [field.name for field in stream.fields]
        for row, field in zip(fields, stream.fields, strict=True):
            check_format(row, field.signed, field.names, stream.name.startswith("perf"))


def check_format(row: Shown, signed: bool, names: tuple[str, ...], counter: bool) -> None:
    assert ("signed" in row.format) == signed and ("dec" in row.format) == counter
    if names:
        digits = "b" if "bin" in row.format else "x"
        lines = [line.split(" ", 1) for line in Path(row.names).read_text().splitlines()]
        assert [(int(value, 2 if digits == "b" else 16), name) for value, name in lines] == [
            *enumerate(names)
        ]
    else:
        assert not row.names


def record(cfg: BlockConfig, simulator: str, folder: Path) -> runner.RunResult:
    made = builds.build(cfg, simulator, waves=True)
    tests = testcase.choose(cfg.block, ["smoke"], cfg, simulator)
    return runner.run(made, tests, seed=3, count=20, folder=folder)


@pytest.mark.slow
@pytest.mark.parametrize("simulator", builds.SIMULATORS)
def test_a_view_names_what_was_recorded(simulator: str, tmp_path: Path) -> None:
    cfg = load("simple")
    result = record(cfg, simulator, tmp_path / "run")
    assert result.passed
    recorded = {var.full_name: var for var in pywellen.Waveform(str(result.waves)).all_vars()}
    shown = rows((result.folder / "waves.gtkw").read_text())
    for row in shown:
        assert recorded[row.path].bitwidth == row.width, row
    compared = 0
    for stream in cfg.streams.values():
        fields = [row for row in shown if row.group == stream.name and row.path.endswith("_data")]
        for _, word in recorded[f"{cfg.top()}.{stream.name}_data"].tv:
            if isinstance(word, int):
                assert {row.name: row.value(word) for row in fields} == stream.unpack(word)
                compared += word != 0
    assert compared > 100
    last = {row.name: row.value(recorded[row.path].tv[-1][1]) for row in shown if row.group == "perf"}
    assert last["loads"] + last["stores"] == last["hits"] + last["misses"] > 0
    commands = (result.folder / "waves.sucl").read_text().splitlines()
    words = [line.split(" ", 1) for line in commands]
    assert words[0] == ["load_file", str(result.waves)]
    assert {path for command, path in words if command == "variable_add"} == {row.path for row in shown}
    assert [name for command, name in words if command == "divider_add"] == [*cfg.streams, *cfg.axi_ports]


def test_the_environment_does_not_switch_recording_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """cocotb's runner would heed it, and compile it into a build that is not said to have it."""
    monkeypatch.setenv("WAVES", "1")
    made = builds.build(load("simple", "tiny"), "icarus", root=tmp_path)
    tests = testcase.choose("simple", ["smoke"], made.cfg, "icarus")
    result = runner.run(made, tests, seed=3, count=20, folder=tmp_path / "run")
    assert result.passed
    assert not [path for path in tmp_path.rglob("*") if path.suffix in (".fst", ".gtkw", ".sucl")]
