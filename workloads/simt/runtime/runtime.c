/* SPDX-License-Identifier: Apache-2.0 */
/* The ends of musl's C library on the SIMT machine: output goes to a buffer of each thread, programs stop. */
#include "stdio_impl.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The library renames these in its own files: a program's printf comes here, and it has no heap. */
#undef vfprintf
void *malloc(size_t size) { return 0; }
void *realloc(void *old, size_t size) { return 0; }
void free(void *old) {}

#undef stdout
#undef stderr
int musl_vfprintf(FILE *restrict, const char *restrict, va_list);

#define THREADS 256
#define TEXT 16412 /* an odd number of lines of the data cache in all */

/* length: of all that was written, also of what did not fit */
struct {
    unsigned length;
    char text[TEXT];
} simt_output[THREADS];

static size_t out(FILE *f, const unsigned char *text, size_t n)
{
    unsigned thread;
    __asm__("csrr %0, 0xf14" : "=r"(thread));
    size_t buffered = f->wpos - f->wbase;
    const unsigned char *parts[] = {f->wbase, text};
    size_t sizes[] = {buffered, n};
    for (int part = 0; part < 2; part++)
        for (size_t i = 0; i < sizes[part]; i++) {
            unsigned at = simt_output[thread].length++;
            if (at < TEXT)
                simt_output[thread].text[at] = parts[part][i];
        }
    f->wpos = f->wbase = f->buf;
    return n;
}

/* Nothing is kept in these, as all threads share them. */
static unsigned char nothing[1];
static FILE both = {.lbf = EOF, .write = out, .lock = -1, .buf = nothing};
FILE *const stdout = &both, *const stderr = &both;

int vfprintf(FILE *restrict f, const char *restrict format, va_list arguments)
{
    FILE own = *f; /* it is changed while it prints */
    return musl_vfprintf(&own, format, arguments);
}

int vprintf(const char *restrict format, va_list arguments) { return vfprintf(stdout, format, arguments); }

int printf(const char *restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vfprintf(stdout, format, arguments);
    va_end(arguments);
    return n;
}

int fprintf(FILE *restrict f, const char *restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vfprintf(f, format, arguments);
    va_end(arguments);
    return n;
}

int fputs(const char *restrict text, FILE *restrict f)
{
    out(f, (const unsigned char *)text, strlen(text));
    return 0;
}

int fputc(int c, FILE *f)
{
    unsigned char byte = c;
    out(f, &byte, 1);
    return byte;
}

int putc(int c, FILE *f) { return fputc(c, f); }
int putchar(int c) { return fputc(c, stdout); }
int fflush(FILE *f) { return 0; }

int puts(const char *text)
{
    fputs(text, stdout);
    return putchar('\n') < 0;
}

int *__errno_location(void)
{
    int *own;
    __asm__("addi %0, tp, 16" : "=r"(own));
    return own;
}

int *___errno_location(void) __attribute__((alias("__errno_location")));

/* No FILE is locked, since none is shared. */
int __lockfile(FILE *f) { return 0; }
void __unlockfile(FILE *f) {}

char *strerror(int number) { return "error"; }

_Noreturn void abort(void)
{
    for (;;)
        __asm__ volatile("ebreak");
}

_Noreturn void __assert_fail(const char *what, const char *file, int line, const char *function)
{
    printf("%s:%d: %s: assertion failed: %s\n", file, line, function, what);
    abort();
}

/* Ends the warp, if all its lanes come here. */
_Noreturn void exit(int code)
{
    unsigned active, threads;
    __asm__ volatile("csrr %0, 0xcc4\n csrr %1, 0xfc0" : "=r"(active), "=r"(threads));
    if (active != (1u << threads) - 1)
        abort();
    for (;;)
        __asm__ volatile(".insn r 0x0b, 0, 0, x0, x0, x0");
}

_Noreturn void _Exit(int code) { exit(code); }
