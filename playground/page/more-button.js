import { h } from './dom.js';
import { icon } from './icons.js';
import { openMenu } from './popover.js';

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
