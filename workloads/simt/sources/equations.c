/* SPDX-License-Identifier: Apache-2.0 */
/* n linear equations: Gauss-Jordan elimination of the n x (n + 1) matrix, the largest of a column as pivot. */
#include "simt.h"

struct args {
    float *m, *x;
    uint32_t n;
};

void main(const struct args *args)
{
    float *m = args->m;
    uint32_t n = args->n, width = n + 1, me = simt_index(), threads = simt_count();
    for (uint32_t k = 0; k < n; k++) {
        uint32_t pivot = k;
        float largest = __builtin_fabsf(m[k * width + k]);
        for (uint32_t r = k + 1; r < n; r++) {
            float value = __builtin_fabsf(m[r * width + k]);
            if (value > largest) {
                largest = value;
                pivot = r;
            }
        }
        simt_barrier();
        if (pivot != k) {
            uint32_t c = me;
            simt_while (c < width) {
                float upper = m[k * width + c];
                m[k * width + c] = m[pivot * width + c];
                m[pivot * width + c] = upper;
                c += threads;
            }
        }
        simt_barrier();
        uint32_t r = me;
        simt_while (r < n) {
            simt_if (r != k) {
                float factor = m[r * width + k] / m[k * width + k];
                for (uint32_t c = k; c < width; c++)
                    m[r * width + c] -= factor * m[k * width + c];
            }
            simt_endif
            r += threads;
        }
        simt_barrier();
    }
    uint32_t r = me;
    simt_while (r < n) {
        args->x[r] = m[r * width + n] / m[r * width + r];
        r += threads;
    }
}
