# SPDX-License-Identifier: Apache-2.0
"""Templates of ``simple``, the smallest cache."""
