# SPDX-License-Identifier: Apache-2.0
# 40 KB of code without a branch, more than the instruction cache holds, n times: 1,700 steps of a
# xorshift generator. a0: the threads' words; n.
    .text
    .globl _start
_start:
    lw t3, 0(a0)
    lw t4, 4(a0)
    csrr t0, 0xcc1
    csrr t1, 0xfc0
    mul t0, t0, t1
    csrr t1, 0xcc0
    add t0, t0, t1              # the thread's number in its block
    slli t0, t0, 2
    add t3, t3, t0
    lw t0, 0(t3)
again:
    .rept 1700
    slli t1, t0, 13
    xor t0, t0, t1
    srli t1, t0, 17
    xor t0, t0, t1
    slli t1, t0, 5
    xor t0, t0, t1
    .endr
    addi t4, t4, -1
    beqz t4, done
    j again
done:
    sw t0, 0(t3)
    .insn r 0x0b, 0, 0, x0, x0, x0      # tmc x0
