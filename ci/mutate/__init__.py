# SPDX-License-Identifier: Apache-2.0
"""Mutation testing: small changes of the generated Verilog that the block's own tests must notice.

``mutants``: finds them, and writes one design that holds them all, chosen by a plusarg; ``quick``: trace
replay, milliseconds each; ``slow``: the pyuvm tests; ``equivalent``: proofs that a survivor changes nothing.
"""
