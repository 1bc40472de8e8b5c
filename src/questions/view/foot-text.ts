import { millisecondsInDay } from 'date-fns/constants';
import { shorten } from '../../block-kit/shorten.ts';
import type { Instant } from '../../model/issue.ts';
import type { Selection } from '../../model/request.ts';
import type { Provenance } from '../../model/table.ts';
import { ageText } from '../../output/duration-text.ts';
import { isDecided } from '../figures/answer-provenance.ts';
import type { AnswerPlace } from './answer-sheet.ts';
import { dayNote } from './day-length.ts';
import type { Wording } from './wording.ts';

/** Names of calendars are short; this keeps the line whole when one is not. */
const NAME_LENGTH = 80;
const QUERY_LENGTH = 200;
const NOTE_LENGTH = 200;

/** Where figures come from, in one line. `query` is told where somebody typed it. */
export function footText(provenance: Provenance, wording: Wording, query: string | null = null): string {
  const { calendar } = provenance;
  const named = { ...provenance, calendar: { ...calendar, name: shorten(calendar.name, NAME_LENGTH) } };
  const note = dayNote(calendar);
  const parts = [
    provenanceText(named, wording),
    ...(note === null ? [] : [note]),
    ...(provenance.notes ?? []).map((one) => wording.words(shorten(one.replace(/\.$/, ''), NOTE_LENGTH))),
    ...(query === null
      ? []
      : [`filter: ${wording.words(shorten(query.replace(/\s+/g, ' '), QUERY_LENGTH))}`]),
  ];
  const line = parts.join(' · ');
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}`;
}

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

/** When something was, and how long ago: `09:41, 2 min ago`; what is over a day old with its date as well. */
export function momentText(
  at: Instant,
  now: Instant,
  { date, time }: Pick<Wording, 'date' | 'time'>,
): string {
  const age = now - at;
  return `${age < millisecondsInDay ? time(at) : date(at)}, ${ageText(age)}`;
}

/**
 * The query that chose the issues, for its principal alone: it may name projects, issues and people that others may not know
 * of. Null where there is none to be told.
 */
export function queryText(selection: Selection | null, place: AnswerPlace): string | null {
  return place === 'private' && selection?.by === 'jql' ? selection.jql : null;
}

/** Where figures come from, complete where all histories are: what else nobody knows is said by itself. */
export function historiesOf(provenance: Provenance): Provenance {
  return { ...provenance, complete: provenance.cutHistories === 0 && isDecided(provenance) };
}
