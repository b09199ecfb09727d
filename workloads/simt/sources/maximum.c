/* SPDX-License-Identifier: Apache-2.0 */
/* The largest of n words, and where it is first: by thread, then by a tree in the data RAM. */
#include "simt.h"

struct args {
    const int32_t *data;
    uint32_t n;
    int32_t *result; /* value, index */
};

struct best {
    int32_t value;
    uint32_t index;
};

void main(const struct args *args)
{
    const int32_t *data = args->data;
    uint32_t n = args->n, threads = simt_count(), me = simt_index();
    struct best *shared = (struct best *)(SIMT_SHARED + 4096 * simt_block());
    struct best best = {-0x7fffffff - 1, 0xffffffff};
    uint32_t i = me;
    simt_while (i < n) {
        int32_t value = data[i];
        simt_if ((value > best.value) | (best.index == 0xffffffff)) {
            best.value = value;
            best.index = i;
        }
        simt_endif
        i += threads;
    }
    shared[me] = best;
    simt_barrier();
    for (uint32_t step = 1; step < threads; step <<= 1) {
        simt_if (((me & (2 * step - 1)) == 0) & (me + step < threads)) {
            struct best mine = shared[me], other = shared[me + step];
            uint32_t larger = other.value > mine.value, same = other.value == mine.value;
            simt_if (larger | (same & (other.index < mine.index))) {
                shared[me] = other;
            }
            simt_endif
        }
        simt_endif
        simt_barrier();
    }
    simt_if (me == 0) {
        args->result[0] = shared[0].value;
        args->result[1] = (int32_t)shared[0].index;
    }
    simt_endif
}
