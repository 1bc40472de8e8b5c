import { type Backing, inStore } from '../../src/cache/backing.ts';
import type { Store } from '../../src/store/store.ts';

/** Namespaces in a store, as Dwell has them. */
export function storedIn(store: Store, now: () => number): Backing {
  return inStore((how) => store.cache({ ...how, now }));
}
