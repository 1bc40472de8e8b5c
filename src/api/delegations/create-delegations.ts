import { createHash } from 'node:crypto';
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { createYieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { absencesAt, delegateTimesOf, followChain, followPaths } from '../../delegation/chain.ts';
import { surveyCoverage } from '../../delegation/coverage.ts';
import {
  type Chain,
  type DelegateLookup,
  type DelegateTime,
  type Delegation,
  type DelegationInput,
  GENERAL,
  MAX_COVERAGE_DAYS,
  type TimeSpan,
} from '../../model/delegation.ts';
import { AppError, about, badRequest, badRequestAs } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import { foldedCategoryName, foldedName } from '../../model/issues/ids-and-names.ts';
import type { Principal } from '../../model/request.ts';
import { isoMinute } from '../../time/date-text.ts';
import { storedId, unknownUser } from '../people/logins.ts';
import type {
  DelegateQuestion,
  DelegationApi,
  DelegationQuery,
  DelegationRecords,
  OwnRecords,
} from './delegation-api.ts';
import {
  notAllowed,
  type PrincipalRights,
  type RightsParts,
  rightOfEveryone,
  rightsOfPrincipal,
  viewingRights,
} from './delegation-rights.ts';

/** The parts of the delegation port: records, wherever they are stored, and the rights to them. */
interface DelegationParts extends RightsParts {
  readonly records: DelegationRecords;
  readonly now: () => Instant;
}

/**
 * The delegation port: the rights of the principal, then the records. A principal without the right to a delegation does
 * not learn whether there is one.
 */
export function createDelegations(parts: DelegationParts): DelegationApi {
  const { records, users, now } = parts;
  const rightsOf = (principal: Principal) => viewingRights(principal, parts);

  async function assertSeesAll(principal: Principal): Promise<void> {
    if (!(await rightsOf(principal)).seesAll) throw notAllowed('askOthers');
  }
  /** People of a hosted service need not be known to our tracker. */
  async function readKnown(): Promise<(person: string) => boolean> {
    const known = records.own === null ? null : await parts.users();
    return (person) => known?.has(person) ?? true;
  }

  async function oneStep(which: 'delegatesOf' | 'delegatorsOf', question: DelegateQuestion) {
    const { principal, person, category, asOf } = question;
    const { seesAll, isSelf } = await rightsOf(principal);
    if (!seesAll && !isSelf(person)) throw notAllowed('askOthers');
    return records[which](person, category, asOf);
  }

  async function visible(id: number, { seesAll, isPartyTo }: PrincipalRights): Promise<Delegation> {
    if (seesAll) return records.delegation(id);
    const found = await orNull(records.delegation(id));
    if (found === null || !isPartyTo(found)) throw notAllowed('viewOne');
    return found;
  }

  /** The user id of a principal who may change the delegation. */
  async function editorOf(id: number, principal: Principal): Promise<string> {
    const { account, seesAll, editsAll } = await rightsOf(principal);
    const found = seesAll ? await records.delegation(id) : await orNull(records.delegation(id));
    if (!editsAll && found?.delegator !== account) throw notAllowed('editOthers');
    return account;
  }

  async function editableCategories(principal: Principal): Promise<OwnRecords> {
    if (!(await rightsOf(principal)).editsAll) throw notAllowed('editCategories');
    if (records.own === null) throw notAllowed('elsewhere');
    return records.own;
  }

  return {
    rightOf: async (principal) => (await rightsOfPrincipal(principal, parts)).right,
    rightOfEveryone: async () => rightOfEveryone(await parts.permissions()),
    delegatesOf: (question) => oneStep('delegatesOf', question),
    delegatorsOf: (question) => oneStep('delegatorsOf', question),
    async chainOf(question) {
      await assertSeesAll(question.principal);
      // The records decide which people and categories are known, and their names.
      const first = await records.delegatesOf(question.person, question.category, question.asOf);
      const { person, category, asOf } = first;
      try {
        const named = (await records.categories()).find(
          ({ name }) => foldedCategoryName(name) === foldedCategoryName(category),
        );
        const start = { person, categoryId: named?.id ?? null, at: asOf };
        return { person, category, asOf, ...followChain(await records.delegations(), start) };
      } catch (error) {
        if (!(error instanceof AppError) || error.reason !== 'service-too-old') throw error;
        return { person, category, asOf, ...(await chainByLookUps(first, question.asOf, records)) };
      }
    },
    async coverage(principal, span) {
      const { account, seesAll, isPartyTo } = await rightsOf(principal);
      checkSpan(span);
      const coverage = await surveyCoverage(await records.delegations(), span, {
        isKnown: await readKnown(),
        withRemaining: seesAll,
        pace: createYieldIfDue(),
      });
      if (seesAll) return coverage;
      // Coverage is computed from all delegations and shown in part: computed from a part it would be wrong.
      return {
        span: coverage.span,
        delegations: coverage.delegations.filter(isPartyTo),
        uncovered: coverage.uncovered.filter(({ person }) => person === account),
        awayToo: coverage.awayToo.filter(({ person }) => person === account),
        ending: coverage.ending.filter(isPartyTo),
      };
    },
    async absences(principal, at) {
      const { seesAll, isPartyTo } = await rightsOf(principal);
      const isKnown = await readKnown();
      return absencesAt(await records.delegations(), at, { isKnown, isVisible: seesAll ? null : isPartyTo });
    },
    async delegateTimes(principal, texts) {
      await assertSeesAll(principal);
      const known: readonly CreditedCategory[] = [
        { id: null, name: GENERAL },
        ...(await records.categories()).map(({ id, name }) => ({ id, name })),
      ];
      const categories = texts === null ? known : creditedCategories(texts, known);
      const delegations = await records.delegations();
      return {
        times: delegateTimesOf(delegations, categories),
        categories: categories.map(({ name }) => name),
        revision: (until) => creditRevision(delegations, categories, until),
      };
    },
    delegation: async (principal, id) => visible(id, await rightsOf(principal)),
    async delegations(principal, query) {
      const { seesAll, isPartyTo } = await rightsOf(principal);
      const all = await records.delegations();
      const seen = seesAll ? all : all.filter(isPartyTo);
      return queryDelegations(seen, query, { now: now(), known: seesAll ? await users() : null });
    },
    async create(principal, input) {
      const { account, editsAll, isSelf } = await rightsOf(principal);
      if (!editsAll && !isSelf(input.delegator)) throw notAllowed('editOthers');
      return records.add(input, account);
    },
    async update(principal, id, input) {
      return records.change(id, () => input, await editorOf(id, principal));
    },
    async end(principal, id) {
      const by = await editorOf(id, principal);
      return records.change(id, (current) => endedNow(current, id, now()), by);
    },
    async versions(principal, id) {
      const rights = await rightsOf(principal);
      const { delegator } = await visible(id, rights);
      if (records.own === null) throw notAllowed('elsewhere');
      const all = await records.own.versions(id);
      return rights.seesAll || delegator === rights.account ? all : all.filter(rights.isPartyTo);
    },
    async categories(principal) {
      await rightsOf(principal);
      return records.categories();
    },
    async permitCategories(principal) {
      await editableCategories(principal);
    },
    createCategory: async (principal, input) => (await editableCategories(principal)).addCategory(input),
    updateCategory: async (principal, id, input) =>
      (await editableCategories(principal)).changeCategory(id, input),
    deleteCategory: async (principal, id) => (await editableCategories(principal)).removeCategory(id),
  };
}

function orNull(found: Promise<Delegation>): Promise<Delegation | null> {
  return found.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not-found') return null;
    throw error;
  });
}

/**
 * The part of the delegations (in their order) that a query asks for, and how many match. `known`: everyone the principal
 * may know of; null: only those in the delegations.
 */
function queryDelegations(
  delegations: readonly Delegation[],
  query: DelegationQuery,
  { now, known }: { readonly now: Instant; readonly known: ReadonlyMap<string, User> | null },
): { readonly values: readonly Delegation[]; readonly total: number } {
  const named = delegations.flatMap(({ delegator, delegates }) => [delegator, ...delegates]);
  const people = new Set([...(known?.keys() ?? []), ...named]);
  const idOf = (name: string | null): string | null => {
    const id = name === null ? null : storedId(people, name);
    // A person the principal may not know of has nothing to be seen, as anyone else who is not in the list.
    if (name !== null && id === null && known !== null) throw unknownUser(name);
    return id ?? name;
  };
  const [delegator, delegate] = [idOf(query.delegator), idOf(query.delegate)];
  const notes = foldedName(query.notes);
  const found = delegations.filter(
    (one) =>
      (query.includeExpired || one.end > now) &&
      (delegator === null || one.delegator === delegator) &&
      (delegate === null || one.delegates.includes(delegate)) &&
      foldedName(one.notes).includes(notes),
  );
  return { values: found.slice(query.start, query.start + query.size), total: found.length };
}

/**
 * The delegation with its end at the start of the running minute: from now on no one covers. One that did not start
 * before that would have no length, and becomes inactive.
 */
function endedNow(current: DelegationInput, id: number, now: Instant): DelegationInput {
  if (!current.active || current.end <= now) {
    const state = current.active ? `over since ${isoMinute(current.end)}` : 'inactive';
    const sentence = `delegation '${id}' is ${state}. Try: one that is active and not over yet.`;
    throw badRequestAs('already-over', sentence, { id });
  }
  const end = Math.floor(now / millisecondsInMinute) * millisecondsInMinute;
  return end > current.start ? { ...current, end } : { ...current, active: false };
}

/** The people of a chain that are looked up one by one. */
const MAX_LOOKED_UP = 100;

/** A chain from a service that has no lists of delegations: the delegates of each person in it are looked up. */
async function chainByLookUps(
  { person, category, others }: DelegateLookup,
  at: Instant | null,
  { delegatesOf }: DelegationRecords,
): Promise<Pick<Chain, 'paths' | 'more'>> {
  const found = new Map([[person, others]]);
  const waiting = [...others];
  let isCut = false;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (found.has(next)) continue;
    isCut = found.size > MAX_LOOKED_UP;
    if (isCut) break;
    const delegates = (await delegatesOf(next, category, at)).others;
    found.set(next, delegates);
    waiting.push(...delegates);
  }
  const { paths, more } = followPaths(person, (one) => found.get(one) ?? []);
  return { paths, more: more || isCut };
}

/** Refuses a span that is empty, or longer than anyone reads. */
function checkSpan({ from, until }: TimeSpan): void {
  if (!(from < until)) {
    const problem = `'${isoMinute(until)}' is not after from. Try: a time after '${isoMinute(from)}'.`;
    throw badRequest(about('until', problem));
  }
  if (until - from > MAX_COVERAGE_DAYS * millisecondsInDay) {
    const days = Math.ceil((until - from) / millisecondsInDay);
    const problem = `'${isoMinute(until)}' is ${days} days after from. Try: at most ${MAX_COVERAGE_DAYS} days.`;
    throw badRequest(about('until', problem));
  }
}

type CreditedCategory = DelegateTime['category'];

/** The most words of a text; every word may begin a name of many words, which takes long. */
const MAX_WORDS = 1_000;

/**
 * The categories that texts name, each once, in that order. A text names one by its id or its name, or several with
 * commas between; as names have commas too, the longest that is known counts. Errors are worded as those of the report
 * parameter `creditDelegates`.
 */
function creditedCategories(
  texts: readonly string[],
  known: readonly CreditedCategory[],
): readonly CreditedCategory[] {
  const byName = new Map(known.map((category) => [foldedCategoryName(category.name), category]));
  const byId = new Map(known.map((category) => [String(category.id), category]));
  const find = (text: string) =>
    (/^\d+$/.test(text.trim()) ? byId.get(text.trim()) : undefined) ?? byName.get(foldedCategoryName(text));
  const maxWords = Math.max(...known.map(({ name }) => foldedCategoryName(name).split(',').length));

  function longestAt(words: readonly string[], start: number) {
    for (let count = Math.min(maxWords, words.length - start); count > 0; count -= 1) {
      const category = find(words.slice(start, start + count).join(','));
      if (category !== undefined) return { category, count };
    }
    throw unknownCredited(words[start]?.trim() ?? '', known);
  }

  const named = new Set<CreditedCategory>();
  for (const text of texts) {
    const words = text.split(',');
    if (words.length > MAX_WORDS) {
      const problem = `has ${words.length} words with commas between. Try: at most ${MAX_WORDS}, or true for every category.`;
      throw badRequest(about('creditDelegates', problem));
    }
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

function unknownCredited(value: string, known: readonly CreditedCategory[]): AppError {
  // A name in quotes where it would read like something else.
  const spelled = (name: string) =>
    /[",]|^(true|false)$/i.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
  const allowed = known.map(({ id, name }) => (id === null ? name : `${id} or ${spelled(name)}`));
  const problem = about('creditDelegates', `'${value}' is not known. Try: true, ${allowed.join(', ')}.`);
  return badRequestAs('unknown-name', problem, { value, known: known.map(({ name }) => name) });
}

/**
 * A text that is equal as long as the delegates, in some categories, up to an instant (null: ever) are. Delegations that
 * begin later or are of other categories alone, and notes, do not count.
 */
function creditRevision(
  delegations: readonly Delegation[],
  categories: readonly CreditedCategory[],
  until: Instant | null,
): string {
  const last = until ?? Number.MAX_SAFE_INTEGER;
  const ids = new Set(categories.map(({ id }) => id));
  const counting = delegations.flatMap(({ id, active, delegator, delegates, categoryIds, start, end }) => {
    if (!active || start >= end || start > last) return [];
    const credited = categoryIds.filter((one) => ids.has(one)).sort((a, b) => a - b);
    if (categoryIds.length > 0 && credited.length === 0) return [];
    return [[id, delegator, delegates, start, Math.min(end, last + 1), credited]];
  });
  return createHash('sha256')
    .update(JSON.stringify([categories, counting]))
    .digest('base64url');
}
