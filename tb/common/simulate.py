# SPDX-License-Identifier: Apache-2.0
"""Runs cocotb's runner in a process of its own: ``python -m tb.common.simulate ORDER`` (JSON).

So a simulation can be stopped as a whole, and the runner's changes to the environment stay here.
"""

import json
import sys
from pathlib import Path
from typing import Any

from cocotb_tools.runner import get_runner

from tb.common.builds import TIMESCALE


def build(order: dict[str, Any]) -> None:
    """Compile; the log goes to ``build.log``."""
    get_runner(order["simulator"]).build(
        sources=[Path(source) for source in order["sources"]],
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
    get_runner(order["simulator"]).test(
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


if __name__ == "__main__":
    asked = json.loads(sys.argv[1])
    {"build": build, "test": test}[asked["do"]](asked)
