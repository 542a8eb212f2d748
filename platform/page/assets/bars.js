// Stacked bars: a row each, a part a bucket; with mouse, touch or arrow keys each part says what it is.
function legend(names, meanings) {
  return make('ul', { class: 'legend' }, names.map((name, k) => make('li', {},
    make('span', { title: meanings ? meanings[k] : null }, make('i', { class: 'swatch', style: { background: `var(--c${k})` } }), ` ${name}`))));
}

// rows: {label, small, parts: [number], names, total, width: 0..1, unit(value), choose}
function stackedBars(label, rows) {
  return make('div', { class: 'bars', role: 'list', 'aria-label': label }, rows.map(barRow));
}
function barRow(row) {
  const parts = row.parts.map((value, k) => ({ value, k })).filter((part) => part.value > 0);
  const describe = (part) => [[row.names[part.k], `${row.unit(part.value)} (${percent(part.value / row.total)})`]];
  const spans = parts.map((part) => {
    const share = part.value / row.total;
    return make('span', {
      class: `${[0, 3, 6].includes(part.k) ? 'dark' : ''}${share * row.width < 0.35 ? ' narrow' : ''}`, 'data-bucket': row.names[part.k],
      style: { width: `${100 * share}%`, background: `var(--c${part.k})` },
      onmousemove: (event) => showTip(event.clientX, event.clientY, row.label, describe(part)),
      onmouseleave: hideTip,
    }, share * row.width > 0.12 ? `${row.names[part.k]} ${percent(share)}` : share * row.width > 0.05 ? percent(share) : '');
  });
  let at = -1;
  const go = (to) => {
    spans.forEach((span, k) => span.classList.toggle('lit', k === to));
    at = to;
    if (at < 0) { hideTip(); return; }
    const box = spans[at].getBoundingClientRect();
    showTip(box.left + box.width / 2, box.bottom - 8, row.label, describe(parts[at]));
    announce(row.label, describe(parts[at]));
  };
  const summary = parts.map((part) => `${row.names[part.k]} ${percent(part.value / row.total)}`).join(', ');
  const bar = make('div', {
    class: 'bar', tabindex: 0, role: 'img', 'aria-label': `${row.label}: ${summary || 'nothing'}`, style: { width: `${Math.max(0.4, 100 * row.width)}%` },
    onkeydown: (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step || spans.length === 0) return;
      event.preventDefault();
      go((at + step + spans.length) % spans.length);
    },
    onblur: () => go(-1),
  }, spans);
  const name = row.choose ? make('button', { type: 'button', onclick: row.choose }, row.label) : row.label;
  return make('div', { class: `bar-row${row.chosen ? ' chosen' : ''}`, role: 'listitem' },
    make('div', { class: 'bar-label' }, name, row.small ? make('small', {}, row.small) : null), bar);
}

// The engines of a run: each cycle of each in one bucket.
function engineBars(run, prefix) {
  const rows = run.engines.filter(([, , cycles]) => cycles > 0).map(([name, parts, cycles]) => ({
    label: prefix + name, small: `${integer(cycles)} cycles`, parts, total: cycles, width: 1,
    names: name.startsWith('dma') ? RING_BUCKETS : BUCKETS, unit: (value) => `${integer(value)} cycles`,
  }));
  return stackedBars('Cycles of each engine by bucket', rows);
}
