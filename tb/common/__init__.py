# SPDX-License-Identifier: Apache-2.0
"""What the testbenches of all blocks share; nothing here knows a block, ``tb/<block>`` does.

==============  ==============================================================================================
``components``  what a testbench is built of: streams, AXI, monitors, model, scoreboard, environment, tests
``coverage``    functional and code coverage: bins, databases, waivers, plans
``replay``      arrays of accesses through the Verilated RTL, and their comparison with the model
``running``     builds and runs of the simulators, the regression, the command line and its summary
==============  ==============================================================================================
"""
