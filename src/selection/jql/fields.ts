import { UNSUPPORTED } from '../../model/issue.ts';
import { unreadFields } from '../../model/issues/issue-fields.ts';
import { dateValues, isDate } from './date-values.ts';
import { observedIn, sprintFields } from './field-contents.ts';
import { unsupported, unsupportedFields } from './functions.ts';
import type { Compilation, JqlWorld, ObservedField } from './jql.ts';
import { userValues } from './named-values.ts';
import { blankValues, numberValues, optionValues } from './plain-values.ts';
import { type FieldReference, listed, pieceError, unknownWordError } from './query-tree.ts';
import {
  comparable,
  equality,
  order,
  past,
  type SystemField,
  several,
  single,
  systemField,
  systemFields,
  textField,
} from './system-fields.ts';
import type { JqlField } from './values.ts';

/** Jira's names for saved filters, which are no fields of their own. */
export const filterNames: readonly string[] = ['filter', 'request', 'savedfilter', 'searchrequest'];
/** Jira's names for all texts of an issue together. */
export const textNames: readonly string[] = ['text', 'textfields'];

/** Other names of fields that are known by their contents. */
const alsoCalled: ReadonlyMap<string, string> = new Map([['attachments', 'attachment']]);

/**
 * The field a query names, in any case: one every tracker has, or another by its name, its id, or as `cf[10016]`.
 * Field names come first; a name that several fields share is refused, because their values differ. What Jira has and
 * Dwell does not is refused with the reason.
 */
export function findField(reference: FieldReference, compilation: Compilation): JqlField {
  const { world, name } = compilation;
  // Jira's own editor writes the type of a custom field behind its name: "Story Points[Number]".
  const written = reference.text
    .trim()
    .replace(/(?<=\S)\[[A-Za-z ()-]+\]$/, '')
    .toLowerCase();
  if (reference.part)
    throw pieceError(name, reference, 'asks for a part of a field, which is not supported. Try: a field.');
  const wanted = alsoCalled.get(written) ?? written;
  const system = systemField(wanted);
  if (system !== undefined) return built(system, reference, compilation);
  if (wanted === 'lastviewed') throw notSupported(reference, compilation);

  const [, number] = /^cf\[(\d+)\]$/.exec(wanted) ?? [];
  const id = number === undefined ? wanted : `customfield_${number}`;
  const named = world.directory.fields.filter((field) => field.name.trim().toLowerCase() === wanted);
  const byId = [...world.directory.fields.map((field) => field.id), ...world.known.fieldIds()].find(
    (one) => one.toLowerCase() === id,
  );
  const ids = [...new Set(named.map((field) => field.id))];
  const [only] = ids;
  if (ids.length > 1) {
    throw pieceError(
      name,
      reference,
      `is the name of several fields. Try: one of their ids, ${listed(ids)}.`,
    );
  }
  const found = only ?? byId;
  const isRead = found !== undefined && (!unreadFields.includes(found) || world.known.fieldIds().has(found));
  if (!isRead && unsupported(unsupportedFields, wanted) !== undefined)
    throw notSupported(reference, compilation);
  if (!isRead && (found !== undefined || unreadFields.includes(wanted)))
    throw pieceError(name, reference, 'is not read from Jira, so it cannot be searched. Try: another field.');
  if (found === undefined) {
    throw unknownWordError(name, reference, {
      kind: 'field',
      what: 'a field that is known here',
      allowed: { names: knownNames(world), none: 'none' },
    });
  }
  const same = sprintFields(world).includes(found) ? systemField('sprint') : systemField(found.toLowerCase());
  return same === undefined ? otherField(found, reference, compilation) : built(same, reference, compilation);
}

function built({ needs, build }: SystemField, reference: FieldReference, compilation: Compilation): JqlField {
  if (needs === undefined || compilation.world.known.fieldIds().has(needs)) return build(compilation);
  throw pieceError(
    compilation.name,
    reference,
    'is not supported here: no issue that you can see has this field. Try: another field.',
  );
}

function notSupported(reference: FieldReference, { name }: Compilation) {
  const because = unsupported(unsupportedFields, reference.text)?.because ?? '';
  return pieceError(name, reference, `is not supported: ${because}. Try: another field.`);
}

function knownNames({ directory, known }: JqlWorld): readonly string[] {
  const isListed = (name: string) => {
    const field = systemField(name.toLowerCase());
    return field !== undefined && field.unlisted !== true;
  };
  const others = directory.fields.filter(({ id, name }) => !isListed(id) && !isListed(name));
  const here = known.fieldIds();
  const own = systemFields.filter(
    ({ needs, unlisted }) => unlisted !== true && (needs === undefined || here.has(needs)),
  );
  return [...own.map(({ names }) => names[0]), 'text', 'filter', ...others.map(({ name }) => name)];
}

/** A field of the tracker's own making, of the kind its contents are. `reference` is what the query calls it. */
function otherField(id: string, reference: FieldReference, compilation: Compilation): JqlField {
  const { world } = compilation;
  const title = reference.text;
  if (world.columns.isTooLong(id)) return textField(title, id, compilation, true);
  const observed = observedIn(id, compilation);
  if (observed.today.byId.has(UNSUPPORTED.id)) {
    const problem = 'holds values of a kind that is not supported. Try: another field.';
    throw pieceError(compilation.name, reference, problem);
  }
  if (observed.values) {
    const values = holdsPeople(observed, compilation)
      ? userValues(compilation, title, id)
      : optionValues(compilation, title, id);
    return (observed.lists ? several : single)(title, id, values, compilation);
  }
  if (observed.numbers) return comparable(title, id, numberValues(compilation, title), compilation);
  if (observed.texts.size > 0) {
    return [...observed.texts].every(isDate)
      ? comparable(title, id, dateValues(compilation, title), compilation)
      : textField(title, id, compilation);
  }
  const operators = [...equality, ...order, '~', '!~', ...past] as const;
  return { ...single(title, id, blankValues(compilation, title, id), compilation), operators };
}

/** A field holds people when the tracker's users are among its values. */
function holdsPeople({ today }: ObservedField, { world }: Compilation): boolean {
  for (const ids of today.byId.values()) for (const id of ids) if (world.users.has(id)) return true;
  return false;
}
