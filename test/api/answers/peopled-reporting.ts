import type { ReportingApi } from '../../../src/api/reporting/reporting-api.ts';
import { createMemoryMirror } from '../../../src/mirror/create-mirrors.ts';
import type { Directory } from '../../../src/model/directory.ts';
import type { ProjectFlow } from '../../../src/model/flow.ts';
import type { Instant, Issue } from '../../../src/model/issue.ts';
import { localReporting } from '../../support/local-reporting.ts';
import { calendars, workflow } from './a-team.ts';

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
