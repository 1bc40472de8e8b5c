import type { NamedPerson } from '../../../model/answer.ts';
import type { Coverage, Delegation } from '../../../model/delegation.ts';
import { AppError, type ErrorReason } from '../../../model/error.ts';
import type { OpenIssue } from '../../outcomes/outcomes-api.ts';
import { type AgingInput, readOpen } from '../figures/aging-figures.ts';
import type { AnswerContext } from '../question-kind.ts';
import { type AwayPerson, MAX_LISTED, type Standup } from './standup-answer.ts';

/**
 * The people who are away as of an answer and have started issues: those with delegations in force, as far as the principal may
 * view these. Most issues first.
 */
export async function peopleAway(
  { selection, calendar }: Pick<AgingInput, 'selection' | 'calendar'>,
  context: AnswerContext,
): Promise<Pick<Standup, 'away' | 'seesAllCover' | 'isCoverForAll'>> {
  const { principal, asOf, parts } = context;
  const { delegations } = parts;
  const right = await delegations.rightOf(principal);
  const isCoverForAll = ['all', 'edit'].includes(await delegations.rightOfEveryone());
  const span = { from: asOf, until: asOf + 1 };
  const coverage =
    right === 'none' ? null : await delegations.coverage(principal, span).catch(unlessUnlisted);
  const seesAllCover = coverage !== null && right !== 'own';
  const ofPerson = Map.groupBy(coverage?.delegations ?? [], ({ delegator }) => delegator);
  if (coverage === null || ofPerson.size === 0) return { away: [], seesAllCover, isCoverForAll };
  const open = await readOpen(
    { selection, calendar, assignees: [...ofPerson.keys()], backlog: 'out' },
    context,
  );
  const indexes = open.groups.flatMap((group) => Array.from(group.ages, (_, index) => ({ group, index })));
  const issues = (await open.issues(indexes)).filter(({ flow }) => flow !== null);
  const categories = new Map((await delegations.categories(principal)).map(({ id, name }) => [id, name]));
  const away: AwayPerson[] = [];
  for (const [id, own] of Map.groupBy(issues, ({ assignee }) => assignee?.id ?? '')) {
    const inForce = ofPerson.get(id);
    if (inForce === undefined) continue;
    const covers: AwayPerson['covers'][number][] = [];
    for (const [category, delegates] of delegatesOf(inForce, coverage))
      covers.push({
        category: category === null ? null : (categories.get(category) ?? null),
        delegates: await Promise.all([...delegates].map((one) => named(one, parts))),
      });
    away.push({
      person: await named(id, parts),
      until: Math.max(...inForce.map(({ end }) => end)),
      covers,
      waiting: { count: own.length, issues: own.toSorted(byAge).slice(0, MAX_LISTED) },
    });
  }
  return {
    away: away.toSorted((a, b) => b.waiting.count - a.waiting.count),
    seesAllCover,
    isCoverForAll,
  };
}

/** By category (null: all work), those who cover: delegates who are here, and who steps in for those who are not. */
function delegatesOf(
  delegations: readonly Delegation[],
  { awayToo, uncovered }: Coverage,
): ReadonlyMap<number | null, ReadonlySet<string>> {
  const found = new Map<number | null, Set<string>>();
  for (const { delegator, delegates, categoryIds } of delegations) {
    for (const category of categoryIds.length === 0 ? [null] : categoryIds) {
      if (uncovered.some(({ person, categoryId }) => person === delegator && categoryId === category))
        continue;
      const all = found.get(category) ?? new Set();
      for (const delegate of delegates) {
        const out = awayToo.find(
          (one) => one.person === delegator && one.delegate === delegate && one.categoryId === category,
        );
        for (const one of out === undefined ? [delegate] : (out.standIns ?? [])) all.add(one);
      }
      if (all.size > 0) found.set(category, all);
    }
  }
  return found;
}

async function named(
  id: string,
  { userName }: Pick<AnswerContext['parts'], 'userName'>,
): Promise<NamedPerson> {
  return { id, name: (await userName(id)) ?? id };
}

function byAge(one: OpenIssue, other: OpenIssue): number {
  return other.ageMs - one.ageMs;
}

/** Null from a register that has no lists, or that cannot be reached: then it is unknown who is away. */
function unlessUnlisted(error: unknown): null {
  const isExpected = error instanceof AppError && (error.code === 'unavailable' || reasons.has(error.reason));
  if (isExpected) return null;
  throw error;
}
const reasons: ReadonlySet<ErrorReason> = new Set(['service-too-old', 'missing-right']);
