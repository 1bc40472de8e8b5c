import { fill, h } from './dom.js';
import { icon } from './icons.js';
import { openPopover } from './popover.js';

const wordsOf = (option) => ({
  value: option.value,
  text: option.text.text,
  description: option.description?.text,
});

function optionGroups(options, groups = []) {
  return groups.length > 0
    ? groups.map((group) => ({ label: group.label.text, options: group.options.map(wordsOf) }))
    : [{ options: (options ?? []).map(wordsOf) }];
}

function filtered(groups, query) {
  const words = query.trim().toLowerCase();
  const matching = groups.map((group) => ({
    ...group,
    options: group.options.filter(({ text }) => text.toLowerCase().includes(words)),
  }));
  return { groups: matching.filter((group) => group.options.length > 0) };
}

/** What a menu can offer, by the kind of menu. */
const sources = {
  static: (element) => {
    const groups = optionGroups(element.options, element.option_groups);
    return {
      known: groups.flatMap((group) => group.options),
      load: async (query) => filtered(groups, query),
    };
  },
  users: (_, { scene }) =>
    fixed(
      scene.people.map(({ id, realName, name }) => ({ value: id, text: realName, description: `@${name}` })),
    ),
  channels: (_, { scene }) => fixed(scene.channels.map(({ id, name }) => ({ value: id, text: `# ${name}` }))),
  conversations: (_, { scene }) =>
    fixed([
      ...scene.channels.map(({ id, name }) => ({ value: id, text: `# ${name}` })),
      ...scene.people.map(({ id, realName }) => ({ value: id, text: realName })),
    ]),
  external: (element, { scene, blockId }) => ({
    known: [element.initial_option, ...(element.initial_options ?? [])].filter(Boolean).map(wordsOf),
    load: async (query) => {
      const least = element.min_query_length ?? 3;
      if (query.length < least)
        return { groups: [], hint: `Type at least ${least} character${least === 1 ? '' : 's'} to search` };
      const answer = await scene.options(blockId, element, query);
      if (answer.failed || answer.ok === false)
        return { groups: [], failed: 'Sorry, we couldn’t load any options' };
      return { groups: optionGroups(answer.options, answer.groups) };
    },
  }),
};

function fixed(options) {
  return { known: options, load: async (query) => filtered([{ options }], query) };
}

/** A select menu of any kind, for one choice or several. */
export function select(element, place) {
  const [, multi, kind] = /^(multi_)?(\w+)_select$/.exec(element.type);
  const source = sources[kind](element, place);
  const entries = [place.entry ?? []].flat();
  const remembered = place.scene.remembered;
  const selected = entries.map(
    (value) =>
      source.known.find((each) => each.value === value) ?? remembered.get(value) ?? { value, text: value },
  );
  return picker({
    label: place.label,
    placeholder: element.placeholder?.text ?? (multi ? 'Select options' : 'Select an option'),
    multi: Boolean(multi),
    max: element.max_selected_items,
    selected,
    load: source.load,
    onChange: (chosen) => {
      for (const each of chosen) remembered.set(each.value, each);
      place.use(multi ? chosen.map(({ value }) => value) : (chosen[0]?.value ?? null));
    },
  });
}

/**
 * A select menu: a button that opens a list one can type into.
 * @param {{
 *   label: string, placeholder: string, multi?: boolean, max?: number, describedBy?: string,
 *   selected: {value: string, text: string}[],
 *   load: (query: string) => Promise<{groups: {label?: string, options: {value: string, text: string, description?: string}[]}[], failed?: string, hint?: string}>,
 *   onChange: (selected: {value: string, text: string}[]) => void,
 * }} options
 */
function picker({
  label,
  placeholder,
  multi = false,
  max = Number.POSITIVE_INFINITY,
  selected,
  load,
  onChange,
}) {
  let chosen = [...selected];
  const button = h('button', {
    type: 'button',
    class: `picker${multi ? ' picker-multi' : ''}`,
    'aria-haspopup': 'listbox',
    'aria-expanded': 'false',
    'aria-label': label,
    on: { click: open },
  });
  draw();
  return button;

  function draw() {
    const shown =
      chosen.length === 0
        ? h('span', { class: 'picker-placeholder' }, placeholder)
        : multi
          ? chosen.map(({ text, value }) =>
              h(
                'span',
                { class: 'chip' },
                text,
                h(
                  'span',
                  {
                    class: 'chip-remove',
                    role: 'button',
                    'aria-label': `Remove ${text}`,
                    on: {
                      click: (event) => {
                        event.stopPropagation();
                        change(chosen.filter((each) => each.value !== value));
                      },
                    },
                  },
                  icon('close', 12),
                ),
              ),
            )
          : h('span', { class: 'picker-value' }, chosen[0].text);
    fill(button, h('span', { class: 'picker-shown' }, shown), icon('caret', 16));
    button.setAttribute(
      'aria-label',
      `${label}${chosen.length > 0 ? `: ${chosen.map(({ text }) => text).join(', ')}` : ''}`,
    );
  }

  function change(next) {
    chosen = next;
    draw();
    onChange(chosen);
  }

  function open() {
    let options = [];
    let active = 0;
    let searches = 0;
    const list = h('div', {
      class: 'picker-list',
      role: 'listbox',
      id: `list-${crypto.randomUUID()}`,
      'aria-label': label,
      'aria-multiselectable': multi ? 'true' : undefined,
    });
    const field = h('input', {
      class: 'picker-search',
      type: 'text',
      role: 'combobox',
      'aria-expanded': 'true',
      'aria-controls': list.id,
      'aria-label': `Search ${label}`,
      placeholder: 'Search',
      autocomplete: 'off',
      on: { input: refresh, keydown: keys },
    });
    const close = openPopover(button, h('div', { class: 'picker-box' }, field, list));
    field.focus();
    refresh();

    async function refresh() {
      const mine = ++searches;
      const answer = await load(field.value);
      if (mine !== searches) return;
      options = answer.groups.flatMap((group) => group.options);
      active = Math.max(
        0,
        options.findIndex(({ value }) => chosen.some((each) => each.value === value)),
      );
      let at = 0;
      const message = answer.failed ?? answer.hint ?? (options.length === 0 ? 'No results' : undefined);
      fill(
        list,
        message && h('div', { class: 'picker-empty' }, message),
        answer.groups.map((group) => [
          group.label && h('div', { class: 'picker-group' }, group.label),
          group.options.map((option) => row(option, at++)),
        ]),
      );
      mark();
      close.place();
    }

    function row(option, index) {
      const on = chosen.some(({ value }) => value === option.value);
      return h(
        'div',
        {
          class: 'picker-option',
          role: 'option',
          id: `${list.id}-${index}`,
          'aria-selected': String(on),
          dataset: { index: String(index) },
          on: {
            click: () => pick(option),
            pointermove: () => {
              active = index;
              mark();
            },
          },
        },
        h('span', { class: 'picker-tick' }, on && icon('check', 14)),
        h(
          'span',
          { class: 'picker-text' },
          option.text,
          option.description && h('span', { class: 'picker-note' }, option.description),
        ),
      );
    }

    function mark() {
      for (const each of list.querySelectorAll('.picker-option'))
        each.classList.toggle('active', Number(each.dataset.index) === active);
      const now = list.querySelector('.picker-option.active');
      if (now) field.setAttribute('aria-activedescendant', now.id);
      now?.scrollIntoView({ block: 'nearest' });
    }

    function pick(option) {
      const on = chosen.some(({ value }) => value === option.value);
      if (!multi) {
        close();
        button.focus();
        change([option]);
      } else if (on || chosen.length < max) {
        change(on ? chosen.filter(({ value }) => value !== option.value) : [...chosen, option]);
        refresh();
      }
    }

    function keys(event) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step !== undefined && options.length > 0) {
        event.preventDefault();
        active = (active + step + options.length) % options.length;
        mark();
      } else if (event.key === 'Enter') {
        event.preventDefault();
        if (options[active]) pick(options[active]);
      } else if (event.key === 'Backspace' && field.value === '' && multi && chosen.length > 0) {
        change(chosen.slice(0, -1));
        refresh();
      } else if (event.key === 'Tab') close();
    }
  }
}
