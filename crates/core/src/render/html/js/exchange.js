// One exchange: what was asked and what came back.
const table = data.transcript;
const micros = (us) => (us < 10000 ? `${(us / 1000).toFixed(1)} ms` : `${numbers.format(Math.round(us / 1000))} ms`);

function exchange(id, marks) {
  const row = table.rows[id];
  if (!row) return h('p', { class: 'hint' }, `#${id} is not in the transcript.`);
  const [probe, label, subject, , on, kind, took, request, reply] = row;
  const summary = [
    h('span', null, h('span', { class: 'subject' }, `#${id} ${text(subject)}`), `${table.probes[probe]}: ${text(label)}`),
    h('span', { class: 'side' }, spans([text(on) === 'main' ? null : text(on), kind === 'skipped' ? null : micros(took)]), badge('kind', kind)),
  ];
  return fold({ class: 'exchange', 'data-exchange': id }, summary, () =>
    h('div', { class: 'panes' },
      h('div', null, h('p', { class: 'label' }, 'Request'), code(request, `Request ${id}`, marks)),
      h('div', null, h('p', { class: 'label' }, 'Reply'), code(reply, `Reply ${id}`, marks))));
}

function exchanges(ids, more, marks) {
  if (!ids.length) return null;
  const list = h('div', { class: 'exchanges' }, h('p', { class: 'label' }, 'Seen in'));
  portions(list, ids, 6, (id) => exchange(id, marks));
  if (more) list.append(h('p', { class: 'hint' }, `and ${count(more, 'further call')}; the transcript has all of them`));
  return list;
}
