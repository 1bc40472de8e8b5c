import type { IssueFacts } from '../model/table.ts';
import { isoText } from './date-text.ts';

/** Whether the figures of an issue rest on its whole history, in one short sentence for every output. */
export function historyText({
  history,
  contradictions,
}: Pick<IssueFacts, 'history' | 'contradictions'>): string {
  const steps = contradictions === 1 ? '1 step is' : `${contradictions} steps are`;
  const missing = contradictions === 0 ? '' : ` (${steps} missing: a change contradicts the state before it)`;
  if (history.complete) return `complete${missing}`;
  const { unknownFrom, unknownUntil, reason } = history;
  if (unknownFrom === null && unknownUntil === null) return `unknown: ${reason}${missing}`;
  if (unknownFrom === null && unknownUntil !== null)
    return `cut before ${isoText(unknownUntil)}: ${reason}${missing}`;
  const from = unknownFrom === null ? '' : ` after ${isoText(unknownFrom)}`;
  const until = unknownUntil === null ? '' : ` until ${isoText(unknownUntil)}`;
  return `unknown${from}${until}: ${reason}${missing}`;
}
