/* SPDX-License-Identifier: Apache-2.0 */
/* Fast Fourier transform of n complex numbers, n a power of two, in place: bit reversal, then log2(n) stages. */
#include "simt.h"

struct args {
    float *re, *im;
    const float *cosine, *sine; /* of -2 pi k / n, n / 2 each */
    uint32_t n;
};

static void reverse(float *x, uint32_t i, uint32_t j)
{
    float kept = x[i];
    x[i] = x[j];
    x[j] = kept;
}

void main(const struct args *args)
{
    float *re = args->re, *im = args->im;
    uint32_t n = args->n, threads = simt_count(), i = simt_index();
    simt_while (i < n) {
        uint32_t j = 0;
        for (uint32_t bit = 1; bit < n; bit <<= 1)
            j = (j << 1) | ((i & bit) != 0);
        simt_if (i < j) {
            reverse(re, i, j);
            reverse(im, i, j);
        }
        simt_endif
        i += threads;
    }
    simt_barrier();
    for (uint32_t half = 1; half < n; half <<= 1) {
        uint32_t pair = simt_index(), stride = n / 2 / half;
        simt_while (pair < n / 2) {
            uint32_t k = pair & (half - 1), upper = 2 * pair - k, lower = upper + half;
            float c = args->cosine[k * stride], s = args->sine[k * stride];
            float x = re[lower] * c - im[lower] * s, y = re[lower] * s + im[lower] * c;
            re[lower] = re[upper] - x;
            im[lower] = im[upper] - y;
            re[upper] += x;
            im[upper] += y;
            pair += threads;
        }
        simt_barrier();
    }
}
