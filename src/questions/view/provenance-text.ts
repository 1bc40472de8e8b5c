import type { Provenance } from '../../model/table.ts';
import { momentText } from './moment-text.ts';
import type { Wording } from './wording.ts';

/**
 * Where figures come from, in parts of one line: which hours count, as of when, how fresh the data was when it was asked,
 * and whether histories are whole.
 */
export function provenanceText(
  { calendar, asOf, askedAt, dataAsOf, tracker, complete }: Provenance,
  wording: Pick<Wording, 'date' | 'time' | 'words'>,
): string {
  return [
    `calendar ${calendar.continuous ? '24/7' : wording.words(calendar.name)}`,
    `as of ${wording.date(asOf)}`,
    ...(dataAsOf === null ? [] : [`data as of ${momentText(dataAsOf, askedAt, wording)}`]),
    ...(tracker === 'sample' ? ['sample data'] : []),
    ...(tracker === 'jira' && dataAsOf === null ? ['the first fill from Jira goes on'] : []),
    complete ? 'history complete' : 'history not complete',
  ].join(' · ');
}
