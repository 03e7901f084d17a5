// Tools: what became of each, how it was tried, what it costs.
const VERDICTS = { working: 'working', partially_working: 'partially working', broken: 'broken', unexercised: 'not exercised' };
const ms = (value) => `${value < 10 ? value.toFixed(1) : numbers.format(Math.round(value))} ms`;

function sparkline(times, large) {
  if (times.length < 2) return null;
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  const top = Math.max(...times, 1);
  const points = times.map((t, n) => `${((n / (times.length - 1)) * 100).toFixed(1)},${(29 - (t / top) * 28).toFixed(1)}`);
  const line = document.createElementNS(space, 'polyline');
  line.setAttribute('points', points.join(' '));
  svg.setAttribute('viewBox', '0 0 100 30');
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('class', large ? 'spark large' : 'spark');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', `Times of ${times.length} answers, up to ${ms(top)}`);
  svg.append(line);
  return svg;
}

function scenarioTable(scenarios) {
  const rows = Object.entries(scenarios);
  if (!rows.length) return h('p', { class: 'hint' }, 'No scenario was tried.');
  const kinds = ['passed', 'failed', 'unproven', 'unseen'];
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Scenarios' }, h('table', null,
    h('thead', null, h('tr', null, ['Scenario', 'passed', 'failed', 'unproven', 'not seen'].map((t) => h('th', { scope: 'col' }, t)))),
    h('tbody', null, rows.map(([name, c]) => h('tr', null, h('th', { scope: 'row' }, words(name)),
      kinds.map((k) => h('td', { class: k === 'failed' && c[k] ? 'v-fail' : null }, String(c[k]))))))));
}

function toolBody(tool, index) {
  const own = findings.filter((f) => f.tool === index);
  const bad = own.filter((f) => TROUBLE.includes(f.status));
  const facts = [
    ['Verdict', `${VERDICTS[tool.verdict]}: ${text(tool.why)}`],
    ['Calls', h('a', { href: `#transcript?tool=${index}` }, `${count(tool.calls, 'call')} in the transcript`)],
    ['Tokens', tool.tokens.definition === null ? 'not counted' : `${numbers.format(tool.tokens.definition)} to know it` + (tool.tokens.answer === null ? '' : `, ${numbers.format(tool.tokens.answer)} to read an answer`)],
  ];
  if (tool.latency) facts.push(['Latency', `${ms(tool.latency.p50)} median · ${ms(tool.latency.p95)} 95th percentile · ${ms(tool.latency.max)} slowest`]);
  if (tool.classification) facts.push(['Responses', `${words(tool.classification.ours)}, confidence ${Math.round(tool.classification.confidence)} %`]);
  if (tool.metadata) facts.push(['Content', `${tool.metadata.content_types.join(', ') || 'none'} in ${count(tool.metadata.results, 'result')}`]);
  const rows = h('div', { class: 'rows' });
  portions(rows, bad, 8, (f) => findingRow(f, true));
  const schema = (name, place) => (place === undefined ? null : h('div', null, h('p', { class: 'label' }, name), code(place, name)));
  return [
    tool.description === undefined ? h('p', { class: 'hint' }, 'It has no description.') : h('p', null, plain(tool.description)),
    h('div', { class: 'columns' },
      h('div', null, pairs(facts)),
      h('div', null, scenarioTable(tool.scenarios), tool.times.length > 1 ? h('p', { class: 'label' }, 'Times of ordinary answers') : null, sparkline(tool.times, true))),
    h('div', null, h('p', { class: 'label' }, `Findings: ${bad.length} to look at, ${own.length - bad.length} others`), bad.length ? rows : null,
      h('p', null, h('a', { href: `#findings?tool=${index}&status=${Object.keys(STATUS).join(',')}` }, 'all findings of this tool'))),
    h('div', { class: 'columns' }, schema('Input schema', tool.input), schema('Output schema', tool.output), schema('Annotations', tool.annotations)),
  ];
}

function toolRow(index) {
  const tool = data.tools[index];
  const bad = findings.filter((f) => f.tool === index && TROUBLE.includes(f.status)).length;
  const head = h('span', null, h('span', { class: 'subject' }, text(tool.name)), tool.title === undefined ? '' : text(tool.title));
  const notes = [bad ? count(bad, 'finding') : null, tool.latency ? ms(tool.latency.p50) : null, tool.tokens.definition === null ? null : count(tool.tokens.definition, 'token')];
  const side = h('span', { class: 'side' }, spans(notes), sparkline(tool.times, false), badge('verdict', tool.verdict));
  return fold({ class: 'tool', id: `tool-${index}` }, [head, side], () => toolBody(tool, index));
}

function toolsView(root) {
  if (!data.tools.length) {
    root.append(h('p', { class: 'card empty' }, 'No tool was listed.'));
    return { show() {} };
  }
  const state = { q: '', verdict: '', order: 'listed' };
  const list = h('div', { class: 'card' });
  const shown = h('p', { class: 'shown', role: 'status' });
  const orders = {
    listed: ['as listed', () => 0],
    slowest: ['slowest first', (a, b) => (b.latency?.p95 || 0) - (a.latency?.p95 || 0)],
    dearest: ['most tokens first', (a, b) => b.tokens.definition - a.tokens.definition],
    name: ['by name', (a, b) => text(a.name).localeCompare(text(b.name))],
  };
  const draw = () => {
    const fits = finder(state.q);
    const chosen = data.tools.map((_, n) => n)
      .filter((n) => (!state.verdict || data.tools[n].verdict === state.verdict)
        && fits(`${text(data.tools[n].name)} ${data.tools[n].description === undefined ? '' : text(data.tools[n].description)}`.toLowerCase()))
      .sort((a, b) => orders[state.order][1](data.tools[a], data.tools[b]));
    const total = chosen.reduce((sum, n) => sum + data.tools[n].tokens.definition, 0);
    shown.textContent = `${numbers.format(chosen.length)} of ${count(data.tools.length, 'tool')}; a model pays about ${count(total, 'token')} to know them`;
    list.replaceChildren();
    portions(list, chosen, 100, toolRow);
  };
  const set = (name) => (value) => { state[name] = value; draw(); };
  const search = searchBox('Search', set('q'));
  root.append(h('div', { class: 'filters' }, search.label,
    select('Verdict', [['', 'all verdicts'], ...Object.entries(VERDICTS)], '', set('verdict')),
    select('Order', Object.entries(orders).map(([key, [name]]) => [key, name]), 'listed', set('order'))), shown, list);
  draw();
  return {
    search: search.node,
    show(query) {
      const row = query.has('tool') && byId(`tool-${query.get('tool')}`);
      if (!row) return;
      row.open = true;
      row.fill();
      row.scrollIntoView();
      row.querySelector('summary').focus();
      return true;
    },
  };
}
