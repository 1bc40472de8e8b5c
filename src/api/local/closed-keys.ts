import { memo } from '../../cache/memo.ts';
import { createYieldIfDue, sharedTask, type YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { chunksOf } from '../../issues/issue-chunks.ts';
import { projectKeyOf } from '../../issues/issue-fields.ts';
import type { Issue } from '../../model/issue.ts';
import { closedProjects, rightsOf } from '../access-rules.ts';
import { holdsIssues } from './issue-keys-in.ts';
import { issuesByKey } from './issues-by-key.ts';
import { namedKeys } from './named-keys.ts';
import type { Scene } from './scene.ts';
import { isEverything } from './visible-issues.ts';

/** What an asker may not read in one field. */
export interface ClosedKeys {
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
export async function closedKeys(
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
