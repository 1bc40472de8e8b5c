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
        { title: 'In the sprint', holds: 'figure' },
        ...(report.before.length === 0 ? [] : [{ title: beforeTitle(report), holds: 'figure' } as const]),
      ],
      shown.map(({ title, within, before }) => [
        { text: title },
        { text: timeText(within, dayMs) },
        ...(report.before.length === 0 ? [] : [{ text: timeText(before, dayMs) }]),
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
  return `${name} (${day(span.start)} – ${until}): ${strong(`${countOf(finished, 'issue')} finished`)}, ${countWords(carriedOver)} ${left}${joined}.`;
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
        comparedText(report, meanOf(before.map(of)), isWhole ? of(own) : null, countWords),
      ),
    ),
    ...(['median', 'p85'] as const).map((which) =>
      sayFigure(
        `Cycle time, ${which}`,
        timeText(own.cycleTime[which], dayMs),
        comparedText(
          report,
          meanOf(before.map(({ cycleTime }) => cycleTime[which])),
          own.cycleTime[which],
          (ms) => timeText(ms, dayMs),
        ),
      ),
    ),
  ];
}

/** `▲ 3 vs average of 5 previous sprints (6.4)`; without a change only the average. */
function comparedText(
  { before }: SprintReport,
  mean: number | null,
  own: number | null,
  words: (amount: number) => string,
): readonly string[] {
  if (mean === null) return [];
  const previous = before.length === 1 ? 'previous sprint' : `average of ${before.length} previous sprints`;
  const change = own === null ? '' : words(Math.abs(own - mean));
  if (own === null || change === words(0)) return [`${previous}: ${words(mean)}`];
  return [`${own > mean ? '▲' : '▼'} ${change} vs ${previous} (${words(mean)})`];
}

function beforeTitle({ before }: SprintReport): string {
  return before.length === 1 ? 'Previous sprint' : `Average of ${before.length} before`;
}

/** The mean of what is known of each; null where something is unknown of one, or there is none. */
function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0 || known.length < values.length) return null;
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Throughput and carried-over work by sprint, the oldest first; null where there is nothing to compare. */
function sprintChart({ own, before }: SprintReport): Chart | null {
  const all = [own, ...before].toReversed();
  if (all.length < 2 || all.every(({ finished, carriedOver }) => finished + carriedOver === 0)) return null;
  const labels = chartLabels(all.map(({ span }) => span.name));
  const told = all.map(
    ({ finished, carriedOver }, i) => `${labels[i]} ${finished} finished and ${carriedOver} not`,
  );
  return {
    kind: 'bar',
    title: 'Issues by sprint',
    unit: 'issues',
    categories: labels,
    series: [
      { name: 'Finished', values: all.map(({ finished }) => finished) },
      { name: 'Carried over', values: all.map(({ carriedOver }) => carriedOver) },
    ],
    alt: `Issues by sprint: ${told.join(', ')}.`,
  };
}
