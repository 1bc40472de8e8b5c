import type { Change, FieldContent, FieldValue } from '../../model/issue.ts';

/** A value with the id it is known by elsewhere in the issue. */
export type Identify = (field: string, value: FieldValue) => FieldValue;

/**
 * Some exports give a value's id in one place and only its name in the next: within a field of one issue they are
 * the same, unless several ids have that name.
 */
export function sameIdentity(
  changes: readonly Change[],
  contents: Readonly<Record<string, FieldContent>>,
): Identify {
  const idsOf = new Map<string, Set<string>>();
  const learn = (field: string, value: FieldValue | null) => {
    if (value === null || value.id === value.name) return;
    const name = `${field}\n${value.name}`;
    idsOf.set(name, (idsOf.get(name) ?? new Set()).add(value.id));
  };
  for (const { field, from, to } of changes) {
    learn(field, from);
    learn(field, to);
  }
  for (const [field, content] of Object.entries(contents)) {
    if (content === null || typeof content !== 'object') continue;
    if ('length' in content) for (const value of content) learn(field, value);
    else learn(field, content);
  }
  return (field, value) => {
    if (value.id !== value.name) return value;
    const [id, ...others] = idsOf.get(`${field}\n${value.name}`) ?? [];
    return id === undefined || others.length > 0 ? value : { id, name: value.name };
  };
}
