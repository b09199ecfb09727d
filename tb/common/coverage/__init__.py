# SPDX-License-Identifier: Apache-2.0
"""Functional and code coverage: bins, databases, waivers, plans."""
