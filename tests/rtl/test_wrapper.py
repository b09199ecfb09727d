# SPDX-License-Identifier: Apache-2.0
"""What is written beside the Verilog: the wrapper with a port for each field, and the FuseSoC core file."""

import random
import re
from pathlib import Path

import pytest
import yaml

import configs
from configs import BlockConfig, Stream, load
from configs.parts import Signal
from rtl import generate, write
from rtl.wrapper import field_ports, top_ports, wrap
from tests.rtl.running import simulate

ROUNDS = 20
LONG = 4096  # bits: more than any port has
CASES = [("texcache", "tiny", ""), ("texunit", "two-way", "l1_")]


def bench(cfg: BlockConfig, ports: list[Signal], prefix: str) -> str:
    """Verilog that gives all inputs of the wrapper, and all outputs of the block inside, random values.

    What comes out on the other side is compared with what :meth:`configs.Stream.pack` makes of the fields.
    """
    rng = random.Random(1)
    names = {port.name for port in ports}
    streams = {f"{stream.name}_data": stream for stream in cfg.streams.values() if stream.fields}
    outer: list[Signal] = []
    for port in ports:
        stream = streams.get(port.name)
        outer += field_ports(stream, names).values() if stream else [port]
    steps: list[str] = []
    for _ in range(ROUNDS):
        gives: list[str] = []
        wants: list[str] = []
        for port in ports:
            word, outside = _draw(port, streams.get(port.name), names, rng)
            if port.direction == "in":
                gives += [f"{name} = {LONG}'h{value:x};" for name, value in outside.items()]
                wants += _expect(f"wrapped.packed_top.{port.name}", word)
            else:
                gives.append(f"force wrapped.packed_top.{port.name} = {LONG}'h{word:x};")
                for name, value in outside.items():
                    wants += _expect(name, value)
        steps += [*gives, "#1;", *wants]
    declared = [f"{'reg' if s.direction == 'in' else 'wire'} [{s.width - 1}:0] {s.name};" for s in outer]
    connected = ", ".join(f".{signal.name}({signal.name})" for signal in outer)
    return "\n".join([
        "module bench;", "integer compared = 0;", *declared,
        f"{cfg.top(prefix)}_fields wrapped ({connected});",
        "initial begin", *steps, '$display("compared %0d", compared);', "end", "endmodule", "",
    ])  # fmt: skip


def _draw(
    port: Signal, stream: Stream | None, names: set[str], rng: random.Random
) -> tuple[int, dict[str, int]]:
    """A word for a port of the block, and what the wrapper's ports that belong to it have then, as bits."""
    if stream is None:
        word = rng.randrange(1 << port.width)
        return word, {port.name: word}
    values = {
        field.name: rng.randrange(1 << field.width) - (1 << field.width - 1) * field.signed
        for field in stream.fields
    }
    fields = field_ports(stream, names)
    bits = {fields[name].name: value & (1 << fields[name].width) - 1 for name, value in values.items()}
    return stream.pack(values), bits


def _expect(name: str, value: int) -> list[str]:
    differs = f'if ({name} !== {LONG}\'h{value:x}) $display("differs: {name}");'
    return [differs, "compared = compared + 1;"]


def compared(cfg: BlockConfig, folder: Path, prefix: str, *bug: str) -> str:
    """What the bench prints on Icarus, of a block that has ports only; ``bug`` is put into the wrapper."""
    top = cfg.top(prefix)
    text = generate(cfg, prefix)[f"{top}.v"]
    write(cfg, folder, prefix)
    wrapper = (folder / f"{top}_fields.v").read_text()
    if bug:
        assert wrapper.count(bug[0]) == 1
        wrapper = wrapper.replace(*bug)
    stub = text[: text.index("\n);") + 4] + "endmodule\n`default_nettype wire\n"
    return simulate(folder, stub + wrapper + bench(cfg, top_ports(text, top), prefix))


@pytest.mark.parametrize(("block", "preset", "prefix"), CASES)
def test_every_port_of_the_wrapper_is_that_of_the_block(
    block: str, preset: str, prefix: str, tmp_path: Path
) -> None:
    words = compared(load(block, preset), tmp_path, prefix).split()
    assert words[0] == "compared" and int(words[1]) > 60 * ROUNDS, words[:20]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("        req_v,\n        req_u\n", "        req_u,\n        req_v\n"),
        ("res_data[31:0]", "res_data[32:1]"),
        (".m_axi_arid(m_axi_arid)", ".m_axi_arid(m_axi_arcache)"),
    ],
)
def test_a_wrong_wire_is_noticed(before: str, after: str, tmp_path: Path) -> None:
    assert "differs:" in compared(load("texcache", "tiny"), tmp_path, "", before, after)


@pytest.mark.parametrize("block", configs.blocks())
def test_every_field_is_a_port(block: str) -> None:
    cfg = load(block)
    text = wrap(cfg, generate(cfg)[f"cacheforge_{block}.v"])
    plain = f"\n{text.replace('signed ', '       ')}"
    ports = {port.name for port in top_ports(plain, f"{cfg.top()}_fields")}
    assert not any(f"{stream.name}_data" in ports for stream in cfg.streams.values())
    for stream in cfg.streams.values():
        for field in stream.fields:
            assert {f"{stream.name}_{field.name}", f"{stream.name}_data_{field.name}"} & ports


@pytest.mark.parametrize("block", configs.blocks())
def test_the_core_file_names_files_and_tops_that_exist(block: str, tmp_path: Path) -> None:
    cfg = load(block)
    listed = write(cfg, tmp_path, "my_")
    first, _, text = (tmp_path / f"cacheforge_my_{block}.core").read_text().partition("\n")
    core = yaml.safe_load(text)
    assert first == "CAPI=2:"
    vendor, library, name, _ = core["name"].split(":")
    assert (vendor, library) == ("cacheforge", block) and cfg.hash in name
    own = [path.name for path in listed if path.parent == tmp_path]
    assert core["filesets"]["rtl"]["files"] == [*own, f"{cfg.top('my_')}_fields.v"]
    for target in core["targets"].values():
        sets = [fileset.rpartition("(")[2].rstrip(")") for fileset in target["filesets"]]
        files = [name for fileset in sets for name in core["filesets"][fileset]["files"]]
        assert all((tmp_path / name).is_file() for name in files)
        assert any(f"module {target['toplevel']} (" in (tmp_path / name).read_text() for name in files)


@pytest.mark.parametrize("block", configs.blocks())
def test_the_example_names_every_port_once(block: str, tmp_path: Path) -> None:
    """``tests/rtl/test_generator.py`` lints it in every preset."""
    write(load(block), tmp_path)
    wrapper = (tmp_path / f"cacheforge_{block}_fields.v").read_text()
    ports = re.findall(r"^    (?:input |output) wire .*?(\w+),?(?: *//.*)?$", wrapper, re.MULTILINE)
    text = (tmp_path / f"cacheforge_{block}_example.v").read_text()
    assert re.findall(r"^        \.(\w+)\(\1\)", text, re.MULTILINE) == ports
