# SPDX-License-Identifier: Apache-2.0
"""Tests of ``simple``; ``testplan.toml`` says what each is for."""
