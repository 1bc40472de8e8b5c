import type { FieldValue } from '../../model/issue.ts';
import type { Compilation } from '../compilation.ts';
import { listed, refuse } from '../refuse.ts';
import type { Word } from '../syntax/query-tree.ts';
import { functionCalled } from './call.ts';
import { metIn } from './met.ts';
import { idsFor, nameAll } from './naming.ts';
import { byName, idOf, type Test, type Values } from './values.ts';

/** Where the values of a field are known from beside the issues. */
export interface NamedField {
  readonly title: string;
  readonly fields: readonly string[];
  readonly listed?: Iterable<FieldValue>;
}

/** Values people call by name or id, such as issue types. A word nobody has met is refused: it may be a typo. */
export function namedValues(field: NamedField, compilation: Compilation): Values {
  const ids = knownIds(field, compilation);
  return {
    equal: (asked, inList) => {
      if (asked.kind === 'value') return isOneOf(ids(asked));
      functionCalled(asked, [], { compilation, title: field.title, inList });
      return () => false;
    },
    sortKey: byName,
  };
}

/** Looks up the ids of a word among those a field is known to have. */
export function knownIds(
  { title, fields, listed: told = [] }: NamedField,
  { world, name }: Compilation,
): (word: Word) => ReadonlySet<string> {
  const mets = fields.map((field) => metIn(world.issues, field));
  const today = [nameAll(told), ...mets.map((met) => met.today)];
  return (word) => {
    const former = mets.map((met) => met.former);
    const ids = idsFor(word, today, former);
    if (ids !== null) return ids;
    const names = today.flatMap((naming) => naming.names);
    const allowed = names.length === 0 ? `${title} has no values here` : `allowed: ${listed(names)}`;
    throw refuse(name, word, `is not a value of ${title} that is known here; ${allowed}.`);
  };
}

export function isOneOf(ids: ReadonlySet<string>): Test {
  return (item) => ids.has(idOf(item));
}
