# SPDX-License-Identifier: Apache-2.0
"""Deliberate faults in generated Verilog, and the tests and proofs that detect them (docs/faults.md).

==============  =======================================================================
``catalogue``   a block's list, ``tb/<block>/faults.toml``, or a file from elsewhere
``mutants``     generated faults; one design that holds many faults, chosen by a plusarg
``choice``      a fault of the list as a choice in that design
``listed``      runs the test or the proof that must detect each fault of the list
``judging``     runs a configuration's regression on faults that name no test
``equivalent``  a proof that a fault changes nothing
==============  =======================================================================
"""
