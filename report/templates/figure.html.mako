<%doc>SPDX-License-Identifier: Apache-2.0 - one figure of a page</%doc>\
<%def name="draw(figure, command='', said='')">
<figure id="${figure.anchor}">
  <h3><a href="#${figure.anchor}" aria-label="link to this figure">${figure.title}</a></h3>
  % if figure.learn and figure.learn != said:
  <p class="learn">${figure.learn | n}</p>
  % endif
  % if figure.fold:
  <details class="fold"><summary>Figure and numbers</summary>
  % endif
  % if figure.shows:
  <p class="shows">${figure.shows | n}</p>
  % endif
  ${figure.body | n}
  % if figure.table and figure.open_table:
  ${figure.table.html() | n}
  % endif
  <figcaption>
    % if figure.table and figure.table.note:
    <p class="note">${figure.table.note}</p>
    % endif
    <div class="source">
      % if figure.traffic:
      <span><b>Traffic</b> ${figure.traffic}</span>
      % endif
      % if figure.command or command and figure.traffic:
      <span><b>Command</b> <code>${figure.command or command}</code></span>
      % endif
      % if figure.table:
      <span><b>Data</b> <a href="${figure.table.name}.csv" download>${figure.table.name}.csv</a></span>
      % endif
    </div>
    % if figure.table and not figure.open_table:
    <details><summary>Numbers</summary>${figure.table.html() | n}</details>
    % endif
  </figcaption>
  % if figure.fold:
  </details>
  % endif
</figure>
</%def>
