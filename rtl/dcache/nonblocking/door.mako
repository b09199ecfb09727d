## Of a cache that serves hits under misses: the request at the door, and the lanes of it that go next.
<%
    cache = cfg.cache
    A, W, L, offset = cache.address_bits, cache.way_bits, cache.line_bits, cache.offset_bits
    V, lanes = cfg.warp_bits, range(8)
    req = cfg.all_streams["req"]
%>\
    ${unpack(req, "req_data", fields=("op", "warp", "mask"))}
    wire [7:0] req_lanes = req_mask & {8{req_op == LOAD | req_op == STORE}};
    wire accept   = req_valid & req_ready;
    wire d_access = d_op == LOAD | d_op == STORE;

    // What goes next is at the door, or comes if there is nothing
    wire [2:0] next_op = d_valid ? d_op : req_op;
    wire ${width(V)} next_warp = d_valid ? d_warp : req_warp;
    wire [7:0] next_lanes = d_valid ? d_lanes : req_lanes;
    wire ${width(8 * A)} next_addrs = d_valid ? d_addrs : ${helpers.lanes_of(req, "req_data", "addr")};
    wire [255:0] next_words = d_valid ? d_words : ${helpers.lanes_of(req, "req_data", "data")};
    wire [31:0] next_strobes = d_valid ? d_strobes : ${helpers.lanes_of(req, "req_data", "strobe")};
    wire door   = d_valid & can_issue & (d_begun | (d_access ? !busy[d_warp] : finished));
    wire direct = !d_valid & req_valid & !starting & can_issue & (req_op == LOAD | req_op == STORE) & !busy[req_warp];
    wire begins = direct | (door & !d_begun);

    assign issue     = door | direct;
    assign req_ready = !starting & (!d_valid | (door & last_group));

    always @(posedge clk) begin
        if (reset)
            d_valid <= 1'b0;
        else
            d_valid <= accept ? !(direct & last_group) : d_valid & !(door & last_group);
        if (accept) begin
            d_begun   <= direct;
            d_op      <= req_op;
            d_warp    <= req_warp;
            d_lanes   <= direct ? req_lanes & ~group : req_lanes;
            d_addrs   <= ${helpers.lanes_of(req, "req_data", "addr")};
            d_words   <= ${helpers.lanes_of(req, "req_data", "data")};
            d_strobes <= ${helpers.lanes_of(req, "req_data", "strobe")};
        end else if (issue) begin
            d_begun <= 1'b1;
            d_lanes <= d_lanes & ~group;
        end
    end

    // The first address that failed, until it is asked for
    reg  error;
    reg  ${width(L)} error_line;
    wire answered, refused;                // memory has answered a write
    wire ${width(L)} answered_line;
    wire ${width(W)} answered_way;
    wire told;                             // it is asked for

    // The next group: the lowest lane${", and others in its line" if cfg.coalescing else ""}
    wire [7:0] lowest = next_lanes & (~next_lanes + 1'b1);
    wire [2:0] lane = ${helpers.number_of("lowest", 8)};
    wire ${width(L)} line = next_addrs[lane*${A}+${offset} +: ${L}];
% if cfg.coalescing:
    wire [7:0] same = {
        ${(",\n" + 8 * " ").join(f"next_addrs[{A * n + A - 1}:{A * n + offset}] == line" for n in reversed(lanes))}
    };
    assign group = next_lanes & same;
% else:
    assign group = lowest;
% endif

    assign last_group = next_lanes == group;
    assign can_issue  = (!s1_valid | move1)${" & !ahead1 & !ahead" if cfg.prefetch else ""};
