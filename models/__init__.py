# SPDX-License-Identifier: Apache-2.0
"""Golden models and cache analyses: no simulator in here, every kernel readable Python compiled by numba.

====================  ================================================================================
``memory``            contents of memory: a pure function of seed and address, an image, poisoned lines
``lru``               the set-associative core: true LRU over the ways of a set
``texaddress``        texcache: wrap modes, texel layouts, look-up list, place of a line in the cache
``lut``               texcache: where the mip chains of textures lie in memory
``texcache``          texcache: the golden model, access by access or a whole trace at once
``texlookups``        texcache: look-up streams for the analyses; checks of footprints and tables
``textiming``         texcache: the cycle counts that its design fixes
``streams``           numbers the lines of a look-up stream
``stack``             hits of many LRU geometries from few passes over a trace
``belady``            hits of the optimal replacement
``classify``          compulsory, capacity and conflict misses
``kernels``           how kernels are compiled and kept
====================  ================================================================================
"""
