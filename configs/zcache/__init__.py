# SPDX-License-Identifier: Apache-2.0
"""Configurations of ``zcache``, the depth cache with prefetch."""
