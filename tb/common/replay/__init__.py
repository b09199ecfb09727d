# SPDX-License-Identifier: Apache-2.0
"""Traces through the Verilated RTL, arrays in and arrays out, and their comparison with the model."""
