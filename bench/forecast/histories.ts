import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { millisecondsInDay, millisecondsInHour, millisecondsInWeek } from 'date-fns/constants';
import { z } from 'zod';
import type { Instant, Issue, Status } from '../../src/model/issue.ts';
import { projectKeyOf } from '../../src/model/issues/issue-fields.ts';
import type { Tracker } from '../../src/trackers/tracker.ts';
import { createChance } from '../world/chance.ts';

/** When an issue was created and finished; null: it is open. */
export interface Work {
  readonly key: string;
  readonly created: Instant;
  readonly finished: Instant | null;
}

const toDo: Status = { id: '1', name: 'To Do', category: 'To Do', deleted: false };
const done: Status = { id: '2', name: 'Done', category: 'Done', deleted: false };

/** A tracker whose issues are created and, at some time, done. */
export function trackerOf(work: readonly Work[]): Tracker {
  return {
    name: 'bench',
    async *entries() {
      yield { kind: 'statuses', statuses: [toDo, done], list: 'bench' };
      for (const one of work) yield { kind: 'issue', issue: issueOf(one) };
    },
  };
}

function issueOf({ key, created, finished }: Work): Issue {
  const project = projectKeyOf({ key });
  const status = finished === null ? toDo : done;
  const change = { entry: key, item: 0, field: 'status', from: toDo, to: done, by: null };
  const updated = finished ?? created;
  return {
    key,
    project: { id: project, name: project },
    summary: key,
    created,
    updated,
    resolved: finished,
    status,
    assignee: null,
    fields: { status: { id: status.id, name: status.name }, created, updated, resolutiondate: finished },
    changes: finished === null ? [] : [{ ...change, at: finished }],
    history: { complete: true },
  };
}

const listed = z.object({
  issues: z.array(
    z.object({
      key: z.string(),
      fields: z.object({ created: z.string(), resolutiondate: z.string().nullish() }),
    }),
  ),
});

/** Issues of a file, or why there are none. */
export type FileOfWork = { readonly name: string } & (
  | { readonly work: readonly Work[] }
  | { readonly skipped: string }
);

/**
 * The issues of each `*.issues.json`, packed or not, of a folder, as Jira's REST search returns them. They are finished when they were
 * resolved: not all have a history.
 */
export function filesOfWork(folder: string): readonly FileOfWork[] {
  if (!existsSync(folder)) return [{ name: folder, skipped: 'there is no such folder' }];
  const names = readdirSync(folder).filter((name) => /\.issues\.json(\.gz)?$/.test(name));
  return names.sort().map((file) => {
    const name = file.replace(/\.issues\.json(\.gz)?$/, '');
    const bytes = readFileSync(join(folder, file));
    const read = listed.safeParse(JSON.parse(String(file.endsWith('.gz') ? gunzipSync(bytes) : bytes)));
    if (!read.success) return { name, skipped: 'its issues are not as Jira returns them' };
    const work = read.data.issues.map(({ key, fields: { created, resolutiondate } }) => ({
      key,
      created: Date.parse(created),
      finished: typeof resolutiondate === 'string' ? Date.parse(resolutiondate) : null,
    }));
    return work.every(({ finished }) => finished === null)
      ? { name, skipped: 'no issue has a resolution date' }
      : { name, work };
  });
}

/** A made-up team: the issues it finishes on average in a week, counted from the first one. */
export type Pace = (week: number, chance: () => number) => number;

/**
 * The work of made-up teams, a project for each: so many whole weeks up to an instant, each with as many issues as chance gives
 * (Poisson) at the pace, on Monday to Friday in UTC. Each issue was created three weeks before.
 */
export function madeUpWork(
  teams: number,
  { weeks, until, pace }: { readonly weeks: number; readonly until: Instant; readonly pace: () => Pace },
): readonly Work[] {
  return Array.from({ length: teams }, (_, team) => {
    const chance = createChance(team + 1);
    const paceOf = pace();
    const project = `T${String(team).padStart(3, '0')}`;
    const work: Work[] = [];
    for (let week = 0; week < weeks; week += 1) {
      const count = poisson(paceOf(week, chance), chance);
      for (let i = 0; i < count; i += 1) {
        const day = Math.floor(5 * chance());
        const hour = 8 + 9 * chance();
        const finished = Math.floor(
          until - (weeks - week) * millisecondsInWeek + day * millisecondsInDay + hour * millisecondsInHour,
        );
        const key = `${project}-${work.length + 1}`;
        work.push({ key, created: finished - 3 * millisecondsInWeek, finished });
      }
    }
    return work;
  }).flat();
}

/** A number of events that happen `mean` times on average. */
function poisson(mean: number, chance: () => number): number {
  const limit = Math.exp(-mean);
  let drawn = 0;
  for (let product = chance(); product > limit; product *= chance()) drawn += 1;
  return drawn;
}
