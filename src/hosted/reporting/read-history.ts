import type { Instant } from '../../model/issue.ts';
import type { IssueFacts } from '../../model/table.ts';
import type { RowAnswer } from './report-answer.ts';

/** What is told of an issue's history; a service that tells nothing knows nothing of cut ones. */
export function readHistory(
  told: RowAnswer['history'],
  { created, asOf }: { readonly created: Instant | null; readonly asOf: Instant },
): Pick<IssueFacts, 'history' | 'unknown' | 'contradictions'> {
  const contradictions = told?.contradictions ?? 0;
  if (!told || told.complete) return { history: { complete: true }, unknown: null, contradictions };
  const unknownFrom = told.unknownFrom ?? null;
  const unknownUntil = told.unknownUntil ?? null;
  const ms = told.unknownDuration ?? 0;
  const from = unknownFrom ?? created ?? asOf;
  return {
    history: { complete: false, unknownFrom, unknownUntil, reason: told.reason ?? 'The history is cut.' },
    unknown: ms === 0 ? null : { from, until: unknownUntil ?? asOf, ms },
    contradictions,
  };
}
