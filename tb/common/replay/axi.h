// SPDX-License-Identifier: Apache-2.0
// The memory's side of an AXI4 port: answers INCR bursts of the bus's width, each id in order.
//
// A read is answered with what memory held when its address was taken, a write changes memory when its response is
// offered: as late as AXI lets it be, so that a design which does not wait for the response reads stale bytes.
// `Pins` (generated, harness.cpp.mako) names the port's signals. A cycle: drive, settle, sample, clock edge, after.
#pragma once
#include <deque>
#include <string>
#include <type_traits>
#include <vector>

#include "memory.h"

constexpr std::size_t OPEN = 1024; // bursts on their way before a channel takes no more
constexpr unsigned SLVERR = 2;

// Cycles since anything moved. Beats of memory count only so often: a design may read for ever.
struct Progress {
    uint64_t patience, quiet = 0, beats = 0;
    void moved() { quiet = beats = 0; }
    void beat() { if (++beats < patience) quiet = 0; }
};

// What all AXI ports share
struct World {
    const Options& options;
    Memory& memory;
    Progress& progress;
    uint64_t random;
    std::string fault{}; // what the first illegal burst was, in words

    std::size_t below(std::size_t limit) { // a random number (xorshift)
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        return random % limit;
    }
};

// Which open burst is answered next; open.size() if none is due
template <class Bursts> std::size_t next_due(const Bursts& open, uint64_t cycle, World& world) {
    if (world.options.order == BY_REQUEST) return !open.empty() && open.front().due <= cycle ? 0 : open.size();
    std::size_t chosen = open.size(), candidates = 0;
    for (std::size_t i = 0; i < open.size(); ++i) {
        bool first = std::none_of(open.begin(), open.begin() + i, [&](const auto& other) { return other.id == open[i].id; });
        if (first && open[i].due <= cycle && world.below(++candidates) == 0) chosen = i;
    }
    return chosen;
}

// The first rule that the burst on an address channel breaks; null if none
template <class Channel, class Top> const char* broken_rule(Top& top, unsigned bytes) {
    uint64_t address = Channel::addr(top), length = (Channel::len(top) + 1u) * bytes;
    if (Channel::burst(top) != 1) return "is not INCR";
    if (1u << Channel::size(top) != bytes) return "is not of the bus's width";
    if (address % bytes) return "is not aligned";
    if (address % Memory::PAGE + length > Memory::PAGE) return "crosses a boundary of 4 KB";
    if (Channel::lock(top) || Channel::cache(top) != 3 || Channel::prot(top) || Channel::qos(top))
        return "has other attributes than normal memory";
    return nullptr;
}

template <class Channel, class Top> void check(Top& top, unsigned bytes, const char* what, World& world) {
    if (const char* rule = broken_rule<Channel>(top, bytes); rule && world.fault.empty())
        world.fault = std::string("an AXI ") + what + " burst at byte address " + std::to_string(Channel::addr(top)) + " " + rule;
}

// Channels AR and R. `captures`: memory can be written while a read is on its way.
template <class Pins, class Top, bool captures> class Reads {
    using AR = typename Pins::AR;
    using R = typename Pins::R;
    static constexpr unsigned BYTES = sizeof(R::data(std::declval<Top&>()));
    struct Burst {
        uint64_t address, due;
        unsigned beats, id, sent;
        bool error;
        std::vector<uint8_t> bytes; // if captured
    };

  public:
    explicit Reads(World& given) : world(given), address(given.options.address), data(given.options.data) {}

    void forget(Top& top) { open.clear(), AR::ready(top) = R::valid(top) = 0; }

    void drive(Top& top, uint64_t cycle) {
        bool active = data.next();
        AR::ready(top) = address.next() && open.size() < OPEN;
        if (R::valid(top) || !active || cycle < free_from) return;
        bool goes_on = current < open.size() && open[current].sent && world.options.order != BY_BEAT;
        if (!goes_on) current = next_due(open, cycle, world);
        if (current == open.size()) return;
        Burst& burst = open[current];
        uint32_t words[(BYTES + 3) / 4] = {};
        uint8_t* bytes = reinterpret_cast<uint8_t*>(words);
        if constexpr (captures) std::memcpy(bytes, burst.bytes.data() + burst.sent * BYTES, BYTES);
        else world.memory.template read<BYTES>(burst.address + burst.sent * BYTES, bytes);
        put(R::data(top), words);
        R::id(top) = burst.id;
        R::resp(top) = burst.error ? SLVERR : 0;
        R::last(top) = burst.sent + 1 == burst.beats;
        R::valid(top) = 1;
    }

    void sample(Top& top, uint64_t cycle, AxiRun* run, uint64_t room, bool& full) {
        taken = R::valid(top) && R::ready(top);
        if (!AR::valid(top) || !AR::ready(top)) return;
        check<AR>(top, BYTES, "read", world);
        uint64_t start = AR::addr(top);
        unsigned beats = AR::len(top) + 1u;
        open.push_back({start, cycle + world.options.latency, beats, unsigned(AR::id(top)), 0, world.memory.is_poisoned(start), {}});
        if constexpr (captures) {
            std::vector<uint8_t>& bytes = open.back().bytes;
            bytes.resize(beats * BYTES);
            for (unsigned at = 0; at < beats * BYTES; at += BYTES) world.memory.template read<BYTES>(start + at, &bytes[at]);
        }
        if (run && !stale) full |= append(run->reads, run->new_reads, start, room);
        stale = false;
    }

    // A reset of the block ends: an address that waits now is from before it, and no read of what comes after
    void released(Top& top) { stale = AR::valid(top); }

    void after(Top& top, uint64_t cycle) {
        if (!taken) return;
        R::valid(top) = 0;
        free_from = cycle + world.options.gap;
        if (++open[current].sent == open[current].beats) open.erase(open.begin() + current);
        world.progress.beat();
    }

  private:
    World& world;
    Pattern address, data;
    bool stale = false; // the address that waits is from before a reset
    std::deque<Burst> open;
    std::size_t current = 0; // the burst whose beat is offered, or was last
    uint64_t free_from = 0;  // the cycle from which a beat may be offered
    bool taken = false;
};

// Channels AW, W and B; data may come before its address.
template <class Pins, class Top> class Writes {
    using AW = typename Pins::AW;
    using W = typename Pins::W;
    using B = typename Pins::B;
    static constexpr unsigned BYTES = sizeof(W::data(std::declval<Top&>()));
    struct Data {
        std::vector<uint8_t> bytes, strobes; // one of each per byte of the burst
    };
    struct Burst {
        uint64_t address, due;
        std::size_t length; // bytes
        unsigned id;
        bool error;
        Data data;
    };

  public:
    explicit Writes(World& given)
        : world(given), address(given.options.write_address), data(given.options.write_data), response(given.options.response) {}

    void forget(Top& top) {
        asked.clear(), complete.clear(), open.clear(), filling = {};
        AW::ready(top) = W::ready(top) = B::valid(top) = 0;
    }

    bool busy() const { return asked.size() || complete.size() || open.size() || filling.bytes.size(); }

    void drive(Top& top, uint64_t cycle) {
        AW::ready(top) = address.next() && asked.size() < OPEN;
        W::ready(top) = data.next() && complete.size() < OPEN;
        bool active = response.next();
        if (B::valid(top) || !active || cycle < free_from) return;
        current = next_due(open, cycle, world);
        if (current == open.size()) return;
        const Burst& burst = open[current];
        for (std::size_t at = 0; at < burst.length && !burst.error; at += BYTES)
            world.memory.template write<BYTES>(burst.address + at, &burst.data.bytes[at], &burst.data.strobes[at]);
        B::id(top) = burst.id;
        B::resp(top) = burst.error ? SLVERR : 0;
        B::valid(top) = 1;
    }

    void sample(Top& top, uint64_t cycle, AxiRun* run, uint64_t room, bool& full) {
        taken = B::valid(top) && B::ready(top);
        if (AW::valid(top) && AW::ready(top)) {
            check<AW>(top, BYTES, "write", world);
            uint64_t start = AW::addr(top);
            asked.push_back({start, 0, (AW::len(top) + 1u) * BYTES, unsigned(AW::id(top)), world.memory.is_poisoned(start), {}});
            if (run) full |= append(run->writes, run->new_writes, start, room);
        }
        if (W::valid(top) && W::ready(top)) take_beat(top);
        while (asked.size() && complete.size()) pair(cycle);
    }

    void after(Top& top, uint64_t cycle) {
        if (!taken) return;
        B::valid(top) = 0;
        free_from = cycle + world.options.gap;
        open.erase(open.begin() + current);
        world.progress.beat();
    }

  private:
    World& world;
    Pattern address, data, response;
    std::deque<Burst> asked, open;   // without their data; awaiting their response
    std::deque<Data> complete;       // awaiting their address
    Data filling;
    std::size_t current = 0;         // the burst whose response is offered
    uint64_t free_from = 0;
    bool taken = false;

    void take_beat(Top& top) {
        uint32_t words[(BYTES + 3) / 4];
        get(W::data(top), words);
        const uint8_t* bytes = reinterpret_cast<const uint8_t*>(words);
        filling.bytes.insert(filling.bytes.end(), bytes, bytes + BYTES);
        for (unsigned i = 0; i < BYTES; ++i) filling.strobes.push_back(bit(W::strb(top), i));
        world.progress.beat();
        if (W::last(top)) complete.push_back(std::move(filling)), filling = {};
        else if (filling.bytes.size() > 256 * BYTES) fault("more than 256 beats without WLAST");
    }

    void pair(uint64_t cycle) {
        Burst burst = std::move(asked.front());
        burst.data = std::move(complete.front());
        burst.due = cycle + world.options.latency;
        asked.pop_front(), complete.pop_front();
        if (burst.data.bytes.size() != burst.length)
            fault("WLAST with beat " + std::to_string(burst.data.bytes.size() / BYTES) + " of " + std::to_string(burst.length / BYTES));
        else open.push_back(std::move(burst));
    }

    void fault(const std::string& what) {
        if (world.fault.empty()) world.fault = "an AXI write burst has " + what;
    }
};

// In the place of channels that a port does not have
template <class Top> struct NoChannels {
    explicit NoChannels(World&) {}
    void forget(Top&) {}
    void released(Top&) {}
    bool busy() const { return false; }
    void drive(Top&, uint64_t) {}
    void sample(Top&, uint64_t, AxiRun*, uint64_t, bool&) {}
    void after(Top&, uint64_t) {}
};
