import { type FinishStatuses, flowRows, kindCode } from '../../engine/columns/flow-rows.ts';
import { NO, YES } from '../../engine/columns/row-predicates.ts';
import type { FieldContent } from '../../model/issue.ts';
import { projectKeyOf } from '../../model/issues/issue-fields.ts';
import { isValue, splitValue } from '../../model/issues/value-sets.ts';
import { dateValues } from './date-values.ts';
import {
  contentField,
  contentSource,
  dividerOf,
  listSource,
  readResolved,
  readSprints,
  readUpdated,
  sprintFields,
  sprintSources,
} from './field-contents.ts';
import { issueKeyValues, parentValues } from './issue-key-values.ts';
import type { Compilation, IssueThen, JqlWorld } from './jql.ts';
import {
  categoryValues,
  issueTypeValues,
  labelValues,
  namedValues,
  priorityValues,
  projectValues,
  resolutionValues,
  sprintValues,
  userValues,
  versionValues,
} from './named-values.ts';
import { durationValues, numberValues, textValues } from './plain-values.ts';
import type { Operator } from './query-tree.ts';
import {
  type Content,
  type ContentSource,
  type JqlField,
  type Source,
  UNCERTAIN,
  type Values,
  type Window,
} from './values.ts';

/** Operators of fields whose values are equal or not. */
export const equality: readonly Operator[] = ['=', '!=', 'in', 'not in', 'is', 'is not'];

/** Operators of fields whose values come before or after each other. */
export const order: readonly Operator[] = ['<', '<=', '>', '>='];

/** Operators of fields with a history. Jira keeps them to six fields; here every field with a history takes them. */
export const past: readonly Operator[] = ['was', 'was not', 'was in', 'was not in', 'changed'];

/** A field every tracker has, by all the names queries call it; the first is the one that lists show. */
export interface SystemField {
  readonly names: readonly [string, ...string[]];
  readonly build: (compilation: Compilation) => JqlField;
  /** The tracker's field it reads, where files may lack it: no issue with it means that its data is not here. */
  readonly needs?: string;
  /** Another way to ask for a field that is in the list already, or that the site's own list has. */
  readonly unlisted?: true;
}

/** Makes the field of a title and of the tracker's field with an id, whose values are of a kind. */
type FieldShape = (title: string, id: string, values: Values, compilation: Compilation) => JqlField;

/** A field of single values with a history, of a column that is usually the field's own. */
export function single(
  title: string,
  id: string,
  values: Values,
  { world }: Compilation,
  source = contentSource(id),
): JqlField {
  return { title, operators: [...equality, ...past], values, ...contentField(source, world), history: id };
}

/** A field of several values, whose history is of the sets of them. */
export const several: FieldShape = (title, id, values, compilation) => {
  const divider = dividerOf(id);
  return {
    ...single(title, id, values, compilation, listSource(id)),
    elements: (value) => splitValue(value, divider),
  };
};

/** A field of single values that also come before or after each other. */
export const comparable: FieldShape = (title, id, values, compilation) => ({
  ...single(title, id, values, compilation),
  operators: [...equality, ...order, ...past],
});

/** A field of amounts whose changes are not logged, such as those of votes. */
function unlogged(
  title: string,
  id: string,
  values: Values,
  compilation: Compilation,
  source?: ContentSource,
): JqlField {
  const field = single(title, id, values, compilation, source);
  return { ...field, operators: [...equality, ...order], history: null };
}

/** A field of texts; where nearly all differ, columns have no dictionary of them. */
export function textField(
  title: string,
  id: string,
  compilation: Compilation,
  areDifferent = false,
): JqlField {
  const field = single(title, id, textValues(compilation, title), compilation);
  const source: Source | null = areDifferent ? { kind: 'text', field: id } : field.source;
  return { ...field, source, operators: ['~', '!~', 'is', 'is not', 'changed'] };
}

/** An instant that columns hold beside the fields. */
function instant(
  title: 'created' | 'updated' | 'resolved',
  other: string,
  read: (then: IssueThen, world: JqlWorld) => Content,
): SystemField {
  const within = (window: Window) => ({ kind: 'instant', column: title, empty: NO, ...window }) as const;
  return {
    names: [title, other],
    build: (compilation) => ({
      title,
      operators: [...equality, ...order],
      values: dateValues(compilation, title, within),
      read: (then) => read(then, compilation.world),
      source: { kind: title, empty: title === 'resolved' ? { ...within(never), empty: YES } : nothing },
      history: null,
    }),
  };
}

/** Holds for no row: the field is never empty. */
const nothing = { kind: 'constant', truth: NO } as const;

/** No instant at all. */
const never: Window = { from: 0, until: 0 };

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
      values: dateValues(compilation, 'finished', within),
      read(then) {
        const finish = then.finish();
        return 'at' in finish ? finish.at : finish.unknown;
      },
      source: { kind: 'finished', statuses, empty: { ...within(never), empty: YES } },
      history: null,
    };
  },
};

/** The statuses of columns; a status that was renamed has several codes. */
function finishStatuses({ columns, flows }: JqlWorld): FinishStatuses {
  const values = columns.values('status');
  const kinds = flows.all.map(() => new Uint8Array(values.size).fill(kindCode.unknown));
  const slots = new Uint16Array(values.size);
  const slotOf = new Map<string, number>();
  for (let code = 0; code < values.size; code += 1) {
    const content = values.at(code);
    if (!isValue(content)) continue;
    const { id } = content;
    if (!slotOf.has(id)) slotOf.set(id, slotOf.size + 1);
    slots[code] = slotOf.get(id) ?? 0;
    for (const [i, own] of kinds.entries()) own[code] = kindCode[flows.all[i]?.kindOf(id) ?? 'unknown'];
  }
  return { kinds, slots, flows: flowRows(flows, columns) };
}

const STATUS_CATEGORY_CHANGED = 'statuscategorychangedate';

/**
 * The fields of every Jira that queries can name. Which operators a field takes follows Jira's documentation, but for WAS
 * and CHANGED.
 */
export const systemFields: readonly SystemField[] = [
  {
    names: ['key', 'issuekey', 'issue', 'id'],
    build: (compilation) => ({
      title: 'key',
      operators: [...equality, ...order],
      values: issueKeyValues(compilation),
      read: ({ issue }) => issue.key.toUpperCase(),
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
      read: ({ issue }) => projectKeyOf(issue),
      source: { kind: 'project' },
      history: null,
    }),
  },
  field(['status'], 'status', (compilation, title, id) => {
    const listed = [...compilation.world.statuses.values()];
    return namedValues({ title, fields: [id], listed }, compilation);
  }),
  {
    names: ['statusCategory'],
    build: (compilation) => {
      const { statuses } = compilation.world;
      const read = (status: FieldContent | undefined) =>
        (isValue(status) ? statuses.get(status.id)?.category : undefined) ?? 'Undefined';
      const source = { ...contentSource('status'), read };
      const values = categoryValues(compilation);
      const category = single('statusCategory', 'status', values, compilation, source);
      // Jira does not ask whether it is filled in.
      return { ...category, operators: ['=', '!=', 'in', 'not in'], history: null };
    },
  },
  personField('assignee'),
  personField('reporter'),
  {
    names: ['creator'],
    // The creator never changes, so a cut history is no reason for doubt.
    build: (compilation) => {
      const source = { ...contentSource('creator'), always: true };
      return single('creator', 'creator', userValues(compilation, 'creator', 'creator'), compilation, source);
    },
  },
  field(['issuetype', 'type', 'issue type'], 'issuetype', issueTypeValues),
  field(['priority'], 'priority', priorityValues, comparable),
  field(['resolution'], 'resolution', resolutionValues),
  field(['level', 'security'], 'security', valuesByName),
  field(['labels'], 'labels', labelValues, several),
  field(['component', 'components'], 'components', valuesByName, several),
  field(['fixVersion', 'fixVersions'], 'fixVersions', versionValues, several),
  field(
    ['affectedVersion', 'affectsVersion', 'affectsVersions', 'versions'],
    'versions',
    versionValues,
    several,
  ),
  {
    names: ['sprint'],
    build: (compilation) => {
      const fields = sprintFields(compilation.world);
      return {
        title: 'sprint',
        operators: equality,
        values: sprintValues(fields, compilation),
        read: readSprints(compilation.world),
        source: { kind: 'contents', of: sprintSources(compilation.world) },
        history: null,
      };
    },
  },
  field(['parent'], 'parent', parentValues),
  text('summary'),
  text('description'),
  text('environment'),
  instant('created', 'createdDate', ({ issue }) => issue.created),
  instant('updated', 'updatedDate', readUpdated),
  instant('resolved', 'resolutiondate', readResolved),
  finished,
  field(['due', 'duedate'], 'duedate', (compilation, title) => dateValues(compilation, title), comparable),
  {
    names: ['statusCategoryChangedDate', STATUS_CATEGORY_CHANGED],
    needs: STATUS_CATEGORY_CHANGED,
    build: (compilation) => {
      const title = 'statusCategoryChangedDate';
      const { world } = compilation;
      const date = unlogged(title, STATUS_CATEGORY_CHANGED, dateValues(compilation, title), compilation);
      // The tracker gives the last time only.
      return { ...date, read: (then) => (world.now < then.issue.updated ? UNCERTAIN : date.read(then)) };
    },
  },
  duration(['timeSpent'], 'timespent'),
  duration(['originalEstimate', 'timeOriginalEstimate'], 'timeoriginalestimate'),
  duration(['remainingEstimate', 'timeEstimate'], 'timeestimate'),
  duration(['aggregateTimeSpent'], 'aggregatetimespent'),
  duration(['aggregateTimeOriginalEstimate'], 'aggregatetimeoriginalestimate'),
  duration(['aggregateTimeEstimate'], 'aggregatetimeestimate'),
  {
    names: ['workRatio'],
    needs: 'workratio',
    build: (compilation) => {
      // Jira writes -1 where nothing was estimated.
      const read = (content: FieldContent = null) =>
        typeof content === 'number' && content < 0 ? null : content;
      const source = { ...contentSource('workratio'), read };
      return unlogged('workRatio', 'workratio', numberValues(compilation, 'workRatio'), compilation, source);
    },
  },
  count(['votes'], 'votes'),
  count(['watchers', 'watches'], 'watches'),
  {
    names: ['Epic Link'],
    unlisted: true,
    build: (compilation) => {
      const { fields } = compilation.world.directory;
      const epic = fields.find(({ name }) => name.trim().toLowerCase() === 'epic link');
      // Jira Cloud has merged the epic into the parent.
      const id = epic?.id ?? 'parent';
      return single('Epic Link', id, parentValues(compilation, 'Epic Link', id), compilation);
    },
  },
];

/** The field every tracker has of this name, which is in lower case. */
export function systemField(wanted: string): SystemField | undefined {
  return systemFields.find(({ names }) => names.some((one) => one.toLowerCase() === wanted));
}

/** A field that is the tracker's with an id, of values of one kind, which goes by the first of its names. */
function field(
  names: SystemField['names'],
  id: string,
  values: (compilation: Compilation, title: string, id: string) => Values,
  shape: FieldShape = single,
): SystemField {
  const [title] = names;
  return { names, build: (compilation) => shape(title, id, values(compilation, title, id), compilation) };
}

function valuesByName(compilation: Compilation, title: string, id: string): Values {
  return namedValues({ title, fields: [id] }, compilation);
}

/** A field of a person, with an id. */
export function personField(id: string): SystemField {
  return field([id], id, userValues);
}

function text(id: string): SystemField {
  return { names: [id], build: (compilation) => textField(id, id, compilation, true) };
}

function duration(names: SystemField['names'], id: string): SystemField {
  return { ...field(names, id, durationValues, comparable), needs: id };
}

/** A field whose value is a number, such as that of votes: Jira logs no changes of it. */
function count(names: SystemField['names'], id: string): SystemField {
  return { ...field(names, id, numberValues, unlogged), needs: id };
}
