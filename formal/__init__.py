# SPDX-License-Identifier: Apache-2.0
"""Proofs about the generated Verilog: properties beside it, yosys and z3 behind it; see ``docs/formal.md``."""
