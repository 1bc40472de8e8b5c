import { h } from './dom.js';
import { richText } from './rich-text.js';
import { scrollBox } from './scroll-box.js';

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
export function cellContent(content, scene) {
  return content.type === 'rich_text'
    ? richText(content, scene.names)
    : (content.text ?? String(content.value ?? ''));
}
