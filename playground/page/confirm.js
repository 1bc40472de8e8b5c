import { h } from './dom.js';
import { plainText, textObject } from './mrkdwn.js';

/** Asks the question of a confirmation object; resolves to the answer. */
export function confirmed(question, names) {
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
