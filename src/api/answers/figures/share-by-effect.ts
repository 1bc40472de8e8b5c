import { millisecondsInHour } from 'date-fns/constants';
import { createNamespace } from '../../../cache/namespace.ts';
import { sharedTask } from '../../../concurrency/cooperative-yield.ts';
import type { Instant } from '../../../model/issue.ts';
import type { OutcomesInput, ProjectPart } from '../../outcomes/outcomes-api.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';

/** The projects (keys, upper case) that something usual is of. */
interface UsualInput extends OutcomesInput {
  readonly projects: readonly string[];
  /** Something else on which what is learned depends, such as a revision. */
  readonly since?: number;
  /** The instant up to which it is learned, where that is not `asOf`. */
  readonly until?: Instant | undefined;
}

/** Values of everyone: some numbers each. */
const MAX_REMEMBERED = 1_000;

/** Parts that all see: eight bytes for each issue, or visit, of the last 90 days. */
const MAX_OPEN = 100;

/**
 * Learns from the issues of projects, once an hour for all who see the same of them: what is usual changes slowly. Issues
 * that are closed to some people of a project would make nearly every person learn all of it, so of one project the issues in
 * access classes that are seen as a whole are a part of their own, for all who see these.
 */
export function learnedByEffect<Part, Value>({
  names,
  reporting,
  now,
  read,
  join,
}: {
  /** The names of the cache of values and of the cache of open parts. */
  readonly names: readonly [string, string];
  readonly reporting: Pick<ReportingApi, 'effectOn'>;
  readonly now: () => Instant;
  readonly read: (input: UsualInput, classes: ProjectPart['classes']) => Promise<Part>;
  readonly join: (parts: readonly Part[]) => Value | Promise<Value>;
}): (input: UsualInput) => Promise<Value> {
  const values = createSharing<Value>(names[0], MAX_REMEMBERED, now);
  const openParts = createSharing<Part>(names[1], MAX_OPEN, now);
  return (input) => {
    const { principal, projects, calendar, asOf, since = 0, until = asOf } = input;
    const key = [projects, calendar, asOf, since, until];
    const effect = () => reporting.effectOn(principal, projects);
    const openEffect = () => reporting.effectOn(principal, projects, 'open');
    return values(key, effect, async () => {
      if (projects.length > 1) return join([await read(input, undefined)]);
      const open = await openParts(key, openEffect, () => read(input, 'open'));
      const isAll = (await effect()) === (await openEffect());
      return join(isAll ? [open] : [open, await read(input, 'restricted')]);
    });
  };
}

/**
 * Shares values by a key and by the effect of the rights of their principals. Where the effect is another one after the
 * learning, the value is for the principal it was learned for alone: it may hold more than others can see.
 */
function createSharing<Value>(name: string, most: number, now: () => Instant) {
  const known = createNamespace<{ readonly value: Value; readonly isShared: boolean }>({
    name,
    most,
    now,
    share: sharedTask,
    ttlMs: ({ isShared }) => (isShared ? millisecondsInHour : 0),
  });
  return async (
    key: readonly unknown[],
    effect: () => Promise<string>,
    learn: () => Promise<Value>,
  ): Promise<Value> => {
    const before = await effect();
    let isOwn = false;
    const { value, isShared } = await known.getOrMake(JSON.stringify([before, ...key]), async () => {
      isOwn = true;
      const learned = await learn();
      return { value: learned, isShared: (await effect()) === before };
    });
    return isShared || isOwn ? value : learn();
  };
}
