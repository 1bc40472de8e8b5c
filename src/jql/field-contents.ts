import { rememberByChunk } from '../issues/issue-chunks.ts';
import { changesOf, contentOf, ownUpdate } from '../issues/issue-fields.ts';
import type { FieldContent, FieldValue, Instant, Issue } from '../model/issue.ts';
import type { JqlWorld } from './jql.ts';
import { type Content, type Naming, nameAll, UNCERTAIN } from './values.ts';

/** Reads the content of a field as it was then. */
export function readContent(field: string, world: JqlWorld): (issue: Issue) => Content {
  world.onRead?.(field);
  return (issue) => {
    if (isUncertain(issue, field, world)) return UNCERTAIN;
    const content = world.contentOf(issue, field);
    return content === undefined ? ownContent(issue, field) : content;
  };
}

/**
 * Reads a field that holds lists. The past of such a field is told as one value that joins them with a comma and a
 * space; no label contains a space, so a space alone divides labels as well.
 */
export function readList(fields: readonly string[], world: JqlWorld): (issue: Issue) => Content {
  const [only, ...others] = fields;
  const readers = fields.map((field) => readContent(field, world));
  const [read] = readers;
  if (only !== undefined && read !== undefined && others.length === 0) {
    const divider = only === 'labels' ? /,?\s+/ : ', ';
    return (issue) => divided(read(issue), divider);
  }
  return (issue) => {
    const contents = readers.map((one) => divided(one(issue), ', '));
    if (contents.includes(UNCERTAIN)) return UNCERTAIN;
    return contents.flatMap((content) => (content === null || content === UNCERTAIN ? [] : content));
  };
}

function divided(content: Content, divider: string | RegExp): Content {
  if (content === null || typeof content !== 'object' || 'length' in content) return content;
  return divide(content, divider);
}

/** Jira's changelog puts the ids of some lists, and only the ids, in square brackets. */
function divide(value: FieldValue, divider: string | RegExp): readonly FieldValue[] {
  const ids = value.id.replace(/^\[(.*)\]$/s, '$1').split(divider);
  const names = value.name.split(divider);
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return [{ id: only, name: value.name }];
  return ids.map((id, i) => ({ id, name: names.length === ids.length ? (names[i] ?? id) : id }));
}

/** Only the past of an issue can be uncertain: what the tracker shows last, it shows whatever the history lacks. */
function isUncertain(issue: Issue, field: string, world: JqlWorld): boolean {
  if (issue.history.complete || world.now >= issue.updated) return false;
  return world.visitsOf(issue, field).at(-1)?.known === false;
}

/** What an issue tells beside its fields. */
function ownContent(issue: Issue, field: string): FieldContent {
  switch (field) {
    case 'summary':
      return issue.summary;
    case 'status':
      return issue.status;
    case 'assignee':
      return issue.assignee;
    default:
      return null;
  }
}

/** The id under which Jira Cloud keeps sprints where nobody has told the field's name. */
const USUAL = 'customfield_10020';

/** Where the agile API answers them, and what Data Center calls them in changelogs. */
const AGILE = 'sprint';
const OTHERS: readonly string[] = ['closedSprints', 'Sprint'];

/** The fields that hold sprints: those called Sprint, or else the usual one, and the agile API's. */
export function sprintFields({ directory }: JqlWorld): readonly string[] {
  const called = directory.fields
    .filter(({ name }) => name.trim().toLowerCase() === 'sprint')
    .map(({ id }) => id);
  return [...new Set([...(called.length > 0 ? called : [USUAL]), AGILE])];
}

/**
 * Reads the sprints of an issue, each once, from whatever fields it has them in. The agile API tells those of today
 * only, so of the past the fields that changes are logged for are believed.
 */
export function readSprints(world: JqlWorld): (issue: Issue) => Content {
  const fields = [...new Set([...sprintFields(world), ...OTHERS])];
  const readers = fields.map((field) => ({ field, read: readList([field], world) }));
  return (issue) => {
    const logged =
      world.now < issue.updated ? readers.filter(({ field }) => changesOf(issue, field).length > 0) : [];
    const contents = (logged.length > 0 ? logged : readers).map(({ read }) => read(issue));
    if (contents.includes(UNCERTAIN)) return UNCERTAIN;
    const values = contents.flatMap((one) => (one === null || one === UNCERTAIN ? [] : one));
    return [...new Map(values.map((one) => [typeof one === 'object' ? one.id : one, one])).values()];
  };
}

/**
 * When the tracker says that an issue was updated, and before that when it was last changed as far as it had come; a
 * lost change may have come after the last one known.
 */
export function readUpdated(issue: Issue, { now }: JqlWorld): Instant | typeof UNCERTAIN {
  const told = ownUpdate(issue) ?? issue.updated;
  if (told <= now) return told;
  const last = issue.changes.reduce(
    (latest, { at }) => (at <= now ? Math.max(latest, at) : latest),
    issue.created,
  );
  const lost = lostTime(issue, now);
  return lost !== null && lost.until > last + 1 ? UNCERTAIN : last;
}

/**
 * When an issue was resolved as it stood then. Trackers tell the last time only; what came before it is found in the
 * history of the resolution, where there is one.
 */
export function readResolved(issue: Issue, world: JqlWorld): Instant | null | typeof UNCERTAIN {
  const { resolved, updated } = issue;
  const { now } = world;
  const told = resolved !== null && resolved <= now ? resolved : null;
  if (now >= updated || changesOf(issue, 'resolution').length === 0) return told;
  let since: Instant | null | typeof UNCERTAIN = null;
  for (const { known, value, start } of world.visitsOf(issue, 'resolution')) {
    if (!known) since = UNCERTAIN;
    else if (value === null) since = null;
    else if (since === null) since = start;
  }
  return since === UNCERTAIN && told !== null ? told : since;
}

/** The instants from `from` on that lie before `until`, in whole ms. */
export interface Window {
  readonly from: Instant;
  readonly until: Instant;
}

/** When changes of an issue may be missing up to now; null where none can be. */
export function lostTime({ history, created }: Issue, now: Instant): Window | null {
  if (history.complete) return null;
  const from = Math.max(history.unknownFrom ?? created, created);
  const until = Math.min(history.unknownUntil ?? now + 1, now + 1);
  return from < until ? { from, until } : null;
}

/** What the issues hold of one field: its values by name, and what its contents are like. */
export interface Met {
  /** Values the issues have. */
  readonly today: Naming;
  /** Values that only changes mention; none of a field that holds lists, where a change tells the whole list. */
  readonly former: Naming;
  readonly lists: boolean;
  readonly values: boolean;
  readonly numbers: boolean;
  /** Plain texts, as long as there are but a few different ones to look at. */
  readonly texts: ReadonlySet<string>;
}

const metByField = new Map<string, (issues: readonly Issue[]) => Met>();

/** What is met of a field in these issues; looked for once. */
export function metIn(issues: readonly Issue[], field: string): Met {
  const metOf = metByField.get(field) ?? rememberMet(field);
  metByField.set(field, metOf);
  return metOf(issues);
}

function rememberMet(field: string): (issues: readonly Issue[]) => Met {
  const former = rememberByChunk((chunk) => mentioned(chunk, field), joinValues);
  return rememberByChunk(
    (chunk) => meetContents(chunk, field),
    (parts, issues) => joinMet(parts, () => former(issues)),
  );
}

/** The same of a chunk. */
interface MetInChunk extends Pick<Met, 'lists' | 'numbers' | 'texts'> {
  readonly values: ReadonlyMap<string, FieldValue>;
}

const MOST_TEXTS = 1_000;

function meetContents(issues: readonly Issue[], field: string): MetInChunk {
  const values = new Map<string, FieldValue>();
  const texts = new Set<string>();
  let lists = false;
  let numbers = false;
  const add = (value: FieldValue) => {
    const key = `${value.id}\n${value.name}`;
    if (!values.has(key)) values.set(key, value);
  };
  for (const issue of issues) {
    const content = heldBy(issue, field);
    if (content === null || content === '') continue;
    if (typeof content === 'number') numbers = true;
    else if (typeof content === 'string') {
      if (texts.size < MOST_TEXTS) texts.add(content);
    } else if ('length' in content) {
      lists = true;
      for (const one of content) add(one);
    } else add(content);
  }
  return { values, lists, numbers, texts };
}

function joinMet(parts: readonly MetInChunk[], former: () => ReadonlyMap<string, FieldValue>): Met {
  const values = joinValues(parts.map((part) => part.values));
  const texts = new Set<string>();
  for (const part of parts) {
    for (const text of part.texts) if (texts.size < MOST_TEXTS) texts.add(text);
  }
  const lists = parts.some((part) => part.lists);
  const numbers = parts.some((part) => part.numbers);
  const plain = texts.size > 0 || numbers;
  return {
    today: nameAll(values.values()),
    former: nameAll(lists || plain ? [] : former().values()),
    lists,
    values: values.size > 0,
    numbers,
    texts,
  };
}

/** In the order in which they were met first. */
function joinValues(parts: readonly ReadonlyMap<string, FieldValue>[]): ReadonlyMap<string, FieldValue> {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  const all = new Map<string, FieldValue>();
  for (const part of parts) for (const [id, value] of part) if (!all.has(id)) all.set(id, value);
  return all;
}

function heldBy(issue: Issue, field: string): FieldContent {
  const content = contentOf(issue, field);
  if (content !== undefined) return content;
  if (field === 'status') return issue.status;
  return field === 'assignee' ? issue.assignee : null;
}

function mentioned(issues: readonly Issue[], field: string): ReadonlyMap<string, FieldValue> {
  const values = new Map<string, FieldValue>();
  for (const issue of issues) {
    for (const change of changesOf(issue, field)) {
      for (const value of [change.from, change.to]) {
        if (value !== null) values.set(`${value.id}\n${value.name}`, value);
      }
    }
  }
  return values;
}

const authors = rememberByChunk(byAuthors, joinAuthors);

/** Everybody who changed one of the issues, by id. */
export function authorsIn(issues: readonly Issue[]): Naming {
  return authors(issues);
}

function joinAuthors(parts: readonly ReadonlySet<string>[]): Naming {
  const ids = new Set<string>();
  for (const part of parts) for (const id of part) ids.add(id);
  return nameAll([...ids].map((id) => ({ id, name: id })));
}

function byAuthors(issues: readonly Issue[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { changes } of issues) for (const { by } of changes) if (by !== null) ids.add(by);
  return ids;
}
