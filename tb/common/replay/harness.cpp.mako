// SPDX-License-Identifier: Apache-2.0
// Trace replay of ${top}: the Verilated model, its clock and its memory behind a C interface.
//
// Generated from the block's port description by tb/common/replay/library.py. Python hands over arrays of packed
// words; nothing here knows what they mean. A cycle: inputs change while the clock is low, everything settles,
// handshakes are sampled, the clock rises.
#include <memory>
#include <stdexcept>
#include <string>

#include "V${top}.h"
#include "harness.h"
<%
    lanes = {name: (stream.width + 31) // 32 for name, stream in streams.items()}
    near, far = streams[ports[0].request].clock, next(iter(clocks))   # of the requests; of memory and events
    two = near != far
%>
// $stop, $finish and fatal errors of the model end the run, not the process.
[[noreturn]] static void give_up(const char* file, int line, const std::string& what) {
    throw std::runtime_error(what + " at " + file + ":" + std::to_string(line));
}
void vl_finish(const char* file, int line, const char*) { give_up(file, line, "$finish"); }
void vl_stop(const char* file, int line, const char*) { give_up(file, line, "$stop"); }
void vl_fatal(const char* file, int line, const char*, const char* text) { give_up(file, line, text); }

namespace {

class Replay {
  public:
    explicit Replay(const Options& given) : options(given), memory(options) {
        context.randReset(2); // random, so that nothing can rest on what a flip-flop happens to start with
        context.randSeed(int(options.random_state));
        const char* arguments[] = {"replay", options.plusarg};
        if (options.plusarg) context.commandArgs(2, arguments);
        top = std::make_unique<V${top}>(&context);
        top->${axi}_arready = 0;
        top->${axi}_rvalid = 0;
        top->${axi}_rst = 1;
        reset();
    }

    // Also forgets whatever is offered. Memory goes on answering, but for the first time.
    void reset() {
% for clock in clocks:
        top->${clock.replace("clk", "rst")} = 1;
% endfor
% for name, stream in streams.items():
% if stream.direction == "in":
        top->${name}_valid = 0;
% elif stream.ready:
        top->${name}_ready = 0;
% endif
% endfor
        for (int i = 0; i < ${32 if two else 4}; ++i) {
            catch_up();
            if (!top->${axi}_rst) drive_memory();
            settle();
            if (top->${axi}_rst) rise();
            else pass();
        }
        top->${axi}_rst = 0;
% for clock in clocks:
        top->${clock.replace("clk", "rst")} = 0;
% endfor
        settle();
        stale_address = top->${axi}_arvalid;
    }

    void idle(uint64_t cycles) {
        for (; cycles; --cycles) catch_up(), drive_memory(), settle(), pass();
    }

    // Sends words to a stream other than the requests; false if it stays unready for too long.
    bool feed(int stream, const uint32_t* words, uint64_t count) {
        for (uint64_t i = 0, waited = 0; i < count; ++waited) {
            if (waited > options.patience) return false;
            bool taken = false;
% if two:
            while (!near_is_next()) drive_memory(), settle(), pass();
% else:
            drive_memory();
% endif
% for index, name in enumerate(writable):
            if (stream == ${index}) {
                top->${name}_valid = 1;
% if lanes[name]:
                put(top->${name}_data, words + i * ${lanes[name]});
% endif
                ${"near_settle" if two else "settle"}();
                taken = top->${name}_ready;
            }
% endfor
            ${"near_rise" if two else "pass"}();
            if (taken) ++i, waited = 0;
        }
% for name in writable:
        top->${name}_valid = 0;
% endfor
        return true;
    }

    // Until all is answered or an array is full
    Status run(Run& r) {
        r.new_reads = 0;
        for (PortRun* port = r.ports; port != r.ports + ${len(ports)}; ++port)
            port->new_results = port->new_events = port->new_requests = port->new_marks = 0;
        if (!r.begun) moved();
        r.begun = 1;
        for (bool full = false; !full;) {
% if two:
            while (!full && !near_is_next())
                if (!far_cycle(r, full)) return BAD_BURST;
            if (full) break;
% endif
            bool may_offer = options.request.next(), may_take = options.result.next(); // in every cycle
% for number, port in enumerate(ports):
            offer_${number}(r.ports[${number}], may_offer, may_take);
% endfor
% if two:
            near_settle();
% else:
            drive_memory();
            settle();
% endif
% for number, port in enumerate(ports):
            if (!sample_${number}(r.ports[${number}], r.room, full)) {
                r.surplus = ${number};
                return SURPLUS;
            }
% endfor
% if two:
            near_rise();
% else:
            if (!observe(r, full)) return BAD_BURST;
            pass();
% endif
% for number, port in enumerate(ports):
            withdraw_${number}();
% endfor
            if (++quiet > r.tail && ${" && ".join("r.ports[%d].answered == r.ports[%d].count" % (n, n) for n in range(len(ports)))}) return DONE;
            if (quiet > options.patience) return DEADLOCK;
        }
        return MORE;
    }

% for number, port in enumerate(ports):
% if port.counters:
    void counters_${number}(uint32_t* words) { get(top->${port.counters}_data, words); }
% endif
% endfor

    uint64_t cycle = 0;
    uint64_t origin = 0; // the first cycle after reset
    std::string message;

  private:
    VerilatedContext context;
    std::unique_ptr<V${top}> top;
    Options options;
    Memory memory;
    uint64_t quiet = 0; // cycles since anything moved
    bool stale_address = false; // one from before the last reset waits: no read of what is asked after it
    uint64_t beats = 0; // of memory since a request or a result moved: a design may read for ever
    void moved() { quiet = beats = 0; }
% for number, port in enumerate(ports):
    bool accepted_${number} = false, state_accepted_${number} = false;

    // Before the clock edge: a new request, or the state that comes before it
    void offer_${number}(const PortRun& r, bool may_offer, bool may_take) {
% if port.state:
        if (may_offer && !top->${port.state}_valid && !top->${port.request}_valid && r.state_is_next()) {
            put(top->${port.state}_data, r.state + r.stated * ${lanes[port.state]});
            top->${port.state}_valid = 1;
        }
% endif
        if (may_offer && !top->${port.request}_valid && r.sent < r.count${" && !r.state_is_next()" if port.state else ""}) {
            put(top->${port.request}_data, r.requests + r.sent * ${lanes[port.request]});
            top->${port.request}_valid = 1;
        }
        top->${port.result}_ready = may_take;
    }

    // The handshakes of this cycle; false for a result that no request asked for
    bool sample_${number}(PortRun& r, uint64_t room, bool& full) {
% if port.state:
        state_accepted_${number} = top->${port.state}_valid && top->${port.state}_ready;
        if (state_accepted_${number}) ++r.stated, moved();
% endif
        accepted_${number} = top->${port.request}_valid && top->${port.request}_ready;
        if (accepted_${number}) {
            r.request_cycle[r.new_requests] = ${"near_cycle" if two else "cycle"};
            full |= ++r.new_requests == room;
            ++r.sent;
            moved();
        }
        if (top->${port.result}_valid && top->${port.result}_ready) {
            if (r.answered == r.sent) return false;
            get(top->${port.result}_data, r.results + r.new_results * ${lanes[port.result]});
            r.result_cycle[r.new_results] = ${"near_cycle" if two else "cycle"};
            full |= ++r.new_results == room;
            ++r.answered;
            moved();
        }
        return true;
    }

    // After the clock edge
    void withdraw_${number}() {
        if (accepted_${number}) top->${port.request}_valid = 0;
% if port.state:
        if (state_accepted_${number}) top->${port.state}_valid = 0;
% endif
    }

% endfor

    void settle() { top->${far} = 0; top->eval(); }
    void rise() {
% if resetting:
        if (top->${resetting}) origin = cycle + 1;
% endif
        top->${far} = 1;
        top->eval();
        ++cycle;
% if two:
        far_time += ${clocks[far]};
% endif
    }
% if two:

    // Two clocks: the one whose edge comes next has its cycle; times in picoseconds
    uint64_t near_cycle = 0, near_time = 1, far_time = 0;
    bool near_is_next() const { return near_time < far_time; }
    void near_settle() { top->${near} = 0; top->eval(); }
    void near_rise() { top->${near} = 1; top->eval(); ++near_cycle; near_time += ${clocks[near]}; }
    void catch_up() { while (near_is_next()) near_settle(), near_rise(); }
    bool far_cycle(Run& r, bool& full) {
        drive_memory();
        settle();
        bool legal = observe(r, full);
        pass();
        return legal;
    }
% else:
    void catch_up() {}
% endif

    // What the event port and the address channel show in this cycle; false if a burst is not as it should be
    bool observe(Run& r, bool& full) {
% for number, port in enumerate(ports):
% if port.event:
        if (top->${port.event}_valid) {
            PortRun& port = r.ports[${number}];
            get(top->${port.event}_data, port.events + port.new_events * ${lanes[port.event]});
            full |= ++port.new_events == r.room;
        }
% endif
% if port.mark:
        if (bit(top->${port.mark[0]}_data, ${streams[port.mark[0]].offset(port.mark[1])})) {
            PortRun& port = r.ports[${number}];
            port.mark_cycle[port.new_marks] = cycle;
            full |= ++port.new_marks == r.room;
        }
% endif
% endfor
        if (top->${axi}_arvalid && top->${axi}_arready) {
            if (!legal_burst()) return false;
            r.reads[r.new_reads] = top->${axi}_araddr;
            if (!stale_address) full |= ++r.new_reads == r.room;
        }
        return true;
    }

    bool legal_burst() const { // INCR, of the bus's width, aligned to it, normal memory
        constexpr unsigned bytes = sizeof(top->${axi}_rdata);
        bool plain = !top->${axi}_arlock && top->${axi}_arcache == 3 && !top->${axi}_arprot && !top->${axi}_arqos;
        return plain && top->${axi}_arburst == 1 && 1u << top->${axi}_arsize == bytes && top->${axi}_araddr % bytes == 0;
    }

    // The memory's side of this cycle; a beat on offer stays until it is taken
    void drive_memory() {
        bool active = options.data.next();
        top->${axi}_arready = options.address.next() && !memory.full();
        if (top->${axi}_rvalid || !active || !memory.due(cycle)) return;
        uint32_t data[sizeof(top->${axi}_rdata) / 4];
        memory.read(data);
        put(top->${axi}_rdata, data);
        top->${axi}_rid = memory.front().id;
        top->${axi}_rresp = memory.front().error ? 2 : 0; // SLVERR
        top->${axi}_rlast = memory.last();
        top->${axi}_rvalid = 1;
    }

    // The memory's handshakes of this cycle, and the clock edge that ends it
    void pass() {
        bool taken = top->${axi}_rvalid && top->${axi}_rready;
        if (top->${axi}_arvalid && top->${axi}_arready) {
            memory.accept(top->${axi}_araddr, unsigned(top->${axi}_arlen) + 1, top->${axi}_arid, cycle);
            stale_address = false;
        }
        rise();
        if (!taken) return;
        memory.taken(cycle);
        top->${axi}_rvalid = 0;
        if (++beats < options.patience) quiet = 0;
    }
};

// Runs `action` and keeps the text of what the model threw.
template <class Action> int guarded(Replay* self, Action action) {
    try {
        return action();
    } catch (const std::exception& error) {
        self->message = error.what();
        return FATAL;
    }
}

} // namespace

#define API extern "C" __attribute__((visibility("default")))
API Replay* replay_new(const Options* options) {
    try {
        return new Replay(*options);
    } catch (const std::exception&) {
        return nullptr;
    }
}
API void replay_delete(Replay* self) { delete self; }
API int replay_run(Replay* self, Run* run) { return guarded(self, [=] { return self->run(*run); }); }
API int replay_feed(Replay* self, int stream, const uint32_t* words, uint64_t count) {
    return guarded(self, [=] { return self->feed(stream, words, count) ? DONE : DEADLOCK; });
}
API int replay_idle(Replay* self, uint64_t cycles) { return guarded(self, [=] { self->idle(cycles); return DONE; }); }
API int replay_reset(Replay* self) { return guarded(self, [=] { self->reset(); return DONE; }); }
API uint64_t replay_cycle(const Replay* self) { return self->cycle; }
API uint64_t replay_origin(const Replay* self) { return self->origin; }
API const char* replay_message(const Replay* self) { return self->message.c_str(); }
API void replay_counters(Replay* self, int port, uint32_t* words) {
% for number, port in enumerate(ports):
% if port.counters:
    if (port == ${number}) self->counters_${number}(words);
% endif
% endfor
}
