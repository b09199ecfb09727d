# SPDX-License-Identifier: Apache-2.0
"""Pictures for the page: arrays to data URIs, values to colours."""

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from report.charts import CIVIDIS

Picture = NDArray[np.uint8]  # [height, width, 3], RGB


def data_uri(picture: Picture, quality: int = 86) -> str:
    """The picture as WebP inside a data URI; ``quality`` 100 is lossless."""
    out = io.BytesIO()
    lossless = quality >= 100
    Image.fromarray(picture).save(out, "WEBP", quality=quality, method=4, lossless=lossless)
    return "data:image/webp;base64," + base64.b64encode(out.getvalue()).decode()


def shrink(picture: Picture, side: int) -> Picture:
    """The picture with its longer side at most ``side`` pixels."""
    image = Image.fromarray(picture)
    image.thumbnail((side, side), Image.Resampling.LANCZOS)
    return np.asarray(image)


def paint(values: NDArray[np.floating], drawn: NDArray[np.bool_]) -> Picture:
    """Values 0..1 in the colours of cividis; pixels that are not ``drawn`` are a dark grey."""
    anchors = np.array(CIVIDIS, float)
    place = np.clip(values, 0, 1) * (len(anchors) - 1)
    steps = np.arange(len(anchors))
    channels = [np.interp(place, steps, anchors[:, channel]) for channel in range(3)]
    picture = np.stack(channels, axis=-1).round().astype(np.uint8)
    picture[~drawn] = (28, 30, 34)
    return picture


@dataclass(frozen=True)
class View:
    """One picture, on a tab of its own."""

    key: str
    title: str
    picture: Picture
    words: str
    quality: int = 86


def tabbed(name: str, views: Sequence[View], facts: str = "") -> str:
    """Markup of the tabs of ``name`` (unique on the page), with ``facts`` (markup) beside the pictures."""
    tabs, panels = [], []
    for view in views:
        identity, first = f"{name}-{view.key}", view is views[0]
        tabs.append(
            f'<button role="tab" id="tab-{identity}" aria-controls="panel-{identity}" '
            f'tabindex="{0 if first else -1}" aria-selected="{str(first).lower()}">'
            f"{escape(view.title)}</button>"
        )
        height, width = view.picture.shape[:2]
        panels.append(
            f'<div class="panel" role="tabpanel" id="panel-{identity}" aria-labelledby="tab-{identity}"'
            f'{"" if first else " hidden"}><img src="{data_uri(view.picture, view.quality)}" '
            f'alt="{escape(name)}: {escape(view.words)}" width="{width}" height="{height}">'
            f"<p>{escape(view.words)}</p></div>"
        )
    return (
        f'<div class="views"><div class="tabs" role="tablist" aria-label="pictures of {escape(name)}">'
        f"{''.join(tabs)}</div>"
        f'<div class="scene"><div>{"".join(panels)}</div>{facts}</div></div>'
    )


def facts(title: str, pairs: Sequence[tuple[str, str]]) -> str:
    """Markup of a small list of names and values."""
    rows = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in pairs)
    return f"<h4>{title}</h4><dl class='facts'>{rows}</dl>"
