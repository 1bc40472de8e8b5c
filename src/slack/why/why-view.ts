import type { ModalView } from '@slack/types';
import { calendarIn } from '../../questions/view/day-length.ts';
import { explanationBlocks } from '../answers/explanation-view.ts';
import type { QuestionParts } from '../parts.ts';
import { askAgain } from '../sharing/ask-again.ts';

/** What the modal that explains figures is called. */
export const WHY = 'Why?';

/** Why a figure of an answer is what it is; without a figure, the first that is worth explaining. */
interface Wondering {
  /** Id of the run, which the modal carries from figure to figure. */
  readonly run: string;
  readonly figure: string | null;
}

/**
 * The modal that explains a figure, made anew with the rights of an account and as of the instant of the answer: who may
 * not see an issue learns nothing of it here.
 */
export async function whyView(
  { run: id, figure }: Wondering,
  account: string,
  parts: QuestionParts,
): Promise<ModalView> {
  const { run, principal, answer } = await askAgain(id, account, parts);
  const choices = parts.answers.figures(answer);
  const chosen = figure ?? choices[0]?.id ?? null;
  const explanation =
    chosen === null ? null : await parts.answers.explain(principal, run.question, run.asOf, chosen);
  const { question } = run;
  const { unit } = question;
  const shown = explanation === null || unit === undefined ? explanation : calendarIn(explanation, unit);
  return {
    type: 'modal',
    private_metadata: id,
    title: { type: 'plain_text', text: WHY },
    close: { type: 'plain_text', text: 'Close' },
    blocks: explanationBlocks(choices, chosen, shown),
  };
}
