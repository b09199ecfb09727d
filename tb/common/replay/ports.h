// SPDX-License-Identifier: Apache-2.0
// The block's own ports in a replay: requests and results, and what may go with them.
//
// Each stream is a class of static accessors (generated, harness.cpp.mako) with the number of its clock and of its
// 32-bit lanes. A port acts on a stream in the cycles of that stream's clock K. A cycle: offer, settle, sample, clock
// edge, withdraw.
#pragma once
#include "axi.h"

// In the place of a stream that a port does not have: of no clock
struct NoStream {
    static constexpr int CLOCK = -1;
    static constexpr unsigned LANES = 0;
};

template <class Stream, class Top> void put_word(Top& top, const uint32_t* words) {
    if constexpr (Stream::LANES > 0) put(Stream::data(top), words);
}

template <class Request, class Result, class Event, class State, class Mark> class Port {
    bool accepted = false, state_accepted = false;

  public:
    template <int K> static constexpr bool moves = K == Request::CLOCK || K == Result::CLOCK || K == State::CLOCK;
    static constexpr int MAIN_CLOCK = Request::CLOCK;

    // Before the clock edge: a new request, or the state that comes before it
    template <int K, class Top> void offer(Top& top, const PortRun& run, uint64_t cycle, bool may_offer, bool may_take) {
        if constexpr (K == State::CLOCK) {
            if (may_offer && !State::valid(top) && !Request::valid(top) && run.state_is_next()) {
                put_word<State>(top, run.state + run.stated * State::LANES);
                State::valid(top) = 1;
            }
        }
        if constexpr (K == Request::CLOCK) {
            if (may_offer && !Request::valid(top) && run.sent < run.count && !run.state_is_next() && run.is_time(cycle)) {
                put_word<Request>(top, run.requests + run.sent * Request::LANES);
                Request::valid(top) = 1;
            }
        }
        if constexpr (K == Result::CLOCK) Result::set_ready(top, may_take);
    }

    // What moves in this cycle; false for a result that no request asked for
    template <int K, class Top> bool sample(Top& top, PortRun& run, uint64_t cycle, uint64_t room, bool& full, Progress& progress) {
        if constexpr (K == State::CLOCK) {
            state_accepted = State::valid(top) && State::ready(top);
            if (state_accepted) ++run.stated, progress.moved();
        }
        if constexpr (K == Request::CLOCK) {
            accepted = Request::valid(top) && Request::ready(top);
            if (accepted) {
                full |= append(run.request_cycle, run.new_requests, cycle, room);
                ++run.sent;
                if constexpr (Result::CLOCK < 0) ++run.answered;
                progress.moved();
            }
        }
        if constexpr (K == Result::CLOCK) {
            if (Result::valid(top) && Result::ready(top)) {
                if (!run.may_come()) return false;
                if constexpr (Result::LANES > 0) get(Result::data(top), run.results + run.new_results * Result::LANES);
                full |= append(run.result_cycle, run.new_results, cycle, room);
                ++run.answered;
                progress.moved();
            }
        }
        if constexpr (K == Event::CLOCK) {
            if (Event::valid(top)) {
                get(Event::data(top), run.events + run.new_events * Event::LANES);
                full |= ++run.new_events == room;
            }
        }
        if constexpr (K == Mark::CLOCK) {
            if (Mark::set(top)) full |= append(run.mark_cycle, run.new_marks, cycle, room);
        }
        return true;
    }

    // After the clock edge
    template <int K, class Top> void withdraw(Top& top) {
        if constexpr (K == Request::CLOCK) if (accepted) Request::valid(top) = 0;
        if constexpr (K == State::CLOCK) if (state_accepted) State::valid(top) = 0;
    }
};

// An AXI port and the memory behind it
template <class Pins, class Top, bool captures> class AxiPort {
    template <class Channels, bool there> using If = std::conditional_t<there, Channels, NoChannels<Top>>;
    If<Reads<Pins, Top, captures>, Pins::READS> reads;
    If<Writes<Pins, Top>, Pins::WRITES> writes;

  public:
    static constexpr int CLOCK = Pins::CLOCK;

    explicit AxiPort(World& world) : reads(world), writes(world) {}
    void reset(Top& top, bool on) { // the memory's: open bursts are forgotten
        Pins::reset(top, on);
        if (on) reads.forget(top), writes.forget(top);
    }
    void released(Top& top) { reads.released(top); }
    void drive(Top& top, uint64_t cycle) { writes.drive(top, cycle), reads.drive(top, cycle); }
    void sample(Top& top, uint64_t cycle, AxiRun* run, uint64_t room, bool& full) {
        reads.sample(top, cycle, run, room, full), writes.sample(top, cycle, run, room, full);
    }
    void after(Top& top, uint64_t cycle) { reads.after(top, cycle), writes.after(top, cycle); }
    bool writing() const { return writes.busy(); }
};
