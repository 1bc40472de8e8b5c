import { millisecondsInDay } from 'date-fns/constants';
import type { SlackAction } from '../action.ts';
import { openView } from '../open-view.ts';
import type { SlackParts } from '../parts.ts';
import { snoozeDateView } from '../watches/snooze-date-view.ts';
import { readSnooze } from '../watches/snooze-menu.ts';
import { snoozedMessage } from '../watches/snoozed-message.ts';

/** What stands in the form before anything is chosen: three days on. */
const USUAL_DAYS = 3;

/** *Snooze* beside an issue that sits too long: nothing more of it for a while. */
export const snoozeVisit: SlackAction<Pick<SlackParts, 'now' | 'watches'>> = {
  id: 'snooze-visit',
  async run({ principal: { account }, value, open }, { watches, now }) {
    const { visit, end } = readSnooze(value);
    if (end !== null) return [snoozedMessage(await watches.snooze({ ...visit, account, ends: end }))];
    const usual = now() + USUAL_DAYS * millisecondsInDay;
    return openView(() => open(snoozeDateView(visit, usual)), 'Please choose it again.');
  },
};
