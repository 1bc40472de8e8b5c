import type { ReportingApi } from '../../src/api/reporting/reporting-api.ts';
import { createMemoryMirror } from '../../src/mirror/create-mirrors.ts';
import type { Directory } from '../../src/model/directory.ts';
import type { Issue, Status, User } from '../../src/model/issue.ts';
import { localReporting } from './local-reporting.ts';

/** The reporting port over some issues and what is known beside them, asked at an ISO instant. */
export function smallWorld(
  at: string,
  issues: readonly Issue[],
  {
    directory = {},
    statuses = [],
    users = [],
  }: {
    readonly directory?: Partial<Directory>;
    readonly statuses?: readonly Status[];
    readonly users?: readonly User[];
  } = {},
): ReportingApi {
  const tracker = {
    name: 'sample',
    async *entries() {
      yield { kind: 'statuses', statuses: mentioned(issues), list: null } as const;
      if (statuses.length > 0) yield { kind: 'statuses', statuses, list: 'list' } as const;
      yield { kind: 'users', users } as const;
      yield { kind: 'directory', part: directory } as const;
      for (const issue of issues) yield { kind: 'issue', issue } as const;
    },
  } as const;
  const now = () => Date.parse(at);
  return localReporting(createMemoryMirror(tracker, now), now);
}

/** A status of a list. */
export function aStatus(name: string, more: Partial<Status> = {}): Status {
  return { id: name, name, category: 'In Progress', deleted: false, ...more };
}

/** The statuses that issues tell of, as every tracker does. */
function mentioned(issues: readonly Issue[]): Status[] {
  const values = issues.flatMap(({ status, changes }) => [
    status,
    ...changes.flatMap(({ field, from, to }) => (field === 'status' ? [from, to] : [])),
  ]);
  return [...new Set(values.flatMap((value) => value?.name ?? []))].map((name) => aStatus(name));
}
