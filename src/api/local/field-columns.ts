import { computedFields } from '../../engine/own-cells.ts';
import type { Directory } from '../../model/directory.ts';
import { badRequest } from '../../model/error.ts';
import type { Issue } from '../../model/issue.ts';
import type { Column } from '../../model/table.ts';
import { knownFields } from './known-fields.ts';

/** Titles of the fields every Jira has; any other field is shown under the name its tracker tells, or its id. */
const titles = new Map(
  Object.entries({
    assignee: 'Assignee',
    components: 'Components',
    created: 'Created',
    creator: 'Creator',
    description: 'Description',
    duedate: 'Due Date',
    fixVersions: 'Fix Versions',
    issuetype: 'Issue Type',
    labels: 'Labels',
    parent: 'Parent',
    priority: 'Priority',
    project: 'Project',
    reporter: 'Reporter',
    resolution: 'Resolution',
    resolutiondate: 'Resolved',
    status: 'Status',
    summary: 'Summary',
    updated: 'Updated',
    versions: 'Affects Versions',
  }),
);

/** The asked-for fields as columns of a part; the issues are those that may have them. */
export function fieldColumns(
  part: 'field' | 'group',
  asked: readonly string[],
  issues: readonly Issue[],
  directory: Directory,
): Column[] {
  if (asked.length === 0) return [];
  const parameter = part === 'field' ? 'fields' : 'groupByFields';
  const { contents, kindOf } = knownFields(issues);
  const known = [...contents, ...computedFields.map((field) => field.id), ...namedFields(directory)];
  return resolveFields(parameter, asked, known, directory)
    .filter((id) => part === 'group' || id !== 'summary')
    .map((id) => {
      const computed = computedFields.find((field) => field.id === id);
      return {
        id,
        title: computed?.title ?? titleOf(id, directory),
        kind: computed?.kind ?? kindOf(id),
        part,
      };
    });
}

/** The fields whose history is asked for: those the issues have, and those a change mentions. */
export function historyFieldColumns(
  asked: readonly string[],
  issues: readonly Issue[],
  directory: Directory,
): Column[] {
  if (asked.length === 0) return [];
  const { contents, changed } = knownFields(issues);
  return resolveFields(
    'historyFields',
    asked,
    [...contents, ...changed, ...namedFields(directory)],
    directory,
  ).map((id) => ({
    id,
    title: titleOf(id, directory),
    kind: 'duration',
    part: 'value',
  }));
}

function titleOf(id: string, { fields }: Directory): string {
  return titles.get(id) ?? fields.find((field) => field.id === id)?.name ?? id;
}

/**
 * Ids in their own spelling, each once; a field may also be called by its title. One that none of the issues has is
 * the asker's mistake and is named.
 */
function resolveFields(
  parameter: string,
  asked: readonly string[],
  known: readonly string[],
  directory: Directory,
): string[] {
  const ids = [...new Set(known)];
  const byId = new Map(ids.map((id) => [id.toLowerCase(), id]));
  const byTitle = Map.groupBy(ids, (id) => titleOf(id, directory).toLowerCase());
  const chosen = asked.map((field) => {
    const id = byId.get(field.toLowerCase());
    if (id !== undefined) return id;
    const [only, ...others] = byTitle.get(field.toLowerCase()) ?? [];
    if (only !== undefined && others.length === 0) return only;
    if (only !== undefined) {
      throw badRequest(
        `${parameter} '${field}' is the name of several fields; allowed: one of the ids ${[only, ...others].join(', ')}.`,
      );
    }
    const allowed = ids.toSorted().join(', ');
    throw badRequest(`${parameter} '${field}' is not a field of these issues; allowed: ${allowed}.`);
  });
  return [...new Set(chosen)];
}

/** Fields every issue could have, though none of these may have one. */
function namedFields({ fields }: Directory): string[] {
  return [...titles.keys(), ...fields.map((field) => field.id)];
}
