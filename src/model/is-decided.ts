import type { Provenance } from './table.ts';

/** Whether it is known of every issue if it belongs to the answer, and if the asker may see it. */
export function isDecided({ undecided, unasked = 0 }: Provenance): boolean {
  return undecided + unasked === 0;
}
