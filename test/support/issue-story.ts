import type { Change, FieldValue, History, Issue } from '../../src/model/issue.ts';

/** An issue told step by step; every instant is ISO text, every value its own id and name. */
interface IssueStoryTold {
  /** The status changes from one to another; without `from` it is what the story said before. */
  moves(to: string, at: string, options?: { from?: string; entry?: string; by?: string }): IssueStoryTold;
  /** Any field changes; null is empty. */
  changes(field: string, from: string | null, to: string | null, at: string): IssueStoryTold;
  historyIs(history: History): IssueStoryTold;
  readonly issue: Issue;
}

/** An issue born in a status. */
export function anIssue(key: string, created: string, status = 'To Do'): IssueStoryTold {
  return tell({
    key,
    project: { id: key.split('-')[0] ?? '', name: key.split('-')[0] ?? '' },
    summary: `Summary of ${key}`,
    created: Date.parse(created),
    updated: Date.parse(created),
    resolved: null,
    status: value(status),
    assignee: null,
    fields: { summary: `Summary of ${key}`, status: value(status), assignee: null },
    changes: [],
    history: { complete: true },
  });
}

function tell(issue: Issue): IssueStoryTold {
  const add = (change: Omit<Change, 'entry' | 'item' | 'by'> & Partial<Change>): Issue => ({
    ...issue,
    updated: Math.max(issue.updated, change.at),
    changes: [...issue.changes, { entry: String(issue.changes.length + 1), item: 0, by: null, ...change }],
  });
  return {
    issue,
    moves(to, at, { from, entry, by } = {}) {
      const known = from === undefined ? issue.status : value(from);
      const moved = add({
        field: 'status',
        from: known,
        to: value(to),
        at: Date.parse(at),
        ...(entry === undefined ? {} : { entry }),
        ...(by === undefined ? {} : { by }),
      });
      return tell({ ...moved, status: value(to), fields: { ...issue.fields, status: value(to) } });
    },
    changes(field, from, to, at) {
      const changed = add({ field, from: valueOrNull(from), to: valueOrNull(to), at: Date.parse(at) });
      return tell({ ...changed, fields: { ...issue.fields, [field]: valueOrNull(to) } });
    },
    historyIs: (history) => tell({ ...issue, history }),
  };
}

function value(name: string): FieldValue {
  return { id: name, name };
}

function valueOrNull(name: string | null): FieldValue | null {
  return name === null ? null : value(name);
}
