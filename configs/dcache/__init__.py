# SPDX-License-Identifier: Apache-2.0
"""Configurations of ``dcache``, the data cache of a SIMT processor."""
