# SPDX-License-Identifier: Apache-2.0
"""Configurations of ``simple``, the smallest cache."""
