// SPDX-License-Identifier: Apache-2.0
// What the replay harnesses of all blocks share: the structures that Python fills in, and the AXI4 read memory.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "verilated.h"

enum Status : int { MORE, DONE, DEADLOCK, SURPLUS, BAD_BURST, FATAL };

// The structures have twins in tb/common/replay/machine.py.

// Active (1) and idle (0) cycles of a channel, over and over
struct Pattern {
    const uint8_t* active;
    uint64_t length, at;
    bool next() {
        bool now = active[at];
        if (++at == length) at = 0;
        return now;
    }
};

struct Options {
    uint64_t random_state;    // seed of the flip-flops' and RAMs' first contents
    uint64_t patience;        // cycles without a request, result or data beat that count as a deadlock
    uint64_t latency;         // memory: cycles from address handshake to first beat
    uint64_t gap;             // memory: idle cycles after each beat
    uint64_t contents_seed;   // memory: of all words outside the image
    uint64_t image_start;     // memory: word address of the image
    uint64_t image_words;
    const uint32_t* image;
    uint64_t poisoned_count;  // memory: bursts that answer with SLVERR
    const uint64_t* poisoned; // their byte addresses, sorted
    Pattern request, result, address, data;
    const char* plusarg;      // for the model, or null
};

// What one port is asked in a run, how far it came, and room for what happens in one call
struct PortRun {
    const uint32_t* requests;
    uint64_t count;                 // requests, hence results
    const uint32_t* state;          // words for the port's state stream,
    const uint64_t* before;         // each with the number of the request that it comes before
    uint64_t states;
    uint64_t sent, stated, answered; // in all
    uint32_t *results, *events;
    uint64_t *result_cycle, *request_cycle, *mark_cycle;
    uint64_t new_results, new_events, new_requests, new_marks;

    bool state_is_next() const { return stated < states && before[stated] == sent; }
};

// One run, in several calls
struct Run {
    PortRun* ports;
    uint64_t tail;            // cycles to go on after the last result, in which no other may come
    uint64_t room;            // rows of each array
    uint64_t* reads;          // byte addresses of the bursts
    uint64_t new_reads;
    uint64_t begun, surplus;  // whether it was called before; the port with a result that nobody asked for
};

// Ports of up to 64 bits are integers, wider ones arrays of 32-bit words.
template <class Port> void put(Port& port, const uint32_t* words) {
    if constexpr (sizeof(Port) <= 4) port = Port(words[0]);
    else port = words[0] | uint64_t(words[1]) << 32;
}
template <std::size_t N> void put(VlWide<N>& port, const uint32_t* words) { std::memcpy(port.data(), words, 4 * N); }
template <class Port> void get(const Port& port, uint32_t* words) {
    words[0] = uint32_t(port);
    if constexpr (sizeof(Port) > 4) words[1] = uint32_t(port >> 32);
}
template <std::size_t N> void get(const VlWide<N>& port, uint32_t* words) { std::memcpy(words, port.data(), 4 * N); }
template <class Port> bool bit(const Port& port, unsigned number) { return uint64_t(port) >> number & 1; }
template <std::size_t N> bool bit(const VlWide<N>& port, unsigned number) { return port[number / 32] >> number % 32 & 1; }

// Answers INCR bursts in order; a burst's first beat comes `latency` cycles after its address or when the bursts
// before it have left, and `gap` idle cycles follow every beat.
class Memory {
  public:
    struct Burst {
        uint64_t address, due;
        unsigned beats, id;
        bool error;
    };

    explicit Memory(const Options& given) : options(given), bursts(1024) {}

    bool full() const { return newest - oldest == bursts.size(); }

    void accept(uint64_t address, unsigned beats, unsigned id, uint64_t cycle) {
        bool error = std::binary_search(options.poisoned, options.poisoned + options.poisoned_count, address);
        bursts[newest++ % bursts.size()] = {address, cycle + options.latency, beats, id, error};
    }

    // Whether a beat is due in this cycle
    bool due(uint64_t cycle) const { return oldest != newest && cycle >= front().due && cycle >= next_beat; }
    const Burst& front() const { return bursts[oldest % bursts.size()]; }
    bool last() const { return beat + 1 == front().beats; }

    // The words of the beat that is due
    template <unsigned N> void read(uint32_t (&data)[N]) const {
        uint64_t first = (front().address >> 2) + uint64_t(beat) * N;
        for (unsigned i = 0; i < N; ++i) data[i] = word(first + i);
    }

    // That beat was taken in the cycle before `cycle`
    void taken(uint64_t cycle) {
        next_beat = cycle + options.gap;
        if (++beat == front().beats) ++oldest, beat = 0;
    }

  private:
    const Options& options;
    std::vector<Burst> bursts; // a ring
    uint64_t oldest = 0, newest = 0, next_beat = 0;
    unsigned beat = 0;         // of the oldest burst

    uint32_t word(uint64_t address) const {
        uint64_t index = address - options.image_start; // wraps to a huge number below the image
        return index < options.image_words ? options.image[index] : hashed(uint32_t(options.contents_seed), uint32_t(address));
    }

    static uint32_t hashed(uint32_t seed, uint32_t word) { // as models/memory.py: word
        uint32_t x = word ^ (seed * 0x9E3779B1u);
        x = (x ^ x >> 16) * 0x7FEB352Du;
        x = (x ^ x >> 15) * 0x846CA68Bu;
        return x ^ x >> 16;
    }
};
