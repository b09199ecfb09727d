# SPDX-License-Identifier: Apache-2.0
"""Speed of the models and the testbench of ``trilinear``; each module is a benchmark."""
