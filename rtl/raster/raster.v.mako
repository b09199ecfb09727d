// raster: a tile rasterizer. Vertices in window coordinates come in, tiles of 4x4 pixels with a mask and depths go
// out.
//
//   vtx -> assembly -> set-up -> walk -> tile      points, lines and triangles, as lists, strips and fans
// Window up to ${4 << cfg.coordinate_bits} x ${4 << cfg.coordinate_bits} pixels; a triangle's tiles ${"row after row" if cfg.walk == "rows" else "to and fro"}, ${"those with a drawn pixel" if cfg.emit == "covered" else "all of its bounds"}.
// Timing: set-up of a line or triangle takes ${helpers.setup_cycles(cfg)} cycles and goes on while the one before is walked, a tile or a
// column in each cycle; docs/raster.md has the rest.
<%
    from configs.raster.schema import PLACE_BITS
    vtx, tile, perf = (cfg.all_streams[name] for name in ("vtx", "tile", "perf"))
    corner, state = helpers.corner(), helpers.state()
    difference, depth, area, pixel = helpers.DIFFERENCE_BITS, helpers.DEPTH_BITS, helpers.AREA_BITS, helpers.PIXEL_BITS
    coordinate, window = cfg.coordinate_bits, cfg.coordinate_bits + 2
    prepared = [
        ("ax", PLACE_BITS, 1), ("ay", PLACE_BITS, 1), ("bx", PLACE_BITS, 1), ("by", PLACE_BITS, 1),
        ("first_depth", depth, 1), ("gradient_x", depth, 0), ("gradient_y", depth, 0),
        ("first_column", coordinate, 0), ("last_column", coordinate, 0),
        ("first_row", coordinate, 0), ("last_row", coordinate, 0),
        ("dbx", difference, 1), ("dby", difference, 1), ("dcx", difference, 1), ("dcy", difference, 1),
        ("edge_ab", area + 2, 1), ("edge_bc", area + 2, 1), ("edge_ca", area + 2, 1),
        ("steep", 1, 0), ("early", 1, 0), ("along", difference, 1), ("length", difference, 0),
        ("row", pixel, 0), ("rest", difference, 0),
    ]
%>\
module raster (
    input  wire clk, // clock
    input  wire rst, // synchronous; forgets all primitives and what begin said
% for stream in cfg.streams.values():
    // ${stream.doc}
${ports(stream_signals(stream), last=stream.name == "perf")}
% endfor
);

    localparam [1:0] PASSED = 2'd3;

    // Assembly
    wire free, start, vertex, taken, done, works;
    wire [1:0] start_kind, start_command;
    wire ${width(corner.width)} a, b, c;
    wire ${width(state.width)} state;
    wire ${width(window)} last_x, last_y;
    wire [15:0] prim;
    wire [1:0] kind, command;

    raster_assembly assembly (
        .clk(clk),
        .rst(rst),
${connect(stream_signals(vtx))}
        .vertex(vertex),
        .free(free),
        .done(taken & kind != PASSED),
        .start(start),
        .kind(start_kind),
        .command(start_command),
        .a(a),
        .b(b),
        .c(c),
        .state(state),
        .last_x(last_x),
        .last_y(last_y),
        .prim(prim)
    );

    // Set-up
    wire none;
% for name, bits, signed in prepared:
    wire ${"signed " if signed else ""}${width(bits) + " " if bits > 1 else ""}${name};
% endfor

    raster_setup setup (
        .clk(clk),
        .rst(rst),
        .free(free),
        .start(start),
        .in_kind(start_kind),
        .in_command(start_command),
        .in_a(a),
        .in_b(b),
        .in_c(c),
        .last_x(last_x),
        .last_y(last_y),
        .done(done),
        .taken(taken),
        .works(works),
        .kind(kind),
        .command(command),
        .none(none),
% for name, _, _ in prepared:
        .${name}(${name})${"," if name != prepared[-1][0] else ""}
% endfor
    );

    // Walk
    wire walking, looks, found, ends, ended, moves, gathers, fresh, passed;
    wire [1:0] walk_kind;
    wire [15:0] tile_mask;
    wire ${width(coordinate)} tile_x, tile_y;
    wire [31:0] first_value;
    wire [511:0] depths;
    ${unpack(state, "state", "now", ["format"])}

    assign taken = done & (!walking | (ends & moves));

    raster_walk walk (
        .clk(clk),
        .rst(rst),
        .load(taken),
        .in_kind(kind),
        .in_none(none),
        .in_format(now_format),
        .in_last_x(last_x),
        .in_last_y(last_y),
% for name, _, _ in prepared:
        .${name}(${name}),
% endfor
        .walking(walking),
        .ends(ends),
        .moves(moves),
        .kind(walk_kind),
        .looks(looks),
        .found(found),
        .ended(ended),
        .tile_x(tile_x),
        .tile_y(tile_y),
        .tile_mask(tile_mask),
        .first_value(first_value),
        .depths(depths),
        .gathers(gathers),
        .fresh(fresh)
    );

    raster_word word (
        .clk(clk),
        .rst(rst),
        .load(taken),
        .in_state(state),
        .in_prim(prim),
        .in_command(command),
        .in_x(ax),
        .in_y(ay),
        .kind(walk_kind),
        .found(found),
        .moves(moves),
        .tile_mask(tile_mask),
        .tile_x(tile_x),
        .tile_y(tile_y),
        .first_value(first_value),
        .depths(depths),
        .gathers(gathers),
        .fresh(fresh),
${connect(stream_signals(tile))}
        .passed(passed)
    );

    // Counters
    reg gave;                          // a word of the primitive was found

    always @(posedge clk) begin
        if (rst | (ended & moves))
            gave <= 1'b0;
        else if (found)
            gave <= 1'b1;
    end

    wire given = tile_valid & tile_ready & !passed;
    ${unpack(tile, "tile_data", "out", ["mask"])}

    function [4:0] ones(input [15:0] bits);
        integer n;
        begin
            ones = 5'd0;
            for (n = 0; n < 16; n = n + 1)
                ones = ones + {4'd0, bits[n]};
        end
    endfunction

    wire [4:0] pixels = given ? ones(out_mask) : 5'd0;
<%
    steps = {
        "vertices": "vertex", "primitives": "start & start_kind != PASSED",
        "empty": "ended & moves & !found & !gave", "tiles": "given", "pixels": "pixels",
        "visited": "moves & (looks | (found & !walk_kind[1]))", "setup_cycles": "works & kind != PASSED",
        "tile_wait_cycles": "tile_valid & !tile_ready",
    }
%>\
% for field in perf.fields:

    counter${" #(.STEP_BITS(5))" if field.name == "pixels" else ""} count_${field.name} (
        .clk(clk),
        .rst(rst),
        .step(${steps[field.name]}),
        .count(perf_data[${perf.offset(field.name) + 31}:${perf.offset(field.name)}])
    );
% endfor

endmodule
