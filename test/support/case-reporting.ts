import type { ReportingApi } from '../../src/api/reporting/reporting-api.ts';
import { createMemoryMirror } from '../../src/mirror/create-mirrors.ts';
import { type Directory, emptyDirectory } from '../../src/model/directory.ts';
import type { Change, FieldValue, Issue } from '../../src/model/issue.ts';
import type { Tracker } from '../../src/trackers/tracker.ts';
import { type CaseIssue, type CaseStep, caseWorld, storyPointsField } from './case-world.ts';
import { localReporting } from './local-reporting.ts';

/** The instant of the world of the cases. */
export const caseNow = () => Date.parse(caseWorld.now);

const { statuses, users, sprint, filter } = caseWorld;

/** What is known beside the issues of the cases. */
export const caseDirectory: Directory = {
  ...emptyDirectory,
  sprints: [{ ...sprint, state: 'active', start: null, end: null, completed: null, board: null }],
  filters: [{ ...filter, owner: 'bob', shared: true }],
  groups: caseWorld.groups,
  fields: [{ id: storyPointsField, name: 'Story Points' }],
  calendars: [caseWorld.calendar],
};

/** Everybody of the cases. */
export const caseUsers = users.map((one) => ({
  ...one,
  timeZone: caseWorld.timeZone,
  email: `${one.id}@example.com`,
}));

/** The world of the cases as a tracker. */
export function caseTracker(): Tracker {
  const issues = caseWorld.issues.map(issueOf);
  return {
    name: 'sample',
    async *entries() {
      yield {
        kind: 'statuses',
        statuses: statuses.map((one) => ({ ...one, deleted: false })),
        list: null,
      } as const;
      yield { kind: 'statuses', statuses: statuses.filter(({ deleted }) => !deleted), list: 'list' } as const;
      yield { kind: 'users', users: caseUsers } as const;
      yield { kind: 'directory', part: caseDirectory } as const;
      for (const issue of issues) yield { kind: 'issue', issue } as const;
    },
  };
}

/** Our own engine over the world of the cases. */
export function caseReporting(): ReportingApi {
  return localReporting(createMemoryMirror(caseTracker(), caseNow), caseNow, {
    calendars: [caseWorld.calendar],
    timeZone: caseWorld.timeZone,
  });
}

const projects: Readonly<Record<string, string>> = caseWorld.projects;

function issueOf({ born, steps, ...told }: CaseIssue): Issue {
  const changes: Change[] = [];
  const now = { status: born.status, assignee: born.assignee, priority: born.priority };
  for (const [entry, step] of steps.entries()) {
    for (const [item, field] of (['status', 'assignee', 'priority'] as const).entries()) {
      if (step[field] === undefined) continue;
      changes.push(changeOf(step, { entry: String(entry + 1), item, field, from: now[field] }));
      Object.assign(now, { [field]: step[field] });
    }
  }
  const created = Date.parse(told.created);
  const status = contentOf('status', now.status) ?? { id: '', name: '' };
  const assignee = contentOf('assignee', now.assignee);
  const summary = `Summary of ${told.key}`;
  return {
    key: told.key,
    project: { id: told.project, name: projects[told.project] ?? '' },
    summary,
    created,
    updated: Date.parse(steps.at(-1)?.at ?? told.created),
    resolved: told.resolved === null ? null : Date.parse(told.resolved),
    status,
    assignee,
    fields: {
      summary,
      status,
      assignee,
      priority: contentOf('priority', now.priority),
      duedate: told.due,
      [storyPointsField]: told.storyPoints,
      customfield_10020: told.sprint === null ? null : [sprint],
    },
    changes,
    history:
      told.knownFrom === undefined
        ? { complete: true }
        : {
            complete: false,
            unknownFrom: null,
            unknownUntil: Date.parse(told.knownFrom),
            reason: 'the tracker told the newest changes only',
          },
  };
}

function changeOf(
  { at, by, ...to }: CaseStep,
  {
    from,
    ...where
  }: { entry: string; item: number; field: 'status' | 'assignee' | 'priority'; from: string | null },
): Change {
  const { field } = where;
  return {
    ...where,
    at: Date.parse(at),
    from: contentOf(field, from),
    to: contentOf(field, to[field] ?? null),
    by,
  };
}

function contentOf(field: 'status' | 'assignee' | 'priority', id: string | null): FieldValue | null {
  if (id === null) return null;
  const priorities = Object.entries(caseWorld.priorities).map(([key, name]) => ({ id: key, name }));
  const known = { status: statuses, assignee: users, priority: priorities }[field];
  const name = known.find((one) => one.id === id)?.name;
  if (name === undefined) throw new Error(`the world of the cases knows no ${field} ${id}`);
  return { id, name };
}
