# SPDX-License-Identifier: Apache-2.0
"""What a netlist takes of an FPGA, and how deep its logic is, from what Yosys says about it."""

import json
import re
from typing import Any

# cells of distributed RAM and shift registers by the look-up tables that one occupies
MEMORIES = {
    1: ("RAM32X1S", "RAM64X1S", "SRL16E", "SRLC32E"),
    2: ("RAM32X1D", "RAM64X1D", "RAM128X1S"),
    4: ("RAM128X1D", "RAM256X1S", "RAM32M", "RAM64M"),
    8: ("RAM256X1D", "RAM512X1S", "RAM32M16", "RAM64M8", "RAM32X16DR8", "RAM64X8SW"),
}
FLIP_FLOPS = {"FDRE", "FDSE", "FDCE", "FDPE", "FDRE_1", "FDSE_1", "FDCE_1", "FDPE_1"}
NOT_HARDWARE = {"$scopeinfo"}


def of_cells(cells: dict[str, int]) -> dict[str, float]:
    """Resources of a netlist with that many ``cells`` of each type.

    ``lut`` is all look-up tables, those used as memory included, before placement, where two of up to five
    inputs may share one: ``lut_least`` is their number if all of these could. ``bram`` counts block RAMs of
    36 Kbit, one of 18 Kbit as a half. Raises RuntimeError for a cell that has no place in the table.
    """
    rest = {name: count for name, count in cells.items() if name not in NOT_HARDWARE}

    def take(*names: str) -> int:
        return sum(rest.pop(name, 0) for name in names)

    sizes = {f"lut{size}": take(f"LUT{size}") for size in range(1, 7)}
    sizes["lut1"] += take("INV")  # the family has no inverters
    memory = sum(luts * take(*names) for luts, names in MEMORIES.items())
    ramb18, ramb36 = take("RAMB18E1", "RAMB18E2"), take("RAMB36E1", "RAMB36E2")
    result = {
        "lut": sum(sizes.values()) + memory,
        "lut_least": (sum(sizes.values()) - sizes["lut6"] + 1) // 2 + sizes["lut6"] + memory,
        **sizes,
        "lut_memory": memory,
        "ff": take(*FLIP_FLOPS),
        "bram": ramb36 + ramb18 / 2,
        "ramb18": ramb18,
        "ramb36": ramb36,
        "uram": take("URAM288"),
        "dsp": take("DSP48E1", "DSP48E2"),
        "carry4": take("CARRY4"),
        "carry8": take("CARRY8"),
        "muxf": take("MUXF7", "MUXF8", "MUXF9"),
        "latch": take("LDCE", "LDPE"),
    }
    if rest:
        raise RuntimeError(f"cells of an unknown kind: {rest}")
    return result


def cells_of(stat: str) -> dict[str, int]:
    """The cells of the flattened design, from the text of ``stat -json``."""
    design: dict[str, Any] = json.loads(stat)["design"]
    return {name.removeprefix("\\"): count for name, count in design["num_cells_by_type"].items()}


def timing_of(sta: str) -> dict[str, Any]:
    """The longest path of Yosys' ``sta``: its delay in picoseconds and its cells, from start to end.

    Empty if there is no path. Raises RuntimeError if the text does not say.
    """
    if "No timing paths found" in sta:
        return {}
    latest = re.search(r"^Latest arrival time in '.*' is (\d+):", sta, re.MULTILINE)
    steps = re.findall(r"^ +\d+ .* \((\w+)\.[^)]*\)$", sta, re.MULTILINE)
    if not latest or not steps:
        raise RuntimeError("Yosys' sta names no path")
    return {"logic_ps": int(latest[1]), "path": steps[::-1]}
