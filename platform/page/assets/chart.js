// What all charts on canvas share (uPlot): size, colours, tooltip, keyboard.
const CHART_HEIGHT = 340;
const seriesColor = (k) => css(`--s${k % 8}`);
const DASHES = [[], [8, 4], [2, 3]];

const axis = (label, extra) => ({
  label, labelSize: 22, labelFont: '13px system-ui, sans-serif', font: '12px system-ui, sans-serif',
  stroke: () => css('--ink'), grid: { stroke: () => css('--grid'), width: 1 }, ticks: { stroke: () => css('--line'), width: 1 },
  ...extra,
});

// nearest(left, top): index of what is meant at that place, or -1; describe(index): {title, rows, left, top} in pixels of
// the plot; order: indices in the order in which arrow keys go through them; choose(index) on click and Enter.
function chart({ id, label, options, data, nearest, describe, order, choose, height = CHART_HEIGHT }) {
  const box = make('div', { class: 'chart', id, tabindex: 0, role: 'group', 'aria-roledescription': 'chart', 'aria-label': `${label}. Arrow keys go from point to point${choose ? ', Enter chooses one' : ''}.` });
  let plot = null;
  let at = -1;
  const state = { box, plot: () => plot, rebuild, order: () => order };
  function point(index, spoken) {
    const what = describe(plot, index);
    const area = plot.over.getBoundingClientRect();
    showTip(area.left + what.left, area.top + what.top, what.title, what.rows);
    if (spoken) announce(what.title, what.rows);
  }
  function build(width) {
    if (plot) plot.destroy();
    plot = new uPlot({ width, height: Math.min(height, Math.max(240, innerHeight - 120)), legend: { show: false }, ...options() }, data(), box);
    plot.over.addEventListener('mousemove', (event) => {
      const area = plot.over.getBoundingClientRect();
      const index = nearest(plot, event.clientX - area.left, event.clientY - area.top);
      if (index < 0) hideTip(); else point(index, false);
    });
    plot.over.addEventListener('mouseleave', hideTip);
    if (choose)
      plot.over.addEventListener('click', (event) => {
        const area = plot.over.getBoundingClientRect();
        const index = nearest(plot, event.clientX - area.left, event.clientY - area.top);
        if (index >= 0) choose(index);
      });
  }
  function rebuild() {
    at = -1;
    if (box.clientWidth > 0) build(box.clientWidth - 12);
  }
  box.addEventListener('keydown', (event) => {
    const list = order();
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === 'Enter' && choose && at >= 0) choose(list[at]);
    if (!step || list.length === 0) return;
    event.preventDefault();
    at = at < 0 ? (step > 0 ? 0 : list.length - 1) : (at + step + list.length) % list.length;
    point(list[at], true);
  });
  box.addEventListener('blur', hideTip);
  new ResizeObserver(() => {
    const width = box.clientWidth - 12;
    if (width > 0 && (!plot || Math.abs(plot.width - width) > 1)) build(width);
  }).observe(box);
  themed.add(() => { if (plot) plot.redraw(false); });
  return state;
}

// Ranges with some room at the ends, so that no point lies on an edge.
const roomy = (log) => (plot, low, high) => {
  if (low === null) return [0, 1];
  if (log) {
    const factor = Math.max((high / low) ** 0.06, 1.05);
    return [low / factor, high * factor];
  }
  const room = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1;
  return [low >= 0 && low - room < 0 ? Math.min(0, low) - room / 4 : low - room, high + room];
};
const logAxis = { splits: logSplits, values: (plot, values) => values.map((v) => (v >= 1e-3 && v < 1e6 ? String(v) : v.toExponential())), filter: (plot, splits) => splits };
// A logarithmic axis of a few labels: 1, 2, 5 and powers of ten within the range.
function logSplits(plot, index, low, high) {
  const splits = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power)
    for (const step of [1, 2, 5])
      if (step * 10 ** power >= low && step * 10 ** power <= high) splits.push(Number((step * 10 ** power).toPrecision(3)));
  const decades = Math.log10(high / low);
  if (splits.length < 2) return [low, Math.sqrt(low * high), high].map((v) => Number(v.toPrecision(3)));
  return decades > 3 ? splits.filter((v) => Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9) : splits;
}
