import type { HistoryWording } from '../../formats/history-text.ts';
import type { Provenance } from '../../model/table.ts';

/** Where figures come from, in parts of one line: which hours count, as of when, and whether histories are whole. */
export function provenanceText(
  { calendar, asOf, dataAsOf, tracker, complete }: Provenance,
  { date, words }: HistoryWording,
): string {
  return [
    `calendar ${calendar.continuous ? '24/7' : words(calendar.name)}`,
    `as of ${date(asOf)}`,
    ...(dataAsOf === null ? [] : [`data of ${date(dataAsOf)}`]),
    ...(tracker === 'sample' ? ['sample data'] : []),
    complete ? 'history complete' : 'history not complete',
  ].join(' · ');
}
