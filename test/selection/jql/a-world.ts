import { ISSUE_ID } from '../../../src/engine/columns/held-fields.ts';
import type { IssueColumns } from '../../../src/engine/columns/issue-columns.ts';
import type { Visibility } from '../../../src/engine/columns/visibility.ts';
import { tableOf } from '../../../src/mirror/issue-table.ts';
import { type Directory, emptyDirectory } from '../../../src/model/directory.ts';
import { compileFlows, type ProjectFlow } from '../../../src/model/flow.ts';
import type { Change, FieldContent, Issue, Status, User } from '../../../src/model/issue.ts';
import type { JqlWorld, KnownIssues } from '../../../src/selection/jql/jql.ts';
import { knownIssues } from '../../../src/selection/jql/known-issues.ts';

export const statuses: readonly Status[] = [
  { id: '1', name: 'To Do', category: 'To Do', deleted: false },
  { id: '3', name: 'In Progress', category: 'In Progress', deleted: false },
  { id: '5', name: 'Done', category: 'Done', deleted: false },
  { id: '6', name: 'Done', category: 'Done', deleted: false },
];

const users: readonly User[] = [
  { id: 'ada', name: 'Ada Lovelace', email: 'ada@example.org' },
  { id: 'bob', name: 'Bob' },
];

interface WorldTold {
  readonly issues: readonly Issue[];
  /** ISO text. */
  readonly now?: string;
  readonly timeZone?: string;
  readonly principal?: string;
  readonly admin?: boolean;
  readonly directory?: Partial<Directory>;
  readonly flows?: readonly ProjectFlow[];
}

/** A world, and the issues that are in it: each in the row of its place. */
export interface World extends JqlWorld {
  readonly issues: readonly Issue[];
}

/** Everything can be seen. */
export const everything: Visibility = {
  ...{ classes: new Uint8Array(), singles: new Set(), reporters: new Set(), assignees: new Set() },
  ...{ account: null, all: true, key: '' },
};

/** What issues of which all can be seen are known to mention. */
export function knownOf(columns: IssueColumns): KnownIssues {
  return knownIssues(columns, everything, () => columns.rowsByCreation().toReversed());
}

/** A world in which the issues are told by the engine, as the program tells them. */
export function aWorld(told: WorldTold): World {
  const { columns, hold } = tableOf(told.issues);
  // Whatever is asked for is held: who cannot wait for columns has them all.
  const fields = told.issues.flatMap((issue) => [
    ...Object.keys(issue.fields),
    ...issue.changes.map(({ field }) => field),
  ]);
  for (const field of new Set([...fields, 'summary', ISSUE_ID])) {
    void hold(field);
    void hold(field, 'texts');
    void hold(field, 'history');
  }
  const now = Date.parse(told.now ?? '2026-03-20T12:00:00Z');
  return {
    now,
    timeZone: told.timeZone ?? 'UTC',
    principal: told.principal ?? 'ada',
    admin: told.admin ?? false,
    directory: { ...emptyDirectory, ...told.directory },
    statuses: new Map(statuses.map((status) => [status.id, status])),
    flows: compileFlows(told.flows ?? [], {
      statuses: new Map(statuses.map((status) => [status.id, status])),
      issueTypes: told.directory?.issueTypes ?? [],
    }),
    users: new Map(users.map((user) => [user.id, user])),
    issues: told.issues,
    columns,
    hasColumn: () => true,
    known: knownOf(columns),
  };
}

/** An issue with some contents; a date is ISO text. */
export function issueWith(
  key: string,
  fields: Readonly<Record<string, FieldContent>> = {},
  {
    created = '2026-03-02T09:00:00Z',
    resolved = null,
    changes = [],
    history = { complete: true },
  }: {
    readonly created?: string;
    readonly resolved?: string | null;
    readonly changes?: readonly Change[];
    readonly history?: Issue['history'];
  } = {},
): Issue {
  const born = Date.parse(created);
  const status = fields.status ?? { id: '1', name: 'To Do' };
  const assignee = fields.assignee ?? null;
  const summary = typeof fields.summary === 'string' ? fields.summary : `Summary of ${key}`;
  return {
    key,
    project: { id: `p-${key.split('-')[0]}`, name: `Project ${key.split('-')[0]}` },
    summary,
    created: born,
    updated: changes.reduce((last, { at }) => Math.max(last, at), born),
    resolved: resolved === null ? null : Date.parse(resolved),
    status: typeof status === 'object' && 'id' in status ? status : { id: '1', name: 'To Do' },
    assignee: typeof assignee === 'object' && assignee !== null && 'id' in assignee ? assignee : null,
    fields: { ...fields, summary, status, assignee },
    changes,
    history,
  };
}

/** One change of a field; null is empty, and a name is its own id unless it is a status. */
export function change(
  field: string,
  from: string | null,
  to: string | null,
  at: string,
  by: string | null = null,
): Change {
  const value = (name: string | null) =>
    name === null ? null : { id: statuses.find((status) => status.name === name)?.id ?? name, name };
  return { entry: at, item: 0, at: Date.parse(at), field, from: value(from), to: value(to), by };
}
