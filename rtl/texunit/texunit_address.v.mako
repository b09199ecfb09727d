// Calculate Texel Address: the byte addresses of a pixel's texels, which lie in tiles of 4 x 4.
//
// Interface: valid/ready; holds one pixel. Timing: two cycles.
<%
    pixel, texels = helpers.pixel(cfg), helpers.texels(cfg)
    prim = helpers.stream(cfg, "prim")
    a, bits = cfg.cache.address_bits, cfg.max_log2
    tile = 19       # bits of a tile's number from the start of the mips
    corners = (("x0", "y0"), ("x1", "y0"), ("x0", "y1"), ("x1", "y1"))
%>\
module texunit_address (
    input  wire clk, // clock
    input  wire rst, // synchronous
    // the primitive
    input  wire ${width(cfg.cache.line_bits)} base, // line address of colour table or mips
    input  wire [1:0] format, // 0 RGBA8, 1 RGB8, 2 and 3 the same through a table
    // pixels
    input  wire in_valid, // a pixel is offered
    output wire in_ready, // it is taken
    input  wire ${width(pixel.width)} in_pixel, // fields as in texunit_coordinate
    // their texels' addresses
    output wire out_valid, // addresses are offered
    input  wire out_ready, // they are taken
    output wire ${width(texels.width)} out_texels // ${", ".join(f.name for f in texels.fields)}
);

    reg valid1, valid2;

    assign out_valid = valid2;
    assign in_ready  = !(valid1 | valid2) | (out_valid & out_ready);
    wire take = in_valid & in_ready;

    always @(posedge clk) begin
        if (rst) begin
            valid1 <= 1'b0;
            valid2 <= 1'b0;
        end else begin
            valid1 <= take;
            valid2 <= valid1 | (valid2 & !out_ready);
        end
    end

    ${unpack(pixel, "in_pixel")}

    // Cycle 1: the texel's number from the start of the mips. Cycle 2: its address.
    wire [10:0] table_bytes = format == 2'd2 ? 11'd1024 : format == 2'd3 ? 11'd768 : 11'd0;
    wire ${width(a)} start = {base, 4'd0} + {${a - 11}'d0, table_bytes};
    reg [19:0] passing, passed;      // the other fields

    always @(posedge clk) begin
        if (take)
            passing <= ${pack(helpers.passing(), indent=12)};
        if (valid1)
            passed <= passing;
    end

    function ${width(tile + 4)} texel_number(
        input ${width(bits)} x, input ${width(bits)} y, input [17:0] offset, input [3:0] tiles);
        texel_number = {{1'b0, offset} + ({${tile - bits + 2}'d0, y[${bits - 1}:2]} << tiles) + {${tile - bits + 2}'d0, x[${bits - 1}:2]},
                        y[1:0], x[1:0]};
    endfunction

    function ${width(a)} address(input ${width(tile + 4)} number, input ${width(a)} from, input [1:0] kind);
        case (kind)
            2'd0:    address = from + {${a - tile - 6}'d0, number, 2'd0};
            2'd1:    address = from + {${a - tile - 5}'d0, number, 1'b0} + {${a - tile - 4}'d0, number};
            default: address = from + {${a - tile - 4}'d0, number};
        endcase
    endfunction
% for i, (x, y) in enumerate(corners):

    reg ${width(tile + 4)} number${i};
    reg ${width(a)} address${i};

    always @(posedge clk) begin
        if (take)
            number${i} <= texel_number(pixel_${x}, pixel_${y}, pixel_offset, pixel_tiles);
        if (valid1)
            address${i} <= address(number${i}, start, format);
    end
% endfor

    assign out_texels = {passed, address3, address2, address1, address0};

endmodule
