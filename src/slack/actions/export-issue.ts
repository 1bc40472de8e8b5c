import type { SlackAction } from '../action.ts';
import { exportFormView } from '../exports/export-form-view.ts';
import { openView } from '../open-view.ts';
import type { SlackParts } from '../parts.ts';

/** *Export* under what was told of an issue; its value is the key. */
export const exportIssue: SlackAction<Pick<SlackParts, 'reporting'>> = {
  id: 'export-issue',
  run: ({ value, place, open }, { reporting }) =>
    openView(
      () => open(exportFormView({ key: value, ...place }, reporting.reportTypes)),
      'Please press the button again.',
    ),
};
