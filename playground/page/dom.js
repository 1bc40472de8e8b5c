/**
 * An element with its attributes, listeners and children. Text only ever becomes text nodes: nothing a bot or a
 * person wrote is parsed as HTML.
 * @param {string} tag
 * @param {Record<string, unknown>} [props] `class`, `on` (listeners), `style`, `dataset`; all else is an attribute
 * @param {...unknown} children nodes, texts, lists of these; null, undefined and false are left out
 * @returns {HTMLElement}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  setProps(element, props);
  element.append(...nodes(children));
  return element;
}

/** The same for SVG. */
export function svg(tag, props = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  setProps(element, props);
  element.append(...nodes(children));
  return element;
}

function setProps(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'class') element.setAttribute('class', value);
    else if (name === 'on')
      for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener);
    else if (name === 'style') Object.assign(element.style, value);
    else if (name === 'dataset') Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
}

function nodes(children) {
  return children
    .flat(Number.POSITIVE_INFINITY)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));
}

/** Puts new children in the place of the old ones. */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
  return element;
}

/** An address a link may have: the web and mail, nothing that runs. */
export function safeUrl(address) {
  if (!URL.canParse(address, location.href)) return undefined;
  const { protocol, href } = new URL(address, location.href);
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : undefined;
}

/** An image of a block or an element: by its address, or a file of the workspace. */
export function picture({ image_url, slack_file, alt_text }, kind) {
  const file = slack_file?.id && `/playground/files/${encodeURIComponent(slack_file.id)}/image`;
  const src = file ?? safeUrl(image_url ?? slack_file?.url ?? '');
  return h('img', { class: kind, src, alt: alt_text, loading: 'lazy' });
}

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
