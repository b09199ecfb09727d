# SPDX-License-Identifier: Apache-2.0
"""What property files ask of the configuration, they can know."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

import configs
import rtl
from formal import catalogue, model

CHOICE = re.compile(r"`(?:ifdef|ifndef|elsif)\s+(\w+)")
DEFINED = re.compile(r"^`define (\w+)", re.MULTILINE)
BOUND = re.compile(r"^bind `?(\w+) (\w+) \w+ \(\.\*\);", re.MULTILINE)
INCLUDED = f'`include "{model.GEOMETRY}"'


def test_a_choice_is_between_what_some_preset_has() -> None:
    """A macro that is misspelt, or asked for too early, chooses the other branch without a word."""
    macros: dict[Path, set[str]] = defaultdict(set)
    for block in configs.blocks():
        for proof in catalogue.proofs(block):
            for preset in configs.presets(block):
                defined = DEFINED.findall(model.geometry(configs.load(block, preset), proof))
                for name in (proof.properties, *proof.common):
                    own = proof.folder / name
                    macros[own if own.is_file() else model.COMMON / name].update(defined)
    chosen = 0
    for path, defined in macros.items():
        before, _, text = path.read_text().rpartition(INCLUDED)
        assert not CHOICE.findall(before), f"{path}: chooses before {INCLUDED}"
        choices = set(CHOICE.findall(text))
        if choices:
            assert before, f"{path}: chooses without {INCLUDED}"
        assert choices <= defined, f"{path}: no preset defines {choices - defined}"
        chosen += len(choices)
    assert chosen


@pytest.mark.parametrize("preset", configs.presets("texcache"))
def test_what_proofs_look_at_is_there(preset: str) -> None:
    """Every signal by its name, in each preset of the texture cache that the proof is for."""
    cfg = configs.load("texcache", preset)
    files, looked = rtl.generate(cfg), 0
    for proof in catalogue.proofs("texcache"):
        if not proof.applies(cfg):
            continue
        text = (proof.folder / proof.properties).read_text()
        for bound, name in BOUND.findall(text):
            module = proof.top if bound == "MODULE" else bound
            ports = text.partition(f"module {name} (")[2].partition(");")[0]
            inputs = set(re.findall(r"\w+", re.sub(r"\[.*?\]", "", ports))) - {"input"}
            identifiers = set(re.findall(r"\w+", files[f"{configs.PROJECT}{module}.v"]))
            assert inputs and inputs <= identifiers, f"{proof.name}: {module} has no {inputs - identifiers}"
            looked += 1
    assert looked
