// A PE's side of the switch: a request is there in the cycle in which it is taken, and is held until it is released.
//
// Interface: a request that is granted asks no more. It is served by a cache in the cycle of its grant, or later,
// or by the outside. Timing:
// ${"all are acknowledged in the cycle after they were served." if cfg.read_pipeline else "a store is acknowledged in the cycle in which it is served, others in the next one."}
<%
    pipelined, age = cfg.read_pipeline, cfg.bound == "age"
    pe_bits, pes = cfg.array.pe_bits, cfg.pes
    wait_bits = cfg.age.bit_length()
%>\
module lpas_select #(
    parameter WIDTH = 32                 // bits of a request
) (
    input  wire clk, // clock
    input  wire rst, // synchronous; the request is forgotten
    // the PE
    input  wire req_valid, // a request is offered
    output wire req_ready, // it is taken
    input  wire [WIDTH-1:0] req_data, // it
    output wire res_valid, // the acknowledge
    output wire ${width(16)} res_value, // the word of a load, else 0
    output wire res_err, // memory answered with an error
    // the switch
    output wire active, // a request asks to be granted
    output wire [WIDTH-1:0] request, // it
    input  wire ${width(pe_bits)} home, // its cache
    input  wire grant, // it is granted
% if age:
    output wire urgent, // it has waited for ${cfg.age} cycles
% endif
    // the caches
    input  wire served, // a cache serves it
    input  wire served_load, // it is a load
    input  wire served_err, // memory has failed it
    input  wire ${width(16 * pes)} words, // of each cache, the word that it read
    // the outside
    input  wire ended, // the outside has served it
    input  wire ended_err, // memory has failed it
    input  wire ${width(16)} ended_value // in the cycle after: the word of an LDM, else 0
);

    reg  held;
    reg  granted;
    reg  [WIDTH-1:0] stored;
    reg  due;                            // to be acknowledged: the request that was served in the cycle before
    reg  due_err, due_load, due_outside;
    reg  ${width(pe_bits)} due_home;

    assign req_ready = !held;
    assign active    = (held | req_valid) & !granted;
    assign request   = held ? stored : req_data;
% if pipelined:

    // All are acknowledged in the cycle after: a PE's acknowledges stay in order
    wire now     = 1'b0;
    wire later   = served | ended;
    wire release_it = served | (due & due_outside);
% else:

    wire now     = served & !served_load;
    wire later   = (served & served_load) | ended;
    wire release_it = now | due;
% endif

    always @(posedge clk) begin
        if (rst)
            {held, granted, due} <= 3'd0;
        else begin
            held    <= (held | req_valid) & !release_it;
            granted <= (granted | grant) & !release_it;
            due     <= later;
        end
    end

    always @(posedge clk) begin
        if (!held)
            stored <= req_data;
        due_err     <= ended ? ended_err : served_err;
        due_load    <= served & served_load;
        due_outside <= ended;
        due_home    <= home;
    end

    wire ${width(16)} word = words[{due_home, 4'd0} +: 16];

    assign res_valid = (now | due) & !rst;
    assign res_err   = due ? due_err : served_err;
    assign res_value = {16{due}} & (due_outside ? ended_value : {16{due_load & !due_err}} & word);
% if age:

    reg ${width(wait_bits)} waited;      // cycles without a grant

    assign urgent = waited == ${wait_bits}'d${cfg.age};

    always @(posedge clk) begin
        if (rst | !active | grant)
            waited <= ${wait_bits}'d0;
        else if (!urgent)
            waited <= waited + 1'b1;
    end
% endif

endmodule
