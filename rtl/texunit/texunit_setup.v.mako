// Sets a primitive up: forgets cached lines if asked to, and reads the colour table of a tabled format.
//
// Interface: primitives come when no quad is in the unit. set_up changes when the primitive may be used.
// Timing: two cycles without table and invalidation; else until the last line of the table has come, or the cache
// has swept its sets.
<%
    prim = helpers.stream(cfg, "prim")
    line = cfg.cache.line_bits
%>\
module texunit_setup (
    input  wire clk, // clock
    input  wire rst, // synchronous
    // primitives
    input  wire prim_valid, // a primitive is offered
    output wire prim_ready, // it is taken
    input  wire ${width(prim.width)} prim_data, // ${", ".join(f.name for f in prim.fields)}
    // the one in use
    output reg  ${width(prim.width)} current, // its fields
    output reg  set_up, // changes when it may be used
    // the cache
    output wire forget,              // drop the line of the last query
    output wire invalidate, // drop all cached lines
    input  wire cache_busy, // the cache sweeps its sets
    // lines of the colour table
    output wire address_valid, // a line is asked for
    input  wire address_ready, // it is taken
    output wire ${width(line)} address, // its line address
    input  wire line_valid, // a line has come
    input  wire line_error, // it came with an AXI error
    output wire table_write, // write it into the table
    output wire [5:0] table_index, // as this line of the table
    output reg  table_error,         // a line of the table came with an error
    output wire loading              // lines that come are the table's
);

    localparam IDLE = 2'd0, INVALIDATE = 2'd1, TABLE = 2'd2, WAIT = 2'd3;

    reg [1:0] state;
    reg [6:0] asked, came;           // lines of the table

    ${unpack(prim, "current")}
    wire tabled = prim_format[1];
    wire [6:0] lines = prim_format[0] ? 7'd48 : 7'd64;

    assign prim_ready    = state == IDLE;
    assign forget        = prim_valid & prim_ready;
    assign invalidate    = state == INVALIDATE & prim_invalidate;
    assign loading       = state == TABLE;
    assign address_valid = loading & asked != lines;
    assign address       = prim_base + {${line - 7}'d0, asked};
    assign table_write   = loading & line_valid;
    assign table_index   = came[5:0];

    always @(posedge clk) begin
        if (rst) begin
            state  <= IDLE;
            set_up <= 1'b0;
        end else case (state)
            IDLE:
                if (prim_valid)
                    state <= INVALIDATE;
            INVALIDATE: // one cycle; the cache is busy from the next on if there is something to do
                state <= tabled ? TABLE : WAIT;
            TABLE:
                if (came == lines)
                    state <= WAIT;
            default:
                if (!cache_busy) begin
                    state  <= IDLE;
                    set_up <= !set_up;
                end
        endcase
    end

    always @(posedge clk) begin
        if (prim_valid & prim_ready)
            current <= prim_data;
    end

    always @(posedge clk) begin
        if (forget) begin
            asked       <= 7'd0;
            came        <= 7'd0;
            table_error <= 1'b0;
        end else begin
            if (address_valid & address_ready)
                asked <= asked + 1'b1;
            if (table_write) begin
                came        <= came + 1'b1;
                table_error <= table_error | line_error;
            end
        end
    end

    wire unused = &{1'b0, prim_log2w, prim_log2h, prim_max_lod, prim_mode_u, prim_mode_v, prim_bilinear, came[6]};

endmodule
