// SPDX-License-Identifier: Apache-2.0
// The ends of valid/ready streams: sources and sinks drive, channels watch. Twins of tb/common/components/stream.py.
//
// A cycle: drive at the falling edge, settle, sample; the handshake happens at the rising edge that follows.
#pragma once
#include <deque>

#include "pattern.h"
#include "pins.h"

struct Clock {
    Pin pin;
    uint64_t next = 0, half = 0;       // picoseconds
    std::deque<uint64_t> halves;       // instead of `half`, of a clock that drifts
    bool drifts = false;
    bool high = false, in_reset = true, axi_in_reset = true;
    uint32_t cycle = 0;
    uint32_t wake = ~0u;               // Python is called in this cycle before its sample,
    bool each_drive = false, each_sample = false; // or in each cycle

    uint64_t half_now() const { return drifts ? halves.front() : half; }
    void drop_half() { if (drifts) halves.pop_front(); }
};

// What Python gets to read, in the order in which it happened. An offer that is taken at once is a transfer alone
struct Records {
    enum Kind : uint32_t { TRANSFER, OFFER, WITHDRAWN, CHANGED, BAD_VALID, BAD_READY, BAD_DATA };
    static constexpr size_t HEADER = 4; // channel | kind << 8 | flag << 16 | has unknown bits << 17, waited, cycles
    std::vector<uint32_t> words;
    bool broken = false;

    template <class Clocks> uint32_t* add(uint32_t channel, Kind kind, uint32_t waited, bool flag, bool unknown,
                                          const Clocks& clocks, size_t count) {
        size_t at = words.size();
        words.resize(at + HEADER + count * (unknown ? 2 : 1));
        words[at] = channel | kind << 8 | uint32_t(flag) << 16 | uint32_t(unknown) << 17;
        words[at + 1] = waited;
        words[at + 2] = clocks[0].cycle, words[at + 3] = clocks.size() > 1 ? clocks[1].cycle : 0;
        broken |= kind > OFFER;
        return &words[at + HEADER];
    }
};

struct Channel {
    uint32_t number = 0;
    Clock* clock = nullptr;
    Pin valid, ready, flag;
    bool has_ready = false, has_flag = false;
    bool axi = false, tells_offers = false;
    Fields data;
    std::vector<uint32_t> strict;     // of AXI: mask of the bits that must be known
    // since the last reset
    uint32_t waited = 0, waits = 0, offered = 0;
    bool offering = false, was_valid = false;
    std::vector<uint32_t> first, now, unknown;
    bool awaited = false;             // Python is called when a transfer happens

    void begin() {
        size_t count = std::max(1, data.words());
        first.assign(2 * count, 0), now.assign(2 * count, 0);
    }

    // True if Python is to be called in this cycle
    template <class Clocks> bool sample(Records& records, const Clocks& clocks) {
        if (axi ? clock->axi_in_reset : clock->in_reset) { was_valid = false; return false; }
        int level = valid.level();
        size_t count = data.words();
        auto tell = [&](Records::Kind kind, bool bad) {
            uint32_t* to = records.add(number, kind, waited, flagged(), bad, clocks, count);
            std::memcpy(to, now.data(), 4 * count * (bad ? 2 : 1));
        };
        if (level == UNKNOWN) return tell(Records::BAD_VALID, false), true;
        if (axi && (level || was_valid) && ready.level() == UNKNOWN) return tell(Records::BAD_READY, false), true;
        was_valid = level;
        if (!level) {
            if (offering) return tell(Records::WITHDRAWN, false), true;
            return false;
        }
        bool bad = data.read(now.data(), now.data() + count);
        if (!bad) std::memset(now.data() + count, 0, 4 * count);
        if (bad && (axi ? !offering && breaks_strict(count) : true)) return tell(Records::BAD_DATA, true), true;
        if (offering && now != first) { // told with what it was, in the place of unknown bits
            std::memcpy(now.data() + count, first.data(), 4 * count);
            return tell(Records::CHANGED, true), true;
        }
        bool fresh = !offering;
        if (fresh) first = now, offering = true;
        ++offered;
        int taken = has_ready ? ready.level() : 1;
        if (fresh && tells_offers && taken != 1) tell(Records::OFFER, bad);
        if (taken == UNKNOWN) return tell(Records::BAD_READY, false), true;
        if (!taken) return ++waited, ++waits, false;
        tell(Records::TRANSFER, bad);
        offering = false, waited = 0;
        return awaited;
    }

  private:
    bool flagged() const { return has_flag && flag.level() == 1; }
    bool breaks_strict(size_t count) const {
        for (size_t i = 0; i < count; ++i)
            if (now[count + i] & strict[i]) return true;
        return false;
    }
};

struct Source {
    Clock* clock = nullptr;
    Pin valid, ready, data;
    bool has_data = false, held = false, eager = false, high = false;
    bool pending = false, offered = false;
    bool driving = false;             // from a word's arrival until the cycle after the last was taken
    std::deque<std::pair<uint32_t, std::vector<uint32_t>>> queue; // idle cycles before a word, and the word

    void begin() const {
        valid.write(0u);
        if (has_data) data.write(std::vector<uint32_t>(data.words()).data());
    }
    bool loaded() const { return pending && !gap && !offered; }
    // Puts a word on the pins, or takes it away, whatever the queue says
    void force(const uint32_t* word) {
        if (word && has_data) data.write(word);
        level(forced = word);
    }
    // Forgets its words; what is offered stays on the pins up to the next cycle if it is to. Returns the idle cycles
    // that were left before the first
    uint32_t drop(bool stay) {
        uint32_t left = gap;
        queue.clear(), advance(), offered = false;
        if (!stay) level(false);
        return left;
    }
    void push(uint32_t idle, const uint32_t* word) {
        forced = false;
        queue.emplace_back(idle, std::vector<uint32_t>(word, word + data.words()));
        if (!pending) advance();
    }
    void drive() {
        if (offered || forced) return;
        driving = pending;
        if (loaded() && !held && (eager || !clock->in_reset)) {
            if (has_data) data.write(queue.front().second.data());
            level(true);
            offered = true;
            return;
        }
        level(false);
        if (gap && !clock->in_reset) --gap;
    }
    // True when the last word has been taken
    bool sample() {
        if (!offered) return false;
        if (clock->in_reset) offered = false;
        else if (ready.level() == 1) {
            offered = false, queue.pop_front();
            advance();
            return !pending;
        }
        return false;
    }

  private:
    uint32_t gap = 0;
    bool forced = false;
    void advance() {
        pending = !queue.empty();
        gap = pending ? queue.front().first : 0;
    }
    void level(bool up) {
        if (up != high) high = up, valid.write(uint32_t(up));
    }
};

struct Sink {
    Clock* clock = nullptr;
    Pin ready;
    const Channel* channel = nullptr;
    Pattern pattern;
    bool patient = false, driving = false, high = true;

    void drive() {
        if (!driving) return;
        int now = pattern.next();
        driving = now >= 0;
        level(now == 1 && (!patient || channel->waited));
    }
    void level(bool up) {
        if (up != high) high = up, ready.write(uint32_t(up));
    }
};
