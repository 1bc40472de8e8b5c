import { shorten } from '../../block-kit/shorten.ts';
import type { Chart } from '../../output/charts/chart.ts';
import { dateText } from '../../time/java-dates.ts';
import { chartLabels } from '../view/answer-charts.ts';
import type { Sheet } from '../view/answer-sheet.ts';
import { finishedWarnings } from '../view/answer-warnings.ts';
import { dayMsOf } from '../view/day-length.ts';
import { figureTable } from '../view/figure-table.ts';
import { countOf, countOrUnknown, countWords, timeText } from '../view/figure-words.ts';
import { footText, historiesOf } from '../view/foot-text.ts';
import { type Said, say, sayFigure, type Wording } from '../view/wording.ts';
import { endOf, type SprintFigures, type SprintReport } from './sprint-report.ts';

const NAME_LENGTH = 60;
const STATUSES = 10;

/** A sprint: what was finished, carried over and added, how long it took and where the time went, vs. previous sprints. */
export function sprintView(report: SprintReport): Sheet {
  const { own, statuses, doubts, provenance } = report;
  const dayMs = dayMsOf(provenance.calendar);
  const shown = statuses.toSorted((a, b) => b.within - a.within).slice(0, STATUSES);
  return {
    headline: say((wording) => headText(report, wording)),
    warnings: [
      ...finishedWarnings(provenance, doubts, endOf(own.span), 'this sprint’s end'),
      ...(own.added === null ? [say(() => 'Added work is unknown: some histories start too late.')] : []),
    ],
    fields: fieldsOf(report, dayMs),
    chart: sprintChart(report),
    table: figureTable(
      [
        { title: 'Status', holds: 'text' },
        { title: 'Total in the sprint', holds: 'figure' },
        ...(report.before.length === 0 ? [] : [{ title: beforeTitle(report), holds: 'figure' } as const]),
      ],
      shown.map(({ title, within, before }) => [
        { text: title },
        { text: spentText(within, dayMs) },
        ...(report.before.length === 0 ? [] : [{ text: spentText(before, dayMs) }]),
      ]),
    ),
    remarks: [],
    page: null,
    foot: say((wording) => footText(historiesOf(provenance), wording)),
    details: [],
    hasFile: true,
    isPersonal: false,
  };
}

/** No time at all is no figure. */
function spentText(ms: number | null, dayMs: number): string {
  return timeText(ms === 0 ? null : ms, dayMs);
}

function headText({ own, provenance }: SprintReport, { strong }: Wording): string {
  const { span, finished, carriedOver, added } = own;
  const { timeZone, asOf } = provenance;
  const day = (at: number) => dateText(at, 'd MMM', timeZone);
  const year = dateText(span.start, 'yyyy', timeZone);
  const ofYear = year === dateText(asOf, 'yyyy', timeZone) ? '' : ` ${year}`;
  const until = span.isRunning ? 'now' : `${day(span.end)}${ofYear}`;
  const name = strong(shorten(span.name, NAME_LENGTH));
  const left = span.isRunning ? 'not done yet' : 'carried over';
  const joined = added === null || added === 0 ? '' : `, ${countWords(added)} added after the start`;
  return `${name} (${day(span.start)}${span.isRunning ? ofYear : ''} – ${until}): ${strong(finishedText(finished))}, ${carriedOver === null ? 'an unknown number' : countWords(carriedOver)} ${left}${joined}.`;
}

/** What weekly says of a week of which nothing is known. */
function finishedText(finished: number | null): string {
  return finished === null
    ? 'nothing is known to have been finished'
    : `${countOf(finished, 'issue')} finished`;
}

function fieldsOf(report: SprintReport, dayMs: number): Said[] {
  const { own, before } = report;
  const isWhole = !own.span.isRunning;
  const counts: readonly (readonly [string, (one: SprintFigures) => number | null])[] = [
    [isWhole ? 'Finished' : 'Finished so far', ({ finished }) => finished],
    [isWhole ? 'Carried over' : 'Not done yet', ({ carriedOver }) => carriedOver],
    ['Added after the start', ({ added }) => added],
  ];
  return [
    ...counts.map(([title, of]) =>
      // A part of a sprint has fewer than a whole one, whatever the team does.
      sayFigure(
        title,
        countOrUnknown(of(own)),
        comparedText(meanOf(before.map(of)), isWhole ? of(own) : null, countWords),
      ),
    ),
    ...(['median', 'p85'] as const).map((which) =>
      sayFigure(
        `Cycle time, ${which}`,
        timeText(own.cycleTime[which], dayMs),
        comparedText(meanOf(before.map(({ cycleTime }) => cycleTime[which])), own.cycleTime[which], (ms) =>
          timeText(ms, dayMs),
        ),
      ),
    ),
  ];
}

/** `▲ 3 vs average of 5 previous sprints (6.4)`; without a change only the average. */
function comparedText(
  mean: Mean | null,
  own: number | null,
  words: (amount: number) => string,
): readonly string[] {
  if (mean === null) return [];
  const { of, value } = mean;
  const previous = of === 1 ? 'previous sprint' : `average of ${of} previous sprints`;
  const change = own === null ? '' : words(Math.abs(own - value));
  if (own === null || change === words(0)) return [`${previous}: ${words(value)}`];
  return [`${own > value ? '▲' : '▼'} ${change} vs ${previous} (${words(value)})`];
}

function beforeTitle({ before }: SprintReport): string {
  return before.length === 1 ? 'Previous sprint' : `Average of ${before.length} before`;
}

/** A mean of so many sprints. */
interface Mean {
  readonly of: number;
  readonly value: number;
}

/** Of the sprints that have such a figure; null where none has. */
function meanOf(values: readonly (number | null)[]): Mean | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  return { of: known.length, value: known.reduce((sum, value) => sum + value, 0) / known.length };
}

/** Throughput and what was not done by sprint, the oldest first, where both are known; null where there is nothing to compare. */
function sprintChart({ own, before }: SprintReport): Chart | null {
  const known = [own, ...before]
    .toReversed()
    .flatMap(({ span, finished, carriedOver }) =>
      finished === null || carriedOver === null ? [] : [{ name: span.name, finished, carriedOver }],
    );
  if (known.length < 2 || known.every(({ finished, carriedOver }) => finished + carriedOver === 0))
    return null;
  const labels = chartLabels(known.map(({ name }) => name));
  const words = known.map(
    ({ finished, carriedOver }, i) => `${labels[i]} ${finished} finished and ${carriedOver} not`,
  );
  return {
    kind: 'bar',
    title: 'Issues by sprint',
    unit: 'issues',
    categories: labels,
    series: [
      { name: 'Finished', values: known.map(({ finished }) => finished) },
      { name: 'Not done', values: known.map(({ carriedOver }) => carriedOver) },
    ],
    alt: `Issues by sprint: ${words.join(', ')}.`,
  };
}
