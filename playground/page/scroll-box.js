import { h } from './dom.js';

/** A box for a table that may be too wide: only while it is, it can be focused and shows that there is more. */
export function scrollBox(content, label) {
  const box = h('div', { class: 'table-scroll', on: { scroll: look } }, content);
  const watch = new ResizeObserver(look);
  watch.observe(box);
  watch.observe(content);
  return box;

  function look() {
    const hidden = box.scrollWidth - box.clientWidth;
    const shown = { tabindex: '0', role: 'region', 'aria-label': label };
    for (const [name, value] of Object.entries(shown))
      if (hidden > 0) box.setAttribute(name, value);
      else box.removeAttribute(name);
    box.classList.toggle('more', hidden - box.scrollLeft > 1);
  }
}
