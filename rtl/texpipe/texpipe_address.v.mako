// Calculate Texel Address: the lines that a pixel's texels are in, each once, by bank of the cache.
//
// Interface: valid/ready. Timing: a pixel in each cycle; its lines are offered three cycles after it was taken.
//
// Texels lie in tiles of 4 x 4, a tile in four lines (RGBA8: a row each), in three (RGB8: a row has 12 bytes), or in
// one (tabled). Half of the banks holds the tile columns with an even number, half those with an odd one; in it a
// line's bank is
//   RGBA8    the row in the tile
//   RGB8     the line of the tile and the tile's row, added: of four texels at most three lines are in one tile,
//            and where the texels are in two tile rows they are in the last line of one and the first of the other
//   tabled   the parity of the tile's row, and another bit of its column
// so that two lines of a pixel are never in one bank, in textures of any size, around any edge.
<%
    prim, pixel, sample = helpers.stream(cfg, "prim"), helpers.pixel(cfg), helpers.sample(cfg)
    asked, n, bits, line = helpers.lookups(cfg), helpers.PRIM_BITS, cfg.max_log2, cfg.cache.line_bits
    slot = cfg.slot_bits
    banks, corners, tile = range(helpers.BANKS), [(i, j) for i in range(2) for j in range(2)], 19
    def of(field, number):
        return f"prims[{number} * PRIM + {prim.offset(field)} +: {prim.field(field).width}]"
%>\
module texpipe_address (
    input  wire clk, // clock
    input  wire rst, // synchronous
    input  wire ${width(helpers.PRIMS * prim.width)} prims, // primitives by number
    input  wire ${width(helpers.PRIMS * slot)} slots, // of their colour tables
    // pixels
    input  wire in_valid, // a pixel is offered
    output wire in_ready, // it is taken
    input  wire ${width(pixel.width)} in_pixel, // fields as in texpipe_coordinate
    // their lines
    output wire out_valid, // a pixel's lines are offered
    input  wire out_ready, // they are taken
    output wire ${width(asked.width)} out_lines, // by bank: is one asked for, and which
    output wire ${width(sample.width)} out_sample, // ${", ".join(f.name for f in sample.fields)}
    output wire found, // the last lines of a quad are taken
    output wire ${width(n)} found_prim // the number of its primitive
);

    localparam PRIM = ${prim.width};

    ${unpack(pixel, "in_pixel", "in")}

    reg  valid1, valid2, valid3;
    wire go = !valid3 | out_ready;
    assign in_ready  = go;
    assign out_valid = valid3;

    always @(posedge clk) begin
        if (rst) begin
            valid1 <= 1'b0;
            valid2 <= 1'b0;
            valid3 <= 1'b0;
        end else if (go) begin
            valid1 <= in_valid;
            valid2 <= valid1;
            valid3 <= valid2;
        end
    end

    // What goes with the pixel
    reg  ${width(sample.width - 2 - slot)} passing1, passing2, passing3;
    reg  [1:0] format2, format3;
    reg  ${width(slot)} slot2, slot3;
    reg        bilinear2;
    reg  ${width(n)} prim1, prim2, prim3;

    always @(posedge clk) begin
        if (go) begin
            passing1  <= {${"in_fraction, in_more, " if cfg.trilinear else ""}in_none, in_last, in_number, in_weight_v, in_weight_u, in_y1[3:0], in_x1[3:0], in_y0[3:0], in_x0[3:0]};
            passing2  <= passing1;
            passing3  <= passing2;
            prim1     <= in_prim;
            prim2     <= prim1;
            prim3     <= prim2;
            format2   <= ${of("format", "prim1")};
            format3   <= format2;
            slot2     <= slots[prim1 * ${slot} +: ${slot}];
            slot3     <= slot2;
            bilinear2 <= ${of("bilinear", "prim1")};
        end
    end

    assign out_sample = {slot3, format3, passing3};
    assign found      = valid3 & out_ready & passing3[${sample.offset("last")}];
    assign found_prim = prim3;

    // Cycle 1: the number of each texel's tile from the start of the mips. Cycle 2: its first line.
    wire [1:0] format1     = ${of("format", "prim1")};
    wire [6:0] table_lines = format1 == 2'd2 ? 7'd64 : format1 == 2'd3 ? 7'd48 : 7'd0;
    wire ${width(line)} start = ${of("base", "prim1")} + {${line - 7}'d0, table_lines};

    function ${width(line)} first_line(input ${width(tile)} number, input ${width(line)} from, input [1:0] kind);
        case (kind)
            2'd0:    first_line = from + {${line - tile - 2}'d0, number, 2'd0};
            2'd1:    first_line = from + {${line - tile - 1}'d0, number, 1'b0} + {${line - tile}'d0, number};
            default: first_line = from + {${line - tile}'d0, number};
        endcase
    endfunction
% for i, j in corners:

    reg  ${width(tile)} tile${i}${j};
    reg  ${width(line)} line${i}${j};

    always @(posedge clk) begin
        if (go) begin
            tile${i}${j} <= {1'b0, in_offset} + ({${tile - bits + 2}'d0, in_y${j}[${bits - 1}:2]} << in_tiles) + {${tile - bits + 2}'d0, in_x${i}[${bits - 1}:2]};
            line${i}${j} <= first_line(tile${i}${j}, start, format1);
        end
    end
% endfor

    // Cycle 3: the lines by bank
% for index, name in enumerate(("x0", "y0", "x1", "y1")):
    wire [3:0] ${name} = passing2[${4 * index + 3}:${4 * index}];
% endfor
    wire none = passing2[${sample.offset("none")}];
    wire [1:0] columns = {bilinear2 & !none, !none}; // texels that count
    wire second_row    = bilinear2;

    // RGB8: the lines of its tile that a texel is in
    function [2:0] touched(input [1:0] row, input [1:0] column);
        case ({row, column})
% for row in range(4):
% for column in range(4):
<%
    first, final = (12 * row + 3 * column) // 16, (12 * row + 3 * column + 2) // 16
%>\
            4'd${4 * row + column}: touched = 3'b${format(1 << first | 1 << final, "03b")};
% endfor
% endfor
        endcase
    endfunction
% for i, j in corners:
    wire [3:0] touched${i}${j} = {1'b0, touched(y${j}[1:0], x${i}[1:0])};
% endfor
% for j in range(2):
% for p in range(2):
    wire [3:0] row${j}_half${p} = ({4{columns[0] & x0[2] == 1'b${p}}} & touched0${j}) | ({4{columns[1] & x1[2] == 1'b${p}}} & touched1${j});
% endfor
% endfor
% for b in banks:
<%
    p, q = b >> 2, b & 3
%>\

    // Bank ${b}
    wire       left${b}  = columns[0] & x0[2] == 1'b${p};
    wire       right${b} = columns[1] & x1[2] == 1'b${p};
    wire [1:0] upper_place${b} = 2'd${q} - y0[3:2];
    wire [1:0] lower_place${b} = 2'd${q} - y1[3:2];
    wire       tabled_upper${b} = y0[2] == 1'b${q >> 1};
    wire       tabled_lower${b} = second_row & y1[2] == 1'b${q >> 1};
    wire       tabled_column${b} = (left${b} & x0[3] == 1'b${q & 1}) | (right${b} & x1[3] == 1'b${q & 1});
    wire       upper${b} = format2 == 2'd0 ? y0[1:0] == 2'd${q} :
                       format2 == 2'd1 ? row0_half${p}[upper_place${b}] : tabled_upper${b};
    wire       lower${b} = format2 == 2'd0 ? second_row & y1[1:0] == 2'd${q} :
                       format2 == 2'd1 ? second_row & row1_half${p}[lower_place${b}] : tabled_lower${b};
    wire       used${b}  = (upper${b} | lower${b}) & (format2[1] ? tabled_column${b} : left${b} | right${b});
    wire [1:0] place${b} = format2 == 2'd0 ? 2'd${q} : format2 == 2'd1 ? (upper${b} ? upper_place${b} : lower_place${b}) : 2'd0;
    wire ${width(line)} tile_line${b} = left${b} ? (upper${b} ? line00 : line01) : (upper${b} ? line10 : line11);
    reg        valid_${b};
    reg  ${width(line)} line_${b};

    always @(posedge clk) begin
        if (go) begin
            valid_${b} <= used${b};
            line_${b}  <= tile_line${b} + {${line - 2}'d0, place${b}};
        end
    end
% endfor

    assign out_lines = ${pack(asked, values={f.name: f.name[:-1] + "_" + f.name[-1] for f in asked.fields})};

    wire unused = &{1'b0, prims};

endmodule
