/* SPDX-License-Identifier: Apache-2.0 */
/* n lines by Bresenham's algorithm into a picture of bytes: a thread draws a line. */
#include "simt.h"

struct args {
    const int32_t *ends; /* x0, y0, x1, y1 of each line */
    unsigned char *picture;
    uint32_t n, width;
};

void main(const struct args *args)
{
    uint32_t n = args->n, width = args->width, line = simt_index(), threads = simt_count();
    unsigned char *picture = args->picture;
    simt_while (line < n) {
        const int32_t *end = args->ends + 4 * line;
        int32_t x = end[0], y = end[1], right = end[2] - x, down = end[3] - y;
        int32_t dx = right < 0 ? -right : right, dy = down < 0 ? -down : down;
        int32_t sx = right < 0 ? -1 : 1, sy = down < 0 ? -1 : 1;
        int32_t error = dx - dy, left = dx;
        simt_if (dy > dx) {
            left = dy;
        }
        simt_endif
        simt_while (left >= 0) {
            picture[y * (int32_t)width + x] = 255;
            int32_t twice = 2 * error;
            simt_if (twice >= -dy) {
                error -= dy;
                x += sx;
            }
            simt_endif
            simt_if (twice <= dx) {
                error += dx;
                y += sy;
            }
            simt_endif
            left--;
        }
        line += threads;
    }
}
