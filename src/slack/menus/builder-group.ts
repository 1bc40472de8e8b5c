import { usualFields } from '../builder/builder-choices.ts';
import type { SlackMenu } from '../menu.ts';
import type { ReadingParts } from '../parts.ts';
import { askingOf } from '../questions/read-question.ts';

/** Fields to group by: the usual ones, and any that is typed by its name and that the principal may meet. */
export const builderGroup: SlackMenu<ReadingParts> = {
  id: 'builder-group',
  choices: async () => usualFields,
  async typed(text, account, parts) {
    const asking = await askingOf(account, { channel: account }, parts);
    return (await asking.isField(text)) ? [text, text] : null;
  },
};
