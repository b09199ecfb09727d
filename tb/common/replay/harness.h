// SPDX-License-Identifier: Apache-2.0
// Trace replay of a Verilated design: its clocks, its ports and its memory, driven from arrays.
//
// `Design` (generated, harness.cpp.mako) says what the design is made of. Of several clocks the one whose edge comes
// next has its cycle: inputs change while the clock is low, everything settles, handshakes are sampled, it rises.
#pragma once
#include <stdexcept>
#include <tuple>
#include <utility>

#include "ports.h"

template <class Design> class Replay {
    using Top = typename Design::Top;
    static constexpr int CLOCKS = Design::CLOCKS;
    static constexpr uint64_t RESET_CYCLES = CLOCKS > 1 ? 32 : 4;
    static constexpr int MAIN_CLOCK = std::tuple_element_t<0, typename Design::Ports>::MAIN_CLOCK;

  public:
    explicit Replay(const Options& given)
        : options(given), memory(options), progress{options.patience},
          world{options, memory, progress, options.random_state * 0x9E3779B97F4A7C15u | 1}, axi(Design::axi_ports(world)) {
        context.randReset(2); // random, so that nothing can rest on what a flip-flop happens to start with
        context.randSeed(int(options.random_state));
        const char* arguments[] = {"replay", options.plusarg};
        context.commandArgs(options.plusarg ? 2 : 1, arguments);
        top = std::make_unique<Top>(&context);
        for (int k = 0; k < CLOCKS; ++k)
            next_edge[k] = k, request[k] = options.request, result[k] = options.result; // earlier clocks win a tie
        reset(true);
    }

    // Of everything at power-up, when open bursts are forgotten; else of the block alone, and memory goes on; or of
    // the memory's side alone, if not of the design.
    void reset(bool power, bool design = true) {
        Design::reset(*top, design);
        Design::rest(*top);
        each(axi, [&](auto& port) { port.reset(*top, power); });
        serving = !power;
        advance(RESET_CYCLES);
        serving = true;
        Design::reset(*top, 0);
        each(axi, [&](auto& port) { port.reset(*top, false); });
        Design::template clock<0>(*top) = 0;
        top->eval();
        each(axi, [&](auto& port) { port.released(*top); });
    }

    void idle(uint64_t cycles) { advance(cycles); }

    // Sends words to a stream other than the requests; false if it stays unready for too long.
    bool feed(int stream, const uint32_t* words, uint64_t count) {
        bool done = false;
        at(Design::inputs, stream, [&](auto input) { done = feed_to<decltype(input)>(words, count); });
        return done;
    }

    // Until all is answered or an array is full
    Status run(Run& run) {
        begin(run);
        for (bool full = false; !full;)
            if (Status status = step(&run, full); status != MORE) return status;
        return MORE;
    }

    // Until there is a result or an array is full, so many cycles of the first clock at most
    Status go(Run& run, uint64_t limit) {
        begin(run);
        bool full = false;
        for (uint64_t end = cycles[0] + limit; cycles[0] != end && !full;) {
            if (Status status = step(&run, full); status != MORE && status != DONE) return status;
            each(ports, [&, i = 0](auto&) mutable { full |= run.ports[i++].new_results != 0; });
        }
        return MORE;
    }

    void counters(int port, uint32_t* words) {
        at(Design::counters, port, [&](auto stream) {
            if constexpr (decltype(stream)::LANES > 0) get(stream.data(*top), words);
        });
    }

    const Memory& contents() const { return memory; }
    const std::string& fault() const { return world.fault; }
    uint64_t cycle() const { return cycles[0]; }
    uint64_t origin = 0; // the first cycle after reset
    std::string message;

  private:
    VerilatedContext context;
    std::unique_ptr<Top> top;
    Options options;
    Memory memory;
    Progress progress;
    World world;
    typename Design::Ports ports;
    typename Design::Axi axi;
    Pattern request[CLOCKS], result[CLOCKS];
    uint64_t cycles[CLOCKS] = {}, next_edge[CLOCKS]; // next_edge in picoseconds
    uint64_t first[CLOCKS] = {};                     // cycles in which the run began
    bool serving = false;                            // the memory takes part
    const uint8_t* watched = nullptr;                // a ready that feed_to waits for,
    bool watched_ready = false;                      // and its value in the last cycle

    template <class Tuple, class Action> static void each(Tuple& items, Action action) {
        std::apply([&](auto&... item) { (action(item), ...); }, items);
    }

    // The action on the item of that number
    template <class Tuple, class Action> static void at(const Tuple& items, int number, Action action) {
        std::apply([&, i = 0](auto... item) mutable { ((i++ == number ? action(item) : void()), ...); }, items);
    }

    // Nothing has happened yet in this call
    void begin(Run& run) {
        each(axi, [&, i = 0](auto&) mutable { run.axi[i].new_reads = run.axi[i].new_writes = 0, ++i; });
        each(ports, [&, i = 0](auto&) mutable {
            PortRun& port = run.ports[i++];
            port.new_results = port.new_events = port.new_requests = port.new_marks = 0;
        });
        if (!run.begun) {
            progress.moved();
            std::copy(std::begin(cycles), std::end(cycles), first);
        }
        run.begun = 1;
    }

    int next_clock() const {
        int next = 0;
        for (int k = 1; k < CLOCKS; ++k)
            if (next_edge[k] < next_edge[next]) next = k;
        return next;
    }

    Status step(Run* run, bool& full) { return cycle_of(next_clock(), run, full, std::make_integer_sequence<int, CLOCKS>()); }
    template <int... K> Status cycle_of(int clock, Run* run, bool& full, std::integer_sequence<int, K...>) {
        Status status = MORE;
        ((clock == K ? void(status = one_cycle<K>(run, full)) : void()), ...);
        return status;
    }

    // So many cycles of the first clock, without requests
    void advance(uint64_t count) {
        bool full;
        for (uint64_t end = cycles[0] + count; cycles[0] != end;) step(nullptr, full);
    }

    template <class Input> bool feed_to(const uint32_t* words, uint64_t count) {
        bool full;
        watched = &Input::ready(*top);
        for (uint64_t i = 0, waited = 0; i < count && waited <= options.patience;) {
            bool offered = next_clock() == Input::CLOCK;
            if (offered) {
                put_word<Input>(*top, words + i * Input::LANES);
                Input::valid(*top) = 1;
            }
            step(nullptr, full);
            if (!offered) continue;
            if (watched_ready) ++i, waited = 0;
            else ++waited;
            if (i == count) Input::valid(*top) = 0;
        }
        watched = nullptr;
        return !count || !Input::valid(*top);
    }

    // One cycle of clock K; without a run, the block's own ports rest
    template <int K> Status one_cycle(Run* run, bool& full) {
        if (run) offer<K>(*run);
        each(axi, [&](auto& port) { if (serves<K>(port)) port.drive(*top, cycles[K]); });
        Design::template clock<K>(*top) = 0;
        top->eval();
        if (watched) watched_ready = *watched;
        if (run && !sample<K>(*run, full)) return SURPLUS;
        each(axi, [&, i = 0](auto& port) mutable {
            if (serves<K>(port)) port.sample(*top, cycles[K], run ? run->axi + i : nullptr, run ? run->room : 0, full);
            ++i;
        });
        if (run && !world.fault.empty()) return BAD_BURST;
        if (K == 0 && Design::resetting(*top)) origin = cycles[0] + 1;
        Design::template clock<K>(*top) = 1;
        top->eval();
        ++cycles[K], next_edge[K] += Design::PERIODS[K];
        each(axi, [&](auto& port) { if (serves<K>(port)) port.after(*top, cycles[K]); });
        if (run) each(ports, [&](auto& port) { port.template withdraw<K>(*top); });
        return run && K == MAIN_CLOCK ? outcome(*run) : MORE;
    }

    template <int K, class AxiPort> bool serves(const AxiPort&) const { return AxiPort::CLOCK == K && serving; }

    template <int K> void offer(const Run& run) {
        bool may_offer = request[K].next(), may_take = result[K].next();
        each(ports, [&, i = 0](auto& port) mutable {
            port.template offer<K>(*top, run.ports[i++], cycles[K] - first[K], may_offer, may_take);
        });
    }

    template <int K> bool sample(Run& run, bool& full) {
        bool legal = true;
        each(ports, [&, i = 0](auto& port) mutable {
            if (legal && !port.template sample<K>(*top, run.ports[i], cycles[K], run.room, full, progress))
                legal = false, run.surplus = i;
            ++i;
        });
        return legal;
    }

    Status outcome(const Run& run) {
        bool open = false;
        each(ports, [&, i = 0](auto&) mutable { open |= run.ports[i++].open(); });
        each(axi, [&](auto& port) { open |= port.writing(); });
        if (++progress.quiet > run.tail && !open) return DONE;
        return progress.quiet > options.patience ? DEADLOCK : MORE;
    }
};

// Runs `action` and keeps the text of what the model threw, or of a burst that is not as it should be.
template <class Replay, class Action> int guarded(Replay* self, Action action) {
    try {
        int code = action();
        if (!self->fault().empty()) self->message = self->fault(), code = BAD_BURST;
        return code;
    } catch (const std::exception& error) {
        self->message = error.what();
        return FATAL;
    }
}
