import type { Instant, Issue, User } from '../model/issue.ts';
import type { Asker } from '../model/request.ts';
import type { Sight } from '../model/sight.ts';
import type { LiveTracker } from '../tracker/live-tracker.ts';

/** What sights are made of. */
export interface SightsParts {
  readonly tracker: Pick<LiveTracker, 'sightOf'>;
  readonly issues: () => Promise<readonly Issue[]>;
  readonly users: (ids: Iterable<string>) => Promise<ReadonlyMap<string, User>>;
  readonly now: () => Instant;
}

/** What askers may browse. */
export type SightFor = (asker: Asker) => Promise<Sight>;

/** Asks the tracker what an asker may browse, and keeps the answer for some minutes. */
export function createSights(_parts: SightsParts): SightFor {
  throw new Error('to come');
}
