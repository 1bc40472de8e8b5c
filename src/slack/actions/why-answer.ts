import type { SlackAction } from '../action.ts';
import { openLateView } from '../open-late-view.ts';
import type { QuestionParts, ViewParts } from '../parts.ts';
import { WHY, whyView } from '../why/why-view.ts';

/** *Why?* under an answer, wherever it stands: what its figures are made of; its value is the run's id. */
export const whyAnswer: SlackAction<QuestionParts & ViewParts> = {
  id: 'why-answer',
  run: ({ value, principal, open }, parts) =>
    openLateView(
      {
        title: WHY,
        meanwhile: 'Looking at what the figures are made of…',
        advice: 'Please press the button again.',
        make: () => whyView({ run: value, figure: null }, principal.account, parts),
      },
      open,
      parts,
    ),
};
