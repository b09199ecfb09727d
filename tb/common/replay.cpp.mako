// SPDX-License-Identifier: Apache-2.0
// Trace replay of ${top}: the Verilated model, an AXI4 read memory and the clock, behind a C interface.
//
// Generated from the block's port description by tb/common/replay.py. Python hands over whole arrays of packed
// words; nothing here knows what they mean.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>

#include "V${top}.h"
#include "verilated.h"
<%
    lanes = {name: (stream.width + 31) // 32 for name, stream in streams.items()}
%>
namespace {

template <class Port> void put(Port& port, const uint32_t* words) {
    if constexpr (sizeof(Port) <= 4) port = words[0];
    else port = words[0] | uint64_t(words[1]) << 32;
}
template <std::size_t N> void put(VlWide<N>& port, const uint32_t* words) { std::memcpy(port.data(), words, 4 * N); }
template <class Port> void get(const Port& port, uint32_t* words) {
    words[0] = uint32_t(port);
    if constexpr (sizeof(Port) > 4) words[1] = uint32_t(port >> 32);
}
template <std::size_t N> void get(const VlWide<N>& port, uint32_t* words) { std::memcpy(words, port.data(), 4 * N); }

// Timing and contents of the memory; the same layout as tb/common/replay.py: Memory
struct MemoryArguments {
    uint64_t latency;        // cycles from address handshake to first data beat
    uint64_t gap;            // idle cycles after each beat
    uint64_t image_start;    // word address of the image
    uint64_t image_words;
    const uint32_t* image;
    uint64_t poisoned_lines;
    const uint64_t* poisoned; // byte addresses of the bursts to answer with SLVERR, sorted
    uint32_t seed;           // of the contents outside the image
};

// Pauses of each channel, out of 256; the same layout as tb/common/replay.py: Pauses
struct Pauses {
    uint32_t seed, request, result, address, data;
};

// One run; the same layout as tb/common/replay.py: Run
struct Run {
    uint64_t count;          // requests, and results
    const uint32_t* requests;
    uint32_t* results;
    uint64_t* request_cycle; // of each handshake
    uint64_t* result_cycle;
    uint64_t event_room;     // events that fit
    uint32_t* events;
    uint64_t event_count;
    uint64_t address_room;   // bursts that fit
    uint64_t* addresses;     // byte addresses of the bursts, in order
    uint64_t address_count;
    uint64_t requests_taken, results_seen; // how far the run came; a later call goes on from there
    uint64_t until;          // results after which to return (progress)
    uint64_t patience;       // cycles without any handshake that count as a deadlock
};

uint32_t hashed(uint32_t seed, uint32_t word) { // models/memory.py: word
    uint32_t x = word ^ (seed * 0x9E3779B1u);
    x = (x ^ x >> 16) * 0x7FEB352Du;
    x = (x ^ x >> 15) * 0x846CA68Bu;
    return x ^ x >> 16;
}

class Replay {
  public:
    explicit Replay(uint32_t random_reset_seed) {
        context.randReset(random_reset_seed ? 2 : 0);
        context.randSeed(int(random_reset_seed));
        top = std::make_unique<V${top}>(&context);
        reset();
    }

    void reset() {
        top->rst = 1;
% for name, stream in streams.items():
% if stream.direction == "in":
        top->${name}_valid = 0;
% elif stream.ready:
        top->${name}_ready = 0;
% endif
% endfor
        top->m_axi_arready = 0;
        top->m_axi_rvalid = 0;
        bursts.clear();
        offered = false;
        for (int i = 0; i < 4; ++i) edge();
        top->rst = 0;
    }

    void timing(const MemoryArguments& to) { memory = to; }
    void pauses(const Pauses& to) { pause = to; dice = to.seed | 1; }
    uint64_t now() const { return cycle; }

    // Counters, or any other vector that is always valid
    void counters(uint32_t* words) { settle(); get(top->perf_data, words); }

% for name, stream in streams.items():
% if stream.direction == "in" and name != request:
    // Writes words to stream ${name}, one after the other; false if it stays unready for long
    bool feed_${name}(uint64_t count, const uint32_t* words) {
        for (uint64_t i = 0, waited = 0; i < count; ++waited) {
            if (waited > 100000) return false;
            top->${name}_valid = 1;
% if stream.fields:
            put(top->${name}_data, words + i * ${lanes[name]});
% endif
            settle();
            if (top->${name}_ready) ++i, waited = 0;
            edge();
        }
        top->${name}_valid = 0;
        return true;
    }

% endif
% endfor
    // 0: done or result limit reached; 1: no handshake for too long; 2: more events or bursts than room
    int run(Run& r) {
        uint64_t quiet = 0;
        while (r.results_seen < std::min(r.until, r.count)) {
            bool offer = r.requests_taken < r.count && (offered || !rolled(pause.request));
            top->${request}_valid = offer;
            if (offer) put(top->${request}_data, r.requests + r.requests_taken * ${lanes[request]});
            top->${result}_ready = !rolled(pause.result);
            drive_memory();
            settle();

            bool moved = false;
            offered = offer; // an offered request stays until it is taken
            if (offer && top->${request}_ready) {
                offered = false;
                r.request_cycle[r.requests_taken++] = cycle;
                moved = true;
            }
            if (top->${result}_valid && top->${result}_ready) {
                get(top->${result}_data, r.results + r.results_seen * ${lanes[result]});
                r.result_cycle[r.results_seen++] = cycle;
                moved = true;
            }
% if event:
            if (top->${event}_valid) {
                if (r.event_count == r.event_room) return 2;
                get(top->${event}_data, r.events + r.event_count++ * ${lanes[event]});
            }
% endif
            if (top->m_axi_arvalid && top->m_axi_arready) {
                if (r.address_count == r.address_room) return 2;
                r.addresses[r.address_count++] = top->m_axi_araddr;
                accept_burst();
                moved = true;
            }
            bool beat = top->m_axi_rvalid && top->m_axi_rready;
            rise();
            if (beat) finish_beat();
            moved |= beat;
            if (moved) quiet = 0;
            else if (++quiet > r.patience) return 1;
        }
        top->${request}_valid = 0;
        return 0;
    }

  private:
    struct Burst {
        uint64_t address, due;
        unsigned beats, sent;
        bool error;
    };

    VerilatedContext context;
    std::unique_ptr<V${top}> top;
    MemoryArguments memory{};
    Pauses pause{};
    std::deque<Burst> bursts;
    uint64_t cycle = 0, next_data = 0;
    bool offered = false;
    uint64_t dice = 1;

    void settle() { top->clk = 0; top->eval(); }
    void edge() { settle(); rise(); }
    void rise() { top->clk = 1; top->eval(); ++cycle; }

    bool rolled(uint32_t out_of_256) { // xorshift64*
        if (!out_of_256) return false;
        dice ^= dice >> 12; dice ^= dice << 25; dice ^= dice >> 27;
        return (dice * 0x2545F4914F6CDD1DULL >> 56) < out_of_256;
    }

    uint32_t word(uint64_t address) const {
        uint64_t index = address - memory.image_start;
        return address >= memory.image_start && index < memory.image_words ? memory.image[index]
                                                                             : hashed(memory.seed, uint32_t(address));
    }

    void accept_burst() {
        uint64_t address = top->m_axi_araddr;
        bool error = std::binary_search(memory.poisoned, memory.poisoned + memory.poisoned_lines, address);
        bursts.push_back({address, cycle + memory.latency, unsigned(top->m_axi_arlen) + 1, 0, error});
    }

    void finish_beat() {
        Burst& burst = bursts.front();
        next_data = cycle + memory.gap; // the edge has counted the beat's own cycle
        top->m_axi_rvalid = 0;
        if (++burst.sent == burst.beats) bursts.pop_front();
    }

    void drive_memory() {
        top->m_axi_arready = !rolled(pause.address);
        if (top->m_axi_rvalid || bursts.empty()) return; // a beat that is offered stays
        const Burst& burst = bursts.front();
        if (cycle < std::max(burst.due, next_data) || rolled(pause.data)) return;
        constexpr unsigned words = ${data_bits // 32};
        std::array<uint32_t, words> data;
        uint64_t first = (burst.address >> 2) + burst.sent * words;
        for (unsigned i = 0; i < words; ++i) data[i] = word(first + i);
        put(top->m_axi_rdata, data.data());
        top->m_axi_rid = 0;
        top->m_axi_rresp = burst.error ? 2 : 0;
        top->m_axi_rlast = burst.sent + 1 == burst.beats;
        top->m_axi_rvalid = 1;
    }
};

} // namespace

extern "C" {
void* replay_new(uint32_t random_reset_seed) { return new Replay(random_reset_seed); }
void replay_delete(void* self) { delete static_cast<Replay*>(self); }
void replay_reset(void* self) { static_cast<Replay*>(self)->reset(); }
void replay_timing(void* self, const MemoryArguments* to) { static_cast<Replay*>(self)->timing(*to); }
void replay_pauses(void* self, const Pauses* to) { static_cast<Replay*>(self)->pauses(*to); }
int replay_run(void* self, Run* run) { return static_cast<Replay*>(self)->run(*run); }
uint64_t replay_cycle(void* self) { return static_cast<Replay*>(self)->now(); }
void replay_counters(void* self, uint32_t* words) { static_cast<Replay*>(self)->counters(words); }
% for name, stream in streams.items():
% if stream.direction == "in" and name != request:
int replay_feed_${name}(void* self, uint64_t count, const uint32_t* words) {
    return static_cast<Replay*>(self)->feed_${name}(count, words);
}
% endif
% endfor
}
