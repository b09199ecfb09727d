# SPDX-License-Identifier: Apache-2.0
"""Templates of ``raster``, the tile rasterizer."""
