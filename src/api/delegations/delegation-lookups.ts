import { createHash } from 'node:crypto';
import { millisecondsInDay } from 'date-fns/constants';
import { createYieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { delegateTimesOf, followChain } from '../../delegation/chain.ts';
import { surveyCoverage } from '../../delegation/coverage.ts';
import { foldedCategoryName } from '../../issues/ids-and-names.ts';
import {
  type Coverage,
  type DelegateTime,
  type Delegation,
  GENERAL,
  type TimeSpan,
} from '../../model/delegation.ts';
import { badFields, badRequest } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { isoMinute } from '../../time/iso-dates.ts';
import type { DelegationParts } from './create-delegations.ts';
import type { DelegationApi, StandInQuestion } from './delegation-api.ts';
import { concerns, notAllowed, type PrincipalRights, permits } from './delegation-rights.ts';

/** Who stands in for whom, one step far, all the way, and over a span of time. */
export function lookUps(
  { register, users }: DelegationParts,
  rights: PrincipalRights,
): Pick<DelegationApi, 'delegatesOf' | 'delegatorsOf' | 'chainOf' | 'coverage'> {
  async function refuseOthers({ principal, person }: StandInQuestion): Promise<void> {
    if (permits(await rights.viewing(principal), 'all') || (await rights.isSelf(principal, person))) return;
    throw notAllowed('askOthers');
  }

  return {
    async delegatesOf(question) {
      await refuseOthers(question);
      return register.delegatesOf(question.person, question.category, question.asOf);
    },
    async delegatorsOf(question) {
      await refuseOthers(question);
      return register.delegatorsOf(question.person, question.category, question.asOf);
    },
    async chainOf(question) {
      await rights.viewingAll(question.principal);
      // The register decides who and what is known, and how it is called.
      const { person, category, asOf } = await register.delegatesOf(
        question.person,
        question.category,
        question.asOf,
      );
      const named = (await register.categories()).find(
        ({ name }) => foldedCategoryName(name) === foldedCategoryName(category),
      );
      const start = { person, categoryId: named?.id ?? null, at: asOf };
      return { person, category, asOf, ...followChain(await register.delegations(), start) };
    },
    async coverage(principal, span) {
      const seesAll = permits(await rights.viewing(principal), 'all');
      checkSpan(span);
      // Whom a hosted register knows need not be known to our tracker.
      const known = register.own === null ? null : await users();
      const isKnown = (person: string) => known?.has(person) ?? true;
      const survey = { isKnown, withRemaining: seesAll, pace: createYieldIfDue() };
      const coverage = await surveyCoverage(await register.delegations(), span, survey);
      return seesAll ? coverage : ownCoverage(coverage, principal.account);
    },
  };
}

/** The longest span that is surveyed, in days. */
export const MOST_DAYS = 400;

/** Refuses a span that is empty, or longer than anybody reads. */
export function checkSpan({ from, until }: TimeSpan): void {
  if (!(from < until)) {
    throw badFields({
      until: `until '${isoMinute(until)}' is not after from; allowed: a time after '${isoMinute(from)}'.`,
    });
  }
  if (until - from > MOST_DAYS * millisecondsInDay) {
    throw badFields({
      until: `until '${isoMinute(until)}' is ${Math.ceil((until - from) / millisecondsInDay)} days after from; allowed: at most ${MOST_DAYS} days.`,
    });
  }
}

/**
 * What somebody (by stored id) may know of the coverage of everybody: their own delegations and those naming them, and
 * how they themselves are covered. All of it is true: what is worked out from a part of the delegations would not be.
 */
export function ownCoverage(coverage: Coverage, user: string): Coverage {
  return {
    span: coverage.span,
    delegations: coverage.delegations.filter((one) => concerns(one, user)),
    uncovered: coverage.uncovered.filter(({ person }) => person === user),
    awayToo: coverage.awayToo.filter(({ person }) => person === user),
    ending: coverage.ending.filter((one) => concerns(one, user)),
  };
}

/** Who stood in when, for reports; `general` counts first unless categories are named. */
export function delegateTimes(
  { register }: DelegationParts,
  rights: PrincipalRights,
): Pick<DelegationApi, 'delegateTimes'> {
  return {
    async delegateTimes(principal, texts) {
      await rights.viewingAll(principal);
      const all: readonly DelegateTime['category'][] = [
        { id: null, name: GENERAL },
        ...(await register.categories()).map(({ id, name }) => ({ id, name })),
      ];
      const asked = texts === null ? all : namedCategories(texts, all);
      const delegations = await register.delegations();
      return {
        times: delegateTimesOf(delegations, asked),
        categories: asked.map(({ name }) => name),
        revision: (until) => creditRevision(delegations, asked, until),
      };
    },
  };
}

/**
 * Equal as long as nothing has changed that says who stood in, in some categories, up to an instant (null: ever). What
 * begins later, notes, and what is of other categories alone do not count.
 */
export function creditRevision(
  delegations: readonly Delegation[],
  categories: readonly DelegateTime['category'][],
  until: Instant | null,
): string {
  const last = until ?? Number.MAX_SAFE_INTEGER;
  const ids = new Set(categories.map(({ id }) => id));
  const counting = delegations
    .filter(({ active, start, end }) => active && start < end && start <= last)
    .map(({ id, delegator, delegates, categoryIds, start, end }) => ({
      isGeneral: categoryIds.length === 0,
      ofIds: categoryIds.filter((one) => ids.has(one)).sort((a, b) => a - b),
      told: [id, delegator, delegates, start, Math.min(end, last + 1)],
    }))
    .filter(({ isGeneral, ofIds }) => isGeneral || ofIds.length > 0)
    .map(({ ofIds, told }) => [...told, ofIds]);
  return createHash('sha256')
    .update(JSON.stringify([categories, counting]))
    .digest('base64url');
}

/** Every word may begin a name of many words; more would keep everybody else waiting. */
const MOST_WORDS = 1_000;

type NamedCategory = DelegateTime['category'];

/**
 * The categories that texts name, each once, in that order. A text names one by its id or its name, or several with
 * commas between; as names hold commas too, the longest that is known counts. What is no category is told as the
 * report's parameter `creditDelegates`.
 */
export function namedCategories(
  texts: readonly string[],
  known: readonly NamedCategory[],
): readonly NamedCategory[] {
  const byName = new Map(known.map((category) => [foldedCategoryName(category.name), category]));
  const byId = new Map(known.map((category) => [String(category.id), category]));
  const find = (text: string) =>
    (/^\d+$/.test(text.trim()) ? byId.get(text.trim()) : undefined) ?? byName.get(foldedCategoryName(text));
  const mostWords = Math.max(...known.map(({ name }) => foldedCategoryName(name).split(',').length));

  function longestAt(words: readonly string[], start: number) {
    for (let count = Math.min(mostWords, words.length - start); count > 0; count -= 1) {
      const category = find(words.slice(start, start + count).join(','));
      if (category !== undefined) return { category, count };
    }
    throw notKnown(words[start]?.trim() ?? '', known);
  }

  const named = new Set<NamedCategory>();
  for (const text of texts) {
    const words = text.split(',');
    if (words.length > MOST_WORDS) throw tooMany(words.length);
    for (let at = 0; at < words.length; ) {
      if (words[at]?.trim() === '') {
        at += 1;
        continue;
      }
      const { category, count } = longestAt(words, at);
      named.add(category);
      at += count;
    }
  }
  return [...named];
}

function tooMany(count: number) {
  return badRequest(
    `creditDelegates has ${count} words with commas between; allowed: ${MOST_WORDS}, or true for every category.`,
  );
}

function notKnown(asked: string, known: readonly NamedCategory[]) {
  const allowed = known.map(({ id, name }) => (id === null ? name : `${id} or ${spelled(name)}`));
  return badRequest(`creditDelegates '${asked}' is not known; allowed: true, ${allowed.join(', ')}.`);
}

/** A name as it can be asked for: in quotes where it would read like something else. */
function spelled(name: string): string {
  return /[",]|^(true|false)$/i.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}
