import { avatar } from './avatar.js';
import { composer } from './composer.js';
import { fill, h } from './dom.js';
import { guide } from './guide.js';
import { icon } from './icons.js';
import { messageList } from './message-list.js';
import { homeTab } from './views.js';

/**
 * The middle of the screen: a channel, or the app with its tabs.
 * @param {HTMLElement} node
 * @param {object} state
 * @param {{open: (place: object) => void, openThread: (ts: string) => void, toggleSidebar: () => void}} doing
 */
export function drawConversation(node, state, doing) {
  const { id, tab } = state.place;
  const direct = id === state.direct;
  const channel = state.channels.find((each) => each.id === id);
  const name = direct ? state.app.name : (channel?.name ?? '');
  const title = h(
    'header',
    { class: 'main-head' },
    h(
      'div',
      { class: 'main-title-line' },
      h(
        'button',
        { type: 'button', class: 'main-menu', 'aria-label': 'Channels', on: { click: doing.toggleSidebar } },
        icon('menu'),
      ),
      h(
        'h1',
        { class: 'main-title' },
        direct ? avatar(state.app.user, state, 26) : icon('hash', 18),
        name,
        direct && h('span', { class: 'badge' }, 'APP'),
      ),
      channel?.topic && h('span', { class: 'main-topic' }, channel.topic),
      !direct &&
        h(
          'span',
          { class: 'members', title: `${state.people.length + 1} members` },
          state.people.slice(0, 3).map((person) => avatar(person.id, state, 24)),
          h('span', {}, state.people.length + 1),
        ),
    ),
    tabs(state, direct, doing),
  );
  if (direct && tab === 'home') {
    fill(node, title, h('div', { class: 'home-scroll', tabindex: '0' }, homeTab(state.home, state)));
    return { update: () => {} };
  }
  if (direct && tab === 'about') {
    fill(node, title, h('div', { class: 'home-scroll', tabindex: '0' }, about(state)));
    return { update: () => {} };
  }
  const box = composer({
    id: 'composer',
    state,
    channel: id,
    placeholder: direct ? `Message ${name}` : `Message #${name}`,
  });
  const steps = guide({
    steps: state.hints,
    run: (line) => {
      box.insert(line);
      return box.submit();
    },
  });
  box.onSent(steps.sent);
  const list = messageList({
    state,
    openThread: doing.openThread,
    label: `Messages in ${name}`,
    start: () => beginning(state, name, direct, channel),
  });
  fill(node, title, list.node, steps.node, box.node);
  box.field.focus({ preventScroll: true });
  return {
    toEnd: list.toEnd,
    added: list.added,
    update(messages) {
      const words = state.query.toLowerCase();
      const shown = messages
        .filter((message) => !message.threadTs || message.threadTs === message.ts)
        .filter(
          (message) =>
            words === '' || JSON.stringify([message.text, message.blocks]).toLowerCase().includes(words),
        );
      list.show(shown, (ts) => messages.filter((message) => message.threadTs === ts && message.ts !== ts));
    },
  };
}

function tabs(state, direct, { open }) {
  const offered = direct
    ? [
        ['home', 'Home', 'home'],
        ...(state.app.messagesTab ? [['messages', 'Messages', 'messages']] : []),
        ['about', 'About', 'info'],
      ]
    : [['messages', 'Messages', 'messages']];
  return h(
    'div',
    { class: 'tabs', role: 'tablist', 'aria-label': 'Tabs' },
    offered.map(([tab, label, sign]) => {
      const on = state.place.tab === tab;
      return h(
        'button',
        {
          type: 'button',
          class: `tab${on ? ' on' : ''}`,
          role: 'tab',
          'aria-selected': String(on),
          on: { click: () => open({ id: state.place.id, tab }) },
        },
        icon(sign, 16),
        label,
      );
    }),
  );
}

function beginning(state, name, direct, channel) {
  return h(
    'section',
    { class: 'beginning' },
    direct ? avatar(state.app.user, state, 64) : null,
    h('h2', {}, direct ? name : ['# ', name]),
    h(
      'p',
      {},
      direct
        ? `This is the very beginning of your direct message history with ${name}. ${state.app.description}`
        : `This is the very beginning of the #${name} channel. ${channel?.topic ?? ''}`,
    ),
  );
}

function about(state) {
  return h(
    'div',
    { class: 'about' },
    avatar(state.app.user, state, 72),
    h('h2', {}, state.app.name, h('span', { class: 'badge' }, 'APP')),
    state.app.description && h('p', {}, state.app.description),
    h('p', {}, h('a', { href: '/docs', target: '_blank', class: 'link' }, 'REST API documentation')),
    h('h3', { class: 'header' }, 'Commands'),
    h(
      'dl',
      { class: 'about-list' },
      state.commands.map(({ command, usageHint, description }) => [
        h('dt', {}, h('code', { class: 'code' }, [command, usageHint].filter(Boolean).join(' '))),
        h('dd', {}, description),
      ]),
    ),
  );
}

/** The pane at the right with one thread. */
export function drawThread(node, state, ts, { close }) {
  const name =
    state.place.id === state.direct
      ? state.app.name
      : `#${state.channels.find(({ id }) => id === state.place.id)?.name}`;
  const list = messageList({ state, label: 'Thread' });
  const box = composer({
    id: 'thread-composer',
    state,
    channel: state.place.id,
    threadTs: ts,
    placeholder: 'Reply…',
  });
  fill(
    node,
    h(
      'header',
      { class: 'thread-head' },
      h('h2', {}, 'Thread', h('span', { class: 'thread-where' }, name)),
      h(
        'button',
        { type: 'button', class: 'modal-close', 'aria-label': 'Close the thread', on: { click: close } },
        icon('close'),
      ),
    ),
    list.node,
    box.node,
  );
  node.hidden = false;
  document.body.classList.add('with-thread');
  box.field.focus();
  return {
    ts,
    added: list.added,
    update: (messages) =>
      list.show(messages.filter((message) => message.ts === ts || message.threadTs === ts)),
  };
}
