import type {
  ComparedSide,
  CompareQuestion,
  Comparison,
} from '../../../api/answers/compare/compare-answer.ts';
import { compareKind } from '../../../api/answers/compare/compare-kind.ts';
import { isStarted } from '../../../api/outcomes/issue-flow.ts';
import type { DurationFigures } from '../../../model/answer.ts';
import type { WorkKind } from '../../../model/flow.ts';
import type { Side } from '../../../model/question.ts';
import type { Chart } from '../../../output/charts/chart.ts';
import { changeText, countWords, inStatus, NEVER, timeText } from '../../../output/figure-words.ts';
import { durationWords, shorten } from '../../../output/readable-text.ts';
import { percentText } from '../../../output/shares.ts';
import { titleWithoutQuery } from '../../../output/subject-words.ts';
import { capital, dayMsOf, type Wording } from '../../../output/wording.ts';
import type { AnswerPlace, AnswerSheet } from '../view/answer-sheet.ts';
import { compareWarnings, footText, historiesOf } from '../view/answer-warnings.ts';
import {
  chartDetail,
  columnsOf,
  durationChart,
  type FigureCell,
  figureTable,
  PAGE_ROWS_BELOW_CHART,
  pagedTable,
} from '../view/figures-drawn.ts';
import { wordedText } from '../view/marked-wording.ts';
import type { QuestionView, ViewContext } from '../view/question-view.ts';
import { readCompare } from './read-compare.ts';

/** Four more rows are about what is finished: ten in all. */
const STATUSES = 6;
/** More bars cannot be compared at a glance. */
const BARS = 10;
const NAME_LENGTH = 60;

const MEANING =
  'Cycle time is from the first started status until finished. Time in a status is the average of the issues that were there.';

/**
 * The titles of two sides, and the part that they share, such as `resolved last 30 days` or `WEB`; empty if they share
 * none.
 */
interface NamedSides {
  readonly titles: readonly [string, string];
  readonly shared: string;
}

/** `/tis compare FILTER [RANGE] with FILTER [RANGE] [in CALENDAR]`. */
export const compareView: QuestionView<CompareQuestion, Comparison> = {
  of: compareKind,
  commands: [
    {
      word: 'compare',
      usage: '/tis compare FILTER [RANGE] with FILTER [RANGE] [in CALENDAR]',
      summary: 'two projects or filters side by side, or two periods of one',
      examples: [
        '/tis compare WEB with APP last 30 days',
        '/tis compare WEB resolved last month with resolved this month',
      ],
      details:
        'A side without a filter or a time takes it from the other side. At the end, `time in QA` and median, p85 or average are what the sides are compared by; without them it is the median cycle time.',
      tries: ({ project }) => [`/tis compare ${project} last month with this month`],
    },
  ],
  read: readCompare,
  title: ({ sides }) => sides.map(({ title }) => shorten(title, NAME_LENGTH)).join(' vs. '),
  view: compareSheet,
};

/**
 * Two selections side by side: which one is faster, then cycle times, then the time in each status. In the picture of the
 * details are the statuses of started work alone, as the time before the start would leave no room for them.
 */
function compareSheet(given: Comparison, { question, place }: ViewContext<CompareQuestion>): AnswerSheet {
  const measure = { ...(question.measure ?? usualMeasure), isOfPeople: comparesPeople(question) };
  const { titles, shared } = sharedPart(sideTitles(given, question, place), question);
  const [one, other] = given.sides;
  const comparison: Comparison = {
    sides: [
      { ...one, title: titles[0] },
      { ...other, title: titles[1] },
    ],
    statuses: startedFirst(given.statuses),
  };
  const { statuses } = comparison;
  const shown = statuses.slice(0, STATUSES);
  const more = statuses.length - shown.length;
  const isEmpty = comparison.sides.every(({ issues }) => issues === 0);
  const change = measure.isOfPeople ? [] : ['Change'];
  const columns = [...columnsOf('name', 'Figure'), ...columnsOf('figure', ...titles, ...change)];
  // Below the picture there is no room for all rows at once.
  const pages = { caption: 'All figures', pageRows: PAGE_ROWS_BELOW_CHART };
  return {
    headline: wordedText((wording) => headText({ ...comparison, shared }, measure, wording)),
    warnings: compareWarnings(comparison, [question.sides[0].range, question.sides[1].range]),
    table: isEmpty ? null : figureTable(columns, rowsOf({ ...comparison, statuses: shown }, measure)),
    remarks:
      more === 0
        ? []
        : [wordedText(() => `${countWords(more)} more ${more === 1 ? 'status' : 'statuses'} in Details.`)],
    footer: wordedText((wording) => footText(historiesOf(one.provenance), wording)),
    details: chartDetail(
      compareChart(comparison, statuses.filter(({ kind }) => isStarted(kind)).slice(0, BARS)),
      more === 0 ? null : pagedTable(columns, rowsOf(comparison, measure), pages),
      MEANING,
    ),
    hasFile: false,
  };
}

const ranks: Readonly<Record<WorkKind, number>> = { active: 0, waiting: 0, queue: 1, unknown: 2, done: 3 };

/** Statuses of started work before others, otherwise as the workflow has them. */
function startedFirst(statuses: Comparison['statuses']): Comparison['statuses'] {
  return statuses.toSorted((a, b) => ranks[a.kind] - ranks[b.kind]);
}

const usualMeasure: NonNullable<CompareQuestion['measure']> = { figure: 'median' };

/** The figure that is compared. `isOfPeople`: issues of people are side by side, and neither side is called faster. */
type Measure = NonNullable<CompareQuestion['measure']> & { readonly isOfPeople: boolean };

/** True if the sides are issues of different people: people are not ranked. */
function comparesPeople({ sides: [one, other] }: CompareQuestion): boolean {
  return peopleIn(queryOf(one)) !== peopleIn(queryOf(other));
}

/** A condition of a query on people: the field, the operator, and a list, a text in quotes, a function or a word. */
const ofPeople =
  /(?:\bnot\s+)?\b(?:assignee|reporter|creator)\b"?\s*(?:!?[=~]|(?:not\s+)?in\b|(?:is|was)\b(?:\s+not\b)?(?:\s+in\b)?|changed\b)\s*(?:\([^)]*\)|"[^"]*"|'[^']*'|[^\s()"']+(?:\([^)]*\))?)?/gi;

function peopleIn(jql: string | null): string {
  const clauses = [...(jql ?? '').matchAll(ofPeople)].map(([clause]) =>
    clause.toLowerCase().replaceAll(/["'\s]/g, ''),
  );
  return clauses.toSorted().join(' ');
}

/** The name of a measure in a sentence: `median cycle time`, `p85 of the time in QA`. */
function measureName({ figure, status }: Measure): string {
  if (status === undefined) return `${figure} cycle time`;
  const time = `time ${inStatus(shorten(status.name, NAME_LENGTH))}`;
  return figure === 'p85' ? `p85 of the ${time}` : `${figure} ${time}`;
}

function rowsOf(comparison: Comparison, measure: Measure): FigureCell[][] {
  const rows = changeRows(comparison, measure);
  return measure.isOfPeople ? rows.map((row) => row.slice(0, -1)) : rows;
}

function changeRows(comparison: Comparison, { figure, status }: Measure): FigureCell[][] {
  const { sides: both, statuses } = comparison;
  const [one, other] = both;
  const dayMs = dayMsOf(one.provenance.calendar);
  const cycleTime = both.map((side) => side.cycleTime);
  const inStatus = both.flatMap((side) => side.inStatus ?? []);
  const times = (title: string, sides: readonly DurationFigures[], figure: 'median' | 'p85' | 'average') => {
    const [a = null, b = null] = sides.map((side) => side[`${figure}Ms` as const]);
    const change = changeText(b, a, (ms) => durationWords(ms, dayMs), 'time');
    return [
      { text: title },
      ...[a, b].map((ms) => ({ text: timeText(ms, dayMs), value: ms })),
      { text: change ?? NEVER },
    ];
  };
  const finishedOf = ({ finished, issues }: ComparedSide) => ({
    text: `${countWords(finished)} of ${countWords(issues)}`,
    value: finished,
  });
  return [
    ...(inStatus.length === 0 || status === undefined || figure === 'average'
      ? []
      : [times(`${shorten(status.name, NAME_LENGTH)}, ${figure}`, inStatus, figure)]),
    ...(['median', 'p85', 'average'] as const).map((one) => times(`Cycle time, ${one}`, cycleTime, one)),
    ...(both.every((side) => side.cycleTime.count === side.finished)
      ? []
      : [
          [
            { text: 'With a cycle time' },
            ...cycleTime.map(({ count }) => ({ text: countWords(count), value: count })),
            { text: changeText(other.cycleTime.count, one.cycleTime.count, countWords, 'count') ?? NEVER },
          ],
        ]),
    [
      { text: 'Issues finished' },
      finishedOf(one),
      finishedOf(other),
      { text: changeText(other.finished, one.finished, countWords, 'count') ?? NEVER },
    ],
    ...statuses.map(({ name, sides }) => times(`${shorten(name, NAME_LENGTH)}, average`, sides, 'average')),
  ];
}

/** `APP is faster than WEB: median cycle time 3d 2h vs. 5d 11h (44% faster)`, the first side being WEB. */
function headText(
  { sides: both, shared }: Pick<Comparison, 'sides'> & Pick<NamedSides, 'shared'>,
  measure: Measure,
  { strong, words }: Wording,
): string {
  const [one, other] = both;
  const [a, b] = [one.title, other.title];
  const when = shared === '' ? '' : ` · ${words(shared)}`;
  if (one.issues === 0 && other.issues === 0)
    return `${strong('No issues on either side')}: ${words(a)} and ${words(b)}${when}. Try a longer time or other issues.`;
  const figures = both.map(({ inStatus, cycleTime }) => inStatus ?? cycleTime);
  const [first = null, second = null] = figures.map((side) => side[`${measure.figure}Ms` as const]);
  if (first === null || second === null) {
    const without = [a, b].filter((_, side) => figures[side]?.count === 0).map(words);
    const lacking =
      measure.status === undefined
        ? 'no finished issue with a cycle time in'
        : `no issue was ${words(inStatus(shorten(measure.status.name, NAME_LENGTH)))} in`;
    return `${strong(`${a} and ${b} cannot be compared yet`)}: ${lacking} ${without.join(' or in ')}${when}`;
  }
  const name = words(measureName(measure));
  const dayMs = dayMsOf(one.provenance.calendar);
  const [before, after] = [durationWords(first, dayMs), durationWords(second, dayMs)];
  if (measure.isOfPeople)
    return `${capital(name)}: ${strong(before)} for ${words(a)}, ${strong(after)} for ${words(b)}${when}`;
  if (before === after) return `${strong(a)} and ${strong(b)} are equally fast: ${name} ${before}${when}`;
  // The change is that of the table: from the first side to the second.
  const percent =
    first === 0
      ? ''
      : ` (${percentText(Math.abs(second - first) / first)} ${second < first ? 'faster' : 'slower'})`;
  return `${strong(b)} is ${second < first ? 'faster' : 'slower'} than ${strong(a)}: ${name} ${after} vs. ${before}${percent}${when}`;
}

/** Titles short enough for a table; the issues or the time that both have are said once. */
function sharedPart(titles: NamedSides['titles'], { sides: [one, other] }: CompareQuestion): NamedSides {
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const [first, second] = titles.map((title) => {
    const at = Math.max(0, title.lastIndexOf(', '));
    return { title, issues: title.slice(0, at), range: title.slice(at).replace(/^, /, '') };
  });
  const named = (title = '') => shorten(title, NAME_LENGTH) || '(no name)';
  const hasRanges =
    one.range !== null && other.range !== null && first?.issues !== '' && second?.issues !== '';
  if (hasRanges && isSame(one.range, other.range) && first?.range === second?.range)
    return { titles: [named(first?.issues), named(second?.issues)], shared: first?.range ?? '' };
  if (hasRanges && isSame(one.selection, other.selection) && first?.issues === second?.issues) {
    // The date that `resolved last month` is about is also said once.
    const [date = ''] = /^\w+ /.exec(first?.range ?? '') ?? [];
    const ranges = [first?.range ?? '', second?.range ?? ''] as const;
    const by = ranges.every((range) => range.startsWith(date)) ? date : '';
    const titleOf = (range: string) => named(capital(range.slice(by.length)));
    const shared = [first?.issues ?? '', ...(by === '' ? [] : [by.trim()])].join(', ');
    return { titles: [titleOf(ranges[0]), titleOf(ranges[1])], shared };
  }
  return { titles: [named(first?.title), named(second?.title)], shared: '' };
}

/** The titles of two sides: where others read them, a query that was typed is only a filter. */
function sideTitles(
  { sides: given }: Comparison,
  question: CompareQuestion,
  place: AnswerPlace,
): NamedSides['titles'] {
  const titles = [given[0].title, given[1].title] as const;
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

/** Average time in these statuses on both sides; of fewer than two, the cycle times. */
function compareChart({ sides: both }: Comparison, statuses: Comparison['statuses']): Chart | null {
  const isByStatus = statuses.length > 1;
  const cycleTime = both.map((side) => side.cycleTime);
  if (!isByStatus && cycleTime.some(({ averageMs }) => averageMs === null)) return null;
  return durationChart({
    kind: 'bar',
    title: isByStatus ? 'Average time in status' : 'Cycle time',
    names: both.map(({ title }) => title),
    bars: isByStatus
      ? statuses.map(({ name, sides }) => ({
          label: name,
          values: sides.map(({ averageMs }) => averageMs),
        }))
      : [
          { label: 'Median', values: cycleTime.map(({ medianMs }) => medianMs) },
          { label: 'p85', values: cycleTime.map(({ p85Ms }) => p85Ms) },
          { label: 'Average', values: cycleTime.map(({ averageMs }) => averageMs) },
        ],
    dayMs: dayMsOf(both[0].provenance.calendar),
    missing: 0,
  });
}
