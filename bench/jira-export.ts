import type { Change, FieldValue, Issue } from '../src/model/issue.ts';

/** Issues as Jira Cloud would answer a search with `expand=changelog`, newest entries first. */
export function jiraExport(issues: readonly Issue[]): string {
  const person = (value: FieldValue | null) =>
    value && { accountId: value.id, displayName: value.name, active: true };
  const histories = (changes: readonly Change[]) =>
    [...Map.groupBy(changes, (change) => change.entry)].reverse().map(([id, items]) => ({
      id,
      author: person({ id: items[0]?.by ?? 'automation', name: items[0]?.by ?? 'automation' }),
      created: new Date(items[0]?.at ?? 0).toISOString().replace('Z', '+0000'),
      items: items.map(({ field, from, to }) => ({
        field,
        fieldId: field,
        from: from?.id ?? null,
        fromString: from?.name ?? null,
        to: to?.id ?? null,
        toString: to?.name ?? null,
      })),
    }));
  return JSON.stringify({
    total: issues.length,
    issues: issues.map(({ key, summary, created, status, assignee, changes }) => ({
      key,
      fields: { summary, created: new Date(created).toISOString(), status, assignee: person(assignee) },
      changelog: { histories: histories(changes) },
    })),
  });
}
