// The control port: AXI4-Lite registers, and the operations of the caches that writing (or reading) them takes.
//
// Interface: a write is answered when what it asks for is done, with SLVERR if memory failed, or if there is no such
// register or command, or not all bytes are written: then nothing is done. Counters can be read meanwhile.
// Timing: addresses and data of a write are taken together. A write and a status take turns; counters take a cycle.
<%
    from configs.mmu.registers import COMMANDS, REGISTERS
    from configs.dcache.schema import OPS as DATA_OPS
    from configs.icache.schema import OPS as FETCH_OPS
    A, axil = cfg.axi.address_bits, cfg.control
    low = 2                              # bits of a byte in its word
    index_bits = axil.address_bits - low # of a register's number
    blocks, block_bits = cfg.icache.blocks, cfg.icache.block_bits
    number = lambda name: REGISTERS[name].address >> low
    constant = lambda name: name.upper()
    data_op = lambda name: f"3'd{DATA_OPS.index(name)}"
    fetch_op = lambda name: f"3'd{FETCH_OPS.index(name)}"
    shown = [(index >> low, cfg.all_streams[stream], field) for index, (stream, field) in cfg.counters.items()]
    data_commands = sorted({op for op, _ in COMMANDS.values() if op is not None})
    with_data = [n for n, (op, _) in enumerate(COMMANDS.values()) if op is not None]
    with_fetch = [n for n, (_, op) in enumerate(COMMANDS.values()) if op is not None]
    among = lambda signal, values: " | ".join(f"{signal} == 32'd{n}" for n in values)
%>\
module mmu_control (
    input  wire clk, // clock
    input  wire rst, // synchronous; transfers under way are forgotten
    // operations of the data cache
    output wire data_want, // there is one
    output reg  [2:0] data_op, // which
    input  wire data_done, // it is done
    input  wire data_err, // memory failed; of a status: there is an address
    input  wire [31:2] data_address, // address that a status gives
    // operations of the instruction cache
    output wire fetch_want, // there is one
    output reg  [2:0] fetch_op, // which
    output reg  ${width(block_bits)} fetch_block, // of which block
    input  wire fetch_done, // it is done
    input  wire fetch_err, // of a status: there is an address
    input  wire [31:2] fetch_address, // address that a status gives
    // both
    output reg  ${width(A)} value, // base or policy
    // counters
% for name in ("icache_perf", "dcache_perf", "perf"):
    input  wire ${width(cfg.all_streams[name].width)} ${name}_data, // ${cfg.all_streams[name].doc}
% endfor
    // control
${ports(axil.signals, last=True)}
);

    // Numbers of registers
% for name, register in REGISTERS.items():
% if not name.endswith("perf"):
    localparam ${width(index_bits)} ${constant(name)} = ${index_bits}'d${number(name)}; // ${register.doc}
% endif
% endfor

    // What the caches are asked for: nothing, an operation of the data cache, one of the other, an answer
    localparam [1:0] REST = 2'd0, DATA = 2'd1, FETCH = 2'd2, ANSWER = 2'd3;

    reg  [1:0] phase;
    reg  reads;                            // for a status that is read
    reg  more;                             // the other cache's operation comes after
    reg  failed;                           // SLVERR
    reg  [31:2] found;                     // address that a status gave

    // A write
    wire ${width(index_bits)} to = ${axil.prefix}_awaddr[${axil.address_bits - 1}:${low}];
    wire [31:0] wdata  = ${axil.prefix}_wdata;
    wire to_base       = to[${index_bits - 1}:${block_bits}] == BASE[${index_bits - 1}:${block_bits}];
    wire to_icache     = to == ICACHE_POLICY;
    wire to_dcache     = to == DCACHE_POLICY;
    wire commands      = to == COMMAND;
    wire write_data    = to_dcache | (commands & (${among("wdata", with_data)}));
    wire write_fetch   = to_base | to_icache | (commands & (${among("wdata", with_fetch)}));
    wire write_known   = (write_data | write_fetch) & (&${axil.prefix}_wstrb);
    wire write_offered = ${axil.prefix}_awvalid & ${axil.prefix}_wvalid;

    // A read: its address is kept until it is answered
    reg  read_busy;
    reg  read_ready;                       // its answer is offered
    reg  ${width(index_bits)} from;
    wire from_status  = from == ICACHE_STATUS | from == DCACHE_STATUS;
    wire read_waits   = read_busy & !read_ready & from_status;

    wire rest       = phase == REST;
    reg  read_last;                        // what was done last was a status
    wire take_read  = rest & read_waits & !(write_offered & read_last);
    wire take_write = rest & write_offered & !take_read;
    wire answered   = phase == ANSWER & (reads | ${axil.prefix}_bready);

    always @(posedge clk) begin
        if (rst)
            phase <= REST;
        else if (take_write)
            phase <= !write_known ? ANSWER : write_data ? DATA : FETCH;
        else if (take_read)
            phase <= from == DCACHE_STATUS ? DATA : FETCH;
        else if (data_done)
            phase <= more ? FETCH : ANSWER;
        else if (fetch_done)
            phase <= ANSWER;
        else if (answered)
            phase <= REST;
    end

    always @(posedge clk) begin
        if (rst)
            read_last <= 1'b0;
        else if (take_read | take_write)
            read_last <= take_read;
    end

    always @(posedge clk) begin
        if (take_write) begin
            reads       <= 1'b0;
            more        <= write_fetch;
            failed      <= !write_known;
            value       <= wdata${f"[{A - 1}:0]" if A < 32 else ""};
            fetch_block <= to[${block_bits - 1}:0];
            fetch_op    <= to_base ? ${fetch_op("base")} : to_icache ? ${fetch_op("policy")} : ${fetch_op("invalidate")};
            data_op     <= to_dcache ? ${data_op("policy")} :
% for n in with_data[:-1]:
                wdata == 32'd${n} ? 3'd${list(COMMANDS.values())[n][0]} :
% endfor
                3'd${list(COMMANDS.values())[with_data[-1]][0]};
        end else if (take_read) begin
            reads       <= 1'b1;
            more        <= 1'b0;
            failed      <= 1'b0;
            fetch_op    <= ${fetch_op("status")};
            data_op     <= ${data_op("status")};
        end else if (data_done) begin
            failed      <= data_err;
            found       <= data_address;
        end else if (fetch_done) begin
            failed      <= failed | fetch_err;
            found       <= fetch_address;
        end
    end

    assign data_want  = phase == DATA;
    assign fetch_want = phase == FETCH;

    assign ${axil.prefix}_awready = take_write;
    assign ${axil.prefix}_wready  = take_write;
    assign ${axil.prefix}_bvalid  = phase == ANSWER & !reads;
    assign ${axil.prefix}_bresp   = {failed, 1'b0};

    // Registers that are read at once
    reg  [31:0] shown;
    reg  known;

    always @* begin
        known = 1'b1;
        shown = 32'd0;
        case (from)
            STATE: shown[0] = !rest;
            ICACHE_POLICY, DCACHE_POLICY, COMMAND: shown = 32'd0;
% for number, stream, field in shown:
            ${index_bits}'d${number}: shown = ${stream.name}_data[${stream.offset(field) + 31}:${stream.offset(field)}];
% endfor
            default: known = from[${index_bits - 1}:${block_bits}] == BASE[${index_bits - 1}:${block_bits}];
        endcase
    end

    reg  [31:0] rdata;
    reg  rfailed;

    always @(posedge clk) begin
        if (rst) begin
            read_busy  <= 1'b0;
            read_ready <= 1'b0;
        end else begin
            read_busy  <= read_busy ? !(read_ready & ${axil.prefix}_rready) : ${axil.prefix}_arvalid;
            read_ready <= read_ready ? !${axil.prefix}_rready : read_busy & (!from_status | (phase == ANSWER & reads));
        end
        if (!read_busy)
            from <= ${axil.prefix}_araddr[${axil.address_bits - 1}:${low}];
        if (!read_ready) begin
            rdata   <= from_status ? {found, 1'b0, failed} : shown;
            rfailed <= !from_status & !known;
        end
    end

    assign ${axil.prefix}_arready = !read_busy;
    assign ${axil.prefix}_rvalid  = read_ready;
    assign ${axil.prefix}_rdata   = rdata;
    assign ${axil.prefix}_rresp   = {rfailed, 1'b0};

    wire unused = &{1'b0, ${axil.prefix}_awprot, ${axil.prefix}_arprot, ${axil.prefix}_awaddr[1:0], ${axil.prefix}_araddr[1:0]};

endmodule
