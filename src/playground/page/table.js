import { h } from './dom.js';
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
  return h(
    'div',
    { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'Table' },
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
  );
}

/** What stands in a cell of either kind of table. */
export function cellContent(content, scene) {
  return content.type === 'rich_text'
    ? richText(content, scene.names)
    : (content.text ?? String(content.value ?? ''));
}
