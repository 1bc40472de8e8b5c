import type { FieldContent, Issue } from '../model/issue.ts';

/** Those of the tracker's own fields that name people; others of its own open an issue to nobody. */
const ofPeople: readonly string[] = ['assignee', 'creator', 'reporter'];
const own = /^customfield_/;

/** Longer texts name nobody. */
const LONGEST_NAME = 255;
/** Dates, and ranks, which are others in every issue. */
const namesNobody = /^\d{4}-\d\d-\d\d|^\d+\|/;

/**
 * The same for issues that hold the same people, groups and options in the same fields: whatever opens one of them to
 * somebody opens the others as well. A field tells what it is about by its content only, so every value counts.
 */
export function likenessOf({ fields }: Pick<Issue, 'fields'>): string {
  const told = Object.keys(fields)
    .filter((field) => own.test(field) || ofPeople.includes(field))
    .sort()
    .flatMap((field): [string, readonly string[]][] => {
      const ids = idsIn(fields[field] ?? null);
      return ids.length === 0 ? [] : [[field, [...ids].sort()]];
    });
  return JSON.stringify(told);
}

function idsIn(content: FieldContent): readonly string[] {
  if (content === null || typeof content === 'number') return [];
  if (typeof content === 'string') {
    return content.length > LONGEST_NAME || namesNobody.test(content) ? [] : [content];
  }
  return 'length' in content ? content.map(({ id }) => id) : [content.id];
}
