# SPDX-License-Identifier: Apache-2.0
"""A page as a telephone shows it: opened in a frame of 400 pixels, all unfolded, and measured there."""

import json
import re
from html import escape, unescape
from pathlib import Path
from typing import Any

from report.browser import open_page

WIDTH = 400  # pixels; headless Chromium's own windows are never narrower than 500
LEAST = 9  # pixels: letters smaller than these are not read
#: collects what is wrong, in words, one for each element
SCRIPT = """
const measure = (page) => {
  const wrong = [], sizes = [], view = page.defaultView, root = page.documentElement;
  const style = (one) => view.getComputedStyle(one), shown = (one) => one.getClientRects().length > 0;
  const edges = (one) => one.getBoundingClientRect();
  const told = (one, words) => {
    const place = one.closest("[id]");
    wrong.push(`${place ? "#" + place.id + " " : ""}${one.tagName.toLowerCase()}: ${words}`);
  };
  const boxOf = (one) => {  // the element that cuts this one off, or scrolls it
    let box = one.parentElement;
    while (box !== page.body && style(box).overflowX === "visible") box = box.parentElement;
    return box === page.body ? root : box;
  };
  const height = root.scrollHeight;
  page.querySelectorAll("details").forEach((one) => { one.open = true; });
  page.querySelectorAll(".panel").forEach((one) => { one.hidden = false; });

  if (root.scrollWidth > view.innerWidth) told(root, `${root.scrollWidth} pixels wide`);
  for (const one of page.body.querySelectorAll("*")) {
    if (!shown(one) || one.closest("svg *, caption, .skip")) continue;
    const box = boxOf(one), left = edges(box).left;
    const room = style(box).overflowX === "auto" ? box.scrollWidth : edges(box).width;
    const [inner, outer] = [edges(one), edges(box)];
    if (inner.left < left - 1 || inner.right > left + room + 1) told(one, "cut at the side");
    if (style(box).overflowY === "hidden" && inner.bottom > outer.bottom + 1) told(one, "cut below");
  }
  for (const one of page.images) {
    if (view.innerWidth > 640 && one.closest(".hero")) continue;  // a background there, cut on purpose
    const shape = one.naturalWidth / one.naturalHeight / (edges(one).width / edges(one).height);
    if (style(one).objectFit !== "contain" && Math.abs(shape - 1) > 0.03) told(one, "cut or out of shape");
  }

  const tables = [...page.querySelectorAll("table")].filter((table) => {
    const box = boxOf(table);
    box.scrollLeft = table.scrollWidth;
    for (const row of table.rows) {
      const first = edges(row.cells[0]), around = edges(box);
      if (first.left < around.left - 1 || first.right > around.right + 1) told(row.cells[0], "out of sight");
      if (row.cells.length > 1 && first.width > 0.6 * around.width) told(row.cells[0], "leaves no room");
    }
    return box.scrollLeft > 0;
  });

  const words = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const one = words.currentNode.parentElement;
    if (!words.currentNode.data.trim() || !shown(one)) continue;
    const scale = one.ownerSVGElement ? Math.abs(one.getScreenCTM().b || one.getScreenCTM().a) : 1;
    sizes.push(parseFloat(style(one).fontSize) * scale);
    if (sizes.at(-1) < LEAST) told(one, `letters of ${sizes.at(-1).toFixed(1)} pixels`);
  }
  return { wrong, height, width: view.innerWidth, scrolling: tables.length, images: page.images.length,
           charts: page.querySelectorAll("svg.chart").length, letters: Math.min(...sizes) };
};
addEventListener("load", () => {
  const found = document.createElement("pre");
  found.id = "found";
  found.textContent = JSON.stringify(measure(document.querySelector("iframe").contentDocument));
  document.body.append(found);
});
"""


def narrow(page: Path, folder: Path, width: int = WIDTH) -> dict[str, Any]:
    """What is ``wrong`` on a page ``width`` pixels wide, its ``height`` as it opens, and what is there:
    ``images``, ``charts``, ``scrolling`` tables, the size of the smallest ``letters``. ``folder`` is for a
    file beside.
    """
    framed = folder / f"narrow-{page.name}"
    framed.write_text(
        f"<!DOCTYPE html><title>{width}</title><script>const LEAST = {LEAST};{SCRIPT}</script>"
        f'<iframe style="width:{width}px;height:800px;border:0" srcdoc="{escape(page.read_text())}"></iframe>'
    )
    document, messages = open_page(framed)
    match = re.search(r'<pre id="found">(.*?)</pre>', document, re.S)
    assert match, messages
    measures: dict[str, Any] = json.loads(unescape(match[1]))
    assert measures["width"] == width
    return measures
