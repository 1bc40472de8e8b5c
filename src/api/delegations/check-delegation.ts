import { millisecondsInMinute } from 'date-fns/constants';
import {
  type Category,
  type CategoryInput,
  type Delegation,
  type DelegationInput,
  GENERAL,
} from '../../model/delegation.ts';
import { about, type BadRequestReason, badRequest, badRequestAs, quoted } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import { foldedCategoryName } from '../../model/issues/ids-and-names.ts';
import { isoText } from '../../time/date-text.ts';
import { storedId } from '../people/logins.ts';

const MAX_DELEGATES = 20;
const MAX_NOTES = 2_000;

/** The years that are written with four digits, from the first instant there is in many systems. */
const LAST = Date.UTC(9999, 11, 31, 23, 59);

/** The context of a check: `current` is the delegation the input is to change, null for a new one. */
interface CheckContext {
  readonly users: ReadonlyMap<string, User>;
  readonly categories: readonly Category[];
  readonly current: Delegation | null;
}

/**
 * The input with people by their stored ids; problems are a `bad-request`, by the members of REST. People and categories
 * of the delegation as it is stored may remain, also when they are unknown by now: otherwise it could not even be ended.
 */
export function checkDelegation(
  input: DelegationInput,
  { users, categories, current }: CheckContext,
): DelegationInput {
  const { start, end, notes, categoryIds } = input;
  const stored = current === null ? [] : [...current.delegates, current.delegator];
  const people = new Set([...users.keys(), ...stored]);
  const delegator = storedId(people, input.delegator);
  const delegates = input.delegates.map((name) => storedId(people, name));
  const knownCategories = new Set([...categories.map(({ id }) => id), ...(current?.categoryIds ?? [])]);
  const { refuse, isFine, throwRefused } = collectFieldErrors();

  if (current !== null && delegator !== current.delegator) {
    const what = `${quoted(input.delegator)} cannot take the place of '${current.delegator}'`;
    refuse('delegator', what, 'the delegator it was created with');
  }
  const unknown = (name: string) =>
    [`${name} is not a known user`, 'the id of a known user', 'unknown-name'] as const;
  if (delegator === null) refuse('delegator', ...unknown(quoted(input.delegator)));

  const count = delegates.length;
  if (count < 1 || count > MAX_DELEGATES) {
    refuse('delegates', `has ${count} entries`, `1 to ${MAX_DELEGATES} users`);
  }
  for (const [i, id] of delegates.entries()) {
    const name = quoted(input.delegates[i] ?? '');
    if (id === null) refuse('delegates', ...unknown(name));
    if (id === delegator)
      refuse('delegates', `${name} is the delegator`, 'someone else', 'conflicting-values');
    if (delegates.indexOf(id) < i)
      refuse('delegates', `${name} is named twice`, 'each user once', 'conflicting-values');
  }

  const strange = categoryIds.find((id) => !knownCategories.has(id));
  if (strange !== undefined) {
    const allowed = [...knownCategories].join(', ') || 'none';
    refuse('categoryIds', `'${strange}' is not a category`, allowed, 'unknown-name');
  }
  const twice = categoryIds.find((id, i) => categoryIds.indexOf(id) < i);
  if (twice !== undefined)
    refuse('categoryIds', `'${twice}' is named twice`, 'each category once', 'conflicting-values');

  for (const [field, at] of [['startDate', start] as const, ['endDate', end] as const]) {
    const isInRange = at >= 0 && at < LAST + millisecondsInMinute;
    if (!isInRange) refuse(field, 'is out of range', 'a time of the years 1970 to 9999');
    else if (at % millisecondsInMinute !== 0) refuse(field, `'${isoText(at)}' has seconds`, 'whole minutes');
  }
  if (isFine('startDate') && isFine('endDate') && start >= end) {
    const what = `'${isoText(end)}' is not after the start`;
    refuse('endDate', what, `a time after '${isoText(start)}'`, 'conflicting-values');
  }

  if (notes.length > MAX_NOTES) refuse('notes', ...tooLong(notes, MAX_NOTES));
  throwRefused();
  const isNamed = (id: string | null) => id !== null;
  return { ...input, delegator: delegator ?? input.delegator, delegates: delegates.filter(isNamed) };
}

/**
 * Collects problems: the first refusal of each field, in the order in which fields are refused. The reason is the one they
 * share, otherwise `invalid-value`.
 */
function collectFieldErrors() {
  const refused = new Map<string, { readonly problem: string; readonly reason: BadRequestReason }>();
  return {
    refuse(field: string, what: string, allowed: string, reason: BadRequestReason = 'invalid-value'): void {
      if (!refused.has(field)) refused.set(field, { problem: `${what}. Try: ${allowed}.`, reason });
    },
    isFine: (field: string) => !refused.has(field),
    throwRefused(): void {
      if (refused.size === 0) return;
      const [reason = 'invalid-value', ...others] = new Set([...refused.values()].map((one) => one.reason));
      const problems = [...refused].map(([field, { problem }]) => about(field, problem));
      throw badRequestAs(others.length === 0 ? reason : 'invalid-value', problems);
    },
  };
}

function tooLong(text: string, max: number): [what: string, allowed: string] {
  return [`${quoted(text)} has ${text.length} characters`, `at most ${max} characters`];
}

/** The active delegations of one person that are not over: each is read with every question about everyone. */
const MAX_AHEAD = 100;

/**
 * Refuses as `bad-request` one delegation more of a person who has `MAX_AHEAD` that are active and not over, among `all` as
 * they are; `current` is the one to change, null for a new one.
 */
export function checkCount(
  input: DelegationInput,
  {
    all,
    current,
    now,
  }: Pick<CheckContext, 'current'> & { readonly all: readonly Delegation[]; readonly now: Instant },
): void {
  const isAhead = ({ active, end }: DelegationInput) => active && end > now;
  if (!isAhead(input) || (current !== null && isAhead(current))) return;
  const ahead = all.filter((one) => one.delegator === input.delegator && isAhead(one));
  if (ahead.length < MAX_AHEAD) return;
  const problem = `'${input.delegator}' has ${ahead.length} delegations that are active and not over, and no more than ${MAX_AHEAD} are allowed; end one of them first.`;
  throw badRequest(about('delegator', problem));
}

const MAX_NAME = 100;
const MAX_DESCRIPTION = 1_000;

/** Control and format characters, separators of lines, and halves of characters. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The input without blanks around the name; problems are a `bad-request`. A name that is taken is not refused here. */
export function checkCategory({ name: given, description }: CategoryInput): CategoryInput {
  const name = given.trim().normalize('NFC');
  const legible = name.replaceAll(unseen, '\u{FFFD}');
  const { refuse, throwRefused } = collectFieldErrors();
  if (name.length < 1 || name.length > MAX_NAME) {
    const what = `${quoted(legible)} has ${name.length} characters`;
    refuse('name', what, `1 to ${MAX_NAME} characters`);
  }
  if (legible !== name || foldedCategoryName(name) === '') {
    const what = `${quoted(legible)} has invisible characters`;
    refuse('name', what, 'letters, digits, signs and blanks, in one line');
  }
  if (foldedCategoryName(name) === GENERAL) {
    refuse('name', `${quoted(name)} is the reserved name for every category`, 'any other name', 'name-taken');
  }
  if (description.length > MAX_DESCRIPTION) {
    refuse('description', ...tooLong(description, MAX_DESCRIPTION));
  }
  throwRefused();
  return { name, description };
}
