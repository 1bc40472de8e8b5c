import type { FieldValue } from '../../model/issue.ts';
import type { Word } from '../syntax/query-tree.ts';
import { idOf, type Test, textOf } from './values.ts';

/** Ids by name and by id, both in lower case: names ignore case, and one name may stand for several ids. */
export interface Naming {
  readonly byName: ReadonlyMap<string, ReadonlySet<string>>;
  readonly byId: ReadonlyMap<string, ReadonlySet<string>>;
  /** As people write them. */
  readonly names: readonly string[];
}

export function nameAll(values: Iterable<FieldValue>): Naming {
  const byName = new Map<string, Set<string>>();
  const byId = new Map<string, Set<string>>();
  const names: string[] = [];
  for (const { id, name } of values) {
    if (add(byName, name, id)) names.push(name);
    add(byId, id, id);
  }
  return { byName, byId, names };
}

function add(ids: Map<string, Set<string>>, text: string, id: string): boolean {
  const key = text.trim().toLowerCase();
  const known = ids.get(key);
  if (known === undefined) ids.set(key, new Set([id]));
  else known.add(id);
  return known === undefined;
}

/**
 * The ids a word stands for; null for none. A bare number is an id before it is a name, as in Jira, everything else a
 * name first. Names of today come before `former` ones.
 */
export function idsFor(
  word: Word,
  today: readonly Naming[],
  former: readonly Naming[] = [],
): ReadonlySet<string> | null {
  const wanted = word.text.trim().toLowerCase();
  const among = (namings: readonly Naming[], by: 'byName' | 'byId') => {
    const found = namings.flatMap((naming) => [...(naming[by].get(wanted) ?? [])]);
    return found.length === 0 ? null : new Set(found);
  };
  const named = () => among(today, 'byName') ?? among(former, 'byName');
  const identified = () => among([...today, ...former], 'byId');
  return isBareNumber(word) ? (identified() ?? named()) : (named() ?? identified());
}

/**
 * What a word stands for in a history, as Jira documents of WAS: the values it stands for today, and whatever a change
 * calls so, which may be called otherwise by now. Null: no name, now or then, and no id.
 */
export function testThen(word: Word, today: readonly Naming[], former: readonly Naming[]): Test | null {
  const wanted = word.text.trim().toLowerCase();
  const ids = idsFor(
    word,
    today,
    former.map((naming) => ({ ...naming, byName: new Map() })),
  );
  const isId = isBareNumber(word) && [...today, ...former].some(({ byId }) => byId.has(wanted));
  if (isId) return (item) => ids?.has(idOf(item)) === true;
  if (ids === null && !former.some(({ byName }) => byName.has(wanted))) return null;
  return (item) => ids?.has(idOf(item)) === true || textOf(item).trim().toLowerCase() === wanted;
}

function isBareNumber(word: Word): boolean {
  return !word.quoted && /^\d+$/.test(word.text);
}
