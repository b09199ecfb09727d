// SPDX-License-Identifier: Apache-2.0
// What Python and the replay harnesses hand to each other, and how words move between arrays and ports.
// The structures have twins in tb/common/replay/machine.py.
#pragma once
#include <cstdint>
#include <cstring>

#include "verilated.h"

enum Status : int { MORE, DONE, DEADLOCK, SURPLUS, BAD_BURST, FATAL };

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

// How far the memory may leave the order of requests: not at all; bursts of different ids; their beats, too
enum Order : uint64_t { BY_REQUEST, BY_ID, BY_BEAT };

struct Options {
    uint64_t random_state;    // seed of the flip-flops' and RAMs' first contents, and of the order of responses
    uint64_t patience;        // cycles without a request, result or data beat that count as a deadlock
    uint64_t latency;         // memory: cycles from address handshake to first beat, from last write beat to response
    uint64_t gap;             // memory: idle cycles after each beat of read data and each response
    uint64_t contents_seed;   // memory: of all words outside the image
    uint64_t image_start;     // memory: word address of the image
    uint64_t image_words;
    const uint32_t* image;
    uint64_t line_bytes;      // memory: the unit of `poisoned`
    uint64_t poisoned_count;  // memory: lines whose bursts are answered with SLVERR
    const uint64_t* poisoned; // their addresses, sorted
    uint64_t order;           // memory: Order
    Pattern request, result, address, data, write_address, write_data, response;
    const char* plusarg;      // for the model, or null
};

constexpr uint64_t EACH = ~uint64_t(0);

// What one port is asked in a run, how far it came, and room for what happens in one call
struct PortRun {
    const uint32_t* requests;
    uint64_t count;                 // requests
    const uint32_t* state;          // words for the port's state stream,
    const uint64_t* before;         // each with the number of the request that it comes before
    uint64_t states;
    uint64_t sent, stated, answered; // in all
    uint32_t *results, *events;
    uint64_t *result_cycle, *request_cycle, *mark_cycle;
    uint64_t new_results, new_events, new_requests, new_marks;
    uint64_t due;                   // results in all; EACH: one for each request
    const uint64_t* earliest;       // for each request the cycle of the run in which it may first be offered, or null

    bool open() const { return answered != (due == EACH ? count : due) || sent != count; }
    bool may_come() const { return answered != (due == EACH ? sent : due); }
    bool state_is_next() const { return stated < states && before[stated] == sent; }
    bool is_time(uint64_t cycle) const { return !earliest || earliest[sent] <= cycle; }
};

// What one AXI port asked for in one call: byte addresses of the bursts
struct AxiRun {
    uint64_t *reads, *writes;
    uint64_t new_reads, new_writes;
};

// One run, in several calls
struct Run {
    PortRun* ports;
    AxiRun* axi;
    uint64_t tail;            // cycles to go on after the last result, in which no other may come
    uint64_t room;            // rows of each array
    uint64_t begun, surplus;  // whether it was called before; the port with a result that nobody asked for
};

// Appends to an array with `room` for so many; whether it is full then
inline bool append(uint64_t* array, uint64_t& count, uint64_t value, uint64_t room) {
    array[count] = value;
    return ++count == room;
}

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
