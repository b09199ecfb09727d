/* SPDX-License-Identifier: Apache-2.0 */
/* c = a b, n x n words each: a warp has a row, its threads have columns of it. */
#include "simt.h"

struct args {
    const int32_t *a, *b;
    int32_t *c;
    uint32_t n;
};

void main(const struct args *args)
{
    const int32_t *a = args->a, *b = args->b;
    int32_t *c = args->c;
    uint32_t n = args->n, warps = simt_warps(), threads = simt_threads();
    for (uint32_t row = simt_warp(); row < n; row += warps) {
        uint32_t column = simt_thread();
        simt_while (column < n) {
            int32_t sum = 0;
            for (uint32_t k = 0; k < n; k++)
                sum += a[row * n + k] * b[k * n + column];
            c[row * n + column] = sum;
            column += threads;
        }
    }
}
