# SPDX-License-Identifier: Apache-2.0
"""Tests of ``mmu``; ``testplan.toml`` says what each is for."""
