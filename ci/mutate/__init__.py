# SPDX-License-Identifier: Apache-2.0
"""Mutation testing: small changes of the generated Verilog that the block's own tests must notice.

``mutants`` finds them and writes one design that holds them all, chosen by a plusarg. A mutant is judged by
``replays`` (milliseconds), if it survives by ``equivalent`` (a proof that it changes nothing), and without a
proof by ``tests`` (the pyuvm regression and its baseline). ``verdicts`` keeps what came of it.
"""
