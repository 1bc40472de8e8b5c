import { millisecondsInMinute } from 'date-fns/constants';
import { foldedCategoryName } from '../../issues/ids-and-names.ts';
import {
  type Category,
  type CategoryInput,
  type Delegation,
  type DelegationInput,
  GENERAL,
} from '../../model/delegation.ts';
import { badFields } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import { isoText } from '../../time/iso-dates.ts';
import { storedId } from '../people/logins.ts';
import { quoted } from '../refusals.ts';

const MOST_DELEGATES = 20;
const LONGEST_NOTES = 2_000;

/** What an input is checked against: `current` is the delegation it is to change, null for a new one. */
interface CheckContext {
  readonly users: ReadonlyMap<string, User>;
  readonly categories: readonly Category[];
  readonly current: Delegation | null;
}

/**
 * The input with people by their stored ids; what is wrong is `bad-request`, by the members of REST. People and categories
 * of the delegation as it is stored may remain, also when no one knows them any more: otherwise it could not even be
 * ended.
 */
export function checkDelegation(
  input: DelegationInput,
  { users, categories, current }: CheckContext,
): DelegationInput {
  const stored = current === null ? [] : [...current.delegates, current.delegator];
  const people = new Set([...users.keys(), ...stored]);
  const delegator = storedId(people, input.delegator);
  const delegates = input.delegates.map((name) => storedId(people, name));
  const knownCategories = [...categories.map(({ id }) => id), ...(current?.categoryIds ?? [])];
  const wrong = {
    delegator: delegatorError(input, delegator, current),
    delegates: delegatesError(input, delegates, delegator),
    categoryIds: categoriesError(input, knownCategories),
    ...timeErrors(input),
    notes:
      input.notes.length <= LONGEST_NOTES
        ? null
        : `notes ${quoted(input.notes)} has ${input.notes.length} characters; allowed: at most ${LONGEST_NOTES} characters.`,
  };
  const errors = Object.entries(wrong).filter((entry): entry is [string, string] => entry[1] !== null);
  if (errors.length > 0 || delegator === null) throw badFields(Object.fromEntries(errors));
  return { ...input, delegator, delegates: delegates.flatMap((id) => id ?? []) };
}

function delegatorError(
  { delegator: given }: DelegationInput,
  delegator: string | null,
  current: Delegation | null,
): string | null {
  if (current !== null && delegator !== current.delegator) {
    return `delegator ${quoted(given)} cannot take the place of '${current.delegator}'; allowed: the delegator it was created with.`;
  }
  return delegator === null ? `delegator ${unknownSentence(given)}` : null;
}

function delegatesError(
  { delegates: given }: DelegationInput,
  delegates: readonly (string | null)[],
  delegator: string | null,
): string | null {
  if (given.length < 1 || given.length > MOST_DELEGATES) {
    return `delegates has ${given.length} entries; allowed: 1 to ${MOST_DELEGATES} users.`;
  }
  for (const [i, id] of delegates.entries()) {
    const name = given[i] ?? '';
    if (id === null) return `delegates ${unknownSentence(name)}`;
    if (id === delegator) return `delegates ${quoted(name)} is the delegator; allowed: somebody else.`;
    if (delegates.indexOf(id) < i)
      return `delegates ${quoted(name)} is named twice; allowed: each user once.`;
  }
  return null;
}

function unknownSentence(name: string): string {
  return `${quoted(name)} is nobody who is known; allowed: the id of a known user.`;
}

function categoriesError({ categoryIds }: DelegationInput, known: readonly number[]): string | null {
  const strange = categoryIds.find((id) => !known.includes(id));
  if (strange !== undefined) {
    const allowed = [...new Set(known)].join(', ') || 'none';
    return `categoryIds '${strange}' is no category; allowed: ${allowed}.`;
  }
  const twice = categoryIds.find((id, i) => categoryIds.indexOf(id) < i);
  return twice === undefined ? null : `categoryIds '${twice}' is named twice; allowed: each category once.`;
}

/** The years that are written with four digits, from the first instant there is in many systems. */
const LAST = Date.UTC(9999, 11, 31, 23, 59);

function timeErrors({
  start,
  end,
}: Pick<DelegationInput, 'start' | 'end'>): Readonly<Record<'startDate' | 'endDate', string | null>> {
  const startDate = minuteError('startDate', start);
  const endDate = minuteError('endDate', end);
  if (startDate !== null || endDate !== null || start < end) return { startDate, endDate };
  return {
    startDate: null,
    endDate: `endDate '${isoText(end)}' is not after the start; allowed: a time after '${isoText(start)}'.`,
  };
}

function minuteError(member: string, instant: Instant): string | null {
  if (!(instant >= 0 && instant < LAST + millisecondsInMinute)) {
    return `${member} is out of range; allowed: a time of the years 1970 to 9999.`;
  }
  return instant % millisecondsInMinute === 0
    ? null
    : `${member} '${isoText(instant)}' has seconds; allowed: whole minutes.`;
}

/** More is no real absence, but would be read with every question about everyone. */
const MOST_AHEAD = 100;

/** What a count is checked against: all delegations as they are, and the one to change, null for a new one. */
interface CountContext {
  readonly all: readonly Delegation[];
  readonly current: Delegation | null;
  readonly now: Instant;
}

/** Refuses one more of a delegator who has as many that are active and not over as one may have: `bad-request`. */
export function checkCount(input: DelegationInput, { all, current, now }: CountContext): void {
  const isAhead = ({ active, end }: DelegationInput) => active && end > now;
  if (!isAhead(input) || (current !== null && isAhead(current))) return;
  const ahead = all.filter((one) => one.delegator === input.delegator && isAhead(one));
  if (ahead.length < MOST_AHEAD) return;
  throw badFields({
    delegator: `delegator '${input.delegator}' has ${ahead.length} delegations that are active and not over; allowed: at most ${MOST_AHEAD}: end one of them first.`,
  });
}

const LONGEST_NAME = 100;
const LONGEST_DESCRIPTION = 1_000;

/** Control and format characters, separators of lines, and halves of characters. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The input without blanks around the name; what is wrong is `bad-request`. Whether the name is taken is not asked. */
export function checkCategory({ name: given, description }: CategoryInput): CategoryInput {
  const name = given.trim().normalize('NFC');
  const legible = name.replaceAll(unseen, '\u{FFFD}');
  const wrong: Record<string, string> = {};
  if (name.length < 1 || name.length > LONGEST_NAME) {
    wrong.name = `name ${quoted(legible)} has ${name.length} characters; allowed: 1 to ${LONGEST_NAME} characters.`;
  } else if (legible !== name || foldedCategoryName(name) === '') {
    wrong.name = `name ${quoted(legible)} has characters that nobody sees; allowed: letters, digits, signs and blanks, in one line.`;
  } else if (foldedCategoryName(name) === GENERAL) {
    wrong.name = `name ${quoted(name)} is that of what covers every category; allowed: any other name.`;
  }
  if (description.length > LONGEST_DESCRIPTION) {
    wrong.description = `description ${quoted(description)} has ${description.length} characters; allowed: at most ${LONGEST_DESCRIPTION} characters.`;
  }
  if (Object.keys(wrong).length > 0) throw badFields(wrong);
  return { name, description };
}
