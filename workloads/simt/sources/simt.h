/* SPDX-License-Identifier: Apache-2.0
 * The SIMT instructions in C.
 *
 * Threads of a warp may take different ways only where the program says so:
 *
 *     simt_if (x > 0) { ... } simt_else { ... } simt_endif      an if whose lanes may differ
 *     simt_while (i < n) { ... }                                a loop that lanes leave at different times
 *
 * No return, break, continue or goto out of them. Where all active lanes agree, C's own if and loops do; where they
 * do not, the machine stops with an error. a ? b : c, && and || are branches, too: write simt_if, & and |.
 */
#ifndef SIMT_H
#define SIMT_H

#include <stdbool.h>
#include <stdint.h>

/* nodebug: listings and errors show the line that calls it */
#define SIMT_INLINE static inline __attribute__((nodebug))

/* 16 KB that all threads share, beside the data cache */
#define SIMT_SHARED 0xf0000000u

#define simt_csr(number)                                              \
    ({                                                                \
        uint32_t simt_r;                                              \
        __asm__("csrr %0, %1" : "=r"(simt_r) : "i"(number));          \
        simt_r;                                                       \
    })

SIMT_INLINE uint32_t simt_thread(void) { return simt_csr(0xcc0); }
SIMT_INLINE uint32_t simt_warp(void) { return simt_csr(0xcc1); }
SIMT_INLINE uint32_t simt_block(void) { return simt_csr(0xcc2); }
SIMT_INLINE uint32_t simt_threads(void) { return simt_csr(0xfc0); }
SIMT_INLINE uint32_t simt_warps(void) { return simt_csr(0xfc1); }

/* lanes that are active now */
SIMT_INLINE uint32_t simt_active(void)
{
    uint32_t mask;
    __asm__ volatile("csrr %0, 0xcc4" : "=r"(mask) : : "memory");
    return mask;
}

/* the thread's number in its block, and how many there are */
SIMT_INLINE uint32_t simt_index(void) { return simt_warp() * simt_threads() + simt_thread(); }
SIMT_INLINE uint32_t simt_count(void) { return simt_warps() * simt_threads(); }

SIMT_INLINE void simt_tmc(uint32_t mask)
{
    __asm__ volatile(".insn r 0x0b, 0, 0, x0, %0, x0" : : "r"(mask) : "memory");
}

SIMT_INLINE uint32_t simt_split(uint32_t condition)
{
    uint32_t depth;
    __asm__ volatile(".insn r 0x0b, 2, 0, %0, %1, x0" : "=r"(depth) : "r"(condition) : "memory");
    return depth;
}

SIMT_INLINE void simt_join(uint32_t depth)
{
    __asm__ volatile(".insn r 0x0b, 3, 0, x0, %0, x0" : : "r"(depth) : "memory");
}

SIMT_INLINE void simt_pred(uint32_t condition, uint32_t mask)
{
    __asm__ volatile(".insn r 0x0b, 5, 0, x0, %0, %1" : : "r"(condition), "r"(mask) : "memory");
}

/* all warps of the block wait for each other */
SIMT_INLINE void simt_barrier(void)
{
    __asm__ volatile(".insn r 0x0b, 4, 0, x0, %0, %1" : : "r"(0), "r"(simt_warps()) : "memory");
}

/* The empty instruction keeps the compiler from moving a choice between two values behind the join. */
#define simt_if(condition)                              \
    {                                                   \
        uint32_t simt_c = !!(condition);                \
        uint32_t simt_d = simt_split(simt_c);           \
        if (simt_c) {                                   \
            __asm__ volatile("");

#define simt_else \
    } else {

#define simt_endif          \
    }                       \
    simt_join(simt_d);      \
    }

#define simt_while(condition)                                                                   \
    for (uint32_t simt_m = simt_active(), simt_c;                                               \
         simt_c = !!(condition), simt_pred(simt_c, simt_m), simt_c;)

SIMT_INLINE float simt_sqrt(float x)
{
    float root;
    __asm__("fsqrt.s %0, %1" : "=f"(root) : "f"(x));
    return root;
}

#endif
