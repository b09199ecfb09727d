# SPDX-License-Identifier: Apache-2.0
"""Runs cocotb's runner in a process of its own: ``python -m tb.common.running.simulate ORDER`` (JSON).

So a simulation can be stopped as a whole, and the runner's changes to the environment stay here.
"""

import ctypes
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from cocotb_tools.runner import get_runner

from tb.common.running import verilated
from tb.common.running.builds import MAIN, OPTIMISATION, TIMESCALE, WAKE


def runner_of(order: dict[str, Any]) -> Any:
    """Cocotb's runner; Verilator's opens the ports of the top module alone to the testbench.

    cocotb asks for every signal of the design (``--public-flat-rw``), which makes large designs slow and
    their compilation take minutes; the testbench looks at ports only. Its C++ is compiled our way, with a
    main program of our own.
    """
    runner: Any = get_runner(order["simulator"])
    if order["simulator"] == "verilator" and order["do"] == "build":
        commands = runner._build_command

        def own() -> list[list[str]]:
            verilate, make = commands()
            variables = [word for word in make if "=" in word]
            compiling = [sys.executable, "-m", verilated.__name__, order["folder"], "Vtop.mk"]
            kept = [word for word in verilate if word != "--public-flat-rw"]
            ours = [str(MAIN) if word.endswith("verilator.cpp") else word for word in kept]
            return [[*ours, "-LDFLAGS", "-rdynamic"], [*compiling, *OPTIMISATION, *variables]]

        runner._build_command = own
    return runner


def build(order: dict[str, Any]) -> None:
    """Compile; the log goes to ``build.log``."""
    sources = [Path(source) for source in order["sources"]]
    if order["simulator"] == "verilator":
        public = Path(order["folder"]) / "public.vlt"
        rules = [f'public_flat_rw -module "{order["top"]}" -var "{port}"' for port in order["ports"]]
        public.write_text("\n".join(["`verilator_config", *rules, ""]))
        sources.insert(0, public)
    else:
        sources.append(WAKE)
        order["arguments"] += ["-s", f"cacheforge_{WAKE.stem}"]
    runner_of(order).build(
        sources=sources,
        hdl_toplevel=order["top"],
        build_args=order["arguments"],
        build_dir=order["folder"],
        timescale=TIMESCALE,
        waves=order["waves"],
        always=True,
        log_file=Path(order["folder"]) / "build.log",
    )


def test(order: dict[str, Any]) -> None:
    """Simulate; results and ``simulation.log`` go to the run's folder."""
    run = Path(order["run"])
    runner_of(order).test(
        test_module=order["modules"],
        hdl_toplevel=order["top"],
        hdl_toplevel_lang="verilog",
        build_dir=order["folder"],
        test_dir=run,
        results_xml=str(run / "results.xml"),
        seed=order["seed"],
        test_filter=order["filter"],
        test_args=order["arguments"],
        plusargs=order["plusargs"],
        waves=order["waves"],
        timescale=TIMESCALE,
        extra_env=order["environment"],
        log_file=run / "simulation.log",
    )


def die_with_parent(parent: int) -> None:
    """End with all child processes when ``parent``, who started this one, ends, be it by ``kill -9``.

    Works on Linux, for the leader of a process group; elsewhere a simulation of a killed run goes on.
    """

    def end(*_: object) -> None:
        os.killpg(0, signal.SIGKILL)

    signal.signal(signal.SIGTERM, end)
    if sys.platform == "linux" and os.getpgrp() == os.getpid():
        parent_death_signal = 1  # PR_SET_PDEATHSIG of <sys/prctl.h>
        ctypes.CDLL(None).prctl(parent_death_signal, signal.SIGTERM)
        if os.getppid() != parent:  # it has ended before it was asked for
            end()


if __name__ == "__main__":
    order = json.loads(sys.argv[1])
    die_with_parent(order["parent"])
    {"build": build, "test": test}[order["do"]](order)
