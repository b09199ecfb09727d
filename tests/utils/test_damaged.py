# SPDX-License-Identifier: Apache-2.0
"""Damaged presets and strange overrides: a configuration, or one line; nothing else."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs import UserError, base, load
from tests.damage import WORDS, damaged

PRESET = (Path(base.__file__).parent / "texcache" / "tiny.toml").read_bytes()


def one_line(error: UserError) -> None:
    assert "\n" not in str(error) and len(str(error)) < 3000, str(error)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(content=damaged([PRESET]))
def test_a_damaged_preset_is_read_or_refused(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("presets")
    (folder / "texcache").mkdir()
    (folder / "texcache" / "tiny.toml").write_bytes(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(base, "ROOT", folder)
        patch.setattr(base, "presets", lambda block: ("tiny",))
        patch.setattr(base, "blocks", lambda: ("texcache",))
        try:
            base._load.__wrapped__("texcache", "tiny", ())
        except UserError as error:
            one_line(error)


FIELDS = ("cache.ways", "ways", "banks", "layout", "cache", "observe", "memory.latency", "nothing")
STRANGE = st.one_of(st.text(max_size=20), st.sampled_from([word.decode("latin-1") for word in WORDS]))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(field=st.one_of(st.sampled_from(FIELDS), st.text(max_size=8)), value=STRANGE)
def test_a_strange_override_is_taken_or_refused(field: str, value: str) -> None:
    try:
        load("texcache", "tiny", [f"{field}={value}"])
    except UserError as error:
        one_line(error)


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 5000, "0x" + "f" * 5000, "1e999", "nan", "-1"])
def test_values_beyond_all_limits(value: str) -> None:
    with pytest.raises(UserError, match="banks=") as error:
        load("texcache", "tiny", [f"banks={value}"])
    one_line(error.value)
