import type { Introduction, SyncProgress, SyncStatus } from '../../model/sync.ts';

/** How an admin lets Dwell read the tracker in their name, where that needs a yes given in a browser (OAuth 2.0). */
export type { TrackerConsent as ConsentApi } from '../../trackers/tracker-kind.ts';

/** What came of a run: issues that are new here, are not as they were, or are gone, and requests it took. */
interface SyncYield {
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  readonly requests: number;
}

/** The state of the mirror after a run. */
export interface SyncOutcome extends SyncStatus {
  readonly came: SyncYield;
  /** Why the tracker does not say what people can see, in sentences; null where it does. */
  readonly permissionsProblem: string | null;
}

/** The port of everything that keeps the mirror fresh. */
export interface SyncApi {
  /** The state of the mirror; null where nothing is kept fresh: the sample, imports, a hosted service. */
  status(): Promise<SyncStatus | null>;
  /** The same without what has to be counted. */
  progress(): Promise<SyncProgress | null>;
  /** What the tracker is and what our account can do there, one by one. Fails only where nothing answers. */
  introduce(): AsyncIterable<Introduction>;
  /**
   * Brings the mirror up to date once, going on where the last turn stopped, and compares all ids if `compare`. While
   * another process does so already its progress is followed. `acceptAddress`: the site that answers is the one whose
   * issues are stored, whatever its address. Fails with what the tracker refuses.
   */
  run(
    options: {
      readonly compare: boolean;
      readonly acceptRemovals: boolean;
      readonly acceptAddress?: boolean;
    },
    onProgress: (status: SyncStatus) => void,
  ): Promise<SyncOutcome>;
  /** Something happened to these issues of the tracker, by id: resolves once that is stored, and they are looked at soon. */
  nudge(ids: readonly string[]): Promise<void>;
  /** From now on brings it up to date again and again. */
  start(): void;
  /** Lets what is under way reach a point from which it can go on. */
  stop(): Promise<void>;
}
