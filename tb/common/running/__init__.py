# SPDX-License-Identifier: Apache-2.0
"""Tools, builds and runs of the simulators, the regression, the command line of 'sim' and its summary."""
