import { shorten } from '../../block-kit/shorten.ts';
import type { Provenance } from '../../model/table.ts';
import { dayNote } from './day-length.ts';
import { provenanceText } from './provenance-text.ts';
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
