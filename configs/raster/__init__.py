# SPDX-License-Identifier: Apache-2.0
"""Configurations of ``raster``, the tile rasterizer."""
