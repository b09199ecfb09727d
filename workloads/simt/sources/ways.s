# SPDX-License-Identifier: Apache-2.0
# Calls n of 32 routines, in order, `passes` times. They lie 2 KB apart: in one set of the instruction cache, so
# that 17 of them do not fit into its 16 ways. a0: the threads' words; n; passes.
    .text
    .globl _start
_start:
    lw t3, 0(a0)
    lw t4, 4(a0)
    lw t5, 8(a0)
    csrr t0, 0xcc1
    csrr t1, 0xfc0
    mul t0, t0, t1
    csrr t1, 0xcc0
    add t0, t0, t1              # the thread's number in its block
    slli t0, t0, 2
    add t3, t3, t0
    lw t0, 0(t3)
    li s1, 2048
again:
    mv s0, t4
    mv t6, s1
next:
    jalr ra, t6, 0
    add t6, t6, s1
    addi s0, s0, -1
    bnez s0, next
    addi t5, t5, -1
    bnez t5, again
    sw t0, 0(t3)
    .insn r 0x0b, 0, 0, x0, x0, x0      # tmc x0

    .set routine, 1
    .rept 32
    .org 2048 * routine, 0
    slli t1, t0, 3
    add t0, t0, t1              # 9 t0 + routine
    addi t0, t0, routine
    ret
    .set routine, routine + 1
    .endr
