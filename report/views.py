# SPDX-License-Identifier: Apache-2.0
"""Pictures of one thing, each on a tab of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from report.images import Picture, data_uri


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
