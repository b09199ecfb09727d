// SPDX-License-Identifier: Apache-2.0
// The memory behind all AXI ports of a design: a hash of (seed, address) with an image over it, as in
// models/memory.py, and pages of 4 KB for what was written.
#pragma once
#include <algorithm>
#include <array>
#include <memory>
#include <unordered_map>
#include <vector>

#include "structures.h"

class Memory {
  public:
    static constexpr uint64_t PAGE = 4096;

    explicit Memory(const Options& given) : options(given) {}

    // A beat: N bytes (a power of two, up to a page) from an aligned address
    template <unsigned N> void read(uint64_t address, uint8_t* bytes) const {
        if (const uint8_t* page = pages.empty() ? nullptr : written(address / PAGE)) {
            std::memcpy(bytes, page + address % PAGE, N);
        } else if constexpr (N < 4) {
            uint32_t whole = initial(address / 4);
            std::memcpy(bytes, reinterpret_cast<const uint8_t*>(&whole) + address % 4, N);
        } else {
            for (unsigned i = 0; i < N; i += 4) {
                uint32_t whole = initial((address + i) / 4);
                std::memcpy(bytes + i, &whole, 4);
            }
        }
    }

    // The bytes of a beat whose `strobes` are set
    template <unsigned N> void write(uint64_t address, const uint8_t* bytes, const uint8_t* strobes) {
        uint8_t* page = writable(address / PAGE) + address % PAGE;
        for (unsigned i = 0; i < N; ++i)
            if (strobes[i]) page[i] = bytes[i];
    }

    uint32_t word(uint64_t address) const {
        uint32_t whole;
        read<4>(address * 4, reinterpret_cast<uint8_t*>(&whole));
        return whole;
    }

    bool is_poisoned(uint64_t address) const {
        if (!options.poisoned_count) return false;
        return std::binary_search(options.poisoned, options.poisoned + options.poisoned_count, address / options.line_bytes);
    }

    // Numbers of the pages that were written to
    std::vector<uint64_t> written_pages() const {
        std::vector<uint64_t> numbers;
        for (const auto& page : pages) numbers.push_back(page.first);
        std::sort(numbers.begin(), numbers.end());
        return numbers;
    }

  private:
    using Page = std::array<uint8_t, PAGE>;
    const Options& options;
    std::unordered_map<uint64_t, std::unique_ptr<Page>> pages;

    const uint8_t* written(uint64_t number) const {
        auto found = pages.find(number);
        return found == pages.end() ? nullptr : found->second->data();
    }

    uint8_t* writable(uint64_t number) {
        auto& page = pages[number];
        if (!page) {
            page = std::make_unique<Page>();
            for (uint64_t i = 0; i < PAGE; i += 4) {
                uint32_t whole = initial((number * PAGE + i) / 4);
                std::memcpy(page->data() + i, &whole, 4);
            }
        }
        return page->data();
    }

    uint32_t initial(uint64_t word_address) const {
        uint64_t index = word_address - options.image_start; // wraps to a huge number below the image
        if (index < options.image_words) return options.image[index];
        return hashed(uint32_t(options.contents_seed), uint32_t(word_address));
    }

    static uint32_t hashed(uint32_t seed, uint32_t word) { // as models/memory.py: word
        uint32_t x = word ^ (seed * 0x9E3779B1u);
        x = (x ^ x >> 16) * 0x7FEB352Du;
        x = (x ^ x >> 15) * 0x846CA68Bu;
        return x ^ x >> 16;
    }
};
