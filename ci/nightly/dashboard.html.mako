<%doc>SPDX-License-Identifier: Apache-2.0 - the dashboard of a regression campaign; see ci/nightly/page.py</%doc>\
<%inherit file="base.html.mako"/>\
<%namespace name="drawing" file="figure.html.mako"/>\
<%def name="title()">Campaign ${about['id']}</%def>\
<%def name="listed(items)">
  <ul>
    % for item in items[:shown]:
    <li>${item}</li>
    % endfor
    % if len(items) > shown:
    <li>and ${len(items) - shown} more</li>
    % endif
  </ul>
</%def>\
<header class="head">
  <div class="headline">
    <p class="kicker">cacheforge · regression</p>
    <h1>Campaign ${about['id']}: ${about['verdict'] or 'not finished'}</h1>
    <p class="lead">${about['tier']} of ${about['blocks']}, seed ${about['seed']}, revision ${about['revision']}; <code>${about['command']}</code></p>
  </div>
</header>
<dl class="keys">
  % for key in key_figures:
  <div class="key" data-key="${key.name}"><dt>${key.title}</dt><dd><b>${key.shown}</b><span>${key.note}</span></dd></div>
  % endfor
</dl>
<div class="layout">
<nav class="toc" aria-label="Contents">
  <p>Contents</p>
  <ol>
    <li><a href="#failures">Failures</a></li>
    <li><a href="#holes">Holes</a></li>
    % for figure in figures:
    <li><a href="#${figure.anchor}">${figure.title}</a></li>
    % endfor
  </ol>
</nav>
<main id="main">
<section aria-labelledby="failures">
  <h2 id="failures">Failures</h2>
  <div class="intro"><p>${'Failures that look alike, with the command that repeats the first.' if failures or changes else 'None.'}</p></div>
  % for title, repro, waves, rows in failures:
  <figure>
    <h3>${title}</h3>
    <p><code>${repro}</code></p>
    % if waves:
    <p>waves: <code>${waves}</code></p>
    % endif
    <pre>${rows[0]['message'][:2000]}</pre>
    ${listed([row['key'] for row in rows])}
  </figure>
  % endfor
  % if changes:
  <figure><h3>Figures that are not the baseline's</h3>${listed(changes)}</figure>
  % endif
</section>
<section aria-labelledby="holes">
  <h2 id="holes">Holes</h2>
  <div class="intro"><p>${f"Neither hit nor waived. {'Functional holes fail' if judged else 'No hole fails'} a campaign of tier {about['tier']}." if holes else 'None.'}</p></div>
  % for config in holes:
  <figure>
    <h3>${config.block} ${config.config}</h3>
    % for kind, names in config.holes.items():
    <details ${'open' if judged and kind == 'functional' and len(names) <= 20 else ''}><summary>${kind}, ${len(names)}</summary>${listed(names)}</details>
    % endfor
  </figure>
  % endfor
</section>
% for figure in figures:
<section>
  ${drawing.draw(figure)}
</section>
% endfor
</main>
</div>
