/* SPDX-License-Identifier: Apache-2.0 */
/* Vertex shading: each of n vertices through a 4 x 4 matrix and the perspective division, lit by one light. */
#include "simt.h"

struct args {
    const float *matrix;   /* row by row */
    const float *position; /* x, y, z */
    const float *normal;   /* x, y, z, of any length */
    const float *light;    /* direction, ambient share */
    float *screen;         /* x, y, z, 1 / w */
    uint32_t *shade;       /* 0 to 255 */
    uint32_t n;
};

void main(const struct args *args)
{
    const float *m = args->matrix, *light = args->light;
    uint32_t n = args->n, i = simt_index(), threads = simt_count();
    simt_while (i < n) {
        const float *p = args->position + 3 * i, *v = args->normal + 3 * i;
        float x = p[0], y = p[1], z = p[2];
        float inverse = 1.0f / (m[12] * x + m[13] * y + m[14] * z + m[15]);
        float *out = args->screen + 4 * i;
        for (uint32_t row = 0; row < 3; row++)
            out[row] = (m[4 * row] * x + m[4 * row + 1] * y + m[4 * row + 2] * z + m[4 * row + 3]) * inverse;
        out[3] = inverse;
        float length = simt_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        float facing = (v[0] * light[0] + v[1] * light[1] + v[2] * light[2]) / length;
        simt_if (facing < 0) {
            facing = 0;
        }
        simt_endif
        float shade = light[3] + facing;
        simt_if (shade > 1.0f) {
            shade = 1.0f;
        }
        simt_endif
        args->shade[i] = (uint32_t)(shade * 255.0f + 0.5f);
        i += threads;
    }
}
