// Texture Coordinate Evaluation: which texels of the mip each valid pixel of a quad needs, with their weights.
//
// Interface: valid/ready; holds one quad, hands its valid pixels on one by one. A quad with no valid pixel is
// handed on as one pixel marked "none". Timing: the first pixel is offered six cycles after its quad was taken
// (two of them for the ROM), the others follow as fast as they are taken.
//
// Bilinear: coordinates in 1/256 texel, ${"rounded to nearest, ties to even" if cfg.rounding == "nearest" else "truncated"}, less half a texel; the texel is
// the integer part, the weight the fraction. Wrapping acts on each texel's place (OpenGL ES 3.0, section 3.8.9).
<%
    pixel = helpers.pixel(cfg)
    bits = cfg.max_log2
%>\
module texunit_coordinate (
    input  wire clk, // clock
    input  wire rst, // synchronous
    // the primitive
    input  wire [3:0] log2w, // log2 of the width of level 0
    input  wire [3:0] log2h, // log2 of its height
    input  wire [1:0] mode_u,        // 0 wrap, 1 clamp, 2 mirror
    input  wire [1:0] mode_v, // the same for rows
    input  wire bilinear, // four texels a pixel, else the nearest one
    // quads with their level
    input  wire in_valid, // a quad is offered
    output wire in_ready, // it is taken
    input  wire [3:0] in_pixels, // its valid pixels
    input  wire [255:0] in_uv, // its coordinates, 16 fraction bits
    input  wire [3:0] in_lod, // its level
    // pixels
    output wire out_valid, // a pixel is offered
    input  wire out_ready, // it is taken
    output wire ${width(pixel.width)} out_pixel // ${", ".join(f.name for f in pixel.fields)}
);

    reg        busy;
    reg [1:0]  rom_step;             // the ROM is being read
    reg [3:0]  left;                 // pixels not yet begun
    reg        empty;                // no valid pixel, not yet begun
    reg [3:0]  lod;
    reg [255:0] uv;

    wire go;                         // the pipeline of pixels moves
    wire last_leaves;                // the quad's last pixel is handed on
    assign in_ready = !busy | last_leaves;
    wire take = in_valid & in_ready;

    // The next pixel
    wire [1:0] number = left[0] ? 2'd0 : left[1] ? 2'd1 : left[2] ? 2'd2 : 2'd3;
    wire [3:0] first  = 4'd1 << number;
    wire begins = (left != 4'd0 | empty) & rom_step == 2'd0;

    always @(posedge clk) begin
        if (rst) begin
            busy     <= 1'b0;
            rom_step <= 2'd0;
            left     <= 4'd0;
            empty    <= 1'b0;
        end else if (take) begin
            busy     <= 1'b1;
            rom_step <= 2'd2;
            left     <= in_pixels;
            empty    <= in_pixels == 4'd0;
        end else begin
            if (last_leaves)
                busy <= 1'b0;
            if (rom_step != 2'd0)
                rom_step <= rom_step - 1'b1;
            if (begins & go) begin
                left  <= left & ~first;
                empty <= 1'b0;
            end
        end
    end

    always @(posedge clk) begin
        if (take) begin
            lod <= in_lod;
            uv  <= in_uv;
        end
    end

    // The mip: its size and where it begins
    function [3:0] smaller(input [3:0] log2, input [3:0] level);
        smaller = log2 > level ? log2 - level : 4'd0;
    endfunction

    reg  [3:0] mip_w, mip_h;
    wire [17:0] offset;

    always @(posedge clk) begin
        mip_w <= smaller(log2w, lod);
        mip_h <= smaller(log2h, lod);
    end

    mip_rom rom (
        .clk(clk),
        .read(rom_step == 2'd2),
        .index({log2w, log2h, lod}),
        .offset(offset)
    );

    // Cycle 1: scaled by the size of the mip. Cycle 2: in 1/256 texel, or whole texels. Cycle 3: wrapped.
    reg valid1, valid2, valid3, last1, last2, last3, none1, none2, none3;
    reg [1:0] number1, number2, number3;

    assign go = !valid3 | out_ready;
    assign out_valid = valid3;
    assign last_leaves = out_valid & out_ready & last3;

    always @(posedge clk) begin
        if (rst) begin
            valid1 <= 1'b0;
            valid2 <= 1'b0;
            valid3 <= 1'b0;
        end else if (go) begin
            valid1 <= begins;
            valid2 <= valid1;
            valid3 <= valid2;
        end
    end

    always @(posedge clk) begin
        if (go) begin
            {number1, last1, none1} <= {number, (left & ~first) == 4'd0, empty};
            {number2, last2, none2} <= {number1, last1, none1};
            {number3, last3, none3} <= {number2, last2, none2};
        end
    end

    // A texel's place in a mip of side 2 ** log2
    function ${width(bits)} wrapped(input signed [36:0] place, input [3:0] log2, input [1:0] mode);
        reg [${bits}:0] mask;
        begin
            mask = (${bits + 1}'d1 << log2) - 1'b1;
            case (mode)
                2'd0:    wrapped = place[${bits - 1}:0] & mask[${bits - 1}:0];
                2'd1:    wrapped = place[36] ? ${bits}'d0 :
                                   place > $signed({${36 - bits}'d0, mask}) ? mask[${bits - 1}:0] : place[${bits - 1}:0];
                default: wrapped = (|(place[${bits}:0] & (mask + 1'b1)) ? ~place[${bits - 1}:0] : place[${bits - 1}:0]) & mask[${bits - 1}:0];
            endcase
        end
    endfunction
    ${unpack(helpers.corners(), "uv", "corner")}
% for axis, mip, size in (("u", "mip_w", "x"), ("v", "mip_h", "y")):

    wire signed [31:0] ${axis} =
        number == 2'd0 ? corner_${axis}0 :
        number == 2'd1 ? corner_${axis}1 :
        number == 2'd2 ? corner_${axis}2 : corner_${axis}3;
    reg signed [43:0] scaled_${axis};        // 16 fraction bits
    reg signed [36:0] fine_${axis};          // bilinear: 8 fraction bits
    reg signed [36:0] whole_${axis};
    reg ${width(bits)} ${size}0, ${size}1;
    reg [7:0] weight_${axis};

% if cfg.rounding == "nearest":
    wire round_${axis} = scaled_${axis}[7] & (scaled_${axis}[8] | scaled_${axis}[6:0] != 7'd0);
% else:
    wire round_${axis} = 1'b0;
% endif
    wire signed [36:0] place_${axis} = bilinear ? {{8{fine_${axis}[36]}}, fine_${axis}[36:8]} : whole_${axis};

    always @(posedge clk) begin
        if (go) begin
            scaled_${axis} <= {{12{${axis}[31]}}, ${axis}} <<< ${mip};
            fine_${axis}   <= {scaled_${axis}[43], scaled_${axis}[43:8]} + {36'd0, round_${axis}} - 37'd128;
            whole_${axis}  <= {{9{scaled_${axis}[43]}}, scaled_${axis}[43:16]};
            ${size}0       <= wrapped(place_${axis}, ${mip}, mode_${axis});
            ${size}1       <= wrapped(place_${axis} + 37'sd1, ${mip}, mode_${axis});
            weight_${axis} <= fine_${axis}[7:0];
        end
    end
% endfor

    wire [3:0] tiles = mip_w > 4'd2 ? mip_w - 4'd2 : 4'd0;

    assign out_pixel = ${pack(pixel, values={f.name: {"number": "number3", "last": "last3", "none": "none3"}.get(f.name, f.name) for f in pixel.fields})};
% if cfg.rounding == "down":

    wire unused = &{1'b0, scaled_u[7:0], scaled_v[7:0]};
% endif

endmodule
