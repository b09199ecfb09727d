// Sets a primitive up: what its walk begins with, and by how much that changes from pixel to pixel.
//
// Interface: a primitive or passed word comes with "start" while set-up is free; "done" is high from the last cycle of
// its set-up until it is handed on ("taken"). All outputs hold still while "done" is high.
// Timing: 2 cycles for a point and a passed word, 4 for a triangle of area 0 and a line with A = B; ${helpers.setup_cycles(cfg)} for the rest:
//   1 products of the area   2 line: x is made the major axis   3 area; B and C are exchanged if it is negative
//   4 to 9 products and differences for the dividers, then for two edges, one a cycle
//   8 to ${helpers.setup_cycles(cfg) - 2} divisions; each digit of a gradient goes into the depth at the first pixel two cycles later
<%
    from configs.raster.schema import PLACE_BITS
    corner = helpers.corner()
    difference, depth, area, size = helpers.DIFFERENCE_BITS, helpers.DEPTH_BITS, helpers.AREA_BITS, helpers.QUOTIENT_BITS
    last = helpers.setup_cycles(cfg)
    S = last.bit_length()  # bits of a step
    coordinate = cfg.coordinate_bits
    product = 33 + difference
%>\
module raster_setup (
    input  wire clk, // clock
    input  wire rst, // synchronous; forgets what is being set up
    // primitives
    output reg  free, // a primitive is taken
    input  wire start, // it comes
    input  wire [1:0] in_kind, // 0 point, 1 line, 2 triangle, 3 passed word
    input  wire [1:0] in_command, // of a passed word
    input  wire ${width(corner.width)} in_a, // corners: ${", ".join(f.name for f in corner.fields)}
    input  wire ${width(corner.width)} in_b, // of a line or triangle
    input  wire ${width(corner.width)} in_c, // of a triangle
    input  wire ${width(coordinate + 2)} last_x, // the window's last column of pixels
    input  wire ${width(coordinate + 2)} last_y, // its last row
    // what was set up
    output reg  done, // it may be handed on
    input  wire taken, // it is
    output wire works, // a cycle of its set-up, not one in which it waits for the walk
    output reg  [1:0] kind, // as above
    output reg  [1:0] command, // of a passed word
    output wire none, // there is nothing to walk
    output reg  signed ${width(PLACE_BITS)} ax, // A; of a line with its axes exchanged if y is the major one
    output reg  signed ${width(PLACE_BITS)} ay, // the other axis
    output reg  signed ${width(PLACE_BITS)} bx, // B, likewise
    output reg  signed ${width(PLACE_BITS)} by, // the other axis
    output wire signed ${width(depth)} first_depth, // v at the first pixel or the first tile's first one
    output wire ${width(depth)} gradient_x, // of v for 1/256 pixel; of a line along its major axis
    output wire ${width(depth)} gradient_y, // the same downwards
    // a triangle: tiles of its bounds; steps along its sides, and edge functions at the first tile
    output wire ${width(coordinate)} first_column, // of tiles
    output wire ${width(coordinate)} last_column, // of tiles
    output wire ${width(coordinate)} first_row, // of tiles
    output wire ${width(coordinate)} last_row, // of tiles
    output reg  signed ${width(difference)} dbx, // B - A, B and C exchanged if need be; of a line, of its axes
    output reg  signed ${width(difference)} dby, // the other axis
    output reg  signed ${width(difference)} dcx, // C - A
    output reg  signed ${width(difference)} dcy, // the other axis
    output reg  signed ${width(area + 2)} edge_ab, // at the first tile's first pixel
    output reg  signed ${width(area + 2)} edge_bc, // the second side
    output wire signed ${width(area + 2)} edge_ca, // the third
    // a line
    output reg  steep, // y is its major axis
    output wire early, // it begins with the column of rule 2
    output wire signed ${width(difference)} along, // t at the first column
    output wire ${width(difference)} length, // D
    output wire ${width(helpers.PIXEL_BITS)} row, // Y(X) of the first column
    output wire ${width(difference)} rest // (256 D Y(X) - numerator of Y(X)) / 256, rounded down
);

    localparam [1:0] LINE = 2'd1, TRIANGLE = 2'd2;
    localparam ${width(S)} LAST = ${S}'d${last};

    ${unpack(corner, "in_a", "a")}
    ${unpack(corner, "in_b", "b")}
    ${unpack(corner, "in_c", "c")}

    // Steps: in 0 it is free
    reg ${width(S)} step;
    reg waits;                         // for the walk
    reg divides;
    wire flat;                         // in step 3: A = B, or area 0

    wire second  = step == ${S}'d2;
    wire third   = step == ${S}'d3;
    wire fourth  = step == ${S}'d4;
    wire advance = !free & !done;

    assign works = !free & !waits;

    always @(posedge clk) begin
        waits   <= done & !taken & !rst;
        done    <= !taken & !rst & (done | step == LAST - 1'b1 | (step == ${S}'d1 & kind[0] == kind[1]) | (third & flat));
        divides <= step >= ${S}'d7 & step < LAST - ${S}'d2;
        if (rst | taken)
            {free, step} <= {1'b1, ${S}'d0};
        else if (start)
            {free, step} <= {1'b0, ${S}'d1};
        else if (advance)
            step <= step + 1'b1;
    end

    // Corners, differences, and what becomes of them in the first two steps
    reg [31:0] az;
    reg signed ${width(PLACE_BITS)} cx, cy;
    reg signed [32:0] dbz, dcz;
    wire none_x, none_y;
    wire signed ${width(product)} balance; // of two products, of the operands of two steps before
    wire ${width(difference)} length_x = dbx[${difference - 1}] ? -dbx : dbx;
    wire ${width(difference)} length_y = dby[${difference - 1}] ? -dby : dby;
    reg  higher;
    wire turns = second & kind == LINE & higher;
    wire flips = third & kind == TRIANGLE & balance[${product - 1}];

    assign flat = kind == LINE ? dbx == ${difference}'sd0 : balance == ${product}'sd0;

    always @(posedge clk) begin
        higher <= length_y > length_x;
        if (start) begin
            {kind, command, steep} <= {in_kind, in_command, 1'b0};
            {ax, ay, az, bx, by, cx, cy} <= {a_x, a_y, a_z, b_x, b_y, c_x, c_y};
            dbz <= {1'b0, b_z} - {1'b0, a_z};
            dcz <= {1'b0, c_z} - {1'b0, a_z};
% for name, axis in ("bx", "by", "cx", "cy"):
            d${name}${axis} <= {${name}_${axis}[${PLACE_BITS - 1}], ${name}_${axis}} - {a_${axis}[${PLACE_BITS - 1}], a_${axis}};
% endfor
        end else if (turns) begin
            steep <= 1'b1;
            {ax, ay, bx, by, dbx, dby} <= {ay, ax, by, bx, dby, dbx};
        end else if (third & kind == LINE) begin
            // A line has no C: to half a pixel, for its row
            dcx <= ${difference}'sd128 - {ay[${PLACE_BITS - 1}], ay};
        end else if (flips)
            {dbx, dby, dbz, dcx, dcy, dcz} <= {dcx, dcy, dcz, dbx, dby, dbz};
    end

    // The area, or a line's length
    reg signed ${width(area + 1)} measure;

    always @(posedge clk) begin
        if (third)
            measure <= kind == LINE ? {${area + 1 - difference}'d0, length_x} : balance[${area}:0];
        else if (fourth & measure[${area}])
            measure <= -measure;
    end

    assign length = measure[${difference - 1}:0];

    // Bounds, and from A to the first pixel: of the first tile, or along a line
% for axis, name in (("x", "column"), ("y", "row")):

    raster_bounds bounds_${axis} (
        .clk(clk),
        .a(a${axis}),
        .b(b${axis}),
        .c(c${axis}),
        .last_pixel(last_${axis}),
        .first_tile(first_${name}),
        .last_tile(last_${name}),
        .none(none_${axis})
    );
% endfor

    reg signed ${width(difference)} ox, oy;
    wire [7:0] to_centre = dbx[${difference - 1}] ? ax[7:0] : -ax[7:0];

    assign early  = to_centre > 8'd128;
    assign along  = {{${difference - 8}{early}}, to_centre};
    // In step 4 nothing but what is flat is done
    assign none   = fourth | (kind == TRIANGLE ? none_x | none_y : kind == LINE & !early & length <= {${difference - 8}'d0, to_centre});

    always @(posedge clk) begin
        if (third) begin
            ox <= kind == LINE ? along : {${difference - coordinate - 10}'d0, first_column, 10'd0} - {ax[${PLACE_BITS - 1}], ax};
            oy <= kind == LINE ? ${difference}'sd0 : {${difference - coordinate - 10}'d0, first_row, 10'd0} - {ay[${PLACE_BITS - 1}], ay};
        end
    end

    // Products, two in a cycle, of one another's difference
<%
    wide = lambda name: f"{{{{{33 - difference}{{{name}[{difference - 1}]}}}}, {name}}}"
    places = {"dbx", "dby", "dcx", "dcy"}
    operands = [
        ("area", "dbx", "dcy", "dby", "dcx"),
        ("row", "dcx", "length", "dby", "ox"),
        ("gradient_x", "dbz", "dcy", "dcz", "dby"),
        ("gradient_y", "dcz", "dbx", "dbz", "dcx"),
        ("side_ab", "dbx", "oy", "dby", "ox"),
        ("side_ac", "dcx", "oy", "dcy", "ox"),
    ]
%>\
% for number, (name, *_) in enumerate(operands):
    localparam [2:0] ${name.upper()} = 3'd${number};
% endfor

    reg [2:0] factors;                 // which, chosen a step ahead
    reg signed [32:0] left0, left1;
    reg signed ${width(difference)} right0, right1;

    always @(posedge clk) begin
        case (step)
            ${S}'d3: factors <= GRADIENT_X;
            ${S}'d4: factors <= kind == LINE ? ROW : GRADIENT_Y;
            ${S}'d5: factors <= SIDE_AB;
            ${S}'d6: factors <= SIDE_AC;
            default: factors <= AREA;
        endcase
    end

    always @* begin
        case (factors)
% for name, l0, r0, l1, r1 in operands[1:] + operands[:1]:
            ${"default" if name == "area" else name.upper()}:
                {left0, right0, left1, right1} = {${", ".join([wide(l0) if l0 in places else l0, r0, wide(l1) if l1 in places else l1, r1])}};
% endfor
        endcase
    end

    raster_products products (
        .clk(clk),
        .step(advance),
        .left0(left0),
        .right0(right0),
        .left1(left1),
        .right1(right1),
        .balance(balance)
    );

    // Edge functions: they add up to the area
    reg signed ${width(area + 2)} edge_ac;

    assign edge_ca = -edge_ac;

    always @(posedge clk) begin
        if (step == ${S}'d8)
            edge_ab <= balance[${area + 1}:0];
        if (step == ${S}'d9)
            edge_ac <= balance[${area + 1}:0];
        edge_bc <= {1'b0, measure} - edge_ab + edge_ac;
    end

    // Gradients and depth; a line has its row from the second quotient
    wire ${width(area)} rest_y;
    wire signed ${width(depth)} balance_wide = {{${depth - product}{balance[${product - 1}]}}, balance};
    wire signed ${width(depth)} dbz_wide = {{${depth - 33}{dbz[32]}}, dbz};

    raster_plane plane (
        .clk(clk),
        .load_x(step == ${S}'d6),
        .dividend_x({kind == LINE ? dbz_wide : balance_wide, 24'd0}),
        .load_y(step == ${S}'d7),
        .dividend_y(kind == LINE ? {{${size - product + 8}{balance[${product - 1}]}}, balance[${product - 1}:8]} : {balance_wide, 24'd0}),
        .step(divides),
        .divisor(measure[${area - 1}:0]),
        .ox(ox),
        .oy(oy),
        .z(az),
        .still(second),
        .gradient_x(gradient_x),
        .gradient_y(gradient_y),
        .rest_y(rest_y),
        .first_depth(first_depth)
    );

    assign row  = -gradient_y[${helpers.PIXEL_BITS - 1}:0];
    assign rest = rest_y[${difference - 1}:0];

    wire unused = &{1'b0, rest_y[${area - 1}:${difference}]};

endmodule
