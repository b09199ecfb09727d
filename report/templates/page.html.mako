<%doc>SPDX-License-Identifier: Apache-2.0 - the frame of the hit-rate report; see report/page.py</%doc>\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>cacheforge · hit-rate report</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%230b4f6c'/%3E%3Cpath d='M3 3h4v4H3zM9 9h4v4H9z' fill='%23f4d35e'/%3E%3Cpath d='M9 3h4v4H9zM3 9h4v4H3z' fill='%23fff' opacity='.35'/%3E%3C/svg%3E">
<style>
${style | n}
</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
% for report in reports:
<header class="head">
  % if report.hero:
  <div class="hero" aria-hidden="true">
    % for uri, alt in report.hero:
    <div class="pane"><img src="${uri}" alt=""></div>
    % endfor
  </div>
  % endif
  <div class="headline">
    <p class="kicker">cacheforge · hit-rate report</p>
    <h1 id="${report.block}">${report.title}</h1>
    <p class="lead">${report.lead | n}</p>
  </div>
</header>
<dl class="keys">
  % for key in report.key_figures:
  <div class="key" data-key="${key.name}"><dt>${key.title}</dt><dd><b${' class="long"' if len(key.shown) > 11 else '' | n}>${key.shown}</b><span>${key.note}</span></dd></div>
  % endfor
</dl>
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
  <h2 id="${section.anchor}">${section.title}</h2>
  <div class="intro">${section.intro | n}</div>
  % for figure in section.figures:
  ${draw(figure)}
  % endfor
</section>
% endfor
${footer()}
</main>
</div>
% endfor
<div id="tip" role="status" hidden></div>
<script>
${script | n}
</script>
</body>
</html>
<%def name="draw(figure)">
<figure id="${figure.anchor}">
  <h3><a href="#${figure.anchor}" aria-label="link to this figure">${figure.title}</a></h3>
  % if figure.shows:
  <p class="shows">${figure.shows | n}</p>
  % endif
  ${figure.body | n}
  % if figure.table and figure.open_table:
  ${figure.table.html() | n}
  % endif
  % if figure.table and figure.table.note:
  <p class="note">${figure.table.note}</p>
  % endif
  <figcaption>
    % if figure.learn:
    <p class="learn"><b>What to learn.</b> ${figure.learn | n}</p>
    % endif
    <div class="source">
      % if figure.traffic:
      <span><b>Traffic</b> ${figure.traffic}</span>
      % endif
      % if figure.command:
      <span><b>Command</b> <code>${figure.command}</code></span>
      % endif
      % if figure.table:
      <span><b>Data</b> <a href="${figure.table.name}.csv" download>${figure.table.name}.csv</a></span>
      % endif
    </div>
    % if figure.table and not figure.open_table:
    <details><summary>Numbers</summary>${figure.table.html() | n}</details>
    % endif
  </figcaption>
</figure>
</%def>
<%def name="footer()">
<section aria-labelledby="provenance">
  <h2 id="provenance">Where these numbers come from</h2>
  <div class="intro"><p>Everything above is computed from result files that the Verilated RTL wrote, after each footprint had been
  compared with the golden model, and from model-only sweeps where a figure says so. The same numbers are in
  <a href="report.json" download>report.json</a> and in one CSV file per table.</p></div>
  <dl class="provenance">
    % for name, value in provenance.items():
    <div><dt>${name}</dt><dd>${value}</dd></div>
    % endfor
    % for report in reports:
      % for name, value in report.provenance.items():
    <div><dt>${name}</dt><dd>${value}</dd></div>
      % endfor
    % endfor
  </dl>
</section>
</%def>
