<%doc>SPDX-License-Identifier: Apache-2.0 - the page that leads to the blocks' pages; see report/page.py</%doc>\
<%inherit file="base.html.mako"/>\
<%def name="title()">Hit-rate report</%def>\
<header class="head plain">
  <div class="headline">
    <p class="kicker">cacheforge</p>
    <h1>Hit-rate report</h1>
    <p class="lead">GPU caches as Verilog, measured beside the papers that published them. Every number comes from runs in which
    RTL and golden model agreed in each access.</p>
  </div>
</header>
<main id="main" class="blocks">
% for block in blocks:
<article class="card" aria-labelledby="${block['block']}">
  <h2 id="${block['block']}"><a href="${block['block']}.html">${block['title']}</a></h2>
  <p class="lead">${block['lead']}</p>
  <div class="thumbs" aria-hidden="true">
    % for uri, name in block['thumbnails']:
    <img src="${uri}" alt="">
    % endfor
  </div>
  <dl class="keys">
    % for name, key in block['key_figures'].items():
    <div class="key" data-key="${name}"><dt>${key['title']}</dt><dd><b${' class="long"' if len(key['shown']) > 11 else '' | n}>${key['shown']}</b><span>${key['note']}</span></dd></div>
    % endfor
  </dl>
  <p class="note">${block['provenance']['Configuration']}; ${block['provenance']['Runs']}; source ${block['provenance']['Source revision']}</p>
</article>
% endfor
</main>
