import type { Instant } from '../model/issue.ts';
import type { ExaminedSecrets } from './sql/secrets.ts';
import type { Store } from './store.ts';

/** The data of a store that can be read as it is. */
export interface ExaminedData extends Pick<Store, 'forTenant' | 'clockOffset' | 'identity'> {
  secrets(): Promise<ExaminedSecrets>;
  /**
   * Reads the whole database, which may take minutes and keeps this thread; returns what is damaged, in the engine's words.
   * Null where the engine has no such check.
   */
  readonly damage: (() => Promise<readonly string[]>) | null;
}

/** A store as it is: nothing of it was changed, and nothing is. */
export interface ExaminedStore {
  /** The engine and its version, such as `SQLite 3.53.0`. */
  readonly engine: string;
  /** The size (bytes) of the database. */
  readonly bytes: number;
  /** The instant at which its file was made; null where there is none. */
  readonly madeAt: Instant | null;
  /** The schema of the store, and the one of this Dwell, as words; `stored` is null in an empty database. */
  readonly schema: { readonly stored: string | null; readonly known: string };
  /** True where the next start upgrades it; `isSlow`: by packing every issue again. */
  readonly upgrade: { readonly isSlow: boolean } | null;
  /** Whole sentences on what a Dwell needs of the database and does not get. */
  readonly problems: readonly string[];
  readonly connections: { readonly open: number; readonly max: number } | null;
  /** Null where the data is none that this Dwell reads as it is: it is empty, or has to be upgraded first. */
  readonly data: ExaminedData | null;
  close(): Promise<void>;
}
