# SPDX-License-Identifier: Apache-2.0
"""Speed of the texture cache's models and testbench; each module is a benchmark."""
