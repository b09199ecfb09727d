# SPDX-License-Identifier: Apache-2.0
"""Configurations of ``lpas``, distributed caches behind a local-priority switch."""
