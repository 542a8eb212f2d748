// The points of a sweep: any column against any other, with the Pareto front.
const MOST_COLOURS = 8;

// Indices of the front, by ascending x; `better` is 1 where small values are better, -1 where large ones are.
function paretoFront(points, betterX, betterY) {
  const order = points.slice().sort((a, b) => betterX * (a.x - b.x) || betterY * (a.y - b.y));
  const front = [];
  for (const point of order) if (!front.length || betterY * point.y < betterY * front[front.length - 1].y) front.push(point);
  return front.sort((a, b) => a.x - b.x);
}

// A column as numbers: texts by their place in `labels`.
function plotted(column) {
  if (column.numeric) return { at: (k) => column.get(k), labels: null };
  const labels = [...new Set(column.all())].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return { at: (k) => labels.indexOf(column.get(k)), labels };
}
const isTime = (name) => name === 'time_ns';

// Points in groups of one colour: the values of a column, or its range in parts.
function colourGroups(column, rows) {
  const values = [...new Set(rows.map((k) => column.get(k)))];
  if (!column.numeric || values.length <= MOST_COLOURS) {
    values.sort((a, b) => compareCells(a, b, false));
    const kept = values.slice(0, MOST_COLOURS - 1);
    const names = values.length > MOST_COLOURS ? [...kept, 'others'] : values;
    return { names: names.map((v) => (column.numeric && v !== 'others' ? anyNumber(v) : v)), of: (k) => {
      const at = names.indexOf(column.get(k));
      return at < 0 ? names.length - 1 : at;
    } };
  }
  const sorted = rows.map((k) => column.get(k)).filter((v) => v !== null).sort((a, b) => a - b);
  const edges = [0.2, 0.4, 0.6, 0.8].map((q) => sorted[Math.floor(q * sorted.length)]);
  const bounds = [sorted[0], ...edges, sorted[sorted.length - 1]];
  return { names: bounds.slice(1).map((high, k) => `${anyNumber(bounds[k])} to ${anyNumber(high)}`), of: (k) => edges.filter((e) => column.get(k) >= e).length };
}

function axisOf(column, values, scale, log) {
  if (values.labels) return axis(column.name, { splits: () => values.labels.map((unused, k) => k), values: (u, v) => v.map((k) => values.labels[k]) });
  const title = isTime(column.name) ? `time in ${scale[0]}` : (RESULT_TITLES[column.name] || column.name) + (column.unit && column.unit !== column.name ? ` in ${column.unit}` : '');
  return axis(title, log ? logAxis : {});
}

// One picture. state: {x, y, colour, betterX, betterY, logX, logY}; rows: those to draw; describe(k): rows of the tooltip.
function scatterChart({ id, columns, rows, state, faint, describe, title, choose, chosen }) {
  const [cx, cy] = [columns[state.x], columns[state.y]];
  const [vx, vy] = [plotted(cx), plotted(cy)];
  const scaleOf = (column) => (isTime(column.name) ? timeUnit(Math.max(...rows.map((k) => column.get(k) || 0))) : ['', 1]);
  const [sx, sy] = [scaleOf(cx), scaleOf(cy)];
  const positive = (log, value) => !log || value > 0;
  const points = rows.map((k) => ({ k, x: vx.at(k), y: vy.at(k) }))
    .filter((p) => Number.isFinite(p.x) && Number.isFinite(p.y) && positive(state.logX, p.x) && positive(state.logY, p.y))
    .map((p) => ({ k: p.k, x: p.x / sx[1], y: p.y / sy[1] })).sort((a, b) => a.x - b.x);
  if (points.length === 0) return { element: absent('No point has both values: choose other columns.'), front: [] };
  const groups = state.colour < 0 ? { names: ['points'], of: () => 0 } : colourGroups(columns[state.colour], points.map((p) => p.k));
  const strong = points.filter((p) => !faint.has(p.k));
  const front = vx.labels || vy.labels ? [] : paretoFront(strong, state.betterX, state.betterY);
  const onFront = new Set(front.map((p) => p.k));
  const column = (keep) => points.map((p) => (keep(p) ? p.y : null));
  const data = () => [points.map((p) => p.x), column((p) => faint.has(p.k)),
    ...groups.names.map((name, g) => column((p) => !faint.has(p.k) && groups.of(p.k) === g)),
    column((p) => onFront.has(p.k)), column((p) => p.k === chosen())];
  const dots = (size, fill, stroke, width) => ({ paths: () => null, points: { show: true, size, width, fill, stroke } });
  const large = points.length > 2000 ? 4 : points.length > 200 ? 6 : 9;
  const options = () => ({
    scales: { x: { time: false, distr: state.logX ? 3 : 1, range: vx.labels ? [-0.5, vx.labels.length - 0.5] : roomy(state.logX) },
      y: { distr: state.logY ? 3 : 1, range: vy.labels ? [-0.5, vy.labels.length - 0.5] : roomy(state.logY) } },
    axes: [axisOf(cx, vx, sx, state.logX), { ...axisOf(cy, vy, sy, state.logY), size: vy.labels ? 90 : 72 }],
    cursor: { points: { show: false }, drag: { x: false, y: false } },
    series: [{}, dots(large, () => css('--grid'), () => css('--line'), 1),
      ...groups.names.map((name, g) => dots(large, () => seriesColor(g), () => seriesColor(g), 0)),
      { stroke: () => css('--ink'), width: 1.5, spanGaps: true, paths: uPlot.paths.stepped({ align: state.betterX > 0 ? 1 : -1 }),
        points: { show: true, size: 11, width: 2, fill: 'transparent', stroke: () => css('--ink') } },
      dots(18, 'transparent', () => css('--accent'), 3)],
  });
  const place = (plot, p) => [plot.valToPos(p.x, 'x'), plot.valToPos(p.y, 'y')];
  const drawn = chart({
    id, label: `${cy.name} against ${cx.name}, a point each`, options, data, order: () => points.map((p, i) => i), height: 420,
    nearest: (plot, left, top) => closest(points.map((p) => place(plot, p)), left, top),
    describe: (plot, i) => {
      const [left, top] = place(plot, points[i]);
      const same = points.filter((p) => p !== points[i] && p.x === points[i].x && p.y === points[i].y);
      const others = same.length ? [['at the same place', same.length > 4 ? `${same.length} more` : same.map((p) => title(p.k)).join(', ')]] : [];
      return { title: title(points[i].k) + (onFront.has(points[i].k) ? ', on the Pareto front' : ''), rows: [...describe(points[i].k), ...others], left, top };
    },
    choose: (i) => choose(points[i].k),
  });
  const names = make('ul', { class: 'legend' }, state.colour < 0 ? null : make('li', {}, `${columns[state.colour].name}:`),
    groups.names.map((name, g) => make('li', {}, make('i', { class: 'swatch', style: { background: `var(--s${g})` } }), ` ${name}`)),
    front.length ? make('li', {}, make('i', { class: 'swatch', style: { background: 'transparent', border: '2px solid var(--ink)', borderRadius: '50%' } }), ` Pareto front: ${front.length}`) : null,
    faint.size ? make('li', {}, make('i', { class: 'swatch', style: { background: 'var(--grid)' } }), ' filtered out') : null);
  return { element: make('div', {}, names, drawn.box), front: front.map((p) => p.k), count: points.length, redraw: () => { if (drawn.plot()) drawn.plot().setData(data()); } };
}
