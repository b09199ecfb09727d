# SPDX-License-Identifier: Apache-2.0
"""Files as transfers, editors and other programs leave them: what every reader must survive."""

from collections.abc import Sequence

from hypothesis import strategies as st

WORDS = (
    *(b"nan", b"-inf", b"1e400", b"1e-320", b"-1", b"0", b"9" * 50, b"0x7", b"true", b"null", b"x", b'"'),
    *(b"\n", b" ", b",", b"/", b"\\", b"#", b"=", b"{", b"}", b"[", b"]", b"\0", b"\xff\xfe", b"\x80"),
)  # fmt: skip


def damaged(contents: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    """One of ``contents``, changed in one to four places: cut, repeated, overwritten, lengthened."""
    return st.composite(_damaged)(contents)


def _damaged(draw: st.DrawFn, contents: Sequence[bytes]) -> bytes:
    data = draw(st.sampled_from(contents))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + draw(st.sampled_from([1, 4, 40, 4000])))))
        old = [st.just(b""), st.just(data[start:end] * 2)]
        middle = draw(st.one_of(*old, st.binary(max_size=4), st.sampled_from(WORDS)))
        data = data[:start] + middle + data[end:]
    return data
