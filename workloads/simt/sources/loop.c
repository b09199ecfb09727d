/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that each thread leaves at a time of its own: steps of the Collatz sequence from start to 1. */
#include "simt.h"

struct args {
    const uint32_t *start;
    uint32_t *steps;
    uint32_t n;
};

void main(const struct args *args)
{
    const uint32_t *start = args->start;
    uint32_t *steps = args->steps;
    uint32_t n = args->n, i = simt_index(), threads = simt_count();
    simt_while (i < n) {
        uint32_t x = start[i], count = 0;
        simt_while (x != 1) {
            simt_if (x & 1) {
                x = 3 * x + 1;
            } simt_else {
                x >>= 1;
            }
            simt_endif
            count++;
        }
        steps[i] = count;
        i += threads;
    }
}
