# SPDX-License-Identifier: Apache-2.0
"""Tests of ``icache``; ``testplan.toml`` says what each is for."""
