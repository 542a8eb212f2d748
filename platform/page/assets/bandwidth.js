// Bytes over time at ports, DMA rings and banks.
const SHOWN_SERIES = 6;

// All series on the finest of their grids: rows of GB/s from time 0.
function aligned(bandwidth, names) {
  const finest = Math.min(...names.map((name) => bandwidth[name].window_ns));
  const end = Math.max(...names.map((name) => bandwidth[name].window_ns * bandwidth[name].bytes.length));
  const count = Math.ceil(end / finest - 1e-6);
  const times = Array.from({ length: count + 1 }, (unused, k) => k * finest);
  const rates = names.map((name) => {
    const { window_ns: window, bytes } = bandwidth[name];
    return times.map((t) => (bytes[Math.floor((t + finest / 2) / window)] || 0) / window);
  });
  return [times, ...rates];
}
const totalBytes = (series) => series.bytes.reduce((sum, bytes) => sum + bytes, 0);

function bandwidthChart(id, title, bandwidth, names) {
  const [times, ...rates] = aligned(bandwidth, names);
  const [unit, size] = timeUnit(times[times.length - 1]);
  const xs = times.map((t) => t / size);
  const largest = names.slice().sort((a, b) => totalBytes(bandwidth[b]) - totalBytes(bandwidth[a])).slice(0, SHOWN_SERIES);
  const on = names.map((name) => largest.includes(name));
  const options = () => ({
    scales: { x: { time: false }, y: { range: (plot, low, high) => [0, (high || 1) * 1.08] } },
    axes: [axis(`time in ${unit}`), axis('GB/s', { size: 62 })],
    cursor: { y: false, points: { size: 6 } },
    series: [{}, ...names.map((name, k) => ({
      label: name, show: on[k], stroke: () => seriesColor(k), dash: DASHES[Math.floor(k / 8) % 3], width: 2,
      paths: uPlot.paths.stepped({ align: 1 }), points: { show: false },
    }))],
  });
  const rows = (index) => names.map((name, k) => [name, rateText(rates[k][index]), on[k]]).filter((row) => row[2]);
  const drawn = chart({
    id, label: title, options, data: () => [xs, ...rates], order: () => xs.map((unused, k) => k).slice(0, -1),
    nearest: (plot, left) => Math.max(0, Math.min(xs.length - 2, plot.valToIdx(plot.posToVal(left, 'x')))),
    describe: (plot, index) => ({ title: `${digits3(xs[index])} to ${digits3(xs[index + 1])} ${unit}`, rows: rows(index),
      left: plot.valToPos(xs[index], 'x'), top: 20 }),
  });
  const boxes = make('ul', { class: 'legend' }, names.map((name, k) => {
    const box = make('input', { type: 'checkbox', checked: on[k], onchange: () => {
      on[k] = box.checked;
      if (drawn.plot()) drawn.plot().setSeries(k + 1, { show: on[k] });
    } });
    const line = make('i', { class: 'swatch line-swatch', style: { borderTopColor: `var(--s${k % 8})`, borderTopStyle: ['solid', 'dashed', 'dotted'][Math.floor(k / 8) % 3] } });
    return make('li', {}, make('label', {}, box, line, `${name} (${bytesText(totalBytes(bandwidth[name]))})`));
  }));
  return make('div', {}, make('h3', {}, title), boxes, drawn.box);
}

function bandwidthCharts(id, run, prefix) {
  const names = Object.keys(run.bandwidth || {}).filter((name) => totalBytes(run.bandwidth[name]) > 0);
  if (names.length === 0)
    return [absent(`${prefix}No bandwidth over time: ${run.cycles === null ? 'the run had no time.' : 'no port moved any bytes, or the report was written without it.'}`)];
  const isBank = (name) => /^(sbuf|psum)\.\d+$/.test(name);
  const parts = [['ports', 'Ports and DMA rings', names.filter((n) => !isBank(n))], ['banks', 'Banks', names.filter(isBank)]];
  return parts.map(([key, title, list]) => (list.length
    ? bandwidthChart(`${id}-${key}`, `${prefix}${title}`, run.bandwidth, list)
    : absent(`${prefix}${title}: none over time in this report.`)));
}
