# SPDX-License-Identifier: Apache-2.0
"""Configuration of ``trilinear``."""
