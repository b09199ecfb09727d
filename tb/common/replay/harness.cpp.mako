// SPDX-License-Identifier: Apache-2.0
// Trace replay of ${top}: the Verilated model, its clocks and its memory behind a C interface.
//
// Generated from the block's port description by tb/common/replay/library.py: the classes below name the ports,
// harness.h drives them. Python hands over arrays of packed words; nothing here knows what they mean.
#include "V${top}.h"
#include "harness.h"
<%
    numbers = {clock: number for number, clock in enumerate(clocks)}
    def pins(name):
        return f"pins::{name}" if name else "NoStream"
    def joined(items):
        return ", ".join(items)
%>
// $stop, $finish and fatal errors of the model end the run, not the process.
[[noreturn]] static void give_up(const char* file, int line, const std::string& what) {
    throw std::runtime_error(what + " at " + file + ":" + std::to_string(line));
}
void vl_finish(const char* file, int line, const char*) { give_up(file, line, "$finish"); }
void vl_stop(const char* file, int line, const char*) { give_up(file, line, "$stop"); }
void vl_fatal(const char* file, int line, const char*, const char* text) { give_up(file, line, text); }

namespace {

using Top = V${top};
[[maybe_unused]] const uint8_t ALWAYS = 1;

// Accessors are templates: what a design lacks and nobody asks for, like the counters' valid, is not compiled.
namespace pins {
% for name, stream in streams.items():
struct ${name} {
    static constexpr int CLOCK = ${numbers[stream.clock]};
    static constexpr unsigned LANES = ${(stream.width + 31) // 32};
    static auto& valid(auto& top) { return top.${name}_valid; }
% if stream.ready:
    static auto& ready(auto& top) { return top.${name}_ready; }
    static void set_ready(auto& top, bool ready) { top.${name}_ready = ready; }
% else:
    static const uint8_t& ready(auto&) { return ALWAYS; }
    static void set_ready(auto&, bool) {}
% endif
% if stream.fields:
    static auto& data(auto& top) { return top.${name}_data; }
% endif
};
% endfor
% for port in ports:
% if port.mark:
struct ${"_".join(port.mark)} { // a bit
    static constexpr int CLOCK = ${numbers[streams[port.mark[0]].clock]};
    static bool set(auto& top) { return bit(top.${port.mark[0]}_data, ${streams[port.mark[0]].offset(port.mark[1])}); }
};
% endif
% endfor
% for prefix, axi in axi_ports.items():
struct ${prefix} {
    static constexpr int CLOCK = ${numbers[axi.clock]};
    static constexpr bool READS = ${str(axi.reads).lower()}, WRITES = ${str(axi.writes).lower()};
% for channel, stream in axi.channels.items():
    struct ${channel.upper()} {
% for field in ("valid", "ready", *(field.name for field in stream.fields)):
        static auto& ${field}(auto& top) { return top.${prefix}_${channel}${field}; }
% endfor
    };
% endfor
    static void reset(auto& top, bool on) {
        if constexpr (requires { top.${prefix}_rst; }) top.${prefix}_rst = on;
    }
};
% endfor
} // namespace pins

struct Design {
    using Top = ::Top;
    static constexpr int CLOCKS = ${len(clocks)};
    static constexpr uint64_t PERIODS[] = {${joined(map(str, clocks.values()))}}; // picoseconds
    using Ports = std::tuple<
% for port in ports:
        Port<${joined(map(pins, (port.request, port.result, port.event, port.state, port.mark and "_".join(port.mark))))}>${"" if loop.last else ","}
% endfor
    >;
    static constexpr bool WRITTEN = ${str(any(axi.writes for axi in axi_ports.values())).lower()};
    using Axi = std::tuple<${joined(f"AxiPort<pins::{prefix}, Top, WRITTEN>" for prefix in axi_ports)}>;
    static Axi axi_ports([[maybe_unused]] World& world) { return Axi(${joined("world" for _ in axi_ports)}); }
    static constexpr std::tuple<${joined(map(pins, inputs))}> inputs{};     // as feed() counts them
## those of no port, behind the others, are numbered likewise
    static constexpr std::tuple<${joined(map(pins, counted))}> counters{}; // by port

    template <int K> static auto& clock(Top& top) {
% for clock, number in numbers.items():
        ${"" if loop.first else "else "}${"" if loop.last else f"if constexpr (K == {number}) "}return top.${clock};
% endfor
    }
    static void reset(Top& top, bool on) {
% for clock in clocks:
        top.${clock.replace("clk", "rst")} = on;
% endfor
    }
    static bool resetting([[maybe_unused]] Top& top) { return ${f"top.{resetting}" if resetting else "false"}; }
    static void rest(Top& top) { // nothing is offered or taken
% for name, stream in streams.items():
% if stream.direction == "in":
        top.${name}_valid = 0;
% elif stream.ready:
        top.${name}_ready = 0;
% endif
% endfor
% for name in tied:
        top.${name} = 0;
% endfor
    }
};

} // namespace

using Harness = Replay<Design>;
#define API extern "C" __attribute__((visibility("default")))
static std::string unborn; // why there is no instance
API Harness* replay_new(const Options* options) {
    try {
        return new Harness(*options);
    } catch (const std::exception& error) {
        unborn = error.what();
        return nullptr;
    }
}
API void replay_delete(Harness* self) { delete self; }
API int replay_run(Harness* self, Run* run) { return guarded(self, [=] { return self->run(*run); }); }
API int replay_go(Harness* self, Run* run, uint64_t limit) { return guarded(self, [=] { return self->go(*run, limit); }); }
API int replay_feed(Harness* self, int stream, const uint32_t* words, uint64_t count) {
    return guarded(self, [=] { return self->feed(stream, words, count) ? DONE : DEADLOCK; });
}
API int replay_idle(Harness* self, uint64_t cycles) { return guarded(self, [=] { return self->idle(cycles), DONE; }); }
API int replay_reset(Harness* self, int power, int design) {
    return guarded(self, [=] { return self->reset(power, design), DONE; });
}
API uint64_t replay_cycle(const Harness* self) { return self->cycle(); }
API uint64_t replay_origin(const Harness* self) { return self->origin; }
API const char* replay_message(const Harness* self) { return (self ? self->message : unborn).c_str(); }
API void replay_counters(Harness* self, int port, uint32_t* words) { self->counters(port, words); }
API uint64_t replay_written(const Harness* self, uint64_t* pages) { // their number; and which, unless pages is null
    std::vector<uint64_t> numbers = self->contents().written_pages();
    if (pages) std::copy(numbers.begin(), numbers.end(), pages);
    return numbers.size();
}
API void replay_read(const Harness* self, const uint64_t* addresses, uint64_t count, uint32_t* words) {
    for (uint64_t i = 0; i < count; ++i) words[i] = self->contents().word(addresses[i]);
}
