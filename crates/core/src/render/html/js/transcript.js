// The transcript, a page at a time.
const PAGE = 100;

function transcriptView(root) {
  const rows = table.rows;
  const state = { q: '', probe: '', tool: '', kind: '', page: 0 };
  const list = h('div');
  const shown = h('p', { class: 'shown', role: 'status' });
  let found = [];
  const hays = [];
  const hayOf = (id) => (hays[id] ||= [text(rows[id][1]), text(rows[id][2]), table.probes[rows[id][0]], text(rows[id][7]), text(rows[id][8]), `#${id}`].join(' ').toLowerCase());
  const filter = () => {
    const fits = finder(state.q);
    const tool = Number(state.tool);
    found = [];
    rows.forEach((row, id) => {
      if ((!state.probe || table.probes[row[0]] === state.probe) && (!state.kind || row[5] === state.kind)
        && (!state.tool || row[3] === tool) && (!state.q || fits(hayOf(id)))) found.push(id);
    });
    state.page = 0;
    draw();
  };
  const draw = () => {
    const last = Math.max(0, Math.ceil(found.length / PAGE) - 1);
    state.page = Math.min(Math.max(state.page, 0), last);
    const from = state.page * PAGE;
    const ids = found.slice(from, from + PAGE);
    shown.textContent = found.length
      ? `${numbers.format(from + 1)}–${numbers.format(from + ids.length)} of ${count(found.length, 'exchange')}` + (found.length < rows.length ? ` (${numbers.format(rows.length)} in all)` : '')
      : 'No exchange fits these filters.';
    list.replaceChildren(...ids.map((id) => exchange(id)));
    for (const [button, off] of [[before, state.page === 0], [after, state.page === last]]) button.disabled = off;
  };
  const turn = (by) => () => { state.page += by; draw(); root.scrollIntoView(); };
  const before = h('button', { type: 'button', onclick: turn(-1) }, '← Previous');
  const after = h('button', { type: 'button', onclick: turn(1) }, 'Next →');
  const set = (name) => (value) => { state[name] = value; filter(); };
  const search = searchBox('Search', set('q'));
  const kinds = [...new Set(rows.map((r) => r[5]))].sort();
  const selects = {
    probe: select('Probe', [['', 'all probes'], ...[...table.probes].sort().map((p) => [p, p])], '', set('probe')),
    tool: select('Tool', [['', 'all tools'], ...table.tools.map((t, n) => [String(n), text(t)])], '', set('tool')),
    kind: select('Reply', [['', 'all replies'], ...kinds.map((k) => [k, words(k)])], '', set('kind')),
  };
  const cut = data.texts.shortened;
  root.append(
    h('p', { class: 'hint' }, cut
      ? `${count(cut, 'text')} of more than ${numbers.format(data.texts.limit)} characters ${cut === 1 ? 'is' : 'are'} shortened in this file, each where it says so. The evidence file (--evidence FILE) has everything.`
      : 'Every text is here in full.'),
    h('div', { class: 'filters' }, search.label, Object.values(selects)), shown, list, h('div', { class: 'pager' }, before, after));
  filter();
  return {
    search: search.node,
    show(query) {
      if (query.has('exchange')) {
        const id = Number(query.get('exchange'));
        Object.assign(state, { q: '', probe: '', tool: '', kind: '' });
        filter();
        state.page = Math.floor(id / PAGE);
        draw();
        const row = list.querySelector(`[data-exchange="${id}"]`);
        if (!row) return false;
        row.open = true;
        row.fill();
        row.scrollIntoView();
        row.querySelector('summary').focus();
        return true;
      }
      if (query.has('tool')) {
        const at = table.listed.indexOf(Number(query.get('tool')));
        selects.tool.querySelector('select').value = at < 0 ? '' : String(at);
        set('tool')(at < 0 ? '' : String(at));
      }
      return false;
    },
  };
}
