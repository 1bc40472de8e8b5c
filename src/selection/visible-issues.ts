import type { AccessClass } from '../columns/access-classes.ts';
import type { RowFacts } from '../columns/choose-rows.ts';
import { rowFlag } from '../columns/column-arrays.ts';
import { sees, type Visibility, visibleRows } from '../columns/visibility.ts';
import { createYieldIfDue, detached, yieldToOthers } from '../concurrency/cooperative-yield.ts';
import { MentionCodes, type SingleMentions } from '../issues/single-mentions.ts';
import type { KnownIssues } from '../jql/jql.ts';
import { knownIssues } from '../jql/known-issues.ts';
import type { IssueTable } from '../mirror/issue-table.ts';
import type { FieldContent, FieldValue, Issue } from '../model/issue.ts';
import type { Principal } from '../model/request.ts';
import { compileVisibility, type Rights, rightsKey, rightsOf } from './access-rules.ts';

/** The issues a principal can see, for one version of the columns. */
export interface VisibleIssues {
  readonly table: IssueTable;
  readonly visibility: Visibility;
  /** The rows of all of them, the one created last being the first. */
  readonly rows: Uint32Array;
  /** These are all there are. */
  readonly isWhole: boolean;
  readonly mentioned: Mentioned;
  /** The same for queries. */
  readonly known: KnownIssues;
  /** What fields hold, as far as it was looked for. */
  readonly kinds: Map<string, 'text' | 'day' | 'instant' | 'unsupported'>;
  /** What the principal cannot read in fields, likewise. */
  readonly hidden: Map<string, Promise<HiddenField | null>>;
  /** What is known of all of them together, once it has been asked for. */
  readonly facts: { ofAll: Promise<RowFacts> | null };
}

/** What a principal cannot read in one field of any visible issue. */
export interface HiddenField {
  readonly closed: ClosedKeys;
  /** Codes of the field's contents in which something is hidden. */
  readonly codes: ReadonlySet<number>;
}

/** What a principal cannot read in one field. */
export interface ClosedKeys {
  /** Upper case. */
  readonly keys: ReadonlySet<string>;
  /** Ids of issues with these keys, as far as they are here. */
  readonly ids: ReadonlySet<string>;
  /** The field holds issues and nothing else. */
  readonly refers: boolean;
}

/** What the visible issues mention: of others as well a principal learns no more than that. Ids, where nothing else is said. */
export interface Mentioned {
  /** Classes all of whose issues are visible, by their codes. */
  readonly classes: ReadonlyMap<number, AccessClass>;
  /** What the visible issues mention that are not of these classes, or that columns cannot speak for. */
  readonly others: SingleMentions;
  /** The fields they have, and those their changes mention. */
  readonly fields: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
  /** The statuses they are or were in. */
  readonly statuses: () => ReadonlySet<string>;
  readonly people: () => ReadonlySet<string>;
}

/** For so many principals the visible issues are cached: four bytes an issue each. */
const MOST_CACHED = 8;

/** Read at a time, some tens of milliseconds. */
export const LOADED_AT_ONCE = 500;

/** What single issues mention is cached of so many rows, and in texts of so many letters. */
const MOST_SINGLES = 2 ** 18;
const MOST_LETTERS = 2 ** 25;

/** What single issues of a table mention, for all who see some of them. */
interface KnownSingles {
  readonly table: IssueTable;
  readonly codes: MentionCodes;
  /** By row, of those that were not written to up to a version of the columns. */
  readonly byRow: Map<number, readonly number[]>;
  version: number;
}

/** What a principal with these rights sees of a table; found once for a version of the columns. */
export function createVisibleIssues(): (
  table: IssueTable,
  principal: Principal,
  rights: Rights,
) => Promise<VisibleIssues> {
  const cached = new Map<string, { readonly version: number; readonly visible: Promise<VisibleIssues> }>();
  let singles: KnownSingles | null = null;
  let latest: IssueTable | null = null;
  const singlesOf = (table: IssueTable): KnownSingles => {
    const isGood =
      singles?.table === table && singles.byRow.size <= MOST_SINGLES && singles.codes.letters <= MOST_LETTERS;
    if (singles === null || !isGood) {
      singles = { table, codes: new MentionCodes(), byRow: new Map(), version: table.columns.version };
    }
    return singles;
  };
  return (table, principal, rights) => {
    const { version } = table.columns;
    // Columns that others have replaced are let go.
    if (table !== latest) cached.clear();
    latest = table;
    const key = rightsKey(principal, rights);
    const known = cached.get(key);
    const entry =
      known?.version === version
        ? known
        : // The one who asked first may leave; others with the same rights still wait.
          { version, visible: detached(() => findVisible(table, principal, rights, singlesOf(table))) };
    cached.delete(key);
    cached.set(key, entry);
    if (cached.size > MOST_CACHED) for (const oldest of cached.keys().take(1)) cached.delete(oldest);
    entry.visible.catch(() => cached.get(key) === entry && cached.delete(key));
    return entry.visible;
  };
}

/** Whether an issue's own people see it where columns cannot speak for it, the issue itself says. */
async function findVisible(
  table: IssueTable,
  principal: Principal,
  rights: Rights,
  singles: KnownSingles,
): Promise<VisibleIssues> {
  const { columns } = table;
  const compiled = compileVisibility(principal, rights, columns);
  const maySee = rightsOf(principal, rights);
  const odd: number[] = [];
  if (compiled.classes.includes(sees.own)) {
    const { flags, rows } = columns.arrays();
    for (let row = 0; row < rows; row += 1) {
      if (((flags[row] ?? 0) & (rowFlag.odd | rowFlag.dead)) === rowFlag.odd) odd.push(row);
    }
  }
  const own = new Set(compiled.singles);
  for (const [row, isSeen] of await readRows(table, odd, maySee)) if (isSeen) own.add(row);
  const visibility = own.size === compiled.singles.size ? compiled : { ...compiled, singles: own };
  const rows = visibleRows(columns, visibility, Number.POSITIVE_INFINITY);
  const { accessClass, flags } = columns.arrays();
  const whole = visibility.classes;
  const others: number[] = [];
  for (const row of rows) {
    const isWhole = whole[accessClass[row] ?? 0] === sees.everything;
    if (!isWhole || ((flags[row] ?? 0) & rowFlag.odd) !== 0) others.push(row);
  }
  const isWhole = rows.length === columns.size;
  const classes = new Map(
    columns.classes.all.flatMap((one, code) =>
      one.issues > 0 && whole[code] === sees.everything ? [[code, one]] : [],
    ),
  );
  const single = await mentionsOf(others, singles);
  return {
    ...{ table, visibility, rows, isWhole, kinds: new Map(), hidden: new Map() },
    facts: { ofAll: null },
    mentioned: mentionedIn(table, rows, classes, single),
    known: knownIssues(columns, visibility, single),
  };
}

/**
 * What the issues of some rows mention. Only those that were written to since they were read last are read: for a
 * principal who sees thousands of single issues it is needed whenever any issue changes.
 */
async function mentionsOf(rows: readonly number[], singles: KnownSingles): Promise<SingleMentions> {
  const { table, codes, byRow } = singles;
  const { columns } = table;
  const { version } = columns;
  const before = columns.writtenSince(singles.version);
  if (before === null) byRow.clear();
  else for (const row of before) byRow.delete(row);
  singles.version = version;
  const found = new Map<number, readonly number[]>();
  const missing: number[] = [];
  for (const row of rows) {
    const own = byRow.get(row);
    if (own === undefined) missing.push(row);
    else found.set(row, own);
  }
  const read = await readRows(table, missing, (issue) => codes.codesOf(issue));
  const meanwhile = columns.writtenSince(version);
  for (const [row, own] of read) {
    found.set(row, own);
    if (meanwhile?.has(row) === false) byRow.set(row, own);
  }
  const all = codes.collect();
  const pace = createYieldIfDue();
  for (const row of rows) {
    const rest = pace();
    if (rest !== null) await rest;
    all.add(found.get(row) ?? []);
  }
  return all.mentions();
}

/** What is made of the issues of some rows that are still there, read a slice at a time. */
async function readRows<Made>(
  table: IssueTable,
  rows: readonly number[],
  make: (issue: Issue) => Made,
): Promise<readonly (readonly [row: number, made: Made])[]> {
  const read: [number, Made][] = [];
  for (let start = 0; start < rows.length; start += LOADED_AT_ONCE) {
    if (start > 0) await yieldToOthers();
    const slice = rows.slice(start, start + LOADED_AT_ONCE);
    for (const [i, issue] of (await table.load(slice)).entries()) {
      if (issue !== null) read.push([slice[i] ?? 0, make(issue)]);
    }
  }
  return read;
}

function mentionedIn(
  table: IssueTable,
  rows: Uint32Array,
  classes: Mentioned['classes'],
  others: SingleMentions,
): Mentioned {
  const all = (part: 'fields' | 'changed' | 'authors') => {
    const ids = new Set<string>();
    for (const one of [...classes.values(), others]) for (const id of one[part]) ids.add(id);
    return ids;
  };
  const addIds = (ids: Set<string>, field: string) => {
    for (const content of contentsSeen({ table, rows, mentioned: { classes, others } }, field)) {
      if (isValue(content)) ids.add(content.id);
    }
    return ids;
  };
  return {
    ...{ classes, others, fields: all('fields'), changed: all('changed') },
    statuses: once(() => addIds(new Set(others.statuses), 'status')),
    people: once(() => peopleFields.reduce(addIds, all('authors'))),
  };
}

/** Fields that hold a person. */
export const peopleFields: readonly string[] = ['assignee', 'reporter', 'creator'];

/** Whether a content is one value, no list and no text. */
export function isValue(content: FieldContent | undefined): content is FieldValue {
  return content !== null && typeof content === 'object' && 'id' in content;
}

/**
 * All contents that visible issues have or had of a field that columns hold, each at least once; fails with
 * `MissingColumn` where they do not hold it.
 */
export function* contentsSeen(
  {
    table,
    rows,
    mentioned: { classes, others },
  }: Pick<VisibleIssues, 'table' | 'rows'> & { readonly mentioned: Pick<Mentioned, 'classes' | 'others'> },
  field: string,
): Generator<FieldContent> {
  const { codes, values, former } = table.columns.field(field);
  const isHeld = new Uint8Array(values.size);
  for (let i = 0; i < rows.length; i += 1) isHeld[codes[rows[i] ?? 0] ?? 0] = 1;
  for (const code of classes.keys()) for (const value of former[code] ?? []) isHeld[value] = 1;
  for (let code = 0; code < isHeld.length; code += 1) {
    const content = isHeld[code] === 1 ? values.at(code) : undefined;
    if (content !== undefined) yield content;
  }
  yield* others.former(field);
}

/** The ids of all people these issues mention. */
export function peopleIn(issues: readonly Issue[]): ReadonlySet<string> {
  const people = new Set<string>();
  for (const { fields, changes } of issues) {
    for (const id of peopleFields) {
      const person = fields[id];
      if (isValue(person)) people.add(person.id);
    }
    for (const { field, from, to, by } of changes) {
      if (by !== null) people.add(by);
      if (peopleFields.includes(field)) for (const one of [from, to]) if (one !== null) people.add(one.id);
    }
  }
  return people;
}

function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | null = null;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}
