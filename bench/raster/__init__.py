# SPDX-License-Identifier: Apache-2.0
"""Speed of the models and the testbench of ``raster``; each module is a benchmark."""
