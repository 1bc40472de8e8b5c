import { computedFields } from '../../engine/computed-fields.ts';
import { dayText, instantFields, instantText } from '../../engine/field-cell.ts';
import type { Directory } from '../../model/directory.ts';
import { badRequest } from '../../model/error.ts';
import type { Issue } from '../../model/issue.ts';
import type { Column, ColumnKind } from '../../model/table.ts';
import { knownFields } from './known-fields.ts';

/** Titles of the fields every Jira has; any other field is shown under the name its tracker tells, or its id. */
const titles = new Map(
  Object.entries({
    assignee: 'Assignee',
    components: 'Components',
    created: 'Created',
    creator: 'Creator',
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
  const known = [...knownFields(issues).contents, ...computedFields.map((field) => field.id)];
  return resolveFields(parameter, asked, known, directory)
    .filter((id) => part === 'group' || id !== 'summary')
    .map((id) => {
      const computed = computedFields.find((field) => field.id === id);
      return {
        id,
        title: computed?.title ?? titleOf(id, directory),
        kind: computed?.kind ?? kindOf(id, issues),
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
  return resolveFields('historyFields', asked, [...contents, ...changed], directory).map((id) => ({
    id,
    title: titleOf(id, directory),
    kind: 'duration',
    part: 'value',
  }));
}

/** How many contents of a field are looked at to learn what it holds. */
const LOOKED_AT = 100;

/** Trackers do not tell the type of a field beside its content, so the content must: days and times are written alike. */
function kindOf(id: string, issues: readonly Issue[]): ColumnKind {
  if (instantFields.includes(id)) return 'instant';
  const seen: string[] = [];
  for (const { fields } of issues) {
    const content = Object.hasOwn(fields, id) ? fields[id] : null;
    if (content === null || content === undefined || content === '') continue;
    if (typeof content !== 'string') return 'text';
    seen.push(content);
    if (seen.length === LOOKED_AT) break;
  }
  if (seen.length === 0) return 'text';
  if (seen.every((text) => dayText.test(text))) return 'day';
  return seen.every((text) => instantText.test(text)) ? 'instant' : 'text';
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
  const byLowerCase = new Map(known.map((id) => [titleOf(id, directory).toLowerCase(), id]));
  for (const id of known) byLowerCase.set(id.toLowerCase(), id);
  const ids = asked.map((field) => {
    const id = byLowerCase.get(field.toLowerCase());
    if (id !== undefined) return id;
    const allowed = [...new Set(known)].sort().join(', ');
    throw badRequest(`${parameter} '${field}' is not a field of these issues; allowed: ${allowed}.`);
  });
  return [...new Set(ids)];
}
