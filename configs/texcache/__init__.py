# SPDX-License-Identifier: Apache-2.0
"""Schema and presets of the four-port mobile texture cache."""
