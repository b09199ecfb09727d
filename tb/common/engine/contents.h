// SPDX-License-Identifier: Apache-2.0
// Bytes behind an AXI port: what was never written is models/memory.py's hash of (seed, address).
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

class Contents {
  public:
    static constexpr uint64_t BLOCK = 64; // bytes that are made at a time
    using Block = std::array<uint8_t, BLOCK>;

    explicit Contents(uint32_t of_seed) : seed(of_seed) {}

    void read(uint64_t address, uint8_t* to, uint64_t count) {
        for (uint64_t i = 0; i < count; ++i) to[i] = block((address + i) / BLOCK)[(address + i) % BLOCK];
    }
    void write(uint64_t address, const uint8_t* from, const uint8_t* strobes, uint64_t count) {
        for (uint64_t i = 0; i < count; ++i)
            if (strobes[i / 8] >> i % 8 & 1) block((address + i) / BLOCK)[(address + i) % BLOCK] = from[i];
    }
    const std::map<uint64_t, Block>& touched() const { return blocks; }

  private:
    uint32_t seed;
    std::map<uint64_t, Block> blocks;
    uint64_t last = ~uint64_t(0); // a block that was used just now, and is not moved in the map
    Block* recent = nullptr;

    Block& block(uint64_t number) {
        if (number == last) return *recent;
        auto [at, made] = blocks.try_emplace(number);
        if (made)
            for (uint64_t i = 0; i < BLOCK / 4; ++i) {
                uint32_t value = word(number * BLOCK / 4 + i);
                for (int byte = 0; byte < 4; ++byte) at->second[4 * i + byte] = uint8_t(value >> 8 * byte);
            }
        last = number, recent = &at->second;
        return at->second;
    }
    uint32_t word(uint64_t address) const {
        uint32_t x = uint32_t(address) ^ (seed * 0x9E3779B1u);
        x = (x ^ x >> 16) * 0x7FEB352Du;
        x = (x ^ x >> 15) * 0x846CA68Bu;
        return x ^ x >> 16;
    }
};
