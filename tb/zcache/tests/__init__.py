# SPDX-License-Identifier: Apache-2.0
"""Tests of ``zcache``; ``testplan.toml`` says what each is for."""
