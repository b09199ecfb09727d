# SPDX-License-Identifier: Apache-2.0
"""Cycles that the design of the pipelined texture unit fixes, from handshake to handshake."""

LEVEL_CYCLES = 14  # from taking a quad to offering it with its level
COORDINATE_CYCLES = 4  # from a quad with its level to its first pixel
LINES_CYCLES = 3  # from a pixel to its lines
LOOKUP_CYCLES = 1  # from lines to the beat, of all that hit or one that misses
FILTER_CYCLES = 13  # from the read to the pixel
"""Lines 1, bytes 2, colour table 2, filter 8."""
MIXER_CYCLES = 3  # from the pixel to the mixed one, with a trilinear filter
