import { fill, h } from './dom.js';
import { icon } from './icons.js';

const stored = 'guide';

/**
 * The next thing to try, above the message box: one step after the other, each done once its line was sent. `node` is a
 * strip that hides itself for good when it is closed.
 * @param {{steps: {text: string, insert: string}[], run: (line: string) => unknown}} options
 */
export function guide({ steps, run }) {
  const node = h('section', { class: 'guide', 'aria-label': 'Getting started' });
  const at = () => Number(localStorage.getItem(stored) ?? 0);
  const go = (step) => {
    localStorage.setItem(stored, String(step));
    draw();
  };
  const button = (label, click, kind = '') =>
    h('button', { type: 'button', class: `guide-button ${kind}`, on: { click } }, label);
  draw();
  return {
    node,
    /** A line was sent. */
    sent(line) {
      const step = steps[at()];
      if (step && words(line) === words(step.insert)) go(at() + 1);
    },
  };

  function draw() {
    const step = steps[at()];
    node.hidden = steps.length === 0 || at() > steps.length;
    if (node.hidden) return;
    const close = h(
      'button',
      {
        type: 'button',
        class: 'guide-close',
        'aria-label': 'Close the guide',
        on: { click: () => go(steps.length + 1) },
      },
      icon('close', 14),
    );
    if (!step) {
      const docs = h('a', { href: '/docs', target: '_blank', class: 'link' }, 'REST API documentation');
      fill(
        node,
        h(
          'span',
          { class: 'guide-text' },
          "That's the tour. Your own programs can ask the same questions: ",
          docs,
        ),
        close,
      );
      return;
    }
    fill(
      node,
      h('span', { class: 'guide-step' }, `Step ${at() + 1} of ${steps.length}`),
      h('span', { class: 'guide-text' }, step.text, ' ', h('code', { class: 'code' }, step.insert)),
      button('Try it', () => run(step.insert), 'guide-try'),
      button('Skip', () => go(at() + 1)),
      close,
    );
  }
}

/** The words that make a line the one that was suggested, whatever it names. */
function words(line) {
  return line
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .slice(0, 2)
    .join(' ')
    .replace(/[a-z]+-\d+$/, 'key');
}
