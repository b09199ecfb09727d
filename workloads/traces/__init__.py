# SPDX-License-Identifier: Apache-2.0
"""Tables of numbers in files, as text and as numpy archives: what every block's trace files are read with."""
