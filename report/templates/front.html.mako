<%doc>SPDX-License-Identifier: Apache-2.0 - the first things read about a block</%doc>\
<%def name="quick(very)">
% if very:
<p class="quick"><b>Quick measurement</b> (QUICK=1): less traffic and fewer configurations; the full report has other numbers.</p>
% endif
</%def>
<%def name="summary(sentences)">
% if sentences:
<dl class="summary">
  % for name, sentence in zip(('Measured', 'Result', 'Why'), sentences):
  <div><dt>${name}</dt><dd>${sentence}</dd></div>
  % endfor
</dl>
% endif
</%def>
<%def name="keys(figures)">
<dl class="keys">
  % for name, title, shown, note in figures:
  <div class="key" data-key="${name}"><dt>${title}</dt><dd><b${' class="long"' if len(shown) > 11 else '' | n}>${shown}</b><span>${note}</span></dd></div>
  % endfor
</dl>
</%def>
