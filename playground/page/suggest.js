import { fill, h } from './dom.js';

/**
 * The list above a composer that offers commands, people and channels while one types.
 * @param {HTMLTextAreaElement} field
 * @param {object} state
 * @param {{commands: boolean}} options
 */
export function suggestions(field, state, { commands }) {
  const list = h('div', {
    class: 'suggest',
    role: 'listbox',
    id: `${field.id}-suggestions`,
    'aria-label': 'Suggestions',
    hidden: true,
  });
  field.setAttribute('aria-controls', list.id);
  field.setAttribute('aria-expanded', 'false');
  let items = [];
  let active = 0;
  field.addEventListener('input', refresh);
  field.addEventListener('blur', () => setTimeout(hide, 150));
  return { node: list, refresh, hide, keydown };

  function refresh() {
    const upTo = field.value.slice(0, field.selectionStart);
    const found = (commands && forCommands(upTo, field.value)) || forMentions(upTo);
    items = found?.items ?? [];
    active = 0;
    if (!found) return hide();
    fill(list, found.title && h('div', { class: 'suggest-title' }, found.title), items.map(row), found.usage);
    list.hidden = false;
    field.setAttribute('aria-expanded', 'true');
    mark();
  }

  function hide() {
    list.hidden = true;
    items = [];
    field.setAttribute('aria-expanded', 'false');
    field.removeAttribute('aria-activedescendant');
  }

  function forCommands(upTo, whole) {
    const name = /^\/\S*$/.exec(whole)?.[0];
    if (name !== undefined && upTo === whole) {
      const matching = state.commands.filter(({ command }) => command.startsWith(name.toLowerCase()));
      return (
        matching.length > 0 && {
          title: name === '/' ? 'Shortcuts and commands' : `Commands matching “${name}”`,
          items: matching.map(commandItem),
        }
      );
    }
    const command = state.commands.find((each) => whole.startsWith(`${each.command} `));
    if (!command || whole.slice(command.command.length).trim() !== '') return undefined;
    return {
      items: [],
      usage: h(
        'div',
        { class: 'suggest-usage' },
        h('b', {}, command.command),
        ' ',
        command.usageHint,
        h('span', { class: 'suggest-note' }, command.description),
      ),
    };
  }

  function commandItem({ command, usageHint, description }) {
    return {
      word: command,
      insert: `${command} `,
      from: 0,
      node: [
        h('span', { class: 'suggest-app', 'aria-hidden': 'true' }, state.app.name[0]),
        h(
          'span',
          { class: 'suggest-words' },
          h('span', {}, h('b', {}, command), ' ', h('span', { class: 'suggest-usage-text' }, usageHint)),
          h('span', { class: 'suggest-note' }, description),
        ),
        h('span', { class: 'suggest-origin' }, state.app.name),
      ],
    };
  }

  function forMentions(upTo) {
    const [, sign, typed] = /(?:^|\s)([@#])([\w.-]*)$/.exec(upTo) ?? [];
    if (sign === undefined) return undefined;
    const from = upTo.length - typed.length;
    const all =
      sign === '@'
        ? state.people.map(({ name, realName }) => ({
            key: `${name} ${realName}`.toLowerCase(),
            word: name,
            insert: `${name} `,
            node: [h('b', {}, realName), h('span', { class: 'suggest-note' }, ` @${name}`)],
          }))
        : state.channels.map(({ name }) => ({
            key: name,
            word: name,
            insert: `${name} `,
            node: [h('b', {}, `# ${name}`)],
          }));
    const matching = all.filter(({ key }) => key.includes(typed.toLowerCase())).slice(0, 8);
    return matching.length > 0 ? { items: matching.map((each) => ({ ...each, from })) } : undefined;
  }

  function row(item, index) {
    return h(
      'div',
      {
        class: 'suggest-item',
        role: 'option',
        id: `${list.id}-${index}`,
        on: {
          pointerdown: (event) => {
            event.preventDefault();
            take(item);
          },
          pointermove: () => {
            active = index;
            mark();
          },
        },
      },
      item.node,
    );
  }

  function mark() {
    list.querySelectorAll('.suggest-item').forEach((each, index) => {
      each.setAttribute('aria-selected', String(index === active));
    });
    if (items.length > 0) field.setAttribute('aria-activedescendant', `${list.id}-${active}`);
  }

  function take(item) {
    const caret = field.selectionStart;
    field.setRangeText(item.insert, item.from, caret, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }

  /** What is offered is typed already: Enter then sends. */
  function isWhole({ word, from }) {
    return field.value.slice(from).trim().toLowerCase() === word;
  }

  /** Whether the key was for this list. */
  function keydown(event) {
    if (list.hidden || items.length === 0) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const item = items[active];
    if (step !== undefined) {
      active = (active + step + items.length) % items.length;
      mark();
    } else if (event.key === 'Escape') hide();
    else if (event.key === 'Tab' || (event.key === 'Enter' && !isWhole(item))) take(item);
    else return false;
    event.preventDefault();
    return true;
  }
}
