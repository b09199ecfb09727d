# SPDX-License-Identifier: Apache-2.0
"""Templates of ``zcache``, the depth cache with prefetch."""
