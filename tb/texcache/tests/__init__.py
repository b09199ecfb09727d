# SPDX-License-Identifier: Apache-2.0
"""The tests, by subject. ``tb/texcache/testplan.toml`` says what each is for."""
