# SPDX-License-Identifier: Apache-2.0
"""What a testbench is built of: streams, AXI, monitors, model, scoreboard, environment, base test."""
