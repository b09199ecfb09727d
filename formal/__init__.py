# SPDX-License-Identifier: Apache-2.0
"""Proofs about the generated Verilog, with yosys and z3 behind them; see ``docs/formal.md``."""

import configs as _configs  # noqa: F401  says what to type where packages are missing
