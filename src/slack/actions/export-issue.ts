import type { SlackAction } from '../action.ts';
import { exportFormView } from '../exports/export-form-view.ts';
import { refusalOf, tryAgain } from '../exports/refusal.ts';
import { notice } from '../messages/notice.ts';

/** *Export* under what was told of an issue; its value is the key. */
export const exportIssue: SlackAction = {
  id: 'export-issue',
  async run({ value, place, open }, { reporting }) {
    try {
      await open(exportFormView({ key: value, ...place }, reporting.reportTypes));
      return [];
    } catch (error) {
      switch (refusalOf(error)) {
        case 'expired_trigger_id':
          return [notice('That took too long. Please press the button again.')];
        // A call that is repeated because its answer was lost: the modal is open.
        case 'exchanged_trigger_id':
          return [];
        default:
          throw tryAgain(error);
      }
    }
  },
};
