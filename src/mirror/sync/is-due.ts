import type { Instant } from '../../model/issue.ts';

/** Whether it is time again; a clock that was set back tells no age. */
export function isDue(now: Instant, last: Instant | null, everyMs: number): boolean {
  return last === null || now - last >= everyMs || now < last;
}
