import { compareIds } from '../../issues/ids-and-names.ts';
import type { Change, FieldContent, FieldValue, Instant, Issue } from '../../model/issue.ts';
import { projects, statuses } from './seed-data.ts';

export const SPRINT = 'customfield_10020';
export const STORY_POINTS = 'customfield_10016';

/** One field gets new content; `value` is how a change names that content. */
export interface Setting {
  readonly field: string;
  readonly value: FieldValue | null;
  readonly content: FieldContent;
}

/** What one person did at one instant: a changelog entry in the making. */
export interface Edit {
  readonly at: Instant;
  readonly by: string;
  readonly settings: readonly Setting[];
}

/** A field that holds one value or none. */
export function setValue(field: string, value: FieldValue | null): Setting {
  return { field, value, content: value };
}

/** A field that holds several values; a change names them joined and in order, as the engine joins a field's content. */
export function setValues(field: string, values: readonly FieldValue[]): Setting {
  const sorted = values.toSorted((a, b) => compareIds(a.id, b.id));
  const joined = (part: 'id' | 'name') => sorted.map((one) => one[part]).join(', ');
  return {
    field,
    value: values.length === 0 ? null : { id: joined('id'), name: joined('name') },
    content: values,
  };
}

/** Labels are their own ids. */
export function setLabels(labels: readonly string[]): Setting {
  return setValues(
    'labels',
    labels.map((label) => ({ id: label, name: label })),
  );
}

/** A field that holds plain text or a plain number; empty is null. */
export function setPlain(field: string, content: string | number | null): Setting {
  return { field, value: content === null ? null : { id: String(content), name: String(content) }, content };
}

/** All that is needed to write down an issue: its fields at creation, and its edits in order of time. */
export interface Draft {
  readonly project: keyof typeof projects;
  readonly number: number;
  readonly at: Instant;
  /** The status first. */
  readonly first: readonly Setting[];
  readonly edits: readonly Edit[];
}

const doneIds = new Set(statuses.filter(({ category }) => category === 'Done').map(({ id }) => id));

/**
 * The issue after all its edits. Each change comes from what the edits before it left, so whatever order they were
 * thought up in, the history fits; `entryOf` numbers the edits.
 */
export function buildIssue(
  { project, number, at, first, edits }: Draft,
  entryOf: ReadonlyMap<Edit, string>,
): Issue {
  const values = new Map<string, FieldValue | null>();
  const fields: Record<string, FieldContent> = {};
  const apply = ({ field, value, content }: Setting) => {
    values.set(field, value);
    fields[field] = content;
  };
  first.forEach(apply);
  const status = () => values.get('status') ?? { id: '', name: '' };
  const changes: Change[] = [];
  let resolved: Instant | null = null;
  for (const edit of edits) {
    const before = changes.length;
    for (const setting of edit.settings) {
      const { field, value: to } = setting;
      const from = values.get(field) ?? null;
      if (from?.id === to?.id) continue;
      const item = changes.length - before;
      changes.push({ entry: entryOf.get(edit) ?? '', item, at: edit.at, field, from, to, by: edit.by });
      apply(setting);
    }
    resolved = doneIds.has(status().id) ? (resolved ?? edit.at) : null;
  }
  const updated = changes.at(-1)?.at ?? at;
  Object.assign(fields, { created: at, updated, resolutiondate: resolved });
  return {
    key: `${project}-${number}`,
    project: { id: projects[project].id, name: projects[project].name },
    summary: values.get('summary')?.name ?? '',
    created: at,
    updated,
    resolved,
    status: status(),
    assignee: values.get('assignee') ?? null,
    fields,
    changes,
    history: { complete: true },
  };
}
