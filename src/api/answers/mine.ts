import type { Mine } from '../../model/aging.ts';
import type { Contents } from '../../model/contents.ts';
import { GENERAL } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { MineQuestion } from '../../model/question.ts';
import type { Asker } from '../../model/request.ts';
import type { DelegationApi } from '../delegation.ts';
import type { AgingWish } from './aging/open-issues.ts';
import { type AgingParts, type ToldAging, tellAging } from './aging/tell-aging.ts';
import { joinContents, mergeContents } from './merge-contents.ts';

/** What is told from. `userName` is null for whoever the tracker does not know. */
export interface MineParts extends AgingParts {
  readonly delegations: DelegationApi;
  readonly userName: (id: string) => Promise<string | null>;
}

/** What waits on somebody, and what issues it is; null where nobody tells. */
export interface ToldMine {
  readonly mine: Mine;
  readonly contents: Contents | null;
}

/**
 * The open issues that are with the asker, and those with whom the asker stands in for, all of them seen with the
 * asker's own rights. Of somebody who is stood in for in several categories the issues are told once. `not-found` for
 * an asker whom the tracker does not know.
 */
export async function tellMine(
  question: MineQuestion,
  asker: Asker,
  asOf: Instant,
  parts: MineParts,
): Promise<ToldMine> {
  const own = await tellOwn(question, asker, asOf, parts);
  const all = [own];
  const covered: Mine['covered'][number][] = [];
  for (const [id, categories] of await coveredBy(asker, asOf, parts.delegations)) {
    const name = await parts.userName(id);
    // Whom a hosted register knows need not be known to the tracker, and then nothing is with them.
    if (name === null) continue;
    const told = await tellAging(waitingOn(id, question), asker, asOf, parts).catch(nobodyToSee);
    if (told === null) continue;
    covered.push({ person: { id, name }, category: categories.join(', '), aging: told.aging });
    all.push(told);
  }
  // Nothing is with two people at once, but what is usual may be learnt of the same issues for both.
  const told = all.map((one) => one.told).reduce(mergeContents);
  const usual = all.map((one) => one.usual).reduce(joinContents);
  return { mine: { own: own.aging, covered }, contents: joinContents(told, usual) };
}

/** The asker's own open issues. `not-found` for an asker whom the tracker does not know. */
export async function tellOwn(
  question: MineQuestion,
  asker: Asker,
  asOf: Instant,
  parts: MineParts,
): Promise<ToldAging> {
  if ((await parts.userName(asker.user)) === null) throw notLinked();
  return tellAging(waitingOn(asker.user, question), asker, asOf, parts);
}

/** By id alone: in a query, somebody may be called like another's id. */
function waitingOn(user: string, { calendar }: MineQuestion): AgingWish {
  return { selection: { by: 'user', user }, calendar, assignee: user };
}

/** Whom somebody stands in for, and in which categories: in all of them, or in those named. */
async function coveredBy(
  asker: Asker,
  asOf: Instant,
  delegations: DelegationApi,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const covered = new Map<string, string[]>();
  const categories = await readable(delegations.categories(asker));
  if (categories === null) return covered;
  for (const category of [GENERAL, ...categories.map(({ name }) => name)]) {
    const found = await readable(delegations.delegatorsOf({ asker, person: asker.user, category, asOf }));
    for (const person of found?.others ?? []) {
      const names = covered.get(person) ?? [];
      if (!names.includes(GENERAL)) covered.set(person, [...names, found?.category ?? category]);
    }
  }
  return covered;
}

/** Null for who may not know of delegations: they stand in for nobody they know of. */
async function readable<Value>(value: Promise<Value>): Promise<Value | null> {
  return value.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not-allowed') return null;
    throw error;
  });
}

/** Somebody of whom the asker may see no issue is to the asker nobody who could be asked for. */
function nobodyToSee(error: unknown): null {
  if (error instanceof AppError && error.code === 'bad-request') return null;
  throw error;
}

function notLinked(): AppError {
  return new AppError('not-found', 'I do not know who you are in the tracker', [
    'Your Slack account belongs to no user of the tracker that I know of, so I cannot tell what waits on you. Say who you are with `/tis link`.',
  ]);
}
