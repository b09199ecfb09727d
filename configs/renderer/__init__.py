# SPDX-License-Identifier: Apache-2.0
"""Configurations of ``renderer``: both caches of a SIMT processor, its shared RAM and their control."""
