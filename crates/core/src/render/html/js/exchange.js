// One exchange: what was asked and what came back.
const table = data.transcript;
const micros = (us) => (us < 10000 ? `${(us / 1000).toFixed(1)} ms` : `${numbers.format(Math.round(us / 1000))} ms`);

function exchange(id) {
  const row = table.rows[id];
  if (!row) return h('p', { class: 'hint' }, `#${id} is not in the transcript.`);
  const [probe, label, subject, , on, kind, took, request, reply] = row;
  const summary = [
    h('span', null, h('span', { class: 'subject' }, `#${id} ${text(subject)}`), `${table.probes[probe]}: ${text(label)}`),
    h('span', { class: 'side' }, spans([text(on) === 'main' ? null : text(on), kind === 'skipped' ? null : micros(took)]), badge('kind', kind)),
  ];
  return fold({ class: 'exchange', 'data-exchange': id }, summary, () =>
    h('div', { class: 'panes' },
      h('div', null, h('h4', null, 'Request'), code(request, `Request ${id}`)),
      h('div', null, h('h4', null, 'Reply'), code(reply, `Reply ${id}`))));
}

function exchanges(ids, more) {
  if (!ids.length) return null;
  const list = h('div', { class: 'exchanges' }, h('h4', null, 'Seen in'));
  portions(list, ids, 6, exchange);
  if (more) list.append(h('p', { class: 'hint' }, `and ${count(more, 'further call')}; the transcript has all of them`));
  return list;
}
