import { composer } from './composer.js';
import { fill, h } from './dom.js';
import { icon } from './icons.js';
import { messageList } from './message-list.js';

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
