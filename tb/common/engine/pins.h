// SPDX-License-Identifier: Apache-2.0
// Ports of the design under either simulator: Verilator's variables in place, Icarus' through VPI.
//
// A value is an array of 32-bit words, the lowest first. Icarus has bits that are neither 0 nor 1: `unknown` is a
// mask of them, and a port of one bit has level 0, 1 or UNKNOWN.
#pragma once
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <vpi_user.h>

constexpr int UNKNOWN = 2;

struct Pin {
    int bits = 0;
    void* place = nullptr;       // Verilator's variable, of `bytes`
    unsigned bytes = 0;
    vpiHandle handle = nullptr;  // Icarus' port

    int words() const { return (bits + 31) / 32; }

    int level() const {
        if (place) return *static_cast<const uint8_t*>(place);
        s_vpi_value value{};
        value.format = vpiScalarVal;
        vpi_get_value(handle, &value);
        return value.value.scalar == vpi1 ? 1 : value.value.scalar == vpi0 ? 0 : UNKNOWN;
    }

    // True if a bit is unknown
    bool read(uint32_t* to, uint32_t* unknown) const {
        if (place) {
            if (bytes < 4) to[0] = 0;
            std::memcpy(to, place, bytes < 4 ? bytes : 4 * words());
            return false;
        }
        s_vpi_value value{};
        value.format = vpiVectorVal;
        vpi_get_value(handle, &value);
        uint32_t any = 0;
        for (int i = 0; i < words(); ++i) {
            to[i] = value.value.vector[i].aval & ~value.value.vector[i].bval;
            unknown[i] = value.value.vector[i].bval, any |= unknown[i];
        }
        return any;
    }

    void write(const uint32_t* from) const {
        if (place) {
            std::memcpy(place, from, bytes < 4 ? bytes : 4 * words());
            return;
        }
        std::vector<s_vpi_vecval> vector(words());
        for (int i = 0; i < words(); ++i) vector[i].aval = from[i], vector[i].bval = 0;
        s_vpi_value value{};
        value.format = vpiVectorVal;
        value.value.vector = vector.data();
        s_vpi_time now{};
        now.type = vpiSimTime;
        vpi_put_value(handle, &value, &now, vpiInertialDelay); // without a delay gates may miss the change
    }

    void write(uint32_t value) const {
        uint32_t all[32] = {value};
        write(all);
    }
};

// Fields side by side in one word
struct Fields {
    std::vector<Pin> pins;
    int bits = 0;

    int words() const { return (bits + 31) / 32; }
    void add(const Pin& pin) { pins.push_back(pin), bits += pin.bits; }

    bool read(uint32_t* to, uint32_t* unknown) const {
        if (pins.size() == 1) return pins[0].read(to, unknown);
        std::memset(to, 0, 4 * words()), std::memset(unknown, 0, 4 * words());
        bool any = false;
        int at = 0;
        for (const Pin& pin : pins) {
            uint32_t value[64], bad[64] = {};
            if (pin.read(value, bad)) any = true, place(unknown, at, bad, pin.words());
            place(to, at, value, pin.words());
            at += pin.bits;
        }
        return any;
    }

  private:
    void place(uint32_t* to, int at, const uint32_t* value, int count) const {
        int word = at / 32, shift = at % 32;
        for (int i = 0; i < count; ++i, ++word) {
            to[word] |= value[i] << shift;
            if (shift && word + 1 < words()) to[word + 1] |= value[i] >> (32 - shift);
        }
    }
};
