# SPDX-License-Identifier: Apache-2.0
"""Speed of the pipelined texture unit's models and testbench; each module is a benchmark."""
