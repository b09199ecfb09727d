# SPDX-License-Identifier: Apache-2.0
"""Templates of ``icache``, the smallest cache."""
