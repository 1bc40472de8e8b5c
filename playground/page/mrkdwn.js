import { h, safeUrl } from './dom.js';
import { emoji } from './emoji.js';
import { slackDate } from './slack-date.js';

/** What one stretch of mrkdwn can be; the first that matches earliest wins. */
const stretches = [
  {
    find: /```([\s\S]+?)```/,
    make: ([, code]) => h('pre', { class: 'pre' }, plain(code.replace(/^\n/, ''))),
  },
  { find: /`([^`\n]+)`/, make: ([, code]) => h('code', { class: 'code' }, plain(code)) },
  { find: /<([^<>\n]+)>/, make: ([, inner], names) => reference(inner, names) },
  {
    find: /(?<![\w*])\*(?=\S)([^*\n]*[^\s*])\*(?![\w*])/,
    make: ([, inner], names) => h('b', {}, inline(inner, names)),
  },
  {
    find: /(?<![\w_])_(?=\S)([^_\n]*[^\s_])_(?![\w_])/,
    make: ([, inner], names) => h('i', {}, inline(inner, names)),
  },
  {
    find: /(?<![\w~])~(?=\S)([^~\n]*[^\s~])~(?![\w~])/,
    make: ([, inner], names) => h('s', {}, inline(inner, names)),
  },
  { find: /:([a-z0-9_+-]+):/, make: ([whole, name]) => emojiNode(name) ?? whole },
  {
    find: /https?:\/\/[^\s<>]+[^\s<>.,;:!?)\]'"]/,
    make: ([address]) => link(unescaped(address), plain(address)),
  },
];

/**
 * Slack's mrkdwn as nodes: quotes and code blocks by line, the rest inline.
 * @param {string} text
 * @param {{person: (id: string) => string | undefined, channel: (id: string) => string | undefined, me?: string}} names
 * @returns {Node[]}
 */
export function mrkdwn(text, names) {
  const parts = text.split(/(```[\s\S]+?```)/);
  return parts.flatMap((part) => {
    if (part.startsWith('```') && part.length > 6) return inline(part, names);
    return quoted(part, names);
  });
}

function quoted(text, names) {
  const nodes = [];
  let quote = [];
  const flush = () => {
    if (quote.length > 0) nodes.push(h('blockquote', { class: 'quote' }, lines(quote, names)));
    quote = [];
  };
  let run = [];
  const flushRun = () => {
    if (run.length > 0) nodes.push(...lines(run, names));
    run = [];
  };
  for (const line of text.split('\n')) {
    const inner = /^(?:&gt;|>) ?(.*)$/.exec(line)?.[1];
    if (inner === undefined) {
      flush();
      run.push(line);
    } else {
      flushRun();
      quote.push(inner);
    }
  }
  flush();
  flushRun();
  return nodes;
}

function lines(texts, names) {
  return texts.flatMap((text, index) => [...(index > 0 ? [h('br')] : []), ...inline(text, names)]);
}

function inline(text, names) {
  let first;
  for (const stretch of stretches) {
    const match = stretch.find.exec(text);
    if (match && (!first || match.index < first.match.index)) first = { stretch, match };
  }
  if (!first) return text === '' ? [] : [document.createTextNode(unescaped(text))];
  const { stretch, match } = first;
  const before = text.slice(0, match.index);
  const after = text.slice(match.index + match[0].length);
  const made = stretch.make(match, names);
  return [
    ...(before === '' ? [] : inline(before, names)),
    made instanceof Node ? made : document.createTextNode(made),
    ...inline(after, names),
  ];
}

function reference(inner, names) {
  const [target, label] = splitOnce(inner, '|');
  if (target.startsWith('@'))
    return mention(`@${names.person(target.slice(1)) ?? label ?? 'unknown'}`, target.slice(1) === names.me);
  if (target.startsWith('#')) return mention(`#${names.channel(target.slice(1)) ?? label ?? 'unknown'}`);
  if (target.startsWith('!date^')) return dateNode(target, label);
  if (target.startsWith('!')) return mention(`@${label ?? target.slice(1)}`, true);
  return link(unescaped(target), unescaped(label ?? target.replace(/^mailto:/, '')));
}

function dateNode(target, label) {
  const [, seconds, format, address] = target.split('^');
  const shown = Number.isFinite(Number(seconds))
    ? slackDate(Number(seconds), unescaped(format ?? ''))
    : unescaped(label ?? '');
  const node = h(
    'time',
    {
      datetime: new Date(Number(seconds) * 1000).toISOString(),
      title: slackDate(Number(seconds), '{date_long} at {time}'),
    },
    shown,
  );
  return address ? link(unescaped(address), node) : node;
}

function splitOnce(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** A mention of a person or a channel; a mention of the reader is marked. */
export function mention(text, ofReader = false) {
  return h('span', { class: ofReader ? 'mention mention-me' : 'mention' }, text);
}

/** A link that opens in a new tab; plain text where the address is no web address. */
export function link(address, shown) {
  const href = safeUrl(address);
  return href
    ? h('a', { href, target: '_blank', rel: 'noopener noreferrer', class: 'link' }, shown)
    : h('span', {}, shown);
}

/** An emoji by its shortcode. */
export function emojiNode(name) {
  const found = Object.hasOwn(emoji, name) ? emoji[name] : undefined;
  return (
    found &&
    h(
      'span',
      { class: 'emoji', role: 'img', 'aria-label': `${name.replaceAll('_', ' ')} emoji`, title: `:${name}:` },
      found,
    )
  );
}

/** Plain text with the emoji shortcodes Slack replaces even there. */
export function plainText({ text, emoji: wanted }) {
  if (wanted === false) return [document.createTextNode(text)];
  return text.split(/(:[a-z0-9_+-]+:)/).map((part) => {
    const name = /^:([a-z0-9_+-]+):$/.exec(part)?.[1];
    return (name && emojiNode(name)) || document.createTextNode(part);
  });
}

/** A text object of either kind. */
export function textObject(object, names) {
  return object.type === 'mrkdwn' ? mrkdwn(object.text, names) : plainText(object);
}

function plain(text) {
  return unescaped(text.replace(/<([^<>|\n]+)(?:\|([^<>\n]+))?>/g, (_, target, label) => label ?? target));
}

function unescaped(text) {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
