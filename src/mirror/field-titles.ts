import type { FieldName } from '../model/directory.ts';
import type { Change, Issue } from '../model/issue.ts';

/** Data Center records changes under a field's title; those of its own fields are known where issues are read. */
const CUSTOM = /^customfield_\d+$/;

/** What is known of fields' titles so far. */
export interface FieldTitles {
  learn(fields: readonly FieldName[]): void;
  /** The issue with changes recorded under a title told under the id; the same one when there are none. */
  useIds(issue: Issue): Issue;
  /** The titles that lead to an id, so that two states of knowledge can be compared. */
  text(): string;
}

/** A title leads to an id only when exactly one field has it, and only where it is no field's id itself. */
export function createFieldTitles(): FieldTitles {
  const names = new Map<string, string>();
  let idOfTitle = new Map<string, string>();

  function idOf({ field }: Change, issue: Issue): string {
    if (names.has(field) || Object.hasOwn(issue.fields, field)) return field;
    return idOfTitle.get(field) ?? field;
  }

  return {
    learn(fields) {
      for (const { id, name } of fields) names.set(id, name);
      const byTitle = Map.groupBy(names, ([, name]) => name);
      idOfTitle = new Map(
        [...byTitle].flatMap(([title, [[id = ''] = [], ...others]]): [string, string][] =>
          others.length === 0 && CUSTOM.test(id) ? [[title, id]] : [],
        ),
      );
    },
    useIds(issue) {
      if (!issue.changes.some((change) => idOf(change, issue) !== change.field)) return issue;
      return {
        ...issue,
        changes: issue.changes.map((change) => ({ ...change, field: idOf(change, issue) })),
      };
    },
    text: () => JSON.stringify([...idOfTitle].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
