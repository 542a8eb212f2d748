// How much time hangs on each axis, and how.
function sensitivityView(sweep, columns) {
  const list = sweep.sensitivity.filter((s) => s.levels.length > 1);
  if (list.length === 0)
    return absent(sweep.sensitivity.length ? 'No sensitivity: no axis has two values among the points with a time.' : 'No sensitivity: fewer than two points have a time.');
  const name = (s) => columns[3 + s.axis].name;
  const overview = make('div', { class: 'bars', role: 'list', 'aria-label': 'Share of the spread in time explained by each axis' },
    list.map((s) => {
      const rows = [['explains by itself', percent(s.share)], ...(s.with_others === null ? [] : [['together with the others', percent(s.with_others)]]), ['slowest over fastest', `${digits3(s.ratio)} times`]];
      return make('div', { class: 'bar-row', role: 'listitem' },
        make('div', { class: 'bar-label' }, name(s), s.same_as.length ? make('small', {}, `changes with ${s.same_as.map((a) => columns[3 + a].name).join(', ')}`) : null),
        make('div', { class: 'bar', tabindex: 0, role: 'img', 'aria-label': `${name(s)} explains ${percent(s.share)}`, onmousemove: (e) => showTip(e.clientX, e.clientY, name(s), rows), onmouseleave: hideTip },
          make('span', { class: 'dark', style: { width: `${100 * s.share}%`, background: 'var(--c0)' } }, s.share > 0.08 ? percent(s.share) : ''),
          s.with_others > s.share ? make('span', { style: { width: `${100 * (s.with_others - s.share)}%`, background: 'var(--c1)' } }, s.with_others - s.share > 0.08 ? `to ${percent(s.with_others)}` : '') : null));
    }));
  const low = Math.min(...list.flatMap((s) => s.levels.map((l) => l[3])));
  const high = Math.max(...list.flatMap((s) => s.levels.map((l) => l[4])));
  const key = make('ul', { class: 'legend' }, [['c0', 'by itself'], ['c1', 'with what the other axes do to it']].map(([c, text]) => make('li', {}, make('i', { class: 'swatch', style: { background: `var(--${c})` } }), ` ${text}`)));
  return make('div', {}, list.some((s) => s.with_others > s.share) ? key : null, overview, make('h3', {}, 'Time at each value'),
    make('p', { class: 'note' }, 'Dot: mean of the points with that value (geometric), green the fastest, orange the slowest. Bar: from their fastest to their slowest. All on one scale.'),
    make('div', { class: 'columns' }, list.map((s) => levelsView(name(s), s, low, high))));
}

function levelsView(name, s, low, high) {
  const place = (ns) => (high > low ? (100 * (ns - low)) / (high - low) : 50);
  const means = s.levels.map((l) => l[2]);
  const [best, worst] = [Math.min(...means), Math.max(...means)];
  return make('div', {}, make('h3', {}, name), s.levels.map(([label, points, mean, fastest, slowest]) => {
    const rows = [['mean', timeText(mean)], ['fastest', timeText(fastest)], ['slowest', timeText(slowest)], ['points', integer(points)]];
    const kind = worst < 1.01 * best ? '' : mean === best ? ' best' : mean === worst ? ' worst' : '';
    return make('div', { class: 'bar-row' }, make('div', { class: 'bar-label' }, label, make('small', {}, timeText(mean))),
      make('div', { class: `range${kind}`, tabindex: 0, role: 'img', 'aria-label': `${name} at ${label}: mean ${timeText(mean)}`,
        onmousemove: (e) => showTip(e.clientX, e.clientY, `${name} at ${label}`, rows), onmouseleave: hideTip },
        make('div', { class: 'inset' }, make('i', { style: { left: `${place(fastest)}%`, width: `${place(slowest) - place(fastest)}%` } }), make('b', { style: { left: `${place(mean)}%` } }))));
  }), make('div', { class: 'bar-row' }, make('div'), make('div', { class: 'scale' }, make('span', {}, timeText(low)), make('span', {}, timeText(high)))));
}
