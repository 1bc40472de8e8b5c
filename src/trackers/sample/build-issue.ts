import type { Change, FieldContent, FieldValue, Instant, Issue } from '../../model/issue.ts';
import type { Draft } from './draft.ts';
import { type Edit, type Setting, setValue } from './settings.ts';
import { statuses } from './statuses.ts';

const projectValues = {
  WEB: { id: '10100', name: 'Web Shop' },
  APP: { id: '10200', name: 'Mobile App' },
  OPS: { id: '10300', name: 'Operations' },
};

const doneIds = new Set(statuses.filter(({ category }) => category === 'Done').map(({ id }) => id));

/**
 * The issue after all its edits. Each change comes from what the edits before it left, so whatever order
 * they were thought up in, the history fits; `entryOf` numbers the edits.
 */
export function buildIssue(draft: Draft, entryOf: ReadonlyMap<Edit, string>): Issue {
  const { birth } = draft;
  const values = new Map<string, FieldValue | null>();
  const fields: Record<string, FieldContent> = {};
  const apply = ({ field, value, content }: Setting) => {
    values.set(field, value);
    fields[field] = content;
  };
  const status = () => values.get('status') ?? draft.status;
  apply(setValue('status', draft.status));
  draft.first.forEach(apply);

  const changes: Change[] = [];
  let resolved: Instant | null = null;
  for (const edit of draft.edits) {
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

  const updated = changes.at(-1)?.at ?? birth.at;
  fields.created = birth.at;
  fields.updated = updated;
  fields.resolutiondate = resolved;
  return {
    key: `${birth.project}-${birth.number}`,
    project: projectValues[birth.project],
    summary: values.get('summary')?.name ?? '',
    created: birth.at,
    updated,
    resolved,
    status: status(),
    assignee: values.get('assignee') ?? null,
    fields,
    changes,
    history: { complete: true },
  };
}
