# SPDX-License-Identifier: Apache-2.0
"""Synthesis of a block's Verilog with Yosys: FPGA resources, logic depth, and netlists to simulate."""
