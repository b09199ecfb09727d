# SPDX-License-Identifier: Apache-2.0
# How a C program with a library begins, and how its threads enter the library.
# The machine sets sp to the end of the thread's stack. tp: 32 bytes of the thread's own above its stack, which
# are registers, errno, and the last return address from the library.
    .section .text.start, "ax", @progbits
    .globl _start
_start:
    addi sp, sp, -32
    mv tp, sp
    sw zero, 16(tp)             # errno
    call main
    .insn r 0x0b, 0, 0, x0, x0, x0      # tmc x0

# The function at t0 for one active lane after the other: library functions branch on their data, about which
# lanes may disagree. sp stays as it is, since the function may have arguments on the stack.
    .section .text.serial, "ax", @progbits
    .globl simt_serial
simt_serial:
    sw ra, 20(tp)
    csrr t1, 0xcc4              # the active lanes
    addi t2, t1, -1
    and t2, t2, t1
    bnez t2, 1f
    jr t0                       # a single one
1:  sw ra, 0(tp)
    sw s0, 4(tp)
    sw s1, 8(tp)
    sw s2, 12(tp)
    mv s0, t1
    mv s1, t1                   # lanes that have not called it
    mv s2, t0
2:  neg t1, s1
    and t1, t1, s1
    .insn r 0x0b, 0, 0, x0, t1, x0      # tmc t1: the lowest of these
    jalr s2
    .insn r 0x0b, 0, 0, x0, s0, x0      # tmc s0: all again
    neg t1, s1
    and t1, t1, s1
    xor s1, s1, t1
    bnez s1, 2b
    lw ra, 0(tp)
    lw s0, 4(tp)
    lw s1, 8(tp)
    lw s2, 12(tp)
    ret
