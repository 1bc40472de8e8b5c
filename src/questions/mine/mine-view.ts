import { shorten } from '../../block-kit/shorten.ts';
import type { Aging, AgingIssue, Mine } from '../../model/answer.ts';
import type { ViewContext } from '../kind.ts';
import { agingColumns, agingRow } from '../view/aging-rows.ts';
import type { Sheet } from '../view/answer-sheet.ts';
import {
  categoryWarning,
  dataEndWarning,
  incompleteWarning,
  maybeWaitingWarning,
  unknownAges,
} from '../view/answer-warnings.ts';
import { dayMsOf } from '../view/day-length.ts';
import { figureTable } from '../view/figure-table.ts';
import { countOf, countWords } from '../view/figure-words.ts';
import { footText, historiesOf } from '../view/foot-text.ts';
import { say, type Wording } from '../view/wording.ts';

const NAME_LENGTH = 80;
/** More people are counted, not named. */
const PEOPLE = 5;

/** What waits on somebody: their own issues first, then those of whom they stand in for. */
export function mineView(mine: Mine, { part: { start, size } }: Pick<ViewContext, 'part'>): Sheet {
  const { own, covered } = mine;
  const all = [own, ...covered.map(({ aging }) => aging)];
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
      ...dataEndWarning(own.provenance),
      ...incompleteWarning(own.provenance),
      ...covered
        .filter(({ aging }) => !aging.provenance.complete)
        .slice(0, PEOPLE)
        .flatMap(({ person, aging }) => incompleteWarning(aging.provenance, person.name)),
      ...categoryWarning({ withoutCategory: [...new Set(all.flatMap((one) => one.doubts.withoutCategory))] }),
      ...unknownAges(
        all.flatMap(({ unknown }) => unknown),
        own.provenance,
      ),
      ...maybeWaitingWarning({ unclear: all.flatMap((one) => one.doubts.unclear) }),
    ],
    fields: [],
    chart: null,
    table: figureTable(
      agingColumns.flatMap((column) =>
        column.title !== 'With' ? [column] : hasOthers ? [{ ...column, title: 'Waits on' }] : [],
      ),
      // Whom an issue waits on stands in place of whom it is with.
      shown.map(([issue, whom]) => [
        ...agingRow(issue, dayMs).slice(0, -1),
        ...(hasOthers ? [{ text: whom }] : []),
      ]),
    ),
    remarks: [],
    page: { start, end: start + shown.length, total: all.reduce((sum, { count }) => sum + count, 0) },
    foot: say((wording) => footText(historiesOf(own.provenance), wording)),
    details: [],
    hasFile: false,
    isPersonal: true,
  };
}

function headText({ own, covered }: Mine, { strong, words }: Wording): string {
  const forOthers = covered.filter(({ aging }) => waiting(aging) > 0);
  const mine = ownText(own, strong);
  const named = forOthers
    .slice(0, PEOPLE)
    .map(
      ({ person, aging }) =>
        `${countOf(waiting(aging), 'issue')} of ${words(shorten(person.name, NAME_LENGTH))}`,
    );
  const more = forOthers.length - named.length;
  const others =
    named.length === 0
      ? ''
      : ` As a stand-in: ${named.join(', ')}${more > 0 ? ` and ${more} more people` : ''}.`;
  const rest =
    waiting(own) + named.length === 0 && !isDoubtful(own)
      ? ' What is assigned to you in the tracker will stand here.'
      : '';
  return `${mine}${others}${rest}`;
}

function ownText(own: Aging, strong: Wording['strong']): string {
  const all = waiting(own);
  if (all === 0) {
    return isDoubtful(own)
      ? `${strong('No issue is known to wait on you')}, but of some nobody can tell.`
      : `${strong('No open issue')} waits on you.`;
  }
  const beyond = own.beyond === 0 ? '' : `, ${countWords(own.beyond)} of them longer than usual`;
  const untold = own.unknown.length;
  const since =
    untold === 0
      ? ''
      : untold < all
        ? `; of ${countWords(untold)} of them it is not known since when`
        : all === 1
          ? ', of which it is not known since when'
          : ', of none of which it is known since when';
  return `${strong(countOf(all, 'open issue'))} ${all === 1 ? 'waits' : 'wait'} on you${beyond}${since}.`;
}

/** How many issues are open, whether or not it is known since when. */
function waiting({ count, unknown }: Aging): number {
  return count + unknown.length;
}

function isDoubtful({ doubts, provenance }: Aging): boolean {
  return doubts.unclear.length + provenance.undecided > 0;
}
