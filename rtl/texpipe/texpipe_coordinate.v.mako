// Texture Coordinate Evaluation: which texels of the mip each valid pixel of a quad needs, with their weights.
//
// Interface: valid/ready. A quad is taken as the last pixel of the one before begins; its valid pixels follow one by
// one. A quad with no valid pixel becomes one pixel marked "none". Timing: a pixel in each cycle; the first is offered
// four cycles after its quad was taken.
//
// Bilinear: coordinates in 1/256 texel, ${"rounded to nearest, ties to even" if cfg.rounding == "nearest" else "truncated"}, less half a texel; the texel is
// the integer part, the weight the fraction. Wrapping acts on each texel's place (OpenGL ES 3.0, section 3.8.9).
% if cfg.trilinear:
//
// A pixel of a level with a fraction follows twice, on the level and on the next one. That mip lies before its own, so
// it begins as many tiles earlier as it has.
% endif
<%
    prim, quad, pixel = helpers.stream(cfg, "prim"), helpers.levelled(cfg), helpers.pixel(cfg)
    bits, n = cfg.max_log2, helpers.PRIM_BITS
    levels = (("more", 1), ("fraction", 8)) if cfg.trilinear else ()
    along = (("number", 2), ("last", 1), ("none", 1), *levels, ("prim", n), ("offset", 18), ("mip_w", 4), ("mip_h", 4), ("modes", 4), ("bilinear", 1))
    wide = sum(size for _, size in along)
    now = {"prim": "number_of_prim", "none": "empty"}
    if cfg.trilinear:
        now |= {"offset": "level_offset", "mip_w": "level_w", "mip_h": "level_h", "fraction": "level_fraction"}
    third = {name: f"{name}3" for name, _ in along if name in [f.name for f in pixel.fields]}
    def of(field, number):
        return f"prims[{number} * PRIM + {prim.offset(field)} +: {prim.field(field).width}]"
%>\
module texpipe_coordinate (
    input  wire clk, // clock
    input  wire rst, // synchronous
    input  wire ${width(helpers.PRIMS * prim.width)} prims, // primitives by number
    // quads with their level
    input  wire in_valid, // a quad is offered
    output wire in_ready, // it is taken
    input  wire ${width(quad.width)} in_quad, // fields as in texpipe_lod
    // pixels
    output wire out_valid, // a pixel is offered
    input  wire out_ready, // it is taken
    output wire ${width(pixel.width)} out_pixel // ${", ".join(f.name for f in pixel.fields)}
);

    localparam PRIM = ${prim.width};

    // The quad that is here, and the size of its mip
    ${unpack(quad, "in_quad", "given", ["prim", "valid", "lod", "offset", "fraction"])}
    reg  [3:0]   left;               // pixels not yet begun
    reg          empty;              // no valid pixel, not yet begun
    reg  [255:0] uv;
    reg  ${width(n)} number_of_prim;
    reg  [17:0]  offset;
    reg  [3:0]   mip_w, mip_h, modes;
    reg          bilinear;

    wire go;                         // the pipeline of pixels moves
    wire [1:0] number = left[0] ? 2'd0 : left[1] ? 2'd1 : left[2] ? 2'd2 : 2'd3;
    wire [3:0] others = left & ~(4'd1 << number);
    wire begins = left != 4'd0 | empty;
% if cfg.trilinear:
    reg  [7:0] fraction;
    reg        second;               // of this pixel the level is done, the next one follows
    wire more   = fraction != 8'd0 & left != 4'd0 & !second;
    wire last   = others == 4'd0 & !more;
% else:
    wire last   = others == 4'd0;
% endif

    assign in_ready = !begins | (go & last);
    wire take = in_valid & in_ready;

    function [3:0] smaller(input [3:0] log2, input [3:0] level);
        smaller = log2 > level ? log2 - level : 4'd0;
    endfunction

    always @(posedge clk) begin
        if (rst) begin
            left  <= 4'd0;
            empty <= 1'b0;
        end else if (take) begin
            left  <= given_valid;
            empty <= given_valid == 4'd0;
        end else if (go) begin
            left  <= ${"more ? left : others" if cfg.trilinear else "others"};
            empty <= 1'b0;
        end
    end
% if cfg.trilinear:

    always @(posedge clk) begin
        if (rst | take)
            second <= 1'b0;
        else if (go)
            second <= more;
        if (take)
            fraction <= given_fraction;
    end
% endif

    always @(posedge clk) begin
        if (take) begin
            uv             <= in_quad[${quad.offset("u0") + 255}:${quad.offset("u0")}];
            number_of_prim <= given_prim;
            offset         <= given_offset;
            mip_w          <= smaller(${of("log2w", "given_prim")}, given_lod);
            mip_h          <= smaller(${of("log2h", "given_prim")}, given_lod);
            modes          <= {${of("mode_v", "given_prim")}, ${of("mode_u", "given_prim")}};
            bilinear       <= ${of("bilinear", "given_prim")};
        end
    end

% if cfg.trilinear:
    // The mip of this beat
    function [3:0] tiles_of(input [3:0] log2);
        tiles_of = log2 > 4'd2 ? log2 - 4'd2 : 4'd0;
    endfunction

    wire [3:0]  next_w = smaller(mip_w, 4'd1);
    wire [3:0]  next_h = smaller(mip_h, 4'd1);
    wire [4:0]  next_tiles  = {1'b0, tiles_of(next_w)} + {1'b0, tiles_of(next_h)};
    wire [17:0] next_offset = offset - (18'd1 << next_tiles);
    wire [3:0]  level_w = second ? next_w : mip_w;
    wire [3:0]  level_h = second ? next_h : mip_h;
    wire [17:0] level_offset   = second ? next_offset : offset;
    wire [7:0]  level_fraction = second ? fraction : 8'd0;

% endif
    // Cycle 1: scaled by the size of the mip. Cycle 2: in 1/256 texel, or whole texels. Cycle 3: wrapped.
    reg  valid1, valid2, valid3;
    reg  ${width(wide)} along1, along2, along3;
    wire ${width(wide)} along = {${", ".join(now.get(name, name) for name, _ in reversed(along))}};
% for stage in (2, 3):
<%
    low = 0
%>\
% for name, size in along:
% if stage == 3 and name not in ("modes", "bilinear", "mip_h") or name in ("modes", "mip_w", "mip_h", "bilinear") and stage == 2:
    wire ${width(size)} ${name}${stage} = along${stage}[${low + size - 1}:${low}];
% endif
<%
    low += size
%>\
% endfor
% endfor

    assign go = !valid3 | out_ready;
    assign out_valid = valid3;

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
            along1 <= along;
            along2 <= along1;
            along3 <= along2;
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
% for axis, mip, size, mode in (("u", "mip_w", "x", "modes2[1:0]"), ("v", "mip_h", "y", "modes2[3:2]")):
<%
    at = 32 * (axis == "v")
%>\

    wire signed [31:0] ${axis} = uv[{number, 6'd${at}} +: 32];
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
    wire signed [36:0] place_${axis} = bilinear2 ? {{8{fine_${axis}[36]}}, fine_${axis}[36:8]} : whole_${axis};

    always @(posedge clk) begin
        if (go) begin
            scaled_${axis} <= {{12{${axis}[31]}}, ${axis}} <<< ${now.get(mip, mip)};
            fine_${axis}   <= {scaled_${axis}[43], scaled_${axis}[43:8]} + {36'd0, round_${axis}} - 37'd128;
            whole_${axis}  <= {{9{scaled_${axis}[43]}}, scaled_${axis}[43:16]};
            ${size}0       <= wrapped(place_${axis}, ${mip}2, ${mode});
            ${size}1       <= wrapped(place_${axis} + 37'sd1, ${mip}2, ${mode});
            weight_${axis} <= bilinear2 ? fine_${axis}[7:0] : 8'd0; // none: the filter gives the first texel
        end
    end
% endfor

    wire [3:0] tiles = mip_w3 > 4'd2 ? mip_w3 - 4'd2 : 4'd0;

    assign out_pixel = ${pack(pixel, values={f.name: third.get(f.name, f.name) for f in pixel.fields})};

    wire unused = &{1'b0, prims, along3[${wide - 1}:${wide - 9}]${", scaled_u[7:0], scaled_v[7:0]" if cfg.rounding == "down" else ""}};

endmodule
