/* SPDX-License-Identifier: Apache-2.0 */
/* A picture of n x n with a kernel of 3 x 3; where the kernel lies inside: (n - 2) x (n - 2) results. */
#include "simt.h"

struct args {
    const float *picture, *kernel;
    float *result;
    uint32_t n;
};

void main(const struct args *args)
{
    const float *picture = args->picture, *kernel = args->kernel;
    float *result = args->result;
    uint32_t n = args->n, side = n - 2, warps = simt_warps(), threads = simt_threads();
    for (uint32_t y = simt_warp(); y < side; y += warps) {
        uint32_t x = simt_thread();
        simt_while (x < side) {
            float sum = 0;
            for (uint32_t v = 0; v < 3; v++)
                for (uint32_t u = 0; u < 3; u++)
                    sum += picture[(y + v) * n + x + u] * kernel[3 * v + u];
            result[y * side + x] = sum;
            x += threads;
        }
    }
}
