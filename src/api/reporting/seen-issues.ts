import type { AccessClass } from '../../columns/access-classes.ts';
import { rowFlag } from '../../columns/column-arrays.ts';
import { sees, type Visibility, visibleRows } from '../../columns/visibility.ts';
import { createYieldIfDue, detached, yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { MentionCodes, type SingleMentions } from '../../issues/single-mentions.ts';
import type { KnownIssues } from '../../jql/jql.ts';
import { knownIssues } from '../../jql/known-issues.ts';
import type { IssueTable } from '../../mirror/issue-table.ts';
import type { FieldName, PrincipalsDirectory, Sprint } from '../../model/directory.ts';
import type { FieldContent, FieldValue, Instant, Issue, Status, User } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import { closedProjects, compileVisibility, keyOfRights, type Rights, rightsOf } from '../access-rules.ts';

/** The issues a principal may see, for one version of the columns. */
export interface SeenIssues {
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
  readonly kinds: Map<string, 'text' | 'day' | 'instant'>;
  /** What may not be read in fields, likewise. */
  readonly hidden: Map<string, Promise<HiddenField | null>>;
  /** What is known of all of them together, once somebody has asked. */
  readonly facts: { ofAll: Promise<RowFacts> | null };
}

/** What one pass over many rows finds. */
export interface RowFacts {
  /** When the first of the issues was created; later than anything where there are none. */
  readonly born: Instant;
  readonly cutHistories: number;
  /** How many are of each access class. */
  readonly classes: readonly number[];
}

/** What may not be read in one field of any issue the principal may see. */
export interface HiddenField {
  readonly closed: ClosedKeys;
  /** Codes of the field's contents in which something is hidden. */
  readonly codes: ReadonlySet<number>;
}

/** What a principal may not read in one field. */
export interface ClosedKeys {
  /** Upper case. */
  readonly keys: ReadonlySet<string>;
  /** Ids of issues with these keys, as far as they are here. */
  readonly ids: ReadonlySet<string>;
  /** The field holds issues and nothing else. */
  readonly refers: boolean;
}

/** What these issues mention: nobody may learn more than that of what is known of others as well. */
interface Mentioned {
  /** Classes all of whose issues are seen, by their codes. */
  readonly classes: ReadonlyMap<number, AccessClass>;
  /** What the issues seen beside those of these classes mention, and those columns cannot speak for. */
  readonly others: SingleMentions;
  /** Ids of the fields they have. */
  readonly fields: ReadonlySet<string>;
  /** Ids of the fields their changes mention. */
  readonly changed: ReadonlySet<string>;
  /** Ids of the statuses they are or were in. */
  readonly statuses: () => ReadonlySet<string>;
  /** Ids of everybody. */
  readonly people: () => ReadonlySet<string>;
}

/** Of so many principals what they see is at hand: four bytes an issue each. */
const MOST_KEPT = 8;

/** Read at a time, some tens of milliseconds. */
export const LOADED_AT_ONCE = 500;

/** What single issues mention is at hand of so many rows, and in texts of so many letters. */
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
export function createSeenIssues(): (
  table: IssueTable,
  principal: Principal,
  rights: Rights,
) => Promise<SeenIssues> {
  const kept: { readonly table: IssueTable; version: number; key: string; seen: Promise<SeenIssues> }[] = [];
  let singles: KnownSingles | null = null;
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
    const key = keyOfRights(principal, rights);
    const at = kept.findIndex((one) => one.table === table && one.key === key);
    const [known] = at < 0 ? [] : kept.splice(at, 1);
    // Columns that others have replaced are let go.
    for (let i = kept.length - 1; i >= 0; i -= 1) if (kept[i]?.table !== table) kept.splice(i, 1);
    const entry =
      known !== undefined && known.version === version
        ? known
        : // The one who asked first may leave; others with the same rights still wait.
          { table, version, key, seen: detached(() => lookAt(table, principal, rights, singlesOf(table))) };
    kept.push(entry);
    if (kept.length > MOST_KEPT) kept.shift();
    entry.seen.catch(() => {
      const failed = kept.indexOf(entry);
      if (failed >= 0) kept.splice(failed, 1);
    });
    return entry.seen;
  };
}

/** Whether the tracker's own people see an issue that columns cannot speak for is asked of the issue itself. */
async function lookAt(
  table: IssueTable,
  principal: Principal,
  rights: Rights,
  singles: KnownSingles,
): Promise<SeenIssues> {
  const { columns } = table;
  const compiled = compileVisibility(principal, rights, columns);
  const maySee = rightsOf(principal, rights);
  const odd = compiled.classes.includes(sees.own) ? oddRows(table) : [];
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
    mentioned: mentionedIn({ table, rows }, classes, single),
    known: knownIssues(columns, visibility, single),
  };
}

function oddRows({ columns }: IssueTable): number[] {
  const { flags, rows } = columns.arrays();
  const odd: number[] = [];
  for (let row = 0; row < rows; row += 1) {
    if (((flags[row] ?? 0) & (rowFlag.odd | rowFlag.dead)) === rowFlag.odd) odd.push(row);
  }
  return odd;
}

/**
 * What the issues of some rows mention. Only those that were written to since they were read last are read: whoever sees
 * thousands of single issues asks again whenever any issue changes.
 */
async function mentionsOf(rows: readonly number[], singles: KnownSingles): Promise<SingleMentions> {
  const { table, codes, byRow } = singles;
  const { columns } = table;
  const { version } = columns;
  const before = columns.writtenSince(singles.version);
  if (before === null) byRow.clear();
  else for (const row of before) byRow.delete(row);
  singles.version = version;
  const known = rows.flatMap((row): [number, readonly number[]][] => {
    const own = byRow.get(row);
    return own === undefined ? [] : [[row, own]];
  });
  const found = new Map(known);
  const missing = known.length === rows.length ? [] : rows.filter((row) => !found.has(row));
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
  seen: Pick<SeenIssues, 'table' | 'rows'>,
  classes: Mentioned['classes'],
  others: SingleMentions,
): Mentioned {
  const fields = new Set<string>();
  const changed = new Set<string>();
  for (const one of classes.values()) {
    for (const field of one.fields) fields.add(field);
    for (const field of one.changed) changed.add(field);
  }
  for (const field of others.fields) fields.add(field);
  for (const field of others.changed) changed.add(field);
  const found = { ...seen, mentioned: { classes, others } };
  return {
    ...{ classes, others, fields, changed },
    statuses: once(() => {
      const ids = new Set(others.statuses);
      addIds(found, 'status', ids);
      return ids;
    }),
    people: once(() => {
      const ids = new Set<string>();
      for (const field of peopleFields) addIds(found, field, ids);
      for (const { authors } of classes.values()) for (const id of authors) ids.add(id);
      for (const id of others.authors) ids.add(id);
      return ids;
    }),
  };
}

/** Fields that hold a person. */
export const peopleFields: readonly string[] = ['assignee', 'reporter', 'creator'];

function addIds(seen: HeldSeen, field: string, ids: Set<string>): void {
  for (const content of contentsSeen(seen, field)) {
    if (isValue(content)) ids.add(content.id);
  }
}

/** Whether a content is one value, no list and no text. */
export function isValue(content: FieldContent | undefined): content is FieldValue {
  return content !== null && typeof content === 'object' && 'id' in content;
}

/** What is needed to find which values are seen. */
type HeldSeen = Pick<SeenIssues, 'table' | 'rows'> & {
  readonly mentioned: Pick<Mentioned, 'classes' | 'others'>;
};

/**
 * All contents that the issues seen have or had of a field that columns hold, each at least once; fails with
 * `MissingColumn` where they do not hold it.
 */
export function* contentsSeen(
  { table, rows, mentioned: { classes, others } }: HeldSeen,
  field: string,
): Generator<FieldContent> {
  const { codes, values, former } = table.columns.field(field);
  const met = new Uint8Array(values.size);
  for (let i = 0; i < rows.length; i += 1) met[codes[rows[i] ?? 0] ?? 0] = 1;
  for (const code of classes.keys()) for (const value of former[code] ?? []) met[value] = 1;
  for (let code = 0; code < met.length; code += 1) {
    const content = met[code] === 1 ? values.at(code) : undefined;
    if (content !== undefined) yield content;
  }
  yield* others.former(field);
}

/** The ids of everybody these issues mention. */
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

/** What a principal may know to exist beside the issues. */
export interface Vocabulary {
  readonly statuses: ReadonlyMap<string, Status>;
  readonly sprints: readonly Sprint[];
  readonly fields: readonly FieldName[];
  readonly users: ReadonlyMap<string, User>;
}

/** What there is. */
interface Everything extends Pick<Vocabulary, 'statuses' | 'users'> {
  readonly directory: PrincipalsDirectory;
}

/**
 * Statuses, sprints, fields and people as far as the principal may see what they are of. Nobody learns of a status of a
 * closed project; of what only issues mention, such as a status that stands in no list, a principal to whom some issues
 * are closed, or may be, learns only what the others mention.
 */
export function principalVocabulary(
  principal: Principal,
  { statuses, users, directory }: Everything,
  { mentioned, isWhole }: Pick<SeenIssues, 'mentioned' | 'isWhole'>,
): Vocabulary {
  const { sprints, fields } = directory;
  if (principal.rights === 'admin') return { statuses, sprints, fields, users };
  const isClosed = closedProjects(principal, directory);
  const open = [...statuses].filter(([, { scope }]) => scope === undefined || !isClosed?.(scope));
  // A project nobody here knows an issue of may be closed by the tracker itself, never by a rule.
  if (isWhole && directory.sight === null) return { statuses: new Map(open), sprints, fields, users };
  const met = mentioned.statuses();
  const people = mentioned.people();
  return {
    statuses: new Map(open.filter(([id, { listed }]) => listed || met.has(id))),
    sprints: sprints.filter(isListed(mentioned)),
    fields: fields.filter(({ id }) => mentioned.fields.has(id) || mentioned.changed.has(id)),
    users: new Map([...users].filter(([id]) => id === principal.account || people.has(id))),
  };
}

/** Whether a value stands in a list of any field: sprints are kept in one of the site's own. */
function isListed({ classes, others }: Mentioned): (value: FieldValue) => boolean {
  return (value) => {
    const wanted = identity(value);
    return others.listed.has(wanted) || classes.values().some(({ listed }) => listed.has(wanted));
  };
}

/** Ids are unique within a field only. */
function identity({ id, name }: FieldValue): string {
  return `${id}\n${name}`;
}

function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | null = null;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}
