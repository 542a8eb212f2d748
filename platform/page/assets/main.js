// The page: head, summary, and the sections of its kind.
const data = JSON.parse(byId('data').textContent);
const entriesOf = ({ run, other }) => [{ prefix: other ? 'A: ' : '', run }, ...(other ? [{ prefix: 'B: ', run: other }] : [])];

function badge(status) {
  return make('span', { class: `badge ${status === 'ok' ? 'ok' : 'failed'}` }, status.replace('_', ' '));
}
function head(button) {
  const compared = data.names.length > 1;
  const kind = { run: 'Run', network: 'Network', sweep: 'Sweep' }[data.kind];
  const facts = [];
  if (data.kind !== 'sweep') {
    for (const { prefix, run } of entriesOf(data)) {
      facts.push([`${prefix}status`, badge(run.status)], [`${prefix}device`, run.device]);
      if (run.time_ns > 0) facts.push([`${prefix}time`, timeText(run.time_ns)]);
      for (const [name, value] of run.facts || []) facts.push([prefix + name, value]);
    }
  }
  byId('head').append(
    make('div', { class: 'top' }, make('div', {}, make('p', { class: 'lead' }, `${kind}${compared ? `: A is ${data.names[0]}, B is ${data.names[1]}` : ` ${data.names[0]}`}`), make('h1', {}, data.title)), button),
    make('ul', { class: 'facts' }, facts.filter(([, value]) => value).map(([name, value]) => make('li', {}, make('span', {}, `${name} `), typeof value === 'string' ? make('b', {}, value) : value))));
}
const sentenceList = (list) => make('ul', {}, list.map((sentence) => make('li', {}, sentence.replace(/(\d) (%|[n\u00b5m]?s\b)/g, '$1\u00a0$2'))));

function configSections() {
  if (data.config_changes)
    section('config-changes', 'What differs in the configuration', '', data.config_changes.length
      ? dataTable({ caption: 'Keys with other values', rows: data.config_changes, columns: ['key', 'A', 'B'].map((title, k) => ({ title, value: (row) => row[k] })) }).element
      : absent('Nothing, or one of the folders has no config.json.'));
  if (!data.config) return;
  section('config', 'Configuration', '', data.config.length
    ? make('details', {}, make('summary', {}, `${data.config.length} keys${data.other ? ' of A' : ''}`), dataTable({ caption: 'Effective configuration', rows: data.config,
      columns: ['key', 'value', 'where it comes from'].map((title, k) => ({ title, value: (row) => row[k], wide: k === 2 })) }).element)
    : absent('The folder has no config.json.'));
}

function start() {
  const theme = startTheme();
  head(theme.button);
  theme.apply();
  section('summary', 'Summary', '', sentenceList(data.summary), data.changes ? make('div', {}, make('h3', {}, 'B against A'), sentenceList(data.changes)) : null,
    ...(data.kind === 'sweep' ? [] : endView(entriesOf(data), true)));
  if (data.kind === 'sweep') sweepPage(data);
  else if (data.kind === 'network') networkPage(data);
  else for (const part of runSections(entriesOf(data)) || []) section(part.key, part.title, part.note, ...part.views());
  configSections();
}
start();
