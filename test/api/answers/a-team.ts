import { millisecondsInHour } from 'date-fns/constants';
import fc from 'fast-check';
import { createOutcomes } from '../../../src/api/outcomes/create-outcomes.ts';
import type { ReportingApi } from '../../../src/api/reporting/reporting-api.ts';
import { createMemoryMirror } from '../../../src/mirror/create-mirrors.ts';
import type { Directory } from '../../../src/model/directory.ts';
import type { ProjectFlow } from '../../../src/model/flow.ts';
import type { Change, Instant, Issue, Status } from '../../../src/model/issue.ts';
import type { CalendarDefinition } from '../../../src/model/settings.ts';
import { localReporting } from '../../support/local-reporting.ts';
import { principalOf } from '../../support/principal-of.ts';

/** The workflow of an invented team, in the tracker's order. */
export const workflow: readonly Status[] = (
  [
    ['1', 'Open', 'To Do'],
    ['2', 'Ready', 'Undefined'],
    ['3', 'Doing', 'In Progress'],
    ['4', 'Review', 'In Progress'],
    ['5', 'Done', 'Done'],
    ['6', 'Closed', 'Done'],
  ] as const
).map(([id, name, category]) => ({ id, name, category, deleted: false, listed: true }));

/** The types of issues; the last one is of parts of others. */
export const issueTypes = [
  { id: '1', name: 'Bug', subtask: false },
  { id: '2', name: 'Story', subtask: false },
  { id: '3', name: 'Epic', subtask: false },
  { id: '4', name: 'Step', subtask: true },
];

/** Calendars beside `normalHours`: an office's, and one of nights over midnight. */
export const calendars: readonly CalendarDefinition[] = [
  {
    id: 1,
    name: 'Office',
    timeZone: 'America/New_York',
    workingTimes: (['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY'] as const).flatMap((weekday) => [
      { weekday, start: 32_400_000, end: 43_200_000 },
      { weekday, start: 46_800_000, end: 61_200_000 },
    ]),
    holidays: [{ name: 'A holiday', date: '2026-03-10', recurring: false }],
  },
  {
    id: 2,
    name: 'Nights',
    timeZone: 'Europe/Berlin',
    workingTimes: (['SATURDAY', 'SUNDAY', 'MONDAY'] as const).map((weekday) => ({
      weekday,
      start: 79_200_000,
      end: 21_600_000,
    })),
    holidays: [],
  },
];

/** Five weeks with a change of the clocks in them, and more: in ISO weeks of most zones 2026-W03 to W15. */
export const start = Date.parse('2026-01-12T00:00:00Z');
export const end = Date.parse('2026-04-13T00:00:00Z');

/** An instant of 2026, in UTC: `03-09T08:00`. */
export const at = (text: string) => Date.parse(`2026-${text}Z`);

/** An instant, and the id of the status to which an issue came: also as `03-09T08:00 3`. */
type Step = string | readonly [at: number, status: string];

/** The issue WEB-`number`, which went through statuses; the first step is its creation. */
export function through(number: number, ...all: readonly Step[]): Issue {
  const [first, ...steps] = all.map((step): readonly [number, string] => {
    if (typeof step !== 'string') return step;
    const [when = '', id = ''] = step.split(' ');
    return [at(when), id];
  });
  if (first === undefined) throw new Error('An issue is created');
  const named = (id: string) => ({ id, name: workflow.find((status) => status.id === id)?.name ?? id });
  const changes = steps.map(
    ([at, id], i): Change => ({
      entry: String(i),
      item: 0,
      at,
      field: 'status',
      from: named(steps[i - 1]?.[1] ?? first[1]),
      to: named(id),
      by: null,
    }),
  );
  const status = named(steps.at(-1)?.[1] ?? first[1]);
  return {
    key: `WEB-${number}`,
    project: { id: '100', name: 'Web' },
    summary: `Issue ${number}`,
    created: first[0],
    updated: changes.at(-1)?.at ?? first[0],
    resolved: null,
    status,
    assignee: null,
    fields: { status, assignee: null, summary: `Issue ${number}` },
    changes,
    history: { complete: true },
  };
}

/** An issue of which some changes are lost, from the first to before the second index. */
export function cut(issue: Issue, lost: number, kept: number): Issue {
  const [before, after] = [issue.changes.slice(0, lost), issue.changes.slice(kept)];
  return {
    ...issue,
    changes: [...before, ...after],
    history: {
      complete: false,
      unknownFrom: before.at(-1)?.at ?? null,
      unknownUntil: after[0]?.at ?? null,
      reason: 'moved in from elsewhere',
    },
  };
}

/** Steps of an issue: hours of the weeks, none after their end, and what it came to. */
export const someSteps = fc
  .uniqueArray(fc.integer({ min: 0, max: Math.floor((end - start) / millisecondsInHour) - 1 }), {
    minLength: 1,
    maxLength: 9,
  })
  .chain((hours) =>
    fc
      .array(fc.constantFrom('1', '2', '3', '3', '4', '5', '5', '6'), {
        minLength: hours.length,
        maxLength: hours.length,
      })
      .map((ids) =>
        hours
          .toSorted((a, b) => a - b)
          .map((hour, i) => [start + hour * millisecondsInHour + (i % 3) * 1_234, ids[i] ?? '1'] as const),
      ),
  );

/** The type and the resolution of an issue, which never change. */
export const someNature = {
  type: fc.constantFrom('1', '2', '2', '3', '4'),
  resolution: fc.constantFrom(null, 'Fixed', "Won't Do"),
};

export function withNature(
  issue: Issue,
  { type, resolution }: { readonly type: string; readonly resolution: string | null },
): Issue {
  const issuetype = { id: type, name: issueTypes.find(({ id }) => id === type)?.name ?? '' };
  const resolved = resolution === null ? null : { id: resolution, name: resolution };
  return { ...issue, fields: { ...issue.fields, issuetype, resolution: resolved } };
}

/** Issues of the team: reopened, created as done, moved from done to done; of some, changes are lost. */
export const someIssues: fc.Arbitrary<readonly Issue[]> = fc
  .array(
    fc.record({
      steps: someSteps,
      cuts: fc.option(fc.tuple(fc.nat(9), fc.nat(9)), { freq: 4 }),
      ...someNature,
    }),
    { maxLength: 14 },
  )
  .map((stories) =>
    stories.map(({ steps, cuts, ...nature }, i) => {
      const issue = through(i + 1, ...steps);
      if (cuts !== null) return cut(issue, Math.min(...cuts), Math.max(...cuts));
      return withNature(issue, nature);
    }),
  );

export const ada = principalOf('ada', 'admin');
/** 24/7 in UTC. */
export const always = { calendar: 'normalHours', timeZone: 'UTC' };
export const web = { by: 'project', project: 'WEB' } as const;

/** The reporting port over the team's issues, all as of an instant. */
export function teamReporting(
  issues: readonly Issue[],
  now: number,
  flows: readonly ProjectFlow[] = [],
): ReportingApi {
  return peopledReporting(issues, () => now, { issueTypes }, flows);
}

/** The same port over reports alone, as a hosted service answers: the definition that passes over rows are held to. */
export function overLists(port: ReportingApi): ReportingApi {
  return { ...port, ...createOutcomes(port), passesOverProjects: false, effectOn: async () => '' };
}

/** The reporting port over the team's issues, where ada, bob and carl are known, and rules if there are any. */
export function peopledReporting(
  issues: readonly Issue[],
  now: () => number,
  directory: Partial<Directory> = {},
  flows: readonly ProjectFlow[] = [],
): ReportingApi {
  const tracker = {
    name: 'sample',
    async *entries() {
      yield { kind: 'statuses', statuses: workflow, list: 'workflow' } as const;
      const users = ['ada', 'bob', 'carl'].map((id) => ({ id, name: id.toUpperCase() }));
      yield { kind: 'users', users } as const;
      yield { kind: 'directory', part: directory } as const;
      for (const issue of issues) yield { kind: 'issue', issue } as const;
    },
  } as const;
  return localReporting(createMemoryMirror(tracker, now), now, { calendars, flows });
}

/** The issue while it is with somebody (user id) all the time. */
export function withPerson(issue: Issue, id: string | null): Issue {
  const assignee = id === null ? null : { id, name: id };
  return { ...issue, assignee, fields: { ...issue.fields, assignee } };
}

/** The issue in the sprint 1 from an instant on; since it was created where that is not after its creation. */
export function withSprint(issue: Issue, joined: Instant): Issue {
  const field = 'customfield_10020';
  const sprint = { id: '1', name: 'Sprint 1' };
  const change = { entry: 's1', item: 0, at: joined, field, from: null, to: sprint, by: null };
  const changes = joined > issue.created ? [...issue.changes, change] : issue.changes;
  return {
    ...issue,
    changes: changes.toSorted((a, b) => a.at - b.at),
    updated: Math.max(issue.updated, joined),
    fields: { ...issue.fields, [field]: [sprint] },
  };
}
