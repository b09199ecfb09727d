# SPDX-License-Identifier: Apache-2.0
"""The parts of ``rtl/common`` that a block uses: ``rtl/<block>/parts.txt``, one a line.

``fifo`` alone is a module with Verilog parameters, the same text for every block and configuration.
``line_reader cache=icache axi=axi`` is a template that is filled for these parts of the configuration, as
module ``<block>_line_reader``; a second word names it otherwise: ``line_reader icache_reader cache=icache``
is ``<block>_icache_reader``.
"""

from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from pathlib import Path

from configs import BlockConfig, Part, UserError

ROOT = Path(__file__).parent
FILE = "parts.txt"


@dataclass(frozen=True)
class Use:
    """A common template as a block uses it; ``roles`` is empty where it is the same for all blocks.

    ``module`` is what the module is called in the Verilog.
    """

    template: str
    module: str
    roles: dict[str, str] = field(default_factory=dict)

    def parts(self, cfg: BlockConfig) -> dict[str, Part]:
        """The configuration's parts by role, as the template sees them."""
        return {role: attrgetter(path)(cfg) for role, path in self.roles.items()}


@cache
def uses(block: str) -> tuple[Use, ...]:
    """What ``block`` uses, in compile order. Raises :class:`UserError` for a block without templates."""
    path = ROOT / block / FILE
    if not path.is_file():
        raise UserError(f"block {block} has a configuration but no templates: write rtl/{block}/{FILE}")
    return tuple(_use(block, line.split()) for line in path.read_text().splitlines() if line.strip())


def _use(block: str, words: list[str]) -> Use:
    template, *rest = words
    names = [word for word in rest if "=" not in word]
    roles = dict(word.split("=", 1) for word in rest if "=" in word)
    if len(names) > 1 or (names and not roles):
        raise ValueError(
            f"rtl/{block}/{FILE}: {' '.join(words)}: write it as TEMPLATE [NAME] [ROLE=PART ...]"
        )
    return Use(template, f"{block}_{(names or [template])[0]}" if roles else template, roles)
