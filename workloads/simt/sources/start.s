# SPDX-License-Identifier: Apache-2.0
# How a C program begins: a stack for each thread, main(a0), the end of the warp.
# Stacks are 1056 bytes, 33 lines of the data cache, so that those of eight lanes do not meet in one set.
    .section .text.start
    .globl _start
_start:
    csrr t0, 0xf14              # the thread's number in the machine
    slli t1, t0, 10
    slli t0, t0, 5
    add t0, t0, t1
    lui sp, 0x1000              # the end of memory, 16 MB
    sub sp, sp, t0
    call main
    .insn r 0x0b, 0, 0, x0, x0, x0      # tmc x0
