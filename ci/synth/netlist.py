# SPDX-License-Identifier: Apache-2.0
"""Netlists to simulate: the block as gates of the 7 series, and the models of the gates it uses."""

import random
import re
import tempfile
from pathlib import Path

import rtl
from ci.synth import families, result
from configs import BlockConfig, UserError
from utils.files import is_sealed, seal

MODULE = re.compile(r"^module (\w+) ?\(.*?^endmodule$", re.MULTILINE | re.DOTALL)
SPECIFY = re.compile(r"^ *specify$.*?^ *endspecify$\n", re.MULTILINE | re.DOTALL)
CELL = re.compile(r"^  ([A-Z]\w*) (?:#\(|\S+ +\()", re.MULTILINE)
PORT = re.compile(r"^(input|output) \[(\d+):0\] (\w+)", re.MULTILINE)
OWN_CLOCK = "  wire clk = WCLK ^ IS_WCLK_INVERTED;\n"


def models(netlist: str) -> str:
    """Verilog of the cells that ``netlist`` uses, from Yosys' ``cells_sim.v``, without delays.

    Clocks that a RAM inverts for itself are left out, as Verilator would take them for as many clock domains
    as there are RAMs. Raises RuntimeError for a cell that Yosys has no model of, and for an inverted clock.
    """
    modules = {match[1]: match[0] for match in MODULE.finditer(families.share("xilinx/cells_sim.v"))}
    used = sorted(set(CELL.findall(netlist)))
    if unknown := [name for name in used if name not in modules]:
        raise RuntimeError(f"no model of {', '.join(unknown)}")
    if re.search(r"IS_W?CLK_INVERTED\(1'[bh]1", netlist):
        raise RuntimeError("the netlist inverts a clock, which the models of RAMs here do not")
    texts = []
    for name in used:
        text = SPECIFY.sub("", modules[name])
        if OWN_CLOCK in text:
            text = text.replace(OWN_CLOCK, "").replace("@(posedge clk)", "@(posedge WCLK)")
        texts.append(text + "\n")
    return "\n".join(["// Models out of Yosys' techlibs/xilinx/cells_sim.v (ISC licence)\n", *texts])


def powered_up(netlist: str) -> str:
    """``netlist`` with a bit, 0 or 1 by lot, where the start of a flip-flop is left open (INIT is x).

    Flip-flops do start with a bit. An x would stay in those that clear themselves without a reset (the bridge
    between the resets of two clocks does), because gates show an x where either value leads to the same.
    """
    lots = random.Random(1)
    return re.sub(r"(?<=\.INIT\()1'hx(?=\))", lambda _: f"1'h{lots.getrandbits(1)}", netlist)


def wrapper(top: str, ports: str) -> str:
    """Module ``top`` with the block's own ports around ``<top>_gates``, whose ports are single bits.

    ``ports`` is what Yosys' ``portlist -m`` says.
    """
    declarations, connections = [], []
    for direction, high, name in PORT.findall(ports):
        wide = high != "0"
        kind = "input  wire" if direction == "input" else "output wire"
        declarations.append(f"    {kind} {f'[{high}:0] ' * wide}{name}")
        bits = range(int(high) + 1) if wide else ()
        connections += [f"        .\\{name}[{bit}] ({name}[{bit}])" for bit in bits] or [
            f"        .{name}({name})"
        ]
    head, body = ",\n".join(declarations), ",\n".join(connections)
    return f"module {top} (\n{head}\n);\n\n    {top}_gates gates (\n{body}\n    );\n\nendmodule\n"


def write(cfg: BlockConfig, sources: result.Verilog, folder: Path) -> list[Path]:
    """Write models, gates, top and ``filelist.f`` into ``folder``; returns the Verilog files.

    The folder serves as ``RTL_DIR``: same top, same ports. Nothing is synthesized again while the netlist
    there is that of ``sources``. Raises :class:`UserError` when Yosys does not take the Verilog, or when the
    folder holds other Verilog.
    """
    script = families.netlisting(cfg.top(), list(sources))
    stamp = f"// Netlist of {cfg.block} {cfg.name} by cacheforge, key {result.key(script, sources)}\n"
    files = [folder / name for name in ("cells.v", f"{cfg.top()}_gates.v", f"{cfg.top()}.v")]
    top = files[-1]  # written last
    foreign = sorted(path.name for path in folder.glob("*.v") if path not in files)
    if foreign or (top.is_file() and not top.read_text().startswith("// Netlist of ")):
        raise UserError(
            f"{folder} holds other Verilog ({', '.join(foreign) or top.name}): choose a new folder"
        )
    if not (all(map(is_sealed, files)) and top.read_text().startswith(stamp)):
        with tempfile.TemporaryDirectory() as name:
            work = result.run(script, sources, Path(name))
            gates, ports = (work / "netlist.v").read_text(), (work / "ports.txt").read_text()
        texts = (models(gates), powered_up(gates), stamp + wrapper(cfg.top(), ports))
        rtl.write_files(folder, dict(zip((path.name for path in files), texts, strict=True)))
        for path in files:
            seal(path)
    return files
