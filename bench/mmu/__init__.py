# SPDX-License-Identifier: Apache-2.0
"""Speed of programs through ``mmu``; each module is a benchmark."""
