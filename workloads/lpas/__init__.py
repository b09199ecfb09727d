# SPDX-License-Identifier: Apache-2.0
"""Traffic of ``lpas``: programs of its PEs (``docs/lpas.md``), access patterns, offered load.

===============  ==================================================================================
``isa``          instructions of a PE
``expressions``  constants in a program's text
``assembler``    a program's text to instructions
``pe``           what a PE does between two accesses
``images``       grey pictures of 64 x 64 pixels
``loading``      the program that a command line names, with its image, in memory
``golden``       programs on the golden model; ``figures``, ``listing``: what a run comes to
``glcm``         the source's application: matrix of co-occurrences, and what must come out
``cases``        which PE writes where: eight simple patterns, classes I to IV, figures 4 and 5
``load``         traffic at an offered load: uniform, local, transposed, hot spot
``accesses``     patterns for the library and the benchmarks; ``trace``: trace files
===============  ==================================================================================
"""
