# SPDX-License-Identifier: Apache-2.0
"""Configurations of ``icache``, the instruction cache of a SIMT processor."""
