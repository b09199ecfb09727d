# SPDX-License-Identifier: Apache-2.0
"""The design: ``s_axi`` passes to ``m_axi`` and back; ``fault`` switches one of :data:`FAULTS` on."""

from typing import NamedTuple

from configs.parts import AxiPort

TOP = "axi_wires"
MASTER = AxiPort(data_bits=64, address_bits=32, id_bits=4, prefix="m_axi", ids=16, outstanding=256)
SLAVE = MASTER.model_copy(update={"prefix": "s_axi"})


class Fault(NamedTuple):
    """A signal that is ``text`` instead of what it should be; what the checker says. ``tick`` toggles."""

    name: str
    signal: str
    text: str
    says: str
    simulators: tuple[str, ...] = ("verilator", "icarus")


ICARUS = ("icarus",)
FAULTS = (
    Fault("ar_withdrawn", "m_axi_arvalid", "s_axi_arvalid & tick", "m_axi_ar: valid withdrawn before ready"),
    Fault("aw_changes", "m_axi_awid", "{s_axi_awid[3:1], tick}", "m_axi_aw: data changed while waiting.*id"),
    Fault("w_changes", "m_axi_wdata", "{s_axi_wdata[63:1], tick}", "m_axi_w: data changed while .*data"),
    Fault("r_withdrawn", "s_axi_rvalid", "m_axi_rvalid & tick", "s_axi_r: valid withdrawn before ready"),
    Fault("b_changes", "s_axi_bresp", "{m_axi_bresp[1], tick}", "s_axi_b: data changed|EXOKAY to a write"),
    Fault("wlast_missing", "m_axi_wlast", "1'b0", "AXI write data in cycle .*: last=0 in beat"),
    Fault("rlast_early", "s_axi_rlast", "1'b1", "AXI read data in cycle .*: last=1 in beat 1 of"),
    Fault("strobes_outside", "m_axi_wstrb", "8'hff", "strobes 0xff outside the lanes"),
    Fault("page_crossed", "m_axi_araddr", "s_axi_araddr | 32'hff8", "page: the burst crosses a 4 KiB page"),
    Fault("wrong_id_back", "s_axi_rid", "~m_axi_rid", "nothing was asked for with id"),
    Fault(
        "b_too_early",
        "s_axi_bvalid",
        "m_axi_bvalid | s_axi_wvalid & s_axi_wlast",
        "before its last beat|nothing was asked for",
    ),
    Fault("address_wrong", "m_axi_araddr", "s_axi_araddr ^ 32'h100", "read of 0x.*: expected 0x.*, got 0x"),
    Fault("address_x", "m_axi_awaddr", "{32{1'bx}}", "m_axi_aw: addr is X+ while valid", ICARUS),
    Fault("data_x", "m_axi_wdata", "{64{1'bx}}", "m_axi_wdata is X+", ICARUS),
    Fault("ready_x", "s_axi_arready", "1'bx", "s_axi_ar: ready is X", ICARUS),
)


def verilog() -> str:
    """The design's text."""
    signals = [
        (signal.name, SLAVE.prefix + signal.name.removeprefix(MASTER.prefix), signal)
        for signal in MASTER.signals
    ]
    faults: dict[str, str] = {}
    for number, fault in enumerate(FAULTS, 1):
        faults[fault.signal] = faults.get(fault.signal, "") + f"fault == {number} ? {fault.text} : "
    ports, body = [], []
    for master, slave, signal in signals:
        out = signal.direction == "out"
        target, source = (master, slave) if out else (slave, master)
        span = f"[{signal.width - 1}:0] " if signal.width > 1 else ""
        ports += [f"    input wire {span}{source}", f"    output wire {span}{target}"]
        body.append(f"    assign {target} = {faults.pop(target, '')}{source};")
    assert not faults, f"no such signal: {list(faults)}"
    return "\n".join(
        [
            f"module {TOP} (",
            ",\n".join(["    input wire clk", "    input wire rst", "    input wire [4:0] fault", *ports]),
            ");",
            "    reg tick;",
            "    always @(posedge clk) tick <= ~rst & ~tick;",
            *body,
            "endmodule",
            "",
        ]
    )
