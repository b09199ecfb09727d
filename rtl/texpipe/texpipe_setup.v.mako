// Takes primitives and quads as they come: a primitive gets a number, by which the quads behind it name it.
//
// Interface: words of the FIFO between the clocks in, quads with their primitive's number out, valid/ready. A
// primitive is taken in one cycle, while quads of those before it are sampled: it waits only until no quad needs the
// one that had its number (${helpers.PRIMS} have one). Until all quads before it have left the unit it waits if it invalidates the
// cache, or brings another colour table. A table is another one unless base and format are those of the last that
// was read, that came without an error, and nothing was invalidated since.
// Timing: a quad passes in the same cycle. A table's lines are asked for one per cycle, from the cycle after its
// primitive was taken; quads go on in the second cycle after its last line has come.
<%
    prim, quad, word, out = helpers.stream(cfg, "prim"), helpers.stream(cfg, "quad"), helpers.word(cfg), helpers.quad()
    line, n = cfg.cache.line_bits, helpers.PRIM_BITS
    near = 5       # bits of the quads that are in the stages before the cache: at most 24
    inside = (cfg.ahead.depth + 128).bit_length()
%>\
module texpipe_setup (
    input  wire clk, // clock
    input  wire rst, // synchronous
    // primitives and quads
    input  wire in_valid, // a word is offered
    output wire in_ready, // it is taken
    input  wire ${width(word)} in_data, // the highest bit tells a primitive
    // quads
    output wire out_valid, // a quad is offered
    input  wire out_ready, // it is taken
    output wire ${width(out.width)} out_quad, // ${", ".join(f.name for f in out.fields[:2])}, coordinates
    input  wire found, // a quad's last lines are known: its primitive is not needed any more
    input  wire ${width(n)} found_prim, // the number of its primitive
    input  wire answered, // a quad has left the unit
    output reg  ${width(helpers.PRIMS * prim.width)} prims, // primitives by number
    output wire invalidate, // the cache forgets all lines
    // lines of the colour table
    output wire loading, // lines that come are the table's
    output wire address_valid, // a line is asked for
    input  wire address_ready, // it is taken
    output wire ${width(line)} address, // its line address
    input  wire line_valid, // a line has come
    input  wire line_error, // it came with an AXI error
    output wire table_write, // write it into the table
    output wire [5:0] table_index, // as this line of the table
    output wire table_rgb, // colours of 3 bytes
    output reg  table_error, // a line of the table came with an error
    // for observers and counters
    output wire prim_taken, // a primitive is taken
    output wire table_begins, // its colour table is to be read
    output wire prim_waits, // one holds quads up
    output wire starved // a quad could be taken and there is none
);

    // The word that is here
    wire is_prim = in_data[${word - 1}];
    ${unpack(prim, "in_data")}
    wire tabled = prim_format[1];
    wire is_last_table;
    wire loads  = tabled & !(is_last_table & !prim_invalidate);
    wire alone  = loads | prim_invalidate; // not while quads are inside

    // Primitives, and how many quads still need each
    reg  ${width(n)} current, next;
    wire next_free;
    reg  ${width(inside)} quads;     // in the unit
    wire here_prim = in_valid & is_prim & !loading;
    wire here_quad = in_valid & !is_prim & !loading;
    wire quad_taken = here_quad & out_ready;

    assign prim_taken = here_prim & next_free & (!alone | quads == ${inside}'d0);
    assign table_begins = prim_taken & loads;
    assign prim_waits = (here_prim & !prim_taken) | (in_valid & loading);
    assign starved    = out_ready & !in_valid & !loading;
    assign in_ready   = prim_taken | quad_taken;
    assign out_valid  = here_quad;
    assign out_quad   = {in_data[${quad.width - 1}:0], current};
    assign invalidate = prim_taken & prim_invalidate;

    wire ${width(helpers.PRIMS)} free;
    assign next_free = free[next];
% for i in range(helpers.PRIMS):

    reg  ${width(near)} needed${i};
    wire more${i} = quad_taken & current == ${n}'d${i};
    wire less${i} = found & found_prim == ${n}'d${i};
    assign free[${i}] = needed${i} == ${near}'d0;

    always @(posedge clk) begin
        if (rst)
            needed${i} <= ${near}'d0;
        else
            needed${i} <= needed${i} + {${near - 1}'d0, more${i}} - {${near - 1}'d0, less${i}};
    end

    always @(posedge clk) begin
        if (prim_taken & next == ${n}'d${i})
            prims[${(i + 1) * prim.width - 1}:${i * prim.width}] <= in_data[${prim.width - 1}:0];
    end
% endfor

    always @(posedge clk) begin
        if (rst) begin
            current <= ${n}'d0;
            next    <= ${n}'d0;
            quads   <= ${inside}'d0;
        end else begin
            if (prim_taken) begin
                current <= next;
                next    <= next + 1'b1;
            end
            quads <= quads + {${inside - 1}'d0, quad_taken} - {${inside - 1}'d0, answered};
        end
    end

    // The colour table: what was read last, and how far it has come
    reg  reading, known, rgb;
    reg  ${width(line)} base;
    reg  [6:0] asked, came;
    wire [6:0] lines = rgb ? 7'd48 : 7'd64;
    wire complete    = came == lines;

    assign is_last_table = known & base == prim_base & rgb == prim_format[0];
    assign loading       = reading;
    assign address_valid = reading & asked != lines;
    assign address       = base + {${line - 7}'d0, asked};
    assign table_write   = reading & line_valid;
    assign table_index   = came[5:0];
    assign table_rgb     = rgb;

    always @(posedge clk) begin
        if (rst) begin
            reading <= 1'b0;
            known   <= 1'b0;
        end else if (prim_taken & alone) begin
            reading <= loads;
            known   <= 1'b0;
        end else if (reading & complete) begin
            reading <= 1'b0;
            known   <= !table_error;
        end
    end

    always @(posedge clk) begin
        if (table_begins) begin
            base        <= prim_base;
            rgb         <= prim_format[0];
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

    wire unused = &{1'b0, prim_log2w, prim_log2h, prim_max_lod, prim_mode_u, prim_mode_v, prim_bilinear${", prim_trilinear" if cfg.trilinear else ""}};

endmodule
