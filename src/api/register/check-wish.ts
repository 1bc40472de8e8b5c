import { millisecondsInMinute } from 'date-fns/constants';
import type { Category, Delegation, DelegationInput } from '../../model/delegation.ts';
import { about, badRequest } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import { isoText } from '../../time/iso-dates.ts';
import { storedId } from '../delegations/stored-id.ts';
import { quoted } from '../refusals.ts';

const MOST_DELEGATES = 20;
const LONGEST_NOTES = 2_000;

/** What a wish is held against: `kept` is the delegation it is to change, null for a new one. */
interface WishContext {
  readonly users: ReadonlyMap<string, User>;
  readonly categories: readonly Category[];
  readonly kept: Delegation | null;
}

/**
 * The wish with people by their stored ids. What is wrong is `bad-request`, told by the members of REST. People and
 * categories of the delegation as it is kept may stay, also when nobody knows them any more: otherwise it could not
 * even be ended.
 */
export function checkWish(wish: DelegationInput, { users, categories, kept }: WishContext): DelegationInput {
  const people = new Set([...users.keys(), ...(kept?.delegates ?? []), ...(kept ? [kept.delegator] : [])]);
  const delegator = storedId(people, wish.delegator);
  const delegates = wish.delegates.map((name) => storedId(people, name));
  const wrong = {
    delegator: whyBadDelegator(wish, delegator, kept),
    delegates: whyBadDelegates(wish, delegates, delegator),
    categoryIds: whyBadCategories(wish, [...categories.map(({ id }) => id), ...(kept?.categoryIds ?? [])]),
    ...whyBadTimes(wish),
    notes: whyBadNotes(wish),
  };
  const told = Object.entries(wrong).filter((entry): entry is [string, string] => entry[1] !== null);
  if (told.length > 0 || delegator === null) {
    throw badRequest(...told.map(([member, why]) => about(member, why)));
  }
  return { ...wish, delegator, delegates: delegates.flatMap((id) => id ?? []) };
}

function whyBadDelegator(
  { delegator: given }: DelegationInput,
  delegator: string | null,
  kept: Delegation | null,
): string | null {
  if (kept !== null && delegator !== kept.delegator) {
    return `${quoted(given)} cannot take the place of '${kept.delegator}'; allowed: the delegator it was created with.`;
  }
  return delegator === null ? nobody(given) : null;
}

function whyBadDelegates(
  { delegates: given }: DelegationInput,
  delegates: readonly (string | null)[],
  delegator: string | null,
): string | null {
  if (given.length < 1 || given.length > MOST_DELEGATES) {
    return `has ${given.length} entries; allowed: 1 to ${MOST_DELEGATES} users.`;
  }
  for (const [i, id] of delegates.entries()) {
    const name = given[i] ?? '';
    if (id === null) return nobody(name);
    if (id === delegator) return `${quoted(name)} is the delegator; allowed: somebody else.`;
    if (delegates.indexOf(id) < i) return `${quoted(name)} is named twice; allowed: each user once.`;
  }
  return null;
}

function nobody(name: string): string {
  return `${quoted(name)} is nobody who is known; allowed: the id of a known user.`;
}

function whyBadCategories({ categoryIds }: DelegationInput, known: readonly number[]): string | null {
  const strange = categoryIds.find((id) => !known.includes(id));
  if (strange !== undefined) {
    const allowed = [...new Set(known)].join(', ');
    return `'${strange}' is no category; allowed: ${allowed === '' ? 'none' : allowed}.`;
  }
  const twice = categoryIds.find((id, i) => categoryIds.indexOf(id) < i);
  return twice === undefined ? null : `'${twice}' is named twice; allowed: each category once.`;
}

function whyBadNotes({ notes }: DelegationInput): string | null {
  return notes.length <= LONGEST_NOTES
    ? null
    : `${quoted(notes)} has ${notes.length} characters; allowed: at most ${LONGEST_NOTES} characters.`;
}

/** The years that are written with four digits, from the first instant there is in many systems. */
const LAST = Date.UTC(9999, 11, 31, 23, 59);

/** What is wrong with start and end, by their members of REST. */
function whyBadTimes({
  start,
  end,
}: Pick<DelegationInput, 'start' | 'end'>): Readonly<Record<'startDate' | 'endDate', string | null>> {
  const startDate = whyNoMinute(start);
  const endDate = whyNoMinute(end);
  if (startDate !== null || endDate !== null || start < end) return { startDate, endDate };
  return {
    startDate: null,
    endDate: `'${isoText(end)}' is not after the start; allowed: a time after '${isoText(start)}'.`,
  };
}

function whyNoMinute(instant: Instant): string | null {
  if (!(instant >= 0 && instant < LAST + millisecondsInMinute)) {
    return 'is out of range; allowed: a time of the years 1970 to 9999.';
  }
  return instant % millisecondsInMinute === 0
    ? null
    : `'${isoText(instant)}' has seconds; allowed: whole minutes.`;
}

/** More is nobody's absence, but would be looked at with every question about everybody. */
const MOST_AHEAD = 100;

/** What a wish is held against: all delegations as they are, and the one it is to change, null for a new one. */
interface RoomContext {
  readonly all: readonly Delegation[];
  readonly kept: Delegation | null;
  readonly now: Instant;
}

/** Refuses one more of a delegator who has as many that are active and not over as one may have: `bad-request`. */
export function checkRoom(wish: DelegationInput, { all, kept, now }: RoomContext): void {
  const isAhead = ({ active, end }: DelegationInput) => active && end > now;
  if (!isAhead(wish) || (kept !== null && isAhead(kept))) return;
  const ahead = all.filter((one) => one.delegator === wish.delegator && isAhead(one));
  if (ahead.length < MOST_AHEAD) return;
  throw badRequest(
    about(
      'delegator',
      `'${wish.delegator}' has ${ahead.length} delegations that are active and not over; allowed: at most ${MOST_AHEAD}: end one of them first.`,
    ),
  );
}
