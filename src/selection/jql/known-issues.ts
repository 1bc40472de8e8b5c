import type { ColumnArrays } from '../../engine/columns/column-arrays.ts';
import { ISSUE_ID } from '../../engine/columns/held-fields.ts';
import type { IssueColumns } from '../../engine/columns/issue-columns.ts';
import { FIRST_VALUE } from '../../engine/columns/value-codes.ts';
import { isVisible, sees, type Visibility } from '../../engine/columns/visibility.ts';
import type { FieldContent, FieldValue } from '../../model/issue.ts';
import { projectKeyOf } from '../../model/issues/issue-fields.ts';
import { noMentions, type SingleMentions } from '../../model/issues/single-mentions.ts';
import { isSet, isValue, splitValue } from '../../model/issues/value-sets.ts';
import type { KnownIssues, KnownProjects, ObservedField, RedactContent } from './jql.ts';
import { nameAll } from './values.ts';

/**
 * The words of the issues that a principal can see, from the dictionaries of columns: looked up once for as long as neither
 * changes. `single` is what the issues mention that can be seen although others of their access class cannot; `rows` are
 * those of all issues that can be seen, the issue created last being the first.
 */
export function knownIssues(
  columns: IssueColumns,
  visibility: Visibility,
  rows: () => Uint32Array,
  single: SingleMentions = noMentions,
): KnownIssues {
  const seenClasses = columns.classes.all.filter(
    ({ issues }, code) => issues > 0 && (visibility.all || visibility.classes[code] === sees.everything),
  );
  const mentions = (part: 'authors' | 'fields' | 'changed') =>
    new Set([...seenClasses, single].flatMap((one) => [...one[part]]));
  const observed = new Map<string, ObservedField>();
  const sources: KnownSources = { columns, visibility, single, rows };
  const arrays = once(() => columns.arrays());
  const irregular = once(() => irregularRows(columns, visibility));
  return {
    observed(field, redact) {
      if (redact !== undefined) return observe(field, sources, redact);
      const known = observed.get(field) ?? observe(field, sources, (content) => content);
      observed.set(field, known);
      return known;
    },
    authors: once(() => nameAll([...mentions('authors')].map((id) => ({ id, name: id })))),
    fieldIds: once(() => mentions('fields')),
    changedFields: once(() => mentions('changed')),
    projects: once(() => projectsOf(sources)),
    haveIds: () =>
      columns.isTooLong(ISSUE_ID) ||
      (columns.hasField(ISSUE_ID) && columns.values(ISSUE_ID).size > FIRST_VALUE),
    rowsOfId: (id) => rowsOfId(id, sources),
    rowsOfKey: (key) => [
      ...new Set([...regularRows(key, sources, arrays()), ...(irregular().get(key) ?? [])]),
    ],
  };
}

interface KnownSources {
  readonly columns: IssueColumns;
  readonly visibility: Visibility;
  readonly single: SingleMentions;
  /** The rows, the issue created last being the first. */
  readonly rows: () => Uint32Array;
}

/** Makes a function that finds something once. */
export function once<Found>(find: () => Found): () => Found {
  let found: { readonly value: Found } | null = null;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

const MAX_TEXTS = 1_000;

function observe(field: string, sources: KnownSources, redact: RedactContent): ObservedField {
  const values = new Map<string, FieldValue>();
  const texts = new Set<string>();
  let lists = false;
  let numbers = false;
  const add = (value: FieldValue) => {
    const key = `${value.id}\n${value.name}`;
    if (!values.has(key)) values.set(key, value);
  };
  for (const whole of contentsIn(field, sources)) {
    const content = redact(whole);
    if (content === null || content === '') continue;
    if (typeof content === 'number') numbers = true;
    else if (typeof content === 'string') {
      if (texts.size < MAX_TEXTS) texts.add(content);
    } else if ('length' in content) {
      lists = true;
      for (const one of content) add(one);
    } else add(content);
  }
  const former = texts.size > 0 || numbers ? [] : formerIn(field, sources, redact);
  return {
    today: nameAll(values.values()),
    // A change has a list as one value; a query names the values in it.
    former: nameAll(lists || isSet(field) ? former.flatMap((value) => splitValue(value)) : former),
    lists,
    values: values.size > 0,
    numbers,
    texts,
  };
}

/** The different contents the issues have of a field, in the order in which they were created. */
function contentsIn(field: string, { columns, rows }: KnownSources): readonly FieldContent[] {
  if (!isMentioned(field, columns)) return [];
  const { codes, values } = columns.field(field);
  const isFound = new Uint8Array(values.size);
  const contents: FieldContent[] = [];
  const all = rows();
  for (let i = all.length - 1; i >= 0; i -= 1) {
    const code = codes[all[i] ?? 0] ?? 0;
    if (isFound[code] === 1) continue;
    isFound[code] = 1;
    contents.push(values.at(code) ?? null);
  }
  return contents;
}

/** The values that changes of a field mention. */
function formerIn(
  field: string,
  { columns, visibility, single }: KnownSources,
  redact: RedactContent,
): readonly FieldValue[] {
  const found: FieldValue[] = [];
  const add = (content: FieldContent | undefined) => {
    const value = content === undefined ? null : redact(content);
    if (isValue(value)) found.push(value);
  };
  if (isMentioned(field, columns)) {
    const { former, values } = columns.field(field);
    const codes = new Set<number>();
    for (const [accessClass, { issues }] of columns.classes.all.entries()) {
      const isSeen = visibility.all || visibility.classes[accessClass] === sees.everything;
      if (issues > 0 && isSeen) for (const code of former[accessClass] ?? []) codes.add(code);
    }
    for (const code of codes) add(values.at(code));
  }
  for (const value of single.former(field)) add(value);
  return found;
}

/** Returns true where an issue has a field, or once had: no column is needed of others. */
export function isMentioned(field: string, columns: IssueColumns): boolean {
  return (
    columns.hasField(field) ||
    columns.classes.all.some(({ fields, changed }) => fields.has(field) || changed.has(field))
  );
}

/** In the order in which their first issues were created. */
function projectsOf({ columns, rows }: KnownSources): KnownProjects {
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
    if (!isValue(project)) continue;
    const { id, name } = project;
    named.set(`${key}\n${id}\n${name}`, { id: key, name });
    named.set(`${key}\n${id}`, { id: key, name: id });
  }
  return { byKey: nameAll(keys.values()), named: nameAll(named.values()) };
}

/** The rows of keys that are a project's key and a number; hardly any project is spelled in small letters. */
function regularRows(
  key: string,
  { columns, visibility }: KnownSources,
  arrays: ColumnArrays,
): readonly number[] {
  const project = projectKeyOf({ key });
  const number = key.slice(project.length);
  return columns.projectKeys
    .filter((one) => one.toUpperCase() === project)
    .map((one) => columns.rowOf(one + number))
    .filter((row) => row >= 0 && isVisible(arrays, row, visibility));
}

function rowsOfId(id: string, { columns, rows }: KnownSources): readonly number[] {
  if (!columns.hasField(ISSUE_ID)) return [];
  const { codes, values } = columns.field(ISSUE_ID);
  const code = values.find(id);
  return code < FIRST_VALUE ? [] : [...rows().filter((row) => codes[row] === code)];
}

/** Rows of all other keys, by the key in capitals. */
function irregularRows(
  columns: IssueColumns,
  visibility: Visibility,
): ReadonlyMap<string, readonly number[]> {
  const arrays = columns.arrays();
  const found = new Map<string, number[]>();
  for (const [key, row] of columns.irregularKeys) {
    if (!isVisible(arrays, row, visibility)) continue;
    found.set(key.toUpperCase(), [...(found.get(key.toUpperCase()) ?? []), row]);
  }
  return found;
}
