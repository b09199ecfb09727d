# SPDX-License-Identifier: Apache-2.0
"""Templates of ``dcache``, the data cache of a SIMT processor."""
