import type { Button } from '@slack/types';
import type { Run } from '../../model/question.ts';
import { kindOf } from '../../questions/index.ts';
import type { Sheet, SheetPage } from '../../questions/view/answer-sheet.ts';
import { button } from '../messages/button.ts';

/** Buttons below an answer, and beside the line that tells which part of a list is shown. */
export interface AnswerButtons {
  readonly row: readonly Button[];
  readonly turn: Button | null;
}

/**
 * What can be done next with an answer that was kept; each button carries no more than its run. Only its principal alone
 * (`isPrivate`) is offered to take it elsewhere.
 */
export function answerButtons(
  { page, hasFile, isPersonal }: Pick<Sheet, 'page' | 'hasFile' | 'isPersonal'>,
  isPrivate: boolean,
  run: Run | null,
): AnswerButtons {
  if (run === null) return { row: [], turn: null };
  const [before, after] = turns(page, run.id);
  // Slack takes an action's id once a block, so one of the two stands beside the line about the part.
  const turn = after ?? before;
  const share: Button = { ...button('Share to channel', 'share-answer', run.id), style: 'primary' };
  return {
    turn,
    row: [
      ...(before === null || before === turn ? [] : [before]),
      ...(isPrivate && !isPersonal ? [share] : []),
      button('Why?', 'why-answer', run.id),
      ...(isPrivate && hasFile ? [button('Export', 'export-answer', run.id)] : []),
      ...(isPrivate && kindOf(run.question).builderTitle !== undefined
        ? [button('Change', 'open-builder', `run ${run.id}`)]
        : []),
    ],
  };
}

function turns(page: SheetPage | null, run: string): readonly [Button | null, Button | null] {
  if (page === null) return [null, null];
  const { start, end, total } = page;
  const size = Math.max(1, end - start);
  const back = Math.max(0, start - Math.max(size, 10));
  return [
    start > 0 ? button('Previous', 'turn-page', `${run} ${back} ${total}`) : null,
    end < total ? button('Next', 'turn-page', `${run} ${end} ${total}`) : null,
  ];
}
