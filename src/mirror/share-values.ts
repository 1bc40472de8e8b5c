import type { Change, FieldContent, FieldValue, Issue } from '../model/issue.ts';

/** Longer texts are somebody's prose: hardly ever the same twice. */
const LONGEST_SHARED = 80;

const complete = { complete: true } as const;

/** Returns an equal issue that shares what it has in common with the issues before it. */
export type ShareValues = (issue: Issue) => Issue;

/**
 * Statuses, people, field ids and the like repeat in every issue; each is kept once, or a hundred thousand issues
 * would not fit into memory.
 */
export function createShareValues(): ShareValues {
  const texts = new Map<string, string>();
  const values = new Map<string, Map<string, FieldValue>>();

  const text = (one: string): string => {
    if (one.length > LONGEST_SHARED) return one;
    const known = texts.get(one);
    if (known === undefined) texts.set(one, one);
    return known ?? one;
  };
  const value = ({ id, name }: FieldValue): FieldValue => {
    if (id.length + name.length > LONGEST_SHARED) return { id, name };
    const ofName = values.get(name) ?? new Map<string, FieldValue>();
    if (ofName.size === 0) values.set(text(name), ofName);
    const known = ofName.get(id) ?? { id: text(id), name: text(name) };
    ofName.set(known.id, known);
    return known;
  };
  const content = (one: FieldContent): FieldContent => {
    if (typeof one === 'string') return text(one);
    if (one === null || typeof one === 'number') return one;
    return 'length' in one ? one.map(value) : value(one);
  };
  const change = ({ entry, item, at, field, from, to, by }: Change): Change => ({
    entry,
    item,
    at,
    field: text(field),
    from: from && value(from),
    to: to && value(to),
    by: by && text(by),
  });

  return (issue) => ({
    ...issue,
    project: value(issue.project),
    status: value(issue.status),
    assignee: issue.assignee && value(issue.assignee),
    fields: Object.fromEntries(Object.entries(issue.fields).map(([id, one]) => [id, content(one)])),
    changes: issue.changes.map(change),
    history: issue.history.complete ? complete : issue.history,
  });
}
