// The requirement table, and the map of tools and probes.
const MARKS = { pass: '✓', fail: '✗', partial: '~', not_testable: '·', not_applicable: '–' };
const VERDICT_NAMES = { pass: 'pass', fail: 'fail', partial: 'tolerated', not_testable: 'not testable', not_applicable: 'not applicable' };
const verdictOf = (cell) => (cell.partial && cell.verdict === 'pass' ? 'partial' : cell.verdict);

function faults(row) {
  const revisions = data.requirements.revisions;
  const told = new Map();
  row.cells.forEach((cell, n) => {
    if (!cell || !['fail', 'partial'].includes(verdictOf(cell))) return;
    const key = `${cell.says} ${cell.fix}`;
    if (!told.has(key)) told.set(key, { cell, at: [] });
    told.get(key).at.push(revisions[n]);
  });
  return [...told.values()].map(({ cell, at }) => h('div', { class: 'faults' },
    `${at.join(', ')}${cell.origin ? ` [${cell.origin}]` : ''}: `, plain(cell.says),
    cell.fix === undefined ? null : [' Fix: ', prose(cell.fix)], ' ',
    (cell.seen || []).map((id) => [h('a', { href: `#transcript?exchange=${id}` }, `#${id}`), ' '])));
}

function requirementRow(row) {
  return h('tr', null, h('th', { scope: 'row' }, h('a', { href: row.spec, rel: 'noreferrer' }, row.id)), h('td', null, row.level),
    h('td', { class: 'text' }, prose(row.says), faults(row)),
    row.cells.map((cell) => {
      if (!cell) return h('td', null);
      const verdict = verdictOf(cell);
      return h('td', { class: `mark v-${verdict}`, title: text(cell.says) }, h('span', { 'aria-hidden': 'true' }, MARKS[verdict]), h('span', { class: 'sr' }, VERDICT_NAMES[verdict]));
    }));
}

function requirementsView(root) {
  const { revisions, rows } = data.requirements;
  if (!rows.length) {
    root.append(h('p', { class: 'card empty' }, 'No requirement was judged.'));
    return { show() {} };
  }
  const state = { q: '', level: '', verdict: '' };
  const body = h('tbody');
  const shown = h('p', { class: 'shown', role: 'status' });
  const draw = () => {
    const fits = finder(state.q);
    const chosen = rows.filter((r) => (!state.level || r.level === state.level)
      && (!state.verdict || r.cells.some((c) => c && verdictOf(c) === state.verdict))
      && fits(`${r.id} ${r.section} ${text(r.says)} ${r.cells.map((c) => (c ? text(c.says) : '')).join(' ')}`.toLowerCase()));
    const lines = [];
    chosen.forEach((row, n) => {
      if (row.section !== chosen[n - 1]?.section) lines.push(h('tr', { class: 'section' }, h('th', { colspan: 3 + revisions.length, scope: 'rowgroup' }, row.section)));
      lines.push(requirementRow(row));
    });
    body.replaceChildren(...lines);
    const failing = rows.filter((r) => r.cells.some((c) => c && c.verdict === 'fail')).length;
    shown.textContent = `${numbers.format(chosen.length)} of ${count(rows.length, 'requirement')}; ${numbers.format(failing)} fail in some revision`;
  };
  const set = (name) => (value) => { state[name] = value; draw(); };
  const search = searchBox('Search', set('q'));
  const levels = [...new Set(rows.map((r) => r.level).filter(Boolean))];
  root.append(h('div', { class: 'filters' }, search.label,
    select('Level', [['', 'all levels'], ...levels.map((l) => [l, l])], '', set('level')),
    select('Verdict', [['', 'all verdicts'], ...Object.entries(VERDICT_NAMES)], '', set('verdict'))), shown,
  h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Requirements' }, h('table', null,
    h('thead', null, h('tr', null, ['Requirement', 'Level', 'What is required', ...revisions].map((t) => h('th', { scope: 'col' }, t)))), body)));
  draw();
  return { search: search.node, show() {} };
}

const CELLS = { f: ['✗', 'failed'], p: ['✓', 'passed'], r: ['○', 'run, no verdict'], n: ['?', 'not seen'], ' ': ['', 'not planned'] };

function coverageView(root) {
  const { probes, lines } = data.coverage;
  const names = [...data.tools.map((t) => text(t.name)), 'the server itself'];
  const sums = { f: 0, p: 0, r: 0, n: 0 };
  for (const line of lines) for (const letter of line) if (letter !== ' ') sums[letter] += 1;
  const cells = Object.fromEntries(Object.entries(CELLS).map(([letter, [mark, name]]) =>
    [letter, h('td', { class: `c-${letter.trim()}`, 'aria-label': letter === ' ' ? null : name }, mark)]));
  const row = (line, n) => h('tr', null,
    h('th', { scope: 'row' }, n < data.tools.length ? h('a', { href: `#tools?tool=${n}` }, names[n]) : names[n]),
    [...line].map((letter) => cells[letter].cloneNode(true)));
  const body = h('tbody', { onmouseover: (event) => {
    const cell = event.target.closest('td');
    if (cell && !cell.title) cell.title = `${names[cell.parentNode.rowIndex - 1]} · ${probes[cell.cellIndex - 1]}: ${cell.getAttribute('aria-label') || 'not planned'}`;
  } });
  // Some lines at a time, so that the first are there at once.
  const draw = (from) => {
    body.append(...lines.slice(from, from + 40).map((line, n) => row(line, from + n)));
    if (from + 40 < lines.length) setTimeout(draw, 0, from + 40);
  };
  draw(0);
  root.append(
    h('p', { class: 'shown' }, 'What each probe came to for each tool. A blank means that nothing of the kind was planned.'),
    h('ul', { class: 'legend' }, Object.entries(sums).map(([letter, n]) =>
      h('li', null, h('span', { class: `c-${letter}`, 'aria-hidden': 'true' }, CELLS[letter][0]), `${numbers.format(n)} ${CELLS[letter][1]}`))));
  if (probes.length) {
    root.append(h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Tools and probes' }, h('table', { class: 'map' },
      h('thead', null, h('tr', null, h('th', { scope: 'col' }, h('span', { class: 'sr' }, 'Tool')), probes.map((p) => h('th', { scope: 'col' }, h('span', null, p))))),
      body)));
  } else root.append(h('p', { class: 'card empty' }, 'No call was planned.'));
  return { show() {} };
}
