<%doc>SPDX-License-Identifier: Apache-2.0 - the page that leads to the blocks' pages; see report/page.py</%doc>\
<%inherit file="base.html.mako"/>\
<%namespace name="front" file="front.html.mako"/>\
<%!
def of(key):
    return f"{key['shown']} ({key['title'].lower().removeprefix('hit rate, ')})" if key else '–'
def checked(key):
    return f"{key['shown']} {key['title'].rsplit(' ', 1)[0].lower()}" if key else '–'
%>\
<%def name="title()">Measurements</%def>\
${front.quick(any(block.get('quick') for block in blocks))}
<header class="head plain">
  <div class="headline">
    <p class="kicker">cacheforge</p>
    <h1>Measurements</h1>
    <p class="lead">Blocks of a GPU's memory path as Verilog. Published numbers stand beside measured ones. RTL and golden model agree
    on every access.</p>
  </div>
</header>
<main id="main" class="blocks">
<div class="card"><div class="scroll" tabindex="0" role="region" aria-label="Blocks compared">
<table style="--columns:5"><caption>Blocks compared</caption>
<thead><tr><th scope="col">block</th><th scope="col">what it is</th><th scope="col">result</th>
  <th scope="col" class="n">hit rate</th><th scope="col" class="n">checked</th></tr></thead>
<tbody>
% for block in blocks:
<tr><th scope="row"><a href="${block['block']}.html">${block['block']}</a>${' (quick)' if block.get('quick') else ''}</th>
  <td>${block['lead']}</td>
  <td>${(*block.get('summary', [])[1:2], '–')[0]}</td>
  <td class="n">${of(block['key_figures'].get('hit_rate'))}</td>
  <td class="n">${checked(block['key_figures'].get('checked'))}</td></tr>
% endfor
</tbody></table></div></div>
% for block in blocks:
<article class="card" aria-labelledby="${block['block']}">
  <h2 id="${block['block']}"><a href="${block['block']}.html">${block['title']}</a></h2>
  ${front.summary(block.get('summary', []))}
  <div class="thumbs" aria-hidden="true">
    % for uri, name in block['thumbnails']:
    <img src="${uri}" alt="">
    % endfor
  </div>
  ${front.keys([(name, key['title'], key['shown'], key['note']) for name, key in block['key_figures'].items()])}
  <p class="note">${block['provenance']['Configuration']}; ${block['provenance']['Runs']}; source ${block['provenance']['Source revision']}</p>
</article>
% endfor
</main>
