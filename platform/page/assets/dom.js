// Elements, the tooltip, light and dark. Texts are always set as text.
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'style') Object.assign(element.style, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ''));
  return element;
}
const byId = (id) => document.getElementById(id);
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// A section of the page with its entry in the navigation.
function section(id, title, note, ...children) {
  const heading = make('h2', { id: `${id}-title` }, title);
  const element = make('section', { id, 'aria-labelledby': `${id}-title` }, heading,
    note ? make('p', { class: 'note' }, note) : null, ...children);
  const list = byId('nav').querySelector('ul') || byId('nav').appendChild(make('ul'));
  list.append(make('li', {}, make('a', { href: `#${id}` }, title)));
  byId('main').append(element);
  return element;
}
// In place of a chart that would be empty.
const absent = (why) => make('p', { class: 'note absent' }, why);

const tip = byId('tip');
function showTip(x, y, title, rows) {
  tip.replaceChildren(make('b', {}, title), ...rows.map(([name, value]) => make('div', {}, make('span', {}, name), make('span', {}, value))));
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const left = x + 14 + box.width > innerWidth ? x - 14 - box.width : x + 14;
  const top = y + 14 + box.height > innerHeight ? y - 14 - box.height : y + 14;
  tip.style.left = `${Math.max(4, Math.min(left, innerWidth - box.width - 4))}px`;
  tip.style.top = `${Math.max(4, top)}px`;
}
const hideTip = () => { tip.hidden = true; };
const announce = (title, rows) => { byId('live').textContent = [title, ...rows.map(([n, v]) => `${n} ${v}`)].join(', '); };
addEventListener('keydown', (event) => { if (event.key === 'Escape') hideTip(); });
addEventListener('scroll', hideTip, { passive: true });

function choice(label, options, value, onchange) {
  const select = make('select', { onchange: () => onchange(select.value) },
    options.map(([key, text]) => make('option', { value: key, selected: String(key) === String(value) }, text)));
  return make('label', {}, label, select);
}
function tick(label, checked, onchange) {
  const box = make('input', { type: 'checkbox', checked, onchange: () => onchange(box.checked) });
  return make('label', {}, box, label);
}

// Charts drawn on canvas ask for colours again when the theme changes.
const themed = new Set();
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  const button = byId('theme');
  if (button) {
    button.textContent = theme === 'dark' ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `Switch to ${theme === 'dark' ? 'light' : 'dark'} colours`);
  }
  for (const redraw of themed) redraw();
}
function startTheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  let chosen = false;
  const button = make('button', { id: 'theme', type: 'button', onclick: () => {
    chosen = true;
    setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  } });
  dark.addEventListener('change', () => { if (!chosen) setTheme(dark.matches ? 'dark' : 'light'); });
  return { button, apply: () => setTheme(dark.matches ? 'dark' : 'light') };
}
