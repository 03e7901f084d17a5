// Which view is shown, colours, keys, printing.
const VIEWS = { overview: () => ({ show() {} }), findings: findingsView, tools: toolsView, requirements: requirementsView, coverage: coverageView, transcript: transcriptView };
const made = {};
let current = 'overview';

function open(name, query, moveFocus) {
  const root = byId(name);
  made[name] ||= VIEWS[name](root);
  for (const key of Object.keys(VIEWS)) byId(key).hidden = key !== name;
  for (const link of document.querySelectorAll('nav a')) {
    if (link.hash === `#${name}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  current = name;
  scrollTo(0, 0);
  const placed = made[name].show(query);
  if (moveFocus && !placed) byId(`h-${name}`).focus({ preventScroll: true });
}

function route(moveFocus) {
  const [name, query] = location.hash.slice(1).split('?');
  if (name in VIEWS) open(name, new URLSearchParams(query), moveFocus);
  else if (!name || name === 'main') open(name ? current : 'overview', new URLSearchParams(), moveFocus);
}
addEventListener('hashchange', () => route(true));

const store = {
  get(key) { try { return localStorage.getItem(key); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(key, value); } catch { /* Kept for this visit only. */ } },
};
const THEMES = { system: '◐', light: '○', dark: '●' };
function theme(name) {
  const button = byId('theme');
  if (name === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  button.textContent = THEMES[name];
  button.setAttribute('aria-label', `Colours: ${name === 'system' ? 'as the system' : name}`);
  button.onclick = () => {
    const names = Object.keys(THEMES);
    const next = names[(names.indexOf(name) + 1) % names.length];
    store.set('proofmark-theme', next);
    theme(next);
  };
}
const kept = store.get('proofmark-theme');
theme(kept in THEMES ? kept : 'system');

function step(by) {
  const rows = [...byId(current).querySelectorAll('summary, button.more')].filter((n) => n.offsetParent);
  if (!rows.length) return;
  const at = rows.indexOf(document.activeElement);
  const next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1)];
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}

const help = byId('help');
byId('keys').onclick = () => help.showModal();
byId('single').checked = store.get('proofmark-keys') !== 'off';
byId('single').onchange = () => store.set('proofmark-keys', byId('single').checked ? 'on' : 'off');
addEventListener('keydown', (event) => {
  const typing = event.target.closest && event.target.closest('input, select, textarea, dialog');
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !byId('single').checked) return;
  const name = Object.keys(VIEWS)[Number(event.key) - 1];
  if (name) location.hash = name;
  else if (event.key === 'j') step(1);
  else if (event.key === 'k') step(-1);
  else if (event.key === '?') help.showModal();
  else if (event.key === '/' && made[current].search) made[current].search.focus();
  else return;
  event.preventDefault();
});

// On paper: the overview, and the findings that ask for something, unfolded.
addEventListener('beforeprint', () => {
  made.findings ||= findingsView(byId('findings'));
  made.findings.show(new URLSearchParams(`status=${TROUBLE.join(',')}`));
  for (const row of [...document.querySelectorAll('#overview details, #findings details')].slice(0, 300)) {
    if (row.fill) row.fill();
    row.open = true;
  }
});

const began = byId('began');
began.textContent = new Date(began.dataset.seconds * 1000).toISOString().slice(0, 16).replace('T', ' ') + ' UTC';
route(false);
