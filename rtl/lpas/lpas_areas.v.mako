// The arbiter of one cache: the nearest area with a requester is served, round robin inside it.
//
// Interface: grant follows request in the same cycle, one bit of it at most; with move it is used.
// Timing: the pointers of the areas${" and their credits" if cfg.bound == "weights" else ""} change at the edge, and are at their start after reset.
<%
    weights = cfg.bound == "weights"
    count = max(len(areas) for areas in cfg.area_pes)
    bits = cfg.weight.bit_length()
%>\
module lpas_areas #(
    parameter PES   = 4,                  // PEs
    parameter AREAS = ${count},                  // areas, those without a PE included
    parameter [AREAS*PES-1:0] MEMBERS = {AREAS*PES{1'b1}} // the PEs of each area, the nearest area lowest
) (
    input  wire           clk, // clock
    input  wire           rst, // synchronous; all pointers go to the first PE of their area
    input  wire [PES-1:0] request, // PEs that ask
    input  wire           move, // the grant is used
    output wire [PES-1:0] grant // the PE that wins
);

    // Illegal parameters end elaboration: there is no such module.
    generate
        if (PES < 2 || AREAS ${f"!= {count}" if weights else "< 1"} || MEMBERS == 0) begin : gen_illegal
            lpas_areas_needs_PES_2_or_more_and_MEMBERS_of_${f"{count}" if weights else "all"}_AREAS illegal ();
        end
    endgenerate

    wire [AREAS-1:0] asked;              // areas with a requester
    wire [AREAS-1:0] chosen;             // the one that is served
    wire [PES-1:0]   members;            // its PEs
% if weights:
    wire [AREAS-1:0] funded;             // areas with a requester and a credit
    wire             renew  = funded == {AREAS{1'b0}};
    wire [AREAS-1:0] ranked = renew ? asked : funded;
% else:
    wire [AREAS-1:0] ranked = asked;
% endif
    wire [AREAS-1:0] nearer;             // a nearer area is served
    wire [AREAS*PES-1:0] served;         // of each area its PEs, if it is chosen

    assign nearer[0] = 1'b0;
    assign chosen    = ranked & ~nearer;
    generate
        genvar area;
        for (area = 0; area < AREAS; area = area + 1) begin : gen_area
            assign asked[area] = |(request & MEMBERS[area*PES +: PES]);
            assign served[area*PES +: PES] = {PES{chosen[area]}} & MEMBERS[area*PES +: PES];
            if (area > 0) begin : gen_nearer
                assign nearer[area] = nearer[area-1] | ranked[area-1];
            end
        end
    endgenerate
    genvar pe;
    generate
        for (pe = 0; pe < PES; pe = pe + 1) begin : gen_member
            wire [AREAS-1:0] mine;
            genvar number;
            for (number = 0; number < AREAS; number = number + 1) begin : gen_mine
                assign mine[number] = served[number*PES + pe];
            end
            assign members[pe] = |mine;
        end
    endgenerate

    // Each PE is in one area: a bit for each says whether it lies at or after its area's pointer
    reg  [PES-1:0] later;
    wire [PES-1:0] asking = request & members;
    wire [PES-1:0] upper  = asking & later;
    wire [PES-1:0] from   = |upper ? upper : asking;
    wire [PES-1:0] above;                // PEs behind the winner

    assign above[0] = 1'b0;
    generate
        for (pe = 1; pe < PES; pe = pe + 1) begin : gen_above
            assign above[pe] = above[pe-1] | from[pe-1];
        end
    endgenerate
    assign grant = from & ~above;

    always @(posedge clk) begin
        if (rst)
            later <= {PES{1'b1}};
        else if (move)
            later <= (members & above) | (~members & later);
    end
% if weights:

    // A round: each area has its credits; when nobody who asks has one left, all begin anew
    % for number in range(count):
    localparam [${bits - 1}:0] START${number} = ${bits}'d${cfg.credits(number)};
    reg  [${bits - 1}:0] credit${number};
    wire [${bits - 1}:0] left${number} = (renew ? START${number} : credit${number}) - {${f"{bits - 1}'d0, " if bits > 1 else ""}chosen[${number}]};
    assign funded[${number}] = asked[${number}] & (|credit${number});
    % endfor

    always @(posedge clk) begin
        if (rst) begin
    % for number in range(count):
            credit${number} <= START${number};
    % endfor
        end else if (move) begin
    % for number in range(count):
            credit${number} <= left${number};
    % endfor
        end
    end
% endif

endmodule
