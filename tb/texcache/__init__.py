# SPDX-License-Identifier: Apache-2.0
"""The testbench of the texture cache; see ``docs/texcache_verification.md`` for what it covers and why."""
