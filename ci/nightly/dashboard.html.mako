<%doc>SPDX-License-Identifier: Apache-2.0 - the dashboard of a regression campaign; see ci/nightly/page.py</%doc>\
<%inherit file="base.html.mako"/>\
<%namespace name="figures" file="figure.html.mako"/>\
<%def name="title()">Campaign ${told['id']}</%def>\
<header class="head">
  <div class="headline">
    <p class="kicker">cacheforge · regression</p>
    <h1>Campaign ${told['id']}: ${told['verdict'] or 'not finished'}</h1>
    <p class="lead">${told['tier']} of ${told['blocks']}, seed ${told['seed']}, revision ${told['revision']}; <code>${told['command']}</code></p>
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
    % for section in sections:
    <li><a href="#${section.anchor}">${section.title}</a></li>
    % endfor
    <li><a href="#files">Files for other tools</a></li>
  </ol>
</nav>
<main id="main">
% for section in sections:
<section aria-labelledby="${section.anchor}">
  <h2 id="${section.anchor}">${section.title}</h2>
  <div class="intro">${section.intro | n}</div>
  % for figure in section.figures:
  ${figures.draw(figure)}
  % endfor
</section>
% endfor
<section aria-labelledby="files">
  <h2 id="files">Files for other tools</h2>
  <div class="intro"><p>LCOV, for genhtml, Coverview or an editor: lines of the Verilog, and coverpoints as files whose functions are bins.</p>
  <ul>
    % for name in exported:
    <li><a href="${name}" download>${name}</a></li>
    % endfor
  </ul></div>
</section>
</main>
</div>
