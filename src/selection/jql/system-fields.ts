import type { FinishStatuses } from '../../engine/columns/finished-rows.ts';
import { flowRows, kindCode } from '../../engine/columns/flow-rows.ts';
import { NO, YES } from '../../engine/columns/row-predicates.ts';
import type { FieldContent } from '../../model/issue.ts';
import { projectKeyOf } from '../../model/issues/issue-fields.ts';
import { dateValues } from './date-values.ts';
import {
  contentSource,
  readResolved,
  readSprints,
  readUpdated,
  sprintFields,
  sprintSources,
} from './field-contents.ts';
import {
  comparable,
  equality,
  filled,
  instant,
  nothing,
  order,
  type SystemField,
  several,
  single,
  text,
  unlogged,
} from './field-kinds.ts';
import { issueKeyValues, parentValues } from './issue-key-values.ts';
import type { JqlWorld } from './jql.ts';
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
import { durationValues, numberValues } from './plain-values.ts';
import { UNCERTAIN, type Window } from './values.ts';

const STATUS_CATEGORY_CHANGED = 'statuscategorychangedate';

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
      read(then) {
        const finish = then.finish();
        return 'at' in finish ? finish.at : finish.unknown;
      },
      source: { kind: 'finished', statuses, empty: { ...within({ from: 0, until: 0 }), empty: YES } },
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
    if (content === null || typeof content !== 'object' || !('id' in content)) continue;
    const { id } = content;
    if (!slotOf.has(id)) slotOf.set(id, slotOf.size + 1);
    slots[code] = slotOf.get(id) ?? 0;
    for (const [i, own] of kinds.entries()) own[code] = kindCode[flows.all[i]?.kindOf(id) ?? 'unknown'];
  }
  return { kinds, slots, flows: flowRows(flows, columns) };
}

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
    build: (compilation) => {
      const read = (status: FieldContent | undefined) => categoryOf(status, compilation.world);
      const source = { ...contentSource('status'), read };
      const values = categoryValues(compilation);
      const field = single('statusCategory', 'status', values, compilation, source);
      return { ...field, operators: filled, history: null };
    },
  },
  person('assignee'),
  person('reporter'),
  {
    names: ['creator'],
    // The creator never changes, so a cut history is no reason for doubt.
    build: (compilation) => {
      const source = { ...contentSource('creator'), always: true };
      return single('creator', 'creator', userValues('creator', 'creator', compilation), compilation, source);
    },
  },
  {
    names: ['issuetype', 'type', 'issue type'],
    build: (compilation) => single('issuetype', 'issuetype', issueTypeValues(compilation), compilation),
  },
  {
    names: ['priority'],
    build: (compilation) =>
      comparable(single('priority', 'priority', priorityValues(compilation), compilation)),
  },
  {
    names: ['resolution'],
    build: (compilation) => single('resolution', 'resolution', resolutionValues(compilation), compilation),
  },
  named('security', ['security'], 'level'),
  {
    names: ['labels'],
    build: (compilation) => several('labels', 'labels', labelValues(compilation), compilation),
  },
  {
    names: ['component', 'components'],
    build: (compilation) => {
      const values = namedValues({ title: 'component', fields: ['components'] }, compilation);
      return several('component', 'components', values, compilation);
    },
  },
  versions('fixVersion', ['fixVersions'], 'fixVersions'),
  versions('affectedVersion', ['affectsVersion', 'affectsVersions', 'versions'], 'versions'),
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
  {
    names: ['parent'],
    build: (compilation) =>
      single('parent', 'parent', parentValues('parent', 'parent', compilation), compilation),
  },
  text('summary'),
  text('description'),
  text('environment'),
  instant('created', ['createdDate'], ({ issue }) => issue.created),
  instant('updated', ['updatedDate'], readUpdated),
  instant('resolved', ['resolutiondate'], readResolved),
  finished,
  {
    names: ['due', 'duedate'],
    build: (compilation) => comparable(single('due', 'duedate', dateValues('due', compilation), compilation)),
  },
  {
    names: ['statusCategoryChangedDate', STATUS_CATEGORY_CHANGED],
    needs: STATUS_CATEGORY_CHANGED,
    build: (compilation) => {
      const title = 'statusCategoryChangedDate';
      const { world } = compilation;
      const values = dateValues(title, compilation);
      const field = unlogged(single(title, STATUS_CATEGORY_CHANGED, values, compilation));
      return {
        ...field,
        // The tracker gives the last time only.
        read: (then) => (world.now < then.issue.updated ? UNCERTAIN : field.read(then)),
      };
    },
  },
  duration('timeSpent', [], 'timespent'),
  duration('originalEstimate', ['timeOriginalEstimate'], 'timeoriginalestimate'),
  duration('remainingEstimate', ['timeEstimate'], 'timeestimate'),
  duration('aggregateTimeSpent', [], 'aggregatetimespent'),
  duration('aggregateTimeOriginalEstimate', [], 'aggregatetimeoriginalestimate'),
  duration('aggregateTimeEstimate', [], 'aggregatetimeestimate'),
  {
    names: ['workRatio'],
    needs: 'workratio',
    build: (compilation) => {
      // Jira writes -1 where nothing was estimated.
      const read = (content: FieldContent = null) =>
        typeof content === 'number' && content < 0 ? null : content;
      const source = { ...contentSource('workratio'), read };
      const values = numberValues('workRatio', compilation);
      return unlogged(single('workRatio', 'workratio', values, compilation, source));
    },
  },
  count('votes', [], 'votes'),
  count('watchers', ['watches'], 'watches'),
  {
    names: ['Epic Link'],
    unlisted: true,
    build: (compilation) => {
      const field = compilation.world.directory.fields.find(
        ({ name }) => name.trim().toLowerCase() === 'epic link',
      );
      // Jira Cloud has merged the epic into the parent.
      const id = field?.id ?? 'parent';
      return single('Epic Link', id, parentValues(id, 'Epic Link', compilation), compilation);
    },
  },
];

/** The field every tracker has of this name, which is in lower case. */
export function systemField(wanted: string): SystemField | undefined {
  return systemFields.find(({ names }) => names.some((one) => one.toLowerCase() === wanted));
}

/** A field of a person, with an id. */
export function person(id: string): SystemField {
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

function versions(title: string, others: readonly string[], id: string): SystemField {
  return {
    names: [title, ...others],
    build: (compilation) => several(title, id, versionValues(title, id, compilation), compilation),
  };
}

function duration(title: string, others: readonly string[], id: string): SystemField {
  return {
    names: [title, ...others],
    needs: id,
    build: (compilation) => comparable(single(title, id, durationValues(title, compilation), compilation)),
  };
}

/** A field whose value is a number, such as that of votes: Jira logs no changes of it. */
function count(title: string, others: readonly string[], id: string): SystemField {
  return {
    names: [title, ...others],
    needs: id,
    build: (compilation) => unlogged(single(title, id, numberValues(title, compilation), compilation)),
  };
}

function categoryOf(status: FieldContent | undefined, { statuses }: JqlWorld): string {
  const isValue = status !== null && typeof status === 'object' && 'id' in status;
  return (isValue ? statuses.get(status.id)?.category : undefined) ?? 'Undefined';
}
