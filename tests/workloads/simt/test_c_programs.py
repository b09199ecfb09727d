# SPDX-License-Identifier: Apache-2.0
"""C programs with the C library: results as numpy's and Python's, output, stacks, and what there is not."""

from pathlib import Path

import numpy as np
import pytest

from configs import UserError
from tests.workloads.simt.single import thread_by_thread
from workloads.simt import library, toolchain
from workloads.simt.__main__ import main
from workloads.simt.image import Image, Segment, Symbol
from workloads.simt.loading import STACK
from workloads.simt.machine import Launch, Machine, new_memory
from workloads.simt.printed import printed, values

needs_compiler = pytest.mark.skipif(
    not toolchain.installed(), reason="ziglang is optional, and not installed"
)
KINDS = """
#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct { unsigned x : 3, y : 5; int s : 4; } bits;
struct big { int a[20]; char name[13]; };
static int counter = 5, zeros[1000];
static const char *const words[] = {"pear", "apple", "fig"};
static int descending(const void *a, const void *b) { return strcmp(*(char **)b, *(char **)a); }
static int sum(int n, ...)
{
    va_list list;
    va_start(list, n);
    int s = 0;
    while (n--)
        s += va_arg(list, int);
    va_end(list);
    return s;
}
static struct big make(int n)
{
    struct big b = {{0}};
    for (int i = 0; i < 20; i++)
        b.a[i] = n * i;
    strcpy(b.name, "made");
    return b;
}
static const char *name(int n)
{
    switch (n) {
    case 0: return "zero";
    case 1: return "one";
    case 2: return "two";
    case 3: return "three";
    case 4: return "four";
    default: return "many";
    }
}
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void)
{
    const char *sorted[3];
    memcpy(sorted, words, sizeof words);
    qsort(sorted, 3, sizeof *sorted, descending);
    printf("%s %s %s|", sorted[0], sorted[1], sorted[2]);
    bits t = {5, 30, -3};
    t.x += 4, t.y += 3;
    struct big one = make(2), copy = one;
    copy.a[19] = 1;
    printf("%u %u %d %d %d %s\\n", t.x, t.y, t.s, one.a[19], copy.a[19], copy.name);
    printf("%d %d %d %d ", sum(9, 1, 2, 3, 4, 5, 6, 7, 8, 9), fib(12), counter++, zeros[7]);
    printf("%s%s\\n", name(3), name(9));
    char text[40];
    int n = snprintf(text, sizeof text, "%05d|%-4d|%+d|%x|%c|%6.2f|%g|%lld", 42, 42, 42, 255, 'z', 3.14159,
                     1e30, LLONG_MIN);
    puts(text);
    printf("%d %ld %d %g\\n", n, strtol("-7b", 0, 16), atoi("12x"), strtod("0x1p-3", 0));
    volatile long long v = -0x123456789abcLL;
    volatile int shift = 13;
    printf("%llx %llx %lld %lld\\n", (v << shift), (v >> shift), v / 1000007, v % 1000007);
    for (char *c = text; *c; c++)
        *c = toupper(*c);
    printf("%s %zu %d\\n", strstr(text, "Z"), strlen(text), strcmp("abc", "abd") < 0);
    fprintf(stderr, "%d %zu\\n", true, offsetof(struct big, name));
}
"""
SHOWN = """pear fig apple|1 1 -3 38 1 made
45 144 5 0 threemany
00042|42  |+42|ff|z|  3.14|1e+30|-92233
53 -123 12 0.125
fdb97530eca88000 ffffffff6e5d4c3b -20015858 -232862
Z|  3.14|1E+30|-92233 39 1
1 80
"""
THREADS = """
#include "simt.h"
#include <math.h>
#include <stdio.h>
double result[64];
int main(void)
{
    unsigned me = simt_index();
    double x = me * 0.37 - 5;
    result[me] = sqrt(fabs(x)) + x / (me + 1) + (double)((uint64_t)me * 1000003 / (me % 7 + 1));
    printf("%u of %u\\n", me / 3, simt_count());
}
"""


def compiled(folder: Path, text: str) -> tuple[Image, np.ndarray, Launch]:
    path = folder / "own.c"
    path.write_text(text)
    image, memory = toolchain.build(path, libc=True), new_memory()
    image.place(memory, 0)
    return image, memory, Launch(warps=1, threads=1, stack=STACK)


@needs_compiler
def test_the_kinds_of_c_on_the_machine_and_on_tinyrv(tmp_path: Path) -> None:
    image, memory, launch = compiled(tmp_path, KINDS)
    alone = thread_by_thread(memory, launch, 0)
    Machine(memory, launch).run()
    assert printed(image, memory, launch) == [f"thread 0: {line}" for line in SHOWN.splitlines()]
    assert (memory == alone).all()


@needs_compiler
def test_threads_of_a_warp_enter_the_library_with_different_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.c").write_text(THREADS)
    main([str(tmp_path / "own.c"), "--warps", "2", "--out", str(tmp_path)])
    me = np.arange(16.0)
    x = me * 0.37 - 5
    expected = np.sqrt(abs(x)) + x / (me + 1) + me * 1000003 // (me % 7 + 1)
    text = capsys.readouterr().out
    assert "result: " + " ".join(map(str, expected)) + " ... (64 in all)\n" in text
    assert "threads 0 to 2: 0 of 16\nthreads 3 to 5: 1 of 16\n" in text and "\nthread 15: 5 of 16\n" in text


@needs_compiler
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("void *malloc(unsigned);\nint main(void) { return *(int *)malloc(4); }", "own.c:2: .*no malloc: "),
        ('#include <stdio.h>\nint main(void) { return !fopen("x", "r"); }', "own.c:2: there is no fopen: "),
        ("_Atomic int n;\nint main(void) { n++; }", "own.c:2: there is no __atomic_.*: there are no atomic"),
        ("int other(int);\nint main(void) {\n return other(3); }", "own.c:3: there is no other: neither"),
        ("volatile char a[15000000];\nint main(void) { a[0] = 1; }", "own.c: its data ends at 0xf4e1c0, "),
        ("int f(int n) { volatile char pad[999]; pad[n % 9] = 1; return n ? f(n - 1) + pad[n % 8] : 0; }\n"
         "int main(void) { return f(999); }",
         r"in f, own.c:1 \(addi sp, .*\): the stack of thread 0 overflowed: it has 32800 bytes, \d+ are"),
        ("#include <string.h>\nchar *volatile p = (char *)0xe0000000;\n"
         "int main(void) {\n strcpy(p, p - 0xdff00000);\n return *p; }",
         r"in \w+, called in main, own.c:4 \(.*\): thread 0 stores"),
        ("#include <assert.h>\nint main(int n) {\n assert(n == 4); }", "ebreak, the program stopped itself"),
        ("#include \"simt.h\"\nint main(void) { if (simt_warp() < 3)\n simt_barrier(); }",
         r"in main, own.c:3 \(bar .*\): waits at a barrier"),
    ],
)  # fmt: skip
def test_programs_that_cannot_be(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "own.c").write_text(text)
    with pytest.raises(UserError, match=message):
        main([str(tmp_path / "own.c"), "--out", str(tmp_path / "out")])


@pytest.mark.parametrize(
    ("kind", "size", "shown"),
    [
        ("", 8, "1069547520 -1"), ("f4", 8, "1.5 nan"), ("u1", 3, "0 0 192"), ("i8", 8, "-3225419776"),
        ("S1", 4, "''"), ("f4,u1,V3", 8, "(1.5 255)"),
        ("u2", 40, "0 16320 65535 65535" + 12 * " 0" + " ... (20 in all)"),
    ],
)  # fmt: skip
def test_a_result_is_shown_as_what_it_is(kind: str, size: int, shown: str) -> None:
    memory = new_memory(0x100)
    memory[4:6] = 0x3FC00000, 0xFFFFFFFF
    image = Image("own", 0, [Segment(True, 0, memory[:1])], {"result": Symbol(16, size, kind)}, {}, {})
    assert values(image, memory) == [f"result: {shown}"]


def test_functions_that_the_machine_cannot_have() -> None:
    assert library.refused("calloc").startswith("there is no heap")
    assert library.refused("__sync_add_and_fetch_4") and library.refused("pthread_join")
    assert not library.refused("qsort") and not library.refused("freely")
