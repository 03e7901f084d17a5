// Building nodes. Texts of unknown origin become text nodes and nothing else.
const data = JSON.parse(document.getElementById('data').textContent);
const byId = (id) => document.getElementById(id);

function h(tag, props, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'class') node.className = value;
    else if (value === true) node.setAttribute(name, '');
    else node.setAttribute(name, value);
  }
  node.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return node;
}

const numbers = new Intl.NumberFormat('en');
const count = (n, noun) => `${numbers.format(n)} ${noun}${n === 1 ? '' : 's'}`;
const words = (name) => name.replaceAll('_', ' ');

// A text of the pool: whole, or its two ends.
function text(place) {
  const kept = data.texts.list[place];
  return typeof kept === 'string' ? kept : `${kept[0]} … ${kept[1]}`;
}
const gap = (left) => h('span', { class: 'gap' }, ` … ${count(left, 'character')} left out … `);
// What stands between backticks is code.
const ticks = (words) => words.split('`').map((piece, n, all) => (n % 2 && n < all.length - 1 ? h('code', null, piece) : (n % 2 ? '`' : '') + piece));
// For texts of our own; what quotes a server keeps its backticks.
const prose = (place) => (typeof data.texts.list[place] === 'string' ? ticks(text(place)) : plain(place));
function plain(place) {
  const kept = data.texts.list[place];
  return typeof kept === 'string' ? kept : [kept[0], gap(kept[2]), kept[1]];
}

const badge = (kind, name) => h('span', { class: `badge ${kind}-${name}` }, words(name));
const spans = (list) => list.filter(Boolean).map((words) => h('span', null, words));
const pairs = (list) =>
  h('dl', { class: 'pairs' }, list.map(([name, value]) => h('div', null, h('dt', null, name), h('dd', null, value))));

// A foldable row whose inside is made when it is first opened.
function fold(props, summary, inside) {
  const node = h('details', { ...props, class: `row ${props.class || ''}` }, h('summary', null, summary));
  node.fill = () => {
    if (node.filled) return;
    node.filled = true;
    node.append(h('div', { class: 'body' }, inside()));
  };
  node.addEventListener('toggle', () => node.open && node.fill());
  return node;
}

// Shows a long list in portions.
function portions(into, items, size, draw) {
  let shown = 0;
  const button = h('button', { type: 'button', class: 'more', onclick: () => more(true) });
  function more(moveFocus) {
    const next = items.slice(shown, shown + size).map(draw);
    into.append(...next);
    shown += next.length;
    button.textContent = `Show ${numbers.format(Math.min(size, items.length - shown))} more of ${numbers.format(items.length - shown)}`;
    if (shown < items.length) into.append(button);
    else button.remove();
    if (moveFocus && next[0]) (next[0].querySelector('summary') || next[0]).focus();
  }
  more(false);
}

function select(label, options, value, change) {
  const node = h('select', { onchange: () => change(node.value) },
    options.map(([key, name]) => h('option', { value: key }, name)));
  node.value = value;
  return h('label', null, label, node);
}

function searchBox(label, change) {
  let timer;
  const later = () => { clearTimeout(timer); timer = setTimeout(() => change(node.value), 120); };
  const node = h('input', { type: 'search', autocomplete: 'off', spellcheck: 'false', oninput: later });
  return { label: h('label', { class: 'wide' }, label, node), node };
}

// All words have to occur.
function finder(query) {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  return (hay) => wanted.every((word) => hay.includes(word));
}
