// Takes primitives and quads as they come: a primitive gets a number, by which the quads behind it name it, and one
// that has a colour table the number of the slot where that is.
//
// Interface: words of the FIFO between the clocks in, quads with their primitive's number out, valid/ready. A
// primitive is taken in one cycle, while quads of those before it are sampled: it waits only until no quad needs the
// one that had its number (${helpers.PRIMS} have one), and until all quads before it have left the unit if it invalidates the cache.
// A table that is in a slot with its base and format is used again. Else it is read into a slot in turn, but for the
// one that was used last: the primitive waits until no quad in the unit needs what is there, and until the table that
// was asked for before has come. Nothing else waits for a table but the pixels that need it, where they are read.
// Timing: a quad passes in the same cycle. A table's lines are asked for one per cycle, from the cycle after its
// primitive was taken, before any other line.
<%
    prim, quad, word, out = helpers.stream(cfg, "prim"), helpers.stream(cfg, "quad"), helpers.word(cfg), helpers.quad()
    line, n = cfg.cache.line_bits, helpers.PRIM_BITS
    tables, slots = cfg.tables, range(cfg.tables)
    slot = cfg.slot_bits
    near = 5       # bits of the quads that are in the stages before the cache: at most 24
    inside = (cfg.ahead.depth + 128).bit_length()
    def number(bit):
        return " | ".join(f"here[{s}]" for s in slots if s >> bit & 1) or "1'b0"
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
    output reg  ${width(helpers.PRIMS * slot)} slots, // of their colour tables
    output wire invalidate, // the cache forgets all lines
    // lines of colour tables
    output wire address_valid, // a line is asked for
    input  wire address_ready, // it is taken
    output wire ${width(line)} address, // its line address
    input  wire line_valid, // a line has come
    input  wire line_error, // it came with an AXI error
    output wire ${width(slot)} table_slot, // the slot of the table that comes
    output wire [5:0] table_index, // its line that is next
    output reg  table_coming, // lines of it are to come
    output reg  ${width(tables)} table_errors, // by slot: a line came with an error
    // for observers and counters
    output wire prim_taken, // a primitive is taken
    output wire table_begins, // its colour table is to be read
    output wire prim_waits, // one waits
    output wire starved // a quad could be taken and there is none
);

    // The word that is here
    wire is_prim = in_data[${word - 1}];
    ${unpack(prim, "in_data")}
    wire here_prim  = in_valid & is_prim;
    wire here_quad  = in_valid & !is_prim;
    wire quad_taken = here_quad & out_ready;

    // Primitives, and how many quads still need each
    reg  ${width(n)} current, next;
    wire next_free;
    reg  ${width(inside)} quads;     // in the unit
    wire ${width(inside)} quads_then = quads + {${inside - 1}'d0, quad_taken} - {${inside - 1}'d0, answered};
    wire loads, victim_free;

    assign prim_taken = here_prim & next_free & (!prim_invalidate | quads == ${inside}'d0) &
                        (!loads | (victim_free & !table_coming));
    assign table_begins = prim_taken & loads;
    assign prim_waits = here_prim & !prim_taken;
    assign starved    = out_ready & !in_valid;
    assign in_ready   = prim_taken | quad_taken;
    assign out_valid  = here_quad;
    assign out_quad   = {in_data[${quad.width - 1}:0], current};
    assign invalidate = prim_taken & prim_invalidate;

    wire ${width(helpers.PRIMS)} free;
    assign next_free = free[next];
    wire ${width(slot)} chosen;      // slot of the primitive's table
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
        if (prim_taken & next == ${n}'d${i}) begin
            prims[${(i + 1) * prim.width - 1}:${i * prim.width}] <= in_data[${prim.width - 1}:0];
            slots[${(i + 1) * slot - 1}:${i * slot}] <= chosen;
        end
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
            quads <= quads_then;
        end
    end

    // The slots of colour tables: what is in each, and how many quads have to leave until none needs it
    wire tabled = prim_format[1];
    reg  current_tabled;             // quads that are taken need the table in the slot used last
    wire ${width(tables)} here;      // the primitive's table
    wire ${width(tables)} unneeded;
% if tables > 1:
    reg  ${width(slot)} last, turn;  // the slot used last, and the one whose turn it is
    wire ${width(slot)} victim = turn == last ? turn + 1'b1 : turn;
    wire ${width(slot)} found_slot;
% for bit in range(slot):
    assign found_slot[${bit}] = ${number(bit)};
% endfor

    assign victim_free = unneeded[victim];
    assign chosen      = loads ? victim : found_slot;

    always @(posedge clk) begin
        if (rst) begin
            last <= {${slot}{1'b1}};
            turn <= ${slot}'d0;
        end else begin
            if (prim_taken & tabled)
                last <= chosen;
            if (table_begins)
                turn <= victim + 1'b1;
        end
    end
% else:
    wire last   = 1'b0;              // the slot used last
    wire victim = 1'b0;

    assign victim_free = unneeded;
    assign chosen      = 1'b0;
% endif

    assign loads = tabled & (prim_invalidate | here == ${tables}'d0);

    always @(posedge clk) begin
        if (prim_taken)
            current_tabled <= tabled;
    end
% for s in slots:

    reg  known${s}, rgb${s};
    reg  ${width(line)} base${s};
    reg  ${width(inside)} needs${s};
    assign here[${s}]     = known${s} & base${s} == prim_base & rgb${s} == prim_format[0];
    assign unneeded[${s}] = needs${s} == ${inside}'d0;

    always @(posedge clk) begin
        if (rst)
            known${s} <= 1'b0;
        else if (table_begins & victim == ${slot}'d${s})
            known${s} <= 1'b1;
        else if (invalidate)
            known${s} <= 1'b0;
    end

    always @(posedge clk) begin
        if (table_begins & victim == ${slot}'d${s}) begin
            base${s} <= prim_base;
            rgb${s}  <= prim_format[0];
        end
    end

    always @(posedge clk) begin
        if (rst)
            needs${s} <= ${inside}'d0;
        else if (quad_taken & current_tabled & last == ${slot}'d${s})
            needs${s} <= quads_then;
        else if (answered & !unneeded[${s}])
            needs${s} <= needs${s} - 1'b1;
    end
% endfor

    // The table that comes
    reg  rgb;
    reg  ${width(line)} base;
    reg  ${width(slot)} into;
    reg  [6:0] asked, came;
    wire [6:0] lines = rgb ? 7'd48 : 7'd64;

    assign address_valid = table_coming & asked != lines;
    assign address       = base + {${line - 7}'d0, asked};
    assign table_slot    = into;
    assign table_index   = came[5:0];

    always @(posedge clk) begin
        if (rst)
            table_coming <= 1'b0;
        else if (table_begins)
            table_coming <= 1'b1;
        else if (line_valid & came + 1'b1 == lines)
            table_coming <= 1'b0;
    end

    always @(posedge clk) begin
        if (table_begins) begin
            base  <= prim_base;
            rgb   <= prim_format[0];
            into  <= victim;
            asked <= 7'd0;
            came  <= 7'd0;
        end else begin
            if (address_valid & address_ready)
                asked <= asked + 1'b1;
            if (line_valid)
                came <= came + 1'b1;
        end
    end

    always @(posedge clk) begin
        if (table_begins)
            table_errors${"[victim]" if tables > 1 else ""} <= 1'b0;
        else if (line_valid & line_error)
            table_errors${"[into]" if tables > 1 else ""} <= 1'b1;
    end

    wire unused = &{1'b0, prim_log2w, prim_log2h, prim_max_lod, prim_mode_u, prim_mode_v, prim_bilinear${", prim_trilinear" if cfg.trilinear else ""}};

endmodule
