# SPDX-License-Identifier: Apache-2.0
"""Tests of ``lpas``; ``testplan.toml`` says what each is for."""
