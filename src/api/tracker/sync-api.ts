import type { ConnectionFact, SyncProgress, SyncStatus } from '../../model/sync.ts';

/** The consent of an admin by which Dwell reads the tracker in their name, where one is given in a browser (OAuth 2.0). */
export type { TrackerConsent as ConsentApi } from '../../trackers/tracker-kind.ts';

/** The result of a run: the numbers of issues that are new here, changed or gone, and of the requests it took. */
interface SyncYield {
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  readonly requests: number;
}

/** The state of the mirror after a run. */
export interface SyncOutcome extends SyncStatus {
  readonly came: SyncYield;
  /** The reason the tracker does not share what people can see, in sentences; null where it does. */
  readonly permissionsProblem: string | null;
}

/** The port of everything that keeps the mirror fresh. */
export interface SyncApi {
  /** The state of the mirror; null where nothing is kept fresh: the sample, imports, a hosted service. */
  status(): Promise<SyncStatus | null>;
  /** The status without the members that have to be counted. */
  progress(): Promise<SyncProgress | null>;
  /** The facts about the tracker and our account there, one by one. Fails only where nothing answers. */
  checkConnection(): AsyncIterable<ConnectionFact>;
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
  /** Starts to bring the copy up to date again and again. */
  start(): void;
  /** Lets what is under way reach a point from which it can go on. */
  stop(): Promise<void>;
}
