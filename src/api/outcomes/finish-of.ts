import type { CycleTime } from '../../model/answer.ts';
import type { CompiledFlow } from '../../model/flow.ts';
import type { Instant } from '../../model/issue.ts';
import { doneSince, latest, type UnknownFinishTime } from '../../model/issues/finish-time.ts';
import type { BetweenMetric } from '../../model/request.ts';
import { type Cells, cellOf, type IssueFacts } from '../../model/table.ts';
import { isStarted } from './issue-flow.ts';
import type { ObservedStatus } from './read-table.ts';

/** The end of the work on an issue: it is in a status that is done. */
export interface Finish {
  /** When it last left a status that is not done; null where it never did, or where that is unknown. */
  readonly at: Instant | null;
  /** Why that is unknown, and between which instants it was; null where it is known, or where it was created as done. */
  readonly unknown: { readonly reason: string; readonly from: Instant; readonly until: Instant } | null;
  /** Working ms from the first entry into a started status to `at`, or why there are none. */
  readonly cycle: CycleTime;
}

/** The facts from which the finish of an issue is read. */
interface FinishedFacts {
  readonly facts: IssueFacts;
  /** The id of the status it is done in. */
  readonly doneIn: string;
  readonly asOf: Instant;
  readonly statuses: ReadonlyMap<string, ObservedStatus>;
  /** When it last left each status, its time in each status, and the clocks of its cycle time. */
  readonly exits: Cells;
  readonly times: Cells;
  readonly clocks: Cells;
  /** Why there are no clocks; null where there are. */
  readonly noClocks: string | null;
}

/** Why an issue that is finished has no cycle time. */
export const neverInProgress = 'it was never in a started status';

/** The finish of an issue that is done. */
export function finishOf(outcome: FinishedFacts): Finish {
  const { facts, times, statuses, clocks, noClocks } = outcome;
  const when = whenOf(outcome);
  if (facts.unknown !== null) return { ...when, cycle: { reason: cutReason(facts) } };
  if (when.unknown !== null) return { ...when, cycle: { reason: when.unknown.reason } };
  const strange = Object.keys(times)
    .map((id) => statuses.get(id))
    .find((status) => status?.kind === 'unknown');
  if (strange !== undefined) return { ...when, cycle: { reason: categoryUnknown(strange.name) } };
  if (noClocks !== null) return { ...when, cycle: { reason: noClocks } };
  const [before, last] = cycleParts.map((name) => cellOf(clocks, name));
  return {
    ...when,
    cycle:
      before === undefined || last === undefined
        ? { reason: neverInProgress }
        : { ms: Number(before.value) + Number(last.value) },
  };
}

function whenOf({ facts, doneIn, asOf, exits, statuses }: FinishedFacts): Omit<Finish, 'cycle'> {
  const { unknown: lost, current, created } = facts;
  const left = Object.entries(exits).map(([id, { value }]) => {
    const { name: title = '', kind = 'unknown' } = statuses.get(id) ?? {};
    return { at: Number(value), kind, title };
  });
  const since = doneSince({ created, asOf, lost, agrees: current[0]?.columnId === doneIn, exits: left });
  if ('at' in since) return { at: since.at, unknown: null };
  const { from, until, why } = since.unknown;
  return { at: null, unknown: { from, until, reason: reasonOf(why) } };

  function reasonOf(why: UnknownFinishTime['why']): string {
    if (why === 'cut') return cutReason(facts);
    if (why === 'step') return 'a step of its history is missing';
    const last = latest(left.filter(({ kind }) => kind !== 'done'));
    return categoryUnknown(last?.title ?? '');
  }
}

const toLast = 'to the last visit before the finish';
const ofLast = 'the last visit before the finish';

/** The names of the clocks whose times add up to a cycle time. */
export const cycleParts: readonly string[] = [toLast, ofLast];

/**
 * The cycle time in a flow in two parts: up to the last visit of a status that is not done, and that visit. A clock that
 * stops at the last visit of a done status would run on while an issue is moved from one done status to another. Null where
 * nothing was ever in progress, or nothing is done.
 */
export function cycleMetrics(
  observed: readonly Pick<ObservedStatus, 'id'>[],
  flow: CompiledFlow,
): readonly BetweenMetric[] | null {
  const first = startMetric(observed, flow);
  const done = idsOf(observed, (id) => flow.kindOf(id) === 'done');
  if (first === null || done.length === 0) return null;
  const { to: from, pausedIn } = first;
  return [first, { name: ofLast, from, to: { statuses: done, visit: 'first' }, pausedIn }];
}

/**
 * The first part of a cycle time: up to the last visit of a status that is not done. For an issue that is not done, that is
 * the visit that lasts. Null where nothing was ever in progress.
 */
export function startMetric(
  observed: readonly Pick<ObservedStatus, 'id'>[],
  { kindOf, pauses }: CompiledFlow,
): BetweenMetric | null {
  const progress = idsOf(observed, (id) => isStarted(kindOf(id)));
  // Without statuses a clock would run from the creation on.
  if (progress.length === 0) return null;
  return {
    name: toLast,
    from: { statuses: progress, visit: 'first' },
    to: { statuses: idsOf(observed, (id) => kindOf(id) !== 'done'), visit: 'last' },
    pausedIn: pauses ? idsOf(observed, (id) => kindOf(id) === 'queue') : [],
  };
}

function idsOf(
  observed: readonly Pick<ObservedStatus, 'id'>[],
  fits: (id: string) => boolean,
): readonly string[] {
  return observed.map(({ id }) => id).filter(fits);
}

/** Why an issue's history does not show something. */
export function cutReason({ history }: Pick<IssueFacts, 'history'>): string {
  if (history.complete) return 'the service it comes from does not say';
  return `its history is not complete: ${history.reason}`;
}

/** The reason why the category of a status (its title) is unknown, with a remedy. */
export function categoryUnknown(title: string): string {
  return `the category of '${title}' is not known; an admin can set it, or import the tracker's list of statuses`;
}
