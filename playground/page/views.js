import { avatar } from './avatar.js';
import { drawBlocks } from './blocks.js';
import { fill, h } from './dom.js';
import { icon } from './icons.js';
import { plainText } from './mrkdwn.js';
import { createScene } from './scene.js';
import { act } from './server.js';

/** What was entered in each view; it outlives an update of the view, as in Slack. */
const entriesByView = new Map();

function entriesOf(view) {
  const entries = entriesByView.get(view.id) ?? new Map();
  entriesByView.set(view.id, entries);
  return entries;
}

/** The Home tab of the app. */
export function homeTab(view, state) {
  if (!view)
    return h(
      'div',
      { class: 'home-empty' },
      avatar(state.app.user, state, 72),
      h('h2', {}, `This is ${state.app.name}’s Home`),
      h('p', {}, 'It has not published anything yet.'),
    );
  const scene = createScene(state, { viewId: view.id }, { entries: entriesOf(view), blocks: view.blocks });
  return h('div', { class: 'home' }, h('div', { class: 'blocks' }, drawBlocks(view.blocks, scene)));
}

/** Draws the topmost modal of a stack, or none. */
export function drawModals(node, state, stack) {
  const view = stack.at(-1);
  for (const part of document.querySelectorAll('body > :not(#modals, #offline, script, .popover)'))
    part.inert = view !== undefined;
  if (!view) return fill(node);
  const shown = node.querySelector('.modal');
  const sameView = shown?.dataset.view === view.id;
  const scrolled = sameView ? node.querySelector('.modal-body').scrollTop : 0;
  const focused = sameView && document.activeElement?.getAttribute('aria-label');
  fill(node, modal(view, state, stack.length > 1));
  node.querySelector('.modal-body').scrollTop = scrolled;
  const fields = [...node.querySelectorAll('.modal-body :is(input, textarea, button, select)')];
  const target =
    fields.find((field) => focused && field.getAttribute('aria-label') === focused) ??
    (sameView
      ? undefined
      : (fields.find((field) => field.dataset.focus) ??
        fields.find((field) => field.matches('input, textarea'))));
  (target ?? node.querySelector('.modal-close')).focus();
}

function modal(view, state, stacked, errors = {}) {
  const entries = entriesOf(view);
  const scene = createScene(state, { viewId: view.id }, { entries, blocks: view.blocks });
  const body = h('div', { class: 'modal-body' });
  const draw = (wrong) =>
    fill(
      body,
      wrong[''] && h('div', { class: 'modal-trouble', role: 'alert' }, icon('warning', 18), wrong['']),
      h('div', { class: 'blocks' }, drawBlocks(view.blocks, scene, wrong)),
    );
  draw(errors);
  const submit =
    view.submit && h('button', { type: 'submit', class: 'button primary' }, plainText(view.submit));
  const close = () => act('close', { user: state.me });
  const form = h(
    'form',
    {
      class: 'modal',
      novalidate: true,
      role: 'dialog',
      'aria-modal': 'true',
      'aria-labelledby': 'modal-title',
      dataset: { view: view.id },
      on: { submit: send, keydown: keys },
    },
    h(
      'header',
      { class: 'modal-head' },
      stacked
        ? h(
            'button',
            { type: 'button', class: 'modal-back', 'aria-label': 'Back', on: { click: close } },
            icon('right'),
          )
        : avatar(state.app.user, state, 36),
      h('h1', { class: 'modal-title', id: 'modal-title' }, plainText(view.title)),
      h(
        'button',
        { type: 'button', class: 'modal-close', 'aria-label': 'Close', on: { click: close } },
        icon('close'),
      ),
    ),
    body,
    h(
      'footer',
      { class: 'modal-foot' },
      h(
        'button',
        { type: 'button', class: 'button plain', on: { click: close } },
        view.close ? plainText(view.close) : stacked ? 'Back' : 'Cancel',
      ),
      submit,
    ),
  );
  return h(
    'div',
    {
      class: 'overlay',
      on: { pointerdown: (event) => event.target.classList.contains('overlay') && close() },
    },
    form,
  );

  async function send(event) {
    event.preventDefault();
    if (!submit || submit.disabled) return;
    submit.disabled = true;
    submit.classList.add('busy');
    const answer = await act('submit', {
      user: state.me,
      viewId: view.id,
      entries: Object.fromEntries(entries),
    });
    submit.disabled = false;
    submit.classList.remove('busy');
    if (!form.isConnected) return;
    draw(answer.errors ?? { '': 'We had some trouble connecting. Try again?' });
    body.querySelector('[aria-invalid], .input-wrong :is(input, textarea, button)')?.focus();
  }

  function keys(event) {
    if (event.key === 'Escape' && !document.querySelector('.popover')) close();
    if (event.key !== 'Tab') return;
    const stops = [...form.querySelectorAll('button, input, textarea, a[href], [tabindex="0"]')].filter(
      (each) => !each.disabled && each.offsetParent,
    );
    const edge = event.shiftKey ? stops[0] : stops.at(-1);
    if (document.activeElement !== edge) return;
    event.preventDefault();
    (event.shiftKey ? stops.at(-1) : stops[0])?.focus();
  }
}
