import type { Instant } from '../model/issue.ts';

/** Who works on an export and until when others leave it alone. A holder that has lost its lease changes nothing. */
export interface Lease {
  readonly holder: string;
  readonly until: Instant;
}
