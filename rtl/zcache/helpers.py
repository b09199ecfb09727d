# SPDX-License-Identifier: Apache-2.0
"""What the zcache templates need beyond the configuration: who looks lines up, connections by name."""

from configs.zcache.schema import Config


def askers(cfg: Config) -> tuple[str, ...]:
    """Who looks lines up and asks for them: the test and, if there are prefetches, these."""
    return ("test", "ahead") if cfg.prefetching else ("test",)


def wired(names: str) -> str:
    """Connections of ports to wires of their names, or ``port=wire``, each on a line of its own."""
    pairs = (name.partition("=") for name in names.split())
    return "\n".join(f"        .{port}({wire or port})," for port, _, wire in pairs)


def extended(name: str, bits: int, to: int) -> str:
    """A vector of ``bits`` in ``to`` bits, zeros above it."""
    return f"{{{to - bits}'d0, {name}}}" if to > bits else name
