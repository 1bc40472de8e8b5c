import { fill, h, scrollBox } from './dom.js';
import { icon } from './icons.js';
import { richText } from './rich-text.js';

/** Slack's plain table: the first row is the heading. */
export function table({ rows, column_settings: settings = [] }, scene) {
  const [head = [], ...body] = rows;
  const cell = (tag) => (content, column) => {
    const { align = 'left', is_wrapped: wraps = false } = settings[column] ?? {};
    return h(
      tag,
      { class: `${align}${wraps ? ' wraps' : ''}`, scope: tag === 'th' ? 'col' : undefined },
      cellContent(content, scene),
    );
  };
  return scrollBox(
    h(
      'table',
      { class: 'table' },
      h('thead', {}, h('tr', {}, head.map(cell('th')))),
      h(
        'tbody',
        {},
        body.map((row) => h('tr', {}, row.map(cell('td')))),
      ),
    ),
    'Table',
  );
}

/** What stands in a cell of either kind of table. */
function cellContent(content, scene) {
  return content.type === 'rich_text'
    ? richText(content, scene.names)
    : (content.text ?? String(content.value ?? ''));
}

/** The table a reader can sort, search and page through. */
export function dataTable(
  { rows, caption, page_size: size = 5, row_header_column_index: headerColumn = 0 },
  scene,
) {
  const [head, ...body] = rows;
  const view = { column: -1, down: false, page: 0, query: '' };
  const numeric = head.map(
    (_, column) =>
      body.some((row) => row[column].type === 'raw_number') &&
      body.every((row) => row[column].type === 'raw_number' || words(row[column]).length < 2),
  );
  const search = h('input', {
    class: 'field data-search',
    type: 'search',
    placeholder: 'Search',
    'aria-label': `Search ${caption}`,
    on: { input: () => draw({ query: search.value, page: 0 }) },
  });
  const table = h('table', { class: 'table' });
  const foot = h('div', { class: 'data-foot' });
  draw({});
  return h(
    'div',
    { class: 'data-table' },
    h('div', { class: 'data-head' }, h('span', { class: 'data-caption' }, caption), search),
    scrollBox(table, caption),
    foot,
  );

  function draw(change) {
    Object.assign(view, change);
    const found = body.filter((row) =>
      row.some((cell) => words(cell).toLowerCase().includes(view.query.toLowerCase())),
    );
    const sorted =
      view.column < 0
        ? found
        : found.toSorted((a, b) => compare(a[view.column], b[view.column]) * (view.down ? -1 : 1));
    const pages = Math.max(1, Math.ceil(sorted.length / size));
    const page = Math.min(view.page, pages - 1);
    const first = page * size;
    const shown = sorted.slice(first, first + size);
    fill(table, h('thead', {}, h('tr', {}, head.map(heading))), h('tbody', {}, shown.map(line)));
    fill(
      foot,
      h(
        'span',
        {},
        sorted.length === 0 ? 'No rows' : `${first + 1}–${first + shown.length} of ${sorted.length}`,
      ),
      pages > 1 &&
        h(
          'span',
          { class: 'data-pages' },
          turn('Previous', page - 1, page > 0),
          turn('Next', page + 1, page < pages - 1),
        ),
    );
  }

  function heading(cell, column) {
    const on = view.column === column;
    return h(
      'th',
      {
        scope: 'col',
        class: numeric[column] ? 'right' : 'left',
        'aria-sort': on ? (view.down ? 'descending' : 'ascending') : 'none',
      },
      h(
        'button',
        {
          type: 'button',
          class: 'sort',
          on: { click: () => draw({ column, down: on ? !view.down : false, page: 0 }) },
        },
        words(cell),
        on && icon(view.down ? 'caret' : 'up', 14),
      ),
    );
  }

  function line(row) {
    return h(
      'tr',
      {},
      row.map((cell, column) =>
        h(
          column === headerColumn ? 'th' : 'td',
          { class: numeric[column] ? 'right' : 'left', scope: column === headerColumn ? 'row' : undefined },
          cellContent(cell, scene),
        ),
      ),
    );
  }

  function turn(label, page, able) {
    return h(
      'button',
      { type: 'button', class: 'button plain small', disabled: !able, on: { click: () => draw({ page }) } },
      label,
    );
  }
}

function words(cell) {
  if (cell.type !== 'rich_text') return cell.text ?? String(cell.value);
  const inner = (node) => node.text ?? node.url ?? (node.elements ?? []).map(inner).join('');
  return inner(cell);
}

/** Numbers by their size, before what has none; others by their text. */
function compare(a, b) {
  const [number, other] = [a, b].map(({ type }) => type === 'raw_number');
  if (number !== other) return number ? -1 : 1;
  return number ? a.value - b.value : words(a).localeCompare(words(b), undefined, { numeric: true });
}
