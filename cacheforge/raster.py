# SPDX-License-Identifier: Apache-2.0
"""``raster`` in the library: vertices.

It has no cache, so that nothing hits: of what it looks at, ``rates`` has the share of tiles with a pixel.
"""
