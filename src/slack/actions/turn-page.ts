import type { Message } from '../../block-kit/message.ts';
import { section } from '../../block-kit/mrkdwn.ts';
import type { Part } from '../../model/answer.ts';
import { kindOf } from '../../questions/index.ts';
import { countWords } from '../../questions/view/figure-words.ts';
import type { SlackAction } from '../action.ts';
import { firstPart, viewPrivately } from '../answers/tell-answer.ts';
import type { QuestionParts } from '../parts.ts';
import { askAgain } from '../sharing/ask-again.ts';

/**
 * *Next* and *Previous* under a list; its value is the run's id, the index of the first issue, and how many issues the
 * list has in which the button stands. A private list becomes its other part; of a list that others read as well, the
 * other part is told to who clicked alone: from the first issue on where they may see fewer or more.
 */
export const turnPage: SlackAction<QuestionParts> = {
  id: 'turn-page',
  async run({ value, principal: { account }, replace }, parts) {
    const [id = '', start = '', shown = ''] = value.split(' ');
    const told = async (part: Part) => ({ ...(await askAgain(id, account, parts, part)), part });
    let { run, answer, part } = await told({ ...firstPart, start: Number(start) });
    const total = kindOf(answer.question).listLength?.(answer.value) ?? 0;
    // Buttons of older messages do not tell how many there were.
    const differs = shown !== '' && Number(shown) !== total;
    const begin = differs && replace === null ? 0 : Math.min(part.start, lastStart(total, part.size));
    if (begin !== part.start) ({ run, answer, part } = await told({ ...part, start: begin }));
    const message = viewPrivately(answer, run, part);
    if (replace === null) return [differs ? led(lengthText(total, Number(shown)), message) : message];
    await replace(message);
    return [];
  },
};

function lastStart(total: number, size: number): number {
  return Math.max(0, Math.ceil(total / size) - 1) * size;
}

function lengthText(total: number, shown: number): string {
  return total < shown
    ? `You may see ${countWords(total)} of the ${countWords(shown)} issues, so here is your list from its first one.`
    : `You may see ${countWords(total)} issues, not only ${countWords(shown)}, so here is your list from its first one.`;
}

function led(lead: string, { text, blocks }: Message): Message {
  return { text: `${lead} ${text}`, blocks: [section(lead), ...blocks] };
}
