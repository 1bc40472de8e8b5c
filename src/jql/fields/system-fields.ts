import { projectKeyOf } from '../../issues/issue-fields.ts';
import type { Issue } from '../../model/issue.ts';
import type { Compilation } from '../compilation.ts';
import type { JqlWorld } from '../jql.ts';
import { categoryValues } from '../values/category-values.ts';
import { dateValues } from '../values/date-values.ts';
import { issueKeyValues, parentValues } from '../values/issue-key-values.ts';
import { issueTypeValues } from '../values/issue-type-values.ts';
import { labelValues } from '../values/label-values.ts';
import { namedValues } from '../values/named-values.ts';
import { priorityValues } from '../values/priority-values.ts';
import { projectValues } from '../values/project-values.ts';
import { resolutionValues } from '../values/resolution-values.ts';
import { sprintValues } from '../values/sprint-values.ts';
import { textValues } from '../values/text-values.ts';
import { userValues } from '../values/user-values.ts';
import { type Content, type Field, UNCERTAIN } from './field.ts';
import { readContent, readList } from './read-content.ts';
import { readResolved, readUpdated } from './read-instants.ts';
import { readSprints, sprintFields } from './sprint-fields.ts';
import { equality, filled, order, past, search } from './takes.ts';

/** A field every tracker has, by all the names queries call it. */
export interface SystemField {
  readonly names: readonly [string, ...string[]];
  readonly build: (compilation: Compilation) => Field;
}

/** Which operators a field takes follows Jira's documentation, but for WAS and CHANGED. */
export const systemFields: readonly SystemField[] = [
  {
    names: ['key', 'issuekey', 'issue', 'id'],
    build: (compilation) => ({
      title: 'key',
      operators: [...equality, ...order],
      values: issueKeyValues(compilation),
      read: ({ key }) => key.toUpperCase(),
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
      read: readList(['labels'], compilation.world),
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
    history: id,
  };
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
      read: readList([id], compilation.world),
      history: null,
    }),
  };
}

function text(id: string): SystemField {
  return {
    names: [id],
    build: (compilation) => ({
      title: id,
      operators: [...search, 'changed'],
      values: textValues(id, compilation),
      read: readContent(id, compilation.world),
      history: id,
    }),
  };
}

function instant(
  title: string,
  others: readonly string[],
  read: (issue: Issue, world: JqlWorld) => Content,
): SystemField {
  return {
    names: [title, ...others],
    build: (compilation) => ({
      title,
      operators: [...equality, ...order],
      values: dateValues(title, compilation),
      read: (issue) => read(issue, compilation.world),
      history: null,
    }),
  };
}

function readCategory(world: JqlWorld): Field['read'] {
  const readStatus = readContent('status', world);
  return (issue) => {
    const status = readStatus(issue);
    if (status === UNCERTAIN) return UNCERTAIN;
    const id = status !== null && typeof status === 'object' && 'id' in status ? status.id : null;
    return (id === null ? undefined : world.statuses.get(id)?.category) ?? 'Undefined';
  };
}
