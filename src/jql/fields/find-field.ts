import { rememberByChunk } from '../../issues/issue-chunks.ts';
import { badRequest } from '../../model/error.ts';
import type { Issue } from '../../model/issue.ts';
import type { Compilation } from '../compilation.ts';
import type { JqlWorld } from '../jql.ts';
import { listed, refuse } from '../refuse.ts';
import type { FieldReference } from '../syntax/query-tree.ts';
import type { Field } from './field.ts';
import { otherField } from './other-fields.ts';
import { sprintFields } from './sprint-fields.ts';
import { type SystemField, systemFields } from './system-fields.ts';

/**
 * The field a query names, in any case: one every tracker has, or another by its name, its id, or as `cf[10016]`.
 * Field names come first; a name that several fields share is refused, because their values differ.
 */
export function findField(reference: FieldReference, compilation: Compilation): Field {
  const { world, name } = compilation;
  // Jira's own editor writes the type of a custom field behind its name: "Story Points[Number]".
  const wanted = reference.text
    .trim()
    .replace(/(?<=\S)\[[A-Za-z ()-]+\]$/, '')
    .toLowerCase();
  if (reference.part)
    throw refuse(name, reference, 'asks for a part of a field, which is not supported; allowed: a field.');
  const system = systemField(wanted);
  if (system !== undefined) return system.build(compilation);

  const [, number] = /^cf\[(\d+)\]$/.exec(wanted) ?? [];
  const id = number === undefined ? wanted : `customfield_${number}`;
  const told = world.directory.fields.filter((field) => field.name.trim().toLowerCase() === wanted);
  const byId = [...world.directory.fields.map((field) => field.id), ...fieldsIn(world.issues)].find(
    (one) => one.toLowerCase() === id,
  );
  const ids = [...new Set(told.map((field) => field.id))];
  const [only] = ids;
  if (ids.length > 1) {
    throw badRequest(
      `${name}: '${reference.source}' at position ${reference.at} is the name of several fields; allowed: one of their ids, ${listed(ids)}.`,
    );
  }
  const found = only ?? byId;
  if (found === undefined) {
    throw refuse(
      name,
      reference,
      `is not a field that is known here; allowed: ${listed(knownNames(world))}.`,
    );
  }
  const same = sprintFields(world).includes(found) ? systemField('sprint') : systemField(found.toLowerCase());
  return same === undefined ? otherField(found, reference.text, compilation) : same.build(compilation);
}

function systemField(wanted: string): SystemField | undefined {
  return systemFields.find(({ names }) => names.some((one) => one.toLowerCase() === wanted));
}

function knownNames({ directory }: JqlWorld): readonly string[] {
  const others = directory.fields.filter(
    ({ id, name }) => ![id, name].some((one) => systemField(one.toLowerCase())),
  );
  return [...systemFields.map(({ names }) => names[0]), 'text', 'filter', ...others.map(({ name }) => name)];
}

const fieldsIn = rememberByChunk(
  meet,
  (parts): ReadonlySet<string> => new Set(parts.flatMap((ids) => [...ids])),
);

function meet(issues: readonly Issue[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { fields } of issues) for (const id of Object.keys(fields)) ids.add(id);
  return ids;
}
