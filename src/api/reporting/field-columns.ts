import { dayText, instantFields, instantText } from '../../engine/content-as-of.ts';
import { computedFields } from '../../engine/own-cells.ts';
import { rememberByChunk } from '../../issues/issue-chunks.ts';
import type { Directory } from '../../model/directory.ts';
import { badRequest } from '../../model/error.ts';
import type { Issue } from '../../model/issue.ts';
import type { Column } from '../../model/table.ts';

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

/** What fields some issues have, and those a change mentions beside them. */
interface KnownFields {
  readonly contents: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
  readonly kindOf: (id: string) => 'text' | 'day' | 'instant';
}

/** The ids of all fields of these issues; remembered as long as the array lives. */
export const knownFields: (issues: readonly Issue[]) => KnownFields = rememberByChunk(meet, join);

type Met = Pick<KnownFields, 'contents' | 'changed'>;

function meet(issues: readonly Issue[]): Met {
  const contents = new Set<string>();
  const changed = new Set<string>();
  for (const issue of issues) {
    for (const id in issue.fields) contents.add(id);
    for (const { field } of issue.changes) changed.add(field);
  }
  return { contents, changed };
}

function join(parts: readonly Met[], issues: readonly Issue[]): KnownFields {
  const contents = new Set(parts.flatMap((part) => [...part.contents]));
  const changed = new Set(parts.flatMap((part) => [...part.changed]));
  const kinds = new Map<string, ReturnType<KnownFields['kindOf']>>();
  const kindOf = (id: string) => {
    const kind = kinds.get(id) ?? kindOfContents(id, issues);
    kinds.set(id, kind);
    return kind;
  };
  return { contents, changed, kindOf };
}

/** How many contents of a field are looked at to learn what it holds. */
const LOOKED_AT = 100;

/** Trackers do not tell the type of a field beside its content, so the content must: days and times are written alike. */
function kindOfContents(id: string, issues: readonly Issue[]): 'text' | 'day' | 'instant' {
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
