# SPDX-License-Identifier: Apache-2.0
"""Speed of the models and the testbench of ``mmu``, and of programs; each module is a benchmark."""
