import { fill, h } from './dom.js';
import { followNewest } from './follow-newest.js';
import { messageRow } from './message.js';
import { dayName } from './slack-date.js';

/** Messages of one author this close together share one name and picture. */
const togetherSeconds = 300;

/**
 * A scrolling list of messages that draws again only what changed.
 * @param {{state: object, start?: () => Node, openThread?: (ts: string) => void, label: string}} options
 */
export function messageList({ state, start, openThread, label }) {
  const rows = new Map();
  const inner = h('div', { class: 'list-inner' });
  const scroller = h('div', { class: 'list-scroll', tabindex: '0', role: 'log', 'aria-label': label }, inner);
  const { follow, scrolled, toEnd, added } = followNewest(scroller, (ts) => {
    const node = rows.get(ts)?.node;
    return node?.isConnected
      ? scroller.scrollTop + node.getBoundingClientRect().top - scroller.getBoundingClientRect().top
      : undefined;
  });
  scroller.addEventListener('scroll', scrolled);
  const heights = new ResizeObserver(follow);
  heights.observe(inner);
  heights.observe(scroller);
  return { node: scroller, show, toEnd, added };

  /** @param {object[]} messages in order @param {(ts: string) => object[]} [repliesOf] */
  function show(messages, repliesOf = () => []) {
    const nodes = start ? [start()] : [];
    let before;
    for (const message of messages) {
      const day = dayName(Number(message.ts), state.now);
      if (day !== (before && dayName(Number(before.ts), state.now)))
        nodes.push(h('div', { class: 'day', role: 'separator' }, h('span', {}, day)));
      nodes.push(row(message, follows(message, before), repliesOf(message.ts)));
      before = message;
    }
    for (const ts of rows.keys()) if (!messages.some((message) => message.ts === ts)) rows.delete(ts);
    fill(inner, nodes);
    follow();
  }

  function row(message, compact, replies) {
    const key = `${compact} ${replies.length} ${replies.at(-1)?.ts}`;
    const known = rows.get(message.ts);
    if (known?.message === message && known.key === key) return known.node;
    const node = messageRow(message, state, { compact, replies, openThread });
    rows.set(message.ts, { message, key, node });
    return node;
  }
}

function follows(message, before) {
  return (
    before !== undefined &&
    before.user === message.user &&
    !before.onlyFor === !message.onlyFor &&
    !message.onlyFor &&
    !message.answers &&
    Number(message.ts) - Number(before.ts) < togetherSeconds
  );
}
