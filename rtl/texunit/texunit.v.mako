// Texture units after FuryGpu: each samples quads for one rasterizer; all share one AXI read port.
<%include file="/texunit/units.mako"/>
