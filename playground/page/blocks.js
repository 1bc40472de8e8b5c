import { chart } from './chart.js';
import { fill, h, picture, safeUrl } from './dom.js';
import { interactive } from './elements.js';
import { card, carousel, container, plan, taskCard } from './group-blocks.js';
import { icon } from './icons.js';
import { markdown } from './markdown.js';
import { plainText, textObject } from './mrkdwn.js';
import { richText } from './rich-text.js';
import { dataTable, table } from './table.js';

/** Blocks as nodes; `errors` are shown below the input blocks they belong to. */
export function drawBlocks(blocks, scene, errors = {}) {
  return blocks.map((block) => {
    const draw = drawers[block.type];
    const node = draw ? draw(block, scene, errors) : h('div', { class: 'unknown' }, `[${block.type}]`);
    return h('div', { class: `block block-${block.type}` }, node);
  });
}

function section({ block_id, text, fields, accessory }, scene) {
  const body = h(
    'div',
    { class: 'section-body' },
    text && clamped(h('div', { class: 'text' }, textObject(text, scene.names)), text.text.length),
    fields &&
      h(
        'div',
        { class: 'fields' },
        fields.map((field) => h('div', { class: 'field-text' }, textObject(field, scene.names))),
      ),
  );
  if (!accessory) return body;
  const side =
    accessory.type === 'image'
      ? picture(accessory, 'accessory-image')
      : interactive(accessory, block_id, scene, text?.text);
  return h(
    'div',
    { class: `section${['checkboxes', 'radio_buttons'].includes(accessory.type) ? ' section-stacked' : ''}` },
    body,
    h('div', { class: 'accessory' }, side),
  );
}

/** Long texts are folded, as in Slack. */
function clamped(node, length) {
  if (length < 1200) return node;
  node.classList.add('folded');
  const more = h(
    'button',
    {
      type: 'button',
      class: 'see-more',
      on: {
        click: () => {
          more.textContent = node.classList.toggle('folded') ? 'See more' : 'See less';
        },
      },
    },
    'See more',
  );
  return h('div', {}, node, more);
}

function image(block) {
  const shown = picture(block, 'image');
  return h(
    'figure',
    { class: 'image-figure' },
    block.title && h('figcaption', {}, plainText(block.title)),
    shown,
  );
}

function context({ elements }, scene) {
  return h(
    'div',
    { class: 'context' },
    elements.map((element) =>
      element.type === 'image'
        ? picture(element, 'context-image')
        : h('span', { class: 'context-text' }, textObject(element, scene.names)),
    ),
  );
}

function actions({ block_id, elements }, scene) {
  return h(
    'div',
    { class: 'actions' },
    elements.map((element) => interactive(element, block_id, scene)),
  );
}

function input({ block_id, label, hint, optional, element }, scene, errors) {
  const error = errors[block_id];
  const id = `hint-${block_id}`;
  const control = interactive(element, block_id, scene, label.text);
  const field = control.matches('input, textarea, button') ? control : control.querySelector('input');
  if (field && (error || hint)) field.setAttribute('aria-describedby', id);
  if (field && error) field.setAttribute('aria-invalid', 'true');
  return h(
    'div',
    { class: `input${error ? ' input-wrong' : ''}` },
    h(
      'div',
      { class: 'input-label' },
      plainText(label),
      optional && h('span', { class: 'optional' }, ' (optional)'),
    ),
    control,
    h(
      'div',
      { class: 'input-notes', id },
      error && h('div', { class: 'input-error', role: 'alert' }, icon('warning', 16), error),
      hint && h('div', { class: 'hint' }, plainText(hint)),
    ),
  );
}

function alertBlock({ text, level = 'default' }, scene) {
  const sign = { info: 'info', warning: 'warning', error: 'warning', success: 'check' }[level] ?? 'info';
  return h(
    'div',
    { class: `alert alert-${level}`, role: level === 'error' ? 'alert' : 'note' },
    icon(sign),
    h('div', {}, textObject(text, scene.names)),
  );
}

function video({ title, title_url, thumbnail_url, alt_text, author_name }) {
  const href = title_url && safeUrl(title_url);
  return h(
    'figure',
    { class: 'image-figure' },
    h(
      'figcaption',
      {},
      href
        ? h('a', { class: 'link', href, target: '_blank', rel: 'noopener noreferrer' }, plainText(title))
        : plainText(title),
      author_name && ` · ${author_name}`,
    ),
    picture({ image_url: thumbnail_url, alt_text }, 'image'),
  );
}

const drawers = {
  section,
  image,
  context,
  actions,
  input,
  card,
  carousel,
  container: (block, scene) => container(block, scene, drawBlocks),
  plan,
  video,
  table,
  alert: alertBlock,
  task_card: taskCard,
  data_table: dataTable,
  data_visualization: chart,
  header: ({ text }) => h('h3', { class: 'header' }, plainText(text)),
  divider: () => h('hr', { class: 'divider' }),
  rich_text: (block, scene) => richText(block, scene.names),
  markdown: ({ text }) => fill(h('div', { class: 'markdown' }), markdown(text)),
  context_actions: (block, scene) =>
    h(
      'div',
      { class: 'context-actions' },
      block.elements.map((element) => interactive(element, block.block_id, scene)),
    ),
  file: ({ external_id }) => h('div', { class: 'context' }, `Remote file ${external_id}`),
};
