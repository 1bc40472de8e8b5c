import { type Backing, inStore } from '../../src/cache/namespace.ts';
import type { TestStore } from './open-test-store.ts';

/** Namespaces in a store, as Dwell has them. */
export function storedIn(store: TestStore, now: () => number): Backing {
  return inStore((how) => store.cache({ ...how, now }));
}
