# SPDX-License-Identifier: Apache-2.0
"""The testbench of the pipelined texture unit."""
