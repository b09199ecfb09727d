// Hands a tile's covered quads to the texture units, each with its coordinates, one after the other.
//
// Interface: take brings a tile, of which there are never more than places. quad has the coordinates of the covered
// quads in order, a word each. Quad k of a tile (upper left, upper right, lower left, lower right) goes to unit
// ${"0" if cfg.texunit.units == 1 else f"k modulo {cfg.texunit.units}"}.
% if cfg.early:
// Of a quad of which no pixel passed the coordinates are dropped. One of which some did goes with all covered ones:
// on these its level hangs.
% endif
// Timing: a quad each cycle, in the cycle in which its coordinates are offered; a tile without quads takes a cycle.
<%
    units, bits, early = range(cfg.texunit.units), cfg.shaded_bits, cfg.early
    quads = range(4)
    stream = cfg.all_streams["quad"]
    unit_quad = cfg.texunit.all_streams["quad0"]
%>\
module renderer_quads (
    input  wire clk, // clock
    input  wire rst, // synchronous
    // a tile
    input  wire take, // one comes
    output wire ready, // there is a place
    input  wire [15:0] take_mask, // its covered pixels
% if early:
    input  wire [15:0] take_passed, // of them, those that passed the depth test
% endif
${ports(stream_signals(stream))}
    // texture units
    output wire ${width(len(units))} unit_valid, // a quad is offered to the unit
    input  wire ${width(len(units))} unit_ready, // it is taken
    output wire ${width(unit_quad.width)} unit_data, // the quad
    // what is counted
    output wire handed, // a quad has gone${", or was dropped" if early else ""}
    output wire coordinates_wait, // the next quad waits for its coordinates,
    output wire unit_wait // or for its unit
);

    wire here, gone;                      // a tile is here; its last quad goes
    wire [15:0] mask;
% if early:
    wire [3:0] shown;                     // of which quads a pixel passed
    wire [3:0] take_shown = {
        ${(",\n" + 8 * " ").join("|{" + ", ".join(f"take_passed[{p}]" for p in reversed(helpers.pixels(k))) + "}" for k in reversed(quads))}
    };
% endif

    fifo #(
        .WIDTH(${20 if early else 16}),
        .DEPTH(${1 << bits - 1}),
        .COUNT_BITS(${bits})
    ) tiles (
        .clk(clk),
        .rst(rst),
        .in_valid(take),
        .in_ready(ready),
        .in_data(${"{take_shown, take_mask}" if early else "take_mask"}),
        .out_valid(here),
        .out_ready(gone),
        .out_data(${"{shown, mask}" if early else "mask"})
    );

    // Pixels of each quad, and which are to go: the lowest goes next
% for k in quads:
    wire [3:0] mask${k} = {${", ".join(f"mask[{p}]" for p in reversed(helpers.pixels(k)))}};
% endfor
    reg  [3:0] sent;
    wire [3:0] left = {${", ".join(f"|mask{k}" for k in reversed(quads))}} & ~sent & {4{here}};
    wire [3:0] next = left & (~left + 4'd1);
    wire [3:0] valid = ${" | ".join("({4{next[%d]}} & mask%d)" % (k, k) for k in quads)};
    wire [3:0] quad_units_ready = {${", ".join(f"unit_ready[{helpers.unit_of(cfg, k)}]" for k in reversed(quads))}};
% if early:
    wire hidden = |(next & ~shown);       // nothing of the next quad passed
    wire takes  = hidden | (|(next & quad_units_ready));
% else:
    wire takes = |(next & quad_units_ready);
% endif

% for n in units:
    assign unit_valid[${n}] = quad_valid${" & !hidden" if early else ""} & (${" | ".join(f"next[{k}]" for k in helpers.quads_of(cfg, n))});
% endfor
    assign unit_data  = {quad_data, valid};
    assign quad_ready = takes;

    assign handed           = quad_valid & takes;
    assign gone             = here & (left == 4'd0 | (left == next & handed));
    assign coordinates_wait = left != 4'd0 & !quad_valid;
    assign unit_wait        = left != 4'd0 & quad_valid & !takes;

    always @(posedge clk) begin
        if (rst | gone)
            sent <= 4'd0;
        else if (handed)
            sent <= sent | next;
    end

endmodule
