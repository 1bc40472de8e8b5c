import type { ModalView } from '@slack/types';
import type { Explanation, FigureChoice } from '../../model/answer.ts';
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

const WHY = 'Why?';

/** An explanation of a figure of a stored answer, and the figures that can be explained. */
interface ExplainedFigure {
  readonly choices: readonly FigureChoice[];
  /** The id of the figure; null: the answer has none. */
  readonly chosen: string | null;
  readonly explanation: Explanation | null;
}

/**
 * Explains a figure (null: the first that is worth it) with the rights of an account and as of the instant of the answer: an
 * issue that they cannot see is not in it. `run`: id of the stored answer.
 */
export async function explainRun(
  { run: id, figure }: { readonly run: string; readonly figure: string | null },
  account: string,
  parts: QuestionParts,
): Promise<ExplainedFigure> {
  const { run, principal, answer } = await askAgain(id, account, parts);
  const choices = parts.answers.figures(answer);
  const chosen = figure ?? choices[0]?.id ?? null;
  const { question, asOf } = run;
  const { unit } = question;
  const found = chosen === null ? null : await parts.answers.explain(principal, question, asOf, chosen);
  return {
    choices,
    chosen,
    explanation: found === null || unit === undefined ? found : calendarIn(found, unit),
  };
}

/** The modal that explains a figure; it carries the id of the run from figure to figure. */
async function explanationView(
  input: Parameters<typeof explainRun>[0],
  account: string,
  parts: QuestionParts,
): Promise<ModalView> {
  const { choices, chosen, explanation } = await explainRun(input, account, parts);
  return {
    type: 'modal',
    private_metadata: input.run,
    title: { type: 'plain_text', text: WHY },
    close: { type: 'plain_text', text: 'Close' },
    blocks: explanationBlocks(choices, chosen, explanation),
  };
}
