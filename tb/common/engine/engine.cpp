// SPDX-License-Identifier: Apache-2.0
// Clocks, streams, channels and memories of a testbench, cycle by cycle; Python is called when it has to act.
//
// A cycle begins at its clock's falling edge: inputs change, all settles, everything is sampled; handshakes happen at
// the rising edge. Python (tb/common/engine/engine.py) may act before the sample (DRIVE) and after it (SAMPLE).
#include <dlfcn.h>
#include <memory>

#include "memory.h"

namespace {

enum What { DRIVE, SAMPLE };

constexpr size_t FEW = 16; // half periods that are left when Python has to draw more

// Doors of main.cpp, in the executable of a Verilated design
struct Verilated {
    void* (*port)(const char* name, int* bits, unsigned* bytes);
    void (*eval)();
    uint64_t* time;
};

struct Engine {
    std::string message, top;
    bool verilated;
    Verilated design{};
    std::vector<std::unique_ptr<Clock>> clocks;
    std::vector<std::unique_ptr<Source>> sources;
    std::vector<std::unique_ptr<Sink>> sinks;
    std::vector<std::unique_ptr<Channel>> channels; // in the order in which those of one cycle are told
    std::vector<std::unique_ptr<Memory>> memories;
    Records records;
    size_t room = 1 << 18; // words of records after which Python is called
    std::vector<uint32_t> driving, offering; // sources with words, and with one on the pins
    std::vector<uint32_t> finished;          // those that have become empty in this cycle

    Engine(const char* of_top, bool foreign) : top(of_top) {
        design.port = reinterpret_cast<decltype(design.port)>(dlsym(RTLD_DEFAULT, "engine_port"));
        verilated = design.port && !foreign;
        if (!verilated) return;
        design.eval = reinterpret_cast<decltype(design.eval)>(dlsym(RTLD_DEFAULT, "engine_eval"));
        design.time = static_cast<uint64_t*>(dlsym(RTLD_DEFAULT, "engine_time"));
    }

    Pin pin(const char* name) const {
        Pin made;
        if (verilated) {
            made.place = design.port(name, &made.bits, &made.bytes);
            if (!made.place) throw std::runtime_error(std::string("no port ") + name);
        } else {
            made.handle = vpi_handle_by_name(const_cast<char*>((top + "." + name).c_str()), nullptr);
            if (!made.handle) throw std::runtime_error(std::string("no port ") + name);
            made.bits = vpi_get(vpiSize, made.handle);
        }
        return made;
    }

    // Verilator: until Python has to act: what | clock << 8
    int run() {
        for (;;) {
            int code = step();
            if (phase == SETTLING && code < 0) code = (design.eval(), step());
            if (code >= 0) return code;
        }
    }

    // Beside others that wait for edges: picoseconds until the next step, and that step
    uint64_t delay() { return phase == SETTLING ? 1 : std::max(earliest().next, time() + 1) - time(); }
    int once() { return step(); }

    // Icarus: from callback to callback; `wake` changes when Python has to act, on `code`
    void start(const char* signal) {
        wake.handle = vpi_handle_by_name(const_cast<char*>(signal), nullptr), wake.bits = 1;
        if (!wake.handle) throw std::runtime_error(std::string("no signal ") + signal);
        schedule(earliest().next - time());
    }
    void stop() {
        if (callback) vpi_remove_cb(callback), callback = nullptr;
    }
    int code = -1;

  private:
    enum { WAITING, SETTLING } phase = WAITING;
    int now = 0; // the clock whose cycle it is
    bool begun = false;
    Pin wake;
    vpiHandle callback = nullptr;

    Clock& earliest() {
        now = 0;
        for (size_t k = 1; k < clocks.size(); ++k)
            if (clocks[k]->next < clocks[now]->next) now = int(k);
        return *clocks[now];
    }

    // An edge, or the sample of a cycle that has settled; the code for Python, or -1
    int step() {
        if (phase == SETTLING) {
            if (verilated) design.eval();
            phase = WAITING;
            Clock& clock = *clocks[now];
            bool stop = sample(clock);
            clock.next += clock.half_now();
            clock.drop_half();
            if (clock.drifts && clock.halves.size() < FEW) stop = true;
            return stop ? SAMPLE | now << 8 : -1;
        }
        Clock& clock = earliest();
        if (!begun) begin();
        if (verilated) *design.time = clock.next;
        clock.high = !clock.high;
        clock.pin.write(uint32_t(clock.high));
        if (clock.high) {
            if (verilated) design.eval();
            clock.next += clock.half_now();
            return -1;
        }
        ++clock.cycle;
        drive(clock);
        phase = SETTLING;
        return clock.each_drive || clock.cycle >= clock.wake ? DRIVE | now << 8 : -1;
    }

    // What is driven before the first edge: earlier Icarus may lose it
    void begin() {
        begun = true;
        for (auto& source : sources) source->begin();
        for (auto& sink : sinks) sink->ready.write(uint32_t(sink->high));
    }

    static uint64_t time() {
        s_vpi_time at{};
        at.type = vpiSimTime;
        vpi_get_time(nullptr, &at);
        return uint64_t(at.high) << 32 | at.low;
    }

    void schedule(uint64_t delay) {
        s_vpi_time after{};
        after.type = vpiSimTime, after.high = uint32_t(delay >> 32), after.low = uint32_t(delay);
        s_cb_data data{};
        data.reason = cbAfterDelay, data.time = &after, data.user_data = reinterpret_cast<char*>(this);
        data.cb_rtn = [](s_cb_data* called) {
            reinterpret_cast<Engine*>(called->user_data)->stepped();
            return 0;
        };
        callback = vpi_register_cb(&data);
    }

    void stepped() {
        int next = step();
        // one picosecond for Python and for the design to settle
        schedule(phase == SETTLING ? 1 : std::max(earliest().next, time()) - time());
        if (next < 0) return;
        code = next;
        wake.write(uint32_t(wake.level() != 1));
    }

    // Sources act in the order in which they began, so that Python's tasks go on in that order
    void drive(const Clock& clock) {
        for (size_t i = 0; i < driving.size(); ++i) {
            Source& source = *sources[driving[i]];
            if (source.clock != &clock) continue;
            bool before = source.offered;
            source.drive();
            if (source.offered && !before) offering.push_back(driving[i]);
        }
        std::erase_if(driving, [&](uint32_t k) { return !sources[k]->driving; });
        for (auto& sink : sinks)
            if (sink->clock == &clock) sink->drive();
        for (auto& memory : memories)
            if (memory->clock == &clock) memory->drive();
    }

    bool sample(const Clock& clock) {
        bool stop = clock.each_sample;
        finished.clear();
        for (uint32_t k : offering)
            if (sources[k]->clock == &clock && sources[k]->sample()) finished.push_back(k), stop = true;
        std::erase_if(offering, [&](uint32_t k) { return !sources[k]->offered; });
        for (auto& memory : memories)
            if (memory->clock == &clock) memory->sample();
        for (auto& channel : channels)
            if (channel->clock == &clock && channel->sample(records, Cycles{clocks})) stop = true;
        return stop || records.broken || records.words.size() > room;
    }

    struct Cycles {
        const std::vector<std::unique_ptr<Clock>>& clocks;
        const Clock& operator[](size_t k) const { return *clocks[k]; }
        size_t size() const { return clocks.size(); }
    };
};

// -1, with the text of what was thrown
template <class Action> int guarded(Engine* engine, Action action) {
    try {
        return action();
    } catch (const std::exception& error) {
        engine->message = error.what();
        return -1;
    }
}

} // namespace

extern "C" {

Engine* engine_new(const char* top, int foreign) { return new Engine(top, foreign); }
void engine_free(Engine* engine) { delete engine; }
const char* engine_message(Engine* engine) { return engine->message.c_str(); }
int engine_run(Engine* engine) { return engine->run(); }
uint64_t engine_delay(Engine* engine) { return engine->delay(); }
int engine_once(Engine* engine) { return engine->once(); }
int engine_step(Engine* engine, const char* wake) {
    return guarded(engine, [&] { return engine->start(wake), 0; });
}
void engine_stop(Engine* engine) { engine->stop(); }
int engine_code(Engine* engine) { return engine->code; }
int engine_few(Engine* engine, int clock) {
    return engine->clocks[clock]->drifts && engine->clocks[clock]->halves.size() < 2 * FEW;
}

int engine_clock(Engine* engine, const char* name, uint64_t half) {
    return guarded(engine, [&] {
        auto made = std::make_unique<Clock>();
        made->pin = engine->pin(name), made->half = half;
        engine->clocks.push_back(std::move(made));
        return int(engine->clocks.size()) - 1;
    });
}
void engine_start(Engine* engine, int clock, uint64_t first_edge) { engine->clocks[clock]->next = first_edge; }
void engine_halves(Engine* engine, int clock, const uint64_t* halves, size_t count) {
    Clock& drifting = *engine->clocks[clock];
    drifting.drifts = true;
    drifting.halves.insert(drifting.halves.end(), halves, halves + count);
}
void engine_reset(Engine* engine, int clock, int in_reset, int axi_in_reset) {
    engine->clocks[clock]->in_reset = in_reset, engine->clocks[clock]->axi_in_reset = axi_in_reset;
}
void engine_wake(Engine* engine, int clock, uint32_t cycle, int each_drive, int each_sample) {
    Clock& changed = *engine->clocks[clock];
    changed.wake = cycle, changed.each_drive = each_drive, changed.each_sample = each_sample;
}
uint32_t* engine_cycle(Engine* engine, int clock) { return &engine->clocks[clock]->cycle; }

// A stream into the design; `data` and `ready` may be empty
int engine_source(Engine* engine, int clock, const char* valid, const char* ready, const char* data) {
    return guarded(engine, [&] {
        auto made = std::make_unique<Source>();
        made->clock = engine->clocks[clock].get();
        made->valid = engine->pin(valid), made->ready = engine->pin(ready);
        if ((made->has_data = *data)) made->data = engine->pin(data);
        engine->sources.push_back(std::move(made));
        return int(engine->sources.size()) - 1;
    });
}
void engine_push(Engine* engine, int source, const uint32_t* gaps, const uint32_t* words, size_t count) {
    Source& filled = *engine->sources[source];
    size_t step = std::max(1, filled.data.words());
    if (count && !filled.driving) filled.driving = true, engine->driving.push_back(uint32_t(source));
    for (size_t i = 0; i < count; ++i) filled.push(gaps[i], words + i * step);
}
void engine_source_set(Engine* engine, int source, int held, int eager) {
    engine->sources[source]->held = held, engine->sources[source]->eager = eager;
}
void engine_force(Engine* engine, int source, const uint32_t* word) { engine->sources[source]->force(word); }
// The next word, which is not offered yet or is offered again after a reset
void engine_replace(Engine* engine, int source, const uint32_t* word) {
    Source& changed = *engine->sources[source];
    changed.queue.front().second.assign(word, word + changed.data.words());
}
uint32_t engine_drop(Engine* engine, int source, int stay) { return engine->sources[source]->drop(stay); }
int engine_loaded(Engine* engine, int source) { return engine->sources[source]->loaded(); }
const uint32_t* engine_finished(Engine* engine, size_t* count) {
    *count = engine->finished.size();
    return engine->finished.data();
}

int engine_channel(Engine* engine, int clock, const char* valid, const char* ready, const char* flag, int axi,
                   int tells_offers) {
    return guarded(engine, [&] {
        auto made = std::make_unique<Channel>();
        if (engine->channels.size() > 255) throw std::runtime_error("more than 256 channels");
        made->number = uint32_t(engine->channels.size());
        made->clock = engine->clocks[clock].get();
        made->valid = engine->pin(valid), made->axi = axi, made->tells_offers = tells_offers;
        if ((made->has_ready = *ready)) made->ready = engine->pin(ready);
        if ((made->has_flag = *flag)) made->flag = engine->pin(flag);
        made->begin();
        engine->channels.push_back(std::move(made));
        return int(engine->channels.size()) - 1;
    });
}
int engine_field(Engine* engine, int channel, const char* name, int strict) {
    return guarded(engine, [&] {
        Channel& changed = *engine->channels[channel];
        int first = changed.data.bits;
        changed.data.add(engine->pin(name));
        changed.strict.resize(changed.data.words());
        for (int bit = first; strict && bit < changed.data.bits; ++bit) changed.strict[bit / 32] |= 1u << bit % 32;
        changed.begin();
        return changed.data.bits;
    });
}
// Forgets what waits; returns the cycles for which it has
uint32_t engine_channel_reset(Engine* engine, int channel) {
    Channel& changed = *engine->channels[channel];
    uint32_t waited = changed.waited;
    changed.waited = 0, changed.offering = false;
    if (!changed.axi) changed.waits = changed.offered = 0;
    return waited;
}
void engine_channel_state(Engine* engine, int channel, uint32_t* state) {
    const Channel& asked = *engine->channels[channel];
    state[0] = asked.waited, state[1] = asked.waits, state[2] = asked.offered, state[3] = asked.offering;
}
void engine_await(Engine* engine, int channel, int awaited) { engine->channels[channel]->awaited = awaited; }
const uint32_t* engine_records(Engine* engine, size_t* count) {
    *count = engine->records.words.size();
    return engine->records.words.data();
}
void engine_forget(Engine* engine) { engine->records.words.clear(), engine->records.broken = false; }
int engine_channel_words(Engine* engine, int channel) { return engine->channels[channel]->data.words(); }

int engine_sink(Engine* engine, int clock, const char* ready, int channel) {
    return guarded(engine, [&] {
        auto made = std::make_unique<Sink>();
        made->clock = engine->clocks[clock].get(), made->ready = engine->pin(ready);
        made->channel = engine->channels[channel].get();
        engine->sinks.push_back(std::move(made));
        return int(engine->sinks.size()) - 1;
    });
}
void engine_sink_pace(Engine* engine, int sink, bitgen_t* random, double run, double pause, int64_t longest,
                      int patient) {
    Sink& changed = *engine->sinks[sink];
    changed.pattern.pace(random, run, pause, longest);
    changed.patient = patient, changed.driving = true;
}
void engine_sink_play(Engine* engine, int sink, const uint8_t* levels, size_t count) {
    engine->sinks[sink]->pattern.play(levels, count), engine->sinks[sink]->driving = true;
}

Contents* contents_new(uint32_t seed) { return new Contents(seed); }
void contents_free(Contents* contents) { delete contents; }
void contents_read(Contents* contents, uint64_t address, uint8_t* to, uint64_t count) {
    contents->read(address, to, count);
}
void contents_write(Contents* contents, uint64_t address, const uint8_t* from, const uint8_t* strobes, uint64_t count) {
    contents->write(address, from, strobes, count);
}
size_t contents_touched(Contents* contents, uint64_t* blocks, size_t room) {
    for (auto& [number, bytes] : contents->touched())
        if (room) *blocks++ = number, --room;
    return contents->touched().size();
}

Memory* engine_memory(Engine* engine, int clock, const char* prefix, unsigned bus_bytes, Contents* contents,
                      bitgen_t* of_reads, bitgen_t* of_writes) {
    try {
        auto made = std::make_unique<Memory>();
        made->clock = engine->clocks[clock].get();
        auto pin = [&](const char* name) { return engine->pin((std::string(prefix) + "_" + name).c_str()); };
        auto asks = [&](const char* name) {
            auto of = [&](const char* field) { return pin((std::string(name) + field).c_str()); };
            return AddressPins{of("valid"), of("addr"), of("len"), of("size"), of("burst"), of("id")};
        };
        if (of_reads) {
            ReadSide& side = made->reads.emplace();
            side.contents = contents, side.faults = &made->faults, side.random = of_reads, side.bus_bytes = bus_bytes;
            side.asks = asks("ar"), side.address.pin = pin("arready"), side.address.random = of_reads;
            side.rvalid = pin("rvalid"), side.rready = pin("rready"), side.rid = pin("rid");
            side.rdata = pin("rdata"), side.rresp = pin("rresp"), side.rlast = pin("rlast");
        }
        if (of_writes) {
            WriteSide& side = made->writes.emplace();
            side.contents = contents, side.faults = &made->faults, side.random = of_writes, side.bus_bytes = bus_bytes;
            side.asks = asks("aw"), side.address.pin = pin("awready"), side.address.random = of_writes;
            side.wvalid = pin("wvalid"), side.wdata = pin("wdata"), side.wstrb = pin("wstrb");
            side.data.pin = pin("wready"), side.data.random = of_writes;
            side.bvalid = pin("bvalid"), side.bready = pin("bready"), side.bid = pin("bid"), side.bresp = pin("bresp");
        }
        engine->memories.push_back(std::move(made));
        return engine->memories.back().get();
    } catch (const std::exception& error) {
        engine->message = error.what();
        return nullptr;
    }
}
void memory_reset(Memory* memory) {
    if (memory->reads) memory->reads->reset();
    if (memory->writes) memory->writes->reset();
}
void memory_timing(Memory* memory, uint32_t latency, uint32_t gap) {
    if (memory->reads) memory->reads->timing = {latency, gap};
    if (memory->writes) memory->writes->timing = {latency, gap};
}
// What MemoryPacing says, three numbers for each of address, beat, write_address, write_beat, answer
void memory_pace(Memory* memory, uint64_t jitter, const double* paces, const uint8_t* patient) {
    auto set = [&](Pattern& pattern, bitgen_t* random, int number) {
        const double* pace = paces + 3 * number;
        pattern.pace(random, pace[0], pace[1], int64_t(pace[2]));
    };
    auto line = [&](ReadyLine& changed, int number) {
        set(changed.pattern, changed.random, number), changed.patient = patient[number];
    };
    if (memory->reads) {
        ReadSide& side = *memory->reads;
        side.jitter = jitter, line(side.address, 0), set(side.pauses, side.random, 1);
    }
    if (memory->writes) {
        WriteSide& side = *memory->writes;
        side.jitter = jitter, line(side.address, 2), line(side.data, 3), set(side.pauses, side.random, 4);
    }
}
void memory_mix(Memory* memory, int reorder, int interleave) {
    if (memory->reads) memory->reads->reorder = reorder, memory->reads->interleave = interleave;
    if (memory->writes) memory->writes->reorder = reorder;
}
void memory_wait_for(Memory* memory, int order) { memory->writes->wait_for(WriteSide::Order(order)); }
// Channels: 0 ar, 1 r, 2 aw, 3 w, 4 b
void memory_hold(Memory* memory, int channel, int held) {
    ReadyLine* line = channel == 0   ? &memory->reads->address
                      : channel == 2 ? &memory->writes->address
                      : channel == 3 ? &memory->writes->data
                                     : nullptr;
    if (!line) {
        (channel == 1 ? memory->reads->held : memory->writes->held) = held;
        return;
    }
    line->held = held;
    if (held) line->drive(false);
}
int memory_loaded(Memory* memory, int channel) {
    uint32_t now = memory->clock->cycle;
    return channel == 1 ? memory->reads->loaded(now) : memory->writes->loaded(now);
}
uint32_t memory_outstanding(Memory* memory) {
    return (memory->reads ? uint32_t(memory->reads->open.size()) : 0) + (memory->writes ? memory->writes->outstanding() : 0);
}
static Faults& faults_of(Memory* memory, int refusals) { return refusals ? memory->writes->refusals : memory->faults; }
void memory_poison(Memory* memory, int refusals, uint64_t size, const uint64_t* numbers, size_t count) {
    faults_of(memory, refusals).poisoned[size].insert(numbers, numbers + count);
}
void memory_heal(Memory* memory, int refusals) { faults_of(memory, refusals).poisoned.clear(); }
void memory_faults(Memory* memory, int refusals, int beat, int response) {
    faults_of(memory, refusals).beat = beat, faults_of(memory, refusals).response = response;
}
}
