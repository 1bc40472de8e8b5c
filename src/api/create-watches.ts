import type { Logger } from 'pino';
import type { Instant } from '../model/issue.ts';
import type { WatchStore } from '../store/store.ts';
import type { AnswersApi } from './answers.ts';
import type { DelegationApi } from './delegation.ts';
import type { SettingsApi } from './settings.ts';
import type { WatchesApi, WatchPostman } from './watches.ts';

/** What watches are kept and looked after with. */
export interface WatchesParts {
  readonly store: WatchStore;
  readonly answers: AnswersApi;
  readonly delegations: DelegationApi;
  readonly settings: SettingsApi;
  readonly now: () => Instant;
  readonly newId: () => string;
  readonly log: Logger;
}

/** Watches, and the work that is done for them beside answering. */
export interface Watches extends WatchesApi {
  start(postman: WatchPostman): void;
  /** Called by the clock, every minute; one call at a time looks. Failures are logged, never thrown. */
  tick(): Promise<void>;
  stop(patienceMs: number): Promise<void>;
}

/** Watches over the store. */
export function createWatches(_parts: WatchesParts): Watches {
  return new Proxy({} as Watches, {
    get: (_, name) => async () => {
      if (!['start', 'tick', 'stop'].includes(String(name))) throw new Error('watches are not built');
    },
  });
}
