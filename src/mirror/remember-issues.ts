import { singleFlight } from '../cache/single-flight.ts';
import { yieldToOthers } from '../concurrency/cooperative-yield.ts';
import type { Issue } from '../model/issue.ts';
import type { IssueStore } from '../store/store.ts';
import { changeChunks } from './change-chunks.ts';

/** Read between two looks at what else the process has to do; some tens of milliseconds. */
const CHUNK_ISSUES = 500;

/**
 * All issues of a store, by creation, held in memory as the store packs them: read whole the first time and later only what has
 * changed. Who asks meanwhile waits for the same reading. The array is the same until something changes, and is then
 * replaced, never altered; its chunks are those of the one before where nothing has changed. A reading that failed
 * leaves the last one as it was.
 */
export function rememberIssues(
  store: Pick<IssueStore, 'revision' | 'changedSince'>,
): () => Promise<readonly Issue[]> {
  let known: { readonly issues: readonly Issue[]; readonly revision: number } = { issues: [], revision: 0 };
  const readings = singleFlight<readonly Issue[]>();

  async function read(): Promise<readonly Issue[]> {
    if ((await store.revision()) === known.revision) return known.issues;
    const changed = new Map<string, Issue>();
    const removed = new Set<string>();
    let { revision } = known;
    for (;;) {
      const chunk = await store.changedSince(revision, CHUNK_ISSUES);
      for (const key of chunk.removed) {
        changed.delete(key);
        removed.add(key);
      }
      for (const { issue } of chunk.issues) changed.set(issue.key, issue);
      revision = chunk.revision;
      if (chunk.issues.length + chunk.removed.length < CHUNK_ISSUES) break;
      // Requests and Slack must not wait until everything is read.
      await yieldToOthers();
    }
    const { issues } = await changeChunks(known.issues, removed, changed);
    known = { issues, revision };
    return known.issues;
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
