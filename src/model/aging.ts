import type { Doubts } from './doubts.ts';
import type { Instant, StatusCategory } from './issue.ts';
import type { Provenance } from './table.ts';

/** What is usual in a status: of `visits` that ended there in the last `days` days, 85 % were not longer than `p85` (working ms). */
export interface UsualStay {
  readonly p85: number;
  readonly visits: number;
  readonly days: number;
}

/** An open issue and how long it has been where it is (working ms). */
export interface AgingIssue {
  readonly key: string;
  readonly summary: string;
  readonly link: string | null;
  readonly project: string;
  readonly status: { readonly id: string; readonly title: string; readonly category: StatusCategory };
  /** Null: it is with nobody. The id is null where nobody tells which user is called so. */
  readonly assignee: { readonly id: string | null; readonly name: string } | null;
  readonly since: Instant;
  readonly ageMs: number;
  /** Null where too few visits ended there to tell. */
  readonly usual: UsualStay | null;
  /** Share of `p85` the issue has used up; null without one. */
  readonly pace: number | null;
  readonly historyComplete: boolean;
}

/** Open issues, those furthest beyond what is usual first, then by age. */
export interface Aging {
  readonly issues: readonly AgingIssue[];
  /** How many of all are beyond the 85th percentile. */
  readonly beyond: number;
  /** Open issues left out because a cut history does not tell since when. */
  readonly unknown: readonly string[];
  /** Issues that stand in a status whose category nobody knows are neither open nor done. */
  readonly doubts: Pick<Doubts, 'unclear' | 'withoutCategory'>;
  readonly provenance: Provenance;
}

/** What waits on somebody: their own open issues, and those of who they stand in for now. */
export interface Mine {
  readonly own: Aging;
  readonly covered: readonly {
    readonly person: { readonly id: string; readonly name: string };
    readonly category: string;
    readonly aging: Aging;
  }[];
}
