import { millisecondsInDay } from 'date-fns/constants';
import { badRequestAs } from '../../model/error.ts';
import type { SlackModal } from '../modal.ts';
import type { SlackParts } from '../parts.ts';
import { readVisit } from '../watches/snooze-menu.ts';
import { snoozedMessage } from '../watches/snoozed-message.ts';

const MOST_MS = 30 * millisecondsInDay;

/** Until when somebody wants to hear nothing of an issue, submitted. */
export const snoozeUntil: SlackModal<Pick<SlackParts, 'watches'>> = {
  id: 'snooze-until',
  title: 'Snooze',
  meanwhile: 'Remembering it…',
  wrongAtOnce({ instants: { until } }, now): Readonly<Record<string, string>> {
    if (until === undefined || (until > now && until <= now + MOST_MS)) return {};
    return { until: 'Choose a time to come, at most 30 days from now.' };
  },
  placeOf: ({ principal }) => ({ channel: principal.account, threadTs: null }),
  async answer({ principal: { account }, metadata, instants: { until } }, { watches }) {
    if (until === undefined)
      throw badRequestAs('missing-value', 'The end is missing. Try: at most 30 days from now.');
    return snoozedMessage(
      await watches.snooze({ ...readVisit(metadata), account, ends: { by: 'instant', until } }),
    );
  },
};
