# SPDX-License-Identifier: Apache-2.0
"""Programs for the SIMT caches, and the machine that runs them (``docs/simt.md``).

===============  ============================================================================
``isa``          instruction words: fields, opcodes, the SIMT instructions, CSRs
``integer``      RV32IM arithmetic; ``floats``: RV32F arithmetic; ``csr``: CSRs
``state``        what a warp is, what it asks of its caches: fetches and accesses
``control``      tmc, wspawn, split, join, bar, pred; branches and jumps
``execute``      one instruction of one warp, up to the point where it needs data
``running``      warp scheduling and the memory of the fast path
``machine``      :class:`Machine`: a launch, run at once or step by step; ``faults``: why one cannot go on
``image``        programs as text that ``$readmemh`` reads, too; ``elf``: from ELF files
``toolchain``    from C or assembly to an ELF file, by clang as PyPI's ``ziglang`` has it; ``library``: the
                 C library; ``printed``: what C programs show
``disassembly``  instruction words as text
``profile``      instructions, cycles of an ideal machine, annotated listing
``programs``     the nine programs of the source, and more that do not fit in the caches
===============  ============================================================================
"""
