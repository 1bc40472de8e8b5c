import { shorten } from '../../block-kit/shorten.ts';
import type { Comparison, DurationFigures } from '../../model/answer.ts';
import type { Side } from '../../model/question.ts';
import type { ViewContext } from '../kind.ts';
import { compareChart } from '../view/answer-charts.ts';
import type { AnswerPlace, Sheet } from '../view/answer-sheet.ts';
import {
  categoryWarning,
  dataEndWarning,
  fewFinished,
  incompleteWarning,
  sinceUnknownWarning,
  unclearWarning,
} from '../view/answer-warnings.ts';
import { dayMsOf } from '../view/day-length.ts';
import { figureTable } from '../view/figure-table.ts';
import { countOf, countWords, signedTime, timeChange, timeText } from '../view/figure-words.ts';
import { footText, historiesOf } from '../view/foot-text.ts';
import { titleWithoutQuery } from '../view/subject-words.ts';
import { type Said, say, type Wording } from '../view/wording.ts';
import type { CompareQuestion } from './compare-sides.ts';

const LINES = 15;
const NAME_LENGTH = 60;

/** Two selections side by side: cycle time first, then each status. */
export function compareView(
  given: Comparison,
  { question, place }: ViewContext & { readonly question: CompareQuestion },
): Sheet {
  const comparison = withShortTitles({ ...given, titles: sideTitles(given.titles, question, place) });
  const { titles, statuses, doubts, provenance } = comparison;
  const dayMs = dayMsOf(provenance[0].calendar);
  const longest = statuses.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, LINES);
  return {
    headline: say((wording) => headText(comparison, wording)),
    warnings: [
      ...dataEndWarning(provenance[0]),
      ...provenance.flatMap((one, side) => incompleteWarning(one, titles[side])),
      ...categoryWarning({
        withoutCategory: [...new Set(doubts.flatMap((one) => one.withoutCategory))],
      }),
      ...doubts.flatMap((one, side) => [
        ...sinceUnknownWarning(one, { side: titles[side] ?? null, more: false }),
        ...unclearWarning(one, titles[side]),
      ]),
      ...fewFinished(comparison),
    ],
    fields: [sideOf(comparison, 0), sideOf(comparison, 1)],
    chart: compareChart(comparison),
    table: figureTable(
      [
        { title: 'Status', holds: 'text' },
        ...titles.map((title) => ({ title, holds: 'figure' as const })),
        { title: 'Difference', holds: 'figure' },
      ],
      statuses
        .filter((status) => longest.includes(status))
        .map(({ title, sides: [a, b] }) =>
          [title, sideText(a, dayMs), sideText(b, dayMs), signedTime(b.average, a.average, dayMs)].map(
            (text) => ({ text }),
          ),
        ),
    ),
    remarks:
      statuses.length === 0
        ? []
        : [
            say(
              () =>
                'Average time in a status, visits that still last as far as they came; in brackets, what 85 % of the issues did not exceed.',
            ),
            ...(statuses.length > LINES
              ? [say(() => `Shown: the ${LINES} statuses with most time, of ${countWords(statuses.length)}.`)]
              : []),
          ],
    page: null,
    foot: say((wording) => footText(historiesOf(provenance[0]), wording)),
    details: [],
    hasFile: false,
    isPersonal: false,
  };
}

function withShortTitles(comparison: Comparison): Comparison {
  const [a, b] = comparison.titles.map((title) => shorten(title, NAME_LENGTH) || '(no name)');
  return { ...comparison, titles: [a ?? '', b ?? ''] };
}

/** `of 12 finished`; `of 9 of 12 finished` where of some no cycle time is known. */
function measuredOf(finished: number, { count }: DurationFigures): string {
  return `of ${count === finished ? '' : `${countWords(count)} of `}${countWords(finished)} finished`;
}

/** `22h (≤ 1d 16h)`. */
function sideText({ average, p85 }: DurationFigures, dayMs: number): string {
  return p85 === null ? timeText(average, dayMs) : `${timeText(average, dayMs)} (≤ ${timeText(p85, dayMs)})`;
}

function timeOf({ sides }: Comparison['statuses'][number]): number {
  return Math.max(...sides.map(({ average }) => average ?? 0));
}

function headText(
  { titles, issues, finished, cycleTime, provenance }: Comparison,
  { strong, words }: Wording,
): string {
  const [a, b] = titles;
  const [first, second] = cycleTime.map(({ median }) => median);
  const dayMs = dayMsOf(provenance[0].calendar);
  if (issues[0] === 0 && issues[1] === 0)
    return `${strong('No issue on either side')}: ${words(a)} and ${words(b)}. Choose longer times or other issues, and ask again.`;
  const change = timeChange(second ?? null, first ?? null, dayMs);
  if (change === null) {
    const without = cycleTime.flatMap(({ median }, index) =>
      median === null ? [words(titles[index] ?? '')] : [],
    );
    return `${strong(a)} and ${strong(b)}: nothing was finished in ${without.join(' and ')} of which a cycle time is known.`;
  }
  const [ofFirst, ofSecond] = [measuredOf(finished[0], cycleTime[0]), measuredOf(finished[1], cycleTime[1])];
  const compared =
    change === 'the same'
      ? `the same as in ${words(a)} (${ofFirst})`
      : `${change} than in ${words(a)} (${timeText(first ?? null, dayMs)}, ${ofFirst})`;
  return `Median cycle time in ${strong(b)}, ${ofSecond}: ${strong(timeText(second ?? null, dayMs))}, ${compared}.`;
}

function sideOf({ titles, issues, finished, cycleTime, provenance }: Comparison, side: 0 | 1): Said {
  const dayMs = dayMsOf(provenance[side].calendar);
  const { average, median, p85, deviation } = cycleTime[side];
  return say(({ strong }) =>
    [
      strong(titles[side]),
      `${countOf(issues[side], 'issue')}, ${finished[side]} finished`,
      `Cycle time: average ${timeText(average, dayMs)}, median ${timeText(median, dayMs)}`,
      `85 % within ${timeText(p85, dayMs)}, spread ${timeText(deviation, dayMs)}`,
    ].join('\n'),
  );
}

/** What two sides are called: where others read it, a query somebody typed is only a filter. */
function sideTitles(
  titles: Comparison['titles'],
  question: Pick<CompareQuestion, 'sides'>,
  place: AnswerPlace,
): Comparison['titles'] {
  if (place === 'private') return titles;
  const [one, other] = question.sides;
  const isSame = queryOf(one) === queryOf(other);
  return [
    titleWithoutQuery(titles[0], queryOf(one), isSame ? 'the filter' : 'the first filter'),
    titleWithoutQuery(titles[1], queryOf(other), isSame ? 'the filter' : 'the second filter'),
  ];
}

function queryOf({ selection }: Side): string | null {
  return selection.by === 'jql' ? selection.jql : null;
}
