# SPDX-License-Identifier: Apache-2.0
"""What is run through a block: textures, scenes, frames of texel traffic, access patterns, trace files.

====================  ================================================================================
``textures``          the built-in set of 20 textures, image files, mip chains
``texture_memory``    mip chains as words of memory, in a configuration's layout
``scene``             meshes, cameras, scenes; ``scenes`` has the built-in ones, ``loader`` reads files
``frame``             a rendered scene as bilinear footprints, and the picture made of their texels
``store``             frames and textures that were made before, kept in ``build/workloads``
``patterns``          access patterns without a scene: random, walks, streams, thrashing, ...
``trace``             the accesses of a run, and the trace files that hold them (``docs/traces.md``)
====================  ================================================================================

``python -m workloads`` lists, renders and writes all of these.
"""

import models as _models  # noqa: F401  decides where compiled kernels are kept
