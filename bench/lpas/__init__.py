# SPDX-License-Identifier: Apache-2.0
"""Speed of the model, the replay and the testbench of ``lpas``; each module is a benchmark."""
