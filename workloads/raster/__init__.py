# SPDX-License-Identifier: Apache-2.0
"""Traffic of ``raster``: scenes as vertices in window coordinates."""
