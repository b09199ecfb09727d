<%doc>SPDX-License-Identifier: Apache-2.0 - a block's page of the hit-rate report; see report/page.py</%doc>\
<%inherit file="base.html.mako"/>\
<%!from report.words import counted%>\
<%namespace name="figures" file="figure.html.mako"/>\
<%namespace name="front" file="front.html.mako"/>\
<%def name="title()">${report.title}${', quick measurement' if report.quick else ''}</%def>\
${front.quick(report.quick)}
<header class="head">
  % if report.hero:
  <div class="hero" aria-hidden="true">
    % for uri, name in report.panes:
    <div class="pane"><img src="${uri}" alt=""></div>
    % endfor
  </div>
  % endif
  <div class="headline">
    <p class="kicker"><a href="index.html">cacheforge · report</a></p>
    <h1 id="${report.block}">${report.title}</h1>
    <p class="lead">${report.lead}</p>
  </div>
</header>
${front.summary(report.summary)}
${front.keys([(key.name, key.title, key.shown, key.note) for key in report.key_figures])}
<div class="layout">
<nav class="toc" aria-label="Contents">
  <p>Contents</p>
  <ol>
    % for section in report.sections:
    <li><a href="#${section.anchor}">${section.title}</a></li>
    % endfor
    <li><a href="#provenance">Where these numbers come from</a></li>
  </ol>
</nav>
<main id="main">
% for section in report.sections:
<section aria-labelledby="${section.anchor}">
  % if section.fold:
  <details class="fold"><summary><h2 id="${section.anchor}">${section.title}</h2>
    <span>${counted(len(section.figures), 'figure')}</span>
    <p class="learn">${section.result | n}</p></summary>
  % else:
  <h2 id="${section.anchor}">${section.title}</h2>
  % endif
  ${section.intro and f'<div class="intro">{section.intro}</div>' | n}
  % for figure in section.figures:
  ${figures.draw(figure, report.command, section.result if section.fold else '')}
  % endfor
  % if section.fold:
  </details>
  % endif
</section>
% endfor
${footer()}
</main>
</div>
<%def name="footer()">
<section aria-labelledby="provenance">
  <h2 id="provenance">Where these numbers come from</h2>
  <div class="intro"><p>Everything above is computed from result files that the Verilated RTL wrote, after each access had been
  compared with the golden model${', and from model-only sweeps where a figure says so' if 'model' in str([figure.traffic for section in report.sections for figure in section.figures]) else ''}. The same numbers are in
  <a href="${report.block}.json" download>${report.block}.json</a> and in one CSV file per table.</p></div>
  <dl class="provenance">
    % for name, value in provenance.items():
    <div><dt>${name}</dt><dd>${value}</dd></div>
    % endfor
  </dl>
</section>
</%def>
