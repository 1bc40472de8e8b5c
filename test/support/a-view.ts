import type { Answer } from '../../src/model/answer.ts';
import { answerView } from '../../src/slack/answers/answer-view.ts';

/** What `aView` takes: everything else is that of the answer to its principal. */
export type Look = Partial<Parameters<typeof answerView>[1]>;

/** The answer of the run `k3x9q0w2ab` as its principal reads it in Slack, or as `look` says. */
export function aView(answer: Answer, look: Look = {}) {
  const at = Date.parse('2026-11-18T12:00:00Z');
  return answerView(answer, {
    place: 'private',
    run: { id: 'k3x9q0w2ab', account: 'UADA', question: answer.question, asOf: at, askedAt: at },
    part: { start: 0, size: 10 },
    sharedBy: null,
    timeZone: 'UTC',
    ...look,
  });
}

/** The text of such a view. */
export const textOf = (answer: Answer, look: Look = {}) => aView(answer, look).message.text;

/** Its blocks as JSON. */
export const shownIn = (answer: Answer, look: Look = {}) =>
  JSON.stringify(aView(answer, look).message.blocks);

/** Its actions, each with its value. */
export const actionsIn = (answer: Answer, look: Look = {}) =>
  [...shownIn(answer, look).matchAll(/"action_id":"([^"]+)","value":"([^"]+)"/g)].map(
    ([, id, value]) => `${id} ${value}`,
  );
