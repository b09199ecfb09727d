# SPDX-License-Identifier: Apache-2.0
"""What the testbenches of all blocks share.

On the simulator's side: clocking, stream agents, AXI memory, scoreboard, coverage and the base test. On the
side that starts it: builds, runs, results, code coverage. Nothing here knows a block; ``tb/<block>`` does.
"""
