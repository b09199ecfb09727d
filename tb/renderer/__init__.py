# SPDX-License-Identifier: Apache-2.0
"""Frames through the RTL of ``renderer``."""
