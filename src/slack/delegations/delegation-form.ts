import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import { badRequestAs } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { firstInstantFrom, instantOf, wallOf } from '../../time/wall-clock.ts';
import type { Place } from '../command.ts';
import type { Submission } from '../modal.ts';

/** What the form in which work is handed over holds; people are accounts. */
export interface DelegationForm {
  readonly place: Place;
  /** Whose work it is; null where the form does not ask, for it is that of who fills it in. */
  readonly delegator: string | null;
  readonly delegates: readonly string[];
  readonly from: Instant;
  readonly to: Instant;
  readonly categoryIds: readonly number[];
  readonly notes: string;
}

const placeSchema = z.object({ channel: z.string(), threadTs: z.string().nullable() });

/** From the next full hour on, for a week. */
export function newForm(
  place: Place,
  delegator: string | null,
  { now, timeZone }: { readonly now: Instant; readonly timeZone: string },
): DelegationForm {
  const hour = millisecondsInHour;
  const wall = (Math.floor(wallOf(now, timeZone) / hour) + 1) * hour;
  return {
    place,
    delegator,
    delegates: [],
    from: firstInstantFrom(wall, timeZone),
    to: instantOf(wall + 7 * millisecondsInDay, timeZone),
    categoryIds: [],
    notes: '',
  };
}

/** Where the form was asked for. */
export function formPlace({ metadata }: Submission): Place {
  return placeSchema.parse(JSON.parse(metadata));
}

/** The form as somebody submitted it. Slack lets nobody submit it without people or times. */
export function readForm(submission: Submission): DelegationForm {
  const { accounts, instants, chosenAll, texts } = submission;
  const { from, to } = instants;
  if (from === undefined) throw badRequestAs('missing-value', 'from is missing. Try: a day and a time.');
  if (to === undefined) throw badRequestAs('missing-value', 'to is missing. Try: a day and a time.');
  return {
    place: formPlace(submission),
    delegator: accounts.for?.[0] ?? null,
    delegates: accounts.who ?? [],
    from,
    to,
    categoryIds: (chosenAll.categories ?? []).map(Number),
    notes: texts.notes ?? '',
  };
}

/** What is wrong at first sight, by field. */
export function wrongInForm(submission: Submission, now: Instant): Readonly<Record<string, string>> {
  const { accounts, instants } = submission;
  const { from = 0, to = 0 } = instants;
  const delegator = accounts.for?.[0] ?? submission.principal.account;
  return {
    ...(accounts.who?.includes(delegator) ? { who: 'Nobody can stand in for themselves.' } : {}),
    ...(from % millisecondsInMinute === 0 ? {} : { from: 'Whole minutes only.' }),
    ...(to % millisecondsInMinute === 0 ? {} : { to: 'Whole minutes only.' }),
    ...whyBadEnd(from, to, now),
  };
}

function whyBadEnd(from: Instant, to: Instant, now: Instant): { readonly to?: string } {
  if (to <= from) return { to: 'This must be after the start.' };
  return to <= now ? { to: 'This is over already.' } : {};
}
