# SPDX-License-Identifier: Apache-2.0
"""Tests of the texture unit, by subject."""
