import { h } from './dom.js';
import { emojiNode, link } from './mrkdwn.js';

/** Standard Markdown, as far as a markdown block commonly uses it, as nodes. */
export function markdown(text) {
  const nodes = [];
  const lines = text.split('\n');
  while (lines.length > 0) nodes.push(takeBlock(lines));
  return nodes.filter(Boolean);
}

function takeBlock(lines) {
  const line = lines.shift();
  if (line.trim() === '') return undefined;
  if (line.startsWith('```'))
    return h('pre', { class: 'pre' }, takeWhile(lines, (each) => !each.startsWith('```'), true).join('\n'));
  const heading = /^(#{1,6})\s+(.*)$/.exec(line);
  if (heading)
    return h(`h${Math.min(heading[1].length + 2, 6)}`, { class: 'md-heading' }, inline(heading[2]));
  if (/^(-{3,}|\*{3,})$/.test(line.trim())) return h('hr', { class: 'divider' });
  if (line.includes('|') && /^[\s|:-]+$/.test(lines[0] ?? '')) return takeTable(line, lines);
  if (/^>\s?/.test(line)) {
    const more = takeWhile(lines, (each) => /^>\s?/.test(each));
    return h(
      'blockquote',
      { class: 'quote' },
      markdown([line, ...more].map((each) => each.replace(/^>\s?/, '')).join('\n')),
    );
  }
  const bullet = /^\s*([-*+]|\d+\.)\s+/;
  if (bullet.test(line)) {
    const items = [line, ...takeWhile(lines, (each) => bullet.test(each))];
    const ordered = /^\s*\d/.test(line);
    return h(
      ordered ? 'ol' : 'ul',
      { class: 'list' },
      items.map((item) => h('li', {}, inline(item.replace(bullet, '')))),
    );
  }
  const more = takeWhile(lines, (each) => each.trim() !== '' && !/^(#|>|```|\s*([-*+]|\d+\.)\s)/.test(each));
  return h('p', { class: 'md-paragraph' }, inline([line, ...more].join('\n')));
}

function takeTable(header, lines) {
  lines.shift();
  const rows = takeWhile(lines, (each) => each.includes('|'));
  const cells = (row) =>
    row
      .trim()
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => cell.trim());
  return h(
    'div',
    { class: 'table-scroll' },
    h(
      'table',
      { class: 'table' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          cells(header).map((cell) => h('th', { scope: 'col' }, inline(cell))),
        ),
      ),
      h(
        'tbody',
        {},
        rows.map((row) =>
          h(
            'tr',
            {},
            cells(row).map((cell) => h('td', {}, inline(cell))),
          ),
        ),
      ),
    ),
  );
}

function takeWhile(lines, wanted, dropNext = false) {
  const taken = [];
  while (lines.length > 0 && wanted(lines[0])) taken.push(lines.shift());
  if (dropNext) lines.shift();
  return taken;
}

const stretches = [
  { find: /`([^`]+)`/, make: ([, code]) => h('code', { class: 'code' }, code) },
  { find: /\[([^\]]+)\]\(([^)\s]+)\)/, make: ([, shown, address]) => link(address, inline(shown)) },
  { find: /\*\*(.+?)\*\*/, make: ([, inner]) => h('b', {}, inline(inner)) },
  { find: /__(.+?)__/, make: ([, inner]) => h('b', {}, inline(inner)) },
  { find: /~~(.+?)~~/, make: ([, inner]) => h('s', {}, inline(inner)) },
  { find: /\*([^*\s][^*]*)\*/, make: ([, inner]) => h('i', {}, inline(inner)) },
  { find: /(?<!\w)_([^_\s][^_]*)_(?!\w)/, make: ([, inner]) => h('i', {}, inline(inner)) },
  { find: /:([a-z0-9_+-]+):/, make: ([whole, name]) => emojiNode(name) ?? document.createTextNode(whole) },
  { find: /https?:\/\/[^\s<>)]+/, make: ([address]) => link(address, address) },
];

function inline(text) {
  let first;
  for (const stretch of stretches) {
    const match = stretch.find.exec(text);
    if (match && (!first || match.index < first.match.index)) first = { stretch, match };
  }
  if (!first) return [document.createTextNode(text)];
  const { stretch, match } = first;
  return [
    document.createTextNode(text.slice(0, match.index)),
    stretch.make(match),
    ...inline(text.slice(match.index + match[0].length)),
  ];
}
