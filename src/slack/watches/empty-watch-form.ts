import type { Place } from '../command.ts';
import type { ReadingParts } from '../parts.ts';
import { askingOf } from '../questions/read-question.ts';
import { namesOf } from './read-status.ts';
import { watchFormView } from './watch-form-view.ts';

/** The empty form of a new watch, as it is for an account in a place. */
export async function emptyWatchForm(account: string, { channel }: Place, parts: ReadingParts) {
  const asking = await askingOf(account, { channel }, parts);
  const statuses = namesOf(await parts.reporting.statuses(asking.principal));
  const review = statuses.find((name) => /review/i.test(name));
  return watchFormView(
    {
      place: channel,
      status: review ?? '',
      threshold: 'usual',
      filter: '',
      calendar: asking.hours.calendar,
      tells: 'assignee',
    },
    { statuses, calendars: asking.calendars, wrong: null },
  );
}
