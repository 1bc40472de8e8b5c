import type { SlackAction } from '../action.ts';
import { notice } from '../messages/notice.ts';
import { openView } from '../open-view.ts';

/** *Hand over* beside a digest; its value is the id. */
export const digestHandOver: SlackAction<object> = {
  id: 'digest-hand-over',
  run: ({ value, place, open }) =>
    openView(
      () =>
        open({
          type: 'modal',
          callback_id: 'digest-new-owner',
          private_metadata: JSON.stringify({ id: value, at: place }),
          title: { type: 'plain_text', text: 'Hand over' },
          submit: { type: 'plain_text', text: 'Hand over' },
          close: { type: 'plain_text', text: 'Cancel' },
          blocks: [
            {
              type: 'input',
              block_id: 'owner',
              label: { type: 'plain_text', text: 'To whom' },
              element: { type: 'users_select', action_id: 'owner' },
            },
            ...notice(
              'From then on it is asked with their rights, and they are told when it fails. What it asks stays: `assignee me` in it is still who made it.',
            ).blocks,
          ],
        }),
      'Please press the button again.',
    ),
};
