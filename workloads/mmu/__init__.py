# SPDX-License-Identifier: Apache-2.0
"""Traffic of ``mmu``: trace files with the requests of both its caches."""
