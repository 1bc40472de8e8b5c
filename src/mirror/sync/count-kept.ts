import type { SyncParts } from './sync-parts.ts';

/** How many issues are kept. */
interface KeptCounts {
  readonly issues: number;
  readonly cutHistories: number;
}

/** Counts them, and again only when something has changed: every question asks how things stand. */
export function createCountKept({
  issues,
  store,
}: Pick<SyncParts, 'issues' | 'store'>): () => Promise<KeptCounts> {
  let known: (KeptCounts & { readonly revision: number }) | null = null;
  return async () => {
    const revision = await issues.revision();
    if (known?.revision !== revision) {
      known = { revision, issues: await issues.count(), cutHistories: await store.countCut() };
    }
    return known;
  };
}
