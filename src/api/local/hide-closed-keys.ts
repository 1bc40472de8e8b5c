import { createYieldIfDue, type YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import type { IssueChunk } from '../../issues/issue-chunks.ts';
import { chunksOf, joinChunks } from '../../issues/issue-chunks.ts';
import { changesOf, contentOf } from '../../issues/issue-fields.ts';
import type { FieldContent, FieldValue, Issue } from '../../model/issue.ts';
import { type ClosedKeys, closedKeys, type KeysScene } from './closed-keys.ts';
import { issueKeysIn, mayHoldKeys, withoutKeys } from './issue-keys-in.ts';
import { namedKeys } from './named-keys.ts';
import { valuesIn } from './values-in.ts';

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
