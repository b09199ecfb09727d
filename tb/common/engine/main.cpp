// SPDX-License-Identifier: Apache-2.0
// The main program of a Verilated design under cocotb, with doors through which the engine drives it.
//
// The loop is cocotb's order of VPI callbacks. While Python sleeps the engine evaluates the design itself, from inside
// a callback (engine.cpp): then only `engine_time` moves here.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "Vtop.h"
#include "verilated.h"
#include "verilated_syms.h"
#include "verilated_vpi.h"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif

extern "C" {
uint64_t engine_time = 0; // picoseconds
void vlog_startup_routines_bootstrap(void);
}

static Vtop* top;
#if VM_TRACE
static VerilatedFstC* trace;
#endif

double sc_time_stamp() { return double(engine_time); }

static void dump() {
#if VM_TRACE
    if (trace) trace->dump(engine_time);
#endif
}

extern "C" void engine_eval() {
    VerilatedVpi::doInertialPuts(); // what Python has written
    top->eval();
    dump();
}

extern "C" void* engine_port(const char* name, int* bits, unsigned* bytes) {
    VerilatedVar* port = Verilated::scopeFind("TOP")->varFind(name);
    if (!port) return nullptr;
    *bits = port->dims() ? port->range(0)->elements() : 1;
    *bytes = unsigned(port->entSize());
    return port->datap();
}

static void settle() {
    while (VerilatedVpi::callValueCbs()) {}
}

static void wrap_up() {
    VerilatedVpi::callCbs(cbEndOfSimulation);
#if VM_TRACE
    if (trace) trace->close();
#endif
#if VM_COVERAGE
    VerilatedCov::write();
#endif
}

int main(int argc, char** argv) {
    Verilated::commandArgs(argc, argv);
    auto owner = std::make_unique<Vtop>("");
    top = owner.get();
    Verilated::fatalOnVpiError(false); // as cocotb has it
#if VM_TRACE
    Verilated::traceEverOn(true);
    for (int i = 1; i + 1 < argc; ++i)
        if (!std::strcmp(argv[i], "--trace-file")) top->trace(trace = new VerilatedFstC, 99), trace->open(argv[i + 1]);
#endif
    vlog_startup_routines_bootstrap();
    Verilated::addExitCb([](void*) { wrap_up(); }, nullptr);
    VerilatedVpi::callCbs(cbStartOfSimulation);
    settle();
    while (!Verilated::gotFinish()) {
        do {
            do {
                top->eval_step();
                VerilatedVpi::clearEvalNeeded();
                VerilatedVpi::doInertialPuts();
                settle();
            } while (VerilatedVpi::evalNeeded());
            VerilatedVpi::callCbs(cbReadWriteSynch);
            VerilatedVpi::doInertialPuts();
            settle();
        } while (VerilatedVpi::evalNeeded());
        top->eval_end_step();
        VerilatedVpi::callCbs(cbReadOnlySynch);
        dump();
        uint64_t next = VerilatedVpi::cbNextDeadline();
        if (top->eventsPending()) next = std::min(next, uint64_t(top->nextTimeSlot()));
        if (next == ~uint64_t(0)) break;
        engine_time = std::max(engine_time, next);
        VerilatedVpi::callCbs(cbNextSimTime);
        settle();
        VerilatedVpi::callTimedCbs();
        settle();
    }
    top->final();
    wrap_up();
    return Verilated::threadContextp()->errorCount() > 0;
}
