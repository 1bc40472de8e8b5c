import { millisecondsInMinute } from 'date-fns/constants';
import { badRequest } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { SearchPlace } from '../live-tracker.ts';

/** Versions with another search engine refuse whatever lies behind the first 10,000 issues of a search. */
const LAST_START = 9_000;

/** Where a search of Data Center goes on: its pages are counted from the first issue, so that they shift. */
export interface Place {
  /** The instant of the first issue, where the search has begun anew on its way; null: it has not. */
  readonly from: Instant | null;
  readonly startAt: number;
  /** The last issue so far, with which the page begins; null where it begins the search. */
  readonly id: string | null;
  /** The instant of that issue by which the search is ordered, as far as it was told. */
  readonly at: Instant | null;
}

/** Where a search begins. */
export const start: Place = { from: null, startAt: 0, id: null, at: null };

/** The place itself, or where the search begins anew instead because too much lies before it. */
export function nearEnough(place: Place): Place {
  return place.startAt > LAST_START ? (begunAnew(place) ?? place) : place;
}

/** The search of what is not older than the last issue; null where that is no less than before. */
export function begunAnew({ from, at }: Place): Place | null {
  if (at === null) return null;
  const minute = Math.floor(at / millisecondsInMinute) * millisecondsInMinute;
  return from !== null && minute <= from ? null : { ...start, from: minute };
}

/** A place as an opaque text. */
export function placeText({ from, startAt, id, at }: Place): SearchPlace {
  return [from ?? '-', startAt, id ?? '-', at ?? '-'].join(' ');
}

/** The place again; a text that is none is `bad-request`. */
export function readPlace(text: SearchPlace): Place {
  const [, from, startAt, id, at] = /^(-?\d+|-) (\d+) (\d+|-) (-?\d+|-)$/.exec(text) ?? [];
  if (startAt === undefined) throw badRequest(`'${text}' is no place of a search.`);
  return {
    from: instantIn(from),
    startAt: Number(startAt),
    id: id === '-' ? null : (id ?? null),
    at: instantIn(at),
  };
}

function instantIn(text = '-'): Instant | null {
  return text === '-' ? null : Number(text);
}
