import type { SlackAction } from '../action.ts';
import { wordView } from '../messages/word-view.ts';
import type { QuestionParts, SlackParts } from '../parts.ts';
import { tellFailure } from '../tell-failure.ts';
import { WHY, whyView } from '../why/why-view.ts';

/** Another figure chosen in the modal that explains them. */
export const explainFigure: SlackAction<QuestionParts & Pick<SlackParts, 'log'>> = {
  id: 'explain-figure',
  async run({ value, principal, view }, parts) {
    if (view === null) return [];
    const shown = await whyView({ run: view.metadata, figure: value }, principal.account, parts).catch(
      (error: unknown) => wordView(WHY, tellFailure(error, { action: 'explain-figure' }, parts.log)),
    );
    await view.replace(shown);
    return [];
  },
};
