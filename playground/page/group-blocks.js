import { h, picture, safeUrl } from './dom.js';
import { interactive } from './elements.js';
import { icon } from './icons.js';
import { plainText, textObject } from './mrkdwn.js';
import { richText } from './rich-text.js';

/** One card. */
export function card({ block_id, hero_image, icon: small, title, subtitle, body, actions: buttons }, scene) {
  return h(
    'article',
    { class: 'card' },
    hero_image && picture(hero_image, 'card-hero'),
    h(
      'div',
      { class: 'card-body' },
      (title || subtitle || small) &&
        h(
          'div',
          { class: 'card-head' },
          small && picture(small, 'card-icon'),
          h(
            'div',
            {},
            title && h('div', { class: 'card-title' }, textObject(title, scene.names)),
            subtitle && h('div', { class: 'card-subtitle' }, textObject(subtitle, scene.names)),
          ),
        ),
      body && h('div', { class: 'card-text' }, textObject(body, scene.names)),
      buttons &&
        h(
          'div',
          { class: 'actions' },
          buttons.map((element) => interactive(element, block_id, scene)),
        ),
    ),
  );
}

/** Cards side by side. */
export function carousel({ elements }, scene) {
  return h(
    'div',
    { class: 'carousel', tabindex: '0', role: 'group', 'aria-label': 'Cards' },
    elements.map((each) => card(each, scene)),
  );
}

/** Blocks under a common title; `draw` draws them. */
export function container(block, scene, draw) {
  const {
    title,
    rich_text_title,
    subtitle,
    child_blocks,
    width = 'standard',
    icon: small,
    is_collapsible,
    default_collapsed,
    has_header_divider,
  } = block;
  const head = h(
    'div',
    { class: 'container-head' },
    small && picture(small, 'card-icon'),
    h(
      'div',
      {},
      h(
        'div',
        { class: 'container-title' },
        rich_text_title ? richText(rich_text_title, scene.names) : plainText(title),
      ),
      subtitle && h('div', { class: 'container-subtitle' }, textObject(subtitle, scene.names)),
    ),
  );
  const children = h('div', { class: 'container-body' }, draw(child_blocks, scene));
  const shape = `container container-${width}${has_header_divider ? ' container-ruled' : ''}`;
  if (!is_collapsible) return h('div', { class: shape }, head, children);
  return h(
    'details',
    { class: shape, open: !default_collapsed },
    h('summary', {}, head, icon('caret', 16)),
    children,
  );
}

const taskSigns = { pending: '○', in_progress: '◔', complete: '✓', error: '✕' };

/** One step of a plan. */
export function taskCard({ title, status, details, output, sources }, scene) {
  return h(
    'div',
    { class: `task task-${status}` },
    h('span', { class: 'task-sign', role: 'img', 'aria-label': status.replace('_', ' ') }, taskSigns[status]),
    h(
      'div',
      {},
      h('div', { class: 'task-title' }, title),
      details && richText(details, scene.names),
      output && richText(output, scene.names),
      sources?.map(({ url, text }) =>
        h('a', { class: 'link', href: safeUrl(url), target: '_blank', rel: 'noopener noreferrer' }, text),
      ),
    ),
  );
}

/** A plan and its steps. */
export function plan({ title, tasks = [] }, scene) {
  return h(
    'div',
    { class: 'plan' },
    h('div', { class: 'container-title' }, title),
    tasks.map((task) => taskCard(task, scene)),
  );
}
