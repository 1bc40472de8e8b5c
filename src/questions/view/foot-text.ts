import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { shorten } from '../../block-kit/shorten.ts';
import type { Instant } from '../../model/issue.ts';
import type { Selection } from '../../model/request.ts';
import type { Provenance } from '../../model/table.ts';
import { ageText } from '../../output/duration-text.ts';
import { isDecided } from '../figures/answer-provenance.ts';
import type { AnswerPlace } from './answer-sheet.ts';
import { hoursText } from './day-length.ts';
import type { Wording } from './wording.ts';

const QUERY_LENGTH = 200;
const NOTE_LENGTH = 200;

/** Data of a live tracker that is younger than that is as good as now. */
const FRESH_MS = 15 * millisecondsInMinute;

/** Where figures come from, in one line. `query` is shown where somebody typed it. */
export function footText(provenance: Provenance, wording: Wording, query: string | null = null): string {
  const parts = [
    provenanceText(provenance, wording),
    ...(provenance.notes ?? []).map((one) => wording.words(shorten(one.replace(/\.$/, ''), NOTE_LENGTH))),
    ...(query === null
      ? []
      : [`filter: ${wording.words(shorten(query.replace(/\s+/g, ' '), QUERY_LENGTH))}`]),
  ];
  const line = parts.join(' · ');
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}`;
}

/**
 * Where figures come from, in parts of one line: which hours count, as of when, how old the data is where that matters, and
 * whether histories are whole.
 */
export function provenanceText(
  { calendar, asOf, askedAt, dataAsOf, tracker, complete, cutHistories }: Provenance,
  wording: Pick<Wording, 'date' | 'time' | 'words'>,
): string {
  return [
    hoursText(calendar, wording.words),
    `as of ${wording.date(asOf)}`,
    ...(dataAsOf === null || askedAt - dataAsOf < FRESH_MS
      ? []
      : [`data as of ${momentText(dataAsOf, askedAt, wording)}`]),
    ...(tracker === 'sample' ? ['sample data'] : []),
    ...(tracker === 'jira' && dataAsOf === null ? ['the initial sync from Jira is still running'] : []),
    complete
      ? 'history complete'
      : cutHistories > 0
        ? `${cutHistories} ${cutHistories === 1 ? 'history' : 'histories'} cut`
        : 'history not complete',
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
