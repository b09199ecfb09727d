// SPDX-License-Identifier: Apache-2.0
// Tips beside the pointer, tabs, folds that open, and the current chapter in the table of contents. The page reads without it.
"use strict";
(() => {
  const tip = document.getElementById("tip");
  const place = (x, y) => {
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(8, Math.min(x + 14, innerWidth - box.width - 8)) + "px";
    tip.style.top = (y + 18 + box.height > innerHeight ? y - box.height - 12 : y + 18) + "px";
  };
  document.addEventListener("pointermove", (event) => {
    const mark = event.target.closest ? event.target.closest("[data-tip]") : null;
    tip.hidden = !mark;
    if (mark) {
      tip.textContent = mark.dataset.tip;
      place(event.clientX, event.clientY);
    }
  });
  document.addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });

  for (const tabs of document.querySelectorAll('[role="tablist"]')) {
    const buttons = [...tabs.querySelectorAll("button")];
    const select = (chosen) => buttons.forEach((button) => {
      const on = button === chosen;
      button.setAttribute("aria-selected", String(on));
      button.tabIndex = on ? 0 : -1;
      document.getElementById(button.getAttribute("aria-controls")).hidden = !on;
    });
    buttons.forEach((button, index) => {
      button.addEventListener("click", () => select(button));
      button.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const next = buttons[(index + step + buttons.length) % buttons.length];
        select(next);
        next.focus();
      });
    });
  }

  const unfold = (hash) => {
    const at = document.getElementById(decodeURIComponent(hash.slice(1)));
    if (!at) return;
    for (const own of at.querySelectorAll(":scope > .fold")) own.open = true;
    for (let fold = at.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    at.scrollIntoView();
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link) unfold(link.hash);
  });
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((fold) => { fold.open = true; }));
  addEventListener("hashchange", () => unfold(location.hash));
  unfold(location.hash);

  const links = new Map([...document.querySelectorAll(".toc a")].map((a) => [a.getAttribute("href").slice(1), a]));
  const heads = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
  const mark = () => {
    let here = heads[0];
    for (const head of heads) if (head.getBoundingClientRect().top < innerHeight * 0.3) here = head;
    links.forEach((a, id) => a.classList.toggle("here", Boolean(here) && id === here.id));
  };
  document.addEventListener("scroll", mark, { passive: true });
  mark();
})();
