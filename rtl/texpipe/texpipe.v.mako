// Texture units that sample a pixel in each cycle: each one quads of one rasterizer; all share one AXI read port.
<%include file="/texunit/units.mako"/>
