import { h, safeUrl } from './dom.js';
import { icon } from './icons.js';
import { plainText, textObject } from './mrkdwn.js';
import { moreButton } from './popover.js';
import { select } from './select.js';

/**
 * One interactive element. `scene.use` is called with what was chosen.
 * @param {object} element a Block Kit element
 * @param {string} blockId
 * @param {import('./scene.js').Scene} scene
 * @param {string} [label] what a screen reader calls it
 */
export function interactive(element, blockId, scene, label) {
  const make = makers[element.type];
  return make
    ? make(element, spot(element, blockId, scene, label))
    : h('span', { class: 'unknown' }, `[${element.type}]`);
}

function spot(element, blockId, scene, label) {
  return {
    scene,
    blockId,
    label:
      label ??
      element.accessibility_label ??
      element.placeholder?.text ??
      element.text?.text ??
      element.type.replaceAll('_', ' '),
    entry: scene.entryOf(blockId, element),
    async use(entry, source) {
      if (element.confirm && !(await confirmed(element.confirm, scene.names))) return false;
      source?.classList.add('busy');
      try {
        await scene.use(blockId, element, entry);
      } finally {
        source?.classList.remove('busy');
      }
      return true;
    },
  };
}

function button(element, { use, label }) {
  const href = element.url && safeUrl(element.url);
  const shared = {
    class: `button ${element.style ?? 'plain'}`,
    'aria-label': element.accessibility_label ? label : undefined,
  };
  if (href)
    return h(
      'a',
      { ...shared, href, target: '_blank', rel: 'noopener noreferrer', on: { click: () => use(undefined) } },
      plainText(element.text),
    );
  const node = h(
    'button',
    { ...shared, type: 'button', on: { click: () => use(undefined, node) } },
    plainText(element.text),
  );
  return node;
}

function overflow(element, { use }) {
  return moreButton({
    look: 'button plain icon-button',
    items: (button) =>
      element.options.map((option) => ({
        label: plainText(option.text),
        note: option.description?.text,
        href: option.url && safeUrl(option.url),
        run: () => use(option.value, button),
      })),
  });
}

function choices(element, place) {
  const many = element.type === 'checkboxes';
  const name = `${place.blockId}-${element.action_id}-${crypto.randomUUID()}`;
  const on = new Set([place.entry ?? []].flat());
  return h(
    'div',
    { class: 'choices', role: many ? 'group' : 'radiogroup', 'aria-label': place.label },
    element.options.map((option) =>
      h(
        'label',
        { class: 'choice' },
        h('input', {
          type: many ? 'checkbox' : 'radio',
          name,
          value: option.value,
          checked: on.has(option.value),
          on: {
            change: (event) => {
              if (many && event.target.checked) on.add(option.value);
              else if (many) on.delete(option.value);
              place.use(many ? [...on] : option.value);
            },
          },
        }),
        h(
          'span',
          {},
          textObject(option.text, place.scene.names),
          option.description &&
            h('span', { class: 'choice-note' }, textObject(option.description, place.scene.names)),
        ),
      ),
    ),
  );
}

function feedback(element, { use }) {
  return h(
    'span',
    { class: 'feedback' },
    [
      ['positive_button', '👍'],
      ['negative_button', '👎'],
    ].map(([name, sign]) => {
      const node = h(
        'button',
        {
          type: 'button',
          class: 'feedback-button',
          'aria-label': element[name].accessibility_label ?? element[name].text.text,
          title: element[name].text.text,
          'aria-pressed': 'false',
          on: {
            click: () => {
              for (const other of node.parentElement.children)
                other.setAttribute('aria-pressed', String(other === node));
              use(element[name].value);
            },
          },
        },
        sign,
      );
      return node;
    }),
  );
}

function iconButton(element, { use, label }) {
  return h(
    'button',
    {
      type: 'button',
      class: 'feedback-button',
      'aria-label': element.accessibility_label ?? label,
      title: element.text.text,
      on: { click: () => use(element.value) },
    },
    icon({ trash: 'close' }[element.icon] ?? 'info', 18),
  );
}

const makers = {
  button,
  workflow_button: button,
  overflow,
  checkboxes: choices,
  radio_buttons: choices,
  static_select: select,
  external_select: select,
  users_select: select,
  channels_select: select,
  conversations_select: select,
  multi_static_select: select,
  multi_external_select: select,
  multi_users_select: select,
  multi_channels_select: select,
  multi_conversations_select: select,
  datepicker: native('date', 'calendar'),
  timepicker: native('time', 'clock'),
  datetimepicker: dateTime,
  plain_text_input: textField,
  email_text_input: textField,
  url_text_input: textField,
  number_input: textField,
  rich_text_input: textField,
  feedback_buttons: feedback,
  icon_button: iconButton,
};

/** A field the browser itself knows, such as a date. */
function native(type, symbol) {
  return (_element, place) =>
    h(
      'span',
      { class: 'field-with-icon' },
      icon(symbol, 16),
      h('input', {
        type,
        class: 'field',
        value: place.entry ?? '',
        'aria-label': place.label,
        on: { change: (event) => place.use(event.target.value || null) },
      }),
    );
}

/** A date and a time in one field; its entry is in seconds. */
function dateTime(_, place) {
  const local = place.entry
    ? new Date(Number(place.entry) * 1000 - new Date().getTimezoneOffset() * 60_000)
        .toISOString()
        .slice(0, 16)
    : '';
  return h('input', {
    type: 'datetime-local',
    class: 'field',
    value: local,
    'aria-label': place.label,
    on: {
      change: (event) =>
        place.use(
          event.target.value ? String(Math.floor(new Date(event.target.value).getTime() / 1000)) : null,
        ),
    },
  });
}

/** A field for text of any kind, in one line or several. */
function textField(element, place) {
  const type = { email_text_input: 'email', url_text_input: 'url' }[element.type] ?? 'text';
  const shared = {
    class: 'field',
    placeholder: element.placeholder?.text,
    'aria-label': place.label,
    maxlength: element.max_length,
    inputmode: element.type === 'number_input' ? 'decimal' : undefined,
    dataset: element.focus_on_load ? { focus: 'yes' } : {},
    on: {
      input: (event) => place.scene.enter(place.blockId, element, event.target.value || null),
      keydown: (event) => {
        const when = element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed'];
        if (
          event.key === 'Enter' &&
          !element.multiline &&
          when.includes('on_enter_pressed') &&
          place.scene.dispatches(place.blockId)
        )
          place.use(event.target.value || null);
      },
    },
  };
  if (element.multiline || element.type === 'rich_text_input') {
    const area = h('textarea', { ...shared, rows: '4' });
    area.value = typeof place.entry === 'string' ? place.entry : '';
    return area;
  }
  return h('input', { ...shared, type, value: place.entry ?? '' });
}

/** Asks the question of a confirmation object; resolves to the answer. */
function confirmed(question, names) {
  return new Promise((resolve) => {
    const before = document.activeElement;
    const end = (answer) => {
      dialog.remove();
      before?.focus?.();
      resolve(answer);
    };
    const yes = h(
      'button',
      {
        type: 'button',
        class: `button ${question.style === 'danger' ? 'danger-filled' : 'primary'}`,
        on: { click: () => end(true) },
      },
      plainText(question.confirm),
    );
    const dialog = h(
      'div',
      { class: 'overlay', on: { keydown: (event) => event.key === 'Escape' && end(false) } },
      h(
        'div',
        {
          class: 'dialog small',
          role: 'alertdialog',
          'aria-modal': 'true',
          'aria-labelledby': 'confirm-title',
        },
        h('h2', { class: 'dialog-title', id: 'confirm-title' }, plainText(question.title)),
        h('div', { class: 'dialog-body' }, textObject(question.text, names)),
        h(
          'div',
          { class: 'dialog-foot' },
          h(
            'button',
            { type: 'button', class: 'button plain', on: { click: () => end(false) } },
            plainText(question.deny),
          ),
          yes,
        ),
      ),
    );
    document.body.append(dialog);
    yes.focus();
  });
}
