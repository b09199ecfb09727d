# SPDX-License-Identifier: Apache-2.0
"""What is run through a block: textures, scenes, traffic, access patterns, trace files.

=============  ==================================================================================
``textures``   the built-in set of 20 textures, image files, mip chains, samples by llvmpipe
``scenes``     meshes, cameras, scenes: the built-in ones and files; the picture of fragments
``traces``     tables of numbers in text files and numpy archives
``samples``    a small trace file for each block
``store``      what was made before, kept in ``build/workloads``
``<block>``    a block's traffic from scenes and programs; other traffic is in ``models/<block>/traffic.py``
=============  ==================================================================================

A block's room imports the general ones, never the other way round. ``python -m workloads`` lists, renders
and writes all of these.
"""

import configs as _configs  # noqa: F401  says what to type where packages are missing
import models as _models  # noqa: F401  decides where compiled kernels are kept
