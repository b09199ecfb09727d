// SPDX-License-Identifier: Apache-2.0
// The memory's side of an AXI4 port: any burst, stalls, order, errors; each random choice is numpy's.
//
// docs/axi.md says how it behaves. A cycle: drive, settle, sample.
#pragma once
#include <deque>
#include <list>
#include <optional>
#include <set>

#include "contents.h"
#include "stream.h"

enum : uint32_t { OKAY = 0, SLVERR = 2, DECERR = 3 };
enum : uint32_t { FIXED = 0, INCR = 1, WRAP = 2 };

struct Burst {
    uint64_t address = 0;
    uint32_t beats = 0, size = 0, kind = INCR, id = 0;

    uint64_t aligned() const { return address >> size << size; }
    // First byte of a beat, and the one behind its last
    std::pair<uint64_t, uint64_t> beat(uint32_t number) const {
        uint64_t step = uint64_t(1) << size, bytes = beats * step;
        if (!number || kind == FIXED) return {address, aligned() + step};
        uint64_t first = aligned() + number * step;
        if (kind == WRAP) {
            uint64_t low = address / bytes * bytes;
            first = low + (first - low) % bytes;
        }
        return {first, first + step};
    }
};

// Which bursts are answered with an error: those that touch a poisoned piece of memory
struct Faults {
    std::map<uint64_t, std::set<uint64_t>> poisoned; // size of a piece -> numbers of pieces
    int beat = -1, response = -1;                    // -1: at random

    bool none() const {
        return std::all_of(poisoned.begin(), poisoned.end(), [](auto& pieces) { return pieces.second.empty(); });
    }
    std::vector<uint32_t> responses(const Burst& burst, bitgen_t* random) const {
        std::vector<uint32_t> answers(burst.beats, OKAY), failing;
        if (none()) return answers;
        for (uint32_t number = 0; number < burst.beats; ++number)
            if (fails(burst.beat(number))) failing.push_back(number);
        if (failing.empty()) return answers;
        uint32_t answer = response >= 0 ? uint32_t(response) : integer(random, 2) ? DECERR : SLVERR;
        uint64_t chosen = beat >= 0 ? uint64_t(beat) : integer(random, failing.size() + 1);
        if (chosen < failing.size()) failing = {failing[chosen]};
        for (uint32_t number : failing) answers[number] = answer;
        return answers;
    }
    uint32_t worst(const Burst& burst, bitgen_t* random) const {
        auto answers = responses(burst, random);
        return *std::max_element(answers.begin(), answers.end());
    }

  private:
    bool fails(std::pair<uint64_t, uint64_t> bytes) const {
        for (auto& [size, numbers] : poisoned) {
            auto at = numbers.lower_bound(bytes.first / size);
            if (at != numbers.end() && *at <= (bytes.second - 1) / size) return true;
        }
        return false;
    }
};

// Drives the ready of a channel by a pattern, unless it is held
struct ReadyLine {
    Pin pin;
    bitgen_t* random = nullptr;
    Pattern pattern;
    bool held = false, rests_low = false, patient = false, high = false;

    void reset() { high = !(held || patient || rests_low), pin.write(uint32_t(high)); }
    void drive(bool waiting, bool allowed = true) {
        bool up = pattern.next() == 1 && allowed && !held && (waiting || !patient);
        if (up != high) high = up, pin.write(uint32_t(up));
    }
};

struct AddressPins {
    Pin valid, address, length, size, burst, id;
    Burst read() const {
        uint32_t low[2] = {}, unknown[2];
        auto number = [&](const Pin& pin) {
            low[0] = low[1] = 0;
            pin.read(low, unknown);
            return uint64_t(low[1]) << 32 | low[0];
        };
        Burst made;
        made.address = number(address), made.beats = uint32_t(number(length)) + 1, made.size = uint32_t(number(size));
        made.kind = uint32_t(number(burst)), made.id = uint32_t(number(id));
        return made;
    }
};

// Which of `waiting`, the oldest first, is answered: the first, or with `reorder` that of any id
template <class Answers> auto choose(Answers& waiting, uint32_t now, bool reorder, bitgen_t* random) {
    auto none = waiting.end();
    if (!reorder) return !waiting.empty() && waiting.front().due <= now ? waiting.begin() : none;
    std::vector<decltype(none)> first; // of each id the oldest; ids as they come from the youngest on
    for (auto at = waiting.end(); at != waiting.begin();) {
        --at;
        auto same = std::find_if(first.begin(), first.end(), [&](auto& other) { return other->id == at->id; });
        if (same == first.end()) first.push_back(at);
        else *same = at;
    }
    std::erase_if(first, [&](auto& each) { return each->due > now; });
    return first.empty() ? none : first[integer(random, first.size())];
}

struct Timing {
    uint32_t latency = 0, gap = 0;
};

struct ReadSide {
    struct Answer {
        uint32_t id, due;
        std::deque<std::pair<std::vector<uint8_t>, uint32_t>> beats; // data, response
    };
    Contents* contents = nullptr;
    const Faults* faults = nullptr;
    bitgen_t* random = nullptr;
    unsigned bus_bytes = 0;
    AddressPins asks;
    Pin rvalid, rready, rid, rdata, rresp, rlast;
    ReadyLine address;
    Pattern pauses;
    uint64_t jitter = 0;
    Timing timing;
    bool reorder = false, interleave = false, held = false;
    std::list<Answer> open;

    void reset() {
        open.clear(), current = open.end();
        free = 0, driving = valid = asked = false;
        rvalid.write(0u);
        address.reset();
    }
    bool loaded(uint32_t now) const {
        return std::any_of(open.begin(), open.end(), [&](auto& answer) { return answer.due <= now; });
    }
    void drive(uint32_t now) {
        address.drive(asked);
        if (!driving) offer(now);
    }
    bool sample(uint32_t now) {
        if (driving && rready.level() == 1 && current != open.end()) {
            current->beats.pop_front();
            if (current->beats.empty()) open.erase(current), current = open.end();
            driving = false;
            free = now + 1 + timing.gap;
        }
        bool offered = asks.valid.level() == 1;
        if (offered && address.high) accept(now);
        asked = offered && !address.high;
        return offered || valid || !open.empty();
    }

  private:
    std::list<Answer>::iterator current;
    uint32_t free = 0;
    bool driving = false, valid = false, asked = false;

    void offer(uint32_t now) {
        auto next = current;
        if (!open.empty() && (next == open.end() || interleave)) {
            next = choose(open, now, reorder || interleave, random);
            if (next != open.end() && next != current) rid.write(next->id);
            current = next;
        }
        driving = current != open.end() && now >= free && !held && pauses.next() == 1;
        if (driving || valid) rvalid.write(uint32_t(driving)), valid = driving;
        if (driving) {
            auto& [data, response] = current->beats.front();
            uint32_t words[64] = {};
            std::memcpy(words, data.data(), data.size());
            rdata.write(words), rresp.write(response), rlast.write(uint32_t(current->beats.size() == 1));
        }
    }
    void accept(uint32_t now) {
        uint64_t more = jitter ? integer(random, jitter + 1) : 0;
        Burst burst = asks.read();
        Answer answer{burst.id, uint32_t(now + timing.latency + more), {}};
        std::vector<std::vector<uint8_t>> data(burst.beats, std::vector<uint8_t>(bus_bytes));
        for (uint32_t i = 0; i < burst.beats; ++i)
            contents->read(burst.beat(i).first / bus_bytes * bus_bytes, data[i].data(), bus_bytes);
        auto responses = faults->responses(burst, random);
        for (uint32_t i = 0; i < burst.beats; ++i) answer.beats.emplace_back(std::move(data[i]), responses[i]);
        open.push_back(std::move(answer));
    }
};

struct WriteSide {
    enum Order { ANY, ADDRESS_FIRST, DATA_FIRST };
    struct Beat {
        std::vector<uint8_t> data, strobes;
    };
    struct Write {
        Burst burst;
        uint32_t id;
        std::vector<Beat> beats;
        uint32_t due = 0, response = 0;
        bool stored = false;
    };
    Contents* contents = nullptr;
    const Faults* faults = nullptr;
    Faults refusals;
    bitgen_t* random = nullptr;
    unsigned bus_bytes = 0;
    AddressPins asks;
    Pin wvalid, wdata, wstrb, bvalid, bready, bid, bresp;
    ReadyLine address, data;
    Pattern pauses;
    uint64_t jitter = 0;
    Timing timing;
    Order order = ANY;
    bool reorder = false, held = false;
    std::list<Write> answers;

    void reset() {
        filling.clear(), early.clear(), answers.clear();
        free = 0, offered = answers.end();
        asked = sent = valid = false;
        bvalid.write(0u);
        address.reset(), data.reset();
    }
    void wait_for(Order first) {
        order = first;
        address.rests_low = order == DATA_FIRST, data.rests_low = order == ADDRESS_FIRST;
        if (!outstanding()) address.reset(), data.reset();
    }
    uint32_t outstanding() const { return uint32_t(filling.size() + answers.size() + !early.empty()); }
    bool loaded(uint32_t now) const {
        return std::any_of(answers.begin(), answers.end(), [&](auto& write) { return write.due <= now; });
    }
    void drive(uint32_t now) {
        bool need_address = order == ADDRESS_FIRST && filling.empty();
        bool need_data = order == DATA_FIRST && !(sent || !early.empty());
        address.drive(asked, !need_data);
        data.drive(sent, now >= free && !need_address);
        if (offered == answers.end()) offer(now);
    }
    bool sample(uint32_t now) {
        if (offered != answers.end() && !offered->stored) store(*offered);
        if (offered != answers.end() && bready.level() == 1) answers.erase(offered), offered = answers.end();
        bool asks_now = asks.valid.level() == 1, sends_now = wvalid.level() == 1;
        if (asks_now && address.high) {
            Burst burst = asks.read();
            filling.push_back({burst, burst.id, {}, 0, 0, false});
        }
        if (sends_now && data.high) {
            early.push_back({bytes(wdata, bus_bytes), bytes(wstrb, (bus_bytes + 7) / 8)});
            free = now + 1 + timing.gap;
        }
        assign(now);
        asked = asks_now && !address.high, sent = sends_now && !data.high;
        return asks_now || sends_now || valid || outstanding();
    }

  private:
    std::deque<Write> filling; // their data is still to come
    std::deque<Beat> early;    // their address is still to come
    std::list<Write>::iterator offered;
    uint32_t free = 0;
    bool asked = false, sent = false, valid = false;

    static std::vector<uint8_t> bytes(const Pin& pin, size_t count) {
        uint32_t words[64] = {}, unknown[64];
        pin.read(words, unknown);
        const uint8_t* from = reinterpret_cast<const uint8_t*>(words);
        return {from, from + count};
    }
    void offer(uint32_t now) {
        auto next = choose(answers, now, reorder, random);
        if (next != answers.end() && !held && pauses.next() == 1) {
            offered = next;
            bid.write(next->id), bresp.write(next->response);
        }
        bool up = offered != answers.end();
        if (up != valid) valid = up, bvalid.write(uint32_t(up));
    }
    void assign(uint32_t now) {
        while (!filling.empty() && !early.empty()) {
            Write& write = filling.front();
            write.beats.push_back(std::move(early.front())), early.pop_front();
            if (write.beats.size() < write.burst.beats) continue;
            uint64_t more = jitter ? integer(random, jitter + 1) : 0;
            write.due = uint32_t(now + timing.latency + more);
            uint32_t first = faults->worst(write.burst, random), second = refusals.worst(write.burst, random);
            write.response = std::max(first, second);
            answers.push_back(std::move(write)), filling.pop_front();
        }
    }
    void store(Write& write) {
        write.stored = true;
        if (write.response >= SLVERR) return;
        for (uint32_t i = 0; i < write.beats.size(); ++i)
            contents->write(write.burst.beat(i).first / bus_bytes * bus_bytes, write.beats[i].data.data(),
                            write.beats[i].strobes.data(), bus_bytes);
    }
};

struct Memory {
    Clock* clock = nullptr;
    Faults faults;
    std::optional<ReadSide> reads;
    std::optional<WriteSide> writes;

    void drive() {
        if (!active) active = asked();
        if (!active) return;
        if (reads) reads->drive(clock->cycle);
        if (writes) writes->drive(clock->cycle);
    }
    void sample() {
        if (!active && !(active = asked())) return;
        if (clock->axi_in_reset) { active = asked(); return; }
        bool more = reads && reads->sample(clock->cycle);
        more |= writes && writes->sample(clock->cycle);
        active = more;
    }

  private:
    bool active = false; // it rests until an address, or data to write, comes
    bool asked() const {
        return (reads && reads->asks.valid.level() == 1) ||
               (writes && (writes->asks.valid.level() == 1 || writes->wvalid.level() == 1));
    }
};
