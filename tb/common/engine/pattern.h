// SPDX-License-Identifier: Apache-2.0
// Readiness cycle by cycle: the twin of `Pacing.ready` (tb/common/components/pacing.py), draw for draw.
//
// Numbers come from the generator of numpy that Python uses too, by numpy's own C functions.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include <numpy/random/distributions.h>

// As Generator.integers(count)
inline uint64_t integer(bitgen_t* random, uint64_t count) {
    uint64_t drawn = 0;
    if (count > 1) random_bounded_uint64_fill(random, 0, count - 1, 1, false, &drawn);
    return drawn;
}

class Pattern {
  public:
    enum Kind { ALWAYS, PACED, PLAYED };

    void pace(bitgen_t* generator, double mean_run, double mean_pause, int64_t most) {
        random = generator, run = mean_run, pause = mean_pause, longest = most;
        kind = pause ? PACED : ALWAYS;
        left = 0, active = false;
    }
    void play(const uint8_t* levels, size_t count) { kind = PLAYED, played.assign(levels, levels + count), at = 0; }

    // 0, 1, or -1 at the end of what is played
    int next() {
        if (kind == ALWAYS) return 1;
        if (kind == PLAYED) return at < played.size() ? played[at++] : -1;
        while (!left) {
            active = !active;
            left = random_geometric(random, 1 / (active ? run : pause));
            if (!active) left = std::min(left, longest);
        }
        --left;
        return active;
    }

  private:
    Kind kind = ALWAYS;
    bitgen_t* random = nullptr;
    double run = 1, pause = 0;
    int64_t longest = 0, left = 0;
    bool active = false;
    std::vector<uint8_t> played;
    size_t at = 0;
};
