import { createHash } from 'node:crypto';
import { createYieldIfDue, detached } from '../../concurrency/cooperative-yield.ts';
import type { AccessClass } from '../../engine/columns/access-classes.ts';
import type { RowFacts } from '../../engine/columns/choose-rows.ts';
import { RowLists, sees, type Visibility } from '../../engine/columns/visibility.ts';
import type { IssueTable } from '../../mirror/issue-table.ts';
import type { FieldContent, Issue } from '../../model/issue.ts';
import { MentionCodes, type SingleMentions } from '../../model/issues/single-mentions.ts';
import { isValue } from '../../model/issues/value-sets.ts';
import type { Principal } from '../../model/request.ts';
import type { KnownIssues } from '../jql/jql.ts';
import { knownIssues, once } from '../jql/known-issues.ts';
import { compileVisibility, putLast, type Rights, rightsOf } from './access-rules.ts';
import {
  type OddRows,
  oddRowsOf,
  readRows,
  type SingleRows,
  singleRows,
  stillRestricted,
  withSingles,
} from './single-rows.ts';

/** The issues a principal can see, for one version of the columns. */
export interface VisibleIssues {
  readonly table: IssueTable;
  /** The version of the columns that they were found for. */
  readonly version: number;
  readonly visibility: Visibility;
  /** The rows of all of them, the one created last being the first; made when they are needed. */
  readonly rows: () => Uint32Array;
  /** The same of one project (its key, upper case); of classes that are seen as a whole, or only the others. */
  readonly rowsIn: (project: string, classes?: 'open' | 'restricted') => Uint32Array;
  /** The rows of those whose access class cannot be seen as a whole. */
  readonly restricted: readonly number[];
  readonly count: number;
  /** These are all there are. */
  readonly isWhole: boolean;
  readonly mentioned: Mentioned;
  /** The same for queries. */
  readonly known: KnownIssues;
  /** The kinds of content that fields hold, as far as they are known. */
  readonly kinds: Map<string, ContentKind>;
  /** The contents of fields that the principal cannot read, as far as they are known. */
  readonly hidden: Map<string, Promise<HiddenField | null>>;
  /** The facts of all of them together, once they have been requested. */
  readonly facts: { ofAll: { readonly rows: Uint32Array; readonly found: Promise<RowFacts> } | null };
}

/** The kind of content that a field holds; `unsupported` if its form cannot be shown. */
export type ContentKind = 'text' | 'day' | 'instant' | 'unsupported';

/** The contents of one field of the visible issues that a principal cannot read. */
export interface HiddenField {
  readonly closed: ClosedKeys;
  /** Codes of the field's contents in which something is hidden. */
  readonly codes: ReadonlySet<number>;
}

/** The keys in one field that a principal cannot read. */
export interface ClosedKeys {
  /** Upper case. */
  readonly keys: ReadonlySet<string>;
  /** Ids of issues with these keys, as far as they are here. */
  readonly ids: ReadonlySet<string>;
  /** The field holds issues and nothing else. */
  readonly refers: boolean;
}

/**
 * The things that the visible issues mention; a principal learns no more than that of other issues. Members are ids
 * unless described otherwise.
 */
export interface Mentioned {
  /** Classes all of whose issues are visible, by their codes. */
  readonly classes: ReadonlyMap<number, AccessClass>;
  /** The mentions of visible issues that are not of these classes, or that columns cannot speak for. */
  readonly others: SingleMentions;
  /** The fields they have, and those their changes mention. */
  readonly fields: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
  /** The statuses they are or were in. */
  readonly statuses: () => ReadonlySet<string>;
  readonly people: () => ReadonlySet<string>;
}

/** The number of effects of rights for which visible issues are cached; their rows are bounded by bytes. */
const MAX_CACHED = 64;

/** The mentions of single issues are cached for this many rows, and in texts of this many letters. */
const MAX_SINGLES = 2 ** 18;
const MAX_LETTERS = 2 ** 25;

/** The mentions of single issues of a table, for all who see some of them. */
interface KnownSingles {
  readonly table: IssueTable;
  readonly codes: MentionCodes;
  /** By row, of those that were not written to up to a version of the columns. */
  readonly byRow: Map<number, readonly number[]>;
  version: number;
}

/** The cached facts of one table, for all principals. */
interface KnownTable {
  readonly table: IssueTable;
  readonly lists: RowLists;
  odd: OddRows | null;
  /** By the effect of rights, the one used last being the last. */
  readonly effects: Map<string, KnownEffect>;
}

/** The issues that principals with rights of one effect see. */
interface KnownEffect {
  readonly version: number;
  readonly found: Promise<{ readonly visible: VisibleIssues; readonly single: SingleRows }>;
}

/**
 * Finds the issues of a table that a principal with these rights sees: once for all whose rights come to the same, and
 * after a change by the rows that were written to. Lists of rows take `maxBytes` together.
 */
export function createVisibleIssues(
  maxBytes?: number,
): (table: IssueTable, principal: Principal, rights: Rights) => Promise<VisibleIssues> {
  let singles: KnownSingles | null = null;
  let known: KnownTable | null = null;
  const singlesOf = (table: IssueTable): KnownSingles => {
    const isGood =
      singles?.table === table && singles.byRow.size <= MAX_SINGLES && singles.codes.letters <= MAX_LETTERS;
    if (singles === null || !isGood) {
      singles = { table, codes: new MentionCodes(), byRow: new Map(), version: table.columns.version };
    }
    return singles;
  };
  return async (table, principal, rights) => {
    // Columns that others have replaced are let go.
    if (known?.table !== table) {
      known = { table, lists: new RowLists(table.columns, maxBytes), odd: null, effects: new Map() };
    }
    const { lists, effects } = known;
    const { version } = table.columns;
    const visibility = compileVisibility(principal, rights, table.columns);
    const { key } = visibility;
    known.odd = oddRowsOf(table, known.odd);
    const oddRows = known.odd.rows;
    const before = effects.get(key);
    const find = async () => {
      const single = (await before?.found.catch(() => undefined))?.single;
      const changed = { single, since: before?.version ?? 0, oddRows, maySee: rightsOf(principal, rights) };
      const now = await singleRows(table, visibility, changed);
      const found = { version, single: now, lists, singles: singlesOf(table) };
      return { visible: await findVisible(table, visibility, found), single: now };
    };
    // The one who asked first may leave; others with the same rights still wait.
    const entry = before?.version === version ? before : { version, found: detached(find) };
    putLast(effects, key, entry, MAX_CACHED);
    entry.found.catch(() => effects.get(key) === entry && effects.delete(key));
    return (await entry.found).visible;
  };
}

/** The issues that can be seen now, with those that are decided row by row. */
async function findVisible(
  table: IssueTable,
  compiled: Visibility,
  {
    version,
    single: { odd, restricted: found, others },
    lists,
    singles,
  }: {
    readonly version: number;
    readonly single: SingleRows;
    readonly lists: RowLists;
    readonly singles: KnownSingles;
  },
): Promise<VisibleIssues> {
  const { columns } = table;
  const visibility = withSingles(compiled, odd);
  const { all, classes: whole } = visibility;
  const classes = new Map(
    columns.classes.all.flatMap((one, code) =>
      one.issues > 0 && (all || whole[code] === sees.everything) ? [[code, one]] : [],
    ),
  );
  const restrictedNow = stillRestricted(columns, visibility, { version, rows: found });
  const restricted = restrictedNow();
  let count = restricted.length;
  for (const { issues } of classes.values()) count += issues;
  const isWhole = count === columns.size;
  const single = await mentionsOf(others, singles);
  const rows = () => lists.rowsOf(visibility, restrictedNow());
  const rowsIn: VisibleIssues['rowsIn'] = (project, part) => {
    if (part === 'open') return lists.rowsOf(visibility, [], project);
    const { accessClass } = columns.arrays();
    const isIn = columns.classes.all.map(({ projectKey }) => projectKey.toUpperCase() === project);
    const more = restrictedNow().filter((row) => isIn[accessClass[row] ?? 0] === true);
    if (part === undefined) return lists.rowsOf(visibility, more, project);
    return Uint32Array.from(more.toSorted((a, b) => columns.compareByCreation(b, a)));
  };
  return {
    table,
    version,
    visibility,
    rows,
    rowsIn,
    restricted,
    count,
    isWhole,
    kinds: new Map(),
    hidden: new Map(),
    facts: { ofAll: null },
    mentioned: mentionedIn(table, rows, classes, single),
    known: knownIssues(columns, visibility, rows, single),
  };
}

/**
 * The mentions of the issues of some rows. Only those that were written to since they were read last are read: for a
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
    const pause = pace();
    if (pause !== null) await pause;
    all.add(found.get(row) ?? []);
  }
  return all.mentions();
}

function mentionedIn(
  table: IssueTable,
  rows: () => Uint32Array,
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
    classes,
    others,
    fields: all('fields'),
    changed: all('changed'),
    statuses: once(() => addIds(new Set(others.statuses), 'status')),
    people: once(() => peopleFields.reduce(addIds, all('authors'))),
  };
}

/** Effects by what can be seen, for one version of the columns, then by projects. */
const effects = new WeakMap<Mentioned, Map<string, string>>();

/**
 * The same text for all who see the same issues of some projects (keys, upper case); with `open`, the same of those in
 * classes that are seen as a whole.
 */
export function effectOn(
  { table, mentioned, restricted }: Pick<VisibleIssues, 'table' | 'mentioned' | 'restricted'>,
  projects: readonly string[],
  part?: 'open',
): string {
  const known = effects.get(mentioned) ?? new Map<string, string>();
  effects.set(mentioned, known);
  const name = [part, ...projects].join();
  const before = known.get(name);
  if (before !== undefined) return before;
  const { columns } = table;
  const { accessClass } = columns.arrays();
  const isIn = columns.classes.all.map(({ projectKey }) => projects.includes(projectKey.toUpperCase()));
  const effect = JSON.stringify([
    [...mentioned.classes].flatMap(([code, { projectKey, level, roles }]) =>
      isIn[code] === true ? [[projectKey, level, roles]] : [],
    ),
    part === 'open'
      ? []
      : restricted.filter((row) => isIn[accessClass[row] ?? 0] === true).map((row) => columns.keyOf(row)),
  ]);
  const text = createHash('sha256').update(effect).digest('base64url');
  known.set(name, text);
  return text;
}

/** Fields that hold a person. */
export const peopleFields: readonly string[] = ['assignee', 'reporter', 'creator'];

/** All contents that visible issues have or had of a field that columns hold, each at least once. */
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
  const all = rows();
  for (let i = 0; i < all.length; i += 1) isHeld[codes[all[i] ?? 0] ?? 0] = 1;
  for (const code of classes.keys()) for (const value of former[code] ?? []) isHeld[value] = 1;
  for (let code = 0; code < isHeld.length; code += 1) {
    const content = isHeld[code] === 1 ? values.at(code) : undefined;
    if (content !== undefined) yield content;
  }
  yield* others.former(field);
}

/** The ids of all people these issues mention. */
export function mentionedPeople(issues: readonly Issue[]): ReadonlySet<string> {
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
