import { createHash } from 'node:crypto';
import { createYieldIfDue, detached } from '../../concurrency/cooperative-yield.ts';
import { FIRST_VALUE } from '../../engine/columns/value-codes.ts';
import { isVisible } from '../../engine/columns/visibility.ts';
import type { Directory } from '../../model/directory.ts';
import type { FieldContent, FieldValue, Issue } from '../../model/issue.ts';
import { changesOf, contentOf, projectKeyOf } from '../../model/issues/issue-fields.ts';
import { elementsOf } from '../../model/issues/value-sets.ts';
import { browseScopeOf, closedProjects, rightsOf } from './access-rules.ts';
import type { QueryContext } from './query-context.ts';
import { type ClosedKeys, contentsSeen, type HiddenField, type VisibleIssues } from './visible-issues.ts';

/** Shown where a field holds the key of an issue the principal cannot see. */
const HIDDEN = '(hidden)';

/**
 * Issues as a principal can read them: a parent, an epic or a link that is closed to them, or is in a project closed to
 * them, is hidden, now and in the history; so is the key of a closed issue in a text, a label, an option.
 */
export interface ReadableKeys {
  /** There is nothing that the principal cannot read in any field. */
  readonly all: boolean;
  /**
   * Issues as these fields of them can be read, the very same ones where nothing is hidden. `known` is what cannot be read
   * in fields that were looked through as a whole.
   */
  read(
    issues: readonly Issue[],
    fields: readonly string[],
    known?: ReadonlyMap<string, ClosedKeys | null>,
  ): Promise<readonly Issue[]>;
  /** The keys that cannot be read in a field of any visible issue; null: none, or columns do not hold the field. */
  hiddenIn(field: string): Promise<HiddenField | null>;
}

/** The context that decides which keys a principal can read. */
type KeysContext = Pick<QueryContext, 'principal' | 'directory' | 'issue' | 'pace'>;

/** Issues the principal can see, known beforehand. */
interface KnownToBeSeen {
  /** There are no others. */
  readonly isWhole: boolean;
  /** Returns true where the issue with a key, in its own spelling, is among them. */
  has(key: string): boolean;
  /** The tracker's id of one of them. */
  idOf(key: string): Promise<string | undefined>;
}

/** The readable keys where visible issues are loaded. */
export function keysAmong(issues: readonly Issue[], context: KeysContext): ReadableKeys {
  const byKey = new Map(issues.map((issue) => [issue.key, issue]));
  return readableKeys(context, {
    isWhole: false,
    has: (key) => byKey.has(key),
    idOf: async (key) => byKey.get(key)?.id,
  });
}

/**
 * The readable keys, from a table of all visible issues. Hidden keys of a field are looked for once: the task goes on
 * for others when the first one has left.
 */
export function keysInTable(visible: VisibleIssues, context: KeysContext): ReadableKeys {
  const { table, visibility, isWhole } = visible;
  const { columns } = table;
  const seen: KnownToBeSeen = {
    isWhole,
    has(key) {
      const row = columns.rowOf(key);
      return row >= 0 && isVisible(columns.arrays(), row, visibility);
    },
    async idOf(key) {
      const [issue] = await table.load([columns.rowOf(key)]);
      return issue?.id;
    },
  };
  const find = async (field: string): Promise<HiddenField | null> => {
    const pace = createYieldIfDue();
    const named: NamedKeys = new Map();
    for (const content of contentsSeen(visible, field)) {
      const pause = pace();
      if (pause !== null) await pause;
      noteKeysIn(content, named);
    }
    const closed = await closedKeys(named, field, { ...context, pace }, seen);
    if (closed === null) return null;
    const { values } = columns.field(field);
    const codes = new Set<number>();
    for (let code = FIRST_VALUE; code < values.size; code += 1) {
      const pause = pace();
      if (pause !== null) await pause;
      if (names(values.at(code), closed)) codes.add(code);
    }
    return { closed, codes };
  };
  // People who see the same issues here may still differ in what they see of projects without issues, whose keys are named as well.
  let scopeText: string | null = null;
  const scope = () => {
    const browse = () => JSON.stringify(browseScopeOf(context.principal, context.directory));
    scopeText ??= createHash('sha256').update(browse()).digest('base64url');
    return scopeText;
  };
  return readableKeys(context, seen, async (field) => {
    if (!mayHoldKeys(field) || !columns.hasField(field)) return null;
    const name = `${field}\n${holdsIssues(field, context.directory)}\n${scope()}`;
    const known = visible.hidden.get(name) ?? detached(() => find(field));
    visible.hidden.set(name, known);
    known.catch(() => visible.hidden.delete(name));
    return known;
  });
}

function readableKeys(
  context: KeysContext,
  seen: KnownToBeSeen,
  hiddenIn: ReadableKeys['hiddenIn'] = async () => null,
): ReadableKeys {
  const { principal, directory, pace } = context;
  const all = principal.rights === 'admin' || (seen.isWhole && closedProjects(principal, directory) === null);
  if (all) return { all, read: async (issues) => issues, hiddenIn: async () => null };
  return {
    all,
    hiddenIn,
    async read(issues, fields, known) {
      const hidden = new Map<string, ClosedKeys>();
      for (const field of new Set(fields.filter(mayHoldKeys))) {
        let closed = known?.get(field);
        if (closed === undefined) {
          const named: NamedKeys = new Map();
          for (const issue of issues) {
            const pause = pace();
            if (pause !== null) await pause;
            noteKeysOf(issue, field, named);
          }
          closed = await closedKeys(named, field, context, seen);
        }
        if (closed !== null) hidden.set(field, closed);
      }
      if (hidden.size === 0) return issues;
      const readable: Issue[] = [];
      for (const issue of issues) {
        const pause = pace();
        if (pause !== null) await pause;
        readable.push(hideIn(issue, hidden));
      }
      return readable;
    },
  };
}

function hideIn(issue: Issue, hidden: ReadonlyMap<string, ClosedKeys>): Issue {
  const now: [string, FieldContent][] = [];
  let hasHistory = false;
  for (const [field, closed] of hidden) {
    const content = contentOf(issue, field);
    if (content !== undefined && names(content, closed)) now.push([field, hideContent(content, closed)]);
    hasHistory ||= changesOf(issue, field).some(({ from, to }) => names(from, closed) || names(to, closed));
  }
  if (now.length === 0 && !hasHistory) return issue;
  const hide = (value: FieldValue | null, closed: ClosedKeys) => value && hideValue(value, closed);
  return {
    ...issue,
    fields: { ...issue.fields, ...Object.fromEntries(now) },
    changes: issue.changes.map((change) => {
      const closed = hidden.get(change.field);
      return closed === undefined
        ? change
        : { ...change, from: hide(change.from, closed), to: hide(change.to, closed) };
    }),
  };
}

function names(content: FieldContent | undefined, closed: ClosedKeys): boolean {
  return elementsOf(content).some((value) => issueKeysIn(value).some((key) => closed.keys.has(key)));
}

/** A content without the keys that cannot be read. */
export function hideContent(content: FieldContent, closed: ClosedKeys): FieldContent {
  if (content === null || typeof content === 'number') return content;
  if (typeof content === 'string') return hideText(content, closed);
  return 'length' in content ? content.map((value) => hideValue(value, closed)) : hideValue(content, closed);
}

/** If the id says which issue it is, it is hidden with the name; that of an option or a version says nothing. */
function hideValue(value: FieldValue, closed: ClosedKeys): FieldValue {
  const { id, name } = value;
  if (!issueKeysIn(value).some((key) => closed.keys.has(key))) return value;
  const shown = hideText(name, closed);
  if (closed.refers) return shown === name ? { id: HIDDEN, name: HIDDEN } : { id: shown, name: shown };
  const ids = id.split(', ').map((one) => (closed.ids.has(one) ? HIDDEN : one));
  return { id: hideText(ids.join(', '), closed), name: shown };
}

/** A text with something else in place of each closed key. */
function hideText(text: string, { keys }: ClosedKeys): string {
  let shown = '';
  let from = 0;
  for (const { start, end } of keyPlaces(text)) {
    if (!keys.has(text.slice(start, end).toUpperCase())) continue;
    shown += text.slice(from, start) + HIDDEN;
    from = end;
  }
  return shown + text.slice(from);
}

/**
 * The keys that a field names, now or in the history, and that the principal cannot read: those of issues here that are
 * closed to them, under an earlier key as well. In a field that holds issues also every key of a project closed to
 * them, whether or not there is such an issue; elsewhere many a word only looks like a key, such as UTF-8. A field
 * holds issues if its name says so, or if a value of it has both the key and the id of an issue that is here.
 */
async function closedKeys(
  named: NamedKeys,
  field: string,
  { principal, directory, issue, pace }: KeysContext,
  seen: KnownToBeSeen,
): Promise<ClosedKeys | null> {
  const isClosed = closedProjects(principal, directory);
  const maySee = rightsOf(principal, directory);
  const isCalledSo = holdsIssues(field, directory);
  const closed = new Set<string>();
  const ids = new Set<string>();
  /** Closed if the field holds issues. */
  const perhaps = new Set<string>();
  let refers = isCalledSo;
  for (const [key, id] of named) {
    const pause = pace();
    if (pause !== null) await pause;
    const inClosed =
      isClosed?.(projectKeyOf({ key })) === true && directory.permissions?.issues.has(key) !== true;
    if (seen.has(key)) {
      if (id !== null && !refers && (await seen.idOf(key)) === id) refers = true;
      if (inClosed) perhaps.add(key);
      continue;
    }
    if (inClosed && isCalledSo) {
      closed.add(key);
      continue;
    }
    // Each of these takes a read; most are among those that are known to be seen.
    const other = seen.isWhole ? null : await issue(key);
    if (id !== null && other?.id === id) refers = true;
    if (other !== null && !maySee(other)) {
      closed.add(key);
      if (other.id !== undefined) ids.add(other.id);
    } else if (inClosed) perhaps.add(key);
  }
  const keys = refers ? new Set([...closed, ...perhaps]) : closed;
  return keys.size === 0 ? null : { keys, ids, refers };
}

/** Fields in which no key of another issue is looked for; a summary is shown wherever its issue is, as it is in the tracker. */
const keyless: readonly string[] = [
  ...['assignee', 'created', 'creator', 'duedate', 'issuetype', 'priority', 'project'],
  ...['reporter', 'resolution', 'resolutiondate', 'status', 'summary', 'updated'],
];

/** Returns true where the field with an id can hold keys of other issues. */
export function mayHoldKeys(field: string): boolean {
  return !keyless.includes(field) && !field.startsWith('calc:');
}

/** Ids and names, in lower case, of Jira's fields of other issues, now and in changelogs. */
const referring: readonly string[] = [
  ...['parent', 'parent link', 'parent issue', 'issueparentassociation'],
  ...['epic', 'epic link', 'epic child', 'customfield_10014'],
  ...['subtask', 'subtasks', 'sub-task', 'sub-tasks'],
  ...['link', 'links', 'issuelinks', 'issue links', 'linked issues'],
  ...['key', 'issuekey'],
];

/** Returns true where a field is one of those that hold issues and nothing else, by its id or a name it goes by. */
function holdsIssues(field: string, { fields }: Pick<Directory, 'fields'>): boolean {
  const names = fields.filter(({ id }) => id === field).map(({ name }) => name);
  return [field, ...names].some((name) => referring.includes(name.trim().toLowerCase()));
}

const none: readonly string[] = [];

/** The words that look like keys of issues in a value (upper case): parents, epics, links, and words of a text. */
export function issueKeysIn({ id, name }: FieldValue): readonly string[] {
  // Most values are names and numbers, and this is asked of each value of each change.
  if (!id.includes('-') && !name.includes('-')) return none;
  return id === name ? keysOf(id) : [...keysOf(id), ...keysOf(name)];
}

function keysOf(text: string): readonly string[] {
  return keyPlaces(text).map(({ start, end }) => text.slice(start, end).toUpperCase());
}

/**
 * The places of keys as whole words, whatever is around them: what a search for words finds is found. From dash to
 * dash, because texts are long and hold few of them.
 */
function keyPlaces(text: string): readonly { readonly start: number; readonly end: number }[] {
  const places: { start: number; end: number }[] = [];
  for (let dash = text.indexOf('-'); dash !== -1; dash = text.indexOf('-', dash + 1)) {
    number.lastIndex = dash + 1;
    if (!number.test(text)) continue;
    const end = number.lastIndex;
    let start = dash;
    while (start > 0 && keySign.test(text[start - 1] ?? '')) start -= 1;
    if (!letter.test(text[start] ?? '')) continue;
    // A sign may take two places.
    if (endsInSign.test(text.slice(Math.max(0, start - 2), start))) continue;
    if (!beginsWithSign.test(text.slice(end, end + 2))) places.push({ start, end });
  }
  return places;
}

const number = /[1-9]\d*/y;
const keySign = /\w/;
const letter = /[a-z]/i;
const endsInSign = /[\p{L}\p{N}\p{M}_]$/u;
const beginsWithSign = /^[\p{L}\p{N}\p{M}_]/u;

/** Keys (upper case), each with the id of a value that is called exactly so; null where no value is. */
type NamedKeys = Map<string, string | null>;

/** Notes what looks like keys of issues in one field of an issue, now and in the history. */
function noteKeysOf(issue: Issue, field: string, keys: NamedKeys): void {
  noteKeysIn(contentOf(issue, field), keys);
  for (const { from, to } of changesOf(issue, field)) {
    noteKeysIn(from, keys);
    noteKeysIn(to, keys);
  }
}

/** Notes what looks like keys of issues in one content. */
function noteKeysIn(content: FieldContent | undefined, keys: NamedKeys): void {
  for (const value of elementsOf(content)) {
    for (const key of issueKeysIn(value)) {
      const id = value.name.toUpperCase() === key && value.id !== value.name ? value.id : null;
      keys.set(key, keys.get(key) ?? id);
    }
  }
}
