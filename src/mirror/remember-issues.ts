import { singleFlight } from '../cache/single-flight.ts';
import { yieldToOthers } from '../concurrency/cooperative-yield.ts';
import type { Issue } from '../model/issue.ts';
import { createIssuePack } from '../store/packed/create-issue-pack.ts';
import type { IssueStore } from '../store/store.ts';
import { changeChunks } from './change-chunks.ts';

/** Read between two looks at what else the process has to do; some tens of milliseconds. */
const CHUNK_ISSUES = 500;

/** Of so much garbage nobody needs to be rid. */
const LITTLE_GARBAGE = 2 ** 20;

/** When a third of what is kept is garbage, it is cleared away. */
const GARBAGE_PART = 3;

/**
 * All issues of a store, by creation, held in memory as few bytes: read whole the first time and later only what has
 * changed. Who asks meanwhile waits for the same reading. The array is the same until something changes, and is then
 * replaced, never altered; its chunks are those of the one before where nothing has changed. A reading that failed
 * leaves the last one as it was.
 */
export function rememberIssues(
  store: Pick<IssueStore, 'revision' | 'changedSince'>,
): () => Promise<readonly Issue[]> {
  const pack = createIssuePack();
  let known: { readonly issues: readonly Issue[]; readonly revision: number } = { issues: [], revision: 0 };
  const readings = singleFlight<readonly Issue[]>();
  let isCompacting = false;

  async function read(): Promise<readonly Issue[]> {
    if ((await store.revision()) === known.revision) return known.issues;
    const changed = new Map<string, Issue>();
    const removed = new Set<string>();
    const take = (key: string): void => {
      const before = changed.get(key);
      if (before !== undefined) pack.drop(before);
      changed.delete(key);
    };
    try {
      let { revision } = known;
      for (;;) {
        const chunk = await store.changedSince(revision, CHUNK_ISSUES);
        for (const key of chunk.removed) {
          take(key);
          removed.add(key);
        }
        for (const issue of chunk.issues) {
          take(issue.key);
          changed.set(issue.key, pack.add(issue));
        }
        revision = chunk.revision;
        if (chunk.issues.length + chunk.removed.length < CHUNK_ISSUES) break;
        // Requests and Slack must not wait until everything is read.
        await yieldToOthers();
      }
      const { issues, dropped } = await changeChunks(known.issues, removed, changed);
      for (const issue of dropped) pack.drop(issue);
      known = { issues, revision };
    } catch (error) {
      for (const issue of changed.values()) pack.drop(issue);
      throw error;
    }
    clearUp();
    return known.issues;
  }

  /** Nobody waits for it: what moves reads as before. */
  function clearUp(): void {
    const { all, garbage } = pack.bytes();
    if (isCompacting || garbage < LITTLE_GARBAGE || garbage * GARBAGE_PART < all) return;
    isCompacting = true;
    void pack.compact(known.issues).finally(() => {
      isCompacting = false;
    });
  }

  return () => readings.run('', read);
}

/** The keys that issues had before, read again only when an issue has changed. */
export function rememberFormerKeys(
  store: Pick<IssueStore, 'formerKeys' | 'revision'>,
): IssueStore['formerKeys'] {
  let known: { readonly revision: number; readonly keys: ReadonlyMap<string, string> } | null = null;
  return async () => {
    const revision = await store.revision();
    if (known?.revision !== revision) known = { revision, keys: await store.formerKeys() };
    return known.keys;
  };
}
