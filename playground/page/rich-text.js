import { h } from './dom.js';
import { emojiNode, link, mention } from './mrkdwn.js';
import { slackDate } from './slack-date.js';

/** A rich text block as nodes. */
export function richText(block, names) {
  return h('div', { class: 'rich-text' }, group(block.elements ?? [], names));
}

/** Lists that follow one another belong together: the indent tells how deep each is, the count goes on. */
function group(elements, names) {
  const counts = [];
  return elements.map((element) => {
    if (element.type !== 'rich_text_list') {
      counts.length = 0;
      return part(element, names);
    }
    const indent = element.indent ?? 0;
    counts.length = Math.min(counts.length, indent + 1);
    const start = (element.offset ?? 0) + (counts[indent] ?? 0) + 1;
    counts[indent] = (counts[indent] ?? 0) + element.elements.length;
    return list(element, indent, start, names);
  });
}

const bullets = ['disc', 'circle', 'square'];
const numbers = ['decimal', 'lower-alpha', 'lower-roman'];

function list(element, indent, start, names) {
  const ordered = element.style === 'ordered';
  const marker = (ordered ? numbers : bullets)[indent % 3];
  return h(
    ordered ? 'ol' : 'ul',
    {
      class: `list${element.border ? ' bordered' : ''}`,
      start: ordered ? start : undefined,
      style: { listStyleType: marker, marginLeft: `${indent * 28}px` },
    },
    element.elements.map((item) => h('li', {}, inlines(item.elements, names))),
  );
}

function part(element, names) {
  const content = inlines(element.elements ?? [], names);
  if (element.type === 'rich_text_quote') return h('blockquote', { class: 'quote' }, content);
  if (element.type === 'rich_text_preformatted') return h('pre', { class: 'pre' }, content);
  return h('div', { class: 'rich-section' }, content);
}

function inlines(elements, names) {
  return elements.map((element) => styled(inline(element, names), element.style));
}

function inline(element, names) {
  switch (element.type) {
    case 'text':
      return document.createTextNode(element.text);
    case 'link':
      return link(element.url, element.text || element.url);
    case 'emoji':
      return emojiNode(element.name) ?? fromUnicode(element) ?? document.createTextNode(`:${element.name}:`);
    case 'user':
      return mention(`@${names.person(element.user_id) ?? 'unknown'}`, element.user_id === names.me);
    case 'channel':
      return mention(`#${names.channel(element.channel_id) ?? 'unknown'}`);
    case 'broadcast':
      return mention(`@${element.range}`, true);
    case 'usergroup':
      return mention('@group');
    case 'color':
      return h(
        'span',
        { class: 'colour' },
        element.value,
        h('span', { class: 'swatch', style: { background: element.value } }),
      );
    case 'date':
      return h('time', {}, slackDate(element.timestamp, element.format));
    default:
      return document.createTextNode('');
  }
}

function fromUnicode({ unicode }) {
  return (
    unicode &&
    document.createTextNode(
      String.fromCodePoint(...unicode.split('-').map((code) => Number.parseInt(code, 16))),
    )
  );
}

function styled(node, style = {}) {
  const tags = [
    ['code', 'code'],
    ['bold', 'b'],
    ['italic', 'i'],
    ['strike', 's'],
    ['underline', 'u'],
  ];
  return tags.reduce(
    (inner, [name, tag]) => (style[name] ? h(tag, tag === 'code' ? { class: 'code' } : {}, inner) : inner),
    node,
  );
}
