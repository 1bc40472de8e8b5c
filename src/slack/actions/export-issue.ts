import type { SlackAction } from '../action.ts';
import { exportFormView } from '../exports/export-form-view.ts';

/** *Export* under what was told of an issue; its value is the key. */
export const exportIssue: SlackAction = {
  id: 'export-issue',
  async run({ value, place, open }, { reporting }) {
    await open(exportFormView({ key: value, ...place }, reporting.reportTypes));
    return [];
  },
};
