import { setImmediate } from 'node:timers/promises';
import type { Issue } from '../model/issue.ts';
import type { IssueStore } from '../store/store.ts';
import { compareByCreation } from './compare-by-creation.ts';
import { createShareValues } from './share-values.ts';

/** Read between two looks at what else the process has to do; some tens of milliseconds. */
const CHUNK_ISSUES = 500;

/**
 * All issues of a store, by creation, held in memory: read whole the first time and later only what has changed.
 * Who asks meanwhile waits for the same reading. The array is the same until something changes, and is then replaced,
 * never altered; a reading that failed leaves the last one as it was.
 */
export function rememberIssues(
  store: Pick<IssueStore, 'revision' | 'changedSince'>,
): () => Promise<readonly Issue[]> {
  const share = createShareValues();
  let known: { readonly issues: readonly Issue[]; readonly revision: number } = { issues: [], revision: 0 };
  let reading: Promise<readonly Issue[]> | null = null;

  async function read(): Promise<readonly Issue[]> {
    if ((await store.revision()) === known.revision) return known.issues;
    const changed = new Map<string, Issue>();
    let { revision } = known;
    for (;;) {
      const chunk = await store.changedSince(revision, CHUNK_ISSUES);
      for (const issue of chunk.issues) changed.set(issue.key, share(issue));
      revision = chunk.revision;
      if (chunk.issues.length < CHUNK_ISSUES) break;
      // Requests and Slack must not wait until everything is read.
      await setImmediate();
    }
    const others = known.issues.filter(({ key }) => !changed.has(key));
    known = { issues: [...others, ...changed.values()].sort(compareByCreation), revision };
    return known.issues;
  }

  return () => {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  };
}
