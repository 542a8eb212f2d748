// The least time that each resource needs, against the time taken.
function rooflineBars(run, prefix) {
  if (!run.roofline.length || !(run.time_ns > 0)) return absent(`${prefix}No roofline: the run had no time.`);
  const rows = run.roofline.map(([name, ns]) => {
    const share = ns / run.time_ns;
    const show = (event) => showTip(event.clientX, event.clientY, prefix + name, [['needed at least', timeText(ns)], ['of the time', percent(share)]]);
    return make('div', { class: 'bar-row', role: 'listitem' },
      make('div', { class: 'bar-label' }, prefix + name, make('small', {}, timeText(ns))),
      make('div', { class: 'bar', tabindex: 0, role: 'img', 'aria-label': `${name} needed ${timeText(ns)}, ${percent(share)} of the time`, onmousemove: show, onmouseleave: hideTip },
        make('span', { style: { width: `${Math.min(100, 100 * share)}%`, background: 'var(--c1)' } }, share > 0.08 ? percent(share) : '')));
  });
  return make('div', { class: 'bars', role: 'list', 'aria-label': 'Least time of each resource' }, rows,
    make('div', { class: 'bar-row' }, make('div', { class: 'bar-label' }, `${prefix}time taken`),
      make('div', { class: 'scale' }, make('span', {}, '0'), make('span', {}, timeText(run.time_ns)))));
}

// Every layer of a network: on the diagonal nothing but its longest resource costs time.
function rooflineChart(id, runs, choose) {
  const points = runs.filter(({ run }) => run.roofline.length && run.time_ns > 0 && run.roofline[0][1] > 0)
    .map((entry) => ({ ...entry, x: entry.run.roofline[0][1], y: entry.run.time_ns })).sort((a, b) => a.x - b.x);
  if (points.length === 0) return absent('No roofline: no layer has a time.');
  const [unit, size] = timeUnit(Math.max(...points.map((p) => p.y)));
  const resources = [...new Set(points.map((p) => p.run.roofline[0][0]))];
  const low = Math.min(...points.map((p) => p.x)) / size / 1.5;
  const high = Math.max(...points.map((p) => p.y)) / size * 1.5;
  // The diagonal has points of its own at both ends.
  const xs = [low, ...points.map((p) => p.x / size), high];
  const ys = resources.map((resource) => [null, ...points.map((p) => (p.run.roofline[0][0] === resource ? p.y / size : null)), null]);
  const diagonal = [low, ...points.map(() => null), high];
  const options = () => ({
    scales: { x: { time: false, distr: 3, range: [low, high] }, y: { distr: 3, range: [low, high] } },
    axes: [axis(`least time of the longest resource in ${unit}`, logAxis),
      axis(`time taken in ${unit}`, { ...logAxis, size: 62 })],
    cursor: { points: { show: false }, drag: { x: false, y: false } },
    series: [{}, { stroke: () => css('--soft'), dash: [6, 4], width: 2, spanGaps: true, points: { show: false } },
      ...resources.map((name, k) => ({ label: name, stroke: () => seriesColor(k), paths: () => null, points: { show: true, size: 10, width: 1, stroke: () => css('--paper'), fill: () => seriesColor(k) } }))],
  });
  const drawn = chart({
    id, label: 'Least time against time taken, a point a layer', options, data: () => [xs, diagonal, ...ys], order: () => points.map((p, k) => k),
    nearest: (plot, left, top) => closest(points.map((p) => [plot.valToPos(p.x / size, 'x'), plot.valToPos(p.y / size, 'y')]), left, top),
    describe: (plot, k) => ({ title: points[k].name, left: plot.valToPos(points[k].x / size, 'x'), top: plot.valToPos(points[k].y / size, 'y'),
      rows: [['time taken', timeText(points[k].y)], [`${points[k].run.roofline[0][0]} needed`, timeText(points[k].x)], ['of the time', percent(points[k].x / points[k].y)]] }),
    choose: choose ? (k) => choose(points[k]) : null,
  });
  const names = make('ul', { class: 'legend' }, resources.map((name, k) => make('li', {}, make('i', { class: 'swatch', style: { background: `var(--s${k % 8})` } }), ` ${name} needed longest`)),
    make('li', {}, make('i', { class: 'swatch line-swatch', style: { borderTopStyle: 'dashed', borderTopColor: 'var(--soft)' } }), ' no time lost'));
  return make('div', {}, names, drawn.box);
}

// Index of the place nearest to (left, top), or -1 when none is near.
function closest(places, left, top, within = 40) {
  let best = -1;
  let distance = within * within;
  places.forEach(([x, y], k) => {
    const d = (x - left) ** 2 + (y - top) ** 2;
    if (d < distance) { distance = d; best = k; }
  });
  return best;
}
