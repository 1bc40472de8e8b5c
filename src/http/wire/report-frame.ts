import type { Wording } from '../../output/table-records.ts';

/** What the outer object of every report tells besides the table itself. */
export interface ReportFrame {
  readonly wording: Wording;
  readonly version: string;
}
