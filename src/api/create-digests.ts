import type { Logger } from 'pino';
import type { Instant } from '../model/issue.ts';
import type { DigestStore } from '../store/store.ts';
import type { AnswersApi } from './answers.ts';
import type { DigestPostman, DigestsApi } from './digests.ts';
import type { SettingsApi } from './settings.ts';

/** What digests are kept and made with. */
export interface DigestsParts {
  readonly store: DigestStore;
  readonly answers: AnswersApi;
  readonly settings: SettingsApi;
  readonly now: () => Instant;
  readonly newId: () => string;
  readonly log: Logger;
}

/** Digests, and the work that is done for them beside answering. */
export interface Digests extends DigestsApi {
  /** From now on periods that fall due are posted; what an earlier process left is taken up. */
  start(postman: DigestPostman): void;
  /** Called by the clock, every minute; one call at a time does the work. Failures are logged, never thrown. */
  tick(): Promise<void>;
  /** Takes nothing new up, and lets go of the work under way within `patienceMs`. */
  stop(patienceMs: number): Promise<void>;
}

/** Digests over the store. */
export function createDigests(_parts: DigestsParts): Digests {
  return new Proxy({} as Digests, {
    get: (_, name) => async () => {
      if (!['start', 'tick', 'stop'].includes(String(name))) throw new Error('digests are not built');
    },
  });
}
