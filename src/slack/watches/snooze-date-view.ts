import type { ModalView } from '@slack/types';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import type { Instant } from '../../model/issue.ts';
import { type SnoozedVisit, writeVisit } from './snooze-menu.ts';

/** Asks until when somebody wants to hear nothing of an issue. */
export function snoozeDateView(visit: SnoozedVisit, usual: Instant): ModalView {
  return {
    type: 'modal',
    callback_id: 'snooze-until',
    private_metadata: writeVisit(visit),
    title: plain('Snooze'),
    submit: plain('Snooze'),
    close: plain('Cancel'),
    blocks: [
      section(`Nothing of *${escapeMrkdwn(visit.key)}* before then.`),
      {
        type: 'input',
        block_id: 'until',
        label: plain('Until'),
        element: {
          type: 'datetimepicker',
          action_id: 'until',
          initial_date_time: Math.floor(usual / 1000),
        },
      },
      context('At most 30 days. When the issue moves on, the snooze is over.'),
    ],
  };
}

function plain(text: string) {
  return { type: 'plain_text', text } as const;
}
