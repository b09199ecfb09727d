# SPDX-License-Identifier: Apache-2.0
"""Tests of ``raster``; ``testplan.toml`` says what each is for."""
