# SPDX-License-Identifier: Apache-2.0
"""SVG from strings: tags, scales and axes. Charts are built of these; colours come from the style sheet.

Text and marks carry classes (``s1`` .. ``s8`` for the series), never colours, so that one drawing serves the
light and the dark page.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

Format = Callable[[float], str]


def tag(name: str, content: str = "", /, **attributes: object) -> str:
    """``<name ...>content</name>``: ``class_`` becomes ``class``, ``a_b`` becomes ``a-b``, None is left out.

    ``content`` is markup (escape text with :func:`text` or ``html.escape``); attribute values are escaped.
    """
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            shown = f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
            safe = escape(shown, quote=True).replace("\n", "&#10;")
            parts.append(f'{key.rstrip("_").replace("_", "-")}="{safe}"')
    opening = " ".join(parts)
    return f"<{opening}>{content}</{name}>" if content else f"<{opening}/>"


def text(x: float, y: float, words: str, class_: str, anchor: str | None = None, **attributes: object) -> str:
    """A ``<text>`` element; ``words`` is plain text."""
    return tag("text", escape(words), x=float(x), y=float(y), class_=class_, text_anchor=anchor, **attributes)


def svg(width: float, height: float, body: str, alt: str) -> str:
    """The root element in its box: scales with the page as far as it can be read, and scrolls from there on.

    It is one image with ``alt`` to a screen reader.
    """
    picture = tag(
        "svg", body, class_="chart", viewBox=f"0 0 {width:g} {height:g}", role="img", aria_label=alt,
        style=f"--width:{width:g}px",
    )  # fmt: skip
    return tag("div", picture, class_="plot")


@dataclass(frozen=True)
class Scale:
    """Maps values ``low..high`` to pixels ``start..end``, logarithmic with ticks at powers of ``log``."""

    low: float
    high: float
    start: float
    end: float
    log: int = 0

    def __call__(self, value: float) -> float:
        """Place of a value in pixels."""
        low, high = self.low, self.high
        if self.log:
            value, low, high = math.log(max(value, low)), math.log(low), math.log(high)
        share = (value - low) / (high - low) if high != low else 0.5
        return self.start + share * (self.end - self.start)

    def ticks(self, about: int = 5) -> list[float]:
        """Round values inside the range, about that many."""
        if self.log:
            lowest = math.ceil(math.log(self.low, self.log) - 1e-9)
            highest = math.floor(math.log(self.high, self.log) + 1e-9)
            stride = max(1, math.ceil((highest - lowest + 1) / max(about, 1)))
            return [float(self.log) ** power for power in range(lowest, highest + 1, stride)]
        step = nice((self.high - self.low) / max(about, 1))
        first = math.ceil(self.low / step - 1e-9)
        return [round(index * step, 12) for index in range(first, math.floor(self.high / step + 1e-9) + 1)]


def nice(value: float) -> float:
    """The next number of the form 1, 2, 2.5 or 5 times a power of ten that is not below ``value``."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= value * (1 - 1e-9))


def ceiling(values: Sequence[float], about: int = 5) -> float:
    """A round upper end for an axis that starts at zero and shows ``values``."""
    top = max([value for value in values if math.isfinite(value)], default=0.0)
    if top <= 0:
        return 1.0
    step = nice(top / about)
    return step * math.ceil(top / step - 1e-9)


@dataclass(frozen=True)
class Frame:
    """The plotting area of a chart: outer size and margins, and its ends, in viewBox units."""

    width: float = 840
    height: float = 320
    left: float = 72
    bottom: float = 46

    @property
    def x0(self) -> float:
        """Left end."""
        return self.left

    @property
    def x1(self) -> float:
        """Right end."""
        return self.width - 16

    @property
    def y0(self) -> float:
        """Lower end."""
        return self.height - self.bottom

    @property
    def y1(self) -> float:
        """Upper end."""
        return 16

    def y_axis(self, scale: Scale, label: str, form: Format) -> str:
        """Horizontal grid lines with their values, and the axis' name along the left edge."""
        parts = []
        for value in scale.ticks():
            y = scale(value)
            parts.append(tag("line", x1=self.x0, x2=self.x1, y1=y, y2=y, class_="grid"))
            parts.append(text(self.x0 - 8, y + 4, form(value), "tick", "end"))
        middle = (self.y0 + self.y1) / 2
        name = text(
            13, middle, _named(label, scale.log), "label", "middle", transform=f"rotate(-90 13 {middle:g})"
        )
        return "".join([*parts, name])

    def x_axis(self, places: Sequence[tuple[float, str]], label: str, log: int = 0) -> str:
        """Base line, tick labels at pixel positions and the axis' name, which says if it has a ``log``."""
        parts = [tag("line", x1=self.x0, x2=self.x1, y1=self.y0, y2=self.y0, class_="axis")]
        for x, words in places:
            parts.append(tag("line", x1=x, x2=x, y1=self.y0, y2=self.y0 + 4, class_="axis"))
            for row, line in enumerate(words.split("\n")):
                parts.append(text(x, self.y0 + 17 + 13 * row, line, "tick", "middle"))
        name = text((self.x0 + self.x1) / 2, self.height - 6, _named(label, log), "label", "middle")
        return "".join([*parts, name])


def _named(label: str, log: int) -> str:
    return f"{label} (logarithmic)" if log else label


def legend(names: Sequence[str], classes: Sequence[str] | None = None) -> str:
    """An HTML legend: swatches and names, in the order of the series."""
    classes = classes or [f"s{index % 8 + 1}" for index in range(len(names))]
    items = "".join(
        f'<li class="{kind}"><span class="swatch" aria-hidden="true"></span>{escape(name)}</li>'
        for name, kind in zip(names, classes, strict=True)
    )
    return f'<ul class="legend">{items}</ul>'
