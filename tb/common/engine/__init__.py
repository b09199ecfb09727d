# SPDX-License-Identifier: Apache-2.0
"""The half of the testbench that moves pins, in C++ inside the simulator; Python acts when it has to."""
