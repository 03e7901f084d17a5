// JSON and other texts as readable, coloured code. Also works on JSON that was shortened.
const TOKEN = /"(?:\\.|[^"\\])*"?|[{}[\],:]|-?\d[\d.eE+-]*|true|false|null|\s+|[^\s"{}[\],:]+/g;

function colored(into, source) {
  let depth = 0;
  let last = '';
  const tokens = source.match(TOKEN) || [];
  const line = () => into.append('\n' + '  '.repeat(Math.max(depth, 0)));
  tokens.forEach((token, n) => {
    if (/^\s+$/.test(token)) return;
    const closes = token === '}' || token === ']';
    if (closes) depth -= 1;
    if (closes && last !== '{' && last !== '[') line();
    if (!closes && (last === '{' || last === '[' || last === ',')) line();
    if (last === ':') into.append(' ');
    if (token === '{' || token === '[') depth += 1;
    const kind = token[0] === '"' ? (tokens[n + 1] === ':' ? 'key' : 'str')
      : /^[-\d]/.test(token) ? 'num' : /^(true|false|null)$/.test(token) ? 'word' : null;
    into.append(kind ? h('span', { class: token.includes('[redacted ') ? 'redacted' : kind }, token) : token);
    last = token;
  });
}

function source(into, piece) {
  const cut = piece.startsWith('HTTP ') ? piece.indexOf('\n\n') + 2 : 0;
  const rest = cut > 1 ? piece.slice(cut) : piece;
  if (cut > 1) into.append(piece.slice(0, cut));
  if (/^\s*[{[]/.test(rest)) colored(into, rest);
  else into.append(rest);
}

// Marks every place where one of the texts stands, also as it is written inside a JSON string.
function highlight(node, marks) {
  const wanted = [...new Set(marks.flatMap((m) => [text(m), JSON.stringify(text(m)).slice(1, -1)]))].filter(Boolean);
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) for (const word of wanted) if (walker.currentNode.data.includes(word)) { found.push([walker.currentNode, word]); break; }
  for (const [piece, word] of found) {
    const parts = piece.data.split(word);
    piece.replaceWith(...parts.flatMap((part, n) => (n ? [h('mark', null, word), part] : [part])));
  }
}

function code(place, name, marks) {
  const kept = data.texts.list[place];
  const node = h('pre', { class: 'code', tabindex: '0', role: 'region', 'aria-label': name });
  if (typeof kept === 'string') source(node, kept);
  else {
    source(node, kept[0]);
    node.append(gap(kept[2]), kept[1]);
  }
  if (marks) highlight(node, marks);
  return node;
}

function command(place) {
  const button = h('button', { type: 'button', onclick: copy }, 'Copy');
  async function copy() {
    try {
      await navigator.clipboard.writeText(text(place));
      button.textContent = 'Copied';
    } catch {
      const range = document.createRange();
      range.selectNodeContents(shown);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      button.textContent = 'Selected';
    }
  }
  const shown = h('pre', { class: 'code', tabindex: '0', role: 'region', 'aria-label': 'Command' }, plain(place));
  return h('div', { class: 'command' }, shown, button);
}
