import type { Instant } from './issue.ts';

/** The step of a synchronisation: `rests` waits for the next turn. */
export type SyncStep = 'rests' | 'lists' | 'fill' | 'follow' | 'compare';

/** Something that went wrong lately, in a whole sentence. */
export interface SyncProblem {
  readonly at: Instant;
  readonly message: string;
}

/**
 * The progress of the stored issues behind those of the tracker. Instants are those of our own clock. `done` and `total`
 * are issues of the first fill; `total` is the tracker's own estimate, null where it gives none.
 */
export interface SyncProgress {
  /** The origin of the issues, such as `https://example.atlassian.net`. */
  readonly site: string;
  readonly step: SyncStep;
  /** False until the first fill is done: until then the tracker has issues that Dwell does not know. */
  readonly filled: boolean;
  readonly done: number;
  readonly total: number | null;
  /** Everything that had happened in the tracker by then is here; null before the first fill is done. */
  readonly asOf: Instant | null;
  /** The instant of the first request to this site. */
  readonly startedAt: Instant;
  /** The instant at which all ids here were last compared with those of the tracker. */
  readonly comparedAt: Instant | null;
  /** The time by which the tracker's clock is ahead of ours, in ms; null where that is unknown. */
  readonly clockAheadMs: number | null;
  /** The data the tracker refuses to give, such as groups, and the reason; empty where it gives everything. */
  readonly withheld: readonly string[];
  /** The reason the last turn did not come to its end; null when it did. */
  readonly problem: SyncProblem | null;
  readonly requests: RequestCounts;
}

/** The progress with the number of stored issues, and of those of them whose history is not whole. */
export interface SyncStatus extends SyncProgress {
  readonly issues: number;
  readonly cutHistories: number;
}

/** Requests to the tracker since the first one to the site. */
export interface RequestCounts {
  readonly sent: number;
  /** The requests among them that were repeated, because there was no usable answer before. */
  readonly repeated: number;
  /** The responses that asked Dwell to slow down. */
  readonly slowedDown: number;
}

export const noRequests: RequestCounts = { sent: 0, repeated: 0, slowedDown: 0 };

/**
 * One fact that a tracker gives of itself and of our account, before any issue is read. `unknown` takes the place of one
 * that it does not give; `why` is a whole sentence.
 */
export type ConnectionFact =
  /** The site: `product` as people call it, such as `Jira Cloud`, and the address people browse it at. */
  | { readonly about: 'site'; readonly product: string; readonly url: string }
  /** The account of Dwell there; `email` is null where it is not given. */
  | { readonly about: 'account'; readonly name: string; readonly email: string | null }
  /** The number of projects our account may browse. */
  | { readonly about: 'projects'; readonly count: number }
  /** The approximate number of issues; null where it is unknown. `jql` is the query they are chosen by; null: all. */
  | { readonly about: 'issues'; readonly count: number | null; readonly jql: string | null }
  /** The right of our account to query what others may see: `refusal` is null, or says why not, and what helps. */
  | { readonly about: 'permissions'; readonly refusal: string | null }
  | {
      readonly about: 'unknown';
      readonly what: 'account' | 'projects' | 'issues' | 'permissions';
      readonly why: string;
    };

/** The optional parts of a check of the connection. */
export interface ConnectionCheckInput {
  readonly issues: boolean;
  readonly permissions: boolean;
}

/** The command for an operator to read why the stored issues are not fresh. */
export const syncCommand = 'npx dwell sync';
