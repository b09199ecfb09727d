/* SPDX-License-Identifier: Apache-2.0 */
/* Bitonic sort of n words, n a power of two: each step compares n / 2 pairs, and all warps wait for its end. */
#include "simt.h"

struct args {
    int32_t *data;
    uint32_t n;
};

void main(const struct args *args)
{
    int32_t *data = args->data;
    uint32_t n = args->n, threads = simt_count();
    for (uint32_t k = 2; k <= n; k <<= 1)
        for (uint32_t j = k >> 1; j > 0; j >>= 1) {
            uint32_t pair = simt_index();
            simt_while (pair < n / 2) {
                uint32_t low = pair & (j - 1);
                uint32_t i = ((pair - low) << 1) + low;
                int32_t a = data[i], b = data[i + j];
                simt_if ((a > b) == ((i & k) == 0)) {
                    data[i] = b;
                    data[i + j] = a;
                }
                simt_endif
                pair += threads;
            }
            simt_barrier();
        }
}
