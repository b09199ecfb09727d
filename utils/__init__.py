# SPDX-License-Identifier: Apache-2.0
"""Small utilities that every room shares: errors and command lines, files, keys, locks, progress."""
