// The switch: who is granted at which cache, ${cfg.switch}.
//
// Interface: wants and grants have a bit for each cache and PE, those of cache 0 lowest; a PE wants one cache at most.
// Each cache grants one PE at most. Timing: grants follow wants in the same cycle; what arbiters remember changes at
// the edge.
% if cfg.two_stage:
// links and chosen: the way of a request, over its link and from there to its cache.
% endif
<%
    pes, rows, columns = cfg.pes, cfg.array.rows, cfg.array.columns
    areas = max(len(row) for row in cfg.area_pes)
    age = cfg.bound == "age"
    members_of, groups = cfg.link_pes, len(cfg.link_groups)
    link_bits = sum(map(len, members_of))

    def masks(row):
        words = [sum(1 << pe for pe in area) for area in cfg.area_pes[row]]
        words += [0] * (areas - len(words))
        return "{" + ", ".join(f"{pes}'h{word:x}" for word in reversed(words)) + "}"
%>\
module lpas_switch (
    input  wire clk, // clock
    input  wire rst, // synchronous; all arbiters begin anew
% if age:
    input  wire ${width(pes)} urgent, // PEs that have waited for long
% endif
    input  wire ${width(pes * pes)} wants, // PEs that ask, of each cache that can grant
% if cfg.two_stage:
    output wire ${width(link_bits)} links, // the PE that each link has chosen, those of link 0 lowest
    output wire ${width(pes * groups)} chosen, // the group of PEs whose link each cache takes
% endif
    output wire ${width(pes * pes)} grants // the PE that is granted, of each cache
);
% if cfg.two_stage:

    // Links: of those whose requests lead over it each one chooses a PE; its pointer moves if a cache grants that one
    % for link, pe_list in enumerate(members_of):
<%
        reached = [cache for cache in range(pes) if cfg.links[pe_list[0]][cache] == link]
        size = len(pe_list)
        asked = [" | ".join(f"wants[{cache * pes + pe}]" for cache in reached) for pe in pe_list]
        used = [" | ".join(f"grants[{cache * pes + pe}]" for cache in reached) for pe in pe_list]
%>\
    wire ${width(size)} link${link}; // PEs ${", ".join(str(pe) for pe in pe_list)} to cache${"s" if len(reached) > 1 else ""} ${", ".join(str(cache) for cache in reached)}
    wire ${width(size)} asked${link};
    wire ${width(size)} used${link};
        % for place in range(size):
    assign asked${link}[${place}] = ${asked[place]};
    assign used${link}[${place}] = ${used[place]};
        % endfor

    round_robin #(.SIZE(${size})) choose${link} (
        .clk(clk),
        .rst(rst),
        .request(asked${link}),
        .move(|used${link}),
        .grant(link${link})
    );

    % endfor
    assign links = {${", ".join(f"link{link}" for link in reversed(range(len(members_of))))}};

    // Caches: each one chooses among the links whose choice wants it, one of each group at most
    % for cache in range(pes):
    wire ${width(groups)} chosen${cache};
    wire ${width(groups)} offers${cache};
        % for number, inside in enumerate(cfg.link_groups):
<%
            terms = [
                f"(link{cfg.links[pe][cache]}[{members_of[cfg.links[pe][cache]].index(pe)}] & wants[{cache * pes + pe}])"
                for pe in inside
            ]
%>\
    assign offers${cache}[${number}] = ${" | ".join(terms)};
            % for pe, term in zip(inside, terms):
    assign grants[${cache * pes + pe}] = chosen${cache}[${number}] & ${term[1:-1]};
            % endfor
        % endfor

    round_robin #(.SIZE(${groups})) arbiter${cache} (
        .clk(clk),
        .rst(rst),
        .request(offers${cache}),
        .move(|offers${cache}),
        .grant(chosen${cache})
    );

    % endfor
    assign chosen = {${", ".join(f"chosen{cache}" for cache in reversed(range(pes)))}};
% else:
    localparam PES = ${pes};
    % if cfg.switch == "lpas":
    localparam AREAS = ${areas};

    // The PEs of each area, for the caches of each row
    localparam [AREAS*PES-1:0] ${", ".join(f"ROW{row} = {masks(row)}" for row in range(rows))};
    localparam [${rows}*AREAS*PES-1:0] MEMBERS = {${", ".join(f"ROW{row}" for row in reversed(range(rows)))}};
    % endif

    generate
        genvar cache;
        for (cache = 0; cache < PES; cache = cache + 1) begin : gen_cache
            wire [PES-1:0] asked = wants[cache*PES +: PES];
            wire [PES-1:0] grant;
    % if age:
            wire [PES-1:0] pressing = asked & urgent;
            wire [PES-1:0] hurried;      // of those that are urgent

            round_robin #(.SIZE(PES)) urgent_arbiter (
                .clk(clk),
                .rst(rst),
                .request(pressing),
                .move(|pressing),
                .grant(hurried)
            );

            assign grants[cache*PES +: PES] = |pressing ? hurried : grant;
    % else:

            assign grants[cache*PES +: PES] = grant;
    % endif

    % if cfg.switch == "fs":
            round_robin #(.SIZE(PES)) arbiter (
    % else:
            lpas_areas #(
                .PES(PES),
                .AREAS(AREAS),
                .MEMBERS(MEMBERS[(cache/${columns})*AREAS*PES +: AREAS*PES])
            ) arbiter (
    % endif
                .clk(clk),
                .rst(rst),
                .request(asked),
                .move(|asked${" & !(|pressing)" if age else ""}),
                .grant(grant)
            );
        end
    endgenerate
% endif

endmodule
