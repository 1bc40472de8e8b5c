import type { Change, FieldContent, FieldValue } from '../../model/issue.ts';
import {
  elementsOf,
  hasClearNames,
  joinValues,
  splitValue,
  writtenDivider,
} from '../../model/issues/value-sets.ts';

/** A value with the id it is known by elsewhere in the issue. */
export type Identify = (field: string, value: FieldValue) => FieldValue;

/**
 * Some exports give a value's id in one place and only its name in the next: within a field of one issue they are
 * the same, unless several ids have that name. Sets are identified by their elements, and named by them where a name
 * holds a comma. Null: every value is known by the id and the name it has.
 */
export function sameIdentity(
  changes: readonly Change[],
  contents: Readonly<Record<string, FieldContent>>,
  status: FieldValue,
): Identify | null {
  const unclear = unclearFields(changes);
  if (isBare(status)) unclear.add('status');
  if (unclear.size === 0) return null;
  const idsOf = new Map<string, Set<string>>();
  const namesOf = new Map<string, string>();
  const note = (field: string, { id, name }: FieldValue) => {
    const key = `${field}\n${name}`;
    idsOf.set(key, (idsOf.get(key) ?? new Set()).add(id));
    namesOf.set(`${field}\n${id}`, name);
  };
  const learn = (field: string, value: FieldValue | null) => {
    if (value === null || isBare(value) || !hasClearNames(value)) return;
    for (const one of splitValue(value)) note(field, one);
  };
  for (const { field, from, to } of changes) {
    if (!unclear.has(field)) continue;
    learn(field, from);
    learn(field, to);
  }
  for (const field of unclear) {
    const content = Object.hasOwn(contents, field) ? contents[field] : null;
    if (typeof content !== 'object') continue;
    for (const one of elementsOf(content)) if (!isBare(one)) note(field, one);
  }
  if (idsOf.size === 0) return null;

  const named = (field: string, name: string): FieldValue | null => {
    const [id, ...others] = idsOf.get(`${field}\n${name}`) ?? [];
    return id === undefined || others.length > 0 ? null : { id, name };
  };
  return (field, value) => {
    if (isBare(value)) {
      return (
        named(field, value.name) ??
        joined(value.name.split(writtenDivider).map((name) => named(field, name))) ??
        value
      );
    }
    if (hasClearNames(value)) return value;
    const all = value.id.split(', ').map((id) => {
      const name = namesOf.get(`${field}\n${id}`);
      return name === undefined ? null : { id, name };
    });
    return joined(all) ?? value;
  };
}

function joined(values: readonly (FieldValue | null)[]): FieldValue | null {
  const known = values.filter((one) => one !== null);
  return known.length === values.length ? joinValues(known) : null;
}

/** Fields with values whose ids or names have to be looked up elsewhere in the issue. */
function unclearFields(changes: readonly Change[]): Set<string> {
  const fields = new Set<string>();
  const isUnclear = (value: FieldValue | null) => value !== null && (isBare(value) || !hasClearNames(value));
  for (const { field, from, to } of changes) if (isUnclear(from) || isUnclear(to)) fields.add(field);
  return fields;
}

function isBare({ id, name }: FieldValue): boolean {
  return id === name;
}
