import { dayText, instantFields, instantText } from '../../engine/content-as-of.ts';
import { computedFields } from '../../engine/own-cells.ts';
import { contentOf } from '../../issues/issue-fields.ts';
import type { Directory } from '../../model/directory.ts';
import { about, badRequest } from '../../model/error.ts';
import type { FieldContent, Issue } from '../../model/issue.ts';
import type { Column } from '../../model/table.ts';
import type { SeenIssues } from './seen-issues.ts';

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

/** The asked-for fields as columns of a part; `fields` are those the issues may have. */
export async function fieldColumns(
  part: 'field' | 'group',
  asked: readonly string[],
  { contents, kindOf }: KnownFields,
  directory: Directory,
): Promise<Column[]> {
  if (asked.length === 0) return [];
  const parameter = part === 'field' ? 'fields' : 'groupByFields';
  const known = [...contents, ...computedFields.map((field) => field.id), ...namedFields(directory)];
  const columns: Column[] = [];
  for (const id of resolveFields(parameter, asked, known, directory)) {
    if (part === 'field' && id === 'summary') continue;
    const computed = computedFields.find((field) => field.id === id);
    const title = computed?.title ?? titleOf(id, directory);
    columns.push({ id, title, kind: computed?.kind ?? (await kindOf(id)), part });
  }
  return columns;
}

/** The fields whose history is asked for: those the issues have, and those a change mentions. */
export function historyFieldColumns(
  asked: readonly string[],
  { contents, changed }: KnownFields,
  directory: Directory,
): Column[] {
  if (asked.length === 0) return [];
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
 * the principal's mistake and is named.
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
        about(
          parameter,
          `'${field}' is the name of several fields; allowed: one of the ids ${[only, ...others].join(', ')}.`,
        ),
      );
    }
    const allowed = ids.toSorted().join(', ');
    throw badRequest(about(parameter, `'${field}' is not a field of these issues; allowed: ${allowed}.`));
  });
  return [...new Set(chosen)];
}

/** Fields every issue could have, though none of these may have one. */
function namedFields({ fields }: Directory): string[] {
  return [...titles.keys(), ...fields.map((field) => field.id)];
}

/** What fields some issues have, and those a change mentions beside them. */
export interface KnownFields {
  readonly contents: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
  readonly kindOf: (id: string) => Promise<Kind>;
}

type Kind = 'text' | 'day' | 'instant';

/** The fields of issues that are at hand. */
export function fieldsAtHand(issues: readonly Issue[]): KnownFields {
  const contents = new Set<string>();
  const changed = new Set<string>();
  for (const { fields, changes } of issues) {
    for (const id in fields) contents.add(id);
    for (const { field } of changes) changed.add(field);
  }
  return {
    ...{ contents, changed },
    async kindOf(id) {
      const looking = lookFor(id);
      for (const issue of issues) if (looking.isDone(contentOf(issue, id))) break;
      return looking.kind();
    },
  };
}

/** The fields of all issues that a principal may see. */
export function fieldsSeen(seen: SeenIssues): KnownFields {
  const { fields, changed } = seen.mentioned;
  const kinds = seen.kinds;
  return {
    ...{ contents: fields, changed },
    async kindOf(id) {
      const kind = kinds.get(id) ?? (fields.has(id) ? await kindSeen(id, seen) : lookFor(id).kind());
      kinds.set(id, kind);
      return kind;
    },
  };
}

/** Among so many issues what a field holds is looked for; where it is not found, columns hold the field from then on. */
const MOST_LOADED = 2_000;

/** The issues created first are looked at first. */
async function kindSeen(id: string, { table, rows }: SeenIssues): Promise<Kind> {
  const looking = lookFor(id);
  const { columns } = table;
  if (!columns.hasField(id)) {
    for (let end = rows.length, size = 100; end > 0 && rows.length - end < MOST_LOADED; end -= size) {
      const slice = rows.slice(Math.max(0, end - size), end).reverse();
      for (const issue of await table.load(slice)) {
        if (issue !== null && looking.isDone(contentOf(issue, id))) return looking.kind();
      }
    }
    if (rows.length <= MOST_LOADED) return looking.kind();
    await table.hold(id);
    if (columns.isTooLong(id)) return looking.kind();
  }
  const { codes, values } = columns.field(id);
  const all = lookFor(id);
  for (let i = rows.length - 1; i >= 0; i -= 1) if (all.isDone(values.at(codes[rows[i] ?? 0] ?? 0))) break;
  return all.kind();
}

/** How many contents of a field are looked at to learn what it holds. */
const LOOKED_AT = 100;

/** Trackers do not tell the type of a field beside its content, so the content must: days and times are written alike. */
function lookFor(id: string): {
  /** Looks at one content; whether no other need be looked at. */
  isDone(content: FieldContent | undefined): boolean;
  kind(): Kind;
} {
  const seen: string[] = [];
  let isText = false;
  return {
    isDone(content) {
      if (instantFields.includes(id) || isText) return true;
      if (content === null || content === undefined || content === '') return false;
      if (typeof content === 'string') seen.push(content);
      else isText = true;
      return isText || seen.length === LOOKED_AT;
    },
    kind() {
      if (instantFields.includes(id)) return 'instant';
      if (isText || seen.length === 0) return 'text';
      if (seen.every((text) => dayText.test(text))) return 'day';
      return seen.every((text) => instantText.test(text)) ? 'instant' : 'text';
    },
  };
}
