import type { Compilation } from '../compilation.ts';
import { blankValues } from '../values/blank-values.ts';
import { dateValues, isDate } from '../values/date-values.ts';
import { type Met, metIn } from '../values/met.ts';
import { namedValues } from '../values/named-values.ts';
import { numberValues } from '../values/number-values.ts';
import { textValues } from '../values/text-values.ts';
import { userValues } from '../values/user-values.ts';
import type { Values } from '../values/values.ts';
import type { Field } from './field.ts';
import { readContent, readList } from './read-content.ts';
import { equality, order, past, search } from './takes.ts';

/** A field of the tracker's own making, of the kind its contents are. `title` is what the query calls it. */
export function otherField(id: string, title: string, compilation: Compilation): Field {
  const { world } = compilation;
  const met = metIn(world.issues, id);
  const base = { title, read: readContent(id, world), history: id };
  if (met.values) {
    const values = people(met, compilation)
      ? userValues(id, title, compilation)
      : namedValues({ title, fields: [id] }, compilation);
    return met.lists
      ? { ...base, values, operators: equality, read: readList([id], world), history: null }
      : { ...base, values, operators: [...equality, ...past] };
  }
  if (met.numbers) return comparable(base, numberValues(title, compilation));
  if (met.texts.size > 0) {
    return [...met.texts].every(isDate)
      ? comparable(base, dateValues(title, compilation))
      : { ...base, values: textValues(title, compilation), operators: [...search, 'changed'] };
  }
  const operators = [...equality, ...order, '~', '!~', ...past] as const;
  return { ...base, values: blankValues(id, title, compilation), operators };
}

function comparable(base: Omit<Field, 'values' | 'operators'>, values: Values): Field {
  return { ...base, values, operators: [...equality, ...order, ...past] };
}

/** A field holds people when the tracker's users are among its values. */
function people({ today }: Met, { world }: Compilation): boolean {
  for (const ids of today.byId.values()) for (const id of ids) if (world.users.has(id)) return true;
  return false;
}
