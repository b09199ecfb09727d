# SPDX-License-Identifier: Apache-2.0
"""The nine programs that the source ran, and three more; each with its data and the results numpy expects."""

from workloads.simt.programs import floats, integers, large
from workloads.simt.programs.program import Job, Program, prepare, shipped

_ALL = (*integers.PROGRAMS, *floats.PROGRAMS, *large.PROGRAMS)
PROGRAMS: dict[str, Program] = {program.name: program for program in _ALL}
#: as the source lists them
NINE = ("sort", "maximum", "matmul", "convolution", "loop", "equations", "lines", "vertices", "fft")

__all__ = ["NINE", "PROGRAMS", "Job", "Program", "prepare", "shipped"]
