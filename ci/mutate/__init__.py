# SPDX-License-Identifier: Apache-2.0
"""Mutation testing: small changes of the generated Verilog that the block's own tests must notice.

``mutants`` finds them and writes one design that holds them all, chosen by a plusarg. A mutant is judged by
``replays`` (milliseconds), if it survives by ``tests`` (the pyuvm regression and its baseline), and if it
survives those by ``equivalent`` (a proof that it changes nothing). ``verdicts`` keeps what came of it.
"""
