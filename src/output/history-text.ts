import type { Instant } from '../model/issue.ts';
import type { IssueFacts } from '../model/table.ts';

/** How instants, and the tracker's own words, are written where the text goes. */
export interface HistoryWording {
  readonly date: (at: Instant) => string;
  readonly words: (text: string) => string;
}

/** Whether the figures of an issue rest on its whole history, in one short sentence for every output. */
export function historyText(
  { history, contradictions }: Pick<IssueFacts, 'history' | 'contradictions'>,
  { date, words }: HistoryWording,
): string {
  const steps = contradictions === 1 ? '1 step' : `${contradictions} steps`;
  const missing = contradictions === 0 ? '' : ` (it contradicts itself at ${steps})`;
  if (history.complete) return `complete${missing}`;
  const { unknownFrom, unknownUntil } = history;
  const reason = words(history.reason);
  if (unknownFrom === null && unknownUntil === null) return `unknown: ${reason}${missing}`;
  if (unknownFrom === null && unknownUntil !== null) {
    return `cut before ${date(unknownUntil)}: ${reason}${missing}`;
  }
  const from = unknownFrom === null ? '' : ` after ${date(unknownFrom)}`;
  const until = unknownUntil === null ? '' : ` until ${date(unknownUntil)}`;
  return `unknown${from}${until}: ${reason}${missing}`;
}

/** The same with the statuses that are left out of the figures because they are gone. */
export function issueHistoryText(facts: IssueFacts, wording: HistoryWording): string {
  const text = historyText(facts, wording);
  return facts.leftOut.length === 0 ? text : `${text}; left out: ${facts.leftOut.join(', ')} (deleted)`;
}
