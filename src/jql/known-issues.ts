import { IRREGULAR } from '../columns/column-arrays.ts';
import type { IssueColumns } from '../columns/issue-columns.ts';
import { isVisible, sees, type Visibility, visibleRows } from '../columns/visibility.ts';
import { changesOf, projectKeyOf } from '../issues/issue-fields.ts';
import type { FieldContent, FieldValue, Issue } from '../model/issue.ts';
import type { KnownIssues, KnownProjects, Met, TellContent } from './jql.ts';
import { nameAll } from './values.ts';

/**
 * What the issues somebody may see mention, from the dictionaries of columns: looked up once for as long as neither
 * changes. `single` are the issues of `singleRows`: of what their classes mention nothing is known but what they do.
 */
export function knownIssues(
  columns: IssueColumns,
  visibility: Visibility,
  single: readonly Issue[] = [],
): KnownIssues {
  const seen = columns.classes.all.filter(
    ({ issues }, code) => issues > 0 && (visibility.all || visibility.classes[code] === sees.everything),
  );
  const rows = once(() => visibleRows(columns, visibility, Number.POSITIVE_INFINITY));
  const met = new Map<string, Met>();
  const scene: SeenIssues = { columns, visibility, single, rows };
  const irregular = once(() => irregularRows(columns, visibility));
  return {
    met(field, tell) {
      if (tell !== undefined) return meet(field, scene, tell);
      const known = met.get(field) ?? meet(field, scene, (content) => content);
      met.set(field, known);
      return known;
    },
    authors: once(() => {
      const ids = new Set(seen.flatMap(({ authors }) => [...authors]));
      for (const { changes } of single) for (const { by } of changes) if (by !== null) ids.add(by);
      return nameAll([...ids].map((id) => ({ id, name: id })));
    }),
    fieldIds: once(() => {
      const ids = new Set(seen.flatMap(({ fields }) => [...fields]));
      for (const { fields } of single) for (const field of Object.keys(fields)) ids.add(field);
      return ids;
    }),
    projects: once(() => projectsOf(scene)),
    rowsOfKey: (key) => [...new Set([...regularRows(key, scene), ...(irregular().get(key) ?? [])])],
  };
}

/** The rows somebody may see though not all of their access class: their issues have to be asked what they mention. */
export function singleRows(columns: IssueColumns, visibility: Visibility): Uint32Array {
  const { classes, all } = visibility;
  if (all) return new Uint32Array();
  const { accessClass } = columns.arrays();
  return visibleRows(columns, visibility, Number.POSITIVE_INFINITY).filter(
    (row) => classes[accessClass[row] ?? 0] !== sees.everything,
  );
}

interface SeenIssues {
  readonly columns: IssueColumns;
  readonly visibility: Visibility;
  readonly single: readonly Issue[];
  /** The rows, the issue created last being the first. */
  readonly rows: () => Uint32Array;
}

function once<Found>(find: () => Found): () => Found {
  let found: { readonly value: Found } | null = null;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

const MOST_TEXTS = 1_000;

function meet(field: string, scene: SeenIssues, tell: TellContent): Met {
  const values = new Map<string, FieldValue>();
  const texts = new Set<string>();
  let lists = false;
  let numbers = false;
  const add = (value: FieldValue) => {
    const key = `${value.id}\n${value.name}`;
    if (!values.has(key)) values.set(key, value);
  };
  for (const held of contentsIn(field, scene)) {
    const content = tell(held);
    if (content === null || content === '') continue;
    if (typeof content === 'number') numbers = true;
    else if (typeof content === 'string') {
      if (texts.size < MOST_TEXTS) texts.add(content);
    } else if ('length' in content) {
      lists = true;
      for (const one of content) add(one);
    } else add(content);
  }
  const plain = texts.size > 0 || numbers;
  return {
    today: nameAll(values.values()),
    former: nameAll(lists || plain ? [] : formerIn(field, scene, tell)),
    lists,
    values: values.size > 0,
    numbers,
    texts,
  };
}

/** The different contents the issues have of a field, in the order in which they were created. */
function contentsIn(field: string, { columns, rows }: SeenIssues): readonly FieldContent[] {
  if (!isMentioned(columns, field)) return [];
  const { codes, values } = columns.field(field);
  const met = new Uint8Array(values.size);
  const contents: FieldContent[] = [];
  const all = rows();
  for (let i = all.length - 1; i >= 0; i -= 1) {
    const code = codes[all[i] ?? 0] ?? 0;
    if (met[code] === 1) continue;
    met[code] = 1;
    contents.push(values.at(code) ?? null);
  }
  return contents;
}

/** The values that changes of a field mention. */
function formerIn(
  field: string,
  { columns, visibility, single }: SeenIssues,
  tell: TellContent,
): readonly FieldValue[] {
  const found: FieldValue[] = [];
  const add = (content: FieldContent | undefined) => {
    const told = content === undefined ? null : tell(content);
    if (told !== null && typeof told === 'object' && 'id' in told) found.push(told);
  };
  if (isMentioned(columns, field)) {
    const { former, values } = columns.field(field);
    const codes = new Set<number>();
    for (const [accessClass, { issues }] of columns.classes.all.entries()) {
      const isSeen = visibility.all || visibility.classes[accessClass] === sees.everything;
      if (issues > 0 && isSeen) for (const code of former[accessClass] ?? []) codes.add(code);
    }
    for (const code of codes) add(values.at(code));
  }
  for (const issue of single) {
    for (const { from, to } of changesOf(issue, field))
      for (const value of [from, to]) add(value ?? undefined);
  }
  return found;
}

/** Whether any issue has a field, or once had: no column is needed of one that none has. */
function isMentioned(columns: IssueColumns, field: string): boolean {
  return (
    columns.hasField(field) ||
    columns.classes.all.some(({ fields, changed }) => fields.has(field) || changed.has(field))
  );
}

/** In the order in which their first issues were created. */
function projectsOf({ columns, rows }: SeenIssues): KnownProjects {
  const { accessClass, fields } = columns.arrays();
  const values = columns.values('project');
  const keys = new Map<string, FieldValue>();
  const named = new Map<string, FieldValue>();
  const last: number[] = [];
  const all = rows();
  for (let i = all.length - 1; i >= 0; i -= 1) {
    const row = all[i] ?? 0;
    const own = accessClass[row] ?? 0;
    const code = fields.project?.[row] ?? 0;
    // Nearly all issues of a project say the same of it.
    if (last[own] === code) continue;
    last[own] = code;
    const key = columns.classes.all[own]?.projectKey ?? '';
    const project = values.at(code);
    keys.set(key, { id: key, name: key });
    if (project === undefined || project === null || typeof project !== 'object' || !('id' in project))
      continue;
    const { id, name } = project;
    named.set(`${key}\n${id}\n${name}`, { id: key, name });
    named.set(`${key}\n${id}`, { id: key, name: id });
  }
  return { byKey: nameAll(keys.values()), named: nameAll(named.values()) };
}

/** The rows of keys that are a project's key and a number; hardly any project is spelled in small letters. */
function regularRows(key: string, { columns, visibility }: SeenIssues): readonly number[] {
  const project = projectKeyOf({ key });
  const number = key.slice(project.length);
  return columns.projectKeys
    .filter((one) => one.toUpperCase() === project)
    .map((one) => columns.rowOf(one + number))
    .filter((row) => row >= 0 && isVisible(columns, row, visibility));
}

/** Rows of all other keys, by the key in capitals. */
function irregularRows(
  columns: IssueColumns,
  visibility: Visibility,
): ReadonlyMap<string, readonly number[]> {
  const { project, rows } = columns.arrays();
  const found = new Map<string, number[]>();
  for (let row = 0; row < rows; row += 1) {
    if (project[row] !== IRREGULAR || !isVisible(columns, row, visibility)) continue;
    const key = columns.keyOf(row).toUpperCase();
    const same = found.get(key);
    if (same === undefined) found.set(key, [row]);
    else same.push(row);
  }
  return found;
}
