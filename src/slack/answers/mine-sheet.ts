import type { Part } from '../../api/answers.ts';
import type { AgingIssue, Mine } from '../../model/aging.ts';
import { shorten } from '../messages/shorten.ts';
import { agingColumns, agingRow } from './aging-rows.ts';
import { countOf, countWords } from './count-words.ts';
import { dayMsOf } from './day-length.ts';
import { figureTable } from './figure-table.ts';
import { footText } from './foot-text.ts';
import { incompleteWarning } from './incomplete-warning.ts';
import type { Sheet } from './sheet.ts';
import { unknownAges } from './unknown-ages.ts';
import { say, type Wording } from './wording.ts';

const NAME_LENGTH = 80;
/** More people are counted, not named. */
const PEOPLE = 5;

/** What waits on somebody: their own issues first, then those of whom they stand in for. */
export function mineSheet(mine: Mine, { start, size }: Part): Sheet {
  const { own, covered } = mine;
  const rows: readonly (readonly [AgingIssue, string])[] = [
    ...own.issues.map((issue) => [issue, 'you'] as const),
    ...covered.flatMap(({ person, aging }) => aging.issues.map((issue) => [issue, person.name] as const)),
  ];
  const shown = rows.slice(start, start + size);
  const dayMs = dayMsOf(own.provenance.calendar);
  const hasOthers = covered.length > 0;
  return {
    headline: say((wording) => headText(mine, wording)),
    warnings: [
      ...incompleteWarning(own.provenance),
      ...unknownAges([...own.unknown, ...covered.flatMap(({ aging }) => aging.unknown)]),
    ],
    fields: [],
    chart: null,
    table: figureTable(
      agingColumns.flatMap((column) =>
        column.title !== 'With' ? [column] : hasOthers ? [{ ...column, title: 'Waits on' }] : [],
      ),
      shown.map(([issue, whom]) => {
        const [key, summary, status, , ...figures] = agingRow(issue, dayMs);
        return [key, summary, status, ...(hasOthers ? [{ text: whom }] : []), ...figures].filter(
          (cell) => cell !== undefined,
        );
      }),
    ),
    remarks: [],
    page: { start, end: start + shown.length, total: rows.length },
    foot: say((wording) => footText(own.provenance, wording)),
    details: [],
    hasFile: false,
    isPersonal: true,
  };
}

function headText({ own, covered }: Mine, { strong, words }: Wording): string {
  const forOthers = covered.filter(({ aging }) => aging.issues.length > 0);
  const beyond = own.beyond === 0 ? '' : `, ${countWords(own.beyond)} of them longer than usual`;
  const waits = own.issues.length === 1 ? 'waits' : 'wait';
  const mine =
    own.issues.length === 0
      ? `${strong('No open issue')} waits on you.`
      : `${strong(countOf(own.issues.length, 'open issue'))} ${waits} on you${beyond}.`;
  const named = forOthers
    .slice(0, PEOPLE)
    .map(
      ({ person, aging }) =>
        `${countOf(aging.issues.length, 'issue')} of ${words(shorten(person.name, NAME_LENGTH))}`,
    );
  const more = forOthers.length - named.length;
  const others =
    named.length === 0
      ? ''
      : ` As a stand-in: ${named.join(', ')}${more > 0 ? ` and ${more} more people` : ''}.`;
  const rest =
    own.issues.length === 0 && named.length === 0
      ? ' What is assigned to you in the tracker will stand here.'
      : '';
  return `${mine}${others}${rest}`;
}
