import { h } from './dom.js';
import { icon } from './icons.js';

/**
 * Shows something beside an element until Escape, a click elsewhere, or `close()`.
 * @param {HTMLElement} anchor
 * @param {HTMLElement} content
 * @param {{align?: 'start' | 'end', above?: boolean, onClose?: () => void}} [options]
 * @returns {() => void} closes it
 */
export function openPopover(anchor, content, { align = 'start', above = false, onClose } = {}) {
  const box = h('div', { class: 'popover' }, content);
  document.body.append(box);
  const place = () => {
    const at = anchor.getBoundingClientRect();
    const { width, height } = box.getBoundingClientRect();
    const left = align === 'end' ? at.right - width : at.left;
    const below = at.bottom + 4 + height <= innerHeight - 8;
    const top = above || (!below && at.top > height + 8) ? at.top - height - 4 : at.bottom + 4;
    box.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
    box.style.top = `${Math.max(8, Math.min(top, innerHeight - height - 8))}px`;
  };
  const close = () => {
    box.remove();
    document.removeEventListener('pointerdown', outside, true);
    document.removeEventListener('keydown', onEscape, true);
    removeEventListener('resize', place);
    anchor.setAttribute('aria-expanded', 'false');
    onClose?.();
  };
  const outside = (event) => {
    if (!box.contains(event.target) && !anchor.contains(event.target)) close();
  };
  const onEscape = (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close();
    anchor.focus();
  };
  document.addEventListener('pointerdown', outside, true);
  document.addEventListener('keydown', onEscape, true);
  addEventListener('resize', place);
  anchor.setAttribute('aria-expanded', 'true');
  place();
  return Object.assign(close, { place });
}

/**
 * A menu of things to do.
 * @param {HTMLElement} anchor
 * @param {{label: unknown, note?: string, run: () => void, danger?: boolean, checked?: boolean, href?: string}[]} items
 * @param {{align?: 'start' | 'end', above?: boolean, title?: string}} [options]
 */
export function openMenu(anchor, items, { title, ...options } = {}) {
  const buttons = items.map((item) =>
    h(
      item.href ? 'a' : 'button',
      {
        type: item.href ? undefined : 'button',
        href: item.href,
        target: item.href && '_blank',
        rel: item.href && 'noopener noreferrer',
        class: `menu-item${item.danger ? ' danger' : ''}`,
        role: item.checked === undefined ? 'menuitem' : 'menuitemradio',
        'aria-checked': item.checked === undefined ? undefined : String(item.checked),
        tabindex: '-1',
        on: {
          click: () => {
            close();
            item.run();
          },
        },
      },
      h('span', { class: 'menu-label' }, item.label),
      item.note && h('span', { class: 'menu-note' }, item.note),
    ),
  );
  const list = h(
    'div',
    { class: 'menu', role: 'menu', on: { keydown: arrows } },
    title && h('div', { class: 'menu-title' }, title),
    buttons,
  );
  const close = openPopover(anchor, list, options);
  buttons[0]?.focus();
  function arrows(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Tab') close();
    if (step === undefined) return;
    event.preventDefault();
    const at = buttons.indexOf(document.activeElement);
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  }
  return close;
}

/**
 * The three dots that open a menu of further actions.
 * @param {{look: string, size?: number, items: (button: HTMLElement) => Parameters<typeof openMenu>[1]}} options
 */
export function moreButton({ look, size, items }) {
  const button = h(
    'button',
    {
      type: 'button',
      class: look,
      'aria-label': 'More actions',
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
      on: { click: () => openMenu(button, items(button), { align: 'end' }) },
    },
    icon('more', size),
  );
  return button;
}
