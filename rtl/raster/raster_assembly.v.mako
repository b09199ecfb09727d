// Collects vertices to primitives, and keeps what begin said: topology, state, window.
//
// Interface: words of vtx, taken in each cycle in which set-up is free; "start" is high in the cycle in which the word
// taken completes a primitive, or is to be passed: its corners are there in this cycle.
// Timing: no cycle of its own; topology, state and window are those of the primitive until it is handed on.
<%
    vtx, corner, state = cfg.all_streams["vtx"], helpers.corner(), helpers.state()
    window = cfg.coordinate_bits + 2
%>\
module raster_assembly (
    input  wire clk, // clock
    input  wire rst, // synchronous: points, state 0, a window of 1x1, nothing collected
    // vertices
    input  wire vtx_valid, // a word is offered
    output wire vtx_ready, // it is taken
    input  wire ${width(vtx.width)} vtx_data, // ${", ".join(f.name for f in vtx.fields)}
    output wire vertex, // a vertex is taken
    // primitives
    input  wire free, // set-up takes a primitive
    input  wire done, // a primitive is handed on by set-up
    output wire start, // a primitive, or a word to pass
    output reg  [1:0] kind, // 0 point, 1 line, 2 triangle, 3 passed word
    output wire [1:0] command, // of a passed word: its op
    output wire ${width(corner.width)} a, // its corners: ${", ".join(f.name for f in corner.fields)}; of a point or passed word the first,
    output wire ${width(corner.width)} b, // of a line two
    output wire ${width(corner.width)} c, // of a triangle three
    // what begin said, and the number of the primitive since then
    output reg  ${width(state.width)} state, // ${", ".join(f.name for f in state.fields)}
    output reg  ${width(window)} last_x, // the window's last column of pixels
    output reg  ${width(window)} last_y, // its last row
    output reg  [15:0] prim // primitives handed on since begin
);

    localparam [1:0] BEGIN = 2'd0, VERTEX = 2'd1, PASS = 2'd3;
    localparam [1:0] POINT = 2'd0, LINE = 2'd1, TRIANGLE = 2'd2, PASSED = 2'd3;
    localparam [2:0] POINTS = 3'd0, LINES = 3'd1, LINE_STRIP = 3'd2, TRIANGLES = 3'd3, STRIP = 3'd4;

    ${unpack(vtx, "vtx_data")}

    assign vtx_ready = free;

    wire take   = vtx_valid & vtx_ready;
    wire begins = take & vtx_op == BEGIN;
    wire passes = take & vtx_op == PASS;

    assign vertex  = take & vtx_op == VERTEX;
    assign command = vtx_command;

    // The vertices that the next one may complete to a primitive: the older one and the newer one
    reg [2:0] topology;
    reg [1:0] held, needed;
    reg ${width(corner.width)} older, newer;

    wire ${width(corner.width)} incoming = {vtx_z, vtx_y, vtx_x};
    wire completes = vertex & held == needed;

    assign start = completes | passes;

    always @* begin
        case (needed)
            2'd0:    kind = POINT;
            2'd1:    kind = LINE;
            default: kind = TRIANGLE;
        endcase
        if (vtx_op == PASS)
            kind = PASSED;
    end

    assign a = vtx_op == PASS | needed == 2'd0 ? incoming : older;
    assign b = needed == 2'd1 ? incoming : newer;
    assign c = incoming;

    always @(posedge clk) begin
        if (rst) begin
            topology <= POINTS;
            needed   <= 2'd0;
            state    <= ${state.width}'d0;
            last_x   <= ${window}'d0;
            last_y   <= ${window}'d0;
        end else if (begins) begin
            topology <= vtx_topology;
            needed   <= vtx_topology == POINTS ? 2'd0 : vtx_topology == LINES | vtx_topology == LINE_STRIP ? 2'd1 : 2'd2;
            state    <= {vtx_format, vtx_write, vtx_func, vtx_test};
            last_x   <= vtx_x[${window - 1}:0] - 1'b1;
            last_y   <= vtx_y[${window - 1}:0] - 1'b1;
        end
    end

    // Lists begin anew after each primitive; of strips the newest vertices stay, of a fan the first and the newest
    wire list = topology == LINES | topology == TRIANGLES;

    always @(posedge clk) begin
        if (rst | (take & vtx_op != VERTEX & vtx_op != PASS))
            held <= 2'd0;
        else if (completes)
            held <= list ? 2'd0 : needed;
        else if (vertex)
            held <= held + 1'b1;
    end

    always @(posedge clk) begin
        if (vertex) begin
            if (held == 2'd0 | topology == LINE_STRIP)
                older <= incoming;
            else if (held == 2'd2 & topology == STRIP)
                older <= newer;
            newer <= incoming;
        end
    end

    always @(posedge clk) begin
        if (rst | begins)
            prim <= 16'd0;
        else if (done)
            prim <= prim + 1'b1;
    end

    wire unused = &{1'b0, vtx_x[${vtx.field("x").width - 1}:${window}], vtx_y[${vtx.field("y").width - 1}:${window}]};

endmodule
