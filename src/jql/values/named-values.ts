import type { FieldValue } from '../../model/issue.ts';
import type { Compilation } from '../compilation.ts';
import { listed, refuse } from '../refuse.ts';
import type { Word } from '../syntax/query-tree.ts';
import { functionCalled } from './call.ts';
import { metIn } from './met.ts';
import { idsFor, nameAll, testThen } from './naming.ts';
import { type Asked, byName, idOf, type Test, type Values } from './values.ts';

/** Where the values of a field are known from beside the issues. */
interface NamedField {
  readonly title: string;
  readonly fields: readonly string[];
  readonly listed?: Iterable<FieldValue>;
}

/** Values people call by name or id, such as issue types. A word nobody has met is refused: it may be a typo. */
export function namedValues(
  field: NamedField,
  compilation: Compilation,
): Values & Required<Pick<Values, 'equalThen'>> {
  const ids = knownIds(field, compilation);
  const equal = (asked: Asked, inList: boolean): Test => {
    if (asked.kind === 'value') return isOneOf(ids(asked));
    functionCalled(asked, [], { compilation, title: field.title, inList });
    return () => false;
  };
  const { today, former } = namingsOf(field, compilation);
  return {
    equal,
    equalThen: (asked, inList) =>
      (asked.kind === 'value' ? testThen(asked, today, former()) : null) ?? equal(asked, inList),
    sortKey: byName,
  };
}

/** Looks up the ids of a word among those a field is known to have. */
export function knownIds(field: NamedField, compilation: Compilation): (word: Word) => ReadonlySet<string> {
  const { today, former } = namingsOf(field, compilation);
  const { title } = field;
  return (word) => {
    const ids = idsFor(word, today, former());
    if (ids !== null) return ids;
    const names = today.flatMap((naming) => naming.names);
    const allowed = names.length === 0 ? `${title} has no values here` : `allowed: ${listed(names)}`;
    throw refuse(compilation.name, word, `is not a value of ${title} that is known here; ${allowed}.`);
  };
}

/** The names of today and, once asked for, those that only changes mention. */
function namingsOf({ fields, listed: told = [] }: NamedField, { world }: Compilation) {
  const mets = fields.map((field) => metIn(world.issues, field));
  return {
    today: [nameAll(told), ...mets.map((met) => met.today)],
    former: () => mets.map((met) => met.former),
  };
}

export function isOneOf(ids: ReadonlySet<string>): Test {
  return (item) => ids.has(idOf(item));
}
