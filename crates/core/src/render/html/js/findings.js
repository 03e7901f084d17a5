// Findings: filtered, grouped, each with what was seen, the proof and the fix.
const STATUS = { proven: 'proven', failed: 'failed', suspected: 'to review', unseen: 'not seen', passed: 'passed', aside: 'set aside' };
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];
const TROUBLE = ['proven', 'failed', 'suspected'];
const toolName = (n) => text(data.tools[n].name);

function statusOf(f) {
  if (f.suppressed !== undefined || f.hidden) return 'aside';
  if (f.outcome === 'unseen') return 'unseen';
  if (f.outcome === 'pass') return 'passed';
  return { proven: 'proven', suspected: 'suspected' }[f.standing] || 'failed';
}

const findings = data.findings.map((f) => ({ ...f, check: data.checks[f.check], status: statusOf(f) }));
const areaName = (check) => (check.area === null ? 'not weighed' : data.areas[check.area][1]);
function hay(f) {
  f.hay ||= [f.subject, f.says, f.fix].filter((t) => t !== undefined).map(text)
    .concat(f.check.id, f.check.title, f.check.class || '', f.check.cwe || '', f.requirement || '', f.id).join(' ').toLowerCase();
  return f.hay;
}

const GROUPS = {
  check: { name: 'check', of: (f) => f.check.id },
  tool: { name: 'tool', of: (f) => (f.tool === undefined ? 'The server itself' : toolName(f.tool)) },
  area: { name: 'area', of: (f) => areaName(f.check) },
};
const findingsState = { q: '', area: '', severity: '', tool: '', check: '', group: 'check', status: new Set(TROUBLE) };

function chosen() {
  const s = findingsState;
  const fits = finder(s.q);
  return findings.filter((f) => s.status.has(f.status)
    && (!s.area || areaName(f.check) === s.area) && (!s.severity || f.check.severity === s.severity)
    && (!s.tool || (f.tool === undefined ? 'server' : String(f.tool)) === s.tool)
    && (!s.check || f.check.id === s.check) && fits(hay(f)));
}

function findingRow(f, showTitle) {
  const marks = [
    f.baseline === 'new' ? h('span', { class: 'badge status-failed' }, 'new') : null,
    f.grade > 0 ? h('span', { class: 'badge' }, `${Math.round(f.grade * 100)} %`) : null,
    h('span', { class: `badge status-${f.status}` }, STATUS[f.status]),
  ];
  const head = h('span', null, h('span', { class: 'subject' }, text(f.subject)),
    showTitle ? h('span', { class: 'hint' }, `${f.check.title}: `) : null, prose(f.says));
  return fold({ class: 'finding', id: `finding-${f.id}` }, [head, h('span', { class: 'side' }, marks)], () => findingBody(f));
}

function findingBody(f) {
  const facts = [['Check', f.check.id], ['Severity', f.check.severity], ['Confidence', f.confidence]];
  if (f.check.accuracy) facts.push(['Accuracy', f.check.accuracy]);
  if (f.check.class) facts.push(['Class', [words(f.check.class), f.check.cwe, ...(f.check.owasp || [])].filter(Boolean).join(' · ')]);
  if (f.measure) facts.push(['Measured', `${numbers.format(f.measure.value)} ${f.measure.unit}`]);
  if (f.suppressed !== undefined) facts.push(['Suppressed', f.suppressed]);
  if (f.requirement) facts.push(['Specification', [f.requirement, ' ', f.spec ? h('a', { href: f.spec, rel: 'noreferrer' }, 'what it says') : null]]);
  if (f.tool !== undefined) facts.push(['Tool', h('a', { href: `#tools?tool=${f.tool}` }, toolName(f.tool))]);
  return [
    f.fix === undefined ? null : h('div', { class: 'fixline' }, h('p', { class: 'label' }, 'Fix'), prose(f.fix)),
    f.proof ? h('div', { class: 'proof' }, h('p', { class: 'label' }, 'Proof'), pairs(f.proof.map(([name, t]) => [name, h('code', null, plain(t))]))) : null,
    f.reproduce === undefined ? null : h('div', null, h('p', { class: 'label' }, 'Reproduce'), command(f.reproduce)),
    exchanges(f.seen, f.more, f.marks),
    pairs(facts),
  ];
}

function groupCard([key, list]) {
  const check = findingsState.group === 'check' ? list[0].check : null;
  const head = check
    ? [badge('severity', check.severity), h('h2', null, check.title), h('span', { class: 'id' }, check.id), h('span', { class: 'hint' }, areaName(check))]
    : [h('h2', null, key), h('span', { class: 'hint' }, count(list.length, 'finding'))];
  const rows = h('div', { class: 'rows' });
  portions(rows, list, 8, (f) => findingRow(f, !check));
  return h('article', { class: 'card group' }, h('header', null, head),
    check && check.why !== undefined ? h('p', { class: 'hint' }, prose(check.why)) : null, rows);
}

function drawFindings(list, shown) {
  const found = chosen();
  const groups = new Map();
  for (const f of found) {
    const key = GROUPS[findingsState.group].of(f);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(f);
  }
  shown.textContent = `${numbers.format(found.length)} of ${count(findings.length, 'finding')}, in ${count(groups.size, 'group')}`
    + (findingsState.check ? `, only ${findingsState.check}` : '');
  list.replaceChildren();
  if (!found.length) list.append(h('p', { class: 'card empty' }, 'Nothing fits these filters.'));
  portions(list, [...groups], 25, groupCard);
}

function findingsView(root) {
  const s = findingsState;
  const list = h('div');
  const shown = h('p', { class: 'shown', role: 'status' });
  const draw = () => drawFindings(list, shown);
  const set = (name) => (value) => { s[name] = value; draw(); };
  const search = searchBox('Search', set('q'));
  const counts = (status) => findings.filter((f) => f.status === status).length;
  const chips = Object.entries(STATUS).filter(([key]) => key !== 'aside' || counts(key)).map(([key, name]) => {
    const chip = h('button', { type: 'button', 'data-status': key, onclick: () => {
      if (!s.status.delete(key)) s.status.add(key);
      press();
      draw();
    } }, `${name} ${numbers.format(counts(key))}`);
    return chip;
  });
  const press = () => chips.forEach((c) => c.setAttribute('aria-pressed', s.status.has(c.dataset.status)));
  const areas = [...new Set(findings.map((f) => areaName(f.check)))];
  const used = [...new Set(findings.map((f) => f.tool))].filter((t) => t !== undefined).sort((a, b) => a - b);
  const any = (name) => [['', name]];
  const selects = {
    area: select('Area', any('all areas').concat(areas.map((a) => [a, a])), s.area, set('area')),
    severity: select('Severity', any('all severities').concat(SEVERITIES.map((v) => [v, v])), s.severity, set('severity')),
    tool: select('Tool', any('all').concat([['server', 'the server itself']], used.map((t) => [String(t), toolName(t)])), s.tool, set('tool')),
    group: select('Group by', Object.entries(GROUPS).map(([key, g]) => [key, g.name]), s.group, set('group')),
  };
  const reset = () => Object.assign(s, { q: '', area: '', severity: '', tool: '', check: '', status: new Set(TROUBLE) });
  const show = () => {
    for (const [name, label] of Object.entries(selects)) label.querySelector('select').value = s[name];
    search.node.value = s.q;
    press();
    draw();
  };
  root.append(
    h('div', { class: 'filters' }, search.label, Object.values(selects), h('button', { type: 'button', onclick: () => { reset(); show(); } }, 'Reset')),
    h('div', { class: 'chips', role: 'group', 'aria-label': 'Status' }, chips), shown, list);
  return {
    search: search.node,
    show(query) {
      if ([...query].length) {
        reset();
        for (const name of ['area', 'severity', 'tool', 'check', 'q']) if (query.has(name)) s[name] = query.get(name);
        if (query.has('status')) s.status = new Set(query.get('status').split(','));
      }
      show();
    },
  };
}
