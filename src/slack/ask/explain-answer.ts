import type { ModalView } from '@slack/types';
import { calendarIn } from '../../output/wording.ts';
import { explanationBlocks } from '../answers/view/explanation-view.ts';
import type { SlackAction } from '../app/handler-types.ts';
import { openLateView, wordView } from '../app/open-view.ts';
import type { QuestionParts, SlackParts, ViewParts } from '../app/parts.ts';
import { failureMessage } from '../app/show-failure.ts';
import { askAgain } from './read-question.ts';

/** *Why?* below an answer, wherever it is read: what its figures are made of; its value is the run's id. */
export const whyAnswer: SlackAction<QuestionParts & ViewParts> = {
  id: 'why-answer',
  run: ({ value, principal, open }, parts) =>
    openLateView(
      {
        title: WHY,
        meanwhile: 'Explaining the figures…',
        advice: 'Please press the button again.',
        make: () => explanationView({ run: value, figure: null }, principal.account, parts),
      },
      open,
      parts,
    ),
};

/** Another figure chosen in the modal that explains them. */
export const explainFigure: SlackAction<QuestionParts & Pick<SlackParts, 'log'>> = {
  id: 'explain-figure',
  async run({ value, principal, view }, parts) {
    if (view === null) return [];
    const shown = await explanationView(
      { run: view.metadata, figure: value },
      principal.account,
      parts,
    ).catch((error: unknown) =>
      wordView(WHY, failureMessage(error, { action: 'explain-figure' }, parts.log)),
    );
    await view.replace(shown);
    return [];
  },
};

/** What the modal that explains figures is called. */
const WHY = 'Why?';

/** Which figure of an answer is explained; null: the first that is worth it. */
interface WhyInput {
  /** Id of the run, which the modal carries from figure to figure. */
  readonly run: string;
  readonly figure: string | null;
}

/**
 * The modal that explains a figure, made with the rights of an account and as of the instant of the answer: an issue they
 * cannot see is not in it.
 */
async function explanationView(
  { run: id, figure }: WhyInput,
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
