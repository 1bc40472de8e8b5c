import { millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import { readJson } from '../../http-client/read-answer.ts';
import { badRequest } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { SearchPlace } from '../live-tracker.ts';

const place = z.object({
  from: z.number().nullable(),
  last: z.object({ id: z.string(), at: z.number().nullable() }).nullable(),
  bare: z.boolean(),
  trail: z.string().nullable(),
});

/** Where a search of Cloud goes on. Its tokens are good for the very same question only, fields included. */
export interface CloudPlace {
  /** The minute of the first issue, where the search has begun again on its way; null: it has not. */
  readonly from: Instant | null;
  /** The last issue so far, and its instant by which the search is ordered, as far as it is known. */
  readonly last: { readonly id: string; readonly at: Instant | null } | null;
  /** Only ids and keys are searched, because there is an issue ahead of which Jira fails to show more. */
  readonly bare: boolean;
  /** The tokens that lead on; null where the search begins. */
  readonly trail: SearchPlace | null;
}

/** Where a search begins. */
export const start: CloudPlace = { from: null, last: null, bare: false, trail: null };

/** The search of ids and keys alone, from the minute of the last issue on; null where that minute is not known. */
export function begunBare({ from, last, trail }: CloudPlace): CloudPlace | null {
  if (trail === null) return { from, last, bare: true, trail };
  return last === null || last.at === null
    ? null
    : { from: minuteOf(last.at), last, bare: true, trail: null };
}

/**
 * The search of everything again, from the minute of the last issue on; null while that minute may still hold what
 * could not be shown, the `first` issue after it being of the same minute, or would lead back.
 */
export function begunWhole({ from, last }: CloudPlace, first: Instant | null): CloudPlace | null {
  if (last === null || last.at === null || first === null) return null;
  const minute = minuteOf(last.at);
  const beyond = Math.max(from ?? Number.NEGATIVE_INFINITY, minuteOf(first));
  return minute > beyond ? { from: minute, last, bare: false, trail: null } : null;
}

/** A place as an opaque text. */
export function placeText(one: CloudPlace): SearchPlace {
  return JSON.stringify(one);
}

/** The place again; a text that is none is `bad-request`. */
export function readPlace(text: SearchPlace): CloudPlace {
  const read = place.safeParse(readJson(text));
  if (!read.success) throw badRequest(`'${text}' is no place of a search.`);
  return read.data;
}

function minuteOf(at: Instant): Instant {
  return Math.floor(at / millisecondsInMinute) * millisecondsInMinute;
}
