// Address circuit: the texel addresses of a footprint, and which look-ups it needs.
//
// Combinational. Coordinates are wrapped one by one (OpenGL ES 3: repeat, clamp to edge, mirrored repeat), then
% if cfg.parity:
// placed by the layout (${cfg.layout}). Each line needs one look-up. Neighbouring lines differ in the parity of
// their row or column, so that those of a footprint lie in different single-port caches.
% else:
// placed by the layout (${cfg.layout}). A row whose two texels share a line needs one look-up, else two.
% endif
// Texels are in look-up order: left of row 0, left of row 1, right of row 0, right of row 1.
<%
    c, k = cfg.coordinate_bits, cfg.levels - 1
    t = cfg.texel_bits
    corners = [(x, y) for x in ("x_left", "x_right") for y in ("y_upper", "y_lower")]
    chosen = helpers.side_bits(cfg) if cfg.parity else []
    def bits_of(x, y):
        return "{" + ", ".join(f"{x if name == 'x' else y}[{index}]" for name, index in reversed(chosen)) + "}"
%>\
module texcache_address (
    input  wire ${width(cfg.cache.line_bits)} base,     // line address of the level
    input  wire ${width(cfg.level_bits)}  level,    // mip level
    input  wire [1:0]  mode_u,   // 0 repeat, 1 clamp to edge, 2 mirrored repeat (3 acts as 0)
    input  wire [1:0]  mode_v, // the same for rows
    input  wire signed ${width(c)} u,   // upper left texel before wrapping
    input  wire signed ${width(c)} v, // its row
    output wire ${width(4 * t)} address,  // texel addresses in look-up order
% if cfg.parity:
    output wire [3:0]  side,     // half of the single-port caches in which each texel's line is
% else:
    output wire        small_level,    // the level lives in the last bank only
% endif
    output wire [3:0]  need      // look-ups needed, in look-up order
);

    // All ones up to the level's side; the side itself is the next bit.
    wire ${width(k)} mask = ${k}'d${cfg.max_side - 1} >> level;

    function ${width(k)} wrap(
        input [1:0] mode,
        input signed ${width(c + 1)} coordinate,
        input ${width(k)} side_mask
    );
        reg odd; // which side of the mirror: the bit above the mask
        begin
            odd = |(coordinate[${k}:0] & ({side_mask, 1'b1} ^ {1'b0, side_mask}));
            if (mode == 2'd1)
                wrap = coordinate[${c}] ? ${k}'d0 :
                       |(coordinate[${c - 1}:0] & ~{${c - k}'d0, side_mask}) ? side_mask : coordinate[${k - 1}:0];
            else if (mode == 2'd2 & odd)
                wrap = ~coordinate[${k - 1}:0] & side_mask;
            else
                wrap = coordinate[${k - 1}:0] & side_mask;
        end
    endfunction

    wire signed ${width(c + 1)} u_left  = {u[${c - 1}], u};
    wire signed ${width(c + 1)} v_upper = {v[${c - 1}], v};

    wire ${width(k)} x_left  = wrap(mode_u, u_left, mask);
    wire ${width(k)} x_right = wrap(mode_u, u_left + 1'b1, mask);
    wire ${width(k)} y_upper = wrap(mode_v, v_upper, mask);
    wire ${width(k)} y_lower = wrap(mode_v, v_upper + 1'b1, mask);

    // Offset of a texel in its level: a permutation of the coordinates' bits that depends on the level's side.
    function ${width(2 * k)} offset(
        input ${width(cfg.level_bits)} of_level,
        input ${width(k)} x,
        input ${width(k)} y
    );
        case (of_level)
% for level in range(cfg.levels - 1):
            ${cfg.level_bits}'d${level}: offset = ${helpers.concat(helpers.layout_bits(cfg.layout, k - level), 2 * k)};
% endfor
            default: offset = ${2 * k}'d0; // 1 x 1
        endcase
    endfunction

    wire ${width(t)} origin = {base, ${cfg.place_bits}'d0};
    wire ${width(t)} left_upper, left_lower, right_upper, right_lower;
    assign left_upper  = origin + {${t - 2 * k}'d0, offset(level, x_left,  y_upper)};
    assign left_lower  = origin + {${t - 2 * k}'d0, offset(level, x_left,  y_lower)};
    assign right_upper = origin + {${t - 2 * k}'d0, offset(level, x_right, y_upper)};
    assign right_lower = origin + {${t - 2 * k}'d0, offset(level, x_right, y_lower)};

    assign address = {right_lower, right_upper, left_lower, left_upper};
% if cfg.parity:

% if chosen:
    // Parity of a line's row or column, of the one that the lowest bit of its address does not tell
    function half(
        input ${width(cfg.level_bits)} of_level,
        input ${width(len(chosen))} bits // ${", ".join(f"{name}[{index}]" for name, index in chosen)}
    );
        case (of_level)
% for level in range(cfg.levels):
% if helpers.side_bit(cfg, level):
            ${cfg.level_bits}'d${level}: half = bits[${chosen.index(helpers.side_bit(cfg, level))}];
% endif
% endfor
            default: half = 1'b0; // a single row or column of lines
        endcase
    endfunction

% for slot, (x, y) in enumerate(corners):
    assign side[${slot}] = half(level, ${bits_of(x, y)});
% endfor
% else:
    assign side = 4'd0; // no level has lines in rows and columns: neighbours differ in the lowest bit
% endif

    wire rows = left_lower[${t - 1}:${cfg.place_bits}] != left_upper[${t - 1}:${cfg.place_bits}];     // in two lines
    wire columns = right_upper[${t - 1}:${cfg.place_bits}] != left_upper[${t - 1}:${cfg.place_bits}]; // in two lines
    assign need = {rows & columns, columns, rows, 1'b1};
% else:
% if cfg.small_side > 1:
    assign small_level   = level > ${cfg.level_bits}'d${cfg.levels - cfg.small_side.bit_length()};
% else:
    assign small_level   = 1'b0;
% endif
% if cfg.lookup == "texel":
    assign need    = 4'b1111; // the port delivers one texel per look-up
% else:
    assign need    = {
        right_lower[${t - 1}:${cfg.place_bits}] != left_lower[${t - 1}:${cfg.place_bits}],
        right_upper[${t - 1}:${cfg.place_bits}] != left_upper[${t - 1}:${cfg.place_bits}],
        2'b11
    };
% endif
% endif

endmodule
