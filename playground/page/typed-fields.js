import { h } from './dom.js';
import { icon } from './icons.js';

/** A field the browser itself knows, such as a date. */
export function native(type, symbol) {
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
export function dateTime(_, place) {
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
export function textField(element, place) {
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
