import type { IssueFacts } from '../../model/table.ts';
import { isoText } from '../../time/date-text.ts';

/** Whether the history behind an issue's figures is whole, and if not, which time is unknown and why. */
export function historyJson({ history, unknown, contradictions }: IssueFacts) {
  if (history.complete) return { complete: true, contradictions };
  const { unknownFrom, unknownUntil, reason } = history;
  return {
    complete: false,
    unknownFrom: unknownFrom === null ? null : isoText(unknownFrom),
    unknownUntil: unknownUntil === null ? null : isoText(unknownUntil),
    unknownDuration: unknown?.ms ?? 0,
    reason,
    contradictions,
  };
}
