# SPDX-License-Identifier: Apache-2.0
"""A design of wires between an AXI4 master and a memory, with faults to switch on, and what is run on it."""
