// One run: what its report holds. `entries`: [{prefix, run}], two of them when runs are compared.
const each = (entries, view) => entries.map(({ prefix, run }) => view(run, prefix)).flat();
const rowsOf = (entries, key) => entries.flatMap(({ prefix, run }) => (run[key] || []).map((row) => ({ prefix, run, row })));
const of = (k) => ({ row }) => row[k];
function columnsFor(entries, first, rest) {
  return [...(entries.length > 1 ? [{ title: 'run', value: (r) => r.prefix.replace(': ', '') }] : []), { title: first, value: of(0) }, ...rest];
}
const count = (title, k) => ({ title, value: of(k), number: true });
const bytes = (title, k) => ({ title, value: of(k), number: true, text: bytesText });

// `said`: the summary has said how the first of them ended.
function endView(entries, said = false) {
  const failed = entries.filter(({ run }) => run.reason || !['ok', 'interrupted'].includes(run.status));
  if (!failed.length) return [];
  const views = failed.filter((entry) => !said || entry !== entries[0]).map(({ prefix, run }) => make('p', { class: 'problem' }, prefix, run.end));
  const faults = rowsOf(entries, 'faults');
  const waits = rowsOf(entries, 'waits');
  const dma = rowsOf(entries, 'dma_faults');
  if (faults.length)
    views.push(dataTable({ caption: 'Faults', rows: faults, columns: columnsFor(entries, 'engine', ['word', 'opcode', 'rule', 'field', 'value', 'expected'].map((title, k) => ({ title, value: of(k + 1), wide: title === 'expected' }))) }).element);
  for (const { prefix, row } of dma) views.push(make('p', { class: 'problem' }, prefix, row));
  if (waits.length)
    views.push(dataTable({ caption: 'Who waits for what', rows: waits, columns: columnsFor(entries, 'who', ['opcode', 'waits for', 'value now', 'last change'].map((title, k) => ({ title, value: of(k + 1), wide: k === 3 }))) }).element);
  return views;
}

function measuresView(entries) {
  const rows = rowsOf(entries, 'measures');
  if (!rows.length) return absent('Nothing to name: there is no time, or no single change would shorten it.');
  return dataTable({ caption: 'At most this much less time', rows, filter: false, columns: columnsFor(entries, 'change', [
    { title: 'less time', value: of(2), number: true, text: timeText },
    { title: 'of the time', value: ({ run, row }) => row[2] / run.time_ns, number: true, text: percent },
    { title: 'what could bring it about', value: of(1), wide: true }]) }).element;
}

const enginesView = (entries) => [legend(BUCKETS, BUCKET_MEANING), ...each(entries, (run, prefix) => (run.engines.some((e) => e[2] > 0)
  ? engineBars(run, prefix) : absent(`${prefix}No cycles: the run had no time.`)))];

function portTables(entries) {
  const ports = rowsOf(entries, 'ports').filter(({ row }) => row[1] + row[2] > 0);
  const banks = rowsOf(entries, 'banks');
  const traffic = rowsOf(entries, 'traffic');
  return [
    ports.length ? dataTable({ caption: 'Ports', rows: ports, columns: columnsFor(entries, 'port', [bytes('read', 1), bytes('written', 2), count('transactions', 3),
      { title: 'used', value: of(4), number: true, text: percent, note: 'of the bytes that the port could have moved' },
      { title: 'peak', value: of(5), number: true, text: (v) => (v ? `${digits3(v / 1e9)} GB/s` : '') }]) }).element : absent('No port moved any bytes.'),
    banks.length ? dataTable({ caption: 'Banks', rows: banks, columns: columnsFor(entries, 'bank', [bytes('read', 1), bytes('written', 2), count('conflicts', 3)]) }).element : absent('No bank was used.'),
    traffic.length ? dataTable({ caption: 'Neighbours on the ports', rows: traffic, columns: columnsFor(entries, 'stream', [{ title: 'user', value: of(1) }, count('passes', 2), bytes('bytes', 3),
      { title: 'busy', value: of(4), number: true, text: timeText }, count('stall cycles', 5)]) }).element : null,
  ].filter(Boolean);
}

function instructionTable(entries) {
  const timed = rowsOf(entries, 'latency');
  const rows = timed.length ? timed : rowsOf(entries, 'opcodes');
  if (!rows.length) return absent('No instruction was executed.');
  return dataTable({ caption: timed.length ? 'Instructions and their latencies, start to completion, in cycles of their engine' : 'Instructions', rows, sortBy: entries.length > 1 ? 2 : 1, down: true,
    columns: columnsFor(entries, 'instruction', [count('words', 1), ...(timed.length ? [count('shortest', 2), count('mean', 3), count('longest', 4)] : [])]) }).element;
}

function comparisonTable(entries) {
  const rows = rowsOf(entries, 'compare');
  if (!rows.length) return absent('Nothing was compared: the run had no data, or no results to compare.');
  const error = (title, k) => ({ title, value: of(k), number: true, text: small });
  return dataTable({ caption: 'Results against references', rows, columns: columnsFor(entries, 'result', [error('largest error', 1), error('relative', 2), error('tolerance', 3), count('mismatches', 4)]) }).element;
}

function boundsTable(entries) {
  const rows = rowsOf(entries, 'bounds');
  if (!rows.length) return null;
  return dataTable({ caption: 'Uncertain numbers: cycles at both ends of their range', rows, sortBy: entries.length > 1 ? 7 : 6, down: true, columns: columnsFor(entries, 'key', [
    { title: 'low', value: of(1) }, count('cycles', 2), { title: 'default', value: of(3) }, { title: 'high', value: of(5) }, count('cycles', 6),
    { title: 'effect', value: ({ row }) => Math.abs(row[6] - row[2]) / row[4], number: true, text: percent }]) }).element;
}

// Everything of a run below its summary, as sections. `id` and `name` keep those of two parts of a page apart.
function runSections(entries, id = '', name = '') {
  if (entries.every(({ run }) => run.reason)) return;
  const all = [
    ['cycles', 'Where the cycles went', 'Each cycle of an engine is in exactly one part of its bar; a DMA ring counts cycles of the memories. Point at a part, or go to a bar with Tab and along it with the arrow keys.', () => enginesView(entries)],
    ['help', 'What would help', 'Upper bounds, each with everything else as it is: waiting gives back no more than it took, and the longest of the resources is still needed.', () => [measuresView(entries)]],
    ['roofline', 'Roofline', 'The least time that each resource needs for its work, whatever else happens: the run takes at least as long as the longest.', () => each(entries, rooflineBars)],
    ['bandwidth', 'Bandwidth over time', 'Bytes of the words at their ports and banks, and of the transfers of the DMA rings, in windows of time. The largest are shown: tick others.', () => each(entries, (run, prefix) => bandwidthCharts(`${id}${prefix.replace(': ', '')}bandwidth`, run, prefix))],
    ['ports', 'Ports and banks', '', () => portTables(entries)],
    ['instructions', 'Instructions', '', () => [instructionTable(entries)]],
    ['results', 'Results', '', () => [comparisonTable(entries), boundsTable(entries)].filter(Boolean)],
  ];
  return all.map(([key, title, note, views]) => ({ key: id + key, title: name + title, note, views }));
}
