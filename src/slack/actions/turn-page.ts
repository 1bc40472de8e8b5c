import type { SlackAction } from '../action.ts';
import { firstPart, viewPrivately } from '../answers/tell-answer.ts';
import { askAgain } from '../sharing/ask-again.ts';

/**
 * *Next* and *Previous* under a list; its value is the run's id and the index of the first issue. A private list
 * becomes its other part; of a list that others read as well, the other part is told to who clicked alone.
 */
export const turnPage: SlackAction = {
  id: 'turn-page',
  async run({ value, asker: { user: account }, replace }, parts) {
    const [id = '', start = ''] = value.split(' ');
    const part = { ...firstPart, start: Number(start) };
    const { run, answer } = await askAgain(id, account, parts, part);
    const message = viewPrivately(answer, run, part);
    if (replace === null) return [message];
    await replace(message);
    return [];
  },
};
