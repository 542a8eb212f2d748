// A network: its layers side by side, and one of them closer.
function layerRows(run) {
  return run.layers.map((layer) => ({ ...layer, all: layer.repeat * layer.run.time_ns }));
}

function layerBars(layers, state, choose) {
  const total = layers.reduce((sum, layer) => sum + layer.all, 0);
  const list = layers.filter((layer) => layer.run.engines.some((e) => e[0] === state.engine && e[2] > 0));
  if (!list.length) return absent('No layer has cycles of this engine.');
  const longest = Math.max(...list.map((layer) => layer.all));
  return stackedBars(`Cycles of ${state.engine} in each layer`, list.map((layer) => {
    const [, parts, cycles] = layer.run.engines.find((e) => e[0] === state.engine);
    return { label: layer.name, small: `${layer.shape}${layer.repeat > 1 ? `, ${layer.repeat} times` : ''}, ${percent(layer.all / total)}`, parts, total: cycles,
      width: state.scale === 'time' ? layer.all / longest : 1, names: state.engine.startsWith('dma') ? RING_BUCKETS : BUCKETS,
      unit: (value) => `${integer(value)} cycles`, choose: () => choose(layer.name), chosen: state.chosen === layer.name };
  }));
}

function layerTable(layers, total, other, choose) {
  const timed = (value) => (value ? timeText(value) : '');
  const columns = [
    { title: 'layer', value: (l) => l.name }, { title: 'shape', value: (l) => l.shape }, { title: 'repeat', value: (l) => l.repeat, number: true },
    { title: 'dtype', value: (l) => l.dtype }, { title: 'place', value: (l) => l.place }, { title: 'status', value: (l) => l.run.status },
    { title: 'time of one', value: (l) => l.run.time_ns, number: true, text: timed }, { title: 'time of all', value: (l) => l.all, number: true, text: timed },
    { title: 'share', value: (l) => (total > 0 ? l.all / total : null), number: true, text: (v) => (v === null ? '' : percent(v)) },
    { title: 'bound by', value: (l) => l.run.bottleneck },
    { title: 'longest resource', value: (l) => (l.run.roofline.length ? l.run.roofline[0][1] / l.run.time_ns : null), number: true, text: (v, l) => (v === null ? '' : `${l.run.roofline[0][0]}, ${percent(v)}`) },
    { title: 'helps most', value: (l) => (l.run.measures.length ? l.run.measures[0][0] : '') },
    { title: 'at most', value: (l) => (l.run.measures.length ? l.run.measures[0][2] / l.run.time_ns : null), number: true, text: (v) => (v === null ? '' : `\u2212${percent(v)}`) }];
  if (other) {
    const same = new Map(other.map((layer) => [layer.name, layer]));
    const timeB = (l) => (same.has(l.name) ? same.get(l.name).all : null);
    columns.splice(8, 0, { title: 'in B', value: timeB, number: true, text: (v) => (v === null ? '' : timed(v)) },
      { title: 'B against A', value: (l) => (timeB(l) === null ? null : timeB(l) / l.all), number: true, text: (v) => (v === null ? '' : change(1, v)) });
  }
  return dataTable({ caption: `Layers${other ? ' of A' : ''}`, rows: layers, columns, filter: true, choose: { key: (l) => l.name, title: 'Show this layer closer', on: (l) => choose(l.name) },
    hint: 'Filter: words, or dtype=bf16 repeat>1' });
}

function networkPage(data) {
  const layers = layerRows(data.run);
  const other = data.other ? layerRows(data.other) : null;
  const total = data.run.time_ns;
  const engines = [...new Set(layers.flatMap((l) => l.run.engines.filter((e) => e[2] > 0).map((e) => e[0])))];
  const longest = layers.reduce((a, b) => (b.all > a.all ? b : a));
  const state = { which: 'A', engine: engines[0], scale: 'time', chosen: longest.name };
  const bars = make('div');
  const close = make('div', { id: 'layer-parts' });
  const table = layerTable(layers, total, other, (name) => choose(name, true));
  const drawBars = () => bars.replaceChildren(layerBars(state.which === 'B' ? other : layers, state, (name) => choose(name, true)));

  section('layers', 'Where the cycles of each layer went', 'Each cycle of the engine is in exactly one part of a layer\u2019s bar. A layer\u2019s name shows it closer, below.',
    engines.length ? make('div', { class: 'controls' }, other ? choice('Run', [['A', `A: ${data.names[0]}`], ['B', `B: ${data.names[1]}`]], state.which, (value) => { state.which = value; drawBars(); }) : null, choice('Engine', engines.map((e) => [e, e]), state.engine, (value) => { state.engine = value; drawBars(); }),
      choice('Length of a bar', [['time', 'time of all its repeats'], ['share', 'all the same']], state.scale, (value) => { state.scale = value; drawBars(); })) : null,
    legend(BUCKETS, BUCKET_MEANING), bars);
  section('help', 'What would help', 'Upper bounds, each with everything else as it is, added up over the layers.', measuresView(entriesOf(data)));
  section('roofline', 'Roofline', 'Each layer: the least time that its longest resource needs, against the time that it takes. The distance above the dashed line is time lost to waiting.',
    rooflineChart('roofline-chart', layers, (layer) => choose(layer.name, true)));
  section('table', 'All layers', '', table.element);
  section('whole', 'The whole network', 'Sums over all layers, each as often as it occurs.', enginesView(entriesOf(data)), each(entriesOf(data), rooflineBars), portTables(entriesOf(data)),
    instructionTable(entriesOf(data)), comparisonTable(entriesOf(data)));
  const closer = section('layer', 'One layer closer', '', make('div', { class: 'controls' }, choice('Layer', layers.map((l) => [l.name, l.name]), state.chosen, (name) => choose(name, false))), close);

  function choose(name, go) {
    state.chosen = name;
    drawBars();
    table.select(name);
    closer.querySelector('select').value = name;
    const layer = layers.find((l) => l.name === name);
    const same = other && other.find((l) => l.name === name);
    const entries = [{ prefix: same ? 'A: ' : '', run: layer.run }, ...(same ? [{ prefix: 'B: ', run: same.run }] : [])];
    close.replaceChildren(make('p', {}, `${layer.name}, ${layer.shape}, ${layer.dtype}${layer.place ? `, in ${layer.place}` : ''}: ${timeText(layer.run.time_ns)}${layer.repeat > 1 ? `, ${layer.repeat} times` : ''}. ${layer.run.bound}`),
      ...endView(entries), ...(runSections(entries, 'layer-') || []).map((part) => make('section', { id: part.key }, make('h3', {}, part.title), ...part.views())));
    if (go) closer.scrollIntoView({ block: 'start' });
  }
  choose(state.chosen, false);
}
