import type { Change, FieldContent, FieldValue } from '../../model/issue.ts';

/** A value with the id it is known by elsewhere in the issue. */
export type Identify = (field: string, value: FieldValue) => FieldValue;

/**
 * Some exports give a value's id in one place and only its name in the next: within a field of one issue they are
 * the same, unless several ids have that name. Null: every value is known by the id it has.
 */
export function sameIdentity(
  changes: readonly Change[],
  contents: Readonly<Record<string, FieldContent>>,
  status: FieldValue,
): Identify | null {
  const nameless = fieldsWithBareNames(changes);
  if (isBare(status)) nameless.add('status');
  const idsOf = new Map<string, Set<string>>();
  const learn = (field: string, value: FieldValue | null) => {
    if (value === null || isBare(value)) return;
    const name = `${field}\n${value.name}`;
    const ids = idsOf.get(name) ?? new Set();
    idsOf.set(name, ids.add(value.id));
  };
  for (const { field, from, to } of changes) {
    if (!nameless.has(field)) continue;
    learn(field, from);
    learn(field, to);
  }
  for (const field of nameless) {
    const content = Object.hasOwn(contents, field) ? contents[field] : null;
    if (content === null || typeof content !== 'object') continue;
    if ('length' in content) for (const value of content) learn(field, value);
    else learn(field, content);
  }
  if (idsOf.size === 0) return null;
  return (field, value) => {
    if (!isBare(value)) return value;
    const [id, ...others] = idsOf.get(`${field}\n${value.name}`) ?? [];
    return id === undefined || others.length > 0 ? value : { id, name: value.name };
  };
}

/** Only these can be told by an id from elsewhere. */
function fieldsWithBareNames(changes: readonly Change[]): Set<string> {
  const fields = new Set<string>();
  for (const { field, from, to } of changes) {
    if ((from !== null && isBare(from)) || (to !== null && isBare(to))) fields.add(field);
  }
  return fields;
}

function isBare({ id, name }: FieldValue): boolean {
  return id === name;
}
