import { memo } from '../../cache/memo.ts';
import { createYieldIfDue, sharedTask, type YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { chunksOf, type IssueChunk, joinChunks } from '../../issues/issue-chunks.ts';
import { changesOf, contentOf, projectKeyOf } from '../../issues/issue-fields.ts';
import type { FieldContent, FieldValue, Issue } from '../../model/issue.ts';
import { closedProjects, rightsOf } from '../access-rules.ts';
import {
  holdsIssues,
  issueKeysIn,
  issuesByKey,
  mayHoldKeys,
  namedKeys,
  valuesIn,
  withoutKeys,
} from './issue-keys-in.ts';
import { isEverything, type Scene } from './scene.ts';

/** What stands where a field holds the key of an issue the asker may not see. */
const HIDDEN = '(hidden)';

/**
 * Issues as an asker may read these fields of them: a parent, an epic or a link that is closed to them, or is in a
 * project closed to them, is hidden, now and in the history; so is the key of a closed issue in a text, a label, an
 * option. Whoever may see all that is named gets the very same issues, and chunks in which nothing is hidden stay.
 * `visible` are issues the asker may see, known beforehand.
 */
export async function hideClosedKeys(
  issues: readonly Issue[],
  fields: readonly string[],
  scene: KeysScene,
  visible: readonly Issue[],
): Promise<readonly Issue[]> {
  if (scene.asker.admin) return issues;
  const hidden = new Map<string, ClosedKeys>();
  for (const field of new Set(fields.filter(mayHoldKeys))) {
    const closed = await closedKeys(issues, field, scene, visible);
    if (closed !== null) hidden.set(field, closed);
  }
  if (hidden.size === 0) return issues;
  const pace = createYieldIfDue();
  const chunks = chunksOf(issues);
  const told: IssueChunk[] = [];
  for (const chunk of chunks) told.push(await hideInChunk(chunk, hidden, pace));
  return told.every((chunk, i) => chunk === chunks[i]) ? issues : joinChunks(told);
}

async function hideInChunk(
  chunk: IssueChunk,
  hidden: ReadonlyMap<string, ClosedKeys>,
  pace: YieldIfDue,
): Promise<IssueChunk> {
  const own = new Map<string, ClosedKeys>();
  for (const [field, closed] of hidden) {
    const named = await namedKeys(chunk, field, pace);
    if (named.keys().some((key) => closed.keys.has(key))) own.set(field, closed);
  }
  if (own.size === 0) return chunk;
  const told: Issue[] = [];
  for (const issue of chunk) {
    const rest = pace();
    if (rest !== null) await rest;
    told.push(hideIn(issue, own));
  }
  return told;
}

function hideIn(issue: Issue, hidden: ReadonlyMap<string, ClosedKeys>): Issue {
  const now: [string, FieldContent][] = [];
  let hasHistory = false;
  for (const [field, closed] of hidden) {
    const names = (content: FieldContent | undefined) =>
      valuesIn(content).some((value) => issueKeysIn(value).some((key) => closed.keys.has(key)));
    const content = contentOf(issue, field);
    if (content !== undefined && names(content)) now.push([field, hideContent(content, closed)]);
    hasHistory ||= changesOf(issue, field).some(({ from, to }) => names(from) || names(to));
  }
  if (now.length === 0 && !hasHistory) return issue;
  return {
    ...issue,
    fields: { ...issue.fields, ...Object.fromEntries(now) },
    changes: issue.changes.map((change) => {
      const closed = hidden.get(change.field);
      return closed === undefined
        ? change
        : { ...change, from: hideOrNull(change.from, closed), to: hideOrNull(change.to, closed) };
    }),
  };
}

function hideContent(content: FieldContent, closed: ClosedKeys): FieldContent {
  if (content === null || typeof content === 'number') return content;
  if (typeof content === 'string') return hideText(content, closed);
  return 'length' in content ? content.map((value) => hideValue(value, closed)) : hideValue(content, closed);
}

function hideOrNull(value: FieldValue | null, closed: ClosedKeys): FieldValue | null {
  return value === null ? null : hideValue(value, closed);
}

/** Where the id tells which issue it is, it goes with the name; that of an option or a version tells nothing. */
function hideValue(value: FieldValue, closed: ClosedKeys): FieldValue {
  const { id, name } = value;
  if (!issueKeysIn(value).some((key) => closed.keys.has(key))) return value;
  const shown = hideText(name, closed);
  if (closed.refers) return shown === name ? { id: HIDDEN, name: HIDDEN } : { id: shown, name: shown };
  const ids = id.split(', ').map((one) => (closed.ids.has(one) ? HIDDEN : one));
  return { id: hideText(ids.join(', '), closed), name: shown };
}

function hideText(text: string, { keys }: ClosedKeys): string {
  return withoutKeys(text, (key) => keys.has(key), HIDDEN);
}

/** What an asker may not read in one field. */
interface ClosedKeys {
  /** Upper case. */
  readonly keys: ReadonlySet<string>;
  /** Ids of issues with these keys, as far as they are here. */
  readonly ids: ReadonlySet<string>;
  /** The field holds issues and nothing else. */
  readonly refers: boolean;
}

/** What decides who may read which keys. */
export type KeysScene = Pick<Scene, 'asker' | 'directory' | 'issue'>;

/**
 * The keys that a field of these issues names, now or in the history, and that the asker may not read: those of issues
 * here that are closed to them, under an earlier key as well. In a field that holds issues also every key of a project
 * closed to them, whether or not there is such an issue; elsewhere many a word only looks like a key, such as UTF-8. A
 * field holds issues if it is called so, or if a value of it has both the key and the id of an issue that is here.
 */
async function closedKeys(
  issues: readonly Issue[],
  field: string,
  scene: KeysScene,
  visible: readonly Issue[],
): Promise<ClosedKeys | null> {
  const all = isEverything(visible);
  if (all && closedProjects(scene.asker, scene.directory) === null) return null;
  // Where all may be seen nothing is looked up, and for several askers all is the same array.
  if (all || issues !== visible) return findClosed(issues, field, scene, visible);
  const byField = lookedIn(visible);
  const name = `${field}\n${holdsIssues(field, scene.directory)}`;
  const known =
    byField.get(name) ??
    sharedTask(
      () => findClosed(issues, field, scene, visible),
      () => {
        if (byField.get(name) === known) byField.delete(name);
      },
    );
  byField.set(name, known);
  return known();
}

/** What was looked up of all that somebody may see. */
const lookedIn = memo((_visible: readonly Issue[]) => new Map<string, () => Promise<ClosedKeys | null>>());

async function findClosed(
  issues: readonly Issue[],
  field: string,
  { asker, directory, issue }: KeysScene,
  visible: readonly Issue[],
): Promise<ClosedKeys | null> {
  const isClosed = closedProjects(asker, directory);
  const maySee = rightsOf(asker, directory);
  const isCalledSo = holdsIssues(field, directory);
  const all = isEverything(visible);
  const closed = new Set<string>();
  const ids = new Set<string>();
  /** Closed if the field holds issues. */
  const perhaps = new Set<string>();
  let refers = isCalledSo;
  const pace = createYieldIfDue();
  const told = await namedIn(issues, field, pace);
  const seenByKey = new Map(issuesByKey([...told.keys()], visible).map((one) => [one.key, one]));
  for (const [key, id] of told) {
    const rest = pace();
    if (rest !== null) await rest;
    const seen = seenByKey.get(key) ?? null;
    const inClosed = isClosed?.(projectKeyOf({ key })) === true && directory.sight?.issues.has(key) !== true;
    if (seen === null && inClosed && isCalledSo) {
      closed.add(key);
      continue;
    }
    // Most are among those that are seen anyway; looking up each of the others takes a read.
    const named = seen ?? (all ? null : await issue(key));
    if (id !== null && named?.id === id) refers = true;
    if (named !== null && !maySee(named)) {
      closed.add(key);
      if (named.id !== undefined) ids.add(named.id);
    } else if (inClosed) perhaps.add(key);
  }
  const keys = refers ? new Set([...closed, ...perhaps]) : closed;
  return keys.size === 0 ? null : { keys, ids, refers };
}

async function namedIn(
  issues: readonly Issue[],
  field: string,
  pace: YieldIfDue,
): Promise<ReadonlyMap<string, string | null>> {
  const keys = new Map<string, string | null>();
  for (const chunk of chunksOf(issues)) {
    for (const [key, id] of await namedKeys(chunk, field, pace)) keys.set(key, keys.get(key) ?? id);
  }
  return keys;
}
