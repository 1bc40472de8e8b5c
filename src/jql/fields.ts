import { type FinishStatuses, finishKind } from '../columns/finished-rows.ts';
import { NO, YES } from '../columns/row-predicates.ts';
import { projectKeyOf, unreadFields } from '../issues/issue-fields.ts';
import { type Issue, UNSUPPORTED } from '../model/issue.ts';
import { dateValues, isDate } from './date-values.ts';
import {
  contentSource,
  listSource,
  observedIn,
  readContent,
  readList,
  readResolved,
  readSprints,
  readUpdated,
  sprintFields,
  sprintSources,
} from './field-contents.ts';
import type { Compilation, JqlWorld, ObservedField } from './jql.ts';
import {
  categoryValues,
  issueTypeValues,
  labelValues,
  namedValues,
  priorityValues,
  resolutionValues,
  sprintValues,
  userValues,
} from './named-values.ts';
import { optionValues } from './option-values.ts';
import {
  blankValues,
  issueKeyValues,
  numberValues,
  parentValues,
  projectValues,
  textValues,
} from './plain-values.ts';
import { type FieldReference, listed, type Operator, refuse, refuseUnknown } from './query-tree.ts';
import {
  type Content,
  type ContentSource,
  type Field,
  type Source,
  UNCERTAIN,
  type Values,
  type Window,
} from './values.ts';

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
    throw refuse(name, reference, 'asks for a part of a field, which is not supported. Try: a field.');
  const system = systemField(wanted);
  if (system !== undefined) return system.build(compilation);

  const [, number] = /^cf\[(\d+)\]$/.exec(wanted) ?? [];
  const id = number === undefined ? wanted : `customfield_${number}`;
  const told = world.directory.fields.filter((field) => field.name.trim().toLowerCase() === wanted);
  const byId = [...world.directory.fields.map((field) => field.id), ...world.known.fieldIds()].find(
    (one) => one.toLowerCase() === id,
  );
  const ids = [...new Set(told.map((field) => field.id))];
  const [only] = ids;
  if (ids.length > 1) {
    throw refuse(name, reference, `is the name of several fields. Try: one of their ids, ${listed(ids)}.`);
  }
  const found = only ?? byId;
  if (found === undefined) {
    throw refuseUnknown(name, reference, {
      ...{ kind: 'field', what: 'a field that is known here' },
      allowed: { names: knownNames(world), none: 'none' },
    });
  }
  if (unreadFields.includes(found) && !world.known.fieldIds().has(found))
    throw refuse(name, reference, 'is not read from Jira, so it cannot be searched. Try: another field.');
  const same = sprintFields(world).includes(found) ? systemField('sprint') : systemField(found.toLowerCase());
  return same === undefined ? otherField(found, reference, compilation) : same.build(compilation);
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

/** Operators of fields whose values are equal or not. */
const equality: readonly Operator[] = ['=', '!=', 'in', 'not in', 'is', 'is not'];

/** Of fields that are always filled in, or of which Jira does not ask whether they are. */
const filled: readonly Operator[] = ['=', '!=', 'in', 'not in'];

const order: readonly Operator[] = ['<', '<=', '>', '>='];

const search: readonly Operator[] = ['~', '!~', 'is', 'is not'];

/** Of fields with a history. Jira keeps them to six fields; here every field of single values takes them. */
const past: readonly Operator[] = ['was', 'was not', 'was in', 'was not in', 'changed'];

/** A field every tracker has, by all the names queries call it. */
interface SystemField {
  readonly names: readonly [string, ...string[]];
  readonly build: (compilation: Compilation) => Field;
}

/** When an issue was finished, as weekly summaries count it; Jira has no such field. */
const finished: SystemField = {
  names: ['finished'],
  build: (compilation) => {
    const { world } = compilation;
    world.onRead?.('status');
    const statuses = finishStatuses(world);
    const within = (window: Window) => ({ kind: 'finished', statuses, empty: NO, ...window }) as const;
    return {
      title: 'finished',
      operators: [...equality, ...order],
      values: dateValues('finished', compilation, within),
      read(issue) {
        const finish = world.finishOf(issue);
        return 'at' in finish ? finish.at : UNCERTAIN;
      },
      doubt(issue) {
        const finish = world.finishOf(issue);
        return 'at' in finish ? null : finish.unknown;
      },
      source: { kind: 'finished', statuses, empty: { ...within({ from: 0, until: 0 }), empty: YES } },
      history: null,
    };
  },
};

/** The statuses of columns; a status that was renamed has several codes. */
function finishStatuses({ columns, statuses }: JqlWorld): FinishStatuses {
  const values = columns.values('status');
  const kinds = new Uint8Array(values.size);
  const slots = new Uint16Array(values.size);
  const slotOf = new Map<string, number>();
  for (let code = 0; code < values.size; code += 1) {
    const content = values.at(code);
    if (content === null || typeof content !== 'object' || !('id' in content)) continue;
    const category = statuses.get(content.id)?.category ?? 'Undefined';
    if (!slotOf.has(content.id)) slotOf.set(content.id, slotOf.size + 1);
    slots[code] = slotOf.get(content.id) ?? 0;
    kinds[code] =
      category === 'Undefined' ? finishKind.unknown : finishKind[category === 'Done' ? 'done' : 'open'];
  }
  return { kinds, slots };
}

/** Which operators a field takes follows Jira's documentation, but for WAS and CHANGED. */
const systemFields: readonly SystemField[] = [
  {
    names: ['key', 'issuekey', 'issue', 'id'],
    build: (compilation) => ({
      title: 'key',
      operators: [...equality, ...order],
      values: issueKeyValues(compilation),
      read: ({ key }) => key.toUpperCase(),
      source: { kind: 'key', empty: nothing },
      history: null,
    }),
  },
  {
    names: ['project'],
    build: (compilation) => ({
      title: 'project',
      operators: equality,
      values: projectValues(compilation),
      read: projectKeyOf,
      source: { kind: 'project' },
      history: null,
    }),
  },
  {
    names: ['status'],
    build: (compilation) => {
      const listed = compilation.world.statuses.values();
      const named = { title: 'status', fields: ['status'], listed: [...listed] };
      return single('status', 'status', namedValues(named, compilation), compilation);
    },
  },
  {
    names: ['statusCategory'],
    build: (compilation) => ({
      title: 'statusCategory',
      operators: filled,
      values: categoryValues(compilation),
      read: readCategory(compilation.world),
      source: contents({
        ...contentSource('status'),
        read: (status) => categoryOf(status ?? null, compilation.world),
      }),
      history: null,
    }),
  },
  person('assignee'),
  person('reporter'),
  {
    names: ['creator'],
    // Nobody can change who created an issue, so a cut history is no reason for doubt.
    build: (compilation) => ({
      ...single('creator', 'creator', userValues('creator', 'creator', compilation), compilation),
      read: ({ fields }) => fields.creator ?? null,
      source: contents({ ...contentSource('creator'), always: true }),
    }),
  },
  {
    names: ['issuetype', 'type', 'issue type'],
    build: (compilation) => single('issuetype', 'issuetype', issueTypeValues(compilation), compilation),
  },
  {
    names: ['priority'],
    build: (compilation) => {
      const field = single('priority', 'priority', priorityValues(compilation), compilation);
      return { ...field, operators: [...field.operators, ...order] };
    },
  },
  {
    names: ['resolution'],
    build: (compilation) => single('resolution', 'resolution', resolutionValues(compilation), compilation),
  },
  named('security', ['security'], 'level'),
  {
    names: ['labels'],
    build: (compilation) => ({
      title: 'labels',
      operators: equality,
      values: labelValues(compilation),
      read: readList('labels', compilation.world),
      source: contents(listSource('labels')),
      history: null,
    }),
  },
  list('component', ['components'], 'components'),
  list('fixVersion', ['fixVersions'], 'fixVersions'),
  list('affectedVersion', ['affectsVersion', 'affectsVersions', 'versions'], 'versions'),
  {
    names: ['sprint'],
    build: (compilation) => {
      const fields = sprintFields(compilation.world);
      return {
        title: 'sprint',
        operators: equality,
        values: sprintValues(fields, compilation),
        read: readSprints(compilation.world),
        source: contents(...sprintSources(compilation.world)),
        history: null,
      };
    },
  },
  {
    names: ['parent'],
    build: (compilation) => single('parent', 'parent', parentValues(compilation), compilation),
  },
  text('summary'),
  text('description'),
  text('environment'),
  instant('created', ['createdDate'], ({ created }) => created),
  instant('updated', ['updatedDate'], readUpdated),
  instant('resolved', ['resolutiondate'], readResolved),
  finished,
  {
    names: ['due', 'duedate'],
    build: (compilation) => {
      const field = single('due', 'duedate', dateValues('due', compilation), compilation);
      return { ...field, operators: [...field.operators, ...order] };
    },
  },
];

/** A field of single values with a history. */
function single(title: string, id: string, values: Field['values'], { world }: Compilation): Field {
  return {
    title,
    operators: [...equality, ...past],
    values,
    read: readContent(id, world),
    source: contents(contentSource(id)),
    history: id,
  };
}

function contents(...of: readonly ContentSource[]): Source {
  return { kind: 'contents', of };
}

function person(id: string): SystemField {
  return {
    names: [id],
    build: (compilation) => single(id, id, userValues(id, id, compilation), compilation),
  };
}

function named(id: string, others: readonly string[], title = id): SystemField {
  return {
    names: [title, ...others],
    build: (compilation) => single(title, id, namedValues({ title, fields: [id] }, compilation), compilation),
  };
}

function list(title: string, others: readonly string[], id: string): SystemField {
  return {
    names: [title, ...others],
    build: (compilation) => ({
      title,
      operators: equality,
      values: namedValues({ title, fields: [id] }, compilation),
      read: readList(id, compilation.world),
      source: contents(listSource(id)),
      history: null,
    }),
  };
}

function text(id: string): SystemField {
  return {
    names: [id],
    build: (compilation) => {
      const base = { title: id, read: readContent(id, compilation.world), history: id };
      return longText(id, base, compilation);
    },
  };
}

/** A field of texts of which nearly each is another. */
function longText(
  id: string,
  base: Pick<Field, 'title' | 'read' | 'history'>,
  compilation: Compilation,
): Field {
  return {
    ...base,
    operators: [...search, 'changed'],
    values: textValues(base.title, compilation),
    source: { kind: 'text', field: id },
  };
}

function instant(
  title: 'created' | 'updated' | 'resolved',
  others: readonly string[],
  read: (issue: Issue, world: JqlWorld) => Content,
): SystemField {
  return {
    names: [title, ...others],
    build: (compilation) => ({
      title,
      operators: [...equality, ...order],
      values: dateValues(title, compilation, (window) => ({
        ...{ kind: 'instant', column: title, empty: NO },
        ...window,
      })),
      read: (issue) => read(issue, compilation.world),
      source: {
        kind: title,
        empty: title === 'resolved' ? { ...never, column: title, empty: YES } : nothing,
      },
      history: null,
    }),
  };
}

const nothing = { kind: 'constant', truth: NO } as const;

/** No instant at all. */
const never = { kind: 'instant', from: 0, until: 0 } as const;

function readCategory(world: JqlWorld): Field['read'] {
  const readStatus = readContent('status', world);
  return (issue) => {
    const status = readStatus(issue);
    return status === UNCERTAIN ? UNCERTAIN : categoryOf(status, world);
  };
}

function categoryOf(status: Exclude<Content, typeof UNCERTAIN>, { statuses }: JqlWorld): string {
  const id = status !== null && typeof status === 'object' && 'id' in status ? status.id : null;
  return (id === null ? undefined : statuses.get(id)?.category) ?? 'Undefined';
}

/** A field of the tracker's own making, of the kind its contents are. `reference` is what the query calls it. */
function otherField(id: string, reference: FieldReference, compilation: Compilation): Field {
  const { world } = compilation;
  const title = reference.text;
  const base = { title, read: readContent(id, world), source: contents(contentSource(id)), history: id };
  if (world.columns.isTooLong(id)) return longText(id, base, compilation);
  const observed = observedIn(id, compilation);
  if (observed.today.byId.has(UNSUPPORTED.id)) {
    const problem = 'holds values of a kind that is not supported. Try: another field.';
    throw refuse(compilation.name, reference, problem);
  }
  if (observed.values) {
    const values = holdsPeople(observed, compilation)
      ? userValues(id, title, compilation)
      : optionValues(id, title, compilation);
    return observed.lists
      ? {
          ...base,
          ...{ values, operators: equality, history: null },
          ...{ read: readList(id, world), source: contents(listSource(id)) },
        }
      : { ...base, values, operators: [...equality, ...past] };
  }
  if (observed.numbers) return comparable(base, numberValues(title, compilation));
  if (observed.texts.size > 0) {
    return [...observed.texts].every(isDate)
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
function holdsPeople({ today }: ObservedField, { world }: Compilation): boolean {
  for (const ids of today.byId.values()) for (const id of ids) if (world.users.has(id)) return true;
  return false;
}
