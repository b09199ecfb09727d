# SPDX-License-Identifier: Apache-2.0
"""Templates of ``icache``, the instruction cache of a SIMT processor."""
