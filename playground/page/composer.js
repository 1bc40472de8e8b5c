import { h } from './dom.js';
import { icon } from './icons.js';
import { openMenu } from './popover.js';
import { act } from './server.js';
import { suggestions } from './suggest.js';

/**
 * The box one writes in. Enter sends, Shift+Enter starts a line, ArrowUp in an empty box recalls the last line sent.
 * @param {{id: string, state: object, channel: string, threadTs?: string, placeholder: string}} options
 */
export function composer({ id, state, channel, threadTs, placeholder }) {
  const field = h('textarea', {
    id,
    class: 'composer-field',
    rows: '1',
    'aria-label': threadTs ? 'Reply' : 'Message',
    'aria-autocomplete': 'list',
    placeholder,
    autocomplete: 'off',
    spellcheck: 'true',
  });
  const send = h(
    'button',
    {
      type: 'button',
      class: 'composer-send',
      'aria-label': 'Send now',
      disabled: true,
      on: { click: submit },
    },
    icon('send', 18),
  );
  const suggest = suggestions(field, state, { commands: threadTs === undefined });
  const format = toolbar();
  const node = h(
    'div',
    { class: 'composer' },
    suggest.node,
    h('div', { class: 'composer-box' }, format, field, bottom()),
  );
  field.addEventListener('input', grow);
  field.addEventListener('keydown', keys);
  let sent = () => {};
  return { node, field, insert, submit, onSent: (run) => (sent = run) };

  function grow() {
    field.style.height = 'auto';
    field.style.height = `${Math.min(field.scrollHeight, 240)}px`;
    send.disabled = field.value.trim() === '';
  }

  function insert(text) {
    field.value = text;
    field.focus();
    field.setSelectionRange(text.length, text.length);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }

  function keys(event) {
    if (event.isComposing || suggest.keydown(event)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      submit();
    } else if (event.key === 'ArrowUp' && field.value === '' && state.lastSent) {
      event.preventDefault();
      insert(state.lastSent);
      suggest.hide();
    }
  }

  async function submit() {
    const text = field.value.trim();
    if (text === '') return;
    state.lastSent = text;
    field.value = '';
    grow();
    suggest.hide();
    field.focus();
    const thread = threadTs === undefined ? {} : { threadTs };
    const { ok } = await act('post', { user: state.me, channel, text, ...thread });
    if (ok) sent(text);
    if (ok || field.value !== '') return;
    field.value = text;
    grow();
  }

  function wrap(before, after = before) {
    const { selectionStart: from, selectionEnd: to } = field;
    field.setRangeText(`${before}${field.value.slice(from, to)}${after}`, from, to, 'end');
    if (from === to) field.setSelectionRange(from + before.length, from + before.length);
    field.focus();
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }

  function tool(name, label, run) {
    return h(
      'button',
      { type: 'button', class: 'composer-tool', 'aria-label': label, title: label, on: { click: run } },
      icon(name, 18),
    );
  }

  function toolbar() {
    return h(
      'div',
      { class: 'composer-format', role: 'toolbar', 'aria-label': 'Formatting' },
      tool('bold', 'Bold', () => wrap('*')),
      tool('italic', 'Italic', () => wrap('_')),
      tool('strike', 'Strikethrough', () => wrap('~')),
      h('span', { class: 'composer-rule' }),
      tool('quote', 'Quote', () => wrap('> ', '')),
      tool('list', 'Bulleted list', () => wrap('• ', '')),
      h('span', { class: 'composer-rule' }),
      tool('code', 'Code', () => wrap('`')),
    );
  }

  function bottom() {
    const shortcuts = state.shortcuts.filter(({ type }) => type === 'global');
    const plus = tool('plus', 'Shortcuts', () =>
      openMenu(
        plus,
        shortcuts.map(({ name, callbackId, description }) => ({
          label: name,
          note: description,
          run: () => act('shortcut', { user: state.me, callbackId }),
        })),
        { above: true, title: 'Shortcuts' },
      ),
    );
    const letters = tool('letters', 'Hide formatting', () => {
      format.hidden = !format.hidden;
      letters.setAttribute('aria-label', format.hidden ? 'Show formatting' : 'Hide formatting');
    });
    return h(
      'div',
      { class: 'composer-bottom' },
      shortcuts.length > 0 && plus,
      letters,
      tool('at', 'Mention someone', () => wrap('@', '')),
      threadTs === undefined && tool('slash', 'Run a command', () => insert('/')),
      h('span', { class: 'composer-space' }),
      send,
    );
  }
}
