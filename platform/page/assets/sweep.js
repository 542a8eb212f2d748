// A sweep: its points as a scatter, by axis, and as a table.
const FIRST_AXIS = 3;
const RESULT_TITLES = { time_ns: 'time', max_rel: 'largest relative error' };

// Columns with get(k) for row k.
function unpack(sweep) {
  return sweep.columns.map((column) => {
    const get = column.n ? (k) => column.n[k] : column.i === null ? () => column.d[0] : (k) => column.d[column.i[k]];
    const values = column.n || column.d;
    const numeric = values.some((v) => typeof v === 'number');
    const size = sweep.points;
    return { name: column.name, unit: column.unit, get, numeric, all: () => Array.from({ length: size }, (unused, k) => get(k)) };
  });
}
const sizeOf = (sweep) => sweep.columns.reduce((size, c) => Math.max(size, c.n ? c.n.length : c.i ? c.i.length : 1), 1);
const named = (columns, name) => columns.find((c, k) => c.name === name && (k < FIRST_AXIS || k >= columns.length - 14)) || columns.find((c) => c.name === name);
const titleOf = (column) => RESULT_TITLES[column.name] || column.name;

function sweepPage(data) {
  const { sweep } = data;
  sweep.points = sizeOf(sweep);
  const columns = unpack(sweep);
  const status = named(columns, 'status');
  const time = named(columns, 'time_ns');
  const point = named(columns, 'point');
  const everyRow = Array.from({ length: sweep.points }, (unused, k) => k);
  const timed = everyRow.filter((k) => ['ok', 'compare_failed'].includes(status.get(k)) && time.get(k) > 0);
  const failed = everyRow.filter((k) => status.get(k) !== 'ok');
  const describe = (k) => [...columns.slice(FIRST_AXIS, FIRST_AXIS + sweep.axes).map((c) => [c.name, anyNumber(c.get(k))]),
    ['time', timeText(time.get(k))], ['cycles', anyNumber(named(columns, 'cycles').get(k))], ['bound by', named(columns, 'bottleneck').get(k)]];

  const view = scatterView(data, columns, timed, describe, point);
  section('points', 'Points', 'Any column against any other. The Pareto front holds the points that no other beats in both. A click, or Enter, shows a point closer.', view.element);
  section('sensitivity', 'Sensitivity', 'How much of the spread in time each axis explains by itself, averaged over whatever the others do.', sensitivityView(sweep, columns));
  section('front', 'Points worth a look', 'The fastest point and those on the Pareto front of the summary: where the cycles of the DVE went, and the least time each resource needs.', detailsView(sweep, columns));
  if (data.other) pairsSection(data, columns);
  section('failed', 'Failed points', '', failed.length
    ? dataTable({ caption: 'Points that did not end well, and why', rows: failed, columns: [columnOf(point), columnOf(status), { ...columnOf(named(columns, 'reason')), wide: true },
      ...columns.slice(FIRST_AXIS, FIRST_AXIS + sweep.axes).map(columnOf)] }).element
    : absent('None: every point ended well.'));
  const table = dataTable({ caption: 'All points', rows: everyRow, columns: columns.filter((c) => c.name !== 'reason').map(columnOf), filter: true,
    choose: { key: (k) => k, title: 'Show this point closer', on: (k) => view.choose(k, true) }, onfilter: (rows, text) => view.filter(text ? rows : null),
    hint: 'Filter: words, or dtype=bf16 cycles<3000; points in the chart follow' });
  view.onchoose = (k) => table.select(k);
  section('table', 'All points as a table', '', table.element);
}

function columnOf(column) {
  const text = column.name === 'time_ns' ? (v) => (v === null ? '' : timeText(v)) : column.name === 'max_rel' ? small : null;
  return { title: titleOf(column), key: column.name, value: column.get, number: column.numeric, ...(text ? { text } : {}) };
}

function scatterView(data, columns, rows, describe, point) {
  const { sweep } = data;
  const holder = make('div', { id: 'scatter' });
  const closer = make('div', { id: 'point', 'aria-live': 'polite' });
  if (rows.length === 0) return { element: make('div', {}, absent('No scatter: no point has a time.')), choose() {}, filter() {}, onchoose() {} };
  const at = (name) => columns.indexOf(named(columns, name));
  const trade = sweep.trade_off;
  const firstAxis = sweep.axes ? FIRST_AXIS + (sweep.sensitivity.length ? sweep.sensitivity[0].axis : 0) : at('instructions');
  const second = sweep.sensitivity.find((s) => FIRST_AXIS + s.axis !== (trade ? trade.column : firstAxis) && s.levels.length > 1);
  const wide = (k) => {
    const values = rows.map((row) => columns[k].get(row)).filter((v) => typeof v === 'number');
    return values.length > 0 && Math.min(...values) > 0 && Math.max(...values) > 50 * Math.min(...values);
  };
  const state = { x: trade ? trade.column : firstAxis, y: at('time_ns'), colour: second ? FIRST_AXIS + second.axis : -1,
    betterX: trade && !trade.smaller ? -1 : 1, betterY: 1, logX: false, logY: false };
  [state.logX, state.logY] = [wide(state.x), wide(state.y)];
  let chosen = null;
  let drawn = null;
  let faint = new Set();
  const useful = columns.map((c, k) => [k, titleOf(c)]).filter(([k]) => !['point', 'status', 'reason'].includes(columns[k].name) || k >= FIRST_AXIS)
    .filter(([k]) => rows.some((row) => columns[k].get(row) !== null && columns[k].get(row) !== '' && columns[k].get(row) !== columns[k].get(rows[0])) || k === state.x || k === state.y);
  const self = { element: null, onchoose() {} };
  const draw = () => {
    drawn = scatterChart({ id: 'scatter-chart', columns, rows, state, faint, describe, title: (k) => `point ${point.get(k)}`, choose: (k) => self.choose(k, false), chosen: () => chosen });
    holder.replaceChildren(drawn.element);
    holder.dataset.front = drawn.front.map((k) => point.get(k)).join(' ');
    holder.dataset.points = drawn.count || 0;
  };
  const set = (key, convert = Number) => (value) => { state[key] = convert(value); draw(); };
  const better = [[1, 'small is better'], [-1, 'large is better']];
  self.choose = (k, go) => {
    chosen = k;
    drawn.redraw && drawn.redraw();
    closer.replaceChildren(make('h3', {}, `Point ${point.get(k)}`), pointView(sweep, columns, k, describe));
    self.onchoose(k);
    if (go) byId('points').scrollIntoView({ block: 'start' });
  };
  self.filter = (left) => {
    const keep = left && new Set(left);
    faint = new Set(keep ? rows.filter((k) => !keep.has(k)) : []);
    draw();
  };
  self.element = make('div', {},
    make('div', { class: 'controls' }, choice('Across', useful, state.x, set('x')), choice('', better, state.betterX, set('betterX')), tick('logarithmic', state.logX, set('logX', Boolean))),
    make('div', { class: 'controls' }, choice('Up', useful, state.y, set('y')), choice('', better, state.betterY, set('betterY')), tick('logarithmic', state.logY, set('logY', Boolean)),
      choice('Colour', [[-1, 'none'], ...useful], state.colour, set('colour'))), holder, closer);
  draw();
  return self;
}

function bucketParts(columns, k) {
  return BUCKETS.map((name) => named(columns, `dve_${name.replace(' ', '_')}`).get(k) || 0);
}
function bucketRow(columns, k, label, text) {
  const parts = bucketParts(columns, k);
  const total = parts.reduce((sum, v) => sum + v, 0);
  return { label, small: text, parts, total, width: 1, names: BUCKETS, unit: (value) => `${integer(value)} cycles` };
}
function pointView(sweep, columns, k, describe) {
  const time = named(columns, 'time_ns').get(k);
  const reason = named(columns, 'reason').get(k);
  const facts = [['status', named(columns, 'status').get(k)], ...(reason ? [['reason', reason]] : []), ...(time > 0 ? describe(k) : [])];
  const row = bucketRow(columns, k, 'dve', time > 0 ? timeText(time) : '');
  return make('div', {}, make('ul', { class: 'facts' }, facts.map(([name, value]) => make('li', {}, make('span', {}, `${name} `), make('b', {}, value)))),
    row.total > 0 ? stackedBars('Cycles of this point', [row]) : absent('No cycles to show.'));
}

function detailsView(sweep, columns) {
  if (!sweep.details.length) return absent('Nothing to show: no point has a time, or the reports of its points are not in the folder.');
  const point = named(columns, 'point');
  const axes = columns.slice(FIRST_AXIS, FIRST_AXIS + sweep.axes);
  const values = (k) => axes.map((c) => `${c.name} ${anyNumber(c.get(k))}`).join(', ');
  const rows = sweep.details.map((d, i) => bucketRow(columns, d.row, `point ${point.get(d.row)}${i === 0 ? ', fastest' : ''}`, `${timeText(d.time_ns)}; ${values(d.row)}`)).filter((row) => row.total > 0);
  const bounds = sweep.details.flatMap((d) => d.roofline.map(([name, ns]) => ({ k: d.row, name, ns, share: ns / d.time_ns })));
  return make('div', {}, legend(BUCKETS, BUCKET_MEANING), rows.length ? stackedBars('Cycles of the DVE at each of these points', rows) : absent('No cycles to show.'),
    bounds.length ? dataTable({ caption: 'Roofline: least time of each resource', rows: bounds, columns: [{ title: 'point', value: (b) => point.get(b.k), number: true }, { title: 'resource', value: (b) => b.name },
      { title: 'least time', value: (b) => b.ns, number: true, text: timeText }, { title: 'of the time', value: (b) => b.share, number: true, text: percent }] }).element : null);
}

// The points that are in both sweeps.
function pairsSection(data, columns) {
  data.other.points = sizeOf(data.other);
  const others = unpack(data.other);
  const [a, b] = [named(columns, 'time_ns'), named(others, 'time_ns')];
  const pairs = data.pairs.map(([p, q]) => ({ p, q, a: a.get(p), b: b.get(q) }));
  const both = pairs.filter((pair) => pair.a > 0 && pair.b > 0);
  const axes = columns.slice(FIRST_AXIS, FIRST_AXIS + data.sweep.axes);
  const virtual = [{ name: 'time of A', get: (k) => both[k].a }, { name: 'time of B', get: (k) => both[k].b }, { name: 'B over A', get: (k) => both[k].b / both[k].a }]
    .map((c) => ({ ...c, numeric: true, all: () => both.map((unused, k) => c.get(k)) }));
  const [unit, size] = both.length ? timeUnit(Math.max(...both.map((x) => Math.max(x.a, x.b)))) : ['ns', 1];
  const scaled = [{ ...virtual[0], name: `time of A in ${unit}`, get: (k) => both[k].a / size }, { ...virtual[1], name: `time of B in ${unit}`, get: (k) => both[k].b / size }];
  const drawn = both.length ? scatterChart({ id: 'pairs-chart', columns: scaled, rows: both.map((unused, k) => k), faint: new Set(), title: (k) => axes.map((c) => `${c.name} ${anyNumber(c.get(both[k].p))}`).join(', '),
    state: { x: 0, y: 1, colour: -1, betterX: 1, betterY: 1, logX: false, logY: false }, choose() {}, chosen: () => null,
    describe: (k) => [['A', timeText(both[k].a)], ['B', timeText(both[k].b)], ['B against A', change(both[k].a, both[k].b)]] }).element : absent('No point has a time in both sweeps.');
  section('pairs', 'A against B', 'The points with the same values in both sweeps.', drawn,
    dataTable({ caption: 'Points of both sweeps', rows: pairs, columns: [{ title: 'point of A', value: (x) => named(columns, 'point').get(x.p), number: true }, { title: 'point of B', value: (x) => named(others, 'point').get(x.q), number: true },
      ...axes.map((c) => ({ title: c.name, value: (x) => c.get(x.p), number: c.numeric })),
      { title: 'time of A', value: (x) => x.a, number: true, text: (v) => (v > 0 ? timeText(v) : '') }, { title: 'time of B', value: (x) => x.b, number: true, text: (v) => (v > 0 ? timeText(v) : '') },
      { title: 'B against A', value: (x) => (x.a > 0 && x.b > 0 ? x.b / x.a : null), number: true, text: (v) => (v === null ? '' : change(1, v)) },
      { title: 'bound by, A', value: (x) => named(columns, 'bottleneck').get(x.p) }, { title: 'bound by, B', value: (x) => named(others, 'bottleneck').get(x.q) }] }).element);
}
