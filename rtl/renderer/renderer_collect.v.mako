% if cfg.early:
// Collects the samples of a tile's quads of which a pixel passed the depth test, and keeps them until they are taken.
//
// Interface: take brings a word. The results of its quads come from the units, a unit's in the order of its quads. The
// oldest word that has all of its samples (shade_valid) moves on with them (shade_ready) to texels, mask, prim, beside
// and failed, where it is held until it is done.
// Timing: a result of each unit a cycle; a word can move on in the cycle after its last one.
% else:
// Collects the samples of a tile, says which pixels their alpha discards, and keeps them until the tile is tested.
//
// Interface: take brings a tile. The results of its quads come from the units, a unit's in the order of its quads.
// tex is the state that a unit has taken: the alpha below which its next quads' pixels are discarded. shade is the
// shader's word for the depth test, which takes it when the tile moves to the test; what was collected is then in
// texels, mask, prim and failed, with held high, until the test's next word. One without shade is a barrier.
// Timing: a result of each unit a cycle; shade is offered in the cycle after the last one.
% endif
<%
    units, bits, early = range(cfg.texunit.units), cfg.shaded_bits, cfg.early
    beside = cfg.beside_bits
    quads = range(4)
    res = cfg.texunit.all_streams["res0"]
    R = res.width
    texel, err = (res.offset(name) for name in ("texel0", "err"))
%>\
module renderer_collect (
    input  wire clk, // clock
    input  wire rst, // synchronous
    // ${"a word that was tested" if early else "a tile"}
    input  wire take, // one comes
    output wire ready, // there is a place
    input  wire [15:0] take_mask, // its ${"pixels that passed: their quads are sampled" if early else "covered pixels"}
    input  wire [15:0] take_prim, // its primitive
% if early:
    input  wire ${width(beside)} take_beside, // what else there is of it
% endif
    // texture units
% if not early:
    input  wire ${width(len(units))} tex_taken, // the unit has taken a state
    input  wire [7:0] tex_kill, // the alpha below which pixels are discarded from then on
% endif
    input  wire ${width(len(units))} res_valid, // the unit has a result
    output wire ${width(len(units))} res_ready, // it is taken
    input  wire ${width(len(units) * R)} res_data, // the results, of unit 0 lowest
% if early:
    // what has its samples
    output wire shade_valid, // the oldest word has
    input  wire shade_ready, // it moves on
    input  wire done, // the one before it is taken
    output reg  held, // a word is here
    output reg  [15:0] mask, // its pixels that passed
    output reg  [15:0] prim, // its primitive
    output reg  ${width(beside)} beside, // what else there is of it
% else:
    // the depth test
    output wire shade_valid, // the oldest tile is shaded
    input  wire shade_ready, // it moves to the test
    output wire [15:0] shade_data, // pixels that are discarded
    input  wire done, // a word leaves the test
    // what leaves the test
    output reg  held, // a tile, not a barrier
    output reg  [15:0] mask, // its covered pixels
    output reg  [15:0] prim, // its primitive
% endif
    output reg  failed, // memory failed for one of its texels
    output reg  [511:0] texels, // its samples, 0 ${"of quads that were not sampled" if early else "where not covered"}
    output wire sample_wait // a tile waits for samples
);

    wire here;
    wire [15:0] here_mask;
    wire [15:0] here_prim;
% if early:
    wire ${width(beside)} here_beside;
% endif
    wire shaded = shade_valid & shade_ready;

    fifo #(
        .WIDTH(${32 + beside}),
        .DEPTH(${1 << bits - 1}),
        .COUNT_BITS(${bits})
    ) tiles (
        .clk(clk),
        .rst(rst),
        .in_valid(take),
        .in_ready(ready),
        .in_data({${"take_beside, " if early else ""}take_prim, take_mask}),
        .out_valid(here),
        .out_ready(shaded),
        .out_data({${"here_beside, " if early else ""}here_prim, here_mask})
    );

    // Which quads are here already; the lowest of a unit that is not comes next
    wire [3:0] needed = {
        ${(",\n" + 8 * " ").join("|{" + ", ".join(f"here_mask[{p}]" for p in reversed(helpers.pixels(k))) + "}" for k in reversed(quads))}
    };
    reg  [3:0] come;
    wire [3:0] left = needed & ~come & {4{here}};
    wire [3:0] next;
    wire [3:0] comes;

% for k in quads:
<% before = [j for j in helpers.quads_of(cfg, helpers.unit_of(cfg, k)) if j < k] %>\
    assign next[${k}]  = left[${k}]${"".join(f" & !left[{j}]" for j in before)};
    assign comes[${k}] = next[${k}] & res_valid[${helpers.unit_of(cfg, k)}];
% endfor
% for n in units:
    assign res_ready[${n}] = ${" | ".join(f"next[{k}]" for k in helpers.quads_of(cfg, n))};
% endfor

% if not early:
    // The alpha of each unit's state: it takes one when all its results have been taken
% for n in units:
    reg  [7:0] kill${n};
% endfor

    always @(posedge clk) begin
% for n in units:
        if (tex_taken[${n}])
            kill${n} <= tex_kill;
% endfor
    end

    // Samples, and pixels that are discarded
% else:
    // Samples
% endif
% for k in quads:
<% n = helpers.unit_of(cfg, k) %>\
    wire [127:0] res${k} = res_data[${n * R + texel + 127}:${n * R + texel}];
    wire err${k} = res_data[${n * R + err}];
    reg  [127:0] sample${k};
% if not early:
    reg  [3:0] below${k};
% endif
% endfor
    reg  errs;

    always @(posedge clk) begin
% for k in quads:
        if (comes[${k}]) begin
            sample${k} <= res${k};
% for p in range(0 if early else 4):
            below${k}[${p}] <= res${k}[${32 * p + 31}:${32 * p + 24}] < kill${helpers.unit_of(cfg, k)};
% endfor
        end
% endfor
        if (rst | shaded) begin
            come <= 4'd0;
            errs <= 1'b0;
        end else begin
            come <= come | comes;
            errs <= errs${"".join(f" | (comes[{k}] & err{k})" for k in quads)};
        end
    end
<%
    place = {pixel: (k, p) for k in quads for p, pixel in enumerate(helpers.pixels(k))}
%>\

    assign shade_valid = here & left == 4'd0;
% if not early:
    assign shade_data  = here_mask & {
        ${", ".join(f"below{k}[{p}]" for _, (k, p) in sorted(place.items(), reverse=True))}
    };
% endif
    assign sample_wait = left != 4'd0;

    always @(posedge clk) begin
        if (rst)
            held <= 1'b0;
        else if (shaded | done)
            held <= shaded;
        if (shaded) begin
            mask   <= here_mask;
            prim   <= here_prim;
% if early:
            beside <= here_beside;
% endif
            failed <= errs;
            texels <= {
                ${(",\n" + 16 * " ").join("sample%d[%d:%d] & {32{come[%d]}}" % (k, 32 * p + 31, 32 * p, k) for _, (k, p) in sorted(place.items(), reverse=True))}
            };
        end
    end

    wire unused = &{1'b0, res_data};

endmodule
