# SPDX-License-Identifier: Apache-2.0
"""Tests of ``dcache``; ``testplan.toml`` says what each is for."""
