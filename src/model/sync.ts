import type { Instant } from './issue.ts';

/** What a synchronisation is doing: `rests` waits for the next turn. */
export type SyncStep = 'rests' | 'lists' | 'fill' | 'follow' | 'compare';

/** Something that went wrong lately, in a whole sentence. */
export interface SyncProblem {
  readonly at: Instant;
  readonly message: string;
}

/**
 * How far the issues kept here follow those of the tracker. Instants are those of our own clock. `done` and `total`
 * are issues of the first fill; `total` is the tracker's own estimate, null where it gives none.
 */
export interface SyncProgress {
  /** Where the issues come from, such as `https://example.atlassian.net`. */
  readonly site: string;
  readonly step: SyncStep;
  /** False until the first fill is done: until then there are issues nobody here knows of. */
  readonly filled: boolean;
  readonly done: number;
  readonly total: number | null;
  /** Everything that had happened in the tracker by then is here; null before the first fill is done. */
  readonly asOf: Instant | null;
  /** When this site was first asked. */
  readonly startedAt: Instant;
  /** When all ids here were last held against those of the tracker. */
  readonly comparedAt: Instant | null;
  /** How far the tracker's clock is ahead of ours, in ms; null where nobody knows. */
  readonly clockAheadMs: number | null;
  /** What the tracker refuses to give, and why, such as groups; empty where it gives everything. */
  readonly withheld: readonly string[];
  /** Why the last turn did not come to its end; null when it did. */
  readonly problem: SyncProblem | null;
  readonly requests: RequestCounts;
}

/** The progress with the number of issues kept here, and of those of them whose history is not whole. */
export interface SyncStatus extends SyncProgress {
  readonly issues: number;
  readonly cutHistories: number;
}

/** Requests to the tracker since the site was first asked. */
export interface RequestCounts {
  readonly sent: number;
  /** Of those: asked again, because there was no usable answer before. */
  readonly repeated: number;
  /** Answers that asked us to slow down. */
  readonly slowedDown: number;
}

export const noRequests: RequestCounts = { sent: 0, repeated: 0, slowedDown: 0 };

/**
 * One thing that a tracker says of itself and of us, before any issue is read. `unknown` takes the place of one that
 * it does not say; `why` is a whole sentence.
 */
export type Introduction =
  /** Who answers: `product` as people call it, such as `Jira Cloud`, and the address people browse it at. */
  | { readonly about: 'site'; readonly product: string; readonly url: string }
  /** As whom we are known there; `email` is null where it is not given. */
  | { readonly about: 'account'; readonly name: string; readonly email: string | null }
  /** How many projects our account may browse. */
  | { readonly about: 'projects'; readonly count: number }
  /** How many issues there are, about; null where that is unknown. `wish` is the query they are chosen by; null: all. */
  | { readonly about: 'issues'; readonly count: number | null; readonly jql: string | null }
  /** Whether our account may ask what others may see: null, or why not, and what helps. */
  | { readonly about: 'permissions'; readonly refusal: string | null }
  | {
      readonly about: 'unknown';
      readonly what: 'account' | 'projects' | 'issues' | 'permissions';
      readonly why: string;
    };

/** What is asked of a tracker beside who it is and who we are. */
export interface IntroductionInput {
  readonly issues: boolean;
  readonly permissions: boolean;
}

/** What an operator types to read why the issues kept here are not fresh. */
export const syncCommand = 'npx dwell sync';
