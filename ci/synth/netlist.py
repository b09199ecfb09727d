# SPDX-License-Identifier: Apache-2.0
"""Netlists to simulate: the block as gates of the 7 series, and the models of the gates it uses."""

import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from configs import BlockConfig, UserError
from configs.files import write_if_changed
from ci.synth import families, result, yosys

MODULE = re.compile(r"^module (\w+) ?\(.*?^endmodule$", re.MULTILINE | re.DOTALL)
SPECIFY = re.compile(r"^ *specify$.*?^ *endspecify$\n", re.MULTILINE | re.DOTALL)


def models(netlist: str) -> str:
    """Verilog of the cells that ``netlist`` uses, from Yosys' ``cells_sim.v``, without delays.

    Raises RuntimeError for a cell that Yosys has no model of.
    """
    known = {found[1]: found[0] for found in MODULE.finditer(yosys.share("xilinx/cells_sim.v"))}
    used = set(re.findall(r"^  (\w+) (?:#\(|\S+ +\()", netlist, re.MULTILINE))
    used -= {"module", "input", "output", "wire", "reg", "assign"}
    if used - set(known):
        raise RuntimeError(f"no model of {', '.join(sorted(used - set(known)))}")
    texts = [SPECIFY.sub("", known[name]) for name in sorted(used)]
    return "// Simulation models out of Yosys' techlibs/xilinx/cells_sim.v (ISC licence)\n\n" + "\n\n".join(
        [*texts, ""]
    )


def write(cfg: BlockConfig, sources: result.Verilog, folder: Path, say: Callable[[str], None]) -> list[Path]:
    """Write netlist, models and ``filelist.f`` into ``folder``; returns the Verilog files.

    The folder serves as ``RTL_DIR``: same top, same ports. Nothing is synthesized again while the netlist
    there is that of ``sources``. Raises :class:`UserError` when Yosys does not take the Verilog, or when the
    folder holds Verilog that is not a netlist of ours.
    """
    script = families.netlisting(cfg.block, list(sources))
    stamp = f"// Netlist of {cfg.block} {cfg.name} by cacheforge, key {result.key(script, sources)}\n"
    gates, cells = folder / f"{cfg.block}.v", folder / "cells.v"
    foreign = [p.name for p in folder.glob("*.v") if p not in (gates, cells)]
    if foreign or (gates.is_file() and not gates.read_text().startswith("// Netlist of ")):
        raise UserError(f"{folder} holds other Verilog ({', '.join(foreign) or gates.name}): choose a new folder")
    if not (gates.is_file() and gates.read_text().startswith(stamp)):
        with tempfile.TemporaryDirectory() as name:
            text = (result.run(script, sources, Path(name), say) / "netlist.v").read_text()
        folder.mkdir(parents=True, exist_ok=True)
        write_if_changed(cells, models(text))
        write_if_changed(folder / "filelist.f", f"{cells.name}\n{gates.name}\n")
        write_if_changed(gates, stamp + text)
    return [cells, gates]
