// Tables to sort, filter and page through. columns: {title, value(row), number, text(value, row), wide}; value is what is
// sorted by, text what stands there.
const PAGE_ROWS = 50;

// "dtype=bf16 cycles<3000 psum": conditions on columns, and words that occur anywhere.
function condition(token, columns) {
  const match = /^(.+?)(<=|>=|!=|=|<|>)(.*)$/.exec(token);
  const column = match && columns.find((c) => (c.key || c.title).toLowerCase() === match[1]);
  if (!column) return (row) => columns.some((c) => cellText(c, row).toLowerCase().includes(token) || String(c.value(row)).toLowerCase().includes(token));
  const [, , operator, operand] = match;
  const compare = { '<': (d) => d < 0, '<=': (d) => d <= 0, '>': (d) => d > 0, '>=': (d) => d >= 0, '=': (d) => d === 0, '!=': (d) => d !== 0 }[operator];
  return (row) => {
    const value = column.value(row);
    if (value === null || value === undefined) return false;
    if (typeof value === 'number') return compare(value - Number(operand));
    const text = String(value).toLowerCase();
    return compare(text < operand ? -1 : text > operand ? 1 : 0);
  };
}
function rowFilter(text, columns) {
  const conditions = text.toLowerCase().split(/\s+/).filter(Boolean).map((token) => condition(token, columns));
  return (row) => conditions.every((holds) => holds(row));
}
function cellText(column, row) {
  const value = column.value(row);
  if (column.text) return column.text(value, row);
  return column.number ? anyNumber(value) : value === null || value === undefined ? '' : String(value);
}
// Empty cells come last, whichever way.
function compareCells(a, b, down) {
  const empty = (v) => v === null || v === undefined || v === '';
  if (empty(a) || empty(b)) return empty(a) - empty(b);
  const order = typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true });
  return down ? -order : order;
}

// choose: {key(row), title, on(row)} puts a button into the first cell of each row. onfilter(rows) hears of what is left.
function dataTable({ caption, columns, rows, filter = rows.length > 8, sortBy = -1, down = false, choose = null, onfilter = null, hint = '' }) {
  const state = { sort: sortBy, down, text: '', page: 0, chosen: null };
  let shown = rows;
  const heads = columns.map((column, c) => make('th', { scope: 'col', class: column.number ? 'number' : null },
    make('button', { type: 'button', title: column.note || null, onclick: () => sort(c) }, column.title)));
  const body = make('tbody');
  const count = make('span', { class: 'count', role: 'status' });
  const previous = make('button', { type: 'button', onclick: () => turn(-1) }, 'Previous');
  const next = make('button', { type: 'button', onclick: () => turn(1) }, 'Next');
  const box = make('input', { type: 'search', 'aria-label': `Filter: ${caption}`, placeholder: hint || 'Filter', oninput: () => {
    state.text = box.value;
    state.page = 0;
    update();
  } });

  function sort(c) {
    state.down = state.sort === c ? !state.down : Boolean(columns[c].number);
    state.sort = c;
    state.page = 0;
    update();
  }
  function turn(by) {
    state.page += by;
    draw();
  }
  function update() {
    shown = rows.filter(rowFilter(state.text, columns));
    if (state.sort >= 0) {
      const value = columns[state.sort].value;
      shown = shown.slice().sort((a, b) => compareCells(value(a), value(b), state.down));
    }
    if (onfilter) onfilter(shown, state.text);
    draw();
  }
  function cell(column, row, c) {
    const text = cellText(column, row);
    const inside = c === 0 && choose ? make('button', { type: 'button', title: choose.title, onclick: () => choose.on(row) }, text) : text;
    return make('td', { class: [column.number && 'number', column.wide && 'wide'].filter(Boolean).join(' ') || null }, inside);
  }
  function draw() {
    const pages = Math.max(1, Math.ceil(shown.length / PAGE_ROWS));
    state.page = Math.max(0, Math.min(state.page, pages - 1));
    const part = shown.slice(state.page * PAGE_ROWS, (state.page + 1) * PAGE_ROWS);
    body.replaceChildren(...part.map((row) => make('tr', { class: choose && state.chosen === choose.key(row) ? 'chosen' : null },
      columns.map((column, c) => cell(column, row, c)))));
    heads.forEach((head, c) => {
      if (state.sort === c) head.setAttribute('aria-sort', state.down ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    });
    count.textContent = `${shown.length} of ${rows.length}${pages > 1 ? `, page ${state.page + 1} of ${pages}` : ''}`;
    previous.disabled = state.page === 0;
    next.disabled = state.page === pages - 1;
    previous.hidden = next.hidden = pages === 1;
  }
  update();
  const element = make('div', { class: 'data-table' },
    filter ? make('div', { class: 'controls' }, box) : null,
    make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
      make('table', {}, make('caption', {}, caption), make('thead', {}, make('tr', {}, heads)), body)),
    filter ? make('div', { class: 'pager' }, count, previous, next) : null);
  return { element, select: (key) => { state.chosen = key; draw(); } };
}
